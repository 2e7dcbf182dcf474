"""The end of a sound that noise covers.

A voice dies away; where noise stands close under it, the last part of the decay cannot be seen, and a sound
seems to end early. How early follows from how much of the decay the noise leaves: the smaller the range
between the loud parts of a sound and the floor under its end, the more is hidden. Without this, a pause of
0.15 s inside an utterance looks like one of 0.2 s or more, which is what a yield is. Beginnings are steep and
need none.
"""

from __future__ import annotations

import numpy as np

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import CENTI, Centi
from hotato.timing.robust.noise import Levels
from hotato.timing.robust.params import TailParams
from hotato.timing.spans import Run


def with_tails(
    pieces: list[Run], total: Centi, floor: Levels, grid: FrameGrid, params: TailParams
) -> list[Run]:
    """Runs carried on for the part of their decay that the floor hides; joined where it hides the rest.

    Args:
        pieces: runs of sound, in order.
        total: in-band levels.
        floor: the local floor of these.
        grid: the frame grid.
        params: how much is hidden.
    """
    carried: list[Run] = []
    limits = [*(piece.first for piece in pieces), len(total)][1:]
    loud = [_loud(piece, total, params) for piece in pieces]
    joins = False
    for index, (piece, limit) in enumerate(zip(pieces, limits, strict=bool(pieces))):
        range_db = (loud[index] - int(floor[piece.stop - 1])) / CENTI
        hidden_sec = min(max(params.sec_per_db * (params.full_range_db - range_db), 0.0), params.longest_sec)
        stop = min(piece.stop + grid.frames_of(hidden_sec), limit)
        carried.append(Run(carried.pop().first if joins else piece.first, stop))
        longest = params.bridge_sec + params.bridge_more * hidden_sec if hidden_sec else 0.0
        joins = limit < len(total) and limit - stop <= grid.frames_of(longest)
        joins = joins and _alike(loud[index : index + 2], int(floor[piece.stop - 1]), params)
    return carried


def _loud(piece: Run, total: Centi, params: TailParams) -> int:
    """The level of the loud part of a sound, hundredths of dBFS."""
    levels = np.sort(total[piece.first : piece.stop])
    return int(levels[int(params.loud_quantile * (len(levels) - 1))])


def _alike(loud: list[int], floor: int, params: TailParams) -> bool:
    """Whether two neighbours can be one sound: a crumb of the background is no part of the word beside it."""
    return min(loud) - floor >= params.alike_share * (max(loud) - floor)
