"""The local noise floor of a series of levels: a low percentile nearby, not across a change of background."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import Centi
from hotato.timing.robust.params import NoiseParams

Levels = NDArray[np.int32]
"""Hundredths of a decibel, wide enough to be added."""

_ROWS = 512


def local_floor(
    series: Centi | Levels, grid: FrameGrid, params: NoiseParams, cuts: tuple[int, ...] = ()
) -> Levels:
    """A low percentile of `series` from `reach_sec` before to `reach_sec` after, for every frame.

    It is taken every `step_sec` and linear in between, in whole hundredths of a decibel.

    Args:
        series: levels, shape (frames,).
        grid: the frame grid.
        params: how far it looks and how low.
        cuts: frames at which the background changes; what lies beyond one is not looked at.
    """
    floor = np.empty(len(series), dtype=np.int32)
    for first, stop in pairwise((0, *cuts, len(series))):
        floor[first:stop] = _stationary(series[first:stop], grid, params)
    return floor


def _stationary(series: Centi | Levels, grid: FrameGrid, params: NoiseParams) -> Levels:
    step = max(1, grid.frames_of(params.step_sec))
    reach = max(1, grid.frames_of(params.reach_sec))
    frames = len(series)
    if not frames:
        return np.zeros(0, dtype=np.int32)
    centres = np.arange(0, frames + step, step)
    inside = (centres >= reach) & (centres + reach <= frames)
    knots = np.empty(len(centres), dtype=np.int32)
    if inside.any():
        windows = sliding_window_view(series, 2 * reach)
        rank = int(params.percentile * (2 * reach - 1))
        which = centres[inside] - reach
        found = [
            np.partition(windows[which[at : at + _ROWS]], rank, axis=1)[:, rank]
            for at in range(0, len(which), _ROWS)
        ]
        knots[inside] = np.concatenate(found)
    for at in np.flatnonzero(~inside):
        centre = min(int(centres[at]), frames)
        near = series[max(0, min(centre - reach, frames - reach)) : max(centre + reach, reach)]
        rank = int(params.percentile * (len(near) - 1))
        knots[at] = np.partition(near, rank)[rank]
    return _between(knots, step)[:frames]


def _between(knots: Levels, step: int) -> Levels:
    """Linear interpolation in whole numbers: `step` values from each knot up to the next."""
    ahead = np.arange(step, dtype=np.int32)
    mixed = knots[:-1, None] * (step - ahead) + knots[1:, None] * ahead
    return np.asarray(mixed // step, dtype=np.int32).reshape(-1)
