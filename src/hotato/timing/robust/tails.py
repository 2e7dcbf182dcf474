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
    """Runs carried on for the part of their decay that the floor hides, never into the next run.

    Args:
        pieces: runs of sound, in order.
        total: in-band levels.
        floor: the local floor of these.
        grid: the frame grid.
        params: how much is hidden.
    """
    carried: list[Run] = []
    limits = [*(piece.first for piece in pieces), len(total)][1:]
    for piece, limit in zip(pieces, limits, strict=bool(pieces)):
        levels = np.sort(total[piece.first : piece.stop])
        loud = int(levels[int(params.loud_quantile * (len(levels) - 1))])
        range_db = (loud - int(floor[piece.stop - 1])) / CENTI
        hidden_sec = params.sec_per_db * (params.full_range_db - range_db)
        frames = grid.frames_of(min(max(hidden_sec, 0.0), params.longest_sec))
        carried.append(Run(piece.first, min(piece.stop + frames, limit)))
    return carried
