"""The two-channel picture of a call, or of a stretch of it: what the templates need to draw it.

The caller stands above the line and the agent below, on one time axis: overlap is where both halves are
full, silence where both are empty. A single mixed channel stands above the line alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from hotato.listen import Call, Mixed, Track
from hotato.report.svg import Columns, Scale, Tick, full_height, heights, strip_path, time_ticks, wave_path
from hotato.timing import Run, Span, runs

BASE, REACH, STRIP = 100, 88, 7
"""Picture units: y of the line, the tallest wave, the height of an activity strip (0..200 in all)."""


@dataclass(frozen=True, eq=False)
class Lane:
    """One party in the picture: its role, its waveform path and its activity strip path."""

    role: str
    wave: str
    strip: str


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of the picture that is shaded over its full height, in percent of the width."""

    x: float
    width: float
    css: str


@dataclass(frozen=True, eq=False)
class Picture:
    """A stretch of the call, ready to be drawn.

    Attributes:
        scale: time to percent.
        total: width of the stretched part in hops.
        lanes: caller then agent, or the single mixed channel.
        overlap: path of the hops in which both are active.
        bands: shaded stretches.
        ticks: time axis.
        sounding_sec: seconds in which each lane is active, in order.
        overlap_sec: seconds in which both are.
    """

    scale: Scale
    total: int
    lanes: tuple[Lane, ...]
    overlap: str
    ticks: list[Tick]
    bands: tuple[Band, ...] = ()
    sounding_sec: tuple[float, ...] = ()
    overlap_sec: float = 0.0

    @property
    def two(self) -> bool:
        """Whether both parties are drawn."""
        return len(self.lanes) == 2


@dataclass(frozen=True, eq=False)
class Canvas:
    """What pictures of one call have in common, computed once.

    Attributes:
        tracks: caller and agent, or a single mixed track.
        hop_sec: seconds to a hop.
        hops: hops of the call.
        duration_sec: length of the call.
        full: the hop RMS drawn at full height, for each track.
        overlap: hops in which both parties are active, hangover excluded.
    """

    tracks: tuple[Track, ...]
    hop_sec: float
    hops: int
    duration_sec: float
    full: tuple[float, ...]
    overlap: np.ndarray[tuple[int], np.dtype[np.bool_]] = field(repr=False)

    @classmethod
    def of(cls, call: Call) -> Canvas:
        """The canvas of a call; one that mixes its parties has a single track and no overlap."""
        if isinstance(call, Mixed):
            tracks: tuple[Track, ...] = (call.track,)
            both = np.zeros(call.track.activity.frames, dtype=np.bool_)
        else:
            tracks = (call.caller, call.agent)
            both = call.caller.activity.trimmed & call.agent.activity.trimmed
        full = tuple(full_height(track.levels) for track in tracks)
        return cls(tracks, call.grid.hop_sec, len(both), call.duration_sec, full, both)

    def for_mode(self, mode: str) -> Canvas:
        """The canvas of an autopsy in `mode`: two channels that were opened as one mix are drawn as one."""
        if mode != "mono" or len(self.tracks) == 1:
            return self
        track = replace(self.tracks[0], role="mixed")
        return replace(self, tracks=(track,), full=self.full[:1], overlap=np.zeros_like(self.overlap))


def whole(canvas: Canvas, most_columns: int = 1200) -> Picture:
    """The whole call."""
    return stretch(canvas, Span(0.0, canvas.duration_sec), most_columns=most_columns, most_ticks=10)


def stretch(
    canvas: Canvas,
    span: Span,
    *,
    most_columns: int = 400,
    most_ticks: int = 8,
    bands: tuple[tuple[Span, str], ...] = (),
) -> Picture:
    """The part of the call inside `span`, with further spans shaded."""
    first = min(canvas.hops, max(0, round(span.start_sec / canvas.hop_sec)))
    stop = min(canvas.hops, max(first + 1, round(span.end_sec / canvas.hop_sec)))
    columns = Columns.over(first, stop, most_columns)
    total = columns.stop - columns.first
    scale = Scale(first * canvas.hop_sec, (first + total) * canvas.hop_sec)
    part = slice(columns.first, columns.stop)
    return Picture(
        scale=scale,
        total=total,
        lanes=tuple(
            _lane(track, columns, total, full=canvas.full[index], up=not index)
            for index, track in enumerate(canvas.tracks)
        ),
        overlap=strip_path(_visible(canvas.overlap, columns), 0, 2 * BASE),
        ticks=time_ticks(scale, most_ticks),
        bands=tuple(_band(scale, shaded, css) for shaded, css in bands),
        sounding_sec=tuple(
            round(float(np.count_nonzero(track.activity.trimmed[part])) * canvas.hop_sec, 2)
            for track in canvas.tracks
        ),
        overlap_sec=round(float(np.count_nonzero(canvas.overlap[part])) * canvas.hop_sec, 2),
    )


def _lane(track: Track, columns: Columns, total: int, *, full: float, up: bool) -> Lane:
    strip = strip_path(_visible(track.activity.trimmed, columns), BASE - STRIP - 1 if up else BASE + 1, STRIP)
    base = BASE - STRIP - 2 if up else BASE + STRIP + 2
    wave = wave_path(
        heights(track.levels, columns, full), columns.hops, total, base=base, height=REACH, up=up
    )
    return Lane(track.role, wave, strip)


def _visible(mask: np.ndarray[tuple[int], np.dtype[np.bool_]], columns: Columns) -> list[Run]:
    """Runs at the picture's resolution: exact where a column is one hop, else by majority."""
    if columns.hops == 1:
        return runs(mask[columns.first : columns.stop])
    return columns.mostly(mask)


def _band(scale: Scale, span: Span, css: str) -> Band:
    return Band(scale.percent(span.start_sec), scale.width(span.start_sec, span.end_sec), css)
