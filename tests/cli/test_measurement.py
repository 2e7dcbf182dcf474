"""`python -m hotato.benchmark`: what measures nothing is refused, no failure leaves a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotato.cli import measure

BATTERY = Path(__file__).resolve().parents[2] / "src" / "hotato" / "data" / "battery"
OURS = ("--scenarios", str(BATTERY / "scenarios"), "--audio", str(BATTERY / "audio"))


def start(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "hotato.benchmark", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.parametrize(
    "words",
    [
        (*OURS, "--suffix", ".none.wav"),
        (*OURS, "--suffix", ""),
        (*OURS, "--name", ""),
        ("--scenarios", OURS[1], "--audio", ""),
        ("--scenarios", "", "--audio", OURS[3]),
        (*OURS, "--out", ""),
        ("--scenario", OURS[1], "--audio", OURS[3]),
        (*OURS, "left-over"),
        ("--suffix", ".none.wav"),
    ],
)
def test_what_measures_nothing_is_one_line_and_leaves_nothing(words, tmp_path, capfd):
    assert measure(list(words)) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("hotato: ") and captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_somebody_else_is_kept_without_force(tmp_path, capfd):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "measurement-error.md").write_text("my notes\n")
    assert measure([*OURS, "--out", "out"]) == 2
    assert "--force" in capfd.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["measurement-error.md"]
    assert measure([*OURS, "--out", "out", "--force"]) == 0
    assert measure([*OURS, "--out", "out", "--backend", "energy"]) == 0
    assert len(list((tmp_path / "out").iterdir())) == 3


def test_an_internal_error_is_one_line(capfd, monkeypatch, tmp_path):
    import hotato.benchmark

    def broken(**values):
        raise RuntimeError("boom")

    monkeypatch.setattr(hotato.benchmark, "run_benchmark", broken)
    assert measure([*OURS]) == 2
    err = capfd.readouterr().err
    assert "RuntimeError" in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_is_one_line_and_leaves_nothing(tmp_path, number):
    child = start("--out", "out")
    busy = BATTERY / "audio"
    for _ in range(4000):
        folder = Path(f"/proc/{child.pid}/fd")
        try:
            if any(link.readlink().parent == busy for link in folder.iterdir()):
                break
        except OSError:
            pass
        time.sleep(0.002)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"hotato: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_leaves_is_not_a_failure():
    reader, writer = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-m", "hotato.benchmark", *OURS], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(reader)
    os.close(writer)
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (141, b"")


def test_it_can_be_interrupted_before_it_has_loaded_anything_large():
    code = "import hotato.benchmark, sys; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "False\n"
