"""Exact energies: integer samples in, sums of squares per frame out, in bounded memory.

`hop_sums` adds the samples up, `kernel` does the same with compiled code; here the hops of a recording are
collected and become the levels of its frames.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid
from hotato.timing.hop_sums import Bench, HopSums, Samples
from hotato.timing.kernel import Kernel, fits

FLOOR_DBFS = -120.0
_FLOOR_RMS = 1e-6

Floats = NDArray[np.float64]


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
        self._sums = (
            Kernel(grid, channels).sums if fits(grid, full_scale) else Bench(grid, channels, full_scale).sums
        )
        self._hops: list[HopSums] = []

    def feed(self, block: Samples) -> None:
        """Add the next samples, shape (n, channels)."""
        self._samples += len(block)
        joined = np.concatenate([self._rest, block]) if len(self._rest) else block
        whole = len(joined) // self._grid.hop_samples * self._grid.hop_samples
        if whole:
            self._hops.append(self._sums(joined[:whole]))
        self._rest = joined[whole:].copy()

    def finish(self) -> tuple[Levels, ...]:
        """End the recording: one `Levels` for each channel, in order."""
        if len(self._rest) or not self._hops:
            short = -len(self._rest) % self._grid.hop_samples
            missing = np.zeros((short, self._channels), self._rest.dtype)
            self._hops.append(self._sums(np.concatenate([self._rest, missing])))
            self._rest = self._rest[:0]
        squares, low, square_tails, sum_tails = (
            np.concatenate([getattr(hops, name) for hops in self._hops], axis=1)
            for name in ("squares", "low", "square_tails", "sum_tails")
        )
        largest = np.max([hops.largest for hops in self._hops], axis=0)
        clipped = np.sum([hops.clipped for hops in self._hops], axis=0)
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
