"""A single mixed channel: only its silences can be judged, each with a measured confidence."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hotato.find.facts import too_close
from hotato.find.health import every_duration, health, leading, unjudged
from hotato.find.measures import to_hundredths
from hotato.find.params import GradeParams, ScanParams
from hotato.find.partial import partial
from hotato.find.records import CRITICAL, WARNING, Autopsy, Incident, recording_id
from hotato.find.wording import clock, headline, seconds, sentence
from hotato.listen import Call, Mixed, Track
from hotato.timing import Measured, Reason, Run, Span, duration, music_between, offset_edge, onset_edge, runs
from hotato.trust import Missing, examine, missing_reasons
from hotato.trust.causes_continuity import FlowParams
from hotato.trust.missing import harmless, parts_of

NOTE = (
    "One mixed channel: silences are measured, with a confidence each. It shows that everything stopped, not "
    "who stopped; who talked over whom takes a recording with the two parties on two channels."
)

ONE_SOUND = "Both channels carry {} and were opened as one."


def mixed_autopsy(call: Call, params: ScanParams, limits: GradeParams) -> Autopsy:
    """The long silences between sounds of a mixed recording, worst first.

    Args:
        call: a single channel, or a call whose two channels carry one sound.
        params: thresholds of the walk.
        limits: thresholds of the grading.
    """
    track, identity = _only_track(call), recording_id(call.file_sha256)
    trust = examine(call)
    weak = _Weak((*track.activity.doubts, *every_duration(trust)), tuple(parts_of(track, None, FlowParams())))
    gaps = [_Gap.of(track, gap, params, limits, weak) for gap in _silences(track)]
    gaps = [gap for gap in gaps if gap.measured.sec >= params.min_gap_sec]
    gaps.sort(key=lambda gap: (not gap.critical, -gap.measured.sec, gap.span))
    incidents = tuple(_incident(rank, identity, track, gap, limits) for rank, gap in enumerate(gaps, 1))
    clauses = tuple(_clause(incident) for incident in incidents)
    unread = partial(trust.findings)
    where = " in the part that was heard" if unread else ""
    told = (
        headline(incidents, clauses)
        if incidents
        else f"No silence of {params.min_gap_sec:g} s or more found between two sounds{where}."
    )
    return Autopsy(
        id=identity,
        source=call.name,
        duration_sec=round(call.duration_sec, 3),
        channels=1 if isinstance(call, Mixed) else sum(file.channels for file in call.recordings),
        sample_rate_hz=call.grid.sample_rate_hz,
        mode="mono",
        sentence=f"{leading(trust)} {told}",
        incidents=incidents,
        floor=None,
        health=health(trust),
        note=NOTE if isinstance(call, Mixed) else f"{ONE_SOUND.format(call.shared_sound)} {NOTE}",
        unjudged=unjudged(trust),
        doubts=tuple(dict.fromkeys(reason.code for gap in gaps for reason in gap.doubts)),
        partial=unread,
    )


def _only_track(call: Call) -> Track:
    """The one track of a mix. That a channel copies its own twin is no doubt about its silences."""
    if isinstance(call, Mixed):
        return call.track
    activity = call.caller.activity
    doubts = tuple(reason for reason in activity.doubts if reason.code != "echo_present")
    return replace(call.caller, role="mixed", activity=replace(activity, doubts=doubts))


@dataclass(frozen=True, slots=True)
class _Weak:
    """What weakens every silence, and where the samples do."""

    everywhere: tuple[Reason, ...]
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class _Gap:
    """A silence between two sounds: its documented frames, where it really lies, and how long it is."""

    run: Run
    span: Span
    measured: Measured
    long: bool
    critical: bool
    bound_sec: float
    doubts: tuple[Reason, ...]

    @classmethod
    def of(
        cls,
        track: Track,
        run: Run,
        params: ScanParams,
        limits: GradeParams,
        weak: _Weak,
    ) -> _Gap:
        activity, dead = track.activity, limits.dead_air_sec
        last = int(activity.sounding[np.searchsorted(activity.sounding, run.first) - 1])
        start, end = offset_edge(activity, last + 1), onset_edge(activity, run.stop)
        documented = round(run.frames * activity.hop_sec, 3)
        span, measured = to_hundredths(Span(start.sec, end.sec), duration(start, end, documented))
        unsure, long = measured.crosses(dead), measured.sec >= dead
        near = activity.grid.frames_of(params.missing_near_sec)
        found = missing_reasons(weak.missing, last + 1, run.stop, near)
        music = music_between(activity, run.first, run.stop)
        doubts = (
            *weak.everywhere,
            *([] if music is None else [music]),
            *(reason for reason in found if not harmless(reason, measured.lo_sec - dead)),
        )
        return cls(
            run=run,
            span=span,
            measured=measured,
            long=long,
            critical=long and not unsure and not doubts,
            bound_sec=dead if long or unsure else params.min_gap_sec,
            doubts=doubts,
        )


def _silences(track: Track) -> list[Run]:
    """Silences between two sounds; neither the beginning nor the end of a recording is dead air."""
    activity = track.activity
    return [gap for gap in runs(~activity.active) if gap.first > 0 and gap.stop < activity.frames]


def confidence(track: Track, gap: Run, limits: GradeParams) -> tuple[float, float]:
    """How clearly a gap is silent: (confidence 0..1, margin in dB).

    The margin is how far the gap's mean energy lies below the activity threshold of this recording; a margin
    of `mono_full_margin_db` or more gives 1.
    """
    power = np.mean(np.power(10.0, track.activity.dbfs[gap.first : gap.stop] / 10.0))
    margin = track.activity.threshold_db - 10.0 * float(np.log10(power))
    return round(min(1.0, max(0.0, margin / limits.mono_full_margin_db)), 2), round(margin, 1)


def _incident(rank: int, identity: str, track: Track, gap: _Gap, limits: GradeParams) -> Incident:
    activity, measured = track.activity, gap.measured
    documented = measured.documented_sec or 0.0
    sure, margin = confidence(track, gap.run, limits)
    unsure = measured.crosses(gap.bound_sec)
    told = [
        ("ended", f"at {clock(gap.span.end_sec, 2)}"),
        ("confidence", _derivation(sure, margin, track, limits)),
        ("detector", activity.detector),
        ("documented value", seconds(documented)),
    ]
    if unsure:
        told.insert(0, ("limit", too_close(measured, gap.bound_sec)))
    return Incident(
        rank=rank,
        id=f"{identity}#{rank}",
        kind="DEAD AIR" if gap.long else "LATENCY SPIKE",
        kind_key="dead-air" if gap.long else "latency-spike",
        severity=CRITICAL if gap.critical else WARNING,
        t_sec=round(gap.run.first * activity.hop_sec, 3),
        span=gap.span,
        title="Dead air" if gap.long else "A long silence",
        sentence=sentence(f"nobody spoke for {seconds(measured.sec)}"),
        detail=f"gap {documented:.2f} s",
        headline=measured,
        bound_sec=gap.bound_sec,
        boundary_sensitive=unsure,
        measurements={"gap_sec": documented},
        facts=tuple(told),
        doubts=tuple(dict.fromkeys(reason.code for reason in gap.doubts)),
        confidence=sure,
        measured={"gap_sec": measured},
    )


def _derivation(sure: float, margin: float, track: Track, limits: GradeParams) -> str:
    return (
        f"{sure:.2f}: the gap lies {margin:.1f} dB below the activity threshold of "
        f"{track.activity.threshold_db:.1f} dBFS ({limits.mono_full_margin_db:g} dB or more gives 1.00)"
    )


def _clause(incident: Incident) -> str:
    return f"nobody spoke for {seconds(incident.headline.sec if incident.headline else 0.0)}"
