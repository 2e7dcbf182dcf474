"""How the bench prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def plural(number: int, noun: str) -> str:
    """A number of things, in words: `1 call`, `2 calls`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows under a head, in columns as wide as their widest cell."""
    cells = [head, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def print_opinion(second: Mapping[str, Any]) -> None:
    """How far the neural backend agrees with ours, and how many of its own verdicts are wrong."""
    agreed, wrong = second["agreement"], second["yield_verdicts"]
    print(
        f"neural backend on the same calls: 'did it yield?' the same in {agreed['did_yield_agreed']} of"
        f" {agreed['judged_by_both']} verdicts that both gave; wrong 'yielded in time?' by its raw edges"
        f" {wrong.wrong_edges} of {wrong.n}, {wrong.withheld} of them withheld"
    )
