"""The records of a proof: its lanes, what they rest on, and what they add up to."""

from __future__ import annotations

from typing import Literal

import msgspec

from hotato._version import __version__
from hotato.canonical import digest

LaneVerdict = Literal["pass", "fail", "inconclusive", "refused"]
Overall = Literal["pass", "fail", "inconclusive"]
PASS: LaneVerdict = "pass"
FAIL: LaneVerdict = "fail"
INCONCLUSIVE: LaneVerdict = "inconclusive"
REFUSED: LaneVerdict = "refused"

ClaimScope = Literal["Captured Evidence", "Test Suite", "Candidate Revision", "Nothing"]
SCOPES: tuple[ClaimScope, ...] = ("Nothing", "Captured Evidence", "Test Suite", "Candidate Revision")
"""How far a claim can reach, the narrowest first."""

Authority = Literal["submitted", "measured"]
AUTHORITIES: tuple[Authority, ...] = ("submitted", "measured")
"""Where evidence comes from, the weakest first: a file states it, or it was measured here."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """One input of a lane.

    Attributes:
        input: what it is called.
        digest: `sha256:` and 64 hex digits over its content; null for what is not what it was sealed as.
    """

    input: str
    digest: str | None


class Lane(msgspec.Struct, frozen=True, kw_only=True):
    """One lane of evidence.

    Attributes:
        lane: `contracts`, `before_after` or `gauntlet`.
        verdict: `pass`; `fail` for a measured failure; `inconclusive` for evidence that does not carry the
            claim; `refused` for evidence that could not be taken.
        counts: what it is made of.
        evidence: its inputs.
        reasons: why it is no pass, a clause each.
        reason_codes: the same for programs.
        scope: how far its claim reaches.
        authority: where its evidence comes from.
    """

    lane: str
    verdict: LaneVerdict
    counts: dict[str, int]
    evidence: tuple[Evidence, ...]
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    scope: ClaimScope
    authority: Authority


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """The revision that the later run was made with, as whoever asked for the proof stated it.

    Attributes:
        config_hash: `sha256:` and 64 hex digits over its configuration.
        provider: the platform that runs it.
        deployment_id: its name there, or null.
    """

    config_hash: str
    provider: str
    deployment_id: str | None = None


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Every lane of evidence and what they add up to; `proof.json`.

    Attributes:
        tool: always `hotato`.
        schema_version: version of this shape; only additive changes keep it.
        name: what the proof is called.
        hotato_version: version of hotato.
        created_at: when it was made, as whoever made it stated (RFC 3339), or null.
        lanes: the lanes, contracts first.
        claim_scope: how far the claim reaches: `Captured Evidence` (kept recordings were measured again),
            `Test Suite` (a set of calls was run), `Candidate Revision` (a stated revision was recorded),
            `Nothing` where no lane could be judged.
        evidence_authority: where the weakest of the judged evidence comes from.
        overall: `pass` when every lane passes, `fail` when any fails, else `inconclusive`.
        exit_code: 0 for a pass, else 1.
        content_id: `sha256:` over the rest of the record; see `content_id_of`.
        kind: always `proof`.
        candidate: the revision that the proof is bound to, or null.
        says: what the proof shows and what it does not, a sentence each.
        given: the words behind `hotato prove` that name the evidence and how it is judged.
    """

    tool: Literal["hotato"] = "hotato"
    schema_version: Literal["hotato.proof.v1"] = "hotato.proof.v1"
    name: str
    hotato_version: str = __version__
    created_at: str | None = None
    lanes: tuple[Lane, ...]
    claim_scope: ClaimScope
    evidence_authority: Authority | Literal["none"]
    overall: Overall
    exit_code: Literal[0, 1]
    content_id: str = ""
    kind: Literal["proof"] = "proof"
    candidate: Candidate | None = None
    says: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


def content_id_of(proof: Proof) -> str:
    """The address of a proof: `sha256:` over its canonical JSON (`canonical.digest`) without `content_id`."""
    value = msgspec.json.decode(msgspec.json.encode(proof))
    del value["content_id"]
    return f"sha256:{digest(value)}"
