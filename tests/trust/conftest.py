"""Rendered two-party calls with exact edges, and the way from samples to a report."""

from __future__ import annotations

import wave
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hotato.listen import Hearing, hear, tell_apart
from hotato.stacks import ChannelMap
from hotato.trust import TrustReport, examine

RATE = 8000
SECONDS = 40
CALLER = [(2.0, 4.0), (11.0, 13.5), (20.0, 22.0), (28.0, 30.5), (36.0, 38.0)]
AGENT = [(0.3, 1.8), (4.5, 10.5), (14.0, 19.5), (22.5, 27.5), (31.0, 35.5)]


def voice(
    seed: int, spans: list[tuple[float, float]], seconds: float = SECONDS, rate: int = RATE
) -> np.ndarray:
    """Noise in syllables of 0.14 to 0.34 s, each with an attack and a decay; zeros outside the spans."""
    rng = np.random.default_rng(seed)
    count = round(seconds * rate)
    noise = np.convolve(rng.standard_normal(count), np.ones(4) / 2.0, "same")
    envelope = np.zeros(count)
    for start, end in spans:
        at, stop = round(start * rate), round(end * rate)
        while at < stop:
            length = min(int(rng.uniform(0.14, 0.34) * rate), stop - at)
            x = np.linspace(0.0, 1.0, max(length, 2))[:length]
            envelope[at : at + length] = np.minimum(x / 0.15, 1.0) * np.exp(-2.5 * x) * rng.uniform(0.3, 1.0)
            at += length + int(rng.uniform(0.0, 0.05) * rate)
    return 0.12 * noise * envelope


def white(seed: int, count: int, level_dbfs: float) -> np.ndarray:
    """White noise of an RMS level."""
    return np.random.default_rng(seed).standard_normal(count) * 10.0 ** (level_dbfs / 20.0)


def call(seed: int = 1, floor_dbfs: float | None = -75.0) -> np.ndarray:
    """A healthy call, shape (samples, 2), caller first; `floor_dbfs` None gives digital silence."""
    sides = [voice(10 * seed, CALLER), voice(10 * seed + 1, AGENT)]
    if floor_dbfs is not None:
        sides = [side + white(100 * seed + k, len(side), floor_dbfs) for k, side in enumerate(sides)]
    return np.stack(sides, axis=1)


def delayed(samples: np.ndarray, seconds: float, rate: int = RATE) -> np.ndarray:
    """The samples `seconds` later (earlier where negative), of the same length."""
    shift = round(seconds * rate)
    moved = np.zeros_like(samples)
    if shift >= 0:
        moved[shift:] = samples[: len(samples) - shift]
    else:
        moved[:shift] = samples[-shift:]
    return moved


@dataclass(frozen=True)
class Studio:
    """The helpers in one place, so that tests need no import of this file."""

    heard: Callable[..., Hearing]
    look: Callable[..., TrustReport]
    call: Callable[..., np.ndarray]
    voice: Callable[..., np.ndarray]
    white: Callable[..., np.ndarray]
    delayed: Callable[..., np.ndarray]
    file: Path
    rate: int = RATE

    @staticmethod
    def codes(report: TrustReport) -> list[str]:
        return [finding.code for finding in report.findings]

    @staticmethod
    def evidence(report: TrustReport, code: str) -> dict[str, Any]:
        return next(dict(finding.evidence) for finding in report.findings if finding.code == code)


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    path = tmp_path_factory.mktemp("calls") / "call.wav"

    def heard(samples: np.ndarray, *, rate: int = RATE) -> Hearing:
        pcm = np.clip(np.rint(samples * 32768.0), -32768, 32767).astype("<i2")
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1 if pcm.ndim == 1 else pcm.shape[1])
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(pcm.tobytes())
        return hear(path)

    def look(
        samples: np.ndarray,
        channels: ChannelMap | None = None,
        *,
        rate: int = RATE,
        detector: str = "auto",
        **how: Any,
    ) -> TrustReport:
        call = tell_apart(heard(samples, rate=rate), channels or ChannelMap(0, 1), detector=detector)
        return examine(call, **how)

    return Studio(heard=heard, look=look, call=call, voice=voice, white=white, delayed=delayed, file=path)
