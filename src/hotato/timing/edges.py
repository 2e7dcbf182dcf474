"""Edges and error bars: where a sound really began and ended, and how sure that is.

The documented measurement counts whole frames and carries activity on for a hangover. Beside each of its
durations stands the value at the raw energy edges, without the hangover, and an interval that follows from
three things only: which samples a frame covers, how far the level inside the edge stands above the
threshold, and whether the energy ramps through the threshold slowly.

Derivation, for an onset whose first active frame is k (hop h, window w, threshold T, level L inside the
edge): a steep sound at L activates a frame once it fills the share f = 10 ** ((T - L) / 10) of its window.
Frame k is active and frame k - 1 is not, so the sound began in [(k - 1) h + w (1 - f), k h + w (1 - f)].
Where frames before k already stand above the noise, the sound was ramping and may have begun with them. An
offset is the mirror image. The frame's own time always lies inside the interval.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotato.timing.activity import Activity


@dataclass(frozen=True, slots=True)
class EdgeParams:
    """What counts as the inside of an edge and as a ramp.

    Attributes:
        inside_sec: how far inside the edge the level of the sound is read.
        above_noise_db: a frame this far above the noise floor may belong to the sound.
        below_threshold_db: nothing further than this below the threshold is looked at.
        longest_ramp_sec: a ramp is followed no further than this.
    """

    inside_sec: float = 0.06
    above_noise_db: float = 6.0
    below_threshold_db: float = 20.0
    longest_ramp_sec: float = 0.30


@dataclass(frozen=True, slots=True)
class Edge:
    """One end of a sound: the frame's time and the interval that holds the true one.

    Attributes:
        sec: time of the frame edge.
        lo_sec: earliest time consistent with the frames.
        hi_sec: latest time consistent with the frames.
    """

    sec: float
    lo_sec: float
    hi_sec: float

    @classmethod
    def exact(cls, sec: float) -> Edge:
        """An edge known without error, such as a time that a person stated."""
        return cls(sec, sec, sec)


@dataclass(frozen=True, slots=True)
class Measured:
    """A duration three ways.

    Attributes:
        documented_sec: the documented value, hangover included; None where the measurement has none.
        sec: the value at the raw energy edges.
        lo_sec: smallest value consistent with the edges.
        hi_sec: largest value consistent with the edges.
    """

    documented_sec: float | None
    sec: float
    lo_sec: float
    hi_sec: float

    def crosses(self, bound_sec: float) -> bool:
        """Whether `bound_sec` lies inside the interval, so that the edges cannot tell which side is true."""
        return self.lo_sec <= bound_sec <= self.hi_sec


def onset_edge(activity: Activity, frame: int, params: EdgeParams | None = None) -> Edge:
    """The edge of a sound whose first active frame is `frame`."""
    params = params or EdgeParams()
    hop, window = activity.grid.hop_sec, activity.grid.window_sec
    inside = activity.dbfs[frame : frame + max(1, activity.grid.frames_of(params.inside_sec))]
    share = _filling_share(activity.threshold_db, float(inside.max(initial=activity.threshold_db)))
    first = _ramp(activity, frame, -1, params)
    lo = (first - 1) * hop if first < frame else (frame - 1) * hop + window * (1 - share)
    return _edge(frame * hop, lo, frame * hop + window * (1 - share), activity)


def offset_edge(activity: Activity, stop: int, params: EdgeParams | None = None) -> Edge:
    """The edge of a sound whose last active frame is `stop - 1`."""
    params = params or EdgeParams()
    hop, window = activity.grid.hop_sec, activity.grid.window_sec
    last = stop - 1
    inside = activity.dbfs[max(0, stop - max(1, activity.grid.frames_of(params.inside_sec))) : stop]
    share = _filling_share(activity.threshold_db, float(inside.max(initial=activity.threshold_db)))
    final = _ramp(activity, last, +1, params)
    hi = (final + 1) * hop + window if final > last else (last + 1) * hop + window * share
    return _edge(stop * hop, last * hop + window * share, hi, activity)


def duration(start: Edge, end: Edge, documented_sec: float | None = None) -> Measured:
    """The time from one edge to another, never below zero, rounded to the millisecond."""
    return Measured(
        documented_sec,
        round(max(0.0, end.sec - start.sec), 3),
        round(max(0.0, end.lo_sec - start.hi_sec), 3),
        round(max(0.0, end.hi_sec - start.lo_sec), 3),
    )


def _filling_share(threshold_db: float, level_db: float) -> float:
    """Share of a window that a sound of `level_db` must fill to reach the threshold."""
    return float(min(1.0, 10.0 ** ((threshold_db - level_db) / 10.0)))


def _ramp(activity: Activity, frame: int, step: int, params: EdgeParams) -> int:
    """The furthest frame, walking away from the sound, whose level still stands above the noise."""
    audible = max(
        activity.noise_floor_db + params.above_noise_db, activity.threshold_db - params.below_threshold_db
    )
    limit = activity.grid.frames_of(params.longest_ramp_sec)
    reached = frame
    for index in range(frame + step, frame + step * (limit + 1), step):
        if not 0 <= index < activity.frames or activity.dbfs[index] < audible or activity.raw[index]:
            break
        reached = index
    return reached


def _edge(sec: float, lo: float, hi: float, activity: Activity) -> Edge:
    end = activity.frames * activity.hop_sec
    return Edge(
        round(sec, 3),
        round(max(0.0, min(lo, sec)), 4),
        round(min(end, max(hi, sec)), 4),
    )
