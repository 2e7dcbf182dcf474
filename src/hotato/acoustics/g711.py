"""G.711: what 8-bit companding leaves of 16-bit samples. ITU-T G.711 (1988), tables 1a/1b (A) and 2a/2b (mu).

The codes themselves never appear: each law is one table from sample to sample, what a line returns for what
it was given. A magnitude on the border of two steps belongs to the larger one, for both signs.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hotato.acoustics.dice import UNIT, Ints

MU_BIAS = 33
"""Added to a 14-bit magnitude before its segment is found (G.711, mu-law)."""
MU_CEILING = 8158
"""Largest 14-bit magnitude that mu-law tells apart."""
STEPS = 16
"""Steps in a segment, of both laws."""


def mu_law(signal: Ints) -> Ints:
    """The samples after a mu-law round trip. Input outside 16 bits is clipped first."""
    return _mu_table()[np.clip(signal, -UNIT, UNIT - 1) + UNIT]


def a_law(signal: Ints) -> Ints:
    """The samples after an A-law round trip. Input outside 16 bits is clipped first."""
    return _a_table()[np.clip(signal, -UNIT, UNIT - 1) + UNIT]


@cache
def _mu_table() -> Ints:
    samples = np.arange(-UNIT, UNIT, dtype=np.int64)
    magnitude = np.abs(samples) >> 2
    biased = np.minimum(magnitude, MU_CEILING) + MU_BIAS
    segment = _bits(biased) - 6
    step = (biased >> (segment + 1)) & (STEPS - 1)
    out = (((step << 1) + MU_BIAS) << segment) - MU_BIAS
    table: Ints = np.where(samples < 0, -out, out) << 2
    return table


@cache
def _a_table() -> Ints:
    samples = np.arange(-UNIT, UNIT, dtype=np.int64)
    magnitude = np.minimum(np.abs(samples), UNIT - 1) >> 4
    shift = np.maximum(_bits(magnitude) - 5, 0)
    # Twice as fine, so that the middle of a step is whole.
    out = ((magnitude >> shift) * 2 + 1) << shift
    table: Ints = np.where(samples < 0, -out, out) << 3
    return table


def _bits(values: Ints) -> Ints:
    """The number of binary digits of each value, 0 for 0."""
    _, exponent = np.frexp(values.astype(np.float64))
    return exponent.astype(np.int64)
