"""One caller onset, measured: did the agent yield, when, over how much talk, and how it answered.

METHODOLOGY, steps 4 to 6. Everything here works on the hangover-smoothed activity of both channels, as
documented; the values at the raw energy edges and their intervals are in `hotato.timing.edges`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.timing.activity import Activity
from hotato.timing.config import ScoreConfig
from hotato.timing.grid import FrameGrid
from hotato.timing.spans import Mask, first_run, iter_runs


@dataclass(frozen=True, slots=True)
class EventTiming:
    """What was measured from one caller onset on; frames are indices, seconds are frames times the hop.

    Attributes:
        onset_frame: frame of the caller onset.
        hop_sec: seconds to a frame.
        agent_talking_at_onset: whether any agent frame was active in the lookback up to the onset.
        yield_frame: first frame of the agent's counted silence, or None.
        overlap_frames: frames from the onset to the yield (or the end of the search) with both active.
        search_stop_frame: one past the last frame in which a yield was looked for.
        turn_end_frame: first frame of the silence that ended the caller's turn, or None.
        response_frame: first frame of the agent's next fresh run, or None.
        premature: the response began before the turn end by more than the tolerance.
    """

    onset_frame: int
    hop_sec: float
    agent_talking_at_onset: bool
    yield_frame: int | None
    overlap_frames: int
    search_stop_frame: int
    turn_end_frame: int | None
    response_frame: int | None
    premature: bool

    @property
    def onset_sec(self) -> float:
        """Time of the onset frame (unrounded)."""
        return self.onset_frame * self.hop_sec

    @property
    def did_yield(self) -> bool:
        """Whether the agent went quiet and stayed quiet, near the caller, inside the search window."""
        return self.yield_frame is not None

    @property
    def time_to_yield_sec(self) -> float | None:
        """Seconds from the onset to the yield; None when the agent did not yield."""
        return None if self.yield_frame is None else _sec(self.yield_frame - self.onset_frame, self.hop_sec)

    @property
    def talk_over_sec(self) -> float:
        """Seconds in which both were active between the onset and the yield (or the end of the search)."""
        return _sec(self.overlap_frames, self.hop_sec)

    @property
    def response_gap_sec(self) -> float | None:
        """Seconds from the caller's turn end to the agent's answer; None when premature or not derivable."""
        if self.turn_end_frame is None or self.response_frame is None or self.premature:
            return None
        return _sec(max(0, self.response_frame - self.turn_end_frame), self.hop_sec)

    @property
    def premature_start_sec(self) -> float | None:
        """Lead of the answer over the turn end in seconds; 0.0 within tolerance, None if not derivable."""
        if self.turn_end_frame is None or self.response_frame is None:
            return None
        return _sec(self.turn_end_frame - self.response_frame, self.hop_sec) if self.premature else 0.0


def _sec(frames: int, hop_sec: float) -> float:
    return round(frames * hop_sec, 3)


def detect_onset(caller: Activity, cfg: ScoreConfig) -> int | None:
    """Frame at which the caller's first sustained run of activity begins, or None (METHODOLOGY, step 4)."""
    run = first_run(caller.active, min_frames=caller.grid.frames_of(cfg.onset_min_run_sec))
    return None if run is None else run.first


def measure_event(caller: Activity, agent: Activity, onset_frame: int, cfg: ScoreConfig) -> EventTiming:
    """Measure one event at `onset_frame` (clamped into the recording)."""
    grid = caller.grid
    frames = min(caller.frames, agent.frames)
    onset = max(0, min(onset_frame, frames - 1))
    window_stop = min(frames, onset + grid.frames_of(cfg.max_search_sec))
    yield_frame = find_yield(caller.active, agent.active, onset, cfg, grid)
    search_stop = window_stop if yield_frame is None else yield_frame
    both = caller.active[onset:search_stop] & agent.active[onset:search_stop]
    turn_end = find_turn_end(caller.active, onset, grid.frames_of(cfg.turn_end_silence_sec))
    response = find_response(agent.active, onset)
    lead = 0 if turn_end is None or response is None else turn_end - response
    return EventTiming(
        onset_frame=onset,
        hop_sec=grid.hop_sec,
        agent_talking_at_onset=talking_at(agent.active, onset, grid.frames_of(cfg.agent_onset_lookback_sec)),
        yield_frame=yield_frame,
        overlap_frames=int(np.count_nonzero(both)),
        search_stop_frame=search_stop,
        turn_end_frame=turn_end,
        response_frame=response,
        premature=lead > grid.frames_of(cfg.premature_tolerance_sec),
    )


def talking_at(active: Mask, frame: int, lookback_frames: int) -> bool:
    """Whether any frame of the lookback up to and including `frame` is active."""
    return bool(active[max(0, frame - lookback_frames) : frame + 1].any())


def find_yield(caller: Mask, agent: Mask, onset: int, cfg: ScoreConfig, grid: FrameGrid) -> int | None:
    """First frame from `onset` on where the agent falls quiet, stays quiet, and the caller is near.

    A silence counts when it lasts `yield_hangover_sec` inside the recording, begins within `max_search_sec`
    of the onset, and the caller is active within `caller_proximity_sec` of its beginning. An agent that is
    already quiet at the onset has its silence begin there.
    """
    hold = grid.frames_of(cfg.yield_hangover_sec)
    near = grid.frames_of(cfg.caller_proximity_sec)
    last = onset + grid.frames_of(cfg.max_search_sec)
    for quiet in iter_runs(~agent, onset):
        if quiet.first >= last:
            return None
        if quiet.frames >= hold and caller[max(0, quiet.first - near) : quiet.first + near + 1].any():
            return quiet.first
    return None


def find_turn_end(caller: Mask, onset: int, silence_frames: int) -> int | None:
    """First frame of the silence that ends the caller's turn at or after `onset`.

    None if the caller is never active from there on, or is not quiet for `silence_frames` before the end.
    """
    active = np.flatnonzero(caller[onset:])
    if not len(active):
        return None
    for quiet in iter_runs(~caller, onset + int(active[0])):
        if quiet.frames >= silence_frames:
            return quiet.first
    return None


def find_response(agent: Mask, onset: int) -> int | None:
    """First frame of the agent's next fresh run, or None; speech under way at `onset` is skipped."""
    for run in iter_runs(agent, onset):
        if run.first > onset:
            return run.first
    return None
