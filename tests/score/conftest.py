"""Calls with sample-exact edges: every sample of a sound has the same magnitude, its sign is seeded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

RATE = 16_000
Stretch = tuple[int, int]
Render = Callable[..., Path]


def signal(stretches: list[Stretch], samples: int, *, level: float = 0.3, seed: int = 1) -> np.ndarray:
    """A channel that is silent but for `stretches` (first sample, stop sample)."""
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=samples)
    channel = np.zeros(samples)
    for first, stop in stretches:
        channel[first:stop] = level * signs[first:stop]
    return channel


@pytest.fixture
def render(tmp_path: Path) -> Render:
    """Write a two-channel call from seconds: `render("a.wav", caller=[(2.0, 3.0)], agent=[(0.2, 2.4)])`."""

    def write(
        name: str,
        *,
        caller: list[tuple[float, float]],
        agent: list[tuple[float, float]],
        seconds: float = 6.0,
        rate: int = RATE,
        noise: float = 0.0,
        swapped: bool = False,
    ) -> Path:
        samples = round(seconds * rate)
        cut = [[(round(a * rate), round(b * rate)) for a, b in side] for side in (caller, agent)]
        sides = [signal(cut[0], samples, seed=1), signal(cut[1], samples, seed=2)]
        if noise:
            bed = np.random.default_rng(3).uniform(-noise, noise, (2, samples))
            sides = [side + extra for side, extra in zip(sides, bed, strict=True)]
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(target, np.stack(sides[::-1] if swapped else sides, axis=1), rate, subtype="PCM_16")
        return target

    return write
