"""Progress for a person who waits: on a terminal only, and only when the work is not done at once."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hotato.cli.terminal import is_count, is_terminal

PATIENCE_SEC = 0.5
"""Work that is over by then shows nothing."""


@contextmanager
def progress_of(source: str) -> Iterator[Callable[[float], None] | None]:
    """A callback that shows how many seconds of `source` have been decoded, or None where nobody looks."""
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield None
        return
    line = _Line(os.path.basename(os.fsdecode(source)) or source)  # noqa: PTH119  "-" and odd names too
    try:
        yield line.advance
    finally:
        line.close()


@contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback that shows how many of how many are done, or None where nobody looks.

    Args:
        what: what is counted, to follow the numbers.
    """
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield None
        return
    line = _Line(what)
    try:
        yield lambda done, count: line.show(f"{done} of {count} {what}")
    finally:
        line.close()


def environment() -> dict[str, str]:
    """The environment without a width or height that is no number: rich would stumble over it."""
    sizes = ("COLUMNS", "LINES")
    return {name: value for name, value in os.environ.items() if name not in sizes or is_count(value)}


class _Line:
    """One line on standard error, drawn by rich, which is imported when there is something to draw."""

    def __init__(self, name: str):
        self._name = name
        self._begun = time.monotonic()
        self._status: object | None = None

    def advance(self, decoded_sec: float) -> None:
        self.show(f"{self._name}: {int(decoded_sec) // 60} min {int(decoded_sec) % 60:02d} s read")

    def show(self, words: str) -> None:
        if time.monotonic() - self._begun < PATIENCE_SEC:
            return
        from rich.console import Console
        from rich.markup import escape
        from rich.status import Status

        text = escape(words)
        if not isinstance(self._status, Status):
            self._status = Status(text, console=Console(stderr=True, _environ=environment()))
            self._status.start()
        self._status.update(text)

    def close(self) -> None:
        stop = getattr(self._status, "stop", None)
        if stop is not None:
            stop()
