"""A second opinion: the same calls heard by the neural backend, and how far the two agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hotato.benchmark import aggregate
from hotato.benchmark.figures import Opinions
from hotato.benchmark.records import ErrorRow, Rows, VerdictRow


def opinion(first: Rows, second: Rows) -> dict[str, Any]:
    """The tables of the second opinion and its agreement with the first.

    Args:
        first: rows of the energy backend.
        second: rows of the neural backend on the same calls.
    """
    others = {_verdict_key(row): row for row in second.verdicts}
    paired = [row for row in first.verdicts if _verdict_key(row) in others]
    judged = opinions([(row, others[_verdict_key(row)]) for row in paired])
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
            "judged_by_both": judged.judged_by_both,
            "did_yield_agreed": judged.did_yield_agreed,
            "onset_difference": aggregate.error_stats(_onset_differences(first, second)),
        },
        "verdicts": aggregate.cut(
            paired, lambda part: opinions([(row, others[_verdict_key(row)]) for row in part])
        ),
    }


def opinions(pairs: Sequence[tuple[VerdictRow, VerdictRow]]) -> Opinions:
    """What both backends say of the same moments.

    Args:
        pairs: the verdict of the energy backend and that of the neural one.
    """
    known = [pair for pair in pairs if pair[0].truly_within is not None]
    judged = [(mine, theirs) for mine, theirs in pairs if mine.scorable and theirs.scorable]
    return Opinions(
        moments=len(pairs),
        n=len(known),
        wrong_energy=sum(bool(mine.wrong("documented")) for mine, _ in known),
        wrong_neural=sum(bool(theirs.wrong("documented")) for _, theirs in known),
        not_scorable_energy=sum(not mine.scorable for mine, _ in pairs),
        not_scorable_neural=sum(not theirs.scorable for _, theirs in pairs),
        judged_by_both=len(judged),
        did_yield_agreed=sum(mine.did_yield is theirs.did_yield for mine, theirs in judged),
    )


def _verdict_key(row: VerdictRow) -> tuple[str, str, str, float]:
    return row.set_name, row.scenario, row.condition, row.at_sec


def _error_key(row: ErrorRow) -> tuple[str, str, str, str, float]:
    return row.set_name, row.scenario, row.condition, row.signal, row.at_sec


def _onset_differences(first: Rows, second: Rows) -> list[float]:
    """Seconds by which the neural onset lies behind the other, where both found one."""
    theirs = {_error_key(row): row.documented_sec for row in second.errors if row.signal == "caller_onset"}
    found = []
    for row in first.errors:
        other = theirs.get(_error_key(row))
        if row.signal == "caller_onset" and other is not None and row.documented_sec is not None:
            found.append(other - row.documented_sec)
    return found
