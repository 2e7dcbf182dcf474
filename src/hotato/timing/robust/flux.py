"""Sound that is no speech: engines, tones and gusts hold their level where a voice never does.

The level is taken after every band was measured against its own middle, so that no band of a coloured noise
outweighs the others: the sum over all bands of a noise then hardly moves, however it rumbles.
"""

from __future__ import annotations

import numpy as np

from hotato.timing.energy import Floats
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
    steady = flux(flat, grid, params) < params.limit_db * CENTI
    least, reach = grid.frames_of(params.least_sec), grid.frames_of(params.rim_sec)
    taken = np.zeros(len(mask), dtype=np.bool_)
    for run in runs(mask & steady):
        if run.frames >= least:  # the windows around these frames reach further than the frames do
            taken[max(0, run.first - reach) : run.stop + reach] = True
    return np.asarray(taken & mask)


def flux(flat: Levels, grid: FrameGrid, params: FluxParams) -> Floats:
    """Mean absolute change of the smoothed level around each frame, hundredths of a decibel in a frame.

    The change of a moving mean over n frames is the difference of the frames that enter and leave it, over n.
    """
    frames, smooth = len(flat), grid.frames_of(params.smooth_sec)
    change = np.zeros(frames, dtype=np.int64)
    if 0 < smooth < frames:
        at = smooth // 2
        change[at : at + frames - smooth] = np.abs(flat[smooth:] - flat[:-smooth])
    half = grid.frames_of(params.window_sec / 2.0)
    sums = np.concatenate([[0], np.cumsum(change)])
    here = np.arange(frames)
    first, stop = np.maximum(here - half, 0), np.minimum(here + half, frames)
    return np.asarray((sums[stop] - sums[first]) / np.maximum((stop - first) * smooth, 1))
