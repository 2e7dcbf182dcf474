"""The cells of each table: frozen records, one for each kind of figure."""

from __future__ import annotations

import msgspec


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


class Raised(msgspec.Struct, frozen=True, kw_only=True):
    """Of events beyond the limit of autopsy: how many it raises, and how many it calls CRITICAL.

    Attributes:
        n: events beyond the limit.
        raised: those at which an incident of a fitting kind stands.
        critical: those at which one is CRITICAL; a doubt or an interval that holds the limit keeps it a
            WARNING.
        raised_share: the share of the raised ones.
        critical_share: that of the CRITICAL ones.
    """

    n: int
    raised: int
    critical: int
    raised_share: float | None
    critical_share: float | None


class FalseRate(msgspec.Struct, frozen=True, kw_only=True):
    """How many incidents of a kind the truth does not hold.

    Attributes:
        n: incidents.
        unknown: those of which the truth says neither that they are real nor that they are not.
        false: those that are not real.
        false_critical: CRITICAL ones among those.
        false_per_minute: false ones for each minute of call.
        false_critical_per_hour: false CRITICAL ones for each hour of call.
    """

    n: int
    unknown: int
    false: int
    false_critical: int
    false_per_minute: float | None
    false_critical_per_hour: float | None


class Opinions(msgspec.Struct, frozen=True, kw_only=True):
    """What two backends say of the same moments, by the documented value.

    Attributes:
        moments: all of them.
        n: those whose truth is known.
        wrong_energy: of those, wrong verdicts of the energy backend; withheld and not found count as wrong.
        wrong_neural: likewise of the neural backend.
        not_scorable_energy: moments that the energy backend could not judge.
        not_scorable_neural: moments that the neural backend could not judge.
        judged_by_both: moments that both could judge.
        did_yield_agreed: of those, how many have the same answer of both to whether the agent yielded.
    """

    moments: int
    n: int
    wrong_energy: int
    wrong_neural: int
    not_scorable_energy: int
    not_scorable_neural: int
    judged_by_both: int
    did_yield_agreed: int


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
