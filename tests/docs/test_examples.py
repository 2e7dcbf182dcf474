"""Every command that the documentation shows runs as shown.

A block is left out when the line before it says why: `<!-- not run: reason -->`. The demo call stands in for
the reader's recordings; a command whose verdict is a failure may exit 1.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(str(resources.files("hotato"))) / "data"
BLOCK = re.compile(r"(?P<skip><!-- not run: (?P<why>[^>]+) -->\n)?^```bash\n(?P<code>.*?)^```$", re.M | re.S)
VERDICT = 1


class Example(NamedTuple):
    """One block of shell commands on a page."""

    page: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples() -> list[Example]:
    found = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text()
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start("code")) + 1
            if not block["skip"] and "hotato" in block["code"]:
                found.append(Example(page.name, line, block["code"]))
    return found


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the recordings that the pages name, and `hotato` on the path."""
    import soundfile

    samples, rate = soundfile.read(DATA / "demo" / "cancel-call.flac", dtype="int16")
    for name in ("call.wav", "your-call.wav"):
        soundfile.write(tmp_path / name, samples, rate)
    for channel, name in enumerate(("caller.wav", "agent.wav")):
        soundfile.write(tmp_path / name, samples[:, channel], rate)
    shutil.copytree(DATA / "battery" / "scenarios", tmp_path / "my" / "scenarios")
    shutil.copytree(DATA / "battery" / "audio", tmp_path / "my" / "recordings")
    (tmp_path / "costs.json").write_text(
        '{"currency": "USD", "per_incident": {"dead-air": 3.0, "barge-in": 2.0}}'
    )
    shim = tmp_path / "bin" / "hotato"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hotato "$@"\n')
    shim.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("example", examples(), ids=str)
def test_the_example_runs_as_shown(example: Example, desk: Path):
    env = {**os.environ, "PATH": f"{desk / 'bin'}:{os.environ['PATH']}"}
    for command in logical_lines(example.code):
        done = subprocess.run(
            ["sh", "-c", command], cwd=desk, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, VERDICT), f"{command}\n{done.stderr}"
        assert done.stderr == ""


def logical_lines(code: str) -> list[str]:
    """Commands of a block, with continued lines joined and comments dropped."""
    joined = code.replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def test_the_pages_do_show_commands():
    pages = {example.page for example in examples()}
    assert {"README.md", "CLI.md", "INSTALL.md"} <= pages


def test_links_between_pages_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
