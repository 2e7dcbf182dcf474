"""Audio rendered with sample-exact edges: labelled test calls whose every boundary is known.

A party's sound is noise shaped like speech: band-limited, rising and falling 3 to 6 times a second, and
present in exactly the half-open spans that were asked for. Nothing leaks over an edge, because the noise
is filtered first and cut afterwards. What comes out is two-channel 16-bit audio, caller on channel 0 and
agent on channel 1, over a faint noise floor.

The same scenario gives the same bytes on every machine. The random numbers are SHAKE-256 output seeded
with the SHA-256 of the scenario id and the channel; every step from there to the samples (moving sums,
products, rounded quotients) is integer arithmetic. Floating point appears only where a time in seconds
becomes a sample index and a level in decibels an integer factor, both rounded to the nearest integer,
which leaves the last bits of the mathematics library without influence.

`render` turns one scenario into samples; `speech_like` and `noise_floor` are its parts, for tests that
need a stranger call than a scenario can describe; `wav_bytes` packs samples into a canonical WAV file.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import wave
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Samples = npt.NDArray[np.int16]
Span = Sequence[float]

UNIT = 1 << 15
"""One, for the fixed-point gains and envelopes in this module, and full scale of 16-bit audio."""


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


def _divided(numerator: Ints, denominator: int) -> Ints:
    """Quotient to the nearest integer, halves away from zero, so that the sign carries no bias."""
    size: Ints = (2 * np.abs(numerator) + denominator) // (2 * denominator)
    quotient: Ints = np.sign(numerator) * size
    return quotient


def _moving_sum(values: Ints, length: int) -> Ints:
    """Sums over `length` neighbours; the output is `length - 1` shorter."""
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(values)])
    sums: Ints = running[length:] - running[:-length]
    return sums


def band_noise(dice: Dice, count: int, sample_rate: int, shape: Shape = SHAPE) -> Ints:
    """`count` samples of noise between about `low_hz` and 3400 Hz, at an arbitrary scale.

    Two short moving sums take the treble off (they are an exact integer low-pass), and a long moving
    average is subtracted to take the bass off.
    """
    short = max(1, round(sample_rate / shape.high_hz))
    long = 2 * (sample_rate // (2 * shape.low_hz)) + 1
    raw = dice.words(count + long - 1 + 2 * (short - 1))
    soft = _moving_sum(_moving_sum(raw, short), short)
    centre = soft[long // 2 : long // 2 + count]
    return _divided(long * centre - _moving_sum(soft, long), long)


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
    return _divided(shaped * factor(shape.peak_dbfs + gain_db), loudest) if loudest else shaped


def noise_floor(seed: str, count: int, level_dbfs: float) -> Ints:
    """`count` samples of white noise with about this RMS level; zeros below half a quantisation step."""
    amplitude = round(UNIT * math.pow(10.0, level_dbfs / 20.0) * math.sqrt(3.0))
    if amplitude == 0:
        return np.zeros(count, np.int64)
    noise: Ints = (Dice(seed).words(count) + UNIT) * (2 * amplitude + 1) // (2 * UNIT) - amplitude
    return noise


def echo_of(signal: Ints, delay_samples: int, gain_db: float) -> Ints:
    """A delayed, scaled copy of a signal, of the same length: what an uncancelled line returns."""
    copy = np.zeros_like(signal)
    copy[delay_samples:] = _divided(signal[: len(signal) - delay_samples] * factor(gain_db), UNIT)
    return copy


def render(scenario: Mapping[str, Any]) -> Samples:
    """A scenario as samples of shape (frames, 2): caller on channel 0, agent on channel 1.

    Reads `id` (the seed), `duration_sec`, `sample_rate` and the block `reference_render`:
    `caller_segments_sec` and `agent_segments_sec` ([[start, end), ...]); optionally `continuous`,
    `gain_db` ({"caller": dB, "agent": dB}), `noise_floor_dbfs`, and `echo` ({"delay_sec", "gain_db"}: the
    agent's sound returned on the caller channel).
    """
    name, rate, block = scenario["id"], int(scenario["sample_rate"]), scenario["reference_render"]
    count = index(scenario["duration_sec"], rate)
    floor_dbfs = block.get("noise_floor_dbfs", SHAPE.floor_dbfs)
    party: dict[str, Ints] = {}
    for role in ("caller", "agent"):
        party[role] = speech_like(
            f"{name}#{role}",
            block[f"{role}_segments_sec"],
            count,
            rate,
            continuous=block.get("continuous", False),
            gain_db=block.get("gain_db", {}).get(role, 0.0),
        )
    if echo := block.get("echo"):
        party["caller"] += echo_of(party["agent"], index(echo["delay_sec"], rate), echo["gain_db"])
    channels = [party[role] + noise_floor(f"{name}#{role}#floor", count, floor_dbfs) for role in party]
    return np.clip(np.stack(channels, axis=1), -UNIT, UNIT - 1).astype(np.int16)


def wav_bytes(samples: Samples, sample_rate: int) -> bytes:
    """A 16-bit PCM WAV file with a plain 44-byte header; samples of shape (frames,) or (frames, channels)."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as out:
        out.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        out.setsampwidth(2)
        out.setframerate(sample_rate)
        out.writeframes(samples.astype("<i2").tobytes())
    return buffer.getvalue()


def scenarios_in(folder: Path) -> list[dict[str, Any]]:
    """The scenarios of a set (`folder/scenarios/*.json`), by file name."""
    return [json.loads(path.read_text("utf-8")) for path in sorted((folder / "scenarios").glob("*.json"))]
