"""Rows to tables: error distributions, confusion cells, detection, coverage and the noise cliff.

Nothing here blends: every signal, condition and cell stands by itself, and there is no overall figure.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from hotato.benchmark.conditions import CLEAN, condition_order, noise_of
from hotato.benchmark.figures import (
    CliffPoint,
    Confusion,
    Coverage,
    ErrorStats,
    FalseRate,
    Raised,
    Recall,
    YieldVerdicts,
)
from hotato.benchmark.params import PARAMS
from hotato.benchmark.records import CallRow, EdgeRow, ErrorRow, EventRow, IncidentRow, Row, Rows, VerdictRow
from hotato.find import CRITICAL
from hotato.stats import quantile

SIGNALS = ("caller_onset", "time_to_yield", "response_gap", "talk_over")
READINGS = ("documented", "edges", "calibrated")
EDGE_READINGS = ("edges", "calibrated")
_MS = 1000.0
_DIGITS = 2
_SEC_PER_MIN, _SEC_PER_HOUR = 60.0, 3600.0

AnyRow = TypeVar("AnyRow", bound=Row)


def error_stats(errors_sec: Sequence[float], missing: int = 0) -> ErrorStats:
    """The distribution of signed errors.

    Args:
        errors_sec: measured minus true, in seconds.
        missing: truths without a measurement.
    """
    if not errors_sec:
        return ErrorStats(n=0, missing=missing)
    distances = [abs(error) for error in errors_sec]
    return ErrorStats(
        n=len(errors_sec),
        missing=missing,
        bias_ms=_ms(statistics.fmean(errors_sec)),
        median_ms=_ms(statistics.median(distances)),
        mean_ms=_ms(statistics.fmean(distances)),
        p90_ms=_ms(quantile(distances, 0.90)),
        worst_ms=_ms(max(distances)),
        best_ms=_ms(min(distances)),
    )


def signal_stats(rows: Iterable[ErrorRow], signal: str, reading: str) -> ErrorStats:
    """The error of one signal.

    Args:
        rows: comparisons.
        signal: one of `SIGNALS`.
        reading: one of `READINGS`.
    """
    pairs = [(getattr(row, f"{reading}_sec"), row.true_sec) for row in rows if row.signal == signal]
    errors = [value - true for value, true in pairs if value is not None]
    return error_stats(errors, len(pairs) - len(errors))


def extra_edges(rows: Iterable[EdgeRow]) -> int:
    """How many measured edges belong to no true one."""
    return sum(row.true_sec is None for row in rows)


def edge_stats(rows: Iterable[EdgeRow], side: str) -> ErrorStats:
    """The error of the edges of one side (`onset` or `offset`)."""
    ours = [row for row in rows if row.side == side]
    errors = [row.sec - row.true_sec for row in ours if row.sec is not None and row.true_sec is not None]
    return error_stats(errors, sum(row.sec is None for row in ours))


def confusion(rows: Iterable[VerdictRow]) -> Confusion:
    """The four cells of label against `did_yield`."""
    kept = list(rows)

    def cell(expect: str, did_yield: bool) -> int:
        return sum(row.expect == expect and row.did_yield is did_yield for row in kept)

    missed, false = cell("yield", False), cell("hold", True)
    return Confusion(
        correct_yield=cell("yield", True),
        missed_yield=missed,
        false_yield=false,
        correct_hold=cell("hold", False),
        off_diagonal=missed + false,
        not_scorable=sum(not row.scorable for row in kept),
    )


def yield_verdicts(rows: Iterable[VerdictRow]) -> YieldVerdicts:
    """Wrong yield verdicts, and how many of those carry a reason code."""
    known = [row for row in rows if row.truly_within is not None]
    wrong = {reading: [row for row in known if row.wrong(reading)] for reading in READINGS}
    doubted = {reading: sum(bool(row.doubts) for row in part) for reading, part in wrong.items()}
    coded = {reading: sum(bool(row.doubts or row.reasons) for row in part) for reading, part in wrong.items()}
    return YieldVerdicts(
        n=len(known),
        not_found=sum(row.found is False for row in known),
        withheld=sum(not row.scorable for row in known),
        wrong_documented=len(wrong["documented"]),
        wrong_edges=len(wrong["edges"]),
        wrong_calibrated=len(wrong["calibrated"]),
        coded_documented=coded["documented"],
        coded_edges=coded["edges"],
        coded_calibrated=coded["calibrated"],
        doubted_documented=doubted["documented"],
        doubted_edges=doubted["edges"],
        doubted_calibrated=doubted["calibrated"],
    )


def signal_coverage(rows: Iterable[ErrorRow], signal: str) -> Coverage:
    """Coverage of the printed intervals of one signal."""
    return _coverage(row for row in rows if row.signal == signal)


def edge_coverage(rows: Iterable[EdgeRow], side: str) -> Coverage:
    """Coverage of the intervals of the edges of one side."""
    return _coverage(row for row in rows if row.side == side)


def _coverage(rows: Iterable[ErrorRow | EdgeRow]) -> Coverage:
    n = covered = coded = doubted = 0
    widths = []
    for row in rows:
        true, lo, hi = row.true_sec, row.lo_sec, row.hi_sec
        if lo is None or hi is None:
            continue
        n += 1
        widths.append(hi - lo)
        if true is not None and lo - PARAMS.rounding_sec <= true <= hi + PARAMS.rounding_sec:
            covered += 1
        else:
            coded += row.doubted or row.reasoned
            doubted += row.doubted
    return Coverage(
        n=n,
        covered=covered,
        coded=coded,
        doubted=doubted,
        share=_share(covered, n),
        share_or_coded=_share(covered + coded, n),
        share_or_doubted=_share(covered + doubted, n),
        width_median_ms=_ms(statistics.median(widths)) if widths else None,
        width_mean_ms=_ms(statistics.fmean(widths)) if widths else None,
    )


def recall(rows: Iterable[EventRow]) -> Recall:
    """How many of these events were found."""
    kept = list(rows)
    found = sum(row.found for row in kept)
    return Recall(n=len(kept), found=found, recall=_share(found, len(kept)))


def raised(rows: Iterable[EventRow]) -> Raised:
    """What autopsy makes of those events that lie beyond its limit."""
    kept = [row for row in rows if row.over_limit]
    told, critical = sum(row.raised for row in kept), sum(row.critical for row in kept)
    return Raised(
        n=len(kept),
        raised=told,
        critical=critical,
        raised_share=_share(told, len(kept)),
        critical_share=_share(critical, len(kept)),
    )


def false_rate(rows: Iterable[IncidentRow], calls: Iterable[CallRow]) -> FalseRate:
    """How many of these incidents are false, over the time of these calls."""
    kept, total_sec = list(rows), sum(call.duration_sec for call in calls)
    false = [row for row in kept if row.real is False]
    critical = sum(row.severity == CRITICAL for row in false)
    return FalseRate(
        n=len(kept),
        unknown=sum(row.real is None for row in kept),
        false=len(false),
        false_critical=critical,
        false_per_minute=_rate(len(false), total_sec, _SEC_PER_MIN),
        false_critical_per_hour=_rate(critical, total_sec, _SEC_PER_HOUR),
    )


def cliff(rows: Rows, detector: str = "auto") -> list[CliffPoint]:
    """Verdict flips against SNR, one point for each level of each noise, the clean calls first.

    Args:
        rows: what was measured.
        detector: which detector was asked for.
    """
    verdicts = by(rows.verdicts, lambda row: row.condition)
    calls = by(rows.calls, lambda row: row.condition)
    points = []
    for condition in calls:
        noise = noise_of(condition)
        if noise is None and condition != CLEAN:
            continue
        judged = yield_verdicts(verdicts.get(condition, []))
        points.append(
            CliffPoint(
                noise=CLEAN if noise is None else noise[0],
                detector=detector,
                snr_db=None if noise is None else noise[1],
                verdicts=judged.n,
                flipped=judged.wrong_documented,
                flipped_edges=judged.wrong_edges,
                flipped_calibrated=judged.wrong_calibrated,
                coded=judged.coded_documented,
                doubted=judged.doubted_documented,
                calls=len(calls[condition]),
                warned=sum(call.warned for call in calls[condition]),
                refused=sum(call.refused for call in calls[condition]),
                robust=sum(call.robust for call in calls[condition]),
            )
        )
    return points if any(point.snr_db is not None for point in points) else []


def by(rows: Iterable[AnyRow], key: Callable[[AnyRow], str]) -> dict[str, list[AnyRow]]:
    """Rows grouped by a key, the groups in the order of conditions (`clean` first)."""
    groups: dict[str, list[AnyRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {name: groups[name] for name in sorted(groups, key=condition_order)}


def cut(rows: Iterable[Any], table: Callable[[Any], Any]) -> dict[str, Any]:
    """One table over all rows, and for each condition and family."""
    kept = list(rows)
    return {
        "all": table(kept),
        "by_condition": {name: table(part) for name, part in by(kept, lambda row: row.condition).items()},
        "by_family": {name: table(part) for name, part in by(kept, lambda row: row.family).items()},
    }


def _ms(sec: float) -> float:
    return round(sec * _MS, _DIGITS) + 0.0  # no negative zero


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _rate(count: int, total_sec: float, per_sec: float) -> float | None:
    return round(count / total_sec * per_sec, 4) if total_sec else None
