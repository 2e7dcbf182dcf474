"""Joint silence: the frames in which neither party sounds, and its ends at the raw energy edges."""

from __future__ import annotations

from bisect import bisect_right

from hotato.timing.activity import Activity
from hotato.timing.edges import offset_edge, onset_edge
from hotato.timing.spans import Edge, Run, runs


def joint_silences(caller: Activity, agent: Activity) -> list[Run]:
    """The runs in which neither is active, hangover included."""
    return runs(~(caller.active | agent.active))


def silence_edges(caller: Activity, agent: Activity, first: int, stop: int) -> tuple[Edge, Edge]:
    """The raw edges of a joint silence of frames [first, stop): from the last sound's end to the next sound.

    At the end of the recording the end is exact.
    """
    start = max((sound_end(side, first) for side in (caller, agent)), key=lambda edge: edge.sec)
    if stop >= caller.frames:
        return start, Edge.exact(round(caller.frames * caller.hop_sec, 3))
    begins = next(party for party in (agent, caller) if party.active[stop])
    return start, onset_edge(begins, stop)


def sound_end(activity: Activity, frame: int) -> Edge:
    """The raw end of the last sound before `frame`; the beginning of the recording where there was none."""
    stop = sound_stop(activity, frame)
    return offset_edge(activity, stop) if stop else Edge.exact(0.0)


def sound_stop(activity: Activity, frame: int) -> int:
    """One past the last frame before `frame` that belongs to a sound, hangover excluded; 0 for none."""
    pieces = activity.trimmed_runs
    index = bisect_right(pieces, frame - 1, key=lambda run: run.first) - 1
    return min(frame, pieces[index].stop) if index >= 0 else 0
