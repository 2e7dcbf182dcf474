"""A command that has commands of its own: `hotato investigate FILE` beside `hotato investigate label`."""

from __future__ import annotations

import click

_NAMED = "hotato.cli.groups.names_a_command"


class CommandWithCommands(click.Group):
    """Runs itself with its own arguments, unless the first word is one of its commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as a group where a command is named, else as a command that takes arguments and flags."""
        ctx.meta[_NAMED] = bool(args) and args[0] in self.commands
        ctx.allow_interspersed_args = not ctx.meta[_NAMED]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters; the arguments are not this command's where another one is named."""
        params = super().get_params(ctx)
        if ctx.meta.get(_NAMED):
            return [item for item in params if not isinstance(item, click.Argument)]
        return params
