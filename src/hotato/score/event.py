"""One labelled moment of a heard call, measured and judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from hotato.listen import Heard, Track
from hotato.score.answer import gap_unmeasured
from hotato.score.check import Bound, NotScorable
from hotato.score.doubts import doubts_of
from hotato.score.fixes import fix_for
from hotato.score.parts import (
    BargeIn,
    ChannelActivity,
    Doubt,
    EchoSignal,
    ExpectedBounds,
    FileFact,
    Interval,
    Latency,
    Measurements,
    Parties,
    Provenance,
    ResumeSignal,
    Side,
    Signals,
)
from hotato.score.profiles import documented_beside, reading_of
from hotato.score.records import Event
from hotato.score.request import Gates, Label
from hotato.score.verdict import bounds_of, judge, snr_of, unjudgeable, withheld
from hotato.timing import Reason, Resume, Timing

_BOUNDARY_HOPS = 1


@dataclass(frozen=True, slots=True)
class Identity:
    """What an event is called.

    Attributes:
        event_id: base name of the recording, or the scenario's id.
        scenario_id: the scenario's id, None for a single recording.
        title: what happens, in a few words.
        category: `should_yield`, `should_not_yield` or the scenario's own.
        stack: normalised name of the platform.
        map_source: who stated the channel map where the recording itself does not know.
        confirmed: a person vouched for the channel map.
    """

    event_id: str
    scenario_id: str | None
    title: str | None
    category: str | None
    stack: str = "generic"
    map_source: str | None = None
    confirmed: bool = False


def category_of(expected_yield: bool) -> str:
    """The category of a label that states none."""
    return "should_yield" if expected_yield else "should_not_yield"


def score_event(heard: Heard, label: Label, gates: Gates, identity: Identity) -> Event:
    """Measure the labelled moment and check it against the label.

    The onset is the stated one, or the start of the caller's first sustained activity. The label's profile
    says by which clock it is measured. An event that cannot be judged keeps its measurements and says why.
    """
    reading = reading_of(heard, label)
    timing, edges = reading.timing, reading.edges
    snr = snr_of(heard, gates)
    refused = unjudgeable(heard, timing, label, gates, snr)
    bounds = [] if refused or timing is None else bounds_of(heard, label, timing, edges)
    doubts = doubts_of(heard, timing, detected=label.onset_sec is None, confirmed=identity.confirmed)
    verdict, fix = withheld(timing), None
    if timing is not None and refused is None:
        verdict = judge(heard, label, timing, bounds, doubts)
        if verdict.passed and (refused := gap_unmeasured(heard, label, timing, edges)):
            verdict, bounds = withheld(timing), []
        elif not verdict.passed:
            fix = fix_for(label, edges, doubts, stack=identity.stack, echo_suspected=heard.echo.suspected)
    return Event(
        event_id=identity.event_id,
        scenario_id=identity.scenario_id,
        title=identity.title,
        category=identity.category,
        expected_yield=label.expected_yield,
        verdict=verdict,
        measurements=_measurements(heard, label, timing, bounds),
        signals=_signals(heard, timing, reading.resume),
        fix=fix,
        audio_provenance=provenance(heard),
        expected_yield_explicit=label.explicit,
        expected=_expected(label),
        edges={name: Interval(sec=m.sec, lo_sec=m.lo_sec, hi_sec=m.hi_sec) for name, m in edges.items()},
        activity=_parties(heard, identity),
        snr_estimate=UNSET if snr is None else snr,
        findings=_facts(heard) or UNSET,
        profile=label.profile,  # type: ignore[arg-type]
        documented=documented_beside(heard, label, gates, snr),
        **_refusal_fields(refused),
    )


def placeholder(label: Label, identity: Identity, refused: NotScorable, hop_sec: float) -> Event:
    """The event of a scenario that has no recording: nothing measured, not scorable."""
    return Event(
        event_id=identity.event_id,
        scenario_id=identity.scenario_id,
        title=identity.title,
        category=identity.category,
        expected_yield=label.expected_yield,
        verdict=withheld(None),
        measurements=Measurements(
            caller_onset_sec=None,
            agent_talking_at_onset=False,
            hop_sec=hop_sec,
            onset_requested_sec=label.onset_sec,
        ),
        signals=Signals(),
        fix=None,
        expected_yield_explicit=label.explicit,
        expected=_expected(label),
        profile=label.profile,  # type: ignore[arg-type]
        **_refusal_fields(refused),
    )


def provenance(heard: Heard) -> Provenance:
    """Whose bytes were heard: base names, digests and lengths, never a path."""
    sides = tuple(
        Side(
            role=role,
            path=recording.name,
            sha256=recording.file_sha256,
            pcm_sha256=recording.pcm_sha256,
            sample_rate=recording.sample_rate_hz,
            num_samples=recording.frames,
            duration_sec=round(recording.duration_sec, 3),
        )
        for role, recording in zip(heard.roles, heard.recordings, strict=True)
    )
    return Provenance(sha256=heard.file_sha256, sides=sides)


def _expected(label: Label) -> ExpectedBounds:
    """The bounds that are checked: a hold label has none."""
    if not label.expected_yield:
        return ExpectedBounds()
    return ExpectedBounds(
        max_time_to_yield_sec=label.max_time_to_yield_sec,
        max_talk_over_sec=label.max_talk_over_sec,
        max_response_gap_sec=label.max_response_gap_sec,
    )


def _refusal_fields(refused: NotScorable | None) -> dict[str, Any]:
    if refused is None:
        return {}
    return {
        "scorable": False,
        "not_scorable_reason": refused.reason,
        "not_scorable_code": refused.code,
        "not_scorable_next_step": refused.next_step,
    }


def _measurements(heard: Heard, label: Label, timing: Timing | None, bounds: list[Bound]) -> Measurements:
    hop = heard.grid.hop_sec
    if timing is None:
        return Measurements(
            caller_onset_sec=None,
            agent_talking_at_onset=False,
            hop_sec=hop,
            notes="no caller onset was stated or found",
        )
    margin = min((bound.slack_sec for bound in bounds), default=None)
    hops = None if margin is None else round(margin / hop)
    return Measurements(
        caller_onset_sec=round(timing.onset_sec, 3),
        agent_talking_at_onset=timing.agent_talking_at_onset,
        hop_sec=hop,
        notes=_notes(heard, label),
        onset_requested_sec=label.onset_sec,
        onset_frame_index=timing.onset_frame,
        onset_effective_sec=timing.onset_sec,
        yield_frame_index=timing.yield_frame,
        decision_margin_sec=margin,
        decision_margin_hops=hops,
        boundary_sensitive=hops is not None and abs(hops) <= _BOUNDARY_HOPS,
        interval_crosses_bound=any(bound.edges.crosses(bound.limit_sec) for bound in bounds),
    )


def _notes(heard: Heard, label: Label) -> str:
    if label.onset_sec is None:
        return "onset detected on the caller channel"
    if label.onset_sec >= heard.duration_sec:
        return f"the stated onset lies behind the end of the recording ({heard.duration_sec:.2f}s)"
    return "onset as stated"


def _signals(heard: Heard, timing: Timing | None, resume: Resume | None) -> Signals:
    echo = EchoSignal(
        coherence=heard.echo.coherence, lag_sec=heard.echo.lag_sec, echo_suspected=heard.echo.suspected
    )
    if timing is None:
        return Signals(echo=echo)
    return Signals(
        barge_in=BargeIn(
            did_yield=timing.did_yield,
            time_to_yield_sec=timing.time_to_yield_sec,
            talk_over_sec=timing.talk_over_sec,
        ),
        latency=Latency(
            response_gap_sec=timing.response_gap_sec, premature_start_sec=timing.premature_start_sec
        ),
        echo=echo,
        resume=UNSET if resume is None else _resume(resume),
    )


def _resume(resume: Resume) -> ResumeSignal:
    return ResumeSignal(
        resumed=resume.resumed, resume_gap_sec=resume.gap_sec, restart_suspected=resume.restart_suspected
    )


def _facts(heard: Heard) -> tuple[FileFact, ...]:
    return tuple(
        FileFact(code=fact.code, sentence=fact.sentence, evidence=fact.evidence, remedy=fact.remedy)
        for fact in heard.findings
    )


def _parties(heard: Heard, identity: Identity) -> Parties:
    return Parties(
        source=identity.map_source or heard.channels.source,
        confirmed=identity.confirmed,
        caller=_channel(heard.caller),
        agent=_channel(heard.agent),
    )


def _channel(track: Track) -> ChannelActivity:
    activity = track.activity
    return ChannelActivity(
        channel=track.channel,
        detector=activity.detector,
        threshold_dbfs=round(activity.threshold_db, 3),
        noise_floor_dbfs=round(activity.noise_floor_db, 3),
        active_sec=round(activity.active_sec, 3),
        dc_removed=round(track.dc_removed, 6),
        doubts=_reasons(activity.doubts),
        reasons=_reasons(activity.reasons) or UNSET,
    )


def _reasons(reasons: tuple[Reason, ...]) -> tuple[Doubt, ...]:
    return tuple(Doubt(code=reason.code, evidence=reason.evidence) for reason in reasons)
