"""The level over all bands, each measured against its own middle: a coloured noise without its colour."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from hotato.timing.robust.bands import CENTI, Bands, Centi, centi
from hotato.timing.robust.noise import Levels
from hotato.timing.robust.params import FlatParams

_CHUNK = 1 << 14


def flat_level(bands: Bands, cuts: tuple[int, ...], params: FlatParams) -> Levels:
    """Ten times the logarithm of the mean over bands of power over middle power, hundredths of a decibel.

    Args:
        bands: the channel.
        cuts: frames at which the background changes; each part has middles of its own.
        params: what a middle is.
    """
    flat = np.empty(bands.frames, dtype=np.int32)
    for first, stop in pairwise((0, *cuts, bands.frames)):
        middles = [_middle(level[first:stop], params) for level in bands.levels] if stop > first else []
        for at in range(first, stop, _CHUNK):
            part = slice(at, min(at + _CHUNK, stop))
            powers = (
                10.0 ** ((level[part].astype(np.int32) - middle) / (10.0 * CENTI))
                for level, middle in zip(bands.levels, middles, strict=True)
            )
            mean = sum(powers) / len(bands.levels)
            flat[part] = np.rint(10.0 * CENTI * np.log10(mean))
    return flat


def _middle(level: Centi, params: FlatParams) -> int:
    rank = int(params.middle_quantile * (len(level) - 1))
    return max(int(np.partition(level, rank)[rank]), centi(params.lowest_dbfs))
