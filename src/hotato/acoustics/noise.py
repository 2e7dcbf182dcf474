"""Beds of noise, hum and music, and their level against speech. One channel each, integers at any scale.

A level in dBFS is an RMS, 0 dBFS being `UNIT`. A signal-to-noise ratio is the RMS of the clean party over the
spans in which it truly sounds, against the RMS of the bed over its whole length: silence between the turns
does not count, so a call with little speech is not flattered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from hotato.acoustics.dice import UNIT, Dice, Ints, divided, factor, index, moving_sum

SampleSpan = tuple[int, int]
_STRETCH = 1 << 16
FINE = 1 << 20
"""One, for the gains of this module: fine enough that a level is right to 0.001 dB."""


def mean_square(signal: Ints, spans: Sequence[SampleSpan] | None = None) -> float:
    """Mean of the squared samples, over half-open sample spans or over all; 0.0 for no samples."""
    pieces = [(0, len(signal))] if spans is None else spans
    count = sum(min(stop, len(signal)) - start for start, stop in pieces)
    # In stretches, and added up as Python integers: squares of a long bed would not fit 64 bits.
    stretches = [
        signal[at : min(at + _STRETCH, stop)] for start, stop in pieces for at in range(start, stop, _STRETCH)
    ]
    return sum(int(np.sum(part * part)) for part in stretches) / count if count else 0.0


def scaled(signal: Ints, gain: float) -> Ints:
    """The signal times a gain (a plain factor, not decibels), rounded to the nearest integer."""
    return divided(signal * round(gain * FINE), FINE)


def at_level(bed: Ints, level_dbfs: float) -> Ints:
    """The bed brought to an RMS level; a bed of zeros stays as it is."""
    power = mean_square(bed)
    return scaled(bed, UNIT * math.pow(10.0, level_dbfs / 20.0) / math.sqrt(power)) if power else bed


def at_snr(bed: Ints, speech: Ints, spans: Sequence[SampleSpan], snr_db: float) -> Ints:
    """The bed brought to a signal-to-noise ratio against `speech` over its true sample spans.

    Raises:
        ValueError: the party never sounds, so there is nothing to stand against.
    """
    loud = mean_square(speech, spans)
    if not loud:
        raise ValueError("a signal-to-noise ratio needs speech inside the spans")
    quiet = mean_square(bed)
    return scaled(bed, math.sqrt(loud / quiet) * math.pow(10.0, -snr_db / 20.0)) if quiet else bed


def white(seed: str, count: int) -> Ints:
    """White noise, uniform amplitudes."""
    return Dice(seed).words(count)


@cache
def _sine(sample_rate: int) -> Ints:
    return np.array([round(UNIT * math.sin(2.0 * math.pi * n / sample_rate)) for n in range(sample_rate)])


def tone(frequency_hz: int, count: int, sample_rate: int) -> Ints:
    """A sine of whole hertz with amplitude `UNIT`, read from a table of one second."""
    picked: Ints = _sine(sample_rate)[np.arange(count, dtype=np.int64) * frequency_hz % sample_rate]
    return picked


@dataclass(frozen=True)
class Hum:
    """What the mains leave on a line.

    Attributes:
        harmonics_db: level of the fundamental, the second harmonic and so on, relative to the fundamental.
    """

    harmonics_db: tuple[float, ...] = (0.0, -6.0, -10.0, -16.0, -20.0)


HUM = Hum()


def hum(mains_hz: int, count: int, sample_rate: int, shape: Hum = HUM) -> Ints:
    """Mains hum at 50 or 60 Hz with its harmonics, at an arbitrary scale."""
    parts = [
        divided(tone(mains_hz * (n + 1), count, sample_rate) * factor(level_db), UNIT)
        for n, level_db in enumerate(shape.harmonics_db)
    ]
    total: Ints = np.sum(parts, axis=0, dtype=np.int64)
    return total


def babble(voices: Sequence[Ints], count: int) -> Ints:
    """Several voices at once, each brought to the same power and repeated to the length."""
    total = np.zeros(count, np.int64)
    for voice in voices:
        power = mean_square(voice)
        if power:
            total += np.resize(scaled(voice, (UNIT >> 3) / math.sqrt(power)), count)
    return total


@dataclass(frozen=True)
class Street:
    """Traffic: a low rumble that swells slowly, and vehicles passing.

    Attributes:
        rumble_hz: the first null of the low-pass that makes the rumble.
        hiss_part: share of unfiltered noise in it, of 32768.
        swell_sec: time between two independent values of the slow envelope.
        swell_db: the envelope moves between 0 and this.
        vehicle_every_sec: mean time between vehicles.
        vehicle_sec: shortest and longest passage.
        vehicle_db: level of a vehicle at its nearest, relative to the rumble.
    """

    rumble_hz: int = 900
    hiss_part: int = 1600
    swell_sec: float = 1.5
    swell_db: float = -8.0
    vehicle_every_sec: float = 9.0
    vehicle_sec: tuple[float, float] = (2.0, 5.0)
    vehicle_db: float = 6.0


STREET = Street()


def _rumble(dice: Dice, count: int, length: int) -> Ints:
    raw = dice.words(count + 2 * (length - 1))
    return divided(moving_sum(moving_sum(raw, length), length), length)


def _ramps(values: Sequence[int], step: int, count: int) -> Ints:
    """Straight lines through `values`, one every `step` samples."""
    at = np.arange(count, dtype=np.int64)
    points = np.asarray(values, np.int64)
    left, into = at // step, at % step
    line: Ints = (points[left] * (step - into) + points[left + 1] * into) // step
    return line


def street(seed: str, count: int, sample_rate: int, shape: Street = STREET) -> Ints:
    """Street noise at an arbitrary scale: low-passed, slowly modulated, with vehicles at drawn times."""
    dice = Dice(seed)
    length = max(1, sample_rate // shape.rumble_hz)
    step = index(shape.swell_sec, sample_rate)
    lowest = factor(shape.swell_db)
    swell = _ramps([dice.between(lowest, UNIT) for _ in range(count // step + 2)], step, count)
    bed = divided(_rumble(dice, count, length) * swell, UNIT)
    bed += divided(dice.words(count) * shape.hiss_part, UNIT)
    lowest_ms, longest_ms = (round(1000 * sec) for sec in shape.vehicle_sec)
    for _ in range(round(count / sample_rate / shape.vehicle_every_sec)):
        start = (
            dice.between(0, max(0, count - 1)) if count <= UNIT else dice.between(0, UNIT - 1) * count // UNIT
        )
        span = min(dice.between(lowest_ms, longest_ms) * sample_rate // 1000, count - start)
        x = np.arange(span, dtype=np.int64)
        arch = 4 * UNIT * x * (span - 1 - x) // max(1, (span - 1) ** 2)
        passing = divided(_rumble(dice, span, length) * arch, UNIT)
        bed[start : start + span] += divided(passing * factor(shape.vehicle_db), UNIT)
    return bed


@dataclass(frozen=True)
class Music:
    """Hold music: chords of steady tones struck in rhythm.

    Attributes:
        chords_hz: the tones of each chord, in whole hertz, one chord after the other.
        chord_sec: time a chord lasts.
        beats: strokes per chord.
        decay_part: a stroke falls linearly to this part of its level, of 32768.
        overtones: each tone sounds with this many harmonics, the n-th at 1/n of its amplitude.
    """

    chords_hz: tuple[tuple[int, ...], ...] = (
        (262, 330, 392),
        (220, 262, 330),
        (175, 220, 262),
        (196, 247, 294),
    )
    chord_sec: float = 2.0
    beats: int = 4
    decay_part: int = 14000
    overtones: int = 3


MUSIC = Music()


def music(count: int, sample_rate: int, shape: Music = MUSIC) -> Ints:
    """Hold music at an arbitrary scale, the same for every call."""
    chord = index(shape.chord_sec, sample_rate)
    beat = max(1, chord // shape.beats)
    out = np.zeros(count, np.int64)
    for tones_hz in sorted(set(shape.chords_hz)):
        sound = np.zeros(count, np.int64)
        for frequency_hz in tones_hz:
            for n in range(1, shape.overtones + 1):
                sound += tone(frequency_hz * n, count, sample_rate) // n
        which = np.arange(count, dtype=np.int64) // chord % len(shape.chords_hz)
        playing = np.isin(which, [n for n, other in enumerate(shape.chords_hz) if other == tones_hz])
        out += np.where(playing, sound, 0)
    into = np.arange(count, dtype=np.int64) % beat
    stroke: Ints = UNIT - (UNIT - shape.decay_part) * into // beat
    return divided(out * stroke, UNIT)


def from_sample(bed: Ints, start: int) -> Ints:
    """The bed with silence before `start`: noise that begins in the middle of a call."""
    late = bed.copy()
    late[:start] = 0
    return late
