"""How wide a text is in a picture, so that nothing is cut and nothing overlaps on any machine.

A picture cannot ask for the font that will draw it. Widths are those of DejaVu Sans, the widest of the fonts
that the pictures name, so that every other one of them needs less room.
"""

from __future__ import annotations

import unicodedata

_FIRST = 32
_ELLIPSIS = "\u2026"


def _table(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split())


REGULAR = _table(
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 "
    "100 68 69 70 77 63 58 77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 "
    "50 61 63 55 63 62 35 63 63 28 28 58 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84"
)
"""Hundredths of the font's size for each letter from blank to tilde."""

BOLD = _table(
    "35 46 52 84 70 100 87 31 46 46 52 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 58 "
    "100 77 76 73 83 68 68 82 84 37 37 77 64 100 84 85 73 85 77 72 68 81 77 110 77 72 73 46 37 46 84 50 "
    "50 67 72 59 72 68 44 72 71 34 34 67 34 104 71 69 72 72 49 60 48 71 65 92 65 65 58 71 37 71 84"
)
_EM_WIDE, _EM_OTHER, _EM_OTHER_BOLD = 1.1, 1.1, 1.25
"""East Asian letters fill their square; other scripts are taken for as wide as their widest letters."""


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide `text` may be at most, in the unit of `size`, the font's size."""
    table = BOLD if bold else REGULAR
    return sum(_letter(char, table, bold) for char in text) * size


def _letter(char: str, table: tuple[int, ...], bold: bool) -> float:
    place = ord(char) - _FIRST
    if 0 <= place < len(table):
        return table[place] / 100 + 0.005
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return _EM_WIDE
    return _EM_OTHER_BOLD if bold else _EM_OTHER


def fitted(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """`text` on one line no wider than `room`; its end gives way to an ellipsis."""
    if width(text, size, bold=bold) <= room:
        return text
    left = room - width(_ELLIPSIS, size, bold=bold)
    table, kept = BOLD if bold else REGULAR, 0
    for char in text:
        left -= _letter(char, table, bold) * size
        if left < 0:
            break
        kept += 1
    return text[:kept].rstrip() + _ELLIPSIS


def lines(text: str, size: float, room: float, most: int, *, bold: bool = False) -> list[str]:
    """`text` in at most `most` lines no wider than `room`, broken between words where that is possible."""
    found: list[str] = []
    rest = text.split()
    while rest and len(found) < most:
        if len(found) == most - 1:
            found.append(fitted(" ".join(rest), size, room, bold=bold))
            break
        line = rest.pop(0)
        while rest and width(f"{line} {rest[0]}", size, bold=bold) <= room:
            line += " " + rest.pop(0)
        whole = fitted(line, size, room, bold=bold)
        if whole != line:  # one word, wider than the line: its end goes to the next
            kept = max(1, len(whole) - 1)
            rest.insert(0, line[kept:])
            whole = line[:kept]
        found.append(whole)
    return found
