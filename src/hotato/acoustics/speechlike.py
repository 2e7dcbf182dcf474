"""Noise shaped like speech, sounding in exactly the half-open spans that were asked for.

Band-limited, rising and falling 3 to 6 times a second. Nothing leaks over an edge, because the noise is
filtered first and cut afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hotato.acoustics.dice import UNIT, Dice, Ints, divided, factor, index, moving_sum

Span = Sequence[float]


@dataclass(frozen=True)
class Shape:
    """How the rendered speech sounds.

    Attributes:
        peak_dbfs: level of the loudest sample of a party before its `gain_db`.
        low_hz: below this the noise is removed (a moving average of one period is subtracted).
        high_hz: above this it is attenuated (two moving averages whose first null is here).
        fastest_hz, slowest_hz: range of the syllable rate.
        quietest: envelope at a syllable's edges, of 32768; never 0, so that a boundary is heard at once.
        softest: peak of the softest syllable, of 32768.
        shortest_gap_ms, longest_gap_ms: silence between syllables unless a segment is `continuous`; below
            the detector's hangover, so that a segment stays one span.
        floor_dbfs: RMS level of the noise floor when a scenario names none.
    """

    peak_dbfs: float = -4.437
    low_hz: int = 200
    high_hz: int = 4800
    fastest_hz: int = 6
    slowest_hz: int = 3
    quietest: int = 6000
    softest: int = 18000
    shortest_gap_ms: int = 20
    longest_gap_ms: int = 60
    floor_dbfs: float = -80.0


SHAPE = Shape()


def band_noise(dice: Dice, count: int, sample_rate: int, shape: Shape = SHAPE) -> Ints:
    """`count` samples of noise between about `low_hz` and 3400 Hz, at an arbitrary scale.

    Two short moving sums take the treble off (they are an exact integer low-pass), and a long moving
    average is subtracted to take the bass off.
    """
    short = max(1, round(sample_rate / shape.high_hz))
    long = 2 * (sample_rate // (2 * shape.low_hz)) + 1
    raw = dice.words(count + long - 1 + 2 * (short - 1))
    soft = moving_sum(moving_sum(raw, short), short)
    centre = soft[long // 2 : long // 2 + count]
    return divided(long * centre - moving_sum(soft, long), long)


def syllables(
    dice: Dice, count: int, sample_rate: int, *, continuous: bool = False, shape: Shape = SHAPE
) -> Ints:
    """An envelope of `count` samples, 0 to `UNIT`: parabolic syllables from the first sample to the last.

    Every syllable starts and ends at `quietest` of its own peak. Silent gaps stand between syllables
    unless `continuous`; none stands at either end.
    """
    envelope = np.zeros(count, np.int64)
    at = 0
    while at < count:
        length = dice.between(sample_rate // shape.fastest_hz, sample_rate // shape.slowest_hz)
        peak = dice.between(shape.softest, UNIT)
        gap = dice.between(shape.shortest_gap_ms, shape.longest_gap_ms) * sample_rate // 1000
        if count - at - length < sample_rate // shape.fastest_hz + gap:
            length = count - at
        x = np.arange(length, dtype=np.int64)
        arch = 4 * UNIT * x * (length - 1 - x) // max(1, (length - 1) ** 2)
        envelope[at : at + length] = (
            (shape.quietest * UNIT + (UNIT - shape.quietest) * arch) // UNIT * peak // UNIT
        )
        at += length + (0 if continuous else gap)
    return envelope


def speech_like(
    seed: str,
    segments_sec: Sequence[Span],
    count: int,
    sample_rate: int,
    *,
    continuous: bool = False,
    gain_db: float = 0.0,
    shape: Shape = SHAPE,
) -> Ints:
    """One party: `count` samples, speech-like noise inside the segments and exact zeros outside.

    Args:
        seed: text that decides the noise; another text is another voice.
        segments_sec: half-open [start, end) spans; an end past the recording is cut.
        count: length of the recording in samples.
        sample_rate: in hertz.
        continuous: leave no gap between syllables.
        gain_db: relative to `shape.peak_dbfs`, the level of the loudest sample.
    """
    dice = Dice(seed)
    noise = band_noise(dice, count, sample_rate, shape)
    envelope = np.zeros(count, np.int64)
    for start_sec, end_sec in segments_sec:
        start, end = index(start_sec, sample_rate), min(index(end_sec, sample_rate), count)
        if not 0 <= start < end:
            raise ValueError(f"segment [{start_sec}, {end_sec}) is empty or outside the recording")
        envelope[start:end] = syllables(dice, end - start, sample_rate, continuous=continuous, shape=shape)
    shaped = noise * envelope
    loudest = int(np.max(np.abs(shaped), initial=0))
    return divided(shaped * factor(shape.peak_dbfs + gain_db), loudest) if loudest else shaped


def noise_floor(seed: str, count: int, level_dbfs: float) -> Ints:
    """`count` samples of white noise with about this RMS level; zeros below half a quantisation step."""
    amplitude = round(UNIT * math.pow(10.0, level_dbfs / 20.0) * math.sqrt(3.0))
    if amplitude == 0:
        return np.zeros(count, np.int64)
    noise: Ints = (Dice(seed).words(count) + UNIT) * (2 * amplitude + 1) // (2 * UNIT) - amplitude
    return noise
