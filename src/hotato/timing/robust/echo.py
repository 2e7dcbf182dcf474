"""Echo: which part of one channel is a delayed, scaled copy of the other.

Whether there is an echo, and how late, shows in how levels change: at the right lag the changes of a copy
follow those of its source, and at any other lag two voices change independently. How loud it is shows band by
band. A band then counts as sounding only above what the echo can reach.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hotato.timing.echo import lagged_dots
from hotato.timing.energy import Floats
from hotato.timing.grid import FrameGrid
from hotato.timing.robust.bands import CENTI, Bands, Centi, centi
from hotato.timing.robust.noise import Levels, local_floor
from hotato.timing.robust.params import EchoPathParams, NoiseParams
from hotato.timing.spans import Mask


@dataclass(frozen=True, slots=True)
class Follow:
    """How far the changes of one channel's level follow those of another's.

    Attributes:
        correlation: the largest correlation over all lags, rounded to 3 decimals.
        lag_frames: where it was found.
        sure: the source sounded for long enough to tell.
    """

    correlation: float
    lag_frames: int
    sure: bool


@dataclass(frozen=True, slots=True)
class EchoPath:
    """What an echo does to its source.

    Attributes:
        follow: the evidence.
        gains: level of the echo over its source by band, hundredths of a decibel; None where none shows.
    """

    follow: Follow
    gains: tuple[int | None, ...]

    @property
    def gain_db(self) -> float:
        """Median gain of the bands in which the echo shows."""
        return round(float(np.median([gain for gain in self.gains if gain is not None])) / CENTI, 1)


def level_follow(
    of: Floats, source: Floats, sounding: Mask, grid: FrameGrid, params: EchoPathParams | None = None
) -> Follow:
    """How far frame levels in dBFS follow those of `source` while that is `sounding`: the cheap test."""
    params = params or EchoPathParams()
    frames = min(len(of), len(source))
    row = (
        np.rint(of[:frames] * CENTI).astype(np.int32),
        np.rint(source[:frames] * CENTI).astype(np.int32),
        sounding[:frames],
    )
    return _follow([row], frames, grid, params)


def band_follow(of: Bands, source: Bands, noise: NoiseParams, params: EchoPathParams) -> Follow:
    """The same on all bands at once, each where the source stands above its own local floor."""
    frames = min(of.frames, source.frames)
    rows = (
        (of.levels[band, :frames], source.levels[band, :frames], _loud(source, band, frames, noise, params))
        for band in range(len(of.levels))
    )
    return _follow(rows, frames, of.grid, params)


def total_follow(of: Bands, source: Bands, noise: NoiseParams, params: EchoPathParams) -> Follow:
    """The same on the level of all bands together."""
    frames = min(of.frames, source.frames)
    level = source.total[:frames]
    loud = level > local_floor(level, source.grid, noise) + centi(params.source_over_floor_db)
    return _follow([(of.total[:frames], level, loud)], frames, of.grid, params)


def trace(
    of: Bands, source: Bands, follow: Follow, noise: NoiseParams, params: EchoPathParams
) -> EchoPath | None:
    """How loud the echo is in each band, or None where it shows in none."""
    frames = min(of.frames, source.frames)
    gains = tuple(
        _gain(of, source, band, frames, follow, noise=noise, params=params) for band in range(len(of.levels))
    )
    return None if all(gain is None for gain in gains) else EchoPath(follow, gains)


def reach(path: EchoPath, source: Bands, band: int, frames: int, params: EchoPathParams) -> Levels:
    """Up to which level a band may be echo, by frame, hundredths of dBFS."""
    gain = path.gains[band]
    if gain is None:
        return np.full(frames, centi(params.lowest_dbfs), dtype=np.int32)
    return delayed(source.levels[band], frames, path.follow.lag_frames, params) + (
        gain + centi(params.margin_db)
    )


def driving(path: EchoPath, source: Bands, frames: int, noise: NoiseParams, params: EchoPathParams) -> Mask:
    """Frames of the receiver that the source reaches: it sounds a lag earlier; shape (frames,)."""
    loud = source.total > local_floor(source.total, source.grid, noise) + centi(params.source_over_floor_db)
    late = np.zeros(frames, dtype=np.bool_)
    lag = path.follow.lag_frames
    kept = max(0, min(frames - lag, len(loud)))
    late[lag : lag + kept] = loud[:kept]
    return late


def delayed(source: Centi, frames: int, lag_frames: int, params: EchoPathParams) -> Levels:
    """Levels a lag later, widened to both sides, and dying away as in a room; shape (frames,)."""
    late = np.full(frames, centi(params.lowest_dbfs), dtype=np.int64)
    kept = max(0, min(frames - lag_frames, len(source)))
    late[lag_frames : lag_frames + kept] = source[:kept]
    wide = late.copy()
    for shift in range(1, params.widened_frames + 1):
        np.maximum(wide[shift:], late[:-shift], out=wide[shift:])
        np.maximum(wide[:-shift], late[shift:], out=wide[:-shift])
    fall = centi(params.decay_db) * np.arange(frames, dtype=np.int64)
    return np.asarray(np.maximum.accumulate(wide + fall) - fall, dtype=np.int32)


def _loud(source: Bands, band: int, frames: int, noise: NoiseParams, params: EchoPathParams) -> Mask:
    level = source.levels[band, :frames]
    return np.asarray(level > local_floor(level, source.grid, noise) + centi(params.source_over_floor_db))


def _gain(
    of: Bands,
    source: Bands,
    band: int,
    frames: int,
    follow: Follow,
    *,
    noise: NoiseParams,
    params: EchoPathParams,
) -> int | None:
    """Where the echo stands over its source in one band.

    A low quantile: the receiver's own speech lies above the echo and never below it.
    """
    receiver = of.levels[band, :frames]
    lag = follow.lag_frames
    loud = np.zeros(frames, dtype=np.bool_)
    loud[lag:] = _loud(source, band, frames, noise, params)[: frames - lag]
    heard = loud & (receiver > local_floor(receiver, of.grid, noise) + centi(params.heard_over_floor_db))
    count = int(np.count_nonzero(heard))
    if count < params.gain_min_frames or count < params.gain_min_share * np.count_nonzero(loud):
        return None
    ratio = receiver[heard] - delayed(source.levels[band], frames, lag, params)[heard]
    rank = int(params.gain_quantile * (count - 1))
    return int(np.partition(ratio, rank)[rank])


def _follow(
    rows: Iterable[tuple[Centi | Levels, Centi | Levels, Mask]],
    frames: int,
    grid: FrameGrid,
    params: EchoPathParams,
) -> Follow:
    """Correlation of level changes at every lag, in whole numbers; rows are (receiver, source, sounding)."""
    lags = min(grid.frames_of(params.max_lag_sec) + 1, frames)
    shared, heard, driving = np.zeros(lags), np.zeros(lags), 0.0
    sounding = np.zeros(frames, dtype=np.bool_)
    for of, source, loud in rows:
        change, drive = _changes(of, params), np.where(loud, _changes(source, params), 0)
        sounding |= loud
        moved, driven = change.astype(np.float64), drive.astype(np.float64)
        driving += float(driven @ driven)
        shared += lagged_dots(moved, driven, lags)
        heard += lagged_dots(np.square(moved), loud.astype(np.float64), lags)
    if np.count_nonzero(sounding) < grid.frames_of(params.least_source_sec) or not driving:
        return Follow(0.0, 0, False)
    correlation = shared / np.sqrt(np.maximum(heard * driving, 1.0))
    best = int(np.argmax(correlation))
    return Follow(round(max(0.0, float(correlation[best])), 3), best, True)


def _changes(levels: Centi | Levels, params: EchoPathParams) -> Levels:
    apart, most = params.change_frames, centi(params.change_limit_db)
    low = np.maximum(levels, centi(params.quiet_dbfs)).astype(np.int32)
    changes = np.zeros(len(levels), dtype=np.int32)
    changes[apart:] = np.clip(low[apart:] - low[:-apart], -most, most)
    return changes
