"""How far an edge of the robust detector may lie from the truth, and whether it may not exist at all.

Noise hides the faint beginning and end of a sound from every detector, and the frames alone cannot tell how
much is hidden. So the interval of such an edge is a measured one: how far edges with the same local contrast
lay from the truth. Noise can also split a sound in two or be taken for one; an edge of a faint or brief
sound, or beside a brief silence, is therefore in doubt.

Contrast: mean level of the first `inside_sec` of the sound minus the median level of the quiet beside it.
"""

from __future__ import annotations

import statistics
from bisect import bisect_right
from dataclasses import dataclass

from hotato.timing.activity import ROBUST, Activity, Reason
from hotato.timing.beside import quiet_beside, slice_from
from hotato.timing.spans import Edge, Run

UNCERTAIN_EDGE = "uncertain_edge"
ONSET, OFFSET = -1, +1
"""On which side of its sound an edge lies."""

_MS_PER_SEC = 1000.0


@dataclass(frozen=True, slots=True)
class EdgeErrors:
    """Quantiles of the error of an edge, measured minus true, for each class of contrast.

    Source: `python bench/edge_quantiles.py`, 16 calls of natural speech of the tune half under 16 conditions
    of noise and echo, edges that the robust detector found within 0.3 s of a true one. Quantiles 1 and 99 %
    below a contrast of 20 dB, 2.5 and 97.5 % above, rounded outwards to the millisecond.

    Attributes:
        limits_db: where one class of contrast ends and the next begins.
        onset_ms: lowest and highest error of a beginning, one pair for each class.
        offset_ms: likewise of an end.
        inside_sec: the level of the sound is that of its part this close to the edge.
        beside_sec: the noise is that of the quiet this close to it.
    """

    limits_db: tuple[float, ...] = (4.0, 8.0, 12.0, 16.0, 20.0, 25.0, 30.0, 40.0)
    onset_ms: tuple[tuple[float, float], ...] = (
        (-285.0, 166.0),
        (-180.0, 222.0),
        (-33.0, 207.0),
        (-32.0, 217.0),
        (-30.0, 219.0),
        (-18.0, 104.0),
        (-16.0, 38.0),
        (-17.0, 27.0),
        (-17.0, 6.0),
    )
    offset_ms: tuple[tuple[float, float], ...] = (
        (-255.0, 187.0),
        (-267.0, 45.0),
        (-248.0, 35.0),
        (-171.0, 32.0),
        (-215.0, 26.0),
        (-106.0, 17.0),
        (-8.0, 9.0),
        (-9.0, 6.0),
        (-104.0, 6.0),
    )
    inside_sec: float = 0.06
    beside_sec: float = 0.30


@dataclass(frozen=True, slots=True)
class UncertainParams:
    """When an edge of the robust detector may be one that no speaker made.

    Fitted with the same calls: of the edges that meet a limit four in five belong to no true one, and two
    thirds of those that belong to none meet a limit.

    Attributes:
        faint_db: the loudest frame of the sound stands less than this over the quiet beside it.
        sound_sec: the sound is shorter than this.
        silence_sec: the silence beside it is shorter than this.
    """

    faint_db: float = 10.0
    sound_sec: float = 0.2
    silence_sec: float = 0.25


EDGE_ERRORS = EdgeErrors()
_UNCERTAIN = UncertainParams()


def contrast_db(activity: Activity, frame: int, side: int, errors: EdgeErrors = EDGE_ERRORS) -> float | None:
    """How far a sound stands out at its edge; None at an end of the recording, where nothing is beside it.

    Args:
        activity: the channel.
        frame: the first or last active frame of the sound.
        side: `ONSET` or `OFFSET`.
        errors: over which times the levels are taken.
    """
    grid = activity.grid
    beside = quiet_beside(activity, frame, side, grid.frames_of(errors.beside_sec))
    if not beside:
        return None
    inside = activity.dbfs[slice_from(frame, -side, grid.frames_of(errors.inside_sec))]
    return float(inside.mean()) - statistics.median(beside)


def widened(edge: Edge, activity: Activity, frame: int, side: int, errors: EdgeErrors = EDGE_ERRORS) -> Edge:
    """The edge with the measured interval around it, never narrower than the one it has.

    Args:
        edge: the edge with the interval that follows from the frames.
        activity: the channel; only what the robust detector found is widened.
        frame: the first or last active frame of the sound.
        side: `ONSET` or `OFFSET`.
        errors: the measured quantiles.
    """
    contrast = contrast_db(activity, frame, side, errors) if activity.detector == ROBUST else None
    if contrast is None:
        return edge
    table = errors.onset_ms if side == ONSET else errors.offset_ms
    low_ms, high_ms = table[bisect_right(errors.limits_db, contrast)]
    end_sec = activity.frames * activity.hop_sec
    return Edge(
        edge.sec,
        round(max(0.0, min(edge.lo_sec, edge.sec - high_ms / _MS_PER_SEC)), 4),
        round(min(end_sec, max(edge.hi_sec, edge.sec - low_ms / _MS_PER_SEC)), 4),
    )


def uncertain_onset(activity: Activity, first: int) -> Reason | None:
    """Why the beginning at frame `first` may be nobody's; None where nothing speaks against it."""
    return _uncertain(activity, first, ONSET)


def uncertain_offset(activity: Activity, stop: int) -> Reason | None:
    """Why the end at frame `stop` may be nobody's; None where nothing speaks against it."""
    return _uncertain(activity, stop - 1, OFFSET)


def _uncertain(
    activity: Activity, frame: int, side: int, params: UncertainParams = _UNCERTAIN
) -> Reason | None:
    if activity.detector != ROBUST:
        return None
    sound = _sound_at(activity, frame)
    evidence: dict[str, float] = {}
    if sound.frames < activity.grid.frames_of(params.sound_sec):
        evidence["sound_sec"] = round(sound.frames * activity.hop_sec, 3)
    beside = quiet_beside(activity, frame, side, activity.grid.frames_of(EDGE_ERRORS.beside_sec))
    if beside:
        loudest = float(activity.dbfs[sound.first : sound.stop].max())
        over_noise_db = loudest - statistics.median(beside)
        if over_noise_db < params.faint_db:
            evidence["over_noise_db"] = round(over_noise_db, 1)
    other = frame + side * (len(beside) + 1)
    if len(beside) < activity.grid.frames_of(params.silence_sec) and 0 <= other < activity.frames:
        evidence["silence_sec"] = round(len(beside) * activity.hop_sec, 3)
    return Reason(UNCERTAIN_EDGE, evidence) if evidence else None


def _sound_at(activity: Activity, frame: int) -> Run:
    """The sound that holds `frame`, short pauses bridged."""
    pieces = activity.trimmed_runs
    index = bisect_right(pieces, frame, key=lambda run: run.first) - 1
    return pieces[max(0, index)]
