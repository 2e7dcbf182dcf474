"""The edges of both parties against the true ones: raw, and with their known bias removed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from hotato.benchmark.params import PARAMS
from hotato.benchmark.records import EdgeRow
from hotato.benchmark.truth import Truth
from hotato.listen import Heard, Track
from hotato.timing import (
    Activity,
    Edge,
    Run,
    Span,
    music_between,
    offset_edge,
    onset_edge,
    uncertain_offset,
    uncertain_onset,
)
from hotato.timing.calibration import Sounds


def edge_rows(heard: Heard, truth: Truth, keys: dict[str, str]) -> Iterator[EdgeRow]:
    """Every true edge and every measured one, paired where they are near enough.

    Args:
        heard: the call.
        truth: the true spans; a party without them has no rows.
        keys: where the call stands in the tables.
    """
    for track, spans in ((heard.caller, truth.caller), (heard.agent, truth.agent)):
        if spans is not None:
            yield from _party(track, spans, keys)


def _party(track: Track, spans: Sequence[Span], keys: dict[str, str]) -> Iterator[EdgeRow]:
    activity = track.activity
    runs, sounds = activity.trimmed_runs, Sounds(activity)
    starts, ends = [span.start_sec for span in spans], [span.end_sec for span in spans]
    measured = (
        ("edges", "onset", starts, {onset_edge(activity, run.first): run for run in runs}),
        ("edges", "offset", ends, {offset_edge(activity, run.stop): run for run in runs}),
        ("calibrated", "onset", starts, {sounds.begin(run): run for run in sounds.runs}),
        ("calibrated", "offset", ends, {sounds.stop(run): run for run in sounds.runs}),
    )
    for reading, side, true, edges in measured:
        for truth, edge in paired(true, list(edges)):
            yield EdgeRow(
                **keys,
                reading=reading,
                party=track.role,
                side=side,
                true_sec=None if truth is None else round(truth, 4),
                sec=None if edge is None else edge.sec,
                lo_sec=None if edge is None else edge.lo_sec,
                hi_sec=None if edge is None else edge.hi_sec,
                doubted=bool(activity.doubts)
                or (edge is not None and _uncertain(activity, side, edges[edge])),
                reasoned=bool(activity.reasons),
            )


def _uncertain(activity: Activity, side: str, sound: Run) -> bool:
    """Whether the edge itself is in doubt."""
    if side == "onset":
        frame, found = sound.first, uncertain_onset(activity, sound.first)
    else:
        frame, found = sound.stop, uncertain_offset(activity, sound.stop)
    return found is not None or music_between(activity, frame, frame) is not None


def paired(true: Sequence[float], edges: Sequence[Edge]) -> Iterator[tuple[float | None, Edge | None]]:
    """True edges and measured ones in order, each with the other where each is the other's nearest.

    Args:
        true: true times, ascending.
        edges: measured edges, ascending.
    """
    measured = [edge.sec for edge in edges]
    partner = [_nearest(measured, at) for at in true]
    back = [_nearest(true, at) for at in measured]
    taken = set()
    for index, at in enumerate(true):
        other = partner[index]
        if other is not None and back[other] == index:
            taken.add(other)
            yield at, edges[other]
        else:
            yield at, None
    for index, edge in enumerate(edges):
        if index not in taken:
            yield None, edge


def _nearest(times: Sequence[float], at: float) -> int | None:
    """Index of the time nearest to `at` within the match tolerance (the earlier of two as near), or None."""
    place = bisect_left(times, at)
    near = [index for index in (place - 1, place) if 0 <= index < len(times)]
    best = min(near, key=lambda index: abs(times[index] - at), default=None)
    if best is None or abs(times[best] - at) > PARAMS.edge_sec:
        return None
    return best
