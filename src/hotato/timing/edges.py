"""Edges and error bars: where a sound really began and ended, and how sure that is.

The documented measurement counts whole frames and carries activity on for a hangover. Beside each of its
durations stands the value at the raw energy edges, without the hangover, and an interval that follows from
the frames alone.

Derivation, for an onset (hop h, window w, first active frame k; frame i covers [i h, i h + w)):

1. Frame k is active, so it holds some of the sound: the sound began before k h + w.
2. Walk back from k while the frames stand audibly above the local noise; let j be the last one reached (k
   itself where the edge is steep). Frame j - 1 shows no sound: what it holds of it is at most all it holds,
   an amplitude a (its RMS). The noise is the quietest frame of the gap before the sound.
3. Had the sound begun with a step, it began after (j - 1) h + w. Had it swelled, a beginning weaker than a
   may hide in frame j - 1. Let it swell as slowly as the square of time, and have risen to its level A
   (within 3 dB) r hops after j. The part that hides for a time t of frame j - 1 has the mean square
   c^2 t^5 / (5 w) in that frame, and c (t + r h)^2 = A: hence t^5 / (5 w) = (a / A)^2 (t + r h)^4. A faster
   swell hides for a shorter time. With r h of at most one hop (a step needs no more) and a quiet channel
   this is a millisecond or two.

So the sound began in [(j - 1) h + w - t, k h + w): one or two hops wide for a steep edge over a quiet
channel, wider where the sound swells or the noise is near. An offset is the mirror image:
(m h, (j + 1) h + t] with m the last active frame. The frame's own time always lies inside.

That holds for the documented detector, which is kept where nothing is hidden. The interval of an edge that
the robust detector found is at least as wide as such edges were measured to be wrong
(`hotato.timing.edge_errors`).
"""

from __future__ import annotations

from dataclasses import dataclass

from hotato.timing.activity import Activity
from hotato.timing.beside import quiet_beside, slice_from
from hotato.timing.edge_errors import OFFSET, ONSET, widened
from hotato.timing.energy import FLOOR_DBFS
from hotato.timing.spans import Edge

_ITERATIONS = 30


@dataclass(frozen=True, slots=True)
class EdgeParams:
    """What is audible beside an edge, and how far is looked.

    Attributes:
        above_noise_db: a frame this far above the local noise is audible and may belong to the sound.
        below_threshold_db: nothing further than this below the threshold is audible.
        longest_ramp_sec: a swell or decay is followed no further than this.
        rounding_dbfs: what is fainter than this may have been rounded to silence (half a step of 16 bits).
        inside_sec: how far inside the edge the level of the sound is read.
        full_within_db: the sound has risen once it is this close to that level.
    """

    above_noise_db: float = 6.0
    below_threshold_db: float = 20.0
    longest_ramp_sec: float = 0.30
    rounding_dbfs: float = -96.3
    inside_sec: float = 0.06
    full_within_db: float = 3.0


_PARAMS = EdgeParams()


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


def onset_edge(activity: Activity, frame: int) -> Edge:
    """The edge of a sound whose first active frame is `frame`; measured once, then known."""
    known = activity.onsets.get(frame)
    if known is None:
        grid = activity.grid
        reached, hidden_sec = _faint_part(activity, frame, ONSET)
        lo = (reached - 1) * grid.hop_sec + grid.window_sec - hidden_sec
        steep = _edge(frame * grid.hop_sec, lo, frame * grid.hop_sec + grid.window_sec, activity)
        known = activity.onsets[frame] = widened(steep, activity, frame, ONSET)
    return known


def offset_edge(activity: Activity, stop: int) -> Edge:
    """The edge of a sound whose last active frame is `stop - 1`; measured once, then known."""
    known = activity.offsets.get(stop)
    if known is None:
        hop = activity.grid.hop_sec
        reached, hidden_sec = _faint_part(activity, stop - 1, OFFSET)
        steep = _edge(stop * hop, (stop - 1) * hop, (reached + 1) * hop + hidden_sec, activity)
        known = activity.offsets[stop] = widened(steep, activity, stop - 1, OFFSET)
    return known


def audible_behind(activity: Activity, stop: int) -> bool:
    """Whether the frame behind a sound's last active one, `stop - 1`, still holds audible sound."""
    return _audible(activity, _beside(activity, stop - 1, OFFSET)) > 0


def duration(start: Edge, end: Edge, documented_sec: float | None = None) -> Measured:
    """The time from one edge to another, never below zero, rounded to the millisecond."""
    return Measured(
        documented_sec,
        round(max(0.0, end.sec - start.sec), 3),
        round(max(0.0, end.lo_sec - start.hi_sec), 3),
        round(max(0.0, end.hi_sec - start.lo_sec), 3),
    )


def _faint_part(activity: Activity, frame: int, step: int) -> tuple[int, float]:
    """How far a sound reaches beyond its last active frame, walking outwards from `frame` by `step`.

    Returns:
        The furthest audible frame, and for how many seconds more the sound may go on inaudibly.
    """
    grid, params = activity.grid, _PARAMS
    beside = _beside(activity, frame, step)
    audible = _audible(activity, beside)
    reached = frame + step * audible
    inside: list[float] = activity.dbfs[
        slice_from(reached, -step, grid.frames_of(params.inside_sec) + audible)
    ].tolist()
    full_db = max(inside) - params.full_within_db
    rise = next(count for count, level in enumerate(inside) if level >= full_db)
    if audible == len(beside):  # another sound or the end of the recording: nothing hides behind it
        return reached, 0.0
    share = min(1.0, 10.0 ** ((max(beside[audible], params.rounding_dbfs) - inside[rise]) / 20.0))
    hidden = _hidden_windows(share, rise * grid.hop_samples / grid.window_samples)
    return reached, min(hidden * grid.window_sec, params.longest_ramp_sec)


def _beside(activity: Activity, frame: int, step: int) -> list[float]:
    return quiet_beside(activity, frame, step, activity.grid.frames_of(_PARAMS.longest_ramp_sec))


def _audible(activity: Activity, beside: list[float]) -> int:
    """How many of the quiet frames beside an edge, nearest first, stand audibly above the quietest."""
    noise_db = min(beside, default=FLOOR_DBFS)
    audible_db = max(noise_db + _PARAMS.above_noise_db, activity.threshold_db - _PARAMS.below_threshold_db)
    return next((count for count, level in enumerate(beside) if level < audible_db), len(beside))


def _hidden_windows(share: float, rise: float) -> float:
    """Step 3 of the derivation: t with t ** 5 / 5 = share ** 2 * (t + rise) ** 4, all in windows."""
    hidden = 0.0
    for _ in range(_ITERATIONS):
        hidden = (5.0 * share**2 * (hidden + rise) ** 4) ** 0.2
    return hidden


def _edge(sec: float, lo: float, hi: float, activity: Activity) -> Edge:
    end = activity.frames * activity.hop_sec
    return Edge(
        round(sec, 3),
        round(max(0.0, min(lo, sec)), 4),
        round(min(end, max(hi, sec)), 4),
    )
