"""Ways to tell sound from background, each weak where the others are strong.

`local` compares a level with its local floor; `mixture` fits two Gaussians to all levels of a part of the
recording; `contrast` adds up how far each band stands above its own local floor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hotato.timing.energy import Floats
from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import CENTI, Bands, Centi, centi
from hotato.timing.robust.noise import Levels
from hotato.timing.robust.params import VoteParams
from hotato.timing.robust.runs import detected
from hotato.timing.spans import Mask

_SIGMA_QUANTILE, _SIGMA_DEVIATIONS = 0.9, 1.28
"""A normal variable stays under its mean plus so many deviations in this share of cases."""

Floors = Callable[[int], Levels]
"""The floor of a band, by its number."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """How far the bands stand above their floors.

    Attributes:
        score: sum over bands and smoothing frames of the clipped contrast, hundredths of a decibel.
        unit: number of terms in a full sum: `score / unit` is a mean contrast.
    """

    score: Levels
    unit: int


def gate(total: Centi, params: VoteParams) -> int:
    """The level that a frame has to pass to be anything at all, hundredths of dBFS."""
    rank = int(params.loud_quantile * (len(total) - 1))
    loud = int(np.partition(total, rank)[rank])
    return max(centi(params.gate_dbfs), loud - centi(params.below_loud_db))


def local_vote(level: Levels, floor: Levels, open_: Mask, grid: FrameGrid, params: VoteParams) -> Mask:
    """Hysteresis of a level above its local floor."""
    over = level - np.maximum(floor, centi(params.local_lowest_dbfs))
    high, low = centi(params.local_high_db), centi(params.local_low_db)
    return detected(over, high, low, open_, grid=grid, params=params)


def mixture_vote(
    level: Levels, open_: Mask, grid: FrameGrid, params: VoteParams, cuts: tuple[int, ...] = ()
) -> Mask:
    """Hysteresis around the crossing of two Gaussians, a pair for each part between changes of background."""
    width = centi(params.mixture_hysteresis_db)
    crossing = np.empty(len(level), dtype=np.int32)
    for first, stop in pairwise((0, *cuts, len(level))):
        crossing[first:stop] = crossing_of(level[first:stop], params)
    return detected(level, crossing + width, crossing - width, open_, grid=grid, params=params)


def crossing_of(level: Levels, params: VoteParams) -> int:
    """Where the upper of two Gaussians becomes the likelier one, in hundredths of a decibel.

    Expectation and maximisation on a histogram of whole decibels (Dempster, Laird and Rubin 1977).
    """
    lowest = round(params.mixture_lowest_dbfs)
    whole = np.clip((level + CENTI // 2) // CENTI, lowest, 0)
    counts = np.bincount(whole - lowest, minlength=1 - lowest).astype(np.float64)
    at = np.arange(lowest, 1, dtype=np.float64)
    heap = np.cumsum(counts)
    middle = np.array(
        [
            at[np.searchsorted(heap, q * heap[-1])]
            for q in (params.mixture_low_quantile, params.mixture_high_quantile)
        ]
    )
    spread, share = np.array([4.0, 6.0]), np.array([0.5, 0.5])
    for _ in range(params.mixture_rounds):
        likely = _densities(at, middle, spread, share)
        part = likely / np.maximum(likely.sum(axis=0), 1e-300) * counts
        mass = np.maximum(part.sum(axis=1), 1e-9)
        middle = part @ at / mass
        spread = np.sqrt(np.maximum((part * np.square(at - middle[:, None])).sum(axis=1) / mass, 1.0))
        share = mass / mass.sum()
    low, high = np.argsort(middle, kind="stable")
    fine = np.arange(round(middle[low] * CENTI), round(middle[high] * CENTI) + 1)
    likely = _densities(fine / CENTI, middle, spread, share)
    above = np.flatnonzero(likely[high] >= likely[low])
    return int(fine[above[0]]) if len(above) else int(fine[-1])


def _densities(at: Floats, middle: Floats, spread: Floats, share: Floats) -> Floats:
    z = (at - middle[:, None]) / spread[:, None]
    return np.asarray(np.exp(-0.5 * np.square(z)) * (share / spread)[:, None])


def contrast(bands: Bands, open_: Mask, floors: Floors, params: VoteParams) -> Contrast:
    """The summed contrast of every frame; 0 where the gate is closed.

    Args:
        bands: the channel.
        open_: frames at which the gate is open.
        floors: gives the level that each band has to pass.
        params: parameters of the sum.
    """
    limit = centi(params.contrast_limit_db)
    total = np.zeros(bands.frames, dtype=np.int32)
    for number, level in enumerate(bands.levels):
        total += np.clip(level - floors(number), 0, limit)
    width = params.contrast_smooth_frames
    score = np.zeros(bands.frames, dtype=np.int32)
    padded = np.pad(total, (width // 2, width - 1 - width // 2))
    for shift in range(width):
        score += padded[shift : shift + bands.frames]
    score[~open_] = 0
    return Contrast(score, width * len(bands.levels))


def contrast_vote(found: Contrast, bands: Bands, open_: Mask, params: VoteParams) -> Mask:
    """Hysteresis on the contrast, its limits taken from the two classes it falls into."""
    high = upper_limit_db(found, params)
    unit = found.unit * CENTI
    low = high * params.contrast_low_share
    return detected(found.score, round(high * unit), round(low * unit), open_, grid=bands.grid, params=params)


def upper_limit_db(found: Contrast, params: VoteParams) -> float:
    """The contrast that a run must reach, in decibels."""
    unit = found.unit * CENTI
    split = _otsu(found)
    lower, upper = found.score[found.score <= split], found.score[found.score > split]
    if not len(upper) or not len(lower):
        return params.contrast_least_db
    middle = float(np.median(upper)) / unit
    ranks = [len(lower) // 2, int(_SIGMA_QUANTILE * (len(lower) - 1))]
    mu, high = (float(value) / unit for value in np.partition(lower, ranks)[ranks])
    sigma = max((high - mu) / _SIGMA_DEVIATIONS, params.contrast_least_sigma_db)
    limit = params.contrast_least_db
    if len(lower) > params.contrast_class_share * len(found.score):
        limit = max(limit, mu + params.contrast_sigmas * sigma)
    return max(
        min(limit, params.contrast_upper_share * middle),
        params.contrast_lowest_db,
        params.contrast_lowest_share * middle,
    )


def _otsu(found: Contrast) -> int:
    """The score that separates two classes of frames best (Otsu 1979), by quarters of a decibel."""
    step = found.unit * CENTI // 4
    counts = np.bincount(found.score // step).astype(np.float64)
    at = np.arange(len(counts)) + 0.5
    below, weighted = np.cumsum(counts), np.cumsum(counts * at)
    above = below[-1] - below
    valid = (below > 0) & (above > 0)
    gap = weighted / np.maximum(below, 1.0) - (weighted[-1] - weighted) / np.maximum(above, 1.0)
    between = np.where(valid, below * above * np.square(gap), -1.0)
    return int(np.argmax(between) + 1) * step
