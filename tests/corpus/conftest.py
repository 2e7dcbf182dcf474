"""The corpus scripts as modules, and a second, independent reading of the documented energy measurement."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
HANGOVER_FRAMES = 15
QUIET_FRAMES = 20
SEARCH_FRAMES = 300
PROXIMITY_FRAMES = 50


def module_at(name: str, path: Path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True, eq=False)
class Heard:
    """What the documented energy measurement hears on one channel; frame k starts at k * 10 ms."""

    rms: np.ndarray
    threshold_db: float
    raw: np.ndarray
    active: np.ndarray

    @property
    def runs(self) -> list[tuple[int, int]]:
        return runs_of(self.active)

    @property
    def active_sec(self) -> float:
        return int(self.active.sum()) / 100


def runs_of(active: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], active.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def hear(samples: np.ndarray, sample_rate: int) -> Heard:
    hop = sample_rate // 100
    padded = np.concatenate([samples.astype(np.float64) / 32768, np.zeros(2 * hop)])
    rms = np.array([np.sqrt(np.mean(padded[at : at + 2 * hop] ** 2)) for at in range(0, len(samples), hop)])
    level = 20 * np.log10(np.maximum(rms, 1e-6))
    threshold = max(float(np.percentile(level, 10)) + 15, -60.0)
    if level.max() - 22 > -60:
        threshold = min(threshold, float(level.max()) - 22)
    raw = level >= threshold
    active = raw.copy()
    for frame in np.flatnonzero(raw):
        active[frame : frame + HANGOVER_FRAMES + 1] = True
    return Heard(rms, threshold, raw, active)


def yield_after(caller: Heard, agent: Heard, onset: int) -> tuple[float | None, float]:
    """(seconds to yield or None, seconds of talk-over) from an onset frame."""
    last = min(onset + SEARCH_FRAMES, len(agent.active))
    found = None
    for frame in range(onset, last):
        quiet = agent.active[frame : frame + QUIET_FRAMES]
        near = caller.active[max(0, frame - PROXIMITY_FRAMES) : frame + PROXIMITY_FRAMES + 1]
        if len(quiet) == QUIET_FRAMES and not quiet.any() and near.any():
            found = frame
            break
    until = last if found is None else found
    talk_over = int((caller.active & agent.active)[onset:until].sum()) / 100
    return (None if found is None else (found - onset) / 100), talk_over


def coherence(caller: Heard, agent: Heard) -> tuple[float, float]:
    """(best cosine of the two envelopes, its lag in seconds), caller behind agent by 0 to 0.5 s."""
    cosines = []
    for lag in range(51):
        late, early = caller.rms[lag:], agent.rms[: len(agent.rms) - lag]
        cosines.append(float(late @ early / np.sqrt((late @ late) * (early @ early))))
    return max(cosines), int(np.argmax(cosines)) / 100


class Measure:
    hear = staticmethod(hear)
    runs_of = staticmethod(runs_of)
    yield_after = staticmethod(yield_after)
    coherence = staticmethod(coherence)


@pytest.fixture(scope="session")
def measure() -> type[Measure]:
    return Measure


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def build():
    return module_at("battery_build", REPOSITORY / "corpus" / "battery" / "build.py")
