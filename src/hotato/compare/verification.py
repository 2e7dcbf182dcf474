"""A battery before a change and after it: what was fixed, what held, and how much that says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from hotato.compare.evidence import Evidence, evidence_of, required_and_missing
from hotato.compare.pairing import pair_runs
from hotato.compare.recompute import audio_beside
from hotato.compare.records import REGRESSED, RESULTS, WORSE, Movement, Pair, Pairs, Result, Scored
from hotato.compare.runs import Run
from hotato.compare.taxonomy import value_of
from hotato.errors import Refusal
from hotato.stats import Spread, spread

DEFAULT_MIN_N = 3
"""Fewer fixtures that used to fail characterize no battery."""

MEASURES = {"talk_over_sec": "talk_over", "seconds_to_yield": "time_to_yield"}
"""The durations that are pooled, and what each is called in an event."""


class RegressionAxis(msgspec.Struct, frozen=True, kw_only=True):
    """Fixtures that failed before.

    Attributes:
        used_to_fail: how many there are.
        now_pass: how many of them pass after.
        still_fail: how many of them fail after.
        not_scorable: how many of them cannot be judged after.
    """

    used_to_fail: int
    now_pass: int
    still_fail: int
    not_scorable: int = 0


class HoldAxis(msgspec.Struct, frozen=True, kw_only=True):
    """Fixtures with a hold label that passed before: what a change must not break.

    Attributes:
        hold_guards: how many there are.
        still_pass: how many of them pass after.
        regressed: how many of them fail after.
        not_scorable: how many of them cannot be judged after.
    """

    hold_guards: int
    still_pass: int
    regressed: int
    not_scorable: int = 0


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What may be said of the battery as a whole.

    Attributes:
        supported: whether anything may be said.
        statement: what, or why not.
        relationship: always `coincidence`: two measurements are no controlled experiment.
    """

    supported: bool
    statement: str
    relationship: Literal["coincidence"] = "coincidence"


class Unpaired(msgspec.Struct, frozen=True, kw_only=True):
    """Events of one run alone, by id; they are in none of the counts.

    Attributes:
        only_before: of the earlier run.
        only_after: of the later run.
        only_before_required: those of the earlier run that were judged there, and so are missing.
    """

    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    only_before_required: tuple[str, ...]


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a fixture."""

    scorable: bool
    passed: bool
    talk_over_sec: float | None
    seconds_to_yield: float | None
    audio_provenance: Any = None
    response_gap_sec: float | None = None
    silence_sec: float | None = None
    not_scorable_reason: str | None = None


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """One fixture before and after.

    Attributes:
        fixture: its name.
        expect: its label.
        result: its place in the taxonomy.
        before: as it was.
        after: as it is.
        movement: what moved, and whether beyond the measurement error.
    """

    fixture: str
    expect: str
    result: Result
    before: Reading
    after: Reading
    movement: Movement


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `hotato verify`.

    Attributes:
        tool: always `hotato`.
        kind: always `verify`.
        schema_version: version of this shape; only additive changes keep it.
        offline: always true.
        min_n: fewer fixtures that used to fail support no claim.
        evidence_class: always `paired_runs`.
        evidence: how far the comparison can be relied on.
        paired: how many fixtures are in both runs.
        results: how many of them have each result.
        regression_axis: those that failed before.
        hold_axis: hold guards.
        regressions: names of those that regressed or got worse.
        claim: what may be said of the battery.
        distribution: pooled durations of both runs, over the fixtures that both could judge.
        unpaired: what only one of the runs holds.
        per_fixture: every paired fixture, by name.
    """

    tool: Literal["hotato"] = "hotato"
    kind: Literal["verify"] = "verify"
    schema_version: Literal["1"] = "1"
    offline: bool = True
    min_n: int
    evidence_class: Literal["paired_runs"] = "paired_runs"
    evidence: Evidence
    paired: int
    results: dict[str, int]
    regression_axis: RegressionAxis
    hold_axis: HoldAxis
    regressions: tuple[str, ...]
    claim: Claim
    distribution: dict[str, dict[str, Spread]]
    unpaired: Unpaired
    per_fixture: tuple[Fixture, ...]


def verify_runs(before: Run, after: Run, *, min_n: int = DEFAULT_MIN_N) -> Verification:
    """Two runs against each other; recordings that lie beside them are decoded and compared.

    Args:
        before: the run before a change.
        after: the run after it.
        min_n: fewer fixtures that used to fail support no claim.

    Raises:
        Refusal: `nothing_paired`, or what `pairing.pair_runs` refuses.
    """
    pairs = pair_runs(before.events, after.events)
    if not pairs.paired:
        raise Refusal(
            "nothing_paired",
            "no event of the earlier run is in the later one",
            "score the same fixtures in both; they pair by event_id, then by scenario_id",
        )
    sides = ([pair.before for pair in pairs.paired], [pair.after for pair in pairs.paired])
    audio = [audio_beside(events, run.folder) for events, run in zip(sides, (before, after), strict=True)]
    return verification_of(pairs, evidence_of(pairs, audio), min_n)


def verification_of(pairs: Pairs, evidence: Evidence, min_n: int = DEFAULT_MIN_N) -> Verification:
    """The rollup of paired runs.

    Args:
        pairs: the runs; at least one pair.
        evidence: how far they can be relied on.
        min_n: see `verify_runs`.
    """
    axis = _regression_axis(pairs.paired)
    regressions = tuple(p.fixture for p in pairs.paired if p.movement.result in (REGRESSED, WORSE))
    judged = [pair for pair in pairs.paired if pair.before.scorable and pair.after.scorable]
    return Verification(
        min_n=min_n,
        evidence=evidence,
        paired=len(pairs.paired),
        results={name: pairs.results[name] for name in RESULTS},
        regression_axis=axis,
        hold_axis=_hold_axis(pairs.paired),
        regressions=regressions,
        claim=_claim(axis, regressions, evidence, min_n),
        distribution={
            "before": _pooled([pair.before for pair in judged]),
            "after": _pooled([pair.after for pair in judged]),
        },
        unpaired=Unpaired(
            only_before=tuple(event.event_id for event in pairs.only_before),
            only_after=tuple(event.event_id for event in pairs.only_after),
            only_before_required=tuple(event.event_id for event in required_and_missing(pairs)),
        ),
        per_fixture=tuple(_fixture(pair) for pair in pairs.paired),
    )


def _regression_axis(pairs: Sequence[Pair]) -> RegressionAxis:
    failed = [pair.after for pair in pairs if pair.before.scorable and not pair.before.verdict.passed]
    return RegressionAxis(
        used_to_fail=len(failed),
        now_pass=sum(after.passed for after in failed),
        still_fail=sum(after.scorable and not after.passed for after in failed),
        not_scorable=sum(not after.scorable for after in failed),
    )


def _hold_axis(pairs: Sequence[Pair]) -> HoldAxis:
    guards = [pair.after for pair in pairs if pair.before.expect == "hold" and pair.before.passed]
    return HoldAxis(
        hold_guards=len(guards),
        still_pass=sum(after.passed for after in guards),
        regressed=sum(after.scorable and not after.passed for after in guards),
        not_scorable=sum(not after.scorable for after in guards),
    )


def _claim(axis: RegressionAxis, regressions: Sequence[str], evidence: Evidence, min_n: int) -> Claim:
    """What may be said: nothing of too few fixtures, and nothing good of evidence that does not carry it."""
    said = (
        f"{axis.now_pass} of {axis.used_to_fail} fixtures that failed before pass after"
        f"{f', {len(regressions)} got worse' if regressions else ''}"
    )
    if not axis.used_to_fail:
        return Claim(
            supported=False,
            statement="no fixture failed before, so none could be fixed; what each of them did stands below",
        )
    if axis.used_to_fail < min_n:
        noun = "fixture" if axis.used_to_fail == 1 else "fixtures"
        return Claim(
            supported=False,
            statement=f"only {axis.used_to_fail} {noun} failed before, and fewer than {min_n} characterize "
            "no battery; what each of them did stands below",
        )
    if not axis.now_pass:
        return Claim(supported=False, statement=f"no improvement: {said}")
    if not evidence.allows_positive_paired:
        weak = ", ".join(f"{limit.dimension} {limit.state}" for limit in evidence.limited_by)
        return Claim(
            supported=False,
            statement=f"{said}, but the evidence does not carry a claim about the change ({weak})",
        )
    return Claim(
        supported=True,
        statement=f"{said}; this coincides with the change, it does not show that the change caused it",
    )


def _pooled(events: Sequence[Scored]) -> dict[str, Spread]:
    pooled = {}
    for key, name in MEASURES.items():
        values = [value_of(event, name) for event in events]
        pooled[key] = spread([value for value in values if value is not None])
    return pooled


def _fixture(pair: Pair) -> Fixture:
    return Fixture(
        fixture=pair.fixture,
        expect=str(pair.before.expect),
        result=pair.movement.result,
        before=_reading(pair.before),
        after=_reading(pair.after),
        movement=pair.movement,
    )


def _reading(event: Scored) -> Reading:
    return Reading(
        scorable=event.scorable,
        passed=event.passed,
        talk_over_sec=value_of(event, "talk_over"),
        seconds_to_yield=event.verdict.seconds_to_yield,
        audio_provenance=event.provenance,
        response_gap_sec=value_of(event, "response_gap"),
        silence_sec=value_of(event, "silence"),
        not_scorable_reason=event.not_scorable_reason,
    )
