"""Activity: which frames of a channel carry sound, by which detector, and why that one.

The documented energy detector (METHODOLOGY, step 3) is the reference. An `Activity` says which detector
made it and with what evidence, so a second detector can take its place on a channel that the reference
cannot be trusted on without anything downstream changing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hotato.timing.config import VADParams
from hotato.timing.energy import FLOOR_DBFS, Floats
from hotato.timing.grid import FrameGrid
from hotato.timing.spans import Edge, Mask, Run, runs

REFERENCE = "reference"
ROBUST = "robust"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a detector was chosen or is doubted: a code and the numbers behind it (keys carry units)."""

    code: str
    evidence: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Activity:
    """Boolean activity of one channel on a frame grid.

    Attributes:
        grid: the frame grid.
        dbfs: level of each frame that the detector decided on.
        raw: frames at or above the threshold.
        active: `raw` with every active frame carried on for the hangover.
        threshold_db: dBFS at which a frame becomes active.
        noise_floor_db: dBFS of the quietest frames.
        detector: `reference`, or the name of the detector that replaced it.
        params: the parameters used.
        doubts: reasons not to rest a confident verdict on this activity; empty on a healthy channel.
        reasons: why another detector took the reference's place; empty where none did.
        music: stretches in which music plays that may pass for the party; no confident verdict rests on them.
        onsets: edges measured so far, by the first frame of their sound (many moments ask for one edge).
        offsets: likewise, by one past the last frame.
    """

    grid: FrameGrid
    dbfs: Floats
    raw: Mask
    active: Mask
    threshold_db: float
    noise_floor_db: float
    detector: str = REFERENCE
    params: VADParams = field(default_factory=VADParams)
    doubts: tuple[Reason, ...] = ()
    reasons: tuple[Reason, ...] = ()
    music: tuple[Run, ...] = ()
    onsets: dict[int, Edge] = field(default_factory=dict, init=False, repr=False)
    offsets: dict[int, Edge] = field(default_factory=dict, init=False, repr=False)

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.active)

    @property
    def hop_sec(self) -> float:
        """Seconds from one frame to the next."""
        return self.grid.hop_sec

    def extended(self, frames: int) -> Activity:
        """The same activity on a longer recording: quiet frames are added up to `frames`."""
        missing = frames - self.frames
        if missing <= 0:
            return self
        quiet = np.zeros(missing, dtype=np.bool_)
        return replace(
            self,
            dbfs=np.concatenate([self.dbfs, np.full(missing, FLOOR_DBFS)]),
            raw=np.concatenate([self.raw, quiet]),
            active=np.concatenate([self.active, quiet]),
        )

    @property
    def active_sec(self) -> float:
        """Seconds of active frames, hangover included."""
        return float(np.count_nonzero(self.active)) * self.hop_sec

    @cached_property
    def runs(self) -> list[Run]:
        """Runs of active frames, hangover included: what the documented measurement works on."""
        return runs(self.active)

    @cached_property
    def sounding(self) -> NDArray[np.intp]:
        """Indices of the raw frames, ascending."""
        return np.flatnonzero(self.raw)

    def sounding_frames(self, first: int, stop: int) -> int:
        """Number of raw frames in [first, stop)."""
        low, high = np.searchsorted(self.sounding, (first, stop))
        return max(0, int(high) - int(low))

    @cached_property
    def trimmed_runs(self) -> list[Run]:
        """The same runs, each cut back to its last raw frame: hangover bridges gaps but adds no tail."""
        before = np.searchsorted(self.sounding, [run.stop for run in self.runs]).tolist()
        return [
            Run(run.first, int(self.sounding[count - 1]) + 1) if count else run
            for run, count in zip(self.runs, before, strict=True)
        ]

    @cached_property
    def trimmed(self) -> Mask:
        """Boolean frames of `trimmed_runs`."""
        mask = np.zeros(self.frames, dtype=np.bool_)
        for run in self.trimmed_runs:
            mask[run.first : run.stop] = True
        return mask


def energy_vad(dbfs: Floats, grid: FrameGrid, params: VADParams | None = None) -> Activity:
    """The documented energy detector on the frame levels of one channel (METHODOLOGY, step 3).

    threshold = max(floor + rel_db, abs_gate_db), lowered to max(dbfs) - dyn_margin_db where that cap stands
    above the gate; floor = the element at int(percentile * (n - 1)) of the sorted levels.

    Args:
        dbfs: level of each frame, shape (frames,).
        grid: the frame grid.
        params: detector parameters.
    """
    params = params or VADParams()
    if not len(dbfs):
        none = np.zeros(0, dtype=np.bool_)
        return Activity(grid, dbfs, none, none, params.abs_gate_db, params.abs_gate_db, params=params)
    rank = int(params.noise_percentile * (len(dbfs) - 1))
    floor = float(np.partition(dbfs, rank)[rank])
    threshold = max(floor + params.rel_db, params.abs_gate_db)
    cap = float(dbfs.max()) - params.dyn_margin_db
    if cap > params.abs_gate_db:
        threshold = min(threshold, cap)
    raw = np.asarray(dbfs >= threshold)
    active = with_hangover(raw, grid.frames_of(params.hangover_sec))
    return Activity(grid, dbfs, raw, active, threshold, floor, params=params)


def with_hangover(raw: Mask, frames: int) -> Mask:
    """`raw` with every True carried on for `frames` more frames.

    Each step lets every True reach as far again as it has come, so that a few steps cover any hangover.
    """
    active, reach = raw.copy(), 0
    while reach < min(frames, len(raw) - 1):
        step = min(reach + 1, frames - reach, len(raw) - 1)
        active[step:] |= active[:-step]
        reach += step
    return active
