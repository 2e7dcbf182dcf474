"""Paths on a command line: what is read, and what is written."""

from __future__ import annotations

from typing import Any

import click

STANDARD_OUTPUT = "-"


class NamedPath(click.Path):
    """A path that is not empty: a variable that a script forgot to set must not pass for a choice."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path as it was typed."""
        if not value:
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


class TargetPath(NamedPath):
    """A path to write to. A command never writes over a path of the other kind, which it reads.

    Args:
        stream: whether `-` is allowed, for standard output.
    """

    def __init__(self, *, stream: bool = False):
        super().__init__(readable=False)
        self._stream = stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path as it was typed."""
        if value == STANDARD_OUTPUT and not self._stream:
            self.fail("'-' names no file; write ./- for a file of that name", param, ctx)
        return super().convert(value, param, ctx)
