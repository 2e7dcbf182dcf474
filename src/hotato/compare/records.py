"""The records of a comparison: a scored event as it is read, what moved in it, and which event met which.

What comes from a file is read as strictly as it is used: numbers are bounded, and what a file states beyond
these fields is its own business.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS

Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
Offset = Annotated[float, Meta(ge=-BOUNDS.longest_sec, le=BOUNDS.longest_sec)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Expectation = Literal["yield", "hold", "answer"]
Result = Literal["fixed", "regressed", "improved", "worse", "unchanged", "still_pass", "not_scorable"]

FIXED: Result = "fixed"
REGRESSED: Result = "regressed"
IMPROVED: Result = "improved"
WORSE: Result = "worse"
UNCHANGED: Result = "unchanged"
STILL_PASS: Result = "still_pass"
NOT_SCORABLE: Result = "not_scorable"
RESULTS: tuple[Result, ...] = (FIXED, REGRESSED, IMPROVED, WORSE, UNCHANGED, STILL_PASS, NOT_SCORABLE)
"""The whole taxonomy, in the order in which it is counted."""

MIRRORED: dict[Result, Result] = {
    FIXED: REGRESSED,
    REGRESSED: FIXED,
    IMPROVED: WORSE,
    WORSE: IMPROVED,
    UNCHANGED: UNCHANGED,
    STILL_PASS: STILL_PASS,
    NOT_SCORABLE: NOT_SCORABLE,
}
"""What each result becomes when before and after change places."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A number at the raw energy edges: its value and the smallest and largest one consistent with them."""

    sec: Offset
    lo_sec: Offset
    hi_sec: Offset


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a verdict that is compared; see `hotato.score.parts.Verdict`."""

    passed: bool
    did_yield: bool | None = None
    seconds_to_yield: Seconds | None = None
    talk_over_sec: Seconds | None = None
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds that a verdict was reached under."""

    max_time_to_yield_sec: Seconds | None = None
    max_talk_over_sec: Seconds | None = None
    max_response_gap_sec: Seconds | None = None


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """How the agent's answer lay around the end of the caller's turn."""

    response_gap_sec: Seconds | None = None
    premature_start_sec: Seconds | None = None


class Silence(msgspec.Struct, frozen=True, kw_only=True):
    """The joint silence that an answer label is about."""

    silence_sec: Seconds | None = None


class Signals(msgspec.Struct, frozen=True, kw_only=True):
    """The measurements by dimension, as far as they are compared."""

    latency: Latency = Latency()
    answer: Silence = Silence()


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """Where the event lay, as far as it is compared."""

    hop_sec: Seconds = 0.01
    caller_onset_sec: Offset | None = None


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One file that an event was scored from, as its envelope states it."""

    role: str
    path: str
    sha256: Sha256
    pcm_sha256: Sha256
    sample_rate: Annotated[int, Meta(ge=1)]
    num_samples: Annotated[int, Meta(ge=0)]
    duration_sec: Seconds


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Whose samples an event was scored from, as its envelope states it."""

    schema_version: str = "1"
    sha256: Sha256
    sides: Annotated[tuple[Side, ...], Meta(min_length=1, max_length=2)]


class Parties(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a person vouched for the channel map."""

    confirmed: bool = False


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """A scored event of an envelope, as far as it is compared; further keys are ignored.

    Attributes:
        event_id: its id.
        scenario_id: its scenario, or None.
        title: what happens, in a few words.
        expected_yield: the label; None where the file states none.
        expectation: the label in full, where it is `answer`.
        expected_yield_explicit: whether a person stated the label.
        verdict: what came out.
        scorable: false where it could not be judged.
        not_scorable_reason: why not.
        expected: the bounds that the verdict was reached under; None in files that do not state them.
        edges: durations at the raw energy edges, by name.
        signals: further measurements.
        measurements: the frame grid.
        profile: the measurement profile; None in files that state one for all events, or none.
        audio_provenance: whose samples were scored, as the file states it; see `provenance`.
        activity: who vouched for the channel map; None in files that do not say.
    """

    event_id: str
    scenario_id: str | None = None
    title: str | None = None
    expected_yield: bool | None = None
    expectation: Expectation | None = None
    expected_yield_explicit: bool = True
    verdict: Verdict
    scorable: bool = True
    not_scorable_reason: str | None = None
    expected: Bounds | None = None
    edges: dict[str, Interval] = {}
    signals: Signals = Signals()
    measurements: Measured = Measured()
    profile: str | None = None
    audio_provenance: Any = None
    activity: Parties | None = None

    @property
    def expect(self) -> Expectation | None:
        """The label as one word; None where the file states none."""
        if self.expectation is not None:
            return self.expectation
        return None if self.expected_yield is None else "yield" if self.expected_yield else "hold"

    @property
    def provenance(self) -> Provenance | None:
        """Whose samples were scored; None where the file does not say, or says no such thing."""
        try:
            return msgspec.convert(self.audio_provenance, type=Provenance)
        except (msgspec.ValidationError, RecursionError):
            return None

    @property
    def passed(self) -> bool:
        """Whether it was judged and passed."""
        return self.scorable and self.verdict.passed


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One measurement before and after.

    Attributes:
        name: `talk_over`, `time_to_yield`, `response_gap` or `silence`.
        before_sec: the documented value before, or None.
        after_sec: the documented value after, or None.
        delta_sec: after minus before, or None where either is missing.
        before_edges: the value before at the raw energy edges, or None.
        after_edges: the value after at the raw energy edges, or None.
        intervals_overlap: whether one number could be both; None without intervals on both sides.
        beyond_error: whether it moved further than the measurement error: the intervals do not overlap and
            the documented values moved the same way; without intervals, by more than a frame at either end.
        direction: `better`, `worse`, or `same` within the error.
    """

    name: str
    before_sec: float | None
    after_sec: float | None
    delta_sec: float | None
    before_edges: Interval | None = None
    after_edges: Interval | None = None
    intervals_overlap: bool | None = None
    beyond_error: bool = False
    direction: Literal["better", "worse", "same"] = "same"


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one event.

    Attributes:
        result: its place in the taxonomy.
        did_yield: whether the agent went quiet, before and after.
        moves: the measurements that its label is about, the deciding one first.
        bounds_differ: the two verdicts were reached under different bounds; None where a side states none.
        same_samples: the agent's samples are the same on both sides, so this is no new take; None where a
            side does not say.
    """

    result: Result
    did_yield: tuple[bool | None, bool | None]
    moves: tuple[Move, ...] = ()
    bounds_differ: bool | None = None
    same_samples: bool | None = None


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """One event in both runs.

    Attributes:
        fixture: what it is called: its event id, or the scenario where the ids differ.
        by: what it was paired by.
        before: the earlier one.
        after: the later one.
        movement: what became of it.
    """

    fixture: str
    by: Literal["event_id", "scenario_id"]
    before: Scored
    after: Scored
    movement: Movement


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs, event by event.

    Attributes:
        paired: events of both, by the name of the fixture.
        only_before: events of the earlier run alone, by id.
        only_after: events of the later run alone, by id.
    """

    paired: tuple[Pair, ...]
    only_before: tuple[Scored, ...]
    only_after: tuple[Scored, ...]

    @property
    def results(self) -> dict[Result, int]:
        """How many pairs have each result; every result of the taxonomy is stated."""
        counts = dict.fromkeys(RESULTS, 0)
        for pair in self.paired:
            counts[pair.movement.result] += 1
        return counts
