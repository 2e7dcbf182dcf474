"""The command line under test: in this process for speed, in a child where signals and streams matter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from hotato.cli import main

DATA = Path(str(resources.files("hotato"))) / "data"


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


Hotato = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test works in its own folder, without the developer's colour or debug settings."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "HOTATO_DEBUG", "COLUMNS", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def hotato(capfd: pytest.CaptureFixture[str]) -> Hotato:
    """Run a command in this process."""

    def run(*words: str | Path) -> Outcome:
        capfd.readouterr()
        code = main([str(word) for word in words])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def process() -> Callable[..., subprocess.Popen[bytes]]:
    """Start a command in a child process."""
    return start


@pytest.fixture
def call(tmp_path: Path) -> Path:
    """A two-channel call with something to find, as `call.flac` in the test's folder."""
    return Path(shutil.copy(DATA / "demo" / "cancel-call.flac", tmp_path / "call.flac"))


@pytest.fixture
def barge_in(tmp_path: Path) -> Path:
    """The battery's first scenario: the agent yields after half a second."""
    name = "01-hard-interruption.example.wav"
    return Path(shutil.copy(DATA / "battery" / "audio" / name, tmp_path / "barge-in.wav"))


@pytest.fixture
def mono(tmp_path: Path) -> Path:
    """A single-channel recording with two sounds and a silence of 6 s between them."""
    return sound(tmp_path / "mono.wav", [(0.5, 2.0), (8.0, 10.0)], 12.0)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """The caller and the agent of one call in a file each: the caller speaks first, the agent answers."""
    yield (
        sound(tmp_path / "caller.wav", [(1.0, 2.5)], 8.0),
        sound(tmp_path / "agent.wav", [(0.2, 0.6), (3.0, 6.0)], 8.0),
    )


def start(*words: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """A child process that runs a command; its environment can be extended with `env`."""
    env = {**os.environ, **options.pop("env", {})}
    piped = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-m", "hotato", *map(str, words)]
    return subprocess.Popen(command, env=env, **{**piped, **options})


def sound(path: Path, spans: list[tuple[float, float]], seconds: float, rate: int = 16000) -> Path:
    """A mono WAV with loud noise in the spans and digital silence elsewhere."""
    import numpy as np
    import soundfile

    samples = np.zeros(round(seconds * rate), dtype=np.int16)
    noise = np.random.default_rng(7).integers(-9000, 9000, len(samples), dtype=np.int16)
    for begin, end in spans:
        part = slice(round(begin * rate), round(end * rate))
        samples[part] = noise[part]
    soundfile.write(path, samples, rate, subtype="PCM_16")
    return path
