"""The records of a contract: what `contract.json` states, and what a verification says of it.

`contract.json` holds measured facts and a person's label; nothing in it depends on when or where it was made,
unless the person who made it said so. A field that the reading version does not know is refused, so that a
misspelled bound cannot vanish.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hotato._version import __version__
from hotato.bounds import BOUNDS
from hotato.checks import Status
from hotato.findings import Finding

SCHEMA: Literal["hotato.contract.v1"] = "hotato.contract.v1"
KIND: Literal["voice-turn-taking-contract"] = "voice-turn-taking-contract"

Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Id = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
Expectation = Literal["yield", "hold", "answer"]
"""What the label expects of the agent: give up the floor, keep it, or answer within a bound."""


class _Closed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A block that takes no further keys."""


class Label(_Closed, frozen=True, kw_only=True):
    """A person's judgment of the moment.

    Attributes:
        expected_behavior: what a good agent does there.
        label_source: always `human`; hotato never labels.
        rationale: why, in the person's words, or None.
    """

    expected_behavior: Expectation
    label_source: Literal["human"] = "human"
    rationale: str | None = None


class PassConditions(_Closed, frozen=True, kw_only=True):
    """What passes.

    Attributes:
        should_yield: the agent should give up the floor (`yield` in the file); false for hold and answer.
        max_talk_over_sec: bound on simultaneous speech, None for none.
        max_time_to_yield_sec: bound on the time to yield, None for none.
        max_response_gap_sec: bound on the silence until the agent sounds again, None for none.
    """

    should_yield: bool = msgspec.field(name="yield")
    max_talk_over_sec: Seconds | None = None
    max_time_to_yield_sec: Seconds | None = None
    max_response_gap_sec: Seconds | None = None


class Policy(_Closed, frozen=True, kw_only=True):
    """How the moment is judged, frozen with it.

    Attributes:
        pass_conditions: the bounds.
        opposite_risk_required: whether a proof has to hold a contract of the opposite label beside this one.
        profile: the measurement profile that the verdict rests on.
        detector: `auto` or `reference`, as of `hotato run --detector`.
    """

    pass_conditions: PassConditions
    opposite_risk_required: bool = False
    profile: Literal["documented", "calibrated"] = "documented"
    detector: Literal["auto", "reference"] = "auto"


class Source(_Closed, frozen=True, kw_only=True):
    """Where the moment comes from. Names are None unless identifiers were asked for.

    Attributes:
        stack: the platform.
        recording_type: `stereo` or `pair`.
        channels: channels of the bundled audio; always 2, the caller's first.
        source_audio_sha256: sha256 of the file that the moment was cut from (of the pair, one over both).
        bundle_audio_sha256: sha256 of the bundled file.
        bundle_pcm_sha256: sha256 of its decoded samples, which the contract's digest covers.
        candidate_ref: the candidate it was made from, `FILE#N`.
        candidate_kind: that candidate's kind, None for a moment that a person found.
        name: base name of the recording.
    """

    stack: str = "generic"
    recording_type: Literal["stereo", "pair"]
    channels: Literal[2] = 2
    source_audio_sha256: Sha256
    bundle_audio_sha256: Sha256
    bundle_pcm_sha256: Sha256
    candidate_ref: str | None = None
    candidate_kind: str | None = None
    name: str | None = None


class Moment(_Closed, frozen=True, kw_only=True):
    """Where the moment lies (`event` in the file).

    Attributes:
        onset_sec: in the bundled audio: the caller's onset, or for an answer a time inside the sound whose
            end begins the silence.
        source_onset_sec: the same in the source recording.
        pre_sec: seconds kept before the onset.
        post_sec: seconds kept after it.
        clipped: whether the bundled audio is a part of the source.
    """

    onset_sec: Seconds
    source_onset_sec: Seconds
    pre_sec: Seconds
    post_sec: Seconds
    clipped: bool


class Measurement(_Closed, frozen=True, kw_only=True):
    """What was measured when the contract was made.

    Attributes:
        scorable: whether it could be judged; a contract is only made of a moment that can.
        not_scorable_reason: None.
        verdict_eligible: whether a verdict may rest on it (crosstalk, leakage and a possible swap keep it
            from that until a person confirms the channels).
        verdict_ineligible_reason: why not, or None.
        did_yield: the agent went quiet.
        seconds_to_yield: how long that took, or None.
        talk_over_sec: simultaneous speech.
        response_gap_sec: the silence until the agent sounded again, or None.
        passed: whether the behaviour matched the label.
        reasons: why not, a clause each.
        reason_codes: the same for programs.
        doubts: codes of what weakens the verdict.
        edges: the same numbers at the raw energy edges: name to [seconds, lowest, highest].
        silence_sec: of an answer the joint silence, whoever ended it; else None.
    """

    scorable: bool = True
    not_scorable_reason: str | None = None
    verdict_eligible: bool = True
    verdict_ineligible_reason: str | None = None
    did_yield: bool
    seconds_to_yield: Seconds | None = None
    talk_over_sec: Seconds
    response_gap_sec: Seconds | None = None
    passed: bool
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    edges: dict[str, tuple[float, float, float]] = {}
    indicative_only: bool = False
    diarization: None = None
    silence_sec: Seconds | None = None


class Trust(_Closed, frozen=True, kw_only=True):
    """The input health of the bundled audio, in brief; the whole report is `evidence/trust.json`.

    Attributes:
        status: `clean` or `caution`.
        scorable: whether it can be scored.
        warnings: codes of the causes for doubt.
        possible_swap: whether the channels may be swapped.
        verdict_eligible: whether a verdict may rest on it.
        verdict_ineligible_reason: why not, or None.
        channel_mapping_confirmed: a person vouched for the channel map.
    """

    status: str
    scorable: bool
    warnings: tuple[str, ...] = ()
    possible_swap: bool = False
    verdict_eligible: bool = True
    verdict_ineligible_reason: str | None = None
    channel_mapping_confirmed: bool = False


class Replay(_Closed, frozen=True, kw_only=True):
    """How to measure it again.

    Attributes:
        command: re-verifies this bundle from the folder it lies in.
        ci_command: re-verifies every contract of a repository.
    """

    command: str
    ci_command: str


class Scorer(_Closed, frozen=True, kw_only=True):
    """What measured.

    Attributes:
        package_version: version of hotato.
        config_marker: sha256 of every parameter of the measurement.
    """

    package_version: str = __version__
    config_marker: Sha256


class Identity(_Closed, frozen=True, kw_only=True):
    """Who labelled it.

    Attributes:
        reviewer: the name that was given, or None.
        attested: the reviewer stated that a person had listened.
    """

    reviewer: str | None = None
    attested: bool = False


class Attestation(_Closed, frozen=True, kw_only=True):
    """What the contract says of its own integrity. A signature lies beside it, in `signature.dsse.json`.

    Attributes:
        schema_version: version of this block.
        canonical_digest: sha256 over `digest_fields`; see `hotato.contract.attest`.
        digest_fields: what the digest covers.
        algorithm: how it is computed.
        statement: what that proves, and what it does not.
    """

    schema_version: Literal["1"] = "1"
    canonical_digest: Sha256
    digest_fields: tuple[str, ...]
    algorithm: Literal["sha256"] = "sha256"
    statement: str


class Contract(_Closed, frozen=True, kw_only=True):
    """`contract.json`.

    Attributes:
        schema: version of this shape.
        id: its name; the bundle's folder is `<id>.hotato`.
        created_at: when it was made, as whoever made it stated (RFC 3339), or None.
        created_by: what made it.
        kind: what it is.
        label: a person's judgment.
        label_authority: `asserted`, or `attested` where the reviewer stated that a person had listened.
        identity: who labelled it.
        source: where the moment comes from.
        event: where it lies.
        measurement: what was measured when it was made.
        trust: the input health of its audio.
        policy: how it is judged.
        fix: what the failure points at, as in a run's envelope, or None.
        replay: how to measure it again.
        bundle: the path of every member, under `paths`.
        scorer: what measured.
        assertions: say-do checks that travel with the contract, or None.
        attestation: what it says of its own integrity; None only while the digest is being computed.
    """

    schema: Literal["hotato.contract.v1"] = SCHEMA
    id: Id
    created_at: str | None = None
    created_by: str = f"hotato {__version__}"
    kind: Literal["voice-turn-taking-contract"] = KIND
    label: Label
    label_record: None = None
    label_authority: Literal["asserted", "attested"] = "asserted"
    identity: Identity = Identity()
    source: Source
    event: Moment
    measurement: Measurement
    trust: Trust
    policy: Policy
    fix: dict[str, Any] | None = None
    replay: Replay
    bundle: dict[str, Any]
    scorer: Scorer
    assertions: dict[str, Any] | None = None
    attestation: Attestation | None = None


Integrity = Literal["intact", "tampered", "unread"]
"""Whether a bundle is what it was sealed as; `unread` where it cannot be read as one."""

Authenticity = Literal["unsigned", "signed", "untrusted-key"]
"""Whose word a bundle is: nobody's; that of a key you trust; that of a key you do not (or cannot) check."""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What a verification says of one bundle.

    Attributes:
        id: the contract's id, or the folder's name where it cannot be read.
        dir: the bundle, relative to the working folder.
        expect: the label; None where it cannot be read.
        status: `pass`, `fail` (a measured failure), `error` (tampered, refused, no longer scorable).
        passed: `status` is `pass`.
        scorable: whether the bundled audio could be judged.
        not_scorable_reason: why not, or None.
        verdict_eligible: whether a verdict may rest on it.
        verdict_ineligible_reason: why not, or None.
        measurement: `did_yield`, `seconds_to_yield`, `talk_over_sec`, `response_gap_sec`, of an answer
            `silence_sec` as well; None where nothing was measured.
        reasons: why it is no pass, a clause each.
        reason_codes: the same for programs.
        integrity: whether every member is what the bundle was sealed with.
        tampered: the members that are not, each with what is wrong.
        authenticity: whose word it is.
        authenticated: `authenticity` is `signed`.
        authenticity_reason: why it is what it is, in one clause.
        drift: what differs from what was measured when the contract was made, a clause each.
        assertions: results of the embedded say-do checks, or None.
        next_step: what to do about it, or None.
        profile: the measurement profile of the numbers; None where the contract cannot be read.
        too_close: each limit that lies inside the interval of what it bounds, a clause each.
        contract_digest: the contract's digest (sha256, hex); None for what is not what it was sealed as.
        opposite_risk_required: whether a proof has to hold a contract of the opposite label beside this one.
    """

    id: str
    dir: str
    expect: Expectation | None = None
    status: Status
    passed: bool
    scorable: bool = True
    not_scorable_reason: str | None = None
    verdict_eligible: bool = True
    verdict_ineligible_reason: str | None = None
    measurement: dict[str, float | bool | None] | None = None
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    integrity: Integrity = "intact"
    tampered: tuple[str, ...] = ()
    authenticity: Authenticity = "unsigned"
    authenticated: bool = False
    authenticity_reason: str = ""
    drift: tuple[str, ...] = ()
    assertions: dict[str, Any] | None = None
    next_step: str | None = None
    profile: str | None = None
    too_close: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    contract_digest: str | None = None
    opposite_risk_required: bool = False
