"""What the samples of whole hops add up to: squares, sums and extremes, exact to the integer.

Samples of at most 16 bits are summed in float64, where the sums stay far below 2**53 (a frame at 192 kHz sums
3840 squares of at most 2**30: 2**42); wider ones in int64. So any order of summation, SIMD path or machine
gives the same bits, and so does the compiled loop of `kernel` that takes this one's place where it can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid

Samples = NDArray[np.integer[Any]]

_BENCH_NUMBERS = 1 << 16  # numbers summed at a time: 0.5 MB as float64, so that they stay in a core's cache


@dataclass(frozen=True, eq=False, slots=True)
class HopSums:
    """Some hops of all channels, reduced; a row for each channel.

    Attributes:
        squares: sum of squares of each hop.
        low: sum of each sub-block, `FrameGrid.subblocks_per_hop` to a hop.
        square_tails, sum_tails: sums over the beginning of each hop, as far as a window reaches beyond a
            whole number of hops; no columns where it does not.
        largest: the largest absolute sample of each channel.
        clipped: how many samples of each channel stand at full scale.
    """

    squares: NDArray[Any]
    low: NDArray[Any]
    square_tails: NDArray[Any]
    sum_tails: NDArray[Any]
    largest: NDArray[np.int64]
    clipped: NDArray[np.int64]


class Bench:
    """The buffers on which blocks are summed, kept from one block to the next.

    A block is pulled apart into channels while its samples are still small, and widened then. Sums over rows
    are dot products, of a row with ones or with itself: what numerical libraries are fastest at.

    Args:
        grid: the frame grid.
        channels: how many channels a block has.
        full_scale: the integer that stands for 1.0; 32768 takes int16 blocks, anything wider int32 blocks.
    """

    def __init__(self, grid: FrameGrid, channels: int, full_scale: int):
        wide = full_scale > 32768
        self._grid = grid
        self._full_scale = full_scale
        capacity = max(1, _BENCH_NUMBERS // (channels * grid.hop_samples)) * grid.hop_samples
        self._samples = np.empty((channels, capacity), dtype=np.int32 if wide else np.int16)
        self._numbers: NDArray[Any] = np.empty((channels, capacity), dtype=np.int64 if wide else np.float64)
        self._ones = np.ones(grid.hop_samples, dtype=self._numbers.dtype)
        self._kept = np.int32 if kept_in_32_bits(grid) and not wide else np.int64

    def sums(self, block: Samples) -> HopSums:
        """Reduce a whole number of hops, shape (hops * hop, channels)."""
        capacity = self._samples.shape[1]
        parts = [self._reduce(block[at : at + capacity]) for at in range(0, max(1, len(block)), capacity)]
        if len(parts) == 1:
            return parts[0]
        joined = {name: np.concatenate([getattr(part, name) for part in parts], axis=1) for name in _JOINED}
        return HopSums(
            **joined,
            largest=np.max([part.largest for part in parts], axis=0),
            clipped=np.sum([part.clipped for part in parts], axis=0),
        )

    def _reduce(self, block: Samples) -> HopSums:
        samples, numbers = self._samples[:, : len(block)], self._numbers[:, : len(block)]
        np.copyto(samples, block.T)
        np.copyto(numbers, samples)
        hop, channels = self._grid.hop_samples, len(numbers)
        part = hop // self._grid.subblocks_per_hop
        hops, parts = numbers.reshape(channels, -1, hop), numbers.reshape(channels, -1, part)
        tails = hops[:, :, : self._grid.window_samples % hop]
        if not tails.size:
            tails = hops[:, :0]
        largest = largest_of(samples.max(axis=1, initial=0), samples.min(axis=1, initial=0))
        return HopSums(
            squares=np.vecdot(hops, hops),
            low=(parts @ self._ones[:part]).astype(self._kept),
            square_tails=np.vecdot(tails, tails),
            sum_tails=tails @ self._ones[: tails.shape[2]],
            largest=largest,
            clipped=clipped_of(block, largest, self._full_scale),
        )


_JOINED = ("squares", "low", "square_tails", "sum_tails")


def kept_in_32_bits(grid: FrameGrid) -> bool:
    """Whether the sum of any sub-block of int16 samples fits an int32: fewer than 2**16 of them do."""
    return grid.hop_samples // grid.subblocks_per_hop < 1 << 16


def largest_of(highest: Samples, lowest: Samples) -> NDArray[np.int64]:
    """The largest absolute sample, out of the highest and the lowest one."""
    return np.asarray(np.maximum(highest.astype(np.int64), -lowest.astype(np.int64)))


def clipped_of(block: Samples, largest: NDArray[np.int64], full_scale: int) -> NDArray[np.int64]:
    """How many samples of each channel stand at full scale; looked at only where the largest one does."""
    top = full_scale - 1
    if largest.max() < top:
        return np.zeros_like(largest)
    return np.asarray(np.count_nonzero((block >= top) | (block <= -top), axis=0), dtype=np.int64)
