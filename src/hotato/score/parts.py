"""The parts of an event: its verdict, its measurements, and what they rest on.

A field that is `UNSET` is left out of the JSON; None is a value that could not be derived.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

Profile = Literal["documented", "calibrated"]
Profiled = Literal["documented", "calibrated", "mixed"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The label checked against the measurement. An answer label looks at no yield and no talk-over.

    Attributes:
        passed: whether the behaviour matched the label and every bound.
        did_yield: whether the agent went quiet for the caller.
        seconds_to_yield: seconds from the onset to the yield, null without one.
        talk_over_sec: seconds in which both were active.
        reasons: one sentence for each way in which it failed.
        reason_codes: the same for programs, in the same order: `no_yield`, `slow_yield`, `talk_over`,
            `late_answer` (of a yield label, the last of an answer label as well) or `false_stop` (of a hold
            label).
        doubts: codes of reasons to doubt the measurement behind the verdict; absent when there are none.
            `hangover_decides`: the documented value and the raw energy edges lie on different sides of
            a bound. `click`: the detected onset is too short to be a voice. `late_stop`: the agent went
            quiet long after the caller's sound had ended. `possible_swap`: the channel map, which nobody
            confirmed, may be the wrong way round. `brief_silence`: the agent sounded again so soon after its
            yield that it may only have paused. `onset_inside_sound`: the caller had been sounding before
            the stated onset. `uncertain_edge`: noise may have made a sound or a pause that decides.
            `bridged_silence`: the hangover bridged an earlier silence of the agent that counts without it and
            would decide otherwise. `near_silence`: so would an earlier silence that is too short to count by
            less than its edges are sure.
    """

    passed: bool
    did_yield: bool
    seconds_to_yield: float | None
    talk_over_sec: float
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    doubts: tuple[str, ...] | UnsetType = UNSET


class Measurements(msgspec.Struct, frozen=True, kw_only=True):
    """Where the event lay on the frame grid, and how near to a bound.

    Attributes:
        caller_onset_sec: the onset used, on the frame grid unless calibrated; null when there was none.
        agent_talking_at_onset: whether the agent was active in the lookback up to the onset.
        hop_sec: seconds from one frame to the next.
        notes: what a reader should know about this measurement, empty when nothing.
        onset_requested_sec: the onset that was stated, null when it was detected.
        onset_frame_index: the frame it was snapped to; in the calibrated profile the nearest one.
        onset_effective_sec: that frame's time, unrounded; in the calibrated profile the onset itself.
        yield_frame_index: first frame of the counted silence, null without a yield.
        decision_margin_sec: slack to the tightest bound, negative when it was exceeded; null without a bound.
        decision_margin_hops: the same in whole hops.
        boundary_sensitive: the result lies within one hop of the other verdict.
        interval_crosses_bound: a bound lies inside the interval at the raw energy edges.
    """

    caller_onset_sec: float | None
    agent_talking_at_onset: bool
    hop_sec: float
    notes: str = ""
    onset_requested_sec: float | None = None
    onset_frame_index: int | None = None
    onset_effective_sec: float | None = None
    yield_frame_index: int | None = None
    decision_margin_sec: float | None = None
    decision_margin_hops: int | None = None
    boundary_sensitive: bool = False
    interval_crosses_bound: bool = False


class ExpectedBounds(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds that the event was checked against.

    Attributes:
        max_time_to_yield_sec: a later yield fails; null where the label sets no such bound.
        max_talk_over_sec: more simultaneous speech fails; null where the label sets no such bound.
        max_response_gap_sec: a later answer to the caller's turn fails; null where the label sets no such
            bound.
    """

    max_time_to_yield_sec: float | None = None
    max_talk_over_sec: float | None = None
    max_response_gap_sec: float | None = None


class BargeIn(msgspec.Struct, frozen=True, kw_only=True):
    """The yield, measured.

    Attributes:
        did_yield: whether the agent went quiet for the caller.
        time_to_yield_sec: seconds from the onset to the yield, null without one.
        talk_over_sec: seconds in which both were active.
    """

    did_yield: bool
    time_to_yield_sec: float | None
    talk_over_sec: float


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """How the agent's answer lay around the end of the caller's turn.

    Attributes:
        response_gap_sec: seconds from the turn end to the answer; null when premature or not derivable.
        premature_start_sec: lead of the answer over the turn end, 0 within tolerance, null if not derivable.
    """

    response_gap_sec: float | None
    premature_start_sec: float | None


class EchoSignal(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the caller channel looks like a delayed copy of the agent.

    Attributes:
        coherence: best cosine similarity of the envelopes over all lags, 0 to 1.
        lag_sec: the lag at which it was found.
        echo_suspected: whether it reached the threshold.
    """

    coherence: float
    lag_sec: float
    echo_suspected: bool


class ResumeSignal(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent did after its yield.

    Attributes:
        resumed: whether it spoke again within the window.
        resume_gap_sec: seconds from the yield to that, null when it did not.
        restart_suspected: whether it then spoke so long that it may have begun again from the top.
    """

    resumed: bool
    resume_gap_sec: float | None
    restart_suspected: bool


class AnswerSignal(msgspec.Struct, frozen=True, kw_only=True):
    """The joint silence behind the sound at the onset; of an answer label only.

    Attributes:
        silence_sec: how long both were silent; null where the sound does not end, or where the agent was
            sounding when it did.
        began_with: whose sound ended: `caller` or `agent`; null where nothing sounded.
        ended_by: who sounded next: `agent`, `caller`, or `end_of_recording`; null without a silence.
        start_sec: when that sound ended; null where it does not end inside the recording.
    """

    silence_sec: float | None
    began_with: Literal["caller", "agent"] | None
    ended_by: Literal["agent", "caller", "end_of_recording"] | None
    start_sec: float | None


class Signals(msgspec.Struct, frozen=True, kw_only=True):
    """The measurements by dimension; a dimension that was not measured is absent.

    Attributes:
        barge_in: the yield.
        latency: the answer.
        echo: the agent heard on the caller channel.
        resume: after the yield; only where there was one.
        answer: the silence that an answer label is about.
    """

    barge_in: BargeIn | UnsetType = UNSET
    latency: Latency | UnsetType = UNSET
    echo: EchoSignal | UnsetType = UNSET
    resume: ResumeSignal | UnsetType = UNSET
    answer: AnswerSignal | UnsetType = UNSET


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One file that was scored.

    Attributes:
        role: `stereo`, `caller` or `agent`.
        path: base name of the file, never a path on the machine that scored it.
        sha256: of the file's bytes.
        pcm_sha256: of the decoded samples, so that a header edit can be told from another recording.
        sample_rate: samples per second.
        num_samples: sample frames decoded.
        duration_sec: length in seconds.
    """

    role: str
    path: str
    sha256: str
    pcm_sha256: str
    sample_rate: int
    num_samples: int
    duration_sec: float


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Whose bytes the event was scored from.

    Attributes:
        schema_version: of this block.
        sha256: the file's own digest, or one digest over both files of a pair.
        sides: the files.
    """

    schema_version: Literal["1"] = "1"
    sha256: str
    sides: tuple[Side, ...]


class Documented(msgspec.Struct, frozen=True, kw_only=True):
    """What the documented profile says of an event that was judged by the calibrated one.

    Attributes:
        passed: whether it would have passed, null where it could not have been judged.
        did_yield: whether the agent went quiet for the caller.
        seconds_to_yield: seconds from the onset to the yield, null without one.
        talk_over_sec: seconds in which both were active, null without an onset.
        response_gap_sec: seconds from the turn end to the answer; null when premature or not derivable.
        premature_start_sec: lead of the answer over the turn end, 0 within tolerance, null if not derivable.
    """

    passed: bool | None
    did_yield: bool
    seconds_to_yield: float | None
    talk_over_sec: float | None
    response_gap_sec: float | None = None
    premature_start_sec: float | None = None


class CalibrationUsed(msgspec.Struct, frozen=True, kw_only=True):
    """The constants behind calibrated values.

    Attributes:
        onset_ms: added to a beginning found by the documented detector.
        offset_ms: added to an end found by the documented detector.
        audible_ms: and this where the frame behind it still holds audible sound.
        robust_onset_ms: added to a beginning found by the robust detector.
        robust_offset_ms: added to an end found by the robust detector.
        bridge_sec: a shorter pause is inside a sound.
    """

    onset_ms: float
    offset_ms: float
    audible_ms: float
    robust_onset_ms: float
    robust_offset_ms: float
    bridge_sec: float


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A number at the raw energy edges.

    Attributes:
        sec: the value without the hangover; in the calibrated profile without the bias of the edges as well.
        lo_sec: smallest value consistent with the edges.
        hi_sec: largest value consistent with the edges.
    """

    sec: float
    lo_sec: float
    hi_sec: float


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """One reason to doubt a channel.

    Attributes:
        code: stable identifier.
        evidence: the numbers behind it; keys carry units.
    """

    code: str
    evidence: dict[str, float]


class ChannelActivity(msgspec.Struct, frozen=True, kw_only=True):
    """How one channel's activity was found.

    Attributes:
        channel: number in the file.
        detector: which detector decided.
        threshold_dbfs: level from which a frame was active.
        noise_floor_dbfs: level of the quietest frames.
        active_sec: seconds of activity, hangover included.
        dc_removed: the mean that was subtracted first, 1.0 = full scale.
        doubts: reasons to doubt it, empty on a healthy channel.
        reasons: why another detector took the reference's place; absent where none did.
    """

    channel: int
    detector: str
    threshold_dbfs: float
    noise_floor_dbfs: float
    active_sec: float
    dc_removed: float
    doubts: tuple[Doubt, ...]
    reasons: tuple[Doubt, ...] | UnsetType = UNSET


class Parties(msgspec.Struct, frozen=True, kw_only=True):
    """Both channels and who said which is which.

    Attributes:
        source: `stack`, `flags`, `files`, `scenario` or `default`.
        confirmed: whether a person vouched for the channel map.
        caller: the caller's channel.
        agent: the agent's channel.
    """

    source: str
    confirmed: bool
    caller: ChannelActivity
    agent: ChannelActivity


class FileFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact about a file that was scored.

    Attributes:
        code: stable identifier.
        sentence: one sentence with the numbers in it.
        evidence: the numbers; keys carry units.
        remedy: the next step, null where none is needed.
    """

    code: str
    sentence: str
    evidence: dict[str, Any]
    remedy: str | None


class SnrEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """Signal-to-noise ratio of both channels, where a gate asked for it.

    Attributes:
        gate_db: the floor that was asked for.
        caller_db: estimate of the caller channel, null when it has no sound.
        agent_db: estimate of the agent channel, null when it has no sound.
    """

    gate_db: float
    caller_db: float | None
    agent_db: float | None
