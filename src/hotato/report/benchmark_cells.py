"""The cells of a measurement-error table: their words, their numbers, and the shape of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Result = Mapping[str, Any]
Row = tuple[str, ...]

NONE = "-"
SIGNAL_WORDS = {
    "caller_onset": "caller onset",
    "time_to_yield": "time to yield",
    "response_gap": "response gap",
    "talk_over": "talk-over",
}
READING_WORDS = {"documented": "documented", "edges": "raw edges", "calibrated": "calibrated"}
DETECTOR_WORDS = {"auto": "robust where in doubt", "reference": "documented only"}
ERROR_HEAD = ("n", "missing", "bias", "median", "mean", "p90", "worst", "best")
_ERROR_KEYS = ("bias_ms", "median_ms", "mean_ms", "p90_ms", "worst_ms", "best_ms")


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        title: its heading.
        note: what its numbers mean, in a sentence or two.
        words: how many of the first columns hold words; the others hold numbers.
        head: names of the columns.
        rows: their cells.
    """

    title: str
    note: str
    words: int
    head: Row
    rows: tuple[Row, ...]


def number(value: float | int | None, digits: int = 1) -> str:
    """A number for a cell, or a dash."""
    if value is None:
        return NONE
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def share(part: int, whole: int) -> str:
    """A part of a whole: `3 (4.1 %)`, or a dash where there is no whole."""
    return f"{part} ({100.0 * part / whole:.1f} %)" if whole else NONE


def errors(stats: Mapping[str, Any]) -> Row:
    """The cells of a distribution of errors, under `ERROR_HEAD`."""
    return (number(stats["n"]), number(stats["missing"]), *(number(stats[key]) for key in _ERROR_KEYS))


def groups(cut: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """All rows first, then each condition where there are several."""
    yield "all", cut["all"]
    if len(cut["by_condition"]) > 1:
        yield from cut["by_condition"].items()
