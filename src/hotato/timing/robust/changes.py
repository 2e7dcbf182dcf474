"""Where the background changes for good: noise that begins or ends in the middle of a recording.

A local floor that looks to both sides takes seconds to follow such a change, and everything in between counts
as sound. So the change is found first, and the floor is taken from each side alone.

At a change the floor of the seconds after differs from that of the seconds before. Speech does that as well;
but a background is there all the time, so on its louder side the quietest frames lie close together, while
the quietest frames of speech are pauses of any depth.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import Centi, centi
from hotato.timing.robust.params import ChangeParams

_ROWS = 512


def changes(total: Centi, grid: FrameGrid, params: ChangeParams) -> tuple[int, ...]:
    """Frames at which the background of a channel changes, ascending.

    Args:
        total: in-band levels, shape (frames,).
        grid: the frame grid.
        params: what counts as a change.
    """
    step, reach = grid.frames_of(params.step_sec), grid.frames_of(params.reach_sec)
    if len(total) < 2 * reach or not step:
        return ()
    level = np.maximum(total, centi(params.lowest_dbfs))
    low, spread = _quiet(level, reach, step, params)
    apart = reach // step
    rise = low[apart:] - low[:-apart]
    louder = np.where(rise > 0, spread[apart:], spread[:-apart])
    wanted = (np.abs(rise) >= centi(params.least_db)) & (louder <= centi(params.steady_spread_db))
    found: set[int] = set()
    for group in _groups(np.flatnonzero(wanted), np.sign(rise)):
        largest = group[np.abs(rise[group]) == np.abs(rise[group]).max()]
        best = int(largest[len(largest) // 2])
        before, after = int(low[best]), int(low[best + apart])
        found.add(_exact(level, best * step + reach, reach, before, after))
    return tuple(sorted(found))


def _quiet(
    level: Centi, reach: int, step: int, params: ChangeParams
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The floor of each window, and how far the next quantile lies above it."""
    windows = sliding_window_view(level, reach)[::step]
    ranks = [int(share * (reach - 1)) for share in (params.low_quantile, params.high_quantile)]
    parts = [
        np.partition(windows[at : at + _ROWS], ranks, axis=1)[:, ranks]
        for at in range(0, len(windows), _ROWS)
    ]
    found = np.concatenate(parts).astype(np.int32)
    return found[:, 0], found[:, 1] - found[:, 0]


def _groups(indices: NDArray[np.intp], sign: NDArray[np.int32]) -> list[NDArray[np.intp]]:
    """Neighbouring indices of one sign."""
    if not len(indices):
        return []
    breaks = np.flatnonzero((np.diff(indices) > 1) | (np.diff(sign[indices]) != 0)) + 1
    return np.split(indices, breaks)


def _exact(level: Centi, near: int, reach: int, before: int, after: int) -> int:
    """The frame of the change: on the louder side no frame lies under the middle of both floors."""
    first, stop = max(0, near - reach), min(len(level), near + reach)
    quiet = np.flatnonzero(level[first:stop] < (before + after) // 2)
    if not len(quiet):
        return near
    return first + int(quiet[-1] + 1 if after > before else quiet[0])
