"""The clips behind the cells: every moment in a cell of error, or with a wrong verdict, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hotato.benchmark.aggregate import READINGS
from hotato.benchmark.records import VerdictRow


def named(rows: Iterable[VerdictRow]) -> Iterator[dict[str, Any]]:
    """The moments that somebody will want to hear, with what was measured and what is true.

    A moment is named where its label and `did_yield` differ, where it could not be judged, and where any
    reading of its yield verdict differs from the truth.

    Args:
        rows: the verdicts, in the order of the calls.
    """
    for row in rows:
        wrong = [reading for reading in READINGS if row.wrong(reading)]
        cell = _cell(row)
        if wrong or cell is not None:
            yield {
                "set_name": row.set_name,
                "scenario": row.scenario,
                "condition": row.condition,
                "at_sec": row.at_sec,
                "expect": row.expect,
                "cell": cell,
                "wrong": wrong,
                "not_found": row.found is False,
                "limit_sec": row.limit_sec,
                "seconds_to_yield": {reading: getattr(row, f"{reading}_sec") for reading in READINGS},
                "true_yield": row.true_yield,
                "true_sec": row.true_sec,
                "doubts": row.doubts,
            }


def _cell(row: VerdictRow) -> str | None:
    """The cell of error that a moment stands in, None where it stands on the diagonal."""
    if not row.scorable:
        return "not_scorable"
    if row.did_yield is (row.expect == "yield"):
        return None
    return "missed_yield" if row.expect == "yield" else "false_yield"
