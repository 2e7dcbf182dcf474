"""What the output can show, and writing to it: colour, width, letters; never a half-printed traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
from typing import TextIO, TypedDict

from hotato.errors import Refusal

PLAIN_WIDTH = 80
"""Columns when neither a terminal nor `COLUMNS` says otherwise: redirected output is the same everywhere."""

MIN_WIDTH, MAX_WIDTH = 40, 120
_COUNT_DIGITS = 6
_SAMPLE = "\u2588\u2591\u2502\u2026\u2013"


class StreamClosed(OSError):
    """Standard output cannot take what is written to it."""


class Screen(TypedDict):
    """What standard output can show, as the arguments of the report room's text functions.

    Keys:
        colour: it understands colours and nobody forbade them.
        width: columns.
        unicode: it can print block and box characters.
    """

    colour: bool
    width: int
    unicode: bool


def screen() -> Screen:
    """What standard output can show right now."""
    interactive = is_terminal(sys.stdout)
    width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if interactive else _stated_width()
    return Screen(
        colour=interactive and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
        width=min(max(width, MIN_WIDTH), MAX_WIDTH),
        unicode=_encodes(sys.stdout, _SAMPLE),
    )


def _stated_width() -> int:
    """The columns that `COLUMNS` asks for where nobody looks, else `PLAIN_WIDTH`."""
    stated = os.environ.get("COLUMNS", "")
    return int(stated) if is_count(stated) and int(stated) else PLAIN_WIDTH


def is_count(text: str) -> bool:
    """Whether a text is a number of columns or lines: ASCII digits, and few of them."""
    return text.isascii() and text.isdigit() and len(text) <= _COUNT_DIGITS


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person is looking at `stream`."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def emit(text: str) -> None:
    """Write text to standard output, whole, ending with a newline; letters it cannot show become `?`.

    Raises:
        BrokenPipeError: the reader went away.
        Refusal: `disk_full` or `unwritable`: standard output cannot take it.
    """
    stream = sys.stdout
    if stream is None:
        raise Refusal("unwritable", "standard output is closed", "redirect it to a file or a terminal")
    try:
        stream.write(_showable(text if text.endswith("\n") else text + "\n", stream))
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        reason = "the device is full" if full else (error.strerror or "error").lower()
        raise Refusal(
            "disk_full" if full else "unwritable",
            f"cannot write to standard output: {reason}",
            "redirect the output to a place with space",
        ) from StreamClosed(error.errno, reason)


def emit_error(line: str) -> None:
    """Write one `hotato: ...` line to standard error; nothing can be done when that fails too."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(_showable(f"hotato: {' '.join(line.split())}\n", sys.stderr))
        sys.stderr.flush()


def settle_output() -> None:
    """Flush what was said; what cannot be taken goes nowhere, so that the interpreter's exit stays quiet."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def _encodes(stream: TextIO | None, text: str) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _showable(text: str, stream: TextIO) -> str:
    """`text` with every letter the stream cannot encode replaced."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)
