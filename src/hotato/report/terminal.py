"""Lines for a terminal: colours by role, wrapping, and the small two-line strip of a call."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from dataclasses import dataclass

import numpy as np

from hotato.report.pictures import Canvas
from hotato.report.svg import Columns, heights
from hotato.report.timefmt import clock

_CODES = {
    "caller": "38;5;172",
    "agent": "38;5;68",
    "mixed": "2",
    "critical": "1;31",
    "warning": "1",
    "fail": "1;31",
    "pass": "32",
    "bold": "1",
    "soft": "2",
}
_BLOCKS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
_ASCII_BLOCKS = " .:-=+*##"
_PLAIN = str.maketrans(
    {
        "\u2212": "-",
        "\u2026": "...",
        "\u00b7": "-",
        "\u2502": "|",
        "\u2500": "-",
        "\u2265": ">=",
        "\u2264": "<=",
    }
)
_LEAST_WIDTH = 40
_LEAST_SHARE = 0.2
_UNIT = re.compile(r"(?<=\d) (?=(?:s|ms|dB|dBFS|Hz|kHz|%)\b|%)")
_KEPT = "\u00a0"


@dataclass(frozen=True, slots=True)
class Terminal:
    """How to write: with colour or not, how wide, and with which characters.

    Attributes:
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """

    colour: bool = False
    width: int = 80
    unicode: bool = True

    @property
    def columns(self) -> int:
        """Columns to write in: at least 40, so that a broken width breaks nothing."""
        return max(_LEAST_WIDTH, self.width)

    def paint(self, role: str, text: str) -> str:
        """`text` in the colour of `role`, where colour is allowed."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.colour and text.strip() else text

    def plain(self, text: str) -> str:
        """`text` in the characters the terminal can show."""
        if self.unicode:
            return text
        simple = unicodedata.normalize("NFKD", text.translate(_PLAIN))
        return simple.encode("ascii", "replace").decode() if not simple.isascii() else simple

    def wrap(self, text: str, indent: str = "", rest: str | None = None) -> list[str]:
        """`text` in lines that fit, a number on the line of its unit; `rest` indents all but the first."""
        together = _UNIT.sub(_KEPT, self.plain(text))
        lines = textwrap.wrap(
            together,
            self.columns,
            initial_indent=indent,
            subsequent_indent=indent if rest is None else rest,
            break_on_hyphens=False,
        )
        return [line.replace(_KEPT, " ") for line in lines] or [indent.rstrip()]

    def entry(self, label: str, text: str, width: int) -> list[str]:
        """`text` with a label in a column of `width` before its first line, all indented by two."""
        return self.wrap(text, f"  {label:<{width}}", " " * (width + 2))

    def finish(self, lines: list[str]) -> str:
        """The lines as one text: no trailing blanks, one line break at the end."""
        return "\n".join(line.rstrip() for line in lines) + "\n"


def strip_lines(canvas: Canvas, terminal: Terminal, marks: list[tuple[float, str, str]]) -> list[str]:
    """The call on one line for each party, the marks above it and a time axis below.

    Args:
        canvas: the call.
        terminal: how to write.
        marks: (time in seconds, text, role) for each mark; one that finds no room is left out.
    """
    gutter = 9
    width = min(terminal.columns - gutter - 2, 120)
    columns = Columns.over(0, canvas.hops, width)
    count = len(columns.starts)
    lines = []
    if marks:
        lines.append(" " * gutter + _mark_line(marks, columns.hops * canvas.hop_sec, count, terminal))
    for track, full in zip(canvas.tracks, canvas.full, strict=True):
        sounding = columns.mean(track.activity.trimmed) >= _LEAST_SHARE
        steps = np.clip(np.ceil(heights(track.levels, columns, full) * 8), 1, 8).astype(int) * sounding
        blocks = _BLOCKS if terminal.unicode else _ASCII_BLOCKS
        drawn = "".join(blocks[step] for step in steps.tolist())
        lines.append(f"  {track.role:<6} " + terminal.paint(track.role, drawn))
    end = clock(canvas.duration_sec)
    half = clock(canvas.duration_sec / 2)
    axis = "0:00.0".ljust(count)
    middle = count // 2 - len(half) // 2
    axis = axis[:middle] + half + axis[middle + len(half) :]
    lines.append(" " * gutter + terminal.paint("soft", axis[: count - len(end)] + end))
    return lines


def _mark_line(marks: list[tuple[float, str, str]], column_sec: float, count: int, terminal: Terminal) -> str:
    line, at = "", 0
    for sec, text, role in sorted(marks):
        place = min(count - len(text), int(sec / column_sec))
        if place < at + (1 if at else 0):
            continue
        line += " " * (place - at) + terminal.paint(role, text)
        at = place + len(text)
    return line
