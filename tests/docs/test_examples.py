"""Every command that the documentation shows runs as shown.

A block is left out when the line before it says why: `<!-- not run: reason -->`. A bundled call stands in
for the reader's recordings; a command whose verdict is a failure may exit 1.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(str(resources.files("hotato"))) / "data"
BLOCK = re.compile(r"(?P<skip><!-- not run: (?P<why>[^>]+) -->\n)?^```bash\n(?P<code>.*?)^```$", re.M | re.S)
VERDICT = 1
GATE = re.compile(r"hotato: gate closed: .+\n")
COSTS = '{"currency": "USD", "per_incident": {"dead-air": 3.0, "barge-in": 2.0}}'


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands(page: Path) -> list[str]:
    """The commands of a page in order, with continued lines joined and comments dropped."""
    code = "".join(block["code"] for block in BLOCK.finditer(page.read_text()) if not block["skip"])
    lines = code.replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the recordings that the pages name, and `hotato` on the path."""
    import soundfile

    samples, rate = soundfile.read(
        DATA / "battery" / "audio" / "01-hard-interruption.example.wav", dtype="int16"
    )
    for name in ("call.wav", "your-call.wav"):
        soundfile.write(tmp_path / name, samples, rate)
    for channel, name in enumerate(("caller.wav", "agent.wav")):
        soundfile.write(tmp_path / name, samples[:, channel], rate)
    shutil.copytree(DATA / "battery" / "scenarios", tmp_path / "my" / "scenarios")
    shutil.copytree(DATA / "battery" / "audio", tmp_path / "my" / "recordings")
    for stack in ("vapi", "twilio"):
        shutil.copytree(DATA / "battery" / "audio", tmp_path / "captures" / stack)
    (tmp_path / "costs.json").write_text(COSTS)
    (tmp_path / "bin").mkdir()
    for name, words in (("hotato", " -m hotato"), ("python", "")):
        shim = tmp_path / "bin" / name
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
        shim.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_on_the_page_runs(page: Path, desk: Path):
    env = {**os.environ, "PATH": f"{desk / 'bin'}:{os.environ['PATH']}"}
    for command in commands(page):
        done = subprocess.run(
            ["sh", "-c", command], cwd=desk, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, VERDICT), f"{command}\n{done.stderr}"
        assert done.stderr == "" or (done.returncode == VERDICT and GATE.fullmatch(done.stderr)), command


def test_the_pages_do_show_commands():
    shown = {page.name for page in PAGES if any("hotato" in command for command in commands(page))}
    assert {"README.md", "CLI.md", "INSTALL.md"} <= shown


def test_no_two_pages_export_into_one_folder():
    exports = [command for page in PAGES for command in commands(page) if command.startswith("hotato export")]
    folders = [re.search(r"--out (\S+?)/?(?:\s|$)", command)[1] for command in exports]
    assert len(folders) == len(set(folders)) > 1


def test_the_picture_in_the_readme_is_what_the_demo_prints(desk: Path):
    (shown,) = re.findall(r"^```text\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
    printed = subprocess.run(
        [desk / "bin" / "hotato", "autopsy", "--demo"], cwd=desk, capture_output=True, text=True, check=True
    )
    assert shown == printed.stdout


def test_links_between_pages_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
