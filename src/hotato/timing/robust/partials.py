"""Tones that hold their pitch: what music is made of, and a voice is not.

The partials of a note stay where they are for as long as it lasts. Those of a voice glide, the higher ones
the more; only the lowest ones of a long vowel hardly do, and they are left out. So the spectrum is taken over
windows long enough to tell tones from one another, its peaks are marked, and those are counted that stay in
one place for longer than a voice holds them. Voices over the music move, and hide few of its tones
(Seyerlehner, Pohle, Schedl and Widmer 2007, "Automatic music detection in television productions": continuous
frequency activation).

Exact as `bands` is: whole numbers up to the level, which is rounded to the hundredth of a decibel.

1. Up to ten times fewer samples: each is a weighted sum of two neighbouring blocks (a triangle), whose
   weights are whole numbers. What folds back of higher tones is as steady, or as unsteady, as they are.
2. One matrix product with a Hann-windowed basis of whole numbers, every `step_sec`.
3. A peak is a bin above both its neighbours and `prominence_db` above the mean of the bins around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hotato.timing.hop_sums import Samples
from hotato.timing.robust.bands import CENTI, centi
from hotato.timing.robust.params import PartialParams
from hotato.timing.spans import Mask

Counts = NDArray[np.int16]
"""How many tones are held, for every step."""

_LANE_STEPS = 256
_COUNT_STEPS = 4096


@dataclass(frozen=True, eq=False)
class Partials:
    """The held tones of a stretch of one channel.

    Attributes:
        held: how many are held at each step.
        first_sec: time of the first step (the middle of its window) after the beginning of the stretch.
        step_sec: from one step to the next.
    """

    held: Counts
    first_sec: float
    step_sec: float

    def steps_of(self, seconds: float) -> int:
        """The number of steps nearest to `seconds`."""
        return round(seconds / self.step_sec)


class PartialMeter:
    """Takes the samples of a stretch of one channel and ends with its `Partials`, whatever the block size.

    Args:
        sample_rate_hz: that of the samples.
        full_scale: the integer that stands for 1.0.
        params: the spectrum, what a peak is, and how long it has to stay.
    """

    def __init__(self, sample_rate_hz: int, full_scale: int, params: PartialParams | None = None):
        self._params = params or PartialParams()
        self._spectrum = _Spectrum(sample_rate_hz, full_scale, self._params)
        self._rest: Samples = np.zeros(0, dtype=np.int32)
        self._thin: NDArray[np.float64] = np.zeros(0)
        self._peaks: list[NDArray[np.uint8]] = []

    def feed(self, samples: Samples) -> None:
        """Add the next samples, shape (n,)."""
        block = self._spectrum.block
        joined = np.concatenate([self._rest, samples])
        whole = len(joined) // block * block
        if whole <= block:  # a thinner sample takes two blocks, and the second begins the next one
            self._rest = joined
            return
        self._thin = np.concatenate([self._thin, self._spectrum.thinned(joined[:whole])])
        self._rest = joined[whole - block :]
        self._measure()

    def finish(self) -> Partials:
        """End the stretch; what fills no window any more is left out."""
        held = np.concatenate([np.zeros(0, np.int16), *self._counted()])
        rate_hz, size, step = self._spectrum.rate_hz, self._spectrum.size, self._spectrum.step
        return Partials(held, size / 2.0 / rate_hz, step / rate_hz)

    def _measure(self) -> None:
        size, step = self._spectrum.size, self._spectrum.step
        if len(self._thin) < size:
            return
        windows = sliding_window_view(self._thin, size)[::step]
        for at in range(0, len(windows), _LANE_STEPS):
            peaks = self._spectrum.peaks(windows[at : at + _LANE_STEPS])
            self._peaks.append(np.packbits(peaks, axis=1))
        self._thin = self._thin[len(windows) * step :].copy()

    def _counted(self) -> Iterator[Counts]:
        """The counts in pieces, each from peaks that reach as far beyond it as a tone has to be held."""
        if not self._peaks:
            return
        packed = np.concatenate(self._peaks)
        reach = max(1, round(self._params.held_sec * self._spectrum.rate_hz / self._spectrum.step))
        for at in range(0, len(packed), _COUNT_STEPS):
            first = max(0, at - reach)
            part = packed[first : at + _COUNT_STEPS + reach]
            peaks = np.unpackbits(part, axis=1, count=self._spectrum.bins).astype(np.bool_)
            yield held_tones(peaks, reach)[at - first : at - first + _COUNT_STEPS]


def held_tones(peaks: Mask, least: int) -> Counts:
    """How many tones lie under each step that have peaks in at least `least` steps in a row.

    A tone between two bins has its peak in either, so the two count as one place, and two places next to
    each other as one tone.

    Args:
        peaks: shape (steps, bins).
        least: so many steps in a row.
    """
    steps = len(peaks)
    if steps < least:
        return np.zeros(steps, dtype=np.int16)
    pairs = peaks[:, 1:] | peaks[:, :-1]
    full = _moving_sum(pairs, least) == least
    held = np.concatenate([np.zeros((least - 1, full.shape[1]), np.bool_), full])
    held = np.concatenate([held, np.zeros((least - 1, full.shape[1]), np.bool_)])
    held = _moving_sum(held, least) > 0
    begins = held.copy()
    begins[:, 1:] &= ~held[:, :-1]
    return np.asarray(begins.sum(axis=1), dtype=np.int16)


def _moving_sum(values: Mask, length: int) -> NDArray[np.int16]:
    """Sums over `length` rows, one for each place that they fit."""
    sums = np.zeros((len(values) + 1, values.shape[1]), dtype=np.int16)
    np.cumsum(values, axis=0, dtype=np.int16, out=sums[1:])
    return np.asarray(sums[length:] - sums[:-length])


class _Spectrum:
    """Samples thinned, and what a window of them holds: integer sums up to the level, as in `bands`."""

    def __init__(self, sample_rate_hz: int, full_scale: int, params: PartialParams):
        self.block = max(1, int(sample_rate_hz // params.least_rate_hz))
        self.rate_hz = sample_rate_hz / self.block
        self.size = round(params.window_sec * self.rate_hz)
        self.step = max(1, round(params.step_sec * self.rate_hz))
        spacing_hz = self.rate_hz / self.size
        self._beside = round(params.beside_hz / spacing_hz)
        first = max(self._beside, round(params.lowest_hz / spacing_hz))
        stop = min(round(params.highest_hz / spacing_hz), self.size // 2 - self._beside)
        self.bins = max(0, stop - first)
        rising = np.arange(self.block, dtype=np.float64)
        self._weights = np.stack([rising, self.block - rising])
        # A triangle over two blocks sums to the square of the block.
        self._shrink = 2.0 ** (params.sample_bits - np.ceil(np.log2(full_scale * self.block**2)))
        bins = np.arange(first - self._beside, first + self.bins + self._beside)
        at = np.arange(self.size)
        angles = 2.0 * np.pi / self.size * np.outer(at, bins)
        window = 0.5 - 0.5 * np.cos(2.0 * np.pi / self.size * at)
        unit = float(1 << params.basis_bits)
        waves = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
        self._basis = np.rint(unit * window[:, None] * waves)
        scale = full_scale * self.block**2 * self._shrink * self.size * unit
        self._again = 2.0 ** (params.spectrum_bits - np.ceil(np.log2(scale)))
        # Of a sine of RMS r, its own bin holds (r * size / 4)^2 * 2.
        self._offset_db = 10.0 * float(np.log10(8.0)) - 20.0 * float(np.log10(scale * self._again))
        self._lowest, self._prominence = centi(params.lowest_dbfs), centi(params.prominence_db)

    def thinned(self, samples: Samples) -> NDArray[np.float64]:
        """One sample for every block but the first, from whole blocks of samples."""
        blocks = samples.reshape(-1, self.block).astype(np.float64)
        sums = blocks @ self._weights.T
        return np.asarray(np.rint((sums[:-1, 0] + sums[1:, 1]) * self._shrink))

    def peaks(self, windows: NDArray[np.float64]) -> Mask:
        """Which bins stand out in each window, shape (steps, bins)."""
        parts = np.square(np.rint(np.ascontiguousarray(windows) @ self._basis * self._again))
        half = parts.shape[1] // 2
        energies = parts[:, :half] + parts[:, half:]
        decibels = 10.0 * np.log10(np.maximum(energies, 0.5)) + self._offset_db
        levels = np.rint(decibels * CENTI).astype(np.int32)
        around = 2 * self._beside + 1
        sums = np.zeros((len(levels), half + 1), dtype=np.int32)
        np.cumsum(levels, axis=1, out=sums[:, 1:])
        mean = sums[:, around:] - sums[:, :-around]
        inside = levels[:, self._beside : self._beside + self.bins]
        before = levels[:, self._beside - 1 : self._beside - 1 + self.bins]
        behind = levels[:, self._beside + 1 : self._beside + 1 + self.bins]
        stands = inside * around - mean >= self._prominence * around
        return np.asarray((inside >= before) & (inside > behind) & stands & (inside > self._lowest))
