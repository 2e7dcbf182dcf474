"""Seeded two-party calls to measure on: speech-like ones, on a bad line too, and bursts as the worst case."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

RATE_HZ = 16000
BARGE_IN_SEC = 4.0
_SEED = 20260101
_BANK = 12
_UTTERANCE_SEC = 9.0

_QUIETER = 500
_SICK_NOISE = 1200
_SICK_ECHO_GAIN, _SICK_ECHO_SEC = 0.25, 0.12

Wave = NDArray[np.int16]
Burst = tuple[float, float, float]


def write_call(path: Path, seconds: float, rate_hz: int = RATE_HZ) -> Path:
    """Write a stereo PCM16 WAV of `seconds`, caller first: the same bytes every time.

    The agent speaks first; at `BARGE_IN_SEC` the caller interrupts it.
    """
    soundfile.write(path, _call(seconds, rate_hz), rate_hz, subtype="PCM_16")
    return path


def write_sick_call(path: Path, seconds: float, rate_hz: int = RATE_HZ) -> Path:
    """Write the call of `write_call` over a bad line: each party returns on the other's channel, 12 dB down
    and 0.12 s late, and both channels carry white noise, so that both have to be heard a second time.
    """
    samples, late = _call(seconds, rate_hz), round(_SICK_ECHO_SEC * rate_hz)
    rng = np.random.default_rng(_SEED + 1)
    with soundfile.SoundFile(path, "w", rate_hz, 2, subtype="PCM_16") as file:
        for start in range(0, len(samples), 60 * rate_hz):
            block = samples[start : start + 60 * rate_hz].astype(np.float64)
            before = samples[start - late : start] if start else np.zeros((late, 2), dtype=np.int16)
            echo = np.concatenate([before, block])[: len(block), ::-1] * _SICK_ECHO_GAIN
            noise = rng.uniform(-_SICK_NOISE, _SICK_NOISE, block.shape)
            file.write(np.clip(np.rint(block + echo + noise), -32768, 32767).astype(np.int16))
    return path


def _call(seconds: float, rate_hz: int) -> Wave:
    rng = np.random.default_rng(_SEED)
    banks = [_bank(rng, rate_hz, pitch_hz) for pitch_hz in (205.0, 118.0)]
    noise = rng.integers(-4, 5, (60 * rate_hz, 2)).astype(np.int16)
    total = round(seconds * rate_hz)
    samples = np.concatenate([noise] * (total // len(noise) + 1))[:total]
    samples[rate_hz // 2 : 6 * rate_hz, 1] += banks[1][0][: 6 * rate_hz - rate_hz // 2]
    at, party = round(BARGE_IN_SEC * rate_hz), 0
    while at < total:
        utterance = banks[party][int(rng.integers(_BANK))]
        spoken = utterance[: int(rng.uniform(0.8, _UTTERANCE_SEC) * rate_hz)][: total - at]
        samples[at : at + len(spoken), party] += spoken
        at += max(rate_hz // 4, len(spoken) + int(_gap_sec(rng) * rate_hz))
        party = 1 - party
    return samples


def write_bursts(path: Path, seconds: float, caller: Burst, agent: Burst, rate_hz: int = 8000) -> Path:
    """Write a stereo PCM16 WAV of `seconds`: bursts of noise on both channels, as many events as can be.

    Args:
        path: where to write.
        seconds: length of the call.
        caller: period, beginning and length of the caller's bursts in seconds.
        agent: likewise of the agent's.
        rate_hz: sample rate.
    """
    at = np.arange(round(seconds * rate_hz))
    noise = np.random.default_rng(_SEED).integers(-6000, 6001, (len(at), 2)).astype(np.int16)
    for party, (period, first, length) in enumerate((caller, agent)):
        quiet = (at / rate_hz - first) % period >= length
        noise[quiet, party] //= _QUIETER
    soundfile.write(path, noise, rate_hz, subtype="PCM_16")
    return path


def _gap_sec(rng: np.random.Generator) -> float:
    """Seconds from one turn to the next: mostly short gaps, some overlaps, now and then a long silence."""
    kind = rng.random()
    if kind < 0.15:
        return -rng.uniform(0.2, 2.5)
    return rng.uniform(4.0, 7.0) if kind > 0.95 else rng.uniform(0.15, 1.2)


def _bank(rng: np.random.Generator, rate_hz: int, pitch_hz: float) -> list[Wave]:
    """Utterances of one voice: harmonics under a tilt, opened and closed by syllables of 3 to 6 a second."""
    t = np.arange(int(_UTTERANCE_SEC * rate_hz)) / rate_hz
    bank = []
    for _ in range(_BANK):
        pitch = pitch_hz * (1.0 + 0.08 * np.sin(2 * np.pi * rng.uniform(0.3, 0.9) * t))
        phase = 2 * np.pi * np.cumsum(pitch) / rate_hz
        tone = sum(np.sin(n * phase + rng.uniform(0, 6.28)) / n for n in range(1, 12))
        syllables = np.clip(np.sin(2 * np.pi * rng.uniform(3.0, 6.0) * t) + 0.6, 0.0, 1.0)
        voice = np.asarray(tone) * syllables + 0.05 * syllables * rng.standard_normal(len(t))
        bank.append(np.rint(voice / np.abs(voice).max() * rng.uniform(4000, 16000)).astype(np.int16))
    return bank
