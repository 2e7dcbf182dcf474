"""Rendered calls with sample-exact edges, for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from hotato.find import Autopsy, autopsy
from hotato.listen import Heard, attend, hear, tell_apart
from hotato.stacks import ChannelMap, channel_map

RATE = 8000
Spans = Sequence[tuple[float, float]]
Render = Callable[..., Heard]


def _sound(spans: Spans, seconds: float, *, level: float = 0.3, seed: int = 1) -> np.ndarray:
    """Noise inside each span, digital silence elsewhere: edges are exact to the sample.

    As speech does and a tone does not, the level dips (by 18 dB for 50 ms) several times a second; never near
    an edge, and with a rhythm of its own for each seed.
    """
    signal = np.zeros(round(seconds * RATE))
    noise = np.random.default_rng(seed).choice([-level, level], size=len(signal))
    for start, end in spans:
        first, stop = round(start * RATE), round(end * RATE)
        signal[first:stop] = noise[first:stop]
        for dip in np.arange(start + 0.12, end - 0.15, 0.18 + 0.03 * seed):
            signal[round(dip * RATE) : round((dip + 0.05) * RATE)] *= 0.125
    return signal


def _syllables(spans: Spans, seconds: float, *, level: float = 0.3, seed: int = 5) -> np.ndarray:
    """Noise whose level wanders by some 15 dB as speech does: a shape that a copy of it must share."""
    flat = _sound(spans, seconds, level=level, seed=seed)
    steps = np.random.default_rng(seed).uniform(-18.0, 0.0, size=round(seconds * 8) + 2)
    at = np.arange(len(flat)) / RATE * 8
    return flat * 10.0 ** (np.interp(at, np.arange(len(steps)), steps) / 20.0)


def _delayed(signal: np.ndarray, lag_sec: float, gain: float) -> np.ndarray:
    """A scaled copy of `signal`, later by `lag_sec`."""
    lag = round(lag_sec * RATE)
    return gain * np.concatenate([np.zeros(lag), signal[:-lag]])


@pytest.fixture(name="sound")
def sound_fixture() -> Callable[..., np.ndarray]:
    """Sound in given spans."""
    return _sound


@pytest.fixture(name="syllables")
def syllables_fixture() -> Callable[..., np.ndarray]:
    """Sound with the shape of speech in given spans."""
    return _syllables


@pytest.fixture(name="delayed")
def delayed_fixture() -> Callable[..., np.ndarray]:
    """A later, scaled copy of a signal."""
    return _delayed


@pytest.fixture
def write_call(tmp_path: Path) -> Callable[..., Path]:
    """Write channels as a 16-bit WAV and return its path."""

    def write(*channels: np.ndarray, name: str = "call.wav") -> Path:
        path = tmp_path / name
        samples = np.stack(
            [np.round(c * 32768).clip(-32768, 32767).astype(np.int16) for c in channels], axis=1
        )
        soundfile.write(path, samples, RATE, subtype="PCM_16")
        return path

    return write


@pytest.fixture
def render(write_call: Callable[..., Path]) -> Render:
    """A heard call from the spans of caller and agent."""

    def make(
        caller: Spans,
        agent: Spans,
        seconds: float,
        *,
        level: float = 0.3,
        channels: ChannelMap | None = None,
        detector: str = "auto",
    ) -> Heard:
        tracks = [_sound(caller, seconds, level=level), _sound(agent, seconds, level=level, seed=2)]
        channels = channels or channel_map()
        if channels.caller == 1:
            tracks.reverse()
        return attend(hear(write_call(*tracks)), channels, detector=detector)

    return make


@pytest.fixture
def open_call(write_call: Callable[..., Path]) -> Callable[..., Autopsy]:
    """The autopsy of a call rendered from the spans of caller and agent."""

    def opened(caller: Spans, agent: Spans, seconds: float, **options: Any) -> Autopsy:
        path = write_call(_sound(caller, seconds), _sound(agent, seconds, seed=2))
        return autopsy(tell_apart(hear(path), channel_map()), **options)

    return opened
