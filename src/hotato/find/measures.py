"""The magnitudes of a moment at the raw energy edges, with their intervals."""

from __future__ import annotations

import numpy as np

from hotato.find.walk import Walk, within
from hotato.timing import Activity, Edge, Measured, Run, Span, duration, offset_edge, onset_edge
from hotato.timing.silence import silence_edges, sound_end

_SAME_SEC = 0.002  # two edges, each rounded to the millisecond


def overlap(call: Walk, first: int, stop: int, documented_sec: float) -> Measured:
    """The time both really sounded within frames [first, stop): the sum over its pieces.

    A piece begins at the onset of whoever joined and ends at the offset of whoever left; a piece that the
    window cuts ends exactly there.
    """
    pieces = within(call.together, first, stop)
    if not pieces:
        return _grazing(call, first, stop, documented_sec)
    total = low = high = 0.0
    for piece in pieces:
        part = _part(call, piece, first, stop)
        total, low, high = total + part.sec, low + part.lo_sec, high + part.hi_sec
    return Measured(documented_sec, round(total, 3), round(low, 3), round(high, 3))


def _part(call: Walk, piece: Run, first: int, stop: int) -> Measured:
    """The length of one piece of the overlap in [first, stop); known from before where both lie inside."""
    inside = first < piece.first and piece.stop < stop
    known = call.parts.get(piece.first) if inside else None
    if known is None:
        start = _boundary(call, piece.first, first, onset=True)
        known = duration(start, _boundary(call, piece.stop, stop, onset=False))
        if inside:
            call.parts[piece.first] = known
    return known


def overlap_span(call: Walk, first: int, stop: int) -> Span:
    """From the first to the last frame of [first, stop) in which both really sound; empty where none is."""
    pieces = within(call.together, first, stop)
    return call.span(pieces[0].first, pieces[-1].stop) if pieces else call.span(first, first)


def _grazing(call: Walk, first: int, stop: int, documented_sec: float) -> Measured:
    """No frame holds both sounds: one had ended before the other began, as far as the edges can tell."""
    latest = min(sound_end(side, stop).hi_sec for side in (call.caller, call.agent))
    longest = max(0.0, latest - call.sec(max(0, first - 1)))
    return Measured(documented_sec, 0.0, 0.0, round(longest, 3))


def _boundary(call: Walk, frame: int, window_edge: int, *, onset: bool) -> Edge:
    """The edge at `frame`: of the party that changed there, or exact where only the window does."""
    for activity in (call.caller, call.agent):
        inside = activity.trimmed
        before = frame > 0 and bool(inside[frame - 1])
        after = frame < len(inside) and bool(inside[frame])
        if onset and after and not before:
            return onset_edge(activity, frame)
        if not onset and before and not after:
            return offset_edge(activity, frame)
    return Edge.exact(call.sec(window_edge))


def silence(call: Walk, first: int, stop: int) -> Measured:
    """A joint silence of frames [first, stop) at the raw edges: from the last sound's end to the next."""
    return duration(*silence_edges(call.caller, call.agent, first, stop), call.sec(stop - first))


def silence_span(call: Walk, first: int, stop: int) -> Span:
    """Where that silence begins and ends at the raw edges."""
    start, end = silence_edges(call.caller, call.agent, first, stop)
    return Span(start.sec, max(start.sec, end.sec))


def between(start: Edge, end: Edge, documented_sec: float | None) -> Measured:
    """The time between two edges."""
    return duration(start, end, documented_sec)


def to_hundredths(span: Span, measured: Measured) -> tuple[Span, Measured]:
    """Both to the hundredth that people are shown, so that beginning and length give the end there too.

    Nothing changes on a grid of whole hundredths. A number that is not the span's length is only rounded.
    """
    shown = Span(round(span.start_sec, 2), round(span.end_sec, 2))
    whole = abs(measured.sec - span.duration_sec) < _SAME_SEC
    sec = round(shown.duration_sec if whole else measured.sec, 2)
    lo, hi = min(measured.lo_sec, sec), max(measured.hi_sec, sec)
    return shown, Measured(measured.documented_sec, sec, lo, hi)


def level_over_noise_db(call: Walk, activity: Activity, first: int, stop: int) -> float | None:
    """Median level (the upper one of two) of a party's sounding frames in [first, stop) over its noise."""
    key = (activity, first, stop)
    if key not in call.levels:
        call.levels[key] = _over_noise_db(activity, first, stop)
    return call.levels[key]


def _over_noise_db(activity: Activity, first: int, stop: int) -> float | None:
    sounding = activity.dbfs[first:stop][activity.raw[first:stop]]
    if not len(sounding):
        return None
    middle = len(sounding) // 2  # np.median costs ten times as much on so few frames
    return round(float(np.partition(sounding, middle)[middle]) - activity.noise_floor_db, 1)
