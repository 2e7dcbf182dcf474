"""Exact energies: integer samples in, sums of squares per frame out, in bounded memory.

Every sum is a sum of integers. Samples of at most 16 bits are summed in float64, where the sums stay far
below 2**53 (a frame at 192 kHz sums 3840 squares of at most 2**30: 2**42); wider ones in int64, rounded once
to float64 at the end. So any order of summation, SIMD path or machine gives the same bits.

The samples of a block stay interleaved as they were decoded. A row of them times a matrix of zeros and ones
sums all channels at once, in a library that is made for it, and spares the copy that would pull them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid

FLOOR_DBFS = -120.0
_FLOOR_RMS = 1e-6
_BENCH_NUMBERS = 1 << 16  # numbers summed at a time: 0.5 MB as float64, so that they stay in a core's cache

Floats = NDArray[np.float64]
Samples = NDArray[np.integer[Any]]


def to_dbfs(rms: Floats) -> Floats:
    """Decibels relative to full scale of linear RMS values, not below -120 dBFS: 20 * log10(rms)."""
    return np.asarray(20.0 * np.log10(np.maximum(rms, _FLOOR_RMS)))


@dataclass(frozen=True, eq=False)
class Levels:
    """What one channel's samples amounted to, hop by hop and frame by frame.

    Hop k covers samples [k * hop, (k + 1) * hop), frame k the window that begins there.

    Attributes:
        grid: the frame grid.
        full_scale: the integer that stands for 1.0.
        samples: how many samples the channel has.
        hop_squares: exact sum of squares of each hop.
        low_track: exact sum of samples of each sub-block, `grid.subblocks_per_hop` to a hop: the channel at a
            few hundred Hz, which is where DC and mains hum live.
        square_tails, sum_tails: the same sums over the beginning of each hop, as far as a window reaches
            beyond a whole number of hops; empty on most grids, where that is not at all.
        largest: the largest absolute sample.
        clipped_samples: how many samples stand at full scale.
        removed: what is subtracted from every sample before frame levels are taken.
    """

    grid: FrameGrid
    full_scale: int
    samples: int
    hop_squares: Floats | NDArray[np.int64]
    low_track: NDArray[np.int32] | NDArray[np.int64]
    square_tails: NDArray[Any]
    sum_tails: NDArray[Any]
    largest: int
    clipped_samples: int
    removed: float = 0.0

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.hop_squares)

    @cached_property
    def square_sums(self) -> Floats:
        """Sum of squares of each frame, exact.

        Without DC: sum((x - m)^2) = sum(x^2) - 2 m sum(x) + n m^2, at least 0.
        """
        squares, mean = _windowed(self.hop_squares, self.square_tails, self.grid), self.removed
        if not mean:
            return squares
        return np.maximum(squares - 2.0 * mean * self.sums + self.frame_samples * (mean * mean), 0.0)

    @cached_property
    def sums(self) -> Floats:
        """Exact sum of the samples of each frame, as they were recorded."""
        hops = np.einsum("kp->k", self.low_track.reshape(-1, self.grid.subblocks_per_hop), dtype=np.int64)
        return _windowed(hops.astype(self.sum_tails.dtype), self.sum_tails, self.grid)

    @cached_property
    def frame_samples(self) -> NDArray[np.int64]:
        """How many samples each frame really covers; fewer than a window at the end of the recording."""
        lengths = np.full(self.frames, self.grid.window_samples, dtype=np.int64)
        short = min(self.frames, -(-self.grid.window_samples // self.grid.hop_samples))
        starts = np.arange(self.frames - short, self.frames) * self.grid.hop_samples
        lengths[self.frames - short :] = np.minimum(self.grid.window_samples, self.samples - starts)
        return lengths

    @cached_property
    def rms(self) -> Floats:
        """Linear root mean square of each frame, 1.0 = full scale."""
        return np.asarray(np.sqrt(self.square_sums / self.frame_samples) / self.full_scale)

    @cached_property
    def dbfs(self) -> Floats:
        """Level of each frame in dBFS, at least -120."""
        return to_dbfs(self.rms)

    @cached_property
    def hop_rms(self) -> Floats:
        """Linear root mean square of each hop, 1.0 = full scale; past the end come zeros."""
        return np.asarray(np.sqrt(self.hop_squares / self.grid.hop_samples) / self.full_scale)

    @property
    def peak(self) -> float:
        """Largest absolute sample, 1.0 = full scale."""
        return self.largest / self.full_scale

    @property
    def clipped_fraction(self) -> float:
        """Share of the samples that stand at full scale."""
        return self.clipped_samples / self.samples if self.samples else 0.0

    @property
    def mean(self) -> float:
        """Mean sample (the DC offset), 1.0 = full scale."""
        return float(self.low_track.sum()) / self.samples / self.full_scale if self.samples else 0.0

    def without_dc(self) -> Levels:
        """The same channel with its mean subtracted from every sample, from the exact sums.

        Hops, the largest sample and the low track stay as they were recorded.
        """
        return replace(self, removed=self.mean * self.full_scale)


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
        self._bench = _Bench(grid, channels, full_scale)
        self._hops: list[_HopSums] = []

    def feed(self, block: Samples) -> None:
        """Add the next samples, shape (n, channels)."""
        self._samples += len(block)
        joined = np.concatenate([self._rest, block]) if len(self._rest) else block
        hop = self._grid.hop_samples
        whole = len(joined) // hop * hop
        step = self._bench.capacity * hop
        for start in range(0, whole, step):
            self._hops.append(self._bench.reduce(joined[start : min(start + step, whole)]))
        self._rest = joined[whole:].copy()

    def finish(self) -> tuple[Levels, ...]:
        """End the recording: one `Levels` for each channel, in order."""
        if len(self._rest):
            missing = np.zeros((self._grid.hop_samples - len(self._rest), self._channels), self._rest.dtype)
            self._hops.append(self._bench.reduce(np.concatenate([self._rest, missing])))
            self._rest = self._rest[:0]
        if not self._hops:
            self._hops.append(self._bench.reduce(self._rest))
        squares, square_tails, sum_tails, low = (
            _by_channel([getattr(hops, name) for hops in self._hops])
            for name in ("squares", "square_tails", "sum_tails", "low")
        )
        largest, clipped = self._bench.largest(), self._bench.clipped
        return tuple(
            Levels(
                grid=self._grid,
                full_scale=self._full_scale,
                samples=self._samples,
                hop_squares=squares[channel],
                low_track=low[channel],
                square_tails=square_tails[channel],
                sum_tails=sum_tails[channel],
                largest=int(largest[channel]),
                clipped_samples=int(clipped[channel]),
            )
            for channel in range(self._channels)
        )


@dataclass(frozen=True, eq=False, slots=True)
class _HopSums:
    """Some hops of all channels, reduced: see `Levels`; shape (hops, channels), `low` more rows."""

    squares: NDArray[Any]
    square_tails: NDArray[Any]
    sum_tails: NDArray[Any]
    low: NDArray[Any]


class _Bench:
    """The buffer on which blocks are summed, kept from one block to the next."""

    def __init__(self, grid: FrameGrid, channels: int, full_scale: int):
        hop, wide = grid.hop_samples, full_scale > 32768
        self.capacity = max(1, _BENCH_NUMBERS // (channels * hop))
        self._row = hop * channels
        self._part = self._row // grid.subblocks_per_hop
        self._tail = grid.window_samples % hop * channels
        self._top = full_scale - 1
        self._numbers: NDArray[Any] = np.empty(
            self.capacity * self._row, dtype=np.int64 if wide else np.float64
        )
        self._pick = np.tile(np.eye(channels, dtype=self._numbers.dtype), (hop, 1))
        self.clipped = np.zeros(channels, dtype=np.int64)
        self._no_tails = np.zeros((0, channels), dtype=self._numbers.dtype)
        self._extremes = np.zeros((2, self._row), dtype=np.int32 if wide else np.int16)
        self._kept = np.int64 if wide else np.int32  # sums of the low track: fewer than 2**16 int16 fit int32

    def reduce(self, block: Samples) -> _HopSums:
        """Reduce a whole number of hops, at most `capacity`, shape (hops * hop, channels)."""
        numbers = self._numbers[: block.size]
        np.copyto(numbers, block.reshape(-1))
        low = self._sums(numbers, self._part)
        sum_tails = self._tails(numbers)
        np.multiply(numbers, numbers, out=numbers)
        self._look_for_peaks(block)
        return _HopSums(
            squares=self._sums(numbers, self._row),
            square_tails=self._tails(numbers),
            sum_tails=sum_tails,
            low=low.astype(self._kept),
        )

    def largest(self) -> NDArray[np.int64]:
        """Largest absolute sample of each channel so far."""
        highest, lowest = self._extremes.reshape(2, -1, len(self.clipped)).astype(np.int64)
        return np.asarray(np.maximum(highest, -lowest).max(axis=0))

    def _sums(self, numbers: NDArray[Any], row: int) -> NDArray[Any]:
        """Sums over each channel's part of rows of `row` interleaved numbers, shape (rows, channels)."""
        return np.asarray(numbers.reshape(-1, row) @ self._pick[:row])

    def _tails(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """The same over the beginning of each hop; no rows where every window ends with a hop."""
        if not self._tail:
            return self._no_tails
        return np.asarray(numbers.reshape(-1, self._row)[:, : self._tail] @ self._pick[: self._tail])

    def _look_for_peaks(self, block: Samples) -> None:
        """Keep the extremes of every place in a hop, and count what stands at full scale."""
        rows, (most, least) = block.reshape(-1, self._row), self._extremes
        highest, lowest = rows.max(axis=0, initial=0), rows.min(axis=0, initial=0)
        np.maximum(most, highest, out=most)
        np.minimum(least, lowest, out=least)
        if highest.max() >= self._top or lowest.min() <= -self._top:
            self.clipped += self._clipped(block)

    def _clipped(self, block: Samples) -> NDArray[np.int64]:
        clipped = (block >= self._top) | (block <= -self._top)
        return np.asarray(np.count_nonzero(clipped, axis=0), dtype=np.int64)


def _by_channel(parts: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Parts of shape (rows, channels) end to end, each channel on its own."""
    joined = np.concatenate(parts)
    return [joined[:, channel].copy() for channel in range(joined.shape[1])]


def _windowed(hops: NDArray[Any], tails: NDArray[Any], grid: FrameGrid) -> Floats:
    """Frame sums out of hop sums: whole hops, and the beginning of the next where a window ends inside it."""
    whole = grid.window_samples // grid.hop_samples
    frames = len(hops)
    total = hops.copy()
    for part in range(1, whole):
        total[: max(0, frames - part)] += hops[part:]
    if len(tails):
        total[: max(0, frames - whole)] += tails[whole:]
    return total.astype(np.float64, copy=False)
