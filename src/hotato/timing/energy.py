"""Exact energies: integer samples in, sums of squares per frame out, in bounded memory.

Every sum is a sum of integers. Samples of at most 16 bits are summed in float64, where the sums stay far
below 2**53 (a frame at 192 kHz sums 3840 squares of at most 2**30: 2**42); wider ones in int64, rounded once
to float64 at the end. So any order of summation, SIMD path or machine gives the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid

FLOOR_DBFS = -120.0
_FLOOR_RMS = 1e-6
_LANE_NUMBERS = 1 << 16  # numbers reduced at a time: 0.5 MB as float64, so that they stay in a core's cache

Floats = NDArray[np.float64]
Samples = NDArray[np.integer[Any]]


def to_dbfs(rms: Floats) -> Floats:
    """Decibels relative to full scale of linear RMS values, not below -120 dBFS: 20 * log10(rms)."""
    return np.asarray(20.0 * np.log10(np.maximum(rms, _FLOOR_RMS)))


@dataclass(frozen=True, eq=False)
class Levels:
    """What one channel's samples amounted to, frame by frame.

    Attributes:
        grid: the frame grid.
        full_scale: the integer that stands for 1.0.
        samples: how many samples the channel has.
        square_sums: exact sum of squares of each frame.
        sums: exact sum of samples of each frame.
        hop_peaks: largest absolute sample of each hop (hop k covers samples [k * hop, (k + 1) * hop)).
        low_track: exact sum of samples of each sub-block, `grid.subblocks_per_hop` to a hop: the channel at a
            few hundred Hz, which is where DC and mains hum live.
        clipped_samples: how many samples stand at full scale.
    """

    grid: FrameGrid
    full_scale: int
    samples: int
    square_sums: Floats
    sums: Floats
    hop_peaks: NDArray[np.int32]
    low_track: NDArray[np.int64]
    clipped_samples: int

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.square_sums)

    @cached_property
    def frame_samples(self) -> NDArray[np.int64]:
        """How many samples each frame really covers; fewer than a window at the end of the recording."""
        starts = np.arange(self.frames, dtype=np.int64) * self.grid.hop_samples
        return np.minimum(self.grid.window_samples, self.samples - starts)

    @cached_property
    def rms(self) -> Floats:
        """Linear root mean square of each frame, 1.0 = full scale."""
        return np.asarray(np.sqrt(self.square_sums / self.frame_samples) / self.full_scale)

    @cached_property
    def dbfs(self) -> Floats:
        """Level of each frame in dBFS, at least -120."""
        return to_dbfs(self.rms)

    @property
    def peak(self) -> float:
        """Largest absolute sample, 1.0 = full scale."""
        return float(self.hop_peaks.max(initial=0)) / self.full_scale

    @property
    def clipped_fraction(self) -> float:
        """Share of the samples that stand at full scale."""
        return self.clipped_samples / self.samples if self.samples else 0.0

    @property
    def mean(self) -> float:
        """Mean sample (the DC offset), 1.0 = full scale."""
        return float(self.low_track.sum()) / self.samples / self.full_scale if self.samples else 0.0

    def without_dc(self) -> Levels:
        """The same channel with its mean subtracted from every sample.

        sum((x - m)^2) = sum(x^2) - 2 m sum(x) + n m^2, from the exact sums; no second pass over the samples.
        Peaks and the low track stay as they were recorded.
        """
        mean = self.mean * self.full_scale
        squares = self.square_sums - 2.0 * mean * self.sums + self.frame_samples * (mean * mean)
        return replace(self, square_sums=np.maximum(squares, 0.0), sums=self.sums - mean * self.frame_samples)


class EnergyMeter:
    """Takes a recording block by block and ends with one `Levels` per channel.

    Memory grows with the frames, never with the samples. Blocks of any size give the same bits.

    Args:
        grid: the frame grid.
        channels: how many channels each block has.
        full_scale: the integer that stands for 1.0; 32768 takes int16 blocks and sums in float64, anything
            wider takes int32 blocks and sums in int64.
    """

    def __init__(self, grid: FrameGrid, channels: int, full_scale: int):
        self._grid = grid
        self._channels = channels
        self._full_scale = full_scale
        self._samples = 0
        self._rest: Samples = np.zeros((0, channels), dtype=np.int16 if full_scale <= 32768 else np.int32)
        self._lanes = _Lanes(grid, channels, full_scale)
        self._hops: list[_HopSums] = []

    def feed(self, block: Samples) -> None:
        """Add the next samples, shape (n, channels)."""
        self._samples += len(block)
        joined = np.concatenate([self._rest, block]) if len(self._rest) else block
        hop = self._grid.hop_samples
        whole = len(joined) // hop * hop
        step = self._lanes.capacity * hop
        for start in range(0, whole, step):
            self._hops.append(self._lanes.reduce(joined[start : min(start + step, whole)]))
        self._rest = joined[whole:].copy()

    def finish(self) -> tuple[Levels, ...]:
        """End the recording: one `Levels` for each channel, in order."""
        if len(self._rest):
            missing = np.zeros((self._grid.hop_samples - len(self._rest), self._channels), self._rest.dtype)
            self._hops.append(self._lanes.reduce(np.concatenate([self._rest, missing])))
            self._rest = self._rest[:0]
        return tuple(self._levels(channel) for channel in range(self._channels))

    def _levels(self, channel: int) -> Levels:
        def whole(pick: Callable[[_HopSums], NDArray[Any] | None], dtype: Any = np.int64) -> NDArray[Any]:
            parts = [part[channel] for part in map(pick, self._hops) if part is not None]
            return np.concatenate(parts, dtype=dtype, casting="unsafe") if parts else np.zeros(0, dtype)

        low = whole(lambda hops: hops.low)
        sums = np.einsum("kp->k", low.reshape(-1, self._grid.subblocks_per_hop))
        return Levels(
            grid=self._grid,
            full_scale=self._full_scale,
            samples=self._samples,
            square_sums=_windowed(
                whole(lambda hops: hops.squares), whole(lambda hops: hops.square_tails), self._grid
            ),
            sums=_windowed(sums, whole(lambda hops: hops.sum_tails), self._grid),
            hop_peaks=whole(lambda hops: hops.peaks, np.int32),
            low_track=low,
            clipped_samples=sum(int(hops.clipped[channel]) for hops in self._hops),
        )


@dataclass(frozen=True, eq=False, slots=True)
class _HopSums:
    """Some hops of all channels, reduced; every array has the shape (channels, hops), `low` more columns.

    `square_tails` and `sum_tails` cover the first samples of each hop only: as many as a window reaches
    beyond a whole number of hops; None on most grids, where that is none.
    """

    squares: NDArray[Any]
    square_tails: NDArray[Any] | None
    sum_tails: NDArray[Any] | None
    low: NDArray[Any]
    peaks: NDArray[Any]
    clipped: NDArray[np.int64]


class _Lanes:
    """Buffers in which each channel's hops lie one after the other, kept from one block to the next."""

    def __init__(self, grid: FrameGrid, channels: int, full_scale: int):
        hop = grid.hop_samples
        wide = full_scale > 32768
        self.capacity = max(1, _LANE_NUMBERS // (channels * hop))
        shape = (channels, self.capacity * hop)
        self._hop = hop
        self._tail = grid.window_samples % hop
        self._top = full_scale - 1
        self._samples = np.empty(shape, dtype=np.int32 if wide else np.int16)
        self._heights = np.empty_like(self._samples)
        self._numbers: NDArray[Any] = np.empty(shape, dtype=np.int64 if wide else np.float64)
        self._ones = np.ones(hop // grid.subblocks_per_hop, dtype=self._numbers.dtype)
        self._kept = np.int64 if wide else np.int32  # sums of the low track: fewer than 2**16 int16 fit int32

    def reduce(self, block: Samples) -> _HopSums:
        """Reduce a whole number of hops, at most `capacity`, shape (hops * hop, channels)."""
        samples, numbers = self._samples[:, : len(block)], self._numbers[:, : len(block)]
        np.copyto(samples, block.T)
        np.copyto(numbers, samples)
        heights = self._absolute(samples).reshape(len(samples), -1, self._hop)
        peaks = heights.max(axis=2)
        hops = numbers.reshape(len(samples), -1, self._hop)
        parts = numbers.reshape(len(samples), -1, len(self._ones))
        tails = hops[:, :, : self._tail] if self._tail else None
        return _HopSums(
            squares=np.vecdot(hops, hops),
            square_tails=None if tails is None else np.vecdot(tails, tails),
            sum_tails=None if tails is None else tails.sum(axis=2),
            low=(parts @ self._ones).astype(self._kept),
            peaks=peaks,
            clipped=self._clipped(heights, peaks),
        )

    def _absolute(self, samples: Samples) -> NDArray[Any]:
        """|samples|, unsigned: the bits of abs(-32768) in int16 are those of 32768 in uint16."""
        heights = self._heights[:, : samples.shape[1]]
        np.abs(samples, out=heights)
        return heights.view(np.uint16 if heights.dtype == np.int16 else np.uint32)

    def _clipped(self, heights: NDArray[Any], peaks: NDArray[Any]) -> NDArray[np.int64]:
        if peaks.max() < self._top:
            return np.zeros(len(peaks), dtype=np.int64)
        pairs = zip(heights, peaks >= self._top, strict=True)
        return np.array([np.count_nonzero(lane[which] >= self._top) for lane, which in pairs], dtype=np.int64)


def _windowed(hops: NDArray[np.int64], tails: NDArray[np.int64], grid: FrameGrid) -> Floats:
    """Frame sums out of hop sums: whole hops, and the beginning of the next where a window ends inside it."""
    whole = grid.window_samples // grid.hop_samples
    frames = len(hops)
    beyond = np.zeros(whole, dtype=np.int64)
    padded = np.concatenate([hops, beyond])
    total = hops.copy()
    for part in range(1, whole):
        total += padded[part : part + frames]
    if len(tails):
        total += np.concatenate([tails, beyond])[whole:]
    return total.astype(np.float64)
