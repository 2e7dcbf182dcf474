"""One event at its raw energy edges: every duration without the hangover, with its interval.

The documented durations count hangover-smoothed frames. Here each end is traced back to the last frame that
really carried energy and to the interval that holds the true edge (see `hotato.timing.edges`).
"""

from __future__ import annotations

import numpy as np

from hotato.timing.activity import Activity
from hotato.timing.edges import Measured, duration, offset_edge, onset_edge
from hotato.timing.event import EventTiming
from hotato.timing.spans import Edge, Mask, Run, runs


def event_edges(
    timing: EventTiming, caller: Activity, agent: Activity, *, labelled_onset_sec: float | None = None
) -> dict[str, Measured]:
    """The event's moments and durations at the raw energy edges.

    Args:
        timing: what was measured on the smoothed activity.
        caller: the caller's activity.
        agent: the agent's activity.
        labelled_onset_sec: the onset that a person stated, which is exact; None when it was detected.

    Returns:
        Seconds by name: `onset` always (a time, not a duration); `time_to_yield` when the agent yielded;
        `talk_over` always; `response_gap` and `premature_start` when the caller's turn ended and the agent
        answered. Where the hangover alone made an answer premature, `response_gap` says so: it is given at
        the raw edges although the documented value is None.
    """
    onset = _onset(timing, caller, labelled_onset_sec)
    found = {"onset": Measured(round(timing.onset_sec, 3), *_rounded(onset))}
    if timing.yield_frame is not None:
        end = _stop_before(agent, timing.yield_frame) or onset
        found["time_to_yield"] = duration(onset, end, timing.time_to_yield_sec)
    found["talk_over"] = _talk_over(timing, caller, agent, onset)
    if timing.turn_end_frame is not None and timing.response_frame is not None:
        turn_end = _stop_before(caller, timing.turn_end_frame) or onset
        response = onset_edge(agent, timing.response_frame)
        found["response_gap"] = duration(turn_end, response, timing.response_gap_sec)
        found["premature_start"] = duration(response, turn_end, timing.premature_start_sec)
    return found


def _onset(timing: EventTiming, caller: Activity, labelled_sec: float | None) -> Edge:
    """The stated onset as it is, clamped into the recording; a detected one with its interval."""
    if labelled_sec is None:
        return onset_edge(caller, timing.onset_frame)
    return Edge.exact(min(labelled_sec, caller.frames * caller.hop_sec))


def _stop_before(activity: Activity, frame: int) -> Edge | None:
    """The edge at which the sound before `frame` really ended, or None where there was none."""
    loud = np.flatnonzero(activity.raw[:frame])
    return offset_edge(activity, int(loud[-1]) + 1) if len(loud) else None


def _talk_over(timing: EventTiming, caller: Activity, agent: Activity, onset: Edge) -> Measured:
    """The stretches in which both really sounded, between the onset and the end of the search."""
    start, stop = timing.onset_frame, timing.search_stop_frame
    both = caller.trimmed & agent.trimmed
    window = np.zeros(len(both), dtype=np.bool_)
    window[start:stop] = both[start:stop]
    pieces = [_piece(run, both, (caller, agent), onset, timing) for run in runs(window)]
    return Measured(
        timing.talk_over_sec,
        round(sum(piece.sec for piece in pieces), 3),
        round(sum(piece.lo_sec for piece in pieces), 3),
        round(sum(piece.hi_sec for piece in pieces), 3),
    )


def _piece(
    run: Run, both: Mask, parties: tuple[Activity, Activity], onset: Edge, timing: EventTiming
) -> Measured:
    """One stretch of overlap: it begins with the later of the two sounds and ends with the earlier."""
    first, stop = run.first, run.stop
    if first == timing.onset_frame and first > 0 and both[first - 1]:
        begin = onset
    else:
        starts = [onset_edge(p, first) for p in parties if first == 0 or not p.trimmed[first - 1]]
        begin = Edge(*(max(values) for values in zip(*map(_rounded, starts), strict=True)))
    if stop == timing.search_stop_frame and stop < len(both) and both[stop]:
        end = _search_end(timing)
    else:
        stops = [offset_edge(p, stop) for p in parties if stop >= len(both) or not p.trimmed[stop]]
        end = Edge(*(min(values) for values in zip(*map(_rounded, stops), strict=True)))
    return duration(begin, end)


def _search_end(timing: EventTiming) -> Edge:
    """The end of the search: so long after the onset, on the grid, which neither of the two has to be."""
    sec = timing.search_stop_frame * timing.hop_sec
    return Edge(sec, sec - timing.hop_sec, sec + timing.hop_sec)


def _rounded(edge: Edge) -> tuple[float, float, float]:
    return round(edge.sec, 3), round(edge.lo_sec, 3), round(edge.hi_sec, 3)
