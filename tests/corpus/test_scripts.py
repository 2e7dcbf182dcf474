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


@pytest.mark.parametrize("wait_sec", [0.06, 0.12])
@pytest.mark.parametrize(
    "script", [SUITES, REPOSITORY / "corpus" / "validate.py"], ids=["suites", "validate"]
)
def test_an_interrupt_while_the_libraries_load_is_one_line(script, wait_sec):
    """From the moment `early` is loaded; before that Python itself is starting."""
    code = (
        "import os, runpy, signal, sys, threading\n"
        f"sys.argv = [{str(script)!r}, '--check']\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('numpy', 'hotato', 'msgspec') and 'early' in sys.modules:\n"
        f"            threading.Timer({wait_sec} - 0.06, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "            sys.meta_path.remove(self)\n"
        "sys.meta_path.insert(0, Watch())\n"
        f"sys.modules['__main__'].__file__ = {str(script)!r}\n"
        f"runpy.run_path({str(script)!r}, run_name='__main__')\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"hotato: interrupted\n")


def test_a_module_of_the_corpus_leaves_the_handlers_of_others_alone(script):
    before = signal.getsignal(signal.SIGINT)
    script("early.py")
    assert signal.getsignal(signal.SIGINT) is before


def test_a_reader_that_leaves_is_not_a_failure():
    reader, writer = os.pipe()
    os.close(reader)
    script = REPOSITORY / "corpus" / "natural" / "build.py"
    child = subprocess.Popen([sys.executable, script, "--list"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (141, b"")
