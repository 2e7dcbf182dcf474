"""The level over all bands, each measured against its own middle: a coloured noise without its colour."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from hotato.timing.robust.bands import CENTI, Bands, Centi, centi
from hotato.timing.robust.noise import Levels
from hotato.timing.robust.params import FlatParams


def flat_level(bands: Bands, cuts: tuple[int, ...], params: FlatParams) -> Levels:
    """Ten times the logarithm of the mean over bands of power over middle power, hundredths of a decibel.

    Args:
        bands: the channel.
        cuts: frames at which the background changes; each part has middles of its own.
        params: what a middle is.
    """
    summed = np.zeros(bands.frames)
    for level in bands.levels:
        over = level - _middles(level, cuts, params)
        summed += 10.0 ** (over / (10.0 * CENTI))
    return np.rint(10.0 * CENTI * np.log10(summed / len(bands.levels))).astype(np.int32)


def _middles(level: Centi, cuts: tuple[int, ...], params: FlatParams) -> Levels:
    middles = np.empty(len(level), dtype=np.int32)
    for first, stop in pairwise((0, *cuts, len(level))):
        if stop > first:
            rank = int(params.middle_quantile * (stop - first - 1))
            middles[first:stop] = np.partition(level[first:stop], rank)[rank]
    return np.maximum(middles, centi(params.lowest_dbfs))
