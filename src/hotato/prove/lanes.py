"""The lanes of a proof: kept contracts, a battery before and after, the stress test of the scorer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hotato.checks import ERROR, Check
from hotato.checks import PASS as CHECK_PASS
from hotato.compare import Run, Verification, verify_checks, verify_runs
from hotato.errors import Refusal
from hotato.prove.records import (
    FAIL,
    INCONCLUSIVE,
    PASS,
    REFUSED,
    Candidate,
    ClaimScope,
    Evidence,
    Lane,
    LaneVerdict,
)

if TYPE_CHECKING:
    from hotato.contract.keys import Key
    from hotato.contract.records import Verified

OPPOSITE = {"yield": "hold", "hold": "yield", "answer": "yield"}
"""The label whose moment a change made for the other one puts at risk. An agent that answers sooner begins
before callers have ended, so an answer is guarded by a yield."""

CONTRACTS, BEFORE_AFTER, GAUNTLET = "contracts", "before_after", "gauntlet"
_SHOWN_NAMES = 5


@dataclass(frozen=True, slots=True)
class Judged:
    """A lane with the checks behind it.

    Attributes:
        lane: what goes into the proof.
        checks: one for each contract, fixture or scenario, for whatever shows the proof; the lane itself is
            among them where it is no pass for a reason of its own.
        refusal: why its evidence could not be taken, where that was so.
    """

    lane: Lane
    checks: tuple[Check, ...]
    refusal: Refusal | None = None


def contracts_lane(folder: Path, *, trusted: Sequence[Key] = (), require_signed: bool = False) -> Judged:
    """Every contract of a folder, measured again.

    Args:
        folder: holds the bundles.
        trusted: keys whose signature counts; `signed` says how many contracts carry one.
        require_signed: whether a contract that none of them signed is no pass.

    Raises:
        Refusal: a folder that is none or holds no contract: nothing of it can be proved.
    """
    from hotato.contract.verify import verify_contracts

    found = verify_contracts(folder, trusted=trusted, require_signed=require_signed)
    results = found.results
    unjudged = [one for one in results if _unjudged(one)]
    failed = [one for one in results if one.status == "fail"]
    tampered = [one for one in results if one.integrity == "tampered"]
    lonely = _without_opposite(results)
    reasons = [
        *_clause(failed, "failed", "contract_failed"),
        *_clause(tampered, "tampered with", "tampered"),
        *_clause(unjudged, "could not be judged", "not_judged"),
        *([(lonely, "no_opposite_risk")] if lonely else []),
    ]
    broken = bool(failed or tampered)
    verdict = FAIL if broken else INCONCLUSIVE if unjudged or lonely else PASS
    lane = Lane(
        lane=CONTRACTS,
        verdict=verdict,
        counts={
            "contracts": len(results),
            "passed": sum(one.passed for one in results),
            "failed": len(failed),
            "tampered": len(tampered),
            "refused": len(unjudged),
            "assertions_failed": 0,
            "signed": sum(one.authenticated for one in results),
        },
        evidence=tuple(Evidence(input=one.id, digest=_digest(one)) for one in results),
        reasons=tuple(reason for reason, _ in reasons),
        reason_codes=tuple(code for _, code in reasons),
        scope="Captured Evidence",
        authority="measured",
    )
    return Judged(lane, _with_lane(lane, found.checks().checks))


def _clause(results: Sequence[Verified], what: str, code: str) -> list[tuple[str, str]]:
    return [(f"{_named([one.id for one in results])} {what}", code)] if results else []


def _named(names: Sequence[str]) -> str:
    """A few names and how many more there are."""
    if len(names) <= _SHOWN_NAMES + 1:  # "1 more" is no shorter than a name
        return ", ".join(names)
    return f"{', '.join(names[:_SHOWN_NAMES])} and {len(names) - _SHOWN_NAMES} more"


def _unjudged(one: Verified) -> bool:
    """Whether nothing can be told of a contract that is what it was sealed as."""
    return one.status == "error" and one.integrity != "tampered"


def _digest(one: Verified) -> str | None:
    return None if one.contract_digest is None else f"sha256:{one.contract_digest}"


def _without_opposite(results: Sequence[Verified]) -> str | None:
    """Why a contract that asks for one of the opposite label stands alone, or None.

    Only contracts that are what they were sealed as ask for anything, or answer it.
    """
    sealed = [one for one in results if one.contract_digest is not None]
    labels = {one.expect for one in sealed}
    for one in sealed:
        opposite = OPPOSITE[str(one.expect)]
        if one.opposite_risk_required and opposite not in labels:
            return (
                f"{one.id} ({one.expect}) asks for a contract of the opposite label, and the folder holds "
                f"none that expects {opposite}"
            )
    return None


def before_after_lane(before: Run, after: Run, *, min_n: int, candidate: Candidate | None) -> Judged:
    """A battery before a change and after it.

    It passes only when enough fixtures used to fail, one of them passes now, none got worse, every one could
    be judged, the set is complete, and the later run is known to be of new recordings.

    Args:
        before: the earlier run.
        after: the later run.
        min_n: fewer fixtures that used to fail support no claim.
        candidate: the revision that the later run is bound to, or None.
    """
    scope: ClaimScope = "Test Suite" if candidate is None else "Candidate Revision"
    evidence = tuple(
        Evidence(input=f"{side} {run.name}", digest=f"sha256:{run.sha256}")
        for side, run in (("before", before), ("after", after))
    )

    def judge() -> Judged:
        result = verify_runs(before, after, min_n=min_n)
        verdict, reasons = _before_after(result)
        lane = Lane(
            lane=BEFORE_AFTER,
            verdict=verdict,
            counts=_counts(result),
            evidence=evidence,
            reasons=tuple(reason for reason, _ in reasons),
            reason_codes=tuple(code for _, code in reasons),
            scope=scope,
            authority="measured" if result.evidence.vector.audio_identity == "recomputed" else "submitted",
        )
        checks = verify_checks(result, fail_on_regression=True).checks
        # What the evidence does not carry is said by the lane itself.
        return Judged(lane, _with_lane(lane, [one for one in checks if one.group == "fixtures"]))

    return _or_refused(judge, BEFORE_AFTER, evidence, scope)


def _before_after(result: Verification) -> tuple[LaneVerdict, list[tuple[str, str]]]:
    """The verdict on a verification, and why it is no pass."""
    counts, vector = result.results, result.evidence.vector
    if result.regressions:
        names = _named(result.regressions)
        return FAIL, [(f"{names} regressed or got worse", "regressed")]
    if vector.score_integrity == "contradicted":
        return FAIL, [("a stated verdict does not follow from its stated numbers", "contradicted")]
    weak = [
        (
            vector.audio_identity == "mismatch",
            "a recording beside its run has other samples than the run states",
            "audio_mismatch",
        ),
        (
            vector.audio_identity == "same_samples",
            "the later run holds the same samples of the agent as the earlier one: no fresh capture",
            "no_fresh_capture",
        ),
        (
            vector.audio_identity == "repeated_samples",
            f"one later recording stands for several events: {_named(result.evidence.reused)}",
            "repeated_recording",
        ),
        (
            vector.audio_identity == "missing",
            "a run does not say whose samples it scored, so it is not known to be a fresh capture",
            "capture_unknown",
        ),
        (
            vector.policy_integrity == "bounds_differ",
            "the bounds are not the same in both runs",
            "bounds_differ",
        ),
        (
            bool(counts["not_scorable"]),
            f"{counts['not_scorable']} fixtures could not be judged",
            "not_scorable",
        ),
        (
            bool(result.unpaired.only_before_required),
            f"{_named(result.unpaired.only_before_required)} missing after",
            "missing_after",
        ),
        (not result.claim.supported, result.claim.statement, "no_claim"),
    ]
    reasons = [(reason, code) for holds, reason, code in weak if holds]
    return (INCONCLUSIVE if reasons else PASS), reasons


def _counts(result: Verification) -> dict[str, int]:
    axis, holds = result.regression_axis, result.hold_axis
    return {
        "paired": result.paired,
        "used_to_fail": axis.used_to_fail,
        "now_pass": axis.now_pass,
        "still_fail": axis.still_fail,
        "hold_guards": holds.hold_guards,
        "hold_guards_still_pass": holds.still_pass,
        "regressed": result.results["regressed"],
        "worse": result.results["worse"],
        "not_scorable": result.results["not_scorable"],
        "missing_after": len(result.unpaired.only_before_required),
        "same_samples": sum(bool(one.movement.same_samples) for one in result.per_fixture),
        "evidence_tier": result.evidence.tier,
    }


def gauntlet_lane() -> Judged:
    """The bundled stress test: the scorer that judged the other lanes is the one it claims to be."""
    from hotato.gauntlet import run_gauntlet

    def judge() -> Judged:
        result = run_gauntlet()
        whole = result.exit_code == 0
        missed = [one for one in result.scenarios if not one.matched]
        lane = Lane(
            lane=GAUNTLET,
            verdict=PASS if whole else FAIL,
            counts={
                "scenarios": result.total,
                "matched": result.matched,
                "must_pass": result.must_pass,
                "passed": result.passed,
                "must_fail": result.must_fail,
                "caught": result.caught,
                "not_scorable": result.not_scorable,
            },
            evidence=(Evidence(input=f"gauntlet {result.gauntlet}", digest=result.content_hash),),
            reasons=() if whole else (f"{_named([one.id for one in missed])} did not come out as pinned",),
            reason_codes=() if whole else ("scenario_missed",),
            scope="Test Suite",
            authority="measured",
        )
        checks = tuple(
            Check(
                id=one.id,
                group=GAUNTLET,
                status=CHECK_PASS if one.matched else "fail",
                title=one.title,
                reason=None
                if one.matched
                else f"expected {one.expected}, got {one.verdict}: {'; '.join(one.reasons)}",
                codes=() if one.matched else ("scenario_missed",),
            )
            for one in result.scenarios
        )
        return Judged(lane, _with_lane(lane, checks))

    return _or_refused(judge, GAUNTLET, (), "Test Suite")


def _or_refused(
    judge: Callable[[], Judged], name: str, evidence: tuple[Evidence, ...], scope: ClaimScope
) -> Judged:
    """A lane, or the lane that says why its evidence could not be taken."""
    try:
        return judge()
    except Refusal as refusal:
        lane = Lane(
            lane=name,
            verdict=REFUSED,
            counts={},
            evidence=evidence,
            reasons=(refusal.message,),
            reason_codes=(refusal.code,),
            scope=scope,
            authority="submitted",
        )
        return Judged(lane, _with_lane(lane, (), refusal.remedy), refusal)


def _with_lane(lane: Lane, checks: Sequence[Check], remedy: str | None = None) -> tuple[Check, ...]:
    """The checks of a lane; itself behind them where it is no pass although none of them failed."""
    grouped = tuple(msgspec.structs.replace(one, group=lane.lane) for one in checks)
    if lane.verdict == PASS or any(one.status == "fail" for one in grouped):
        return grouped
    itself = Check(
        id=f"lane {lane.lane}",
        group=lane.lane,
        status=ERROR,
        title=f"the lane {lane.lane} carries its claim",
        reason="; ".join(lane.reasons) or lane.verdict,
        codes=lane.reason_codes,
        next_step=remedy,
    )
    return (*grouped, itself)
