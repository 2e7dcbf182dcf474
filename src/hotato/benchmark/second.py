"""A second opinion: the same calls heard by the neural backend, and how far the two agree."""

from __future__ import annotations

from typing import Any

from hotato.benchmark import aggregate
from hotato.benchmark.records import ErrorRow, Rows, VerdictRow

_MS = 1000.0


def opinion(first: Rows, second: Rows) -> dict[str, Any]:
    """The tables of the second opinion and its agreement with the first.

    Args:
        first: rows of the energy backend.
        second: rows of the neural backend on the same calls.
    """
    other_verdicts = {_verdict_key(row): row for row in second.verdicts}
    pairs = [
        (row, other_verdicts[_verdict_key(row)])
        for row in first.verdicts
        if _verdict_key(row) in other_verdicts
    ]
    judged = [(mine, theirs) for mine, theirs in pairs if mine.scorable and theirs.scorable]
    agreed = sum(mine.did_yield is theirs.did_yield for mine, theirs in judged)
    return {
        "backend": "neural",
        "signals": {
            signal: {
                reading: aggregate.signal_stats(second.errors, signal, reading)
                for reading in aggregate.READINGS
            }
            for signal in aggregate.SIGNALS
        },
        "confusion": aggregate.confusion(second.verdicts),
        "yield_verdicts": aggregate.yield_verdicts(second.verdicts),
        "agreement": {
            "judged_by_both": len(judged),
            "did_yield_agreed": agreed,
            "onset_difference": aggregate.error_stats(_onset_differences(first, second)),
        },
    }


def _verdict_key(row: VerdictRow) -> tuple[str, str, float]:
    return row.set_name, row.scenario, row.at_sec


def _error_key(row: ErrorRow) -> tuple[str, str, str, float]:
    return row.set_name, row.scenario, row.signal, row.at_sec


def _onset_differences(first: Rows, second: Rows) -> list[float]:
    """Seconds by which the neural onset lies behind the other, where both found one."""
    theirs = {_error_key(row): row.documented_sec for row in second.errors if row.signal == "caller_onset"}
    found = []
    for row in first.errors:
        other = theirs.get(_error_key(row))
        if row.signal == "caller_onset" and other is not None and row.documented_sec is not None:
            found.append(other - row.documented_sec)
    return found
