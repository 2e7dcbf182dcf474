"""Exact band levels: integer samples in, the level of eleven telephone bands per frame out.

A frame is two hops under a periodic Hann window. Its Fourier bins follow from sums of integers:

1. The basis is rounded to whole numbers once. Each hop gets one matrix product with it. All products and
   sums are whole numbers below 2**53, so a float64 matrix product gives the same bits in any order, on any
   processor and with any library.
2. Over the second hop of a frame the basis of bin m is (-1)**m times that over the first, so one product per
   hop serves both frames that it belongs to. A periodic Hann window is a combination of three neighbouring
   bins, 4 W[m] = 2 X[m] - X[m - 1] - X[m + 1], again in whole numbers (Harris 1978, "On the use of windows
   for harmonic analysis with the discrete Fourier transform").
3. Real and imaginary parts are rounded to 22 bits, squared and summed per band: below 2**53 by Parseval.
4. The level is rounded to the hundredth of a decibel (`Centi`), in which every later decision is made. A
   logarithm that differs in its last bit changes none but by a chance of about 1e-11 for a frame.

The window takes DC out by itself: a constant reaches bins 0 and 1 only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.timing.grid import FrameGrid
from hotato.timing.hop_sums import Samples
from hotato.timing.robust.params import BandParams

Centi = NDArray[np.int16]
"""Levels in hundredths of a decibel."""

CENTI = 100

_LANE_HOPS = 512


def centi(db: float) -> int:
    """Decibels as whole hundredths."""
    return round(db * CENTI)


@dataclass(frozen=True, eq=False)
class Bands:
    """Levels of one channel by band.

    Attributes:
        grid: the frame grid.
        levels: hundredths of dBFS, shape (bands, frames): ten times the logarithm of the mean square that
            the frame holds in the band (a full-scale sine stands at -3 dBFS).
        total: the same over all bands, shape (frames,).
    """

    grid: FrameGrid
    levels: Centi
    total: Centi

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.total)


class BandMeter:
    """Takes blocks of all channels and ends with the `Bands` of some of them. Any block size gives the same.

    Args:
        grid: the frame grid; only its hop matters, the window is two hops.
        channels: which channels to measure.
        full_scale: the integer that stands for 1.0.
        frames: how many frames there will be: one for every hop that begins inside the recording.
        params: the bands.
    """

    def __init__(
        self,
        grid: FrameGrid,
        channels: tuple[int, ...],
        full_scale: int,
        frames: int,
        params: BandParams | None = None,
    ):
        self._grid = grid
        self._basis = _Basis(grid, full_scale, params or BandParams())
        self._lanes = {channel: _Lane(grid, self._basis, frames) for channel in channels}

    def feed(self, block: Samples) -> None:
        """Add the next samples, shape (n, channels of the recording)."""
        for channel, lane in self._lanes.items():
            lane.feed(block[:, channel])

    def finish(self) -> tuple[Bands, ...]:
        """End the recording: `Bands` for each wanted channel, in the order they were named."""
        return tuple(Bands(self._grid, *lane.finish()) for lane in self._lanes.values())


class _Lane:
    """One channel on its way: samples that fill no hop yet, and the last hop, with which a frame begins."""

    def __init__(self, grid: FrameGrid, basis: _Basis, frames: int):
        self._hop = grid.hop_samples
        self._basis = basis
        self._rest: Samples = np.zeros(0, dtype=np.int32)
        self._last: NDArray[np.float64] | None = None
        self._levels: Centi = np.empty((basis.bands, frames), dtype=np.int16)
        self._total: Centi = np.empty(frames, dtype=np.int16)
        self._done = 0

    def feed(self, samples: Samples) -> None:
        joined = np.concatenate([self._rest, samples])
        whole = len(joined) // self._hop * self._hop
        for start in range(0, whole, _LANE_HOPS * self._hop):
            self._take(joined[start : min(start + _LANE_HOPS * self._hop, whole)])
        self._rest = joined[whole:]

    def finish(self) -> tuple[Centi, Centi]:
        if len(self._rest):
            self._take(np.concatenate([self._rest, np.zeros(self._hop - len(self._rest), self._rest.dtype)]))
        if self._last is not None:  # the last frame has silence for its second hop
            self._take(np.zeros(self._hop, dtype=np.int32))
        assert self._done == len(self._total), "as many frames as were announced"
        return self._levels, self._total

    def _take(self, samples: Samples) -> None:
        halves = samples.reshape(-1, self._hop).astype(np.float64) @ self._basis.half
        rows = halves if self._last is None else np.concatenate([self._last, halves])
        self._last = rows[-1:].copy()
        if len(rows) > 1:
            now = slice(self._done, self._done + len(rows) - 1)
            self._levels[:, now], self._total[now] = self._basis.levels(rows)
            self._done = now.stop


class _Basis:
    """The integer Fourier basis over one hop, and what becomes of products with it."""

    def __init__(self, grid: FrameGrid, full_scale: int, params: BandParams):
        hop, size = grid.hop_samples, 2 * grid.hop_samples
        spacing_hz = grid.sample_rate_hz / size
        wanted = [round(edge / spacing_hz + _UP) for edge in params.edges_hz]
        first, stop = wanted[0], min(wanted[-1], hop - 1)
        bins = np.arange(first - 1, stop + 1)
        angles = 2.0 * np.pi / size * np.outer(np.arange(hop), bins)
        unit = float(1 << params.basis_bits)
        self.half: NDArray[np.float64] = np.rint(
            unit * np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
        )
        self._signs = np.tile(1.0 - 2.0 * (bins % 2), 2)
        starts = [min(edge, stop) - first for edge in wanted[:-1]]
        self._starts = [start for start in starts if start < stop - first]
        self.bands = len(self._starts)
        # A full-scale sine comes to full_scale * size * unit; scaling by a power of two loses nothing.
        self._shrink = 2.0 ** (params.spectrum_bits - np.ceil(np.log2(full_scale * size * unit)))
        scale = float(full_scale * size * unit * self._shrink)
        # Mean square of the frame: 2 |W|^2 / (size * sum of the squared window), and that sum is 3/8 size.
        self._offset_db = 10.0 * float(np.log10(2.0 / 16.0 / (3.0 / 8.0))) - 20.0 * float(np.log10(scale))
        self._lowest = centi(params.lowest_dbfs)

    def levels(self, rows: NDArray[np.float64]) -> tuple[Centi, Centi]:
        """Levels by band, shape (bands, frames), and over all, from the products of frames + 1 hops."""
        pairs = (rows[:-1] + self._signs * rows[1:]).reshape(len(rows) - 1, 2, -1)
        windowed = 2.0 * pairs[:, :, 1:-1] - pairs[:, :, :-2] - pairs[:, :, 2:]
        squares = np.square(np.rint(windowed * self._shrink))
        energies = np.add.reduceat(squares[:, 0] + squares[:, 1], self._starts, axis=1)
        return self._db(energies.T), self._db(energies.sum(axis=1))

    def _db(self, energies: NDArray[Any]) -> Centi:
        levels = 10.0 * np.log10(np.maximum(energies, 0.5)) + self._offset_db
        return np.asarray(np.maximum(np.rint(levels * CENTI), self._lowest), dtype=np.int16)


_UP = 0.499999
"""Rounds a bin up to the first at or above a limit; 200 Hz on a 50 Hz grid stays bin 4."""
