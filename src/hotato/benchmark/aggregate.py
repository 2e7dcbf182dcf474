"""Rows to tables: error distributions, confusion cells, detection, coverage and the noise cliff.

Nothing here blends: every signal, condition and cell stands by itself, and there is no overall figure.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from hotato.benchmark.conditions import CLEAN, condition_order, noise_of
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


class ErrorStats(msgspec.Struct, frozen=True, kw_only=True):
    """How far measurements lie from the truth, in milliseconds; None where there are none.

    Attributes:
        n: comparisons.
        missing: truths without a measurement.
        bias_ms: mean of measured minus true.
        median_ms: median of the distance.
        mean_ms: mean of the distance.
        p90_ms: its 90th percentile, interpolated between closest ranks.
        worst_ms: the largest distance.
        best_ms: the smallest.
    """

    n: int
    missing: int
    bias_ms: float | None = None
    median_ms: float | None = None
    mean_ms: float | None = None
    p90_ms: float | None = None
    worst_ms: float | None = None
    best_ms: float | None = None


class Confusion(msgspec.Struct, frozen=True, kw_only=True):
    """The label against `did_yield`; events that could not be judged are in none of the four cells.

    Attributes:
        correct_yield: should yield, and did.
        missed_yield: should yield, and did not.
        false_yield: should hold, and yielded.
        correct_hold: should hold, and did.
        off_diagonal: missed and false yields together.
        not_scorable: events that could not be judged.
    """

    correct_yield: int
    missed_yield: int
    false_yield: int
    correct_hold: int
    off_diagonal: int
    not_scorable: int


class YieldVerdicts(msgspec.Struct, frozen=True, kw_only=True):
    """Yield verdicts ("did it yield within the limit?") against the truth.

    Attributes:
        n: verdicts whose truth is known.
        not_found: of those, onsets that nobody would have found without the label.
        withheld: of those, events that could not be judged.
        wrong_documented: wrong ones by the documented value; not found and withheld count as wrong.
        wrong_edges: wrong ones by the value at the raw energy edges.
        wrong_calibrated: wrong ones by the calibrated profile.
        coded_documented: wrong ones by the documented value that carry a reason code: a doubt of the moment
            or of a channel, or why the robust detector answered.
        coded_edges: likewise at the raw energy edges.
        coded_calibrated: likewise by the calibrated profile.
        doubted_documented: wrong ones by the documented value that are in doubt.
        doubted_edges: likewise at the raw energy edges.
        doubted_calibrated: likewise by the calibrated profile.
    """

    n: int
    not_found: int
    withheld: int
    wrong_documented: int
    wrong_edges: int
    wrong_calibrated: int
    coded_documented: int
    coded_edges: int
    coded_calibrated: int
    doubted_documented: int
    doubted_edges: int
    doubted_calibrated: int


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """How often the truth lies inside the printed interval.

    Attributes:
        n: printed intervals.
        covered: intervals that hold the truth; one around a thing that does not exist never does.
        coded: of the others, those whose measurement carries a reason code: a doubt, or why the robust
            detector answered.
        doubted: of the others, those in doubt.
        share: covered over n.
        share_or_coded: covered or coded over n.
        share_or_doubted: covered or doubted over n.
        width_median_ms: median width.
        width_mean_ms: mean width.
    """

    n: int
    covered: int
    coded: int
    doubted: int
    share: float | None = None
    share_or_coded: float | None = None
    share_or_doubted: float | None = None
    width_median_ms: float | None = None
    width_mean_ms: float | None = None


class Recall(msgspec.Struct, frozen=True, kw_only=True):
    """How many events of a kind were found.

    Attributes:
        n: events.
        found: those that were.
        recall: their share.
    """

    n: int
    found: int
    recall: float | None


class FalseRate(msgspec.Struct, frozen=True, kw_only=True):
    """How many incidents of a kind the truth does not hold.

    Attributes:
        n: incidents.
        false: those that are not real.
        false_critical: CRITICAL ones among those.
        false_per_minute: false ones for each minute of call.
        false_critical_per_hour: false CRITICAL ones for each hour of call.
    """

    n: int
    false: int
    false_critical: int
    false_per_minute: float | None
    false_critical_per_hour: float | None


class CliffPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Verdicts at one level of one noise.

    Attributes:
        noise: its name; `clean` where there is none.
        detector: `auto`, or `reference` where the documented one was kept whatever it doubted.
        snr_db: level of the speech over it, None where there is none.
        verdicts: yield verdicts whose truth is known.
        flipped: those that are wrong by the documented value.
        flipped_edges: those that are wrong at the raw energy edges.
        flipped_calibrated: those that are wrong by the calibrated profile.
        coded: of `flipped`, those that carry a reason code.
        doubted: of `flipped`, those in doubt.
        calls: calls at this level.
        warned: calls about which trust or a detector has a doubt.
        refused: calls that trust gives no verdict for.
        robust: calls on which the robust detector answered for a party.
    """

    noise: str
    detector: str
    snr_db: int | None
    verdicts: int
    flipped: int
    flipped_edges: int
    flipped_calibrated: int
    coded: int
    doubted: int
    calls: int
    warned: int
    refused: int
    robust: int


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


def false_rate(rows: Iterable[IncidentRow], calls: Iterable[CallRow]) -> FalseRate:
    """How many of these incidents are false, over the time of these calls."""
    kept, total_sec = list(rows), sum(call.duration_sec for call in calls)
    false = [row for row in kept if row.real is False]
    critical = sum(row.severity == CRITICAL for row in false)
    return FalseRate(
        n=len(kept),
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


def _ms(sec: float) -> float:
    return round(sec * _MS, _DIGITS) + 0.0  # no negative zero


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _rate(count: int, total_sec: float, per_sec: float) -> float | None:
    return round(count / total_sec * per_sec, 4) if total_sec else None
