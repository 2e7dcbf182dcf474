"""Exact energies: integer samples in, sums of squares per frame out, in bounded memory.

Every sum is a sum of integers. Samples of at most 16 bits are summed in float64, where the sums stay far
below 2**53; wider ones in int64, rounded once to float64 at the end. So any order of summation, SIMD path
or machine gives the same bits.
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
        full_scale: the integer that stands for 1.0; 32768 selects the float64 path, anything wider int64.
    """

    def __init__(self, grid: FrameGrid, channels: int, full_scale: int):
        self._grid = grid
        self._channels = channels
        self._full_scale = full_scale
        self._wide = full_scale > 32768
        self._samples = 0
        self._rest: Samples = np.zeros((0, channels), dtype=np.int32 if self._wide else np.int16)
        self._hop_squares: list[NDArray[Any]] = []
        self._peaks: list[NDArray[Any]] = []
        self._low: list[NDArray[Any]] = []
        self._clipped = np.zeros(channels, dtype=np.int64)
        self._odd = _OddWindows(grid, self._rest) if grid.window_samples % grid.hop_samples else None

    def feed(self, block: Samples) -> None:
        """Add the next samples, shape (n, channels)."""
        self._samples += len(block)
        joined = np.concatenate([self._rest, block]) if len(self._rest) else block
        whole = len(joined) // self._grid.hop_samples * self._grid.hop_samples
        if whole:
            self._take(joined[:whole])
        self._rest = joined[whole:].copy()
        if self._odd is not None:
            self._odd.feed(block)

    def finish(self) -> tuple[Levels, ...]:
        """End the recording: one `Levels` for each channel, in order."""
        if len(self._rest):
            self._take(_padded(self._rest, self._grid.hop_samples - len(self._rest)))
        peaks = _joined(self._peaks, self._channels, np.int32)
        low = _joined(self._low, self._channels, np.int64)
        if self._odd is not None:
            squares, sums = self._odd.finish()
        else:
            hop_sums = low.reshape(self._channels, -1, self._grid.subblocks_per_hop).sum(axis=2)
            squares = _windowed(_joined(self._hop_squares, self._channels, np.float64), self._grid)
            sums = _windowed(hop_sums, self._grid)
        return tuple(
            Levels(
                grid=self._grid,
                full_scale=self._full_scale,
                samples=self._samples,
                square_sums=squares[c].astype(np.float64),
                sums=sums[c].astype(np.float64),
                hop_peaks=peaks[c],
                low_track=low[c],
                clipped_samples=int(self._clipped[c]),
            )
            for c in range(self._channels)
        )

    def _take(self, samples: Samples) -> None:
        """Reduce a whole number of hops, shape (hops * hop, channels)."""
        hop, parts = self._grid.hop_samples, self._grid.subblocks_per_hop
        lanes = np.ascontiguousarray(samples.T).reshape(self._channels, -1, hop)
        peaks = np.maximum(lanes.max(axis=2).astype(np.int32), -lanes.min(axis=2).astype(np.int32))
        numbers = lanes.astype(np.int64 if self._wide else np.float64)
        blocks = numbers.reshape(self._channels, -1, hop // parts)
        sums = blocks.sum(axis=2) if self._wide else blocks @ np.ones(hop // parts)
        self._hop_squares.append(np.einsum("ckh,ckh->ck", numbers, numbers))
        self._low.append(sums.astype(np.int64))
        self._peaks.append(peaks)
        self._count_clipped(lanes, peaks)

    def _count_clipped(self, lanes: Samples, peaks: NDArray[np.int32]) -> None:
        top = self._full_scale - 1
        for channel, hop in zip(*np.nonzero(peaks >= top), strict=True):
            values = lanes[channel, hop]
            self._clipped[channel] += int(np.count_nonzero((values >= top) | (values <= -top)))


class _OddWindows:
    """Frames of a window that is not a whole number of hops: differences of exact running sums."""

    def __init__(self, grid: FrameGrid, empty: Samples):
        self._grid = grid
        self._channels = empty.shape[1]
        self._tail = empty
        self._squares: list[NDArray[Any]] = []
        self._sums: list[NDArray[Any]] = []

    def feed(self, block: Samples) -> None:
        joined = np.concatenate([self._tail, block])
        count = max(0, (len(joined) - self._grid.window_samples) // self._grid.hop_samples + 1)
        self._take(joined, count)
        self._tail = joined[count * self._grid.hop_samples :].copy()

    def finish(self) -> tuple[NDArray[Any], NDArray[Any]]:
        count = self._grid.frames_in(len(self._tail))
        self._take(_padded(self._tail, self._grid.window_samples), count)
        return (
            _joined(self._squares, self._channels, np.float64),
            _joined(self._sums, self._channels, np.float64),
        )

    def _take(self, samples: Samples, count: int) -> None:
        if not count:
            return
        starts = np.arange(count) * self._grid.hop_samples
        lanes = samples.T.astype(np.int64)
        for values, into in ((lanes * lanes, self._squares), (lanes, self._sums)):
            running = np.concatenate(
                [np.zeros((self._channels, 1), dtype=np.int64), np.cumsum(values, axis=1)], axis=1
            )
            into.append(running[:, starts + self._grid.window_samples] - running[:, starts])


def _padded(samples: Samples, zeros: int) -> Samples:
    return np.concatenate([samples, np.zeros((zeros, samples.shape[1]), dtype=samples.dtype)])


def _windowed(hops: NDArray[Any], grid: FrameGrid) -> NDArray[Any]:
    """Frame sums out of hop sums, shape (channels, hops); a window is a whole number of hops."""
    parts = grid.window_samples // grid.hop_samples
    padded = np.concatenate([hops, np.zeros((len(hops), parts - 1), dtype=hops.dtype)], axis=1)
    count = hops.shape[1]
    total = padded[:, :count].copy()
    for part in range(1, parts):
        total += padded[:, part : part + count]
    return total


def _joined(parts: list[NDArray[Any]], channels: int, dtype: Any) -> NDArray[Any]:
    return np.concatenate(parts, axis=1) if parts else np.zeros((channels, 0), dtype=dtype)
