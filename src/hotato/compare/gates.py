"""Comparisons as checks: what a gate hands to whatever shows it."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.checks import ERROR, FAIL, PASS, Check, Checks, Status, gate_exit_code
from hotato.compare.baseline import BaselineCheck, Drift
from hotato.compare.evidence import BOUNDS_DIFFER
from hotato.compare.policy import PolicyResult
from hotato.compare.records import NOT_SCORABLE, REGRESSED, WORSE, Move
from hotato.compare.takes import TakesCompared
from hotato.compare.verification import Fixture, Verification
from hotato.errors import EXIT_PASS

COINCIDENCE = "a change between two runs coincides with whatever was changed; it does not show what caused it"
_EVIDENCE_TITLES = {
    "score_integrity": "every verdict follows from its numbers and bounds",
    "audio_identity": "the later run is of new recordings, one for each event",
    "policy_integrity": "both runs were judged under the same bounds",
}
_MOST_NAMED = 5

MEASURE_WORDS = {
    "talk_over": "talk-over",
    "time_to_yield": "time to yield",
    "response_gap": "response gap",
    "silence": "silence",
}
"""What a person calls the measurements."""


def verify_checks(
    result: Verification, policy: PolicyResult | None = None, *, fail_on_regression: bool = False
) -> Checks:
    """A verification as checks of the gates that were asked for; without one there are none, and it exits 0.

    Args:
        result: the verification.
        policy: a policy that was held against it, or None.
        fail_on_regression: whether a fixture that regressed, got worse, could not be judged or is
            missing closes the gate.

    Either gate also closes on evidence that contradicts itself, and on bounds that are not the same in both
    runs: the best verdicts are worth nothing then.
    """
    fixtures = (*(_fixture_check(one) for one in result.per_fixture), *_missing(result))
    gates = () if policy is None else _policy_checks(policy)
    decisive = (*(fixtures if fail_on_regression else ()), *gates)
    if fail_on_regression or policy is not None:
        decisive += _evidence_checks(result)
    return Checks(
        name="verify",
        checks=decisive,
        exit_code=gate_exit_code(decisive) if decisive else EXIT_PASS,
        notes=(result.claim.statement, result.evidence.headline, COINCIDENCE),
    )


def _fixture_check(one: Fixture) -> Check:
    status, reason, codes = _fixture_status(one)
    return Check(
        id=one.fixture,
        group="fixtures",
        status=status,
        title=f"{one.fixture} ({one.expect}): {one.result.replace('_', ' ')}",
        reason=reason,
        codes=codes,
        measured={
            "talk_over_before_sec": one.before.talk_over_sec,
            "talk_over_after_sec": one.after.talk_over_sec,
            "time_to_yield_before_sec": one.before.seconds_to_yield,
            "time_to_yield_after_sec": one.after.seconds_to_yield,
        },
    )


def _fixture_status(one: Fixture) -> tuple[Status, str | None, tuple[str, ...]]:
    if one.result in (REGRESSED, WORSE):
        words = "passed before and fails after" if one.result == REGRESSED else "fails worse than before"
        return FAIL, f"{words}: {moves_words(one.movement.moves)}", (one.result,)
    if one.result == NOT_SCORABLE:
        sides = [name for name in ("before", "after") if not getattr(one, name).scorable]
        why = next((reason for name in sides if (reason := getattr(one, name).not_scorable_reason)), None)
        said = f"could not be judged {' and '.join(sides)}"
        return ERROR, f"{said}: {why}" if why else said, (NOT_SCORABLE,)
    return PASS, None, ()


def _missing(result: Verification) -> list[Check]:
    return [
        Check(
            id=name,
            group="fixtures",
            status=ERROR,
            title=f"{name}: missing after",
            reason="was judged before and is missing after, so nothing can be said of it",
            codes=("missing_after",),
            next_step="score it again, and pass the whole set",
        )
        for name in result.unpaired.only_before_required
    ]


def _evidence_checks(result: Verification) -> tuple[Check, ...]:
    faults = {limit.dimension: limit.state for limit in result.evidence.faults}
    return tuple(
        Check(
            id=f"evidence {name}",
            group="evidence",
            status=FAIL if name in faults else PASS,
            title=title,
            reason=_fault_words(str(faults[name]), result) if name in faults else None,
            codes=(str(faults[name]),) if name in faults else (),
        )
        for name, title in _EVIDENCE_TITLES.items()
    )


def _fault_words(state: str, result: Verification) -> str:
    reused = result.evidence.reused
    more = f" and {len(reused) - _MOST_NAMED} more" if len(reused) > _MOST_NAMED else ""
    differ = [one.fixture for one in result.per_fixture if one.movement.bounds_differ]
    return {
        "contradicted": "a stated verdict does not follow from its stated numbers and bounds",
        "mismatch": "a recording beside its run has other samples than the run states",
        "same_samples": "the later run was scored from samples of the agent that the earlier one holds: no "
        f"new take of {', '.join(reused[:_MOST_NAMED])}{more}",
        "repeated_samples": "one later recording stands for several events: "
        f"{', '.join(reused[:_MOST_NAMED])}{more}",
        BOUNDS_DIFFER: f"the bounds are not the same in both runs: {len(differ)} of "
        f"{result.paired} fixtures, {differ[0] if differ else ''} among them",
    }[state]


def closed_words(checks: Checks) -> tuple[str, ...]:
    """Why a gate closed, a clause for each check that is no pass; empty for an open one."""
    return tuple(f"{one.id}: {one.reason}" for one in checks.checks if one.status != PASS)


def _policy_checks(policy: PolicyResult) -> tuple[Check, ...]:
    rails = [
        Check(
            id=f"guardrail {one.name}",
            group="policy",
            status=PASS if one.ok else FAIL,
            title=f"guardrail {one.name}",
            reason=None if one.ok else f"{_value(one.actual)} where {_value(one.limit)} is required",
            codes=() if one.ok else (one.name,),
            measured={"limit": one.limit, "actual": one.actual},
        )
        for one in policy.guardrails
    ]
    targets = [
        Check(
            id=f"target {one.metric}",
            group="policy",
            status=PASS if one.met else FAIL,
            title=f"target {one.metric}",
            reason=None
            if one.met
            else "was not measured on both sides"
            if one.delta is None
            else f"moved by {one.delta:+g} where {one.required} is required",
            codes=() if one.met else (one.metric,),
            measured={"required": one.required, "before": one.before, "after": one.after, "delta": one.delta},
        )
        for one in policy.targets
    ]
    return (*rails, *targets)


def _value(value: float | bool) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value:g}"


def takes_checks(compared: TakesCompared, exit_code: int) -> Checks:
    """The gate of two takes as one check.

    Args:
        compared: what `takes.compare_takes` returned.
        exit_code: what the command exits with; see `takes.takes_exit_code`.
    """
    result = compared.result
    status = {NOT_SCORABLE: ERROR, REGRESSED: FAIL, WORSE: FAIL}.get(result, PASS)
    said = f"{result.replace('_', ' ')}: {moves_words(compared.movement.moves)}"
    return Checks(
        name="compare",
        checks=(
            Check(
                id=f"expect {compared.expect}",
                group="takes",
                status=status,
                title="the later take is no worse than the earlier one",
                reason=None if status == PASS else said,
                codes=() if status == PASS else (result,),
                measured={"talk_over_delta_sec": compared.delta.talk_over_delta_sec},
            ),
        ),
        exit_code=exit_code,
        notes=compared.notes,
    )


def baseline_checks(result: BaselineCheck) -> Checks:
    """A baseline check as checks, one for each dimension."""
    return Checks(
        name="baseline check",
        checks=tuple(_dimension_check(name, one) for name, one in result.dimensions.items()),
        exit_code=result.exit_code,
        notes=(result.note,),
    )


def _dimension_check(name: str, one: Drift) -> Check:
    old, new = one.baseline, one.candidate
    said = (
        f"rose by {one.delta_sec:.3f} s, from a mean of {old.mean_sec:.3f} s ({old.n} events) to "
        f"{new.mean_sec:.3f} s ({new.n} events), and {one.allowed_increase_sec:.3f} s is allowed "
        f"({one.tolerance})"
    )
    return Check(
        id=name,
        group="timing drift",
        status=PASS if one.within else FAIL,
        title=f"{name} within {one.tolerance}",
        reason=None if one.within else said,
        codes=() if one.within else ("drift",),
        measured={
            "baseline_mean_sec": one.baseline.mean_sec,
            "candidate_mean_sec": one.candidate.mean_sec,
            "delta_sec": one.delta_sec,
            "allowed_increase_sec": one.allowed_increase_sec,
        },
    )


def moves_words(moves: Sequence[Move]) -> str:
    """What moved, a clause for each measurement."""
    return "; ".join(move_words(move) for move in moves) or "nothing was measured"


def move_words(move: Move) -> str:
    """One measurement before and after, with its difference and what the measurement error makes of it.

    `talk-over 2.65 s to 0.42 s (-2.23 s)`; a difference that the error may explain says so.
    """
    name = MEASURE_WORDS[move.name]
    values = ["none" if sec is None else f"{sec:.2f} s" for sec in (move.before_sec, move.after_sec)]
    if move.delta_sec is None:
        return f"{name} {values[0]} to {values[1]}"
    if move.delta_sec == 0:
        return f"{name} {values[0]}, unchanged"
    error = "" if move.beyond_error else ", no move beyond the measurement error"
    return f"{name} {values[0]} to {values[1]} ({move.delta_sec:+.2f} s{error})"
