"""Candidates and incidents: what was found in a recording nobody has labelled."""

from __future__ import annotations

import msgspec

from hotato.findings import Evidence, Finding
from hotato.timing import Floor, Measured, Reason, Span

CRITICAL = "CRITICAL"
WARNING = "WARNING"
_ID_DIGITS = 12


def recording_id(file_sha256: str) -> str:
    """The name of a recording by its content: `apx-` and the first 12 hex digits of its sha256."""
    return f"apx-{file_sha256[:_ID_DIGITS]}"


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """An unlabelled timing moment: a time, magnitudes, and the evidence for them. Never a verdict.

    Attributes:
        kind: `overlap_while_agent_talking`, `agent_start_during_caller`, `long_response_gap`,
            `agent_stop_no_caller`, `echo_correlated_activity`, `dual_start`, `premature_start`,
            `resume_into_caller`, `unanswered_turn`, `double_reply`, `first_turn_overlap`.
        t_sec: the documented time of the moment, on the frame grid.
        span: where the moment begins and ends at the raw energy edges: an overlap from the first to the last
            moment at which both sounded, a silence from the end of one sound to the beginning of the next.
        durations: the documented magnitudes, hangover included (`overlap_sec`, `gap_sec`, ...).
        agent_reaction: what the agent did about it, as documented, or None.
        measured: the magnitudes at the raw energy edges with their intervals, by the same names.
        salience: what candidates are ranked by, largest first: seconds, or a coherence.
        doubts: reasons not to rest a confident verdict on it (from both channels and from the moment itself).
        evidence: further numbers, keys with units.
    """

    kind: str
    t_sec: float
    span: Span
    durations: dict[str, float | None]
    agent_reaction: dict[str, float | bool | None] | None = None
    measured: dict[str, Measured] = {}
    salience: float = 0.0
    doubts: tuple[Reason, ...] = ()
    evidence: Evidence = {}


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate graded by autopsy, in words and numbers for a person.

    Attributes:
        rank: 1 for the worst.
        id: `apx-<12 hex>#<rank>`.
        kind: the name people see: `BARGE-IN`, `TALK-OVER`, `DEAD AIR`, `LATENCY SPIKE`, `ECHO SUSPECTED`, ...
        kind_key: the same for programs: `barge-in`, `talk-over`, `dead-air`, `latency-spike`, ...
        severity: `CRITICAL` or `WARNING`.
        t_sec: the documented time of the candidate behind it.
        span: where it begins and ends at the raw energy edges; people are shown its beginning.
        title: a few words: "Agent started over the caller".
        sentence: one plain sentence built from the numbers.
        detail: the magnitudes on one line, for the terminal.
        headline: the number that names the incident, with its interval; None for a caveat without one.
        bound_sec: the limit the headline was graded against, or None.
        boundary_sensitive: the interval holds the limit.
        measurements: the documented magnitudes.
        facts: label and text pairs that a sceptic asks for next, in order.
        scan_kind: the kind of the candidate behind it (None for a mixed single channel).
        doubts: reason codes that kept it from being CRITICAL, or that weaken it.
        confidence: 0..1 for a finding on a mixed single channel, else None.
        cost: estimated cost from the user's own figures, else None.
        measured: every magnitude at the raw energy edges with its interval.
        agent_reaction: what the agent did about it, as documented, or None.
    """

    rank: int
    id: str
    kind: str
    kind_key: str
    severity: str
    t_sec: float
    span: Span
    title: str
    sentence: str
    detail: str
    headline: Measured | None
    bound_sec: float | None
    boundary_sensitive: bool
    measurements: dict[str, float | None]
    facts: tuple[tuple[str, str], ...] = ()
    scan_kind: str | None = None
    doubts: tuple[str, ...] = ()
    confidence: float | None = None
    cost: float | None = None
    measured: dict[str, Measured] = {}
    agent_reaction: dict[str, float | bool | None] | None = None


class Autopsy(msgspec.Struct, frozen=True, kw_only=True):
    """One recording, opened: the incidents worst first, the rhythm, and the recording's health.

    Attributes:
        id: `apx-` and the first 12 hex digits of the file's sha256.
        source: base name of the recording.
        duration_sec: its length.
        channels: channels in the file.
        sample_rate_hz: its sample rate.
        mode: `stereo` or `mono`.
        sentence: the answer first: what broke, in one sentence made of measured numbers.
        incidents: worst first.
        floor: turns, changes of speaker and shares; None for a mixed single channel.
        health: facts about the file and causes for doubt.
        note: the scope of the method, stated once, and which moments were as they should be.
        currency: of the costs, where the user supplied figures.
        unjudged: why the recording cannot carry a verdict, with the next step; None when it can.
        doubts: codes of what keeps its moments from a confident verdict: every one, those of a
            stretch (music), or (`drop_outs`, `repeated_blocks`) those that it touches.
        partial: codes of the findings that say that a part of the call was not heard.
    """

    id: str
    source: str
    duration_sec: float
    channels: int
    sample_rate_hz: int
    mode: str
    sentence: str
    incidents: tuple[Incident, ...]
    floor: Floor | None
    health: tuple[Finding, ...]
    note: str
    currency: str | None = None
    unjudged: str | None = None
    doubts: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()

    @property
    def critical(self) -> int:
        """How many incidents are CRITICAL."""
        return sum(incident.severity == CRITICAL for incident in self.incidents)

    @property
    def warning(self) -> int:
        """How many incidents are WARNING."""
        return sum(incident.severity == WARNING for incident in self.incidents)
