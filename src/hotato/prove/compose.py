"""Lanes of evidence composed into one fail-closed verdict on a release."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from hotato.checks import Checks
from hotato.errors import EXIT_FAIL, EXIT_PASS, Refusal, UsageError
from hotato.plain import shown
from hotato.prove.lanes import BEFORE_AFTER, CONTRACTS, GAUNTLET, Judged
from hotato.prove.records import (
    AUTHORITIES,
    FAIL,
    PASS,
    SCOPES,
    Authority,
    Candidate,
    ClaimScope,
    Lane,
    Overall,
    Proof,
    content_id_of,
)

DEFAULT_NAME = "proof"
_HASH = re.compile("sha256:[0-9a-f]{64}")

_SAYS = {
    CONTRACTS: "contracts: kept recordings were measured again; that says nothing of the agent in service",
    BEFORE_AFTER: "before and after: what changed coincides with the change between the two runs; that it "
    "caused it is not shown, nor that the next call passes",
    GAUNTLET: "gauntlet: the scorer finds the defects it is known to find; that says nothing of any agent",
}
_BOUND = (
    "the revision is the one that was stated; that the later run was recorded on it is the word of whoever "
    "stated it"
)


def candidate_of(
    config_hash: str | None, provider: str | None, deployment_id: str | None = None
) -> Candidate | None:
    """The candidate that a proof is bound to, or None where nothing of it is named.

    Args:
        config_hash: `sha256:` and 64 hex digits over its configuration.
        provider: the platform that runs it.
        deployment_id: its name there, or None.

    Raises:
        UsageError: half of it, or no such hash.
    """
    if config_hash is None and provider is None and deployment_id is None:
        return None
    if config_hash is None or provider is None:
        raise UsageError(
            "a candidate is named by halves", "pass --candidate-config-hash sha256:... and --provider NAME"
        )
    if not _HASH.fullmatch(config_hash):
        raise UsageError(f"'{shown(config_hash)}' is no hash", "write it as sha256: and 64 hex digits")
    return Candidate(config_hash=config_hash, provider=provider, deployment_id=deployment_id)


def prove(
    lanes: Sequence[Judged],
    *,
    name: str = DEFAULT_NAME,
    candidate: Candidate | None = None,
    created_at: str | None = None,
    given: Sequence[str] = (),
) -> Proof:
    """The proof that lanes add up to.

    It passes when every lane passes, fails when any lane fails, and is inconclusive otherwise: taking a lane
    away never makes a failure a pass by itself, and no lane that fails leaves a pass.

    Args:
        lanes: the lanes, in the order in which they are stated.
        name: what to call the proof.
        candidate: the revision that it is bound to, or None.
        created_at: when it was made, or None.
        given: the words of the command line that ask for the same proof again.

    Raises:
        Refusal: `nothing_to_prove`: no lane; or the refusal of the first lane where every one was refused.
    """
    if not lanes:
        raise Refusal(
            "nothing_to_prove",
            "no evidence was named, and a proof of nothing proves nothing",
            "pass --contracts DIR, --before RUN --after RUN, or --gauntlet",
        )
    refusals = [one.refusal for one in lanes]
    if all(refusal is not None for refusal in refusals):
        raise refusals[0]  # type: ignore[misc]
    stated = tuple(one.lane for one in lanes)
    overall = _overall(stated)
    proof = Proof(
        name=name,
        created_at=created_at,
        lanes=stated,
        claim_scope=_scope(stated),
        evidence_authority=_authority(stated),
        overall=overall,
        exit_code=EXIT_PASS if overall == PASS else EXIT_FAIL,  # type: ignore[arg-type]
        candidate=candidate,
        given=tuple(given),
        says=(*(_SAYS[lane.lane] for lane in stated), *([_BOUND] if candidate else [])),
    )
    return msgspec.structs.replace(proof, content_id=content_id_of(proof))


def _overall(lanes: Sequence[Lane]) -> Overall:
    verdicts = {lane.verdict for lane in lanes}
    if FAIL in verdicts:
        return "fail"
    return "pass" if verdicts == {PASS} else "inconclusive"


def _judged(lanes: Sequence[Lane]) -> list[Lane]:
    """The lanes that say something: those that pass or fail."""
    return [lane for lane in lanes if lane.verdict in (PASS, FAIL)]


def _scope(lanes: Sequence[Lane]) -> ClaimScope:
    """How far the claim reaches: as far as the widest lane that says something."""
    return max((lane.scope for lane in _judged(lanes)), key=SCOPES.index, default="Nothing")


def _authority(lanes: Sequence[Lane]) -> Authority | Literal["none"]:
    """Where the weakest of the evidence comes from, of the lanes that say something."""
    judged = _judged(lanes)
    return min((lane.authority for lane in judged), key=AUTHORITIES.index) if judged else "none"


def proof_checks(proof: Proof, lanes: Sequence[Judged]) -> Checks:
    """A proof as checks: one group for each lane.

    Args:
        proof: the proof.
        lanes: its lanes, with the checks behind them.
    """
    return Checks(
        name="prove",
        checks=tuple(check for one in lanes for check in one.checks),
        exit_code=proof.exit_code,
        notes=(f"claim scope: {proof.claim_scope}", *proof.says),
    )
