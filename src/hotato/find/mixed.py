"""A single mixed channel: only its silences can be judged, each with a measured confidence."""

from __future__ import annotations

import numpy as np

from hotato.find.health import health
from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import CRITICAL, WARNING, Autopsy, Incident, recording_id
from hotato.find.wording import clock, headline, seconds, sentence
from hotato.listen import Mixed, Track
from hotato.timing import Run, duration, offset_edge, onset_edge, runs
from hotato.trust import examine

NOTE = (
    "One mixed channel: silences are measured, with a confidence each. It shows that everything stopped, not "
    "who stopped; who talked over whom takes a recording with the two parties on two channels."
)


def mixed_autopsy(call: Mixed, params: ScanParams, limits: GradeParams) -> Autopsy:
    """The long silences between sounds of a mixed recording, worst first."""
    track, identity = call.track, recording_id(call.file_sha256)
    gaps = _gaps(track, params.min_gap_sec)
    gaps.sort(key=lambda gap: (-gap.frames, gap.first))
    doubted = bool(track.activity.doubts)
    gaps.sort(key=lambda gap: not _critical(track, gap, limits) or doubted)
    incidents = tuple(_incident(rank, identity, track, gap, limits) for rank, gap in enumerate(gaps, 1))
    clauses = tuple(_clause(incident) for incident in incidents)
    nothing = (
        f"No silence of {params.min_gap_sec:g} s or more found. "
        "Who spoke when cannot be judged on one mixed channel."
    )
    return Autopsy(
        id=identity,
        source=call.name,
        duration_sec=round(call.duration_sec, 3),
        channels=1,
        sample_rate_hz=call.grid.sample_rate_hz,
        mode="mono",
        sentence=headline(incidents, clauses) if incidents else nothing,
        incidents=incidents,
        floor=None,
        health=health(examine(call)),
        note=NOTE,
    )


def _gaps(track: Track, least_sec: float) -> list[Run]:
    """Silences between two sounds; neither the beginning nor the end of a recording is dead air."""
    activity = track.activity
    least = activity.grid.frames_of(least_sec)
    return [
        gap
        for gap in runs(~activity.active)
        if gap.frames >= least and gap.first > 0 and gap.stop < activity.frames
    ]


def _critical(track: Track, gap: Run, limits: GradeParams) -> bool:
    return gap.frames * track.activity.hop_sec >= limits.dead_air_sec


def confidence(track: Track, gap: Run, limits: GradeParams) -> tuple[float, float]:
    """How clearly a gap is silent: (confidence 0..1, margin in dB).

    The margin is how far the gap's mean energy lies below the activity threshold of this recording; a margin
    of `mono_full_margin_db` or more gives 1.
    """
    power = np.mean(np.power(10.0, track.activity.dbfs[gap.first : gap.stop] / 10.0))
    margin = track.activity.threshold_db - 10.0 * float(np.log10(power))
    return round(min(1.0, max(0.0, margin / limits.mono_full_margin_db)), 2), round(margin, 1)


def _incident(rank: int, identity: str, track: Track, gap: Run, limits: GradeParams) -> Incident:
    activity = track.activity
    documented = round(gap.frames * activity.hop_sec, 3)
    long, doubts = documented >= limits.dead_air_sec, [reason.code for reason in activity.doubts]
    last = np.flatnonzero(activity.raw[: gap.first])[-1]
    measured = duration(offset_edge(activity, int(last) + 1), onset_edge(activity, gap.stop), documented)
    sure, margin = confidence(track, gap, limits)
    bound = limits.dead_air_sec
    return Incident(
        rank=rank,
        id=f"{identity}#{rank}",
        kind="DEAD AIR" if long else "LATENCY SPIKE",
        kind_key="dead-air" if long else "latency-spike",
        severity=CRITICAL if long and not doubts else WARNING,
        t_sec=round(gap.first * activity.hop_sec, 3),
        span=gap.span(activity.hop_sec),
        title="Dead air" if long else "A long silence",
        sentence=sentence(f"nobody spoke for {seconds(measured.sec)}"),
        detail=f"gap {documented:.2f} s, confidence {sure:.2f}",
        headline=measured,
        bound_sec=bound,
        boundary_sensitive=measured.crosses(bound) or (documented >= bound) != (measured.sec >= bound),
        measurements={"gap_sec": documented},
        facts=(
            ("ended", f"at {clock(gap.stop * activity.hop_sec)}"),
            ("confidence", _derivation(sure, margin, track, limits)),
            ("detector", activity.detector),
            ("documented value", seconds(documented)),
        ),
        doubts=tuple(dict.fromkeys(doubts)),
        confidence=sure,
    )


def _derivation(sure: float, margin: float, track: Track, limits: GradeParams) -> str:
    return (
        f"{sure:.2f}: the gap lies {margin:.1f} dB below the activity threshold of "
        f"{track.activity.threshold_db:.1f} dBFS ({limits.mono_full_margin_db:g} dB or more gives 1.00)"
    )


def _clause(incident: Incident) -> str:
    return f"nobody spoke for {seconds(incident.headline.sec if incident.headline else 0.0)}"
