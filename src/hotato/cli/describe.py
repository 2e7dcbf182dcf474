"""`hotato describe`: what this tool can do, for programs and for people."""

from __future__ import annotations

from typing import Any

import click

from hotato._version import __version__
from hotato.cli.catalogue import COMMANDS
from hotato.cli.options import format_option
from hotato.cli.terminal import emit
from hotato.errors import EXIT_FAIL, EXIT_INTERRUPTED, EXIT_PASS, EXIT_REFUSE

EXIT_CODES = {
    EXIT_PASS: ("pass", "done; nothing failed"),
    EXIT_FAIL: ("fail", "a verdict failed, or a gate that was asked for closed"),
    EXIT_REFUSE: ("refused", "bad usage, an unreadable recording, or one that cannot be judged"),
    EXIT_INTERRUPTED: ("interrupted", "interrupted"),
}
"""What the commands of this version exit with: a short word and a meaning for each code."""

_SUMMARY_CHARS = 100


@click.command()
@format_option("text", "json")
@click.pass_context
def describe(ctx: click.Context, style: str) -> None:
    """Print the commands, limits and schemas of this version.

    The JSON form is complete: every command with every flag, choice and default.
    """
    from hotato.canonical import to_json

    facts = description(ctx.find_root())
    emit(to_json(facts) if style == "json" else _text(facts))


def description(root: click.Context) -> dict[str, Any]:
    """The machine description: the tool's own facts and its commands.

    Args:
        root: the context of the whole program.
    """
    from hotato import score

    return {
        "tool": "hotato",
        "kind": "describe",
        "schema_version": "1",
        "version": __version__,
        **score.describe(),
        "exit_codes": {str(code): meaning for code, (_, meaning) in EXIT_CODES.items()},
        "commands": [_command(root, name) for name in COMMANDS],
    }


def _command(root: click.Context, name: str) -> dict[str, Any]:
    group = root.command
    command = group.get_command(root, name) if isinstance(group, click.Group) else None
    return {
        "name": name,
        "surface": "public" if COMMANDS[name].public else "lab",
        "summary": COMMANDS[name].summary,
        **_parameters(command),
    }


def _parameters(command: click.Command | None) -> dict[str, Any]:
    """Arguments and options of a command, and its own commands where it has any."""
    parameters = [] if command is None else command.params
    offered = [item for item in parameters if isinstance(item, click.Option) and not item.hidden]
    found: dict[str, Any] = {
        "arguments": [_argument(item) for item in parameters if isinstance(item, click.Argument)],
        "options": [_option(item) for item in offered],
    }
    if isinstance(command, click.Group):
        found["commands"] = [
            {"name": name, "summary": inner.get_short_help_str(_SUMMARY_CHARS), **_parameters(inner)}
            for name, inner in command.commands.items()
        ]
    return found


def _argument(argument: click.Argument) -> dict[str, Any]:
    return {"name": argument.name, "required": argument.required}


def _option(option: click.Option) -> dict[str, Any]:
    choices = option.type.choices if isinstance(option.type, click.Choice) else None
    plain = isinstance(option.default, (bool, int, float, str))
    return {
        "flags": [*option.opts, *option.secondary_opts],
        "takes_value": not option.is_flag,
        "choices": None if choices is None else list(choices),
        "default": option.default if plain else None,
        "required": option.required,
        "repeatable": option.multiple,
        "help": option.help,
    }


def _text(facts: dict[str, Any]) -> str:
    lines = [f"hotato {facts['version']}", ""]
    width = max(len(name) for name in COMMANDS)
    for surface, title in (("public", "commands"), ("lab", "lab commands")):
        lines.append(f"{title}:")
        lines += [
            f"  {command['name']:<{width}}  {command['summary']}"
            for command in facts["commands"]
            if command["surface"] == surface
        ]
        lines.append("")
    lines.append("exit codes: " + ", ".join(f"{code} {short}" for code, (short, _) in EXIT_CODES.items()))
    lines.append("every flag, limit and schema: hotato describe --format json")
    return "\n".join(lines)
