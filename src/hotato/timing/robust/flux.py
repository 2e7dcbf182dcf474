"""Sound that is no speech: engines, tones and gusts hold their level where a voice never does.

The level is taken after every band was measured against its own middle, so that no band of a coloured noise
outweighs the others: the sum over all bands of a noise then hardly moves, however it rumbles.
"""

from __future__ import annotations

import numpy as np

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import CENTI
from hotato.timing.robust.noise import Levels
from hotato.timing.robust.params import FluxParams
from hotato.timing.spans import Mask, runs


def steady_parts(mask: Mask, flat: Levels, grid: FrameGrid, params: FluxParams) -> Mask:
    """The frames of `mask` that lie in a steady sound: runs of them of at least `least_sec`.

    Args:
        mask: frames that were taken for sound.
        flat: level over all bands, each against its own middle.
        grid: the frame grid.
        params: the limits.
    """
    least, reach = grid.frames_of(params.least_sec), grid.frames_of(params.rim_sec)
    taken = np.zeros(len(mask), dtype=np.bool_)
    for run in runs(mask & _steady(flat, grid, params)):
        if run.frames >= least:  # the windows around these frames reach further than the frames do
            taken[max(0, run.first - reach) : run.stop + reach] = True
    return np.asarray(taken & mask)


def _steady(flat: Levels, grid: FrameGrid, params: FluxParams) -> Mask:
    """Frames around which the smoothed level changes by less than the limit, on average from frame to frame.

    The change of a moving mean over n frames is the difference of the frames that enter and leave it, over n.
    """
    frames, smooth = len(flat), grid.frames_of(params.smooth_sec)
    half = grid.frames_of(params.window_sec / 2.0)
    change = np.zeros(frames + 2 * half, dtype=np.int32)
    if 0 < smooth < frames:
        at = half + smooth // 2
        change[at : at + frames - smooth] = np.abs(flat[smooth:] - flat[:-smooth])
    # Sums may run over, and their differences are right all the same: no window comes near 2**31.
    sums = np.concatenate([np.zeros(1, np.int32), np.cumsum(change, dtype=np.int32)])
    inside = sums[2 * half :] - sums[: -2 * half] if half else sums[1:] - sums[:-1]
    limits = np.full(frames, round(params.limit_db * CENTI) * smooth * 2 * half, dtype=np.int32)
    for edge in range(min(half, frames)):  # a window at either end holds fewer frames
        limits[edge] = limits[frames - 1 - edge] = round(params.limit_db * CENTI) * smooth * (half + edge)
    return np.asarray(inside[:frames] < limits)
