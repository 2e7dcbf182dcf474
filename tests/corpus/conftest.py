"""The corpus scripts as modules, and a second, independent reading of the documented energy measurement."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hotato.score import run_suite
from hotato.timing import ScoreConfig

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


@pytest.fixture(scope="session")
def build_suites():
    return module_at("build_suites", REPOSITORY / "corpus" / "suites" / "build_suites.py")


@pytest.fixture(scope="session")
def build_classes():
    return module_at("build_classes", REPOSITORY / "corpus" / "classes" / "build_classes.py")


@pytest.fixture(scope="session")
def callsets(build_suites):
    """The builder's shared module, which a builder makes importable."""
    return sys.modules["callsets"]


@dataclass(frozen=True)
class Ran:
    """A set, rendered and scored: what the manifest would say, and the envelope of a run."""

    entry: dict
    envelope: dict

    @property
    def events(self) -> dict[str, dict]:
        return {event["event_id"]: event for event in self.envelope["events"]}


def rendered_and_scored(name, item, folder: Path, **more) -> Ran:
    """Write a set below `folder` and score it; the SNR gate at 0 dB only makes the envelope state the SNR."""
    audio = item.recordings()
    entry = item.entry(audio)
    files = item.texts() | {path: data for path, data in audio.items() if path.endswith(".example.wav")}
    for path, data in files.items():
        target = folder / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    home = folder / name
    more = {"snr_gate_db": 0.0, **more}
    return Ran(entry, run_suite(scenarios_dir=home / "scenarios", audio_dir=home / "audio", **more))


@pytest.fixture(scope="session")
def suites(build_suites, tmp_path_factory) -> dict[str, Ran]:
    """The four suites, rendered and scored once."""
    folder = tmp_path_factory.mktemp("suites")
    return {name: rendered_and_scored(name, item, folder) for name, item in build_suites.SETS.items()}


@pytest.fixture(scope="session")
def classes(build_classes, tmp_path_factory) -> dict[str, Ran]:
    """The four classes, rendered and scored once, each with the setting that it names."""
    folder = tmp_path_factory.mktemp("classes")
    return {
        name: rendered_and_scored(
            name, item, folder, cfg=ScoreConfig(**item.facts.get("score_config", {})), snr_gate_db=None
        )
        for name, item in build_classes.SETS.items()
    }


@pytest.fixture(scope="session")
def script():
    """A script of the corpus folder as a module, by its place in there."""

    def load(place: str):
        name = "corpus_" + place.removesuffix(".py").replace("/", "_")
        return module_at(name, REPOSITORY / "corpus" / place)

    return load
