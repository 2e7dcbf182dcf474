"""Integer arithmetic for sound made on purpose: reproducible random numbers, levels, moving sums, quotients.

The random numbers are SHAKE-256 output seeded with text; every step from there to the samples is integer
arithmetic, so the same seed gives the same samples on every machine. Floating point appears only where a time
in seconds becomes a sample index and a level in decibels an integer factor, both rounded to the nearest
integer, which leaves the last bits of the mathematics library without influence.
"""

from __future__ import annotations

import hashlib
import math

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

UNIT = 1 << 15
"""One, for the fixed-point gains and envelopes of this room, and full scale of 16-bit audio."""


class Dice:
    """Reproducible random integers from a text seed: draw n is SHAKE-256 of SHA-256(seed) and n."""

    def __init__(self, seed: str):
        self._seed = hashlib.sha256(seed.encode()).digest()
        self._draws = 0

    def words(self, count: int) -> Ints:
        """`count` independent integers, uniform in [-32768, 32767]."""
        self._draws += 1
        raw = hashlib.shake_256(self._seed + self._draws.to_bytes(8, "big")).digest(2 * count)
        return np.frombuffer(raw, dtype="<i2").astype(np.int64)

    def between(self, low: int, high: int) -> int:
        """One integer in [low, high], both included."""
        return low + (int(self.words(1)[0]) + UNIT) % (high - low + 1)


def factor(level_db: float) -> int:
    """A level in decibels as a fixed-point amplitude factor: `UNIT` is 0 dB."""
    return round(UNIT * math.pow(10.0, level_db / 20.0))


def index(time_sec: float, sample_rate: int) -> int:
    """The sample at a time, to the nearest."""
    return round(time_sec * sample_rate)


def divided(numerator: Ints, denominator: int) -> Ints:
    """Quotient to the nearest integer, halves away from zero, so that the sign carries no bias."""
    size: Ints = (2 * np.abs(numerator) + denominator) // (2 * denominator)
    quotient: Ints = np.sign(numerator) * size
    return quotient


def moving_sum(values: Ints, length: int) -> Ints:
    """Sums over `length` neighbours; the output is `length - 1` shorter."""
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(values)])
    sums: Ints = running[length:] - running[:-length]
    return sums
