"""The records of an input-health report, and its JSON.

The attributes carry the names and the order of the published JSON; the comments give their units. Nothing
here decides anything.
"""

from __future__ import annotations

from typing import Any

import msgspec

from hotato.findings import Finding

NOTE = "Input health only: whether this recording can be scored, not whether the agent behaved well."

ELIGIBLE = "eligible for scan"
CAUTION = "scan with caution"
NOT_SCORABLE = "NOT SCORABLE"


class Clipping(msgspec.Struct, frozen=True, kw_only=True):
    """Peak level of one channel.

    Attributes:
        peak: largest absolute sample, 1.0 = full scale, 4 decimals.
        peak_dbfs: the same in dBFS, 1 decimal; -120.0 for digital silence.
        clipped_fraction: share of the samples that stand at full scale, 6 decimals.
        clipped: the share is large enough to be clipping.
    """

    peak: float
    peak_dbfs: float
    clipped_fraction: float
    clipped: bool


class RecordingHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The file.

    Attributes:
        sample_rate: in hertz, as declared.
        duration_sec: length in seconds.
        channels: how many channels the file has.
        clipping: by role (`caller`, `agent`; `mixed` where a single channel holds both).
        leading_silence_sec: seconds before the first sound on either channel; None where there is no sound.
    """

    sample_rate: int
    duration_sec: float
    channels: int
    clipping: dict[str, Clipping]
    leading_silence_sec: float | None


class ChannelHealth(msgspec.Struct, frozen=True, kw_only=True):
    """One party's channel.

    Attributes:
        channel: channel number in the file, from 0.
        active_sec: seconds of activity, hangover included.
        first_speech_sec: when the channel is first active, or None.
        has_speech: any activity at all.
        enough_activity: enough of it to measure timing on.
    """

    channel: int
    active_sec: float
    first_speech_sec: float | None
    has_speech: bool
    enough_activity: bool


class ChannelsHealth(msgspec.Struct, frozen=True, kw_only=True):
    """Both parties.

    Attributes:
        caller: the caller's channel; None in a mono recording.
        agent: the agent's channel; None in a mono recording.
        possible_swap: the channel mapped as caller holds the floor far longer than the agent's.
        swap_reason: the figures behind that, or None.
    """

    caller: ChannelHealth | None
    agent: ChannelHealth | None
    possible_swap: bool
    swap_reason: str | None


class CrosstalkRisk(msgspec.Struct, frozen=True, kw_only=True):
    """How far one channel carries the other.

    Attributes:
        coherence: best cosine of the caller's envelope with the delayed agent's, 0..1; None for mono.
        lag_sec: the delay at which it was found; None for mono.
        suspected: the coherence reached its threshold.
        refuted: it did, but the caller's level does not move as a copy of the agent would.
        leakage_db: level of a steady delayed copy of one channel on the other, relative to its source; None
            where there is no such copy.
        leakage_direction: `agent->caller` or `caller->agent`, source first; None without a copy.
        leakage_lag_sec: delay of the copy in seconds; None without a copy.
        leakage_flagged: the copy is loud enough to count as the other party's activity.
    """

    coherence: float | None
    lag_sec: float | None
    suspected: bool
    leakage_db: float | None
    leakage_direction: str | None
    leakage_lag_sec: float | None = None
    leakage_flagged: bool = False
    refuted: bool = False


class Scorability(msgspec.Struct, frozen=True, kw_only=True):
    """The three things a score needs.

    Attributes:
        separated_tracks: two channels that are not the same samples.
        enough_caller_activity: the caller can be heard.
        enough_agent_activity: the agent can be heard.
    """

    separated_tracks: bool
    enough_caller_activity: bool
    enough_agent_activity: bool


class TrustReport(msgspec.Struct, frozen=True, kw_only=True):
    """Can this recording be scored, and what is wrong with it?

    Attributes:
        source: base name of the recording.
        recording: the file.
        channels: the parties' channels.
        crosstalk_risk: leakage between the channels.
        scorability: the three things a score needs.
        warnings: the sentence of every cause for doubt, in the order of `findings`.
        scorable: a timing measurement means something on this input.
        candidate_eligible: unlabelled moments may be looked for in it.
        verdict_eligible: a labelled moment in it may carry a verdict.
        verdict_ineligible_reason: why not, or None.
        crosstalk_verdict_refused: crosstalk or leakage is what withholds the verdict.
        channel_mapping_caveat: what to confirm about the channel map, or None.
        verdict_mode: `scan` (moments to look at) or `contract` (a moment to be pinned).
        channel_map_confirmed: a person or a platform's metadata confirmed which channel is which.
        recommendation: `eligible for scan`, `scan with caution: ...` or `NOT SCORABLE: ...`.
        input_health: `clean`, `caution` or `not_scorable`.
        not_scorable_reason: why the recording cannot be scored, or None.
        next_step: what to do about that, or None.
        exit_code: 0, or 2 for a recording that cannot be scored.
        findings: facts of the file first, then causes for doubt, each with evidence and remedy.
    """

    tool: str = "hotato"
    kind: str = "input-health"
    schema_version: str = "1"
    source: str
    note: str = NOTE
    recording: RecordingHealth
    channels: ChannelsHealth
    crosstalk_risk: CrosstalkRisk
    scorability: Scorability
    warnings: tuple[str, ...] = ()
    scorable: bool
    candidate_eligible: bool
    verdict_eligible: bool
    verdict_ineligible_reason: str | None = None
    crosstalk_verdict_refused: bool = False
    channel_mapping_caveat: str | None = None
    verdict_mode: str = "scan"
    channel_map_confirmed: bool = False
    recommendation: str
    input_health: str
    not_scorable_reason: str | None = None
    next_step: str | None = None
    exit_code: int = 0
    findings: tuple[Finding, ...] = ()


def trust_json(report: TrustReport) -> dict[str, Any]:
    """The report as builtins, keys in the published order; `canonical.to_json` gives its text."""
    built: dict[str, Any] = msgspec.to_builtins(report)
    return built
