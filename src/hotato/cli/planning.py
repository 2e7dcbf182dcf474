"""What a command that reaches other people prints: the plan, or that it was done."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import click

from hotato.cli.terminal import emit

yes_option = click.option("--yes", is_flag=True, help="Do it; without this nothing is run.")


def planned(
    kind: str,
    facts: Mapping[str, Any],
    commands: Sequence[Sequence[str]],
    body: str,
    *,
    style: str,
    done: bool,
    url: str | None,
    warning: str | None = None,
    copied_into: tuple[int, str] | None = None,
) -> None:
    """Print what would be run, or what was.

    Args:
        kind: `issue` or `pr`.
        facts: what it is about.
        commands: the command lines.
        body: the text that goes to the last program's standard input.
        style: `text` or `json`.
        done: whether it was run.
        url: where it is now, if that is known.
        warning: what to know before it is run, a sentence.
        copied_into: after how many of the commands the files are copied, and into which folder.
    """
    from hotato.canonical import to_json

    if style == "json":
        head = {"tool": "hotato", "kind": kind, "schema_version": "1", "done": done, "url": url, **facts}
        warned: dict[str, Any] = {} if warning is None else {"warning": warning}
        if copied_into is not None:
            warned["copied_into"] = {"after_commands": copied_into[0], "folder": copied_into[1]}
        emit(to_json({**head, "commands": [list(words) for words in commands], "body": body, **warned}))
        return
    lines = [f"hotato {kind} create: {'done' if done else 'nothing was run'}"]
    lines += [f"  {name:<7} {value}" for name, value in facts.items() if isinstance(value, str | int)]
    lines += [f"  adds    {path}" for path in facts.get("files", [])]
    if url is not None:
        lines.append(f"  at      {url}")
    if not done:
        steps = [f"  {shlex.join(words)}" for words in commands]
        if copied_into is not None:
            steps.insert(copied_into[0], f"  # what it adds is copied into {copied_into[1]}")
        lines += ["", "commands:", *steps]
        lines += ["", "body:", *(f"  {line}".rstrip() for line in body.splitlines()), ""]
        lines += [f"warning: {warning}"] if warning else []
        lines.append("next: the same with --yes runs these commands")
    emit("\n".join(lines))
