"""From levels to runs: hysteresis, gaps closed, crumbs dropped."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.params import VoteParams
from hotato.timing.spans import Mask, Run, mask_of, merge, runs


def hysteresis(high: Mask, low: Mask) -> list[Run]:
    """The runs of `low` that hold a frame of `high`."""
    before = np.concatenate([[0], np.cumsum(high)])
    return [run for run in runs(low) if before[run.stop] > before[run.first]]


def tidy(pieces: list[Run], grid: FrameGrid, params: VoteParams) -> list[Run]:
    """Gaps of up to `bridge_sec` closed, then runs under `least_sec` dropped."""
    least = grid.frames_of(params.least_sec)
    return [run for run in merge(pieces, grid.frames_of(params.bridge_sec)) if run.frames >= least]


def detected(
    values: NDArray[np.int32],
    high: NDArray[np.int32] | int,
    low: NDArray[np.int32] | int,
    open_: Mask,
    *,
    grid: FrameGrid,
    params: VoteParams,
) -> Mask:
    """Frames of the runs in which `values` stay over `low` and somewhere pass `high`, the gate open."""
    pieces = hysteresis(open_ & (values > high), open_ & (values > low))
    return mask_of(tidy(pieces, grid, params), len(values))
