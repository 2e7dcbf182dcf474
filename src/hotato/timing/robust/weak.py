"""What is too weak for the sound it is joined to: background that passes for the beginning of a word.

Voices behind a speaker, or an echo nobody found, rise far enough above the local floor to count as sound, and
joined to real speech they move its beginning. Next to that speech they are weak: they stay nearer to the
floor than to the loud sound around them for longer than a voice does between two syllables.
"""

from __future__ import annotations

import numpy as np

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import Centi
from hotato.timing.robust.noise import Levels
from hotato.timing.robust.params import WeakParams
from hotato.timing.spans import Mask, Run, runs


def without_weak_parts(
    pieces: list[Run], total: Centi, floor: Levels, grid: FrameGrid, params: WeakParams
) -> list[Run]:
    """Runs without the stretches that stay weak beside what is loud nearby in the same run.

    Args:
        pieces: runs of sound, in order.
        total: in-band levels.
        floor: the local floor of these.
        grid: the frame grid.
        params: what is weak, and for how long.
    """
    kept = []
    for piece in pieces:
        inside = slice(piece.first, piece.stop)
        strong = _strong(total[inside].astype(np.int32), floor[inside], grid, params)
        kept += [Run(piece.first + run.first, piece.first + run.stop) for run in runs(strong)]
    return kept


def _strong(level: Levels, floor: Levels, grid: FrameGrid, params: WeakParams) -> Mask:
    """The frames of one run that are not in a weak stretch."""
    reach, least = grid.frames_of(params.reach_sec), grid.frames_of(params.least_sec)
    step = max(1, grid.frames_of(params.step_sec))
    strong = np.ones(len(level), dtype=np.bool_)
    if len(level) <= least:
        return strong
    weak = np.zeros(len(level), dtype=np.bool_)
    for at in range(0, len(level), step):
        near = level[max(0, at - reach) : at + step + reach]
        rank = int(params.loud_quantile * (len(near) - 1))
        loud = int(np.partition(near, rank)[rank])
        under = floor[at : at + step]
        weak[at : at + step] = level[at : at + step] - under < params.share * (loud - under)
    for run in runs(weak):
        if run.frames >= least:
            strong[run.first : run.stop] = False
    return strong
