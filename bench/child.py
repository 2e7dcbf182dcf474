"""Run a command as a fresh process: wall and processor time, peak memory, exit code.

A process begins with the memory peak of the one that started it, so commands are started by a small process
of their own: `python child.py PATTERN COMMAND...` runs one and prints what it measured as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """The best of some runs of one command.

    Attributes:
        seconds: shortest wall time.
        peak_mb: largest resident set in megabytes (1e6 bytes).
        cpu_seconds: least time on a processor, on all of them together.
        failure: why the command does not count, None when it ran as it should.
    """

    seconds: float
    peak_mb: float
    cpu_seconds: float
    failure: str | None = None


def run(command: Sequence[str], repeat: int = 3, leaves: str = "") -> Ran:
    """Run `command` `repeat` times, each in an empty folder of its own; a failing one runs once.

    It fails when it cannot be started, exits with anything but 0, or leaves no file that matches `leaves`.
    """
    seconds, peak_mb, cpu_seconds = float("inf"), 0.0, float("inf")
    for _ in range(repeat):
        launcher = [sys.executable, "-S", "-E", __file__, leaves, *command]
        ran = Ran(**json.loads(subprocess.run(launcher, check=True, capture_output=True).stdout))
        if ran.failure:
            return ran
        seconds, peak_mb = min(seconds, ran.seconds), max(peak_mb, ran.peak_mb)
        cpu_seconds = min(cpu_seconds, ran.cpu_seconds)
    return Ran(seconds, peak_mb, cpu_seconds)


def launch(command: Sequence[str], leaves: str) -> Ran:
    """Run `command` once in an empty folder, with no terminal, no input and no browser.

    Python may keep its compiled modules, as it does for a person: the best of several runs is one that found
    them.
    """
    unlike_a_person = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    environment = {name: value for name, value in os.environ.items() if name not in unlike_a_person}
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "said.txt").open("w+b") as said:
        began = time.perf_counter()
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment | {"BROWSER": "true"},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            return Ran(0.0, 0.0, 0.0, f"cannot be started: {error.strerror}")
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines()
        missing = bool(leaves) and not any(Path(folder).rglob(leaves))
    failure = f"it left no {leaves}" if missing else None
    if process.returncode != 0:
        failure = f"exit {process.returncode}: {lines[-1] if lines else 'no message'}"
    peak_mb = usage.ru_maxrss * 1024 / 1e6  # Linux counts kilobytes of 1024 bytes
    return Ran(seconds, peak_mb, usage.ru_utime + usage.ru_stime, failure)


if __name__ == "__main__":
    ran = launch(sys.argv[2:], sys.argv[1])
    print(json.dumps(asdict(ran)))
