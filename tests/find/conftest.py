"""Rendered calls with sample-exact edges, for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.listen import Heard, attend, hear
from hotato.stacks import ChannelMap, channel_map

RATE = 8000
Spans = Sequence[tuple[float, float]]
Render = Callable[..., Heard]


def sound(spans: Spans, seconds: float, *, level: float = 0.3, seed: int = 1) -> np.ndarray:
    """Noise at a steady level inside each span, digital silence elsewhere: edges are exact to the sample."""
    signal = np.zeros(round(seconds * RATE))
    noise = np.random.default_rng(seed).choice([-level, level], size=len(signal))
    for start, end in spans:
        first, stop = round(start * RATE), round(end * RATE)
        signal[first:stop] = noise[first:stop]
    return signal


@pytest.fixture
def write_call(tmp_path: Path) -> Callable[..., Path]:
    """Write channels as a 16-bit WAV and return its path."""

    def write(*channels: np.ndarray, name: str = "call.wav") -> Path:
        path = tmp_path / name
        samples = np.stack([np.round(c * 32767).astype(np.int16) for c in channels], axis=1)
        soundfile.write(path, samples, RATE, subtype="PCM_16")
        return path

    return write


@pytest.fixture
def render(write_call: Callable[..., Path]) -> Render:
    """A heard call from the spans of caller and agent."""

    def make(
        caller: Spans, agent: Spans, seconds: float, *, level: float = 0.3, channels: ChannelMap | None = None
    ) -> Heard:
        tracks = [sound(caller, seconds, level=level), sound(agent, seconds, level=level, seed=2)]
        channels = channels or channel_map()
        if channels.caller == 1:
            tracks.reverse()
        return attend(hear(write_call(*tracks)), channels)

    return make
