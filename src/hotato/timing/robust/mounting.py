"""Speech that an echo hides: it stands out at no moment, and is plain once it is added up.

Where a party speaks over an echo as loud as itself, the bands rise by a few decibels, no further than an echo
may rise now and then. But they stay there. So what each frame has over the usual is added up, starting anew
wherever the sum would fall below nothing (cumulative sum, Page 1954): under an echo alone it stays small,
under speech it mounts, and it mounts from where the speech began.
"""

from __future__ import annotations

import numpy as np

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import CENTI
from hotato.timing.robust.noise import Levels
from hotato.timing.robust.params import MountParams
from hotato.timing.robust.voters import Contrast
from hotato.timing.spans import Mask, Run, mask_of, merge, runs


def mounting(
    found: Contrast, driving: Mask, background: Mask, grid: FrameGrid, params: MountParams
) -> list[Run]:
    """The runs of an echo over which the contrast mounts up, in order.

    Args:
        found: contrast of every single frame over the echo as it usually is, without a margin.
        driving: frames in which the echo sounds; nothing is added up outside of them.
        background: frames in which nobody does.
        grid: the frame grid.
        params: what is usual, and how much has to come together.
    """
    unit = found.unit * CENTI
    usual = max(
        round(params.least_db * unit),
        round(params.over_middle * _ranked(found.score[driving], 0.5)),
        _ranked(found.score[background], params.background_quantile),
    )
    need, fall = round(params.sum_db * unit), round(params.fall_db * unit)
    over = np.minimum(found.score - usual, round(params.frame_limit_db * unit))
    echo = mask_of(merge(runs(driving), grid.frames_of(params.bridge_sec)), len(over))
    return _climbs(np.where(echo, over, -need - fall), need, fall)


def _ranked(values: Levels, share: float) -> int:
    """A quantile, 0 of nothing."""
    if not len(values):
        return 0
    rank = int(share * (len(values) - 1))
    return int(np.partition(values, rank)[rank])


def _climbs(over: Levels, need: int, fall: int) -> list[Run]:
    """Where the sum rises by `need`, each up to the peak from which it falls by `fall` or to nothing."""
    found: list[Run] = []
    total = peak = first = stop = 0
    for at, value in enumerate([*over.tolist(), -need - fall]):
        if not total:
            peak, first = 0, at
        total = max(0, total + value)
        if total > peak:
            peak, stop = total, at + 1
        elif peak >= need and (not total or peak - total >= fall):
            found.append(Run(first, stop))
            total = 0
    return found
