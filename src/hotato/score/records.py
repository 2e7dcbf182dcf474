"""The records of a scored recording: what the envelope is made of.

`builtins_of` turns a record into the documented dictionary, keys in the documented order, additive ones after
them. A field that is `UNSET` is left out; None is a value that could not be derived.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hotato._version import __version__
from hotato.score.parts import (
    CalibrationUsed,
    Documented,
    ExpectedBounds,
    FileFact,
    Interval,
    Measurements,
    Parties,
    Profile,
    Profiled,
    Provenance,
    Signals,
    SnrEstimate,
    Verdict,
)

Count = Annotated[int, Meta(ge=0)]
FixClass = Literal["config", "engagement-control"]
CONFIG: FixClass = "config"
ENGAGEMENT: FixClass = "engagement-control"


class Engine(msgspec.Struct, frozen=True, kw_only=True):
    """The measurement that made the numbers.

    Attributes:
        name: what measured.
        version: its version.
        upstream: where the method is described.
    """

    name: str = "hotato"
    version: str = __version__
    upstream: str = "METHODOLOGY, 1.18 edition; own implementation"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What the measurement can and cannot say.

    Attributes:
        method: how the numbers come about, in one sentence.
        accuracy_claim: always null; a timing measurement has an error, not an accuracy percentage.
        reproducible: what equal input guarantees.
        ceiling: the best that this method can do.
        best_input: the recording it works best on.
        does_not_do: what is never derived from a recording.
        scope: what is judged.
        offline: what leaves the machine.
    """

    method: str
    accuracy_claim: None
    reproducible: str
    ceiling: str
    best_input: str
    does_not_do: tuple[str, ...]
    scope: str
    offline: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over the events.

    Attributes:
        events: all events.
        passed: events whose behaviour matched the label.
        failed: events whose behaviour did not.
        regression: whether any event failed.
        not_scorable: events that could not be judged, counted in neither; absent when there are none.
    """

    events: Count
    passed: Count
    failed: Count
    regression: bool
    not_scorable: Annotated[int, Meta(ge=1)] | UnsetType = UNSET


class KnobAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """The one setting a failure points at.

    Attributes:
        stack: the platform whose setting it is.
        parameter: its name there.
        direction: which way to move it.
        trade_off: what may get worse.
    """

    stack: str
    parameter: str
    direction: str
    trade_off: str


class Pointer(msgspec.Struct, frozen=True, kw_only=True):
    """The kind of fix that no setting can replace; it names no vendor and no product.

    Attributes:
        layer: where it belongs.
        what: what it has to do.
        honest_scope: what this measurement can say about it.
    """

    layer: str
    what: str
    honest_scope: str


class Fix(msgspec.Struct, frozen=True, kw_only=True):
    """What a failed event points at.

    Attributes:
        fix_class: `config` for a setting, `engagement-control` where no setting is enough.
        title: the failure in a few words.
        detail: what was measured and what follows from it.
        knob: the setting, for `config`.
        pointer: the kind of fix, for `engagement-control`.
        settle_first: what to find out before anything is changed, one sentence for each doubt of the moment
            or of a channel; absent where there is none.
    """

    fix_class: FixClass
    title: str
    detail: str
    knob: KnobAdvice | None
    pointer: Pointer | None
    settle_first: tuple[str, ...] | UnsetType = UNSET


class FixMapEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A fix and the event that asks for it.

    Attributes:
        event_id: the event.
        scenario_id: its scenario, null for a single recording.
        fix_class: `config` or `engagement-control`.
        title: the failure in a few words.
        detail: what was measured and what follows from it.
        knob: the setting, for `config`.
        pointer: the kind of fix, for `engagement-control`.
        settle_first: what to find out before anything is changed; absent where nothing is in doubt.
    """

    event_id: str
    scenario_id: str | None
    fix_class: FixClass
    title: str
    detail: str
    knob: KnobAdvice | None
    pointer: Pointer | None
    settle_first: tuple[str, ...] | UnsetType = UNSET


class Funnel(msgspec.Struct, frozen=True, kw_only=True):
    """Both ways of failing in one battery.

    Attributes:
        reason: why no single threshold helps.
        pointer: the kind of fix that does.
    """

    reason: str
    pointer: Pointer


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One labelled moment, measured and judged.

    Attributes:
        event_id: base name of the recording, or the scenario's id.
        scenario_id: the scenario's id, null for a single recording.
        title: what happens, in a few words.
        category: `should_yield`, `should_not_yield`, `should_answer` or the scenario's own.
        expected_yield: the label; false for hold and answer, which `expectation` tells apart.
        verdict: the label checked against the measurement.
        measurements: where the event lay on the frame grid.
        signals: the measurements by dimension.
        fix: what a failure points at, null on a pass and where no fix would mend what was measured.
        audio_provenance: whose bytes were scored; absent when there were none.
        expected_yield_explicit: whether the label was stated rather than assumed.
        scorable: false on an event that cannot be judged, absent otherwise.
        not_scorable_reason: why, in one sentence; present with `scorable`.
        not_scorable_code: the same for programs.
        not_scorable_next_step: what to do about it; present with `scorable`.
        edges: every moment and duration at the raw energy edges.
        activity: how both channels' activity was found.
        snr_estimate: present where an SNR gate was asked for.
        expected: the bounds of the label.
        findings: facts about the files, such as a truncated body; absent when there are none.
        profile: the measurement profile that the verdict rests on.
        documented: what the documented profile says, beside a calibrated verdict; else absent.
        expectation: `answer` where the label is that; absent for yield and hold.
    """

    event_id: str
    scenario_id: str | None
    title: str | None
    category: str | None
    expected_yield: bool
    verdict: Verdict
    measurements: Measurements
    signals: Signals
    fix: Fix | None
    audio_provenance: Provenance | UnsetType = UNSET
    expected_yield_explicit: bool = True
    scorable: Annotated[bool, Meta(extra_json_schema={"const": False})] | UnsetType = UNSET
    not_scorable_reason: str | UnsetType = UNSET
    not_scorable_code: str | UnsetType = UNSET
    not_scorable_next_step: str | UnsetType = UNSET
    edges: dict[str, Interval] | UnsetType = UNSET
    activity: Parties | UnsetType = UNSET
    snr_estimate: SnrEstimate | UnsetType = UNSET
    findings: tuple[FileFact, ...] | UnsetType = UNSET
    expected: ExpectedBounds | UnsetType = UNSET
    profile: Profile = "documented"
    documented: Documented | UnsetType = UNSET
    expectation: Literal["answer"] | UnsetType = UNSET


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run: one recording or a whole suite.

    Attributes:
        tool: always `hotato`.
        schema_version: version of this shape; only additive changes keep it.
        mode: `single` or `suite`.
        stack: the platform the recordings come from.
        offline: always true; scoring opens no connection.
        engine: what measured.
        limits: what the measurement can and cannot say.
        summary: counts.
        events: one for each labelled moment.
        fix_map: one entry for each failed event with a fix.
        funnel: set when the agent both missed an interruption and stopped for a backchannel.
        exit_code: 1 when any event failed, and for a suite of which no event could be judged.
        suite: id of the suite, only for suites.
        profile: the measurement profile of its events, `mixed` where they differ.
        calibration: the constants behind calibrated values, absent where there are none.
    """

    tool: Literal["hotato"] = "hotato"
    schema_version: Literal["1"] = "1"
    mode: Literal["single", "suite"]
    stack: str
    offline: Annotated[bool, Meta(extra_json_schema={"const": True})] = True
    engine: Engine
    limits: Limits
    summary: Summary
    events: tuple[Event, ...]
    fix_map: tuple[FixMapEntry, ...]
    funnel: Funnel | None
    exit_code: Literal[0, 1]
    suite: str | UnsetType = UNSET
    profile: Profiled = "documented"
    calibration: CalibrationUsed | UnsetType = UNSET


def builtins_of(record: msgspec.Struct) -> dict[str, Any]:
    """The record as plain dictionaries, lists and numbers: what the public functions return."""
    built: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return built
