"""The Failure Record: one result that did not pass, as a document that can be attached to a pull request.

Five lanes, each with a status of its own and never one figure over all of them. It holds numbers, codes and
digests; no audio, no words of the call, no tool payload, no state and no absolute path.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hotato._version import __version__

KIND: Literal["hotato.failure-record.v1"] = "hotato.failure-record.v1"
VERSION: Literal["1"] = "1"

Status = Literal["PASS", "FAIL", "INCONCLUSIVE", "ERROR", "NOT_RUN"]
PASS: Status = "PASS"
FAIL: Status = "FAIL"
INCONCLUSIVE: Status = "INCONCLUSIVE"
ERROR: Status = "ERROR"
NOT_RUN: Status = "NOT_RUN"

Bad = Literal["FAIL", "INCONCLUSIVE", "ERROR"]
"""How a unit that has a record came out."""

Lane = Literal["outcome", "policy", "conversation", "speech", "reliability"]
LANES: tuple[Lane, ...] = ("outcome", "policy", "conversation", "speech", "reliability")

REDACTED = ("audio", "recording_name", "state_value", "tool_payload", "transcript")
"""What is taken out of every record."""

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Text = Annotated[str, Meta(max_length=2000)]
Name = Annotated[str, Meta(max_length=400)]
Count = Annotated[int, Meta(ge=0)]
Measured = dict[str, float | bool | str | None]


class _Closed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A block that takes no further keys: nothing can be added to a record unseen."""


class Assertion(_Closed, frozen=True, kw_only=True):
    """One thing that was expected, and what was observed.

    Attributes:
        assertion_id: its name.
        authority: `deterministic`: a model's judgment never stands here.
        dimension: the lane it belongs to.
        evidence_refs: ids of the evidence it rests on.
        expected: what should have been.
        missing_evidence: what would have been needed to judge it.
        observed: what was measured.
        rule_id: the rule that judged it.
        rule_version: version of that rule.
        source_result_digest: digest of the result that it was taken from.
        status: how it came out.
        codes: why it is no pass, for programs.
    """

    assertion_id: Name
    authority: Literal["deterministic"] = "deterministic"
    dimension: Lane
    evidence_refs: tuple[Name, ...] = ()
    expected: Text
    missing_evidence: tuple[Name, ...] = ()
    observed: Text
    rule_id: Name
    rule_version: Name
    source_result_digest: Digest
    status: Status
    codes: tuple[Name, ...] = ()


class Dimension(_Closed, frozen=True, kw_only=True):
    """One lane.

    Attributes:
        assertions: what was expected in it.
        evaluated: how many of them were judged or tried.
        failed: how many failed, or could not be carried out.
        inconclusive: how many lacked their evidence.
        passed: how many passed.
        status: the worst of them; `NOT_RUN` for none.
    """

    assertions: tuple[Assertion, ...] = ()
    evaluated: Count = 0
    failed: Count = 0
    inconclusive: Count = 0
    passed: Count = 0
    status: Status = NOT_RUN


class Reliability(_Closed, frozen=True, kw_only=True):
    """The lane of repeated runs.

    Attributes:
        assertions: what was expected in it.
        k: runs in a row that `pass_at_k` and `pass_caret_k` speak of.
        pass_at_1: share of runs that passed.
        pass_at_k: chance that one of k passes.
        pass_caret_k: chance that all of k pass.
        passes: runs that passed.
        status: the worst of the assertions; `NOT_RUN` for none.
        trials: runs.
        wilson_interval: 95 % interval of `pass_at_1`, or None.
    """

    assertions: tuple[Assertion, ...] = ()
    k: Count | None = None
    pass_at_1: float | None = None
    pass_at_k: float | None = None
    pass_caret_k: float | None = None
    passes: Count = 0
    status: Status = NOT_RUN
    trials: Count = 0
    wilson_interval: tuple[float, float] | None = None


class Dimensions(_Closed, frozen=True, kw_only=True):
    """The five lanes; nothing is computed across them."""

    conversation: Dimension = Dimension()
    outcome: Dimension = Dimension()
    policy: Dimension = Dimension()
    reliability: Reliability = Reliability()
    speech: Dimension = Dimension()


class Evidence(_Closed, frozen=True, kw_only=True):
    """What an assertion rests on.

    Attributes:
        authority: who made it: always a machine.
        digest: sha256 of `measured` as canonical JSON.
        evidence_id: its name in this record.
        kind: what it is.
        media_type: how it is written.
        redacted: whether anything was taken out.
        redaction_classes: what.
        measured: the numbers themselves; keys carry units.
    """

    authority: Literal["machine"] = "machine"
    digest: Digest
    evidence_id: Name
    kind: Name
    media_type: Name = "application/json"
    redacted: bool = True
    redaction_classes: tuple[Name, ...] = ()
    measured: Measured = {}


class Advisory(_Closed, frozen=True, kw_only=True):
    """The model-judged lane, which is never counted with the others.

    Attributes:
        gate_enabled: whether it may fail a gate.
        reason_code: why it says nothing.
        status: `UNAVAILABLE`, `NOT_RUN` or what the judge said.
    """

    gate_enabled: bool = False
    reason_code: Name = "no_model_judge"
    status: Name = "UNAVAILABLE"


class Gate(_Closed, frozen=True, kw_only=True):
    """What the gate made of the result: its exit code, its policy in a word, and the outcome."""

    exit_code: int
    policy: Name
    status: Status


class Origin(_Closed, frozen=True, kw_only=True):
    """Where the result comes from: `captured` or `simulated`, and which command made it."""

    kind: Name = "captured"
    source: Name


class Privacy(_Closed, frozen=True, kw_only=True):
    """What the record does not hold. Every flag is false; a record that says otherwise is refused."""

    absolute_path_embedded: Literal[False] = False
    credential_embedded: Literal[False] = False
    profile: Literal["share-safe"] = "share-safe"
    raw_audio_embedded: Literal[False] = False
    redaction_classes: tuple[Name, ...] = (
        "audio",
        "recording_name",
        "state_value",
        "tool_payload",
        "transcript",
    )
    state_value_embedded: Literal[False] = False
    tool_payload_embedded: Literal[False] = False
    transcript_body_embedded: Literal[False] = False


class Named(_Closed, frozen=True, kw_only=True):
    """Something with a version."""

    name: Name
    version: Name


class Input(_Closed, frozen=True, kw_only=True):
    """A file that the result was made from, by its digest; its name is hidden."""

    digest: Digest
    name: Name


class Provenance(_Closed, frozen=True, kw_only=True):
    """What made the record, and of what.

    Attributes:
        hotato: the program.
        inputs: the recordings behind the result.
        rules: the rules that judged.
        schemas: the shapes of the result and of the record.
        scorers: what measured.
        source_result_digest: sha256 of the result as canonical JSON.
    """

    hotato: Named = Named(name="hotato", version=__version__)
    inputs: tuple[Input, ...] = ()
    rules: tuple[Named, ...] = ()
    schemas: tuple[Named, ...] = ()
    scorers: tuple[Named, ...] = ()
    source_result_digest: Digest


class Artifact(_Closed, frozen=True, kw_only=True):
    """A file that is needed to see the same again.

    Attributes:
        digest: sha256 of its bytes; for a `source_result` of its canonical JSON.
        relative_path: where it lies, or what it is called here where its name is hidden.
        role: `recording` or `source_result`.
    """

    digest: Digest
    relative_path: Name
    role: Name


class Reproduction(_Closed, frozen=True, kw_only=True):
    """How to see the same again: a command, the files it needs, and where to run it."""

    argv: tuple[Name, ...] = ()
    required_artifacts: tuple[Artifact, ...] = ()
    working_directory: Name = "."


class Subject(_Closed, frozen=True, kw_only=True):
    """What was tested."""

    test_id: Name


class FailureRecord(_Closed, frozen=True, kw_only=True):
    """`failure-record.json`.

    Attributes:
        advisory: the model-judged lane.
        dimensions: the five lanes.
        evidence: what the assertions rest on.
        gate: what the gate made of it.
        headline: one sentence with the measured numbers.
        kind: what this is.
        origin: where the result comes from.
        privacy: what is not in here.
        provenance: what made it, and of what.
        record_id: `hfr-` and the sha256 of everything else in here as canonical JSON.
        reproduction: how to see the same again.
        status: how the unit came out: `FAIL`, `INCONCLUSIVE` or `ERROR`.
        subject: what was tested.
        version: version of this shape.
    """

    advisory: Advisory = Advisory()
    dimensions: Dimensions
    evidence: tuple[Evidence, ...]
    gate: Gate
    headline: Text
    kind: Literal["hotato.failure-record.v1"] = KIND
    origin: Origin
    privacy: Privacy = Privacy()
    provenance: Provenance
    record_id: Annotated[str, Meta(pattern="^(hfr-[0-9a-f]{64})?$")] = ""
    reproduction: Reproduction
    status: Bad
    subject: Subject
    version: Literal["1"] = VERSION
