"""One labelled moment of a heard call, measured and judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from hotato.listen import Heard, Track
from hotato.score.answer import gap_unmeasured
from hotato.score.check import Bound, NotScorable
from hotato.score.doubts import doubts_of
from hotato.score.fixes import fix_for, fix_of_silence
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
    SnrEstimate,
)
from hotato.score.profiles import documented_beside, reading_of
from hotato.score.records import Event
from hotato.score.request import Gates, Label
from hotato.score.silence import documented_silence, judge_silence, latency_of, signal_of
from hotato.score.verdict import bounds_of, judge, snr_of, unjudgeable, withheld
from hotato.timing import AnswerTiming, Measured, Reason, Resume, Timing
from hotato.timing.answer import CALLER

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


def category_of(expected_yield: bool, *, answer: bool = False) -> str:
    """The category of a label that states none."""
    if answer:
        return "should_answer"
    return "should_yield" if expected_yield else "should_not_yield"


def score_event(heard: Heard, label: Label, gates: Gates, identity: Identity) -> Event:
    """Measure the labelled moment and check it against the label.

    The onset is the stated one, or the start of the caller's first sustained activity. The label's profile
    says by which clock it is measured. An event that cannot be judged keeps its measurements and says why.
    """
    if label.answer:
        return _answer_event(heard, label, gates, identity)
    reading = reading_of(heard, label)
    timing, edges = reading.timing, reading.edges
    snr = snr_of(heard, gates)
    refused = unjudgeable(heard, timing, label, gates, snr)
    bounds = [] if refused or timing is None else bounds_of(heard, label, timing, edges)
    detected = label.onset_sec is None
    doubts = doubts_of(heard, timing, detected=detected, confirmed=identity.confirmed, bounds=bounds)
    verdict, fix = withheld(timing), None
    if timing is not None and refused is None:
        verdict = judge(heard, label, timing, bounds, doubts)
        if verdict.passed and (refused := gap_unmeasured(heard, label, timing, edges)):
            verdict, bounds = withheld(timing), []
        elif not verdict.passed:
            fix = fix_for(label, edges, doubts, stack=identity.stack, echo_suspected=heard.echo_suspected)
    return Event(
        **_named(label, identity),
        verdict=verdict,
        measurements=_measurements(heard, label, timing, bounds),
        signals=_signals(heard, timing, reading.resume),
        fix=fix,
        **_heard_as(heard, identity, edges, snr),
        documented=documented_beside(heard, label, gates, snr),
        **_refusal_fields(refused),
    )


def _answer_event(heard: Heard, label: Label, gates: Gates, identity: Identity) -> Event:
    """The event of an answer label: the silence behind the sound at the onset, and nothing else."""
    snr = snr_of(heard, gates)
    judged = judge_silence(heard, label, snr, confirmed=identity.confirmed)
    timing, bound, fix = judged.timing, judged.bound, None
    edges = {} if timing is None else timing.edges
    if timing is not None and judged.refused is None and not judged.verdict.passed:
        doubts = judged.verdict.doubts or ()
        callers = timing.began_with == CALLER
        fix = fix_of_silence(edges, doubts, stack=identity.stack, callers=callers)
    return Event(
        **_named(label, identity),
        verdict=judged.verdict,
        measurements=_answer_measurements(heard, label, timing, [] if bound is None else [bound]),
        signals=Signals(
            latency=UNSET if timing is None else latency_of(timing),
            echo=_echo(heard),
            answer=UNSET if timing is None else signal_of(timing),
        ),
        fix=fix,
        **_heard_as(heard, identity, edges, snr),
        documented=documented_silence(heard, label, snr, confirmed=identity.confirmed),
        **_refusal_fields(judged.refused),
    )


def _named(label: Label, identity: Identity) -> dict[str, Any]:
    """What an event is called and what is expected of it."""
    return {
        "event_id": identity.event_id,
        "scenario_id": identity.scenario_id,
        "title": identity.title,
        "category": identity.category,
        "expected_yield": label.expected_yield,
        "expected_yield_explicit": label.explicit,
        "expected": _expected(label),
        "profile": label.profile,
        **({"expectation": label.expect} if label.answer else {}),
    }


def _heard_as(
    heard: Heard, identity: Identity, edges: Mapping[str, Measured], snr: SnrEstimate | None
) -> dict[str, Any]:
    """What an event rests on, whatever its label."""
    return {
        "audio_provenance": provenance(heard),
        "edges": {name: Interval(sec=m.sec, lo_sec=m.lo_sec, hi_sec=m.hi_sec) for name, m in edges.items()},
        "activity": _parties(heard, identity),
        "snr_estimate": UNSET if snr is None else snr,
        "findings": _facts(heard) or UNSET,
    }


def placeholder(label: Label, identity: Identity, refused: NotScorable, hop_sec: float) -> Event:
    """The event of a scenario that has no recording: nothing measured, not scorable."""
    return Event(
        **_named(label, identity),
        verdict=withheld(None),
        measurements=Measurements(
            caller_onset_sec=None,
            agent_talking_at_onset=False,
            hop_sec=hop_sec,
            onset_requested_sec=label.onset_sec,
        ),
        signals=Signals(),
        fix=None,
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
    if not (label.expected_yield or label.answer):
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
    if timing is None:
        return _without_onset(heard)
    return Measurements(
        caller_onset_sec=round(timing.onset_sec, 3),
        agent_talking_at_onset=timing.agent_talking_at_onset,
        hop_sec=heard.grid.hop_sec,
        notes=_notes(heard, label),
        onset_requested_sec=label.onset_sec,
        onset_frame_index=timing.onset_frame,
        onset_effective_sec=timing.onset_sec,
        yield_frame_index=timing.yield_frame,
        **_margin(heard, bounds),
    )


def _answer_measurements(
    heard: Heard, label: Label, timing: AnswerTiming | None, bounds: list[Bound]
) -> Measurements:
    if timing is None:
        return _without_onset(heard)
    return Measurements(
        caller_onset_sec=round(timing.onset_sec, 3),
        agent_talking_at_onset=timing.agent_at_onset,
        hop_sec=heard.grid.hop_sec,
        notes=_notes(heard, label),
        onset_requested_sec=label.onset_sec,
        onset_frame_index=timing.onset_frame,
        onset_effective_sec=timing.onset_sec,
        **_margin(heard, bounds),
    )


def _without_onset(heard: Heard) -> Measurements:
    return Measurements(
        caller_onset_sec=None,
        agent_talking_at_onset=False,
        hop_sec=heard.grid.hop_sec,
        notes="no caller onset was stated or found",
    )


def _margin(heard: Heard, bounds: list[Bound]) -> dict[str, Any]:
    """How near the verdict is to the other one."""
    margin = min((bound.slack_sec for bound in bounds), default=None)
    hops = None if margin is None else round(margin / heard.grid.hop_sec)
    return {
        "decision_margin_sec": margin,
        "decision_margin_hops": hops,
        "boundary_sensitive": hops is not None and abs(hops) <= _BOUNDARY_HOPS,
        "interval_crosses_bound": any(bound.edges.crosses(bound.limit_sec) for bound in bounds),
    }


def _notes(heard: Heard, label: Label) -> str:
    if label.onset_sec is None:
        return "onset detected on the caller channel"
    if label.onset_sec >= heard.duration_sec:
        return f"the stated onset lies behind the end of the recording ({heard.duration_sec:.2f}s)"
    return "onset as stated"


def _signals(heard: Heard, timing: Timing | None, resume: Resume | None) -> Signals:
    echo = _echo(heard)
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


def _echo(heard: Heard) -> EchoSignal:
    return EchoSignal(
        coherence=heard.echo.coherence, lag_sec=heard.echo.lag_sec, echo_suspected=heard.echo.suspected
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
