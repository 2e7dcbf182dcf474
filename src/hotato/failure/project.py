"""From a result to its failure records: a pure function, so that the same result gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from hotato import canonical
from hotato._version import __version__
from hotato.errors import EXIT_PASS, Refusal, reject_overall_score
from hotato.failure.contract_units import pinned_units, recapture_units
from hotato.failure.gate_units import proof_units, test_run_units
from hotato.failure.records import (
    ERROR,
    FAIL,
    INCONCLUSIVE,
    KIND,
    LANES,
    NOT_RUN,
    PASS,
    VERSION,
    Artifact,
    Assertion,
    Bad,
    Dimension,
    Dimensions,
    Evidence,
    FailureRecord,
    Gate,
    Input,
    Named,
    Origin,
    Provenance,
    Reliability,
    Reproduction,
    Status,
    Subject,
)
from hotato.failure.timing_units import baseline_units, compare_units, run_units
from hotato.failure.units import Judged, Trials, Unit, artifact_name
from hotato.failure.verification_units import contract_units

ID_PREFIX = "hfr-"
_MADE_BY = (
    "pass a contract, or the JSON of 'hotato run', 'contract verify', 'baseline check', 'prove', 'compare' "
    "or 'test run'"
)
_READERS: dict[str, Callable[[Mapping[str, Any]], Iterator[Unit]]] = {
    "contract-verify": contract_units,
    "contract-recapture": recapture_units,
    "voice-turn-taking-contract": pinned_units,
    "hotato.baseline-check": baseline_units,
    "baseline-check": baseline_units,
    "compare": compare_units,
    "hotato.test-run": test_run_units,
}
_WORST: tuple[Status, ...] = (ERROR, FAIL, INCONCLUSIVE, PASS)


def records_of(result: Mapping[str, Any]) -> tuple[FailureRecord, ...]:
    """A record for each unit of a result that is no pass, in the order of the result.

    Args:
        result: decoded JSON of a run, a contract, a contract verification (with or without a new recording),
            a baseline check, a proof, a comparison or a conversation test.

    Raises:
        Refusal: `no_record_of_this`, `damaged_result`, `overall_score`.
    """
    reject_overall_score(result, "the result")
    source_digest = canonical.digest(result)
    records = (_record(unit, source_digest) for unit in _units(result))
    return tuple(record for record in records if record is not None)


def record_of(result: Mapping[str, Any]) -> FailureRecord:
    """The first record of a result.

    Raises:
        Refusal: `nothing_failed`, and see `records_of`.
    """
    records = records_of(result)
    if not records:
        raise Refusal("nothing_failed", "everything in this result passed", "there is nothing to record")
    return records[0]


def record_id(record: FailureRecord) -> str:
    """The name of a record by its content."""
    return ID_PREFIX + canonical.digest(msgspec.structs.replace(record, record_id=""))


def _units(result: Mapping[str, Any]) -> Iterator[Unit]:
    kind = result.get("kind")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None and result.get("schema_version") == "hotato.proof.v1":
        reader = proof_units
    if reader is None and result.get("tool") == "hotato" and "events" in result and kind is None:
        reader = run_units
    if reader is None:
        raise Refusal("no_record_of_this", "this is no result that can fail", _MADE_BY)
    return reader(result)


def _record(unit: Unit, source_digest: str) -> FailureRecord | None:
    worst = _worst([one.status for one in unit.judged])
    closed = unit.whole and unit.gate_exit_code != EXIT_PASS
    if worst == PASS and not closed:
        return None
    # A gate that closed for a reason of its own is never shown as something that passed.
    status: Bad = worst if worst in ("FAIL", "INCONCLUSIVE", "ERROR") else "INCONCLUSIVE"
    evidence = tuple(
        Evidence(
            digest=canonical.digest(one.measured),
            evidence_id=f"ev-{number}",
            kind=one.evidence_kind,
            redaction_classes=("recording_name",),
            measured=one.measured,
        )
        for number, one in enumerate(unit.judged, 1)
    )
    assertions = tuple(
        _asserted(one, f"ev-{number}", source_digest) for number, one in enumerate(unit.judged, 1)
    )
    record = FailureRecord(
        dimensions=_dimensions(assertions, unit.trials),
        evidence=evidence,
        gate=Gate(exit_code=unit.gate_exit_code, policy=unit.gate_policy, status=status),
        headline=unit.headline[:1900],
        origin=Origin(kind="simulated" if unit.simulated else "captured", source=unit.source),
        provenance=_provenance(unit, source_digest),
        reproduction=_reproduction(unit, source_digest),
        status=status,
        subject=Subject(test_id=unit.test_id),
    )
    return msgspec.structs.replace(record, record_id=record_id(record))


def _worst(statuses: Sequence[Status]) -> Status:
    return next((status for status in _WORST if status in statuses), NOT_RUN)


def _asserted(one: Judged, evidence_id: str, source_digest: str) -> Assertion:
    return Assertion(
        assertion_id=one.id,
        dimension=one.lane,
        evidence_refs=(evidence_id,),
        expected=one.expected,
        missing_evidence=one.missing,
        observed=one.observed,
        rule_id=one.rule,
        rule_version=__version__,
        source_result_digest=source_digest,
        status=one.status,
        codes=one.codes,
    )


def _dimensions(assertions: Sequence[Assertion], trials: Trials | None) -> Dimensions:
    lanes = {lane: tuple(one for one in assertions if one.dimension == lane) for lane in LANES}
    kept = {lane: _dimension(members) for lane, members in lanes.items() if lane != "reliability"}
    return Dimensions(**kept, reliability=_reliability(lanes["reliability"], trials))


def _dimension(members: tuple[Assertion, ...]) -> Dimension:
    statuses = [one.status for one in members]
    return Dimension(
        assertions=members,
        evaluated=len(members),
        failed=statuses.count(FAIL) + statuses.count(ERROR),
        inconclusive=statuses.count(INCONCLUSIVE),
        passed=statuses.count(PASS),
        status=_worst(statuses),
    )


def _reliability(members: tuple[Assertion, ...], trials: Trials | None) -> Reliability:
    status = _worst([one.status for one in members])
    if trials is None:
        return Reliability(assertions=members, status=status)
    return Reliability(
        assertions=members,
        k=trials.k,
        pass_at_1=trials.pass_at_1,
        pass_at_k=trials.pass_at_k,
        pass_caret_k=trials.pass_caret_k,
        passes=trials.passes,
        status=status,
        trials=trials.n,
        wilson_interval=None if trials.ci is None else (trials.ci.low, trials.ci.high),
    )


def _provenance(unit: Unit, source_digest: str) -> Provenance:
    rules = dict.fromkeys(one.rule for one in unit.judged)
    return Provenance(
        inputs=tuple(Input(digest=sha256, name=artifact_name(sha256)) for sha256 in unit.recordings),
        rules=tuple(Named(name=rule, version=__version__) for rule in rules),
        schemas=(Named(name=unit.schema[0], version=unit.schema[1]), Named(name=KIND, version=VERSION)),
        scorers=(Named(name="hotato", version=__version__),),
        source_result_digest=source_digest,
    )


def _reproduction(unit: Unit, source_digest: str) -> Reproduction:
    recordings = [
        Artifact(digest=sha256, relative_path=artifact_name(sha256), role="recording")
        for sha256 in unit.recordings
    ]
    source = Artifact(digest=source_digest, relative_path="result.json", role="source_result")
    return Reproduction(argv=unit.argv, required_artifacts=(*recordings, source))
