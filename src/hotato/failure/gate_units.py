"""Units of results that join several kinds of evidence: a proof, and a conversation test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from hotato.failure.records import ERROR, FAIL, INCONCLUSIVE, LANES, PASS, Lane, Status
from hotato.failure.units import Judged, Trials, Unit, name, stated, taken, text, words

_PROOF_LANES: dict[str, Lane] = {
    "contracts": "conversation",
    "before_after": "conversation",
    "gauntlet": "reliability",
    "suite": "outcome",
}
"""Where each lane of a proof belongs; one that is not known counts as policy: the gate asked for it."""

_EVIDENCE = ("EVIDENCE",)
"""Stands for the flags of a proof that does not state them, as those of older versions."""

_PROOF_STATUS: dict[str, Status] = {"pass": PASS, "fail": FAIL, "inconclusive": INCONCLUSIVE, "error": ERROR}
_TEST_STATUS: dict[str, Status] = {"PASS": PASS, "FAIL": FAIL, "INCONCLUSIVE": INCONCLUSIVE, "ERROR": ERROR}


class _ProofLane(msgspec.Struct, frozen=True):
    lane: str
    verdict: str
    counts: dict[str, Any] = {}
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()


class _Proof(msgspec.Struct, frozen=True):
    name: str
    lanes: tuple[_ProofLane, ...]
    exit_code: int
    overall: str = ""
    given: tuple[str, ...] = ()


def proof_units(proof: Mapping[str, Any]) -> Iterator[Unit]:
    """The one unit of a proof, with a judgment for each of its lanes."""
    found = taken(proof, _Proof, "proof")
    judged = tuple(_lane(lane) for lane in found.lanes)
    bad = [one for one in judged if one.status != PASS]
    said = "; ".join(f"{one.id} {one.observed}" for one in bad) or "no lane was run"
    yield Unit(
        test_id=name(found.name),
        headline=f"The release is not proven: {said}.",
        judged=judged,
        gate_exit_code=found.exit_code,
        gate_policy="every lane passes",
        source="hotato prove",
        schema=("hotato.proof.v1", "1"),
        argv=words(("hotato", "prove", *(found.given or _EVIDENCE))),
        whole=True,
    )


def _lane(lane: _ProofLane) -> Judged:
    status = _PROOF_STATUS.get(lane.verdict.lower(), INCONCLUSIVE)
    counts = stated(lane.counts, *lane.counts)
    numbers = ", ".join(f"{value:g} {name(key).replace('_', ' ')}" for key, value in _numbers(counts))
    observed = name(lane.verdict) + (f" ({numbers})" if numbers else "")
    if status != PASS and lane.reasons:
        observed = text(f"{name(lane.verdict)}: {'; '.join(lane.reasons)}")
    return Judged(
        id=name(lane.lane),
        lane=_PROOF_LANES.get(lane.lane, "policy"),
        status=status,
        expected="passes",
        observed=observed,
        rule=f"prove.{name(lane.lane)}",
        measured={name(key): value for key, value in counts.items()},
        evidence_kind="lane_counts",
        codes=()
        if status == PASS
        else tuple(map(name, lane.reason_codes)) or (f"lane_{name(lane.verdict)}",),
        missing=("the evidence of this lane",) if status == INCONCLUSIVE else (),
    )


def _numbers(counts: Mapping[str, Any]) -> list[tuple[str, float]]:
    return [
        (key, value) for key, value in counts.items() if not isinstance(value, bool) and value is not None
    ]


class _Result(msgspec.Struct, frozen=True):
    id: str
    kind: str
    status: str
    deterministic: bool = True
    dimension: str | None = None
    public_reason: str | None = None


class _Results(msgspec.Struct, frozen=True):
    results: tuple[_Result, ...] = ()


class _Repeated(msgspec.Struct, frozen=True):
    aggregate: Trials | None = None
    origin: str | None = None


class _TestRun(msgspec.Struct, frozen=True):
    test_id: str
    exit_code: int
    assertions: _Results = _Results()
    version: int = 1
    inconclusive_policy: str = "report"
    reliability: _Repeated | None = None


def test_run_units(run: Mapping[str, Any]) -> Iterator[Unit]:
    """The one unit of a conversation test; what a model judged is not in it, nor any words of the call."""
    found = taken(run, _TestRun, "test run")
    judged = tuple(_assertion(one) for one in found.assertions.results if one.deterministic)
    bad = [one for one in judged if one.status == FAIL] or [one for one in judged if one.status != PASS]
    said = f"{bad[0].id}: {bad[0].observed}" if bad else f"exit code {found.exit_code}"
    more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
    yield Unit(
        test_id=name(found.test_id),
        headline=f"Conversation test {name(found.test_id)} did not pass: {said}{more}.",
        judged=judged,
        gate_exit_code=found.exit_code,
        gate_policy=f"inconclusive: {name(found.inconclusive_policy)}",
        source="hotato test run",
        schema=("hotato.test-run", str(found.version)),
        argv=words(("hotato", "test", "run", "TEST")),
        whole=True,
        trials=found.reliability.aggregate if found.reliability else None,
        simulated=found.reliability is not None and found.reliability.origin == "simulated",
    )


def _assertion(one: _Result) -> Judged:
    status = _TEST_STATUS.get(one.status, ERROR)
    said = (
        text(one.public_reason)
        if one.public_reason
        else {PASS: "holds", FAIL: "does not hold"}.get(status, "could not be judged")
    )
    return Judged(
        id=name(one.id),
        lane=next((lane for lane in LANES if lane == one.dimension), "outcome"),
        status=status,
        expected=f"the {name(one.kind).replace('_', ' ')} check holds",
        observed=said,
        rule=f"assert.{name(one.kind)}",
        evidence_kind=name(one.kind),
        codes=() if status == PASS else (f"{name(one.kind)}_{status.lower()}",),
        missing=("what the check needs to read",) if status == INCONCLUSIVE else (),
    )
