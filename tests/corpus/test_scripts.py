"""Every script of the corpus ends the same way: one line for an error or an interrupt, quiet for a pipe."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(
    path
    for path in [*REPOSITORY.glob("corpus/**/*.py"), REPOSITORY / "examples" / "render_examples.py"]
    if 'if __name__ == "__main__":' in path.read_text()
)
SUITES = REPOSITORY / "corpus" / "suites" / "build_suites.py"


def test_all_scripts_are_looked_at():
    names = [path.name for path in SCRIPTS]
    assert names.count("build.py") == 3 and len(names) == 10


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_wrong_command_line_is_one_line(script, tmp_path):
    done = subprocess.run(
        [sys.executable, script, "--nonsense"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hotato: ") and done.stderr.count("\n") == 1


@pytest.fixture
def running(script):
    return script("running.py")


def test_any_error_is_one_line(running, capfd):
    def lost(words):
        raise FileNotFoundError(2, "No such file", "x.json")

    def missing(words):
        raise ModuleNotFoundError("No module named 'soxr'", name="soxr")

    def broken(words):
        raise RuntimeError("boom")

    for action, said in ((lost, "x.json"), (missing, "pip install soxr"), (broken, "RuntimeError")):
        assert running.run(action) == 2
        err = capfd.readouterr().err
        assert said in err and err.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_one_line(number):
    child = subprocess.Popen(
        [sys.executable, SUITES, "--check"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(1.5)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"hotato: interrupted\n")


def test_a_reader_that_leaves_is_not_a_failure():
    reader, writer = os.pipe()
    os.close(reader)
    script = REPOSITORY / "corpus" / "natural" / "build.py"
    child = subprocess.Popen([sys.executable, script, "--list"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (141, b"")
