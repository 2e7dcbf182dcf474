"""What a line does to one channel: gain, clipping, offset, delay, echo, drift, half the sample rate.

Every function takes and returns integers (`Ints`), so that steps can follow each other without rounding to 16
bits in between; `to_int16` ends the chain and is where clipping happens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hotato.acoustics.dice import UNIT, Ints, divided, factor
from hotato.acoustics.scenarios import Samples, echo_of

DRIFT_UNIT = 10**6
"""One, for a clock's speed: drift is in parts per million."""

HALF_BAND_TAPS = 95
"""Length of the low-pass before every second sample is dropped; odd, so that its delay is whole."""


def to_int16(channels: Sequence[Ints]) -> Samples:
    """Channels side by side as 16-bit samples of shape (frames, channels); what does not fit is clipped."""
    return np.clip(np.stack(channels, axis=1), -UNIT, UNIT - 1).astype(np.int16)


def gain(signal: Ints, level_db: float) -> Ints:
    """The signal `level_db` louder; nothing is clipped here."""
    return divided(signal * factor(level_db), UNIT)


def clipped(signal: Ints, ceiling_dbfs: float = 0.0) -> Ints:
    """Every sample cut off at a ceiling."""
    ceiling = factor(ceiling_dbfs)
    return np.clip(signal, -ceiling, min(ceiling, UNIT - 1))


def with_dc(signal: Ints, offset: float) -> Ints:
    """A constant added, as a part of full scale (0.02 is 2 %)."""
    return signal + round(offset * UNIT)


def delayed(signal: Ints, samples: int) -> Ints:
    """The signal that much later (earlier when negative), at its old length, with silence in the gap."""
    out = np.zeros_like(signal)
    if samples >= 0:
        out[samples:] = signal[: len(signal) - samples]
    else:
        out[:samples] = signal[-samples:]
    return out


def with_silence(signal: Ints, start: int, stop: int) -> Ints:
    """Exact zeros from sample `start` up to `stop`."""
    out = signal.copy()
    out[start:stop] = 0
    return out


def bleed(source: Ints, delay_samples: int, gain_db: float, taps: Sequence[float] = (1.0,)) -> Ints:
    """What comes back of the other party's sound: delayed, scaled and, through `taps`, coloured.

    `taps` is a short impulse response; it is scaled to unit energy, so that `gain_db` is the level of the
    return for a signal without colour of its own. Its first tap sits at the delay.
    """
    energy = math.sqrt(sum(tap * tap for tap in taps))
    total = np.zeros_like(source)
    for n, tap in enumerate(taps):
        if tap:
            sign = 1 if tap > 0 else -1
            level_db = gain_db + 20.0 * math.log10(abs(tap) / energy)
            total += sign * echo_of(source, delay_samples + n, level_db)
    return total


def drifted(signal: Ints, speed_ppm: int) -> Ints:
    """The signal as a clock that runs `speed_ppm` parts per million fast has written it, at its old length.

    Sample n holds what was at n * 1e6 / (1e6 + speed_ppm): a moment t of the source stands at
    t * (1 + speed_ppm / 1e6). Read between samples by the cubic through the four neighbours, in integers.
    """
    count = len(signal)
    at = np.arange(count, dtype=np.int64) * DRIFT_UNIT
    speed = DRIFT_UNIT + speed_ppm
    left, rest = at // speed, at % speed
    f = rest * UNIT // speed
    padded = np.concatenate([np.zeros(1, np.int64), signal, np.zeros(3, np.int64)])
    left = np.minimum(left, count)
    before, here, after, later = (padded[left + n] for n in range(4))
    # Lagrange's cubic in Horner form; sixfold, so that its coefficients are whole.
    a = -before + 3 * here - 3 * after + later
    b = 3 * before - 6 * here + 3 * after
    c = -2 * before - 3 * here + 6 * after - later
    value = (divided((divided((divided(a * f, UNIT) + b) * f, UNIT) + c) * f, UNIT)) + 6 * here
    return divided(value, 6)


@dataclass(frozen=True)
class GainControl:
    """An automatic gain control: it brings what is loud enough towards one level.

    Attributes:
        block_ms: the gain is set once for each of these, and goes in a straight line between them.
        target_dbfs: the RMS it aims at.
        open_dbfs: a quieter block leaves the gain where it is.
        highest_db: the most it amplifies; it never attenuates by more than this either.
        rise_db_per_sec, fall_db_per_sec: how fast the gain goes up and down.
    """

    block_ms: int = 10
    target_dbfs: float = -20.0
    open_dbfs: float = -60.0
    highest_db: float = 24.0
    rise_db_per_sec: float = 12.0
    fall_db_per_sec: float = 120.0


GAIN_CONTROL = GainControl()


def levelled(signal: Ints, sample_rate: int, control: GainControl = GAIN_CONTROL) -> Ints:
    """The signal after an automatic gain control, which pulls up what lies between the words as well."""
    block = control.block_ms * sample_rate // 1000
    count = -(-len(signal) // block)
    padded = np.concatenate([signal, np.zeros(count * block - len(signal), np.int64)])
    power = np.sum(padded.reshape(count, block) ** 2, axis=1) / block
    rise, fall = (
        rate * control.block_ms / 1000.0 for rate in (control.rise_db_per_sec, control.fall_db_per_sec)
    )
    gain_db, gains = 0.0, [UNIT]
    for value in power.tolist():
        level_dbfs = 10.0 * math.log10(max(value, 1e-3) / UNIT**2)
        if level_dbfs > control.open_dbfs:
            wanted = max(-control.highest_db, min(control.highest_db, control.target_dbfs - level_dbfs))
            gain_db += max(-fall, min(rise, wanted - gain_db))
        gains.append(factor(gain_db))
    at = np.arange(len(signal), dtype=np.int64)
    points, into = np.array(gains, np.int64), at % block
    curve = (points[at // block] * (block - into) + points[at // block + 1] * into) // block
    return divided(signal * curve, UNIT)


def drifted_time(time_sec: float, speed_ppm: int) -> float:
    """Where a moment of the source stands after `drifted`."""
    return time_sec * (DRIFT_UNIT + speed_ppm) / DRIFT_UNIT


def half_band(taps: int = HALF_BAND_TAPS) -> list[int]:
    """Coefficients, in units of 1/UNIT, of a linear-phase low-pass at a quarter of the sample rate.

    A sinc under a Blackman window; the middle coefficient takes up the rounding, so that they sum to `UNIT`.
    """
    middle = taps // 2
    ideal = []
    for n in range(taps):
        x = (n - middle) / 2.0
        sinc = 1.0 if n == middle else math.sin(math.pi * x) / (math.pi * x)
        phase = 2.0 * math.pi * (n + 1) / (taps + 1)
        ideal.append(0.5 * sinc * (0.42 - 0.5 * math.cos(phase) + 0.08 * math.cos(2.0 * phase)))
    whole = [round(UNIT * value / sum(ideal)) for value in ideal]
    whole[middle] += UNIT - sum(whole)
    return whole


def halved(signal: Ints) -> Ints:
    """The signal at half its sample rate: low-passed without delay, then every second sample.

    Sample n of the result stands at sample 2 n of the source, so times stay what they are.
    """
    taps = half_band()
    middle = len(taps) // 2
    padded = np.concatenate([np.zeros(middle, np.int64), signal, np.zeros(middle + 1, np.int64)])
    count = (len(signal) + 1) // 2
    total = np.zeros(count, np.int64)
    for n, tap in enumerate(taps):
        if tap:
            total += tap * padded[n : n + 2 * count : 2]
    return divided(total, UNIT)


def preceded(signal: Ints, samples: int) -> Ints:
    """The signal with that much silence in front, longer by it."""
    return np.concatenate([np.zeros(samples, np.int64), signal])
