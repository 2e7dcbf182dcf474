"""The `hotato` command itself: finds commands by name, imports only the one that runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

import click

from hotato._version import __version__
from hotato.cli.catalogue import COMMANDS, FALLBACK
from hotato.cli.failures import guarded
from hotato.cli.terminal import emit
from hotato.errors import EXIT_PASS, Refusal, UsageError
from hotato.plain import shown

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

PROGRAM = "hotato"
SHOWN_WORD = 80
"""Letters of a word that is no command, before its middle is left out."""

COMPLETION_VARIABLE = "_HOTATO_COMPLETE"


class Commands(click.Group):
    """A group that reads the catalogue and imports a command when it is asked for."""

    listed_public: ClassVar[bool] = True

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the catalogue, of this group's surface only."""
        return [name for name, entry in COMMANDS.items() if entry.public is self.listed_public]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, of either surface."""
        entry = COMMANDS.get(cmd_name)
        return _load(entry.target) if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` name; a recording's name stands for its autopsy."""
        name = args[0]
        if self.get_command(ctx, name) is None:
            if is_recording(name):
                return FALLBACK, self.get_command(ctx, FALLBACK), args
            raise UsageError(
                f"there is no command '{shown(name, SHOWN_WORD)}'", _suggestion(name, self._names())
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the catalogue alone, so that help imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._summary(name)) for name in self.list_commands(ctx)])

    def _names(self) -> Iterable[str]:
        return COMMANDS

    def _summary(self, name: str) -> str:
        return COMMANDS[name].summary


class Lab(Commands):
    """The commands that the top-level help leaves out."""

    listed_public: ClassVar[bool] = False


class Top(Commands):
    """The program: the public surface, and the lab."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The public commands, then the lab."""
        return [*super().list_commands(ctx), lab.name or ""]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command of either surface, or the lab."""
        return lab if cmd_name == lab.name else super().get_command(ctx, cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Every command of both surfaces, the lab and the flags; where none fits, a recording."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        fitting = [name for name in self._names() if name.startswith(incomplete)]
        named = [CompletionItem(name, help=self._summary(name)) for name in fitting]
        return named or [CompletionItem(incomplete, type="file")]

    def _names(self) -> Iterable[str]:
        return [*COMMANDS, "lab"]

    def _summary(self, name: str) -> str:
        return (lab.help or "") if name == lab.name else super()._summary(name)


lab = Lab("lab", help="All further commands.", invoke_without_command=True)


@click.group(
    PROGRAM,
    cls=Top,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="hotato FILE is the same as hotato autopsy FILE. Everything runs on this machine.",
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def top(ctx: click.Context) -> None:
    """Forensics for voice-agent calls: what broke in a recording, and when."""
    _help_without_command(ctx)


def _help_without_command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        emit(ctx.get_help())


lab.callback = click.pass_context(_help_without_command)


def is_recording(name: str) -> bool:
    """Whether a word in the place of a command means a recording: no command has a dot or a slash in it.

    A link that leads nowhere is one too: that it does is what its reader has to know.
    """
    return name == "-" or "." in name or os.sep in name or os.path.lexists(name)


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; every failure is one line."""
    words = list(sys.argv[1:] if args is None else args)
    instruction = os.environ.get(COMPLETION_VARIABLE) if args is None else None
    if instruction:
        return guarded(lambda: _complete(instruction), ())
    return guarded(lambda: _invoke(words), words)


def _complete(instruction: str) -> int:
    """Answer the shell, which asks with variables of its own.

    Raises:
        UsageError: they are not what a shell sets.
    """
    from click.shell_completion import shell_complete

    remedy = f"unset {COMPLETION_VARIABLE}, or take the lines of 'hotato completion SHELL' again"
    try:
        code = shell_complete(top, {}, PROGRAM, COMPLETION_VARIABLE, instruction)
    except (KeyError, ValueError) as error:
        if isinstance(error, Refusal):
            raise
        raise UsageError("the shell's request for completion cannot be read", remedy) from error
    if code:
        raise UsageError(f"'{shown(instruction, SHOWN_WORD)}' asks for no known completion", remedy)
    return EXIT_PASS


def _invoke(words: list[str]) -> int:
    with top.make_context(PROGRAM, words) as ctx:
        code = top.invoke(ctx)
    return code if isinstance(code, int) else EXIT_PASS


def _load(target: str) -> click.Command:
    module, _, attribute = target.partition(":")
    command = getattr(import_module(module), attribute)
    if not isinstance(command, click.Command):
        raise TypeError(f"{target} is not a command")
    return command


def _suggestion(name: str, names: Iterable[str]) -> str:
    close = get_close_matches(name[:SHOWN_WORD], list(names), n=1)
    return f"did you mean '{close[0]}'?" if close else f"'{PROGRAM} --help' lists the commands"
