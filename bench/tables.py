"""How the bench prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def plural(number: int, noun: str) -> str:
    """A number of things, in words: `1 call`, `2 calls`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows under a head, in columns as wide as their widest cell."""
    cells = [head, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
