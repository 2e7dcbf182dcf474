"""The bench counts only what ran: a command that fails is a failure, and its input is the same every time."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the bench waits for processes the POSIX way")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def test_a_command_that_runs_has_a_time_and_a_peak_of_its_own() -> None:
    child = load("child")
    ballast = bytearray(200_000_000)  # the peak of the measuring process is not the child's
    ran = child.run(python("open('page.html', 'w').close()"), 1, leaves="*.html")
    assert ran.failure is None
    assert len(ballast) == 200_000_000
    assert ran.seconds > 0
    assert ran.cpu_seconds > 0
    assert 1 < ran.peak_mb < 100


@pytest.mark.parametrize(
    ("command", "leaves", "says"),
    [
        (python("raise SystemExit('no such command')"), "", "exit 1: no such command"),
        (python("pass"), "*.html", r"it left no \*.html"),
        ([str(BENCH / "absent")], "", "cannot be started: No such file"),
        ([sys.executable, "-m", "no_such_module"], "", "exit 1: .*no_such_module"),
    ],
)
def test_a_command_that_fails_says_how(command: list[str], leaves: str, says: str) -> None:
    import re

    assert re.match(says, load("child").run(command, 3, leaves=leaves).failure or "")


def test_the_call_is_the_same_every_time_and_holds_an_interruption(tmp_path: Path) -> None:
    import soundfile

    calls = load("calls")
    one = calls.write_call(tmp_path / "one.wav", 12).read_bytes()
    assert one == calls.write_call(tmp_path / "two.wav", 12).read_bytes()
    samples, rate = soundfile.read(tmp_path / "one.wav", dtype="int16")
    assert (samples.shape, rate) == ((12 * 16000, 2), 16000)
    onset = round(calls.BARGE_IN_SEC * rate)
    assert abs(samples[:onset, 0]).max() < 10
    assert abs(samples[onset : onset + rate]).max(axis=0).min() > 1000


def test_the_sick_call_is_the_healthy_one_with_echo_and_noise_on_both_channels(tmp_path: Path) -> None:
    import numpy as np
    import soundfile

    calls = load("calls")
    well, rate = soundfile.read(calls.write_call(tmp_path / "well.wav", 70), dtype="float64")
    sick, _ = soundfile.read(calls.write_sick_call(tmp_path / "sick.wav", 70), dtype="float64")
    assert sick.shape == well.shape
    late, added = round(0.12 * rate), sick - well
    for channel in (0, 1):
        echo = np.concatenate([np.zeros(late), well[:-late, 1 - channel]]) * 10 ** (-12 / 20)
        rest = added[:, channel] - echo
        assert np.abs(rest).max() < 0.038, "the noise, on both sides of a block too"
        assert np.std(rest) == pytest.approx(1200 / 32768 / np.sqrt(3), rel=0.05)


def test_both_channels_of_the_sick_call_need_the_robust_detector(tmp_path: Path) -> None:
    from hotato.listen import attend, hear
    from hotato.stacks import ChannelMap

    place = load("calls").write_sick_call(tmp_path / "sick.wav", 60)
    heard = attend(hear(place, digests="none"), ChannelMap(0, 1))
    assert {track.activity.detector for track in (heard.caller, heard.agent)} == {"robust"}
