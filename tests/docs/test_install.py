"""How hotato is installed: what the pages, the refusals and the Makefile say about it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from hotato.errors import EXTRA_PACKAGES, ExtraMissing

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_remedy_of_an_extra_names_the_packages_that_it_is_made_of():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {
        name: tuple(re.split("[<>=]", item)[0] for item in items) for name, items in declared.items()
    } == (EXTRA_PACKAGES)


@pytest.mark.parametrize("extra", list(EXTRA_PACKAGES))
def test_a_missing_extra_is_installed_from_a_clone_or_by_its_packages(extra: str):
    remedy = ExtraMissing(extra, "for this").remedy
    assert f"pip install '.[{extra}]'" in remedy
    assert remedy.endswith(f"pip install {' '.join(EXTRA_PACKAGES[extra])}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_installs_the_other_program_of_this_name(page: Path):
    assert not re.search(r"pip install ['\"]?hotato", page.read_text())


def test_no_message_installs_the_other_program_of_this_name():
    for module in (ROOT / "src").rglob("*.py"):
        assert not re.search(r"pip install ['\"]?hotato", module.read_text()), module.name


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_the_demo_of_a_clone_ends_with_a_next_step_that_works():
    planned = subprocess.run(
        ["make", "-n", "demo", "VENV=env"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    said = re.findall(r"^echo '  (.*)'$", planned.stdout, re.M)
    assert said == [". env/bin/activate", "hotato autopsy call.wav"]
    for page in (ROOT / "README.md", ROOT / "docs" / "INSTALL.md"):
        steps = [line.partition("#")[0].strip() for line in page.read_text().splitlines()]
        first = steps.index("make demo")
        assert steps[first : first + 3] == ["make demo", ". .venv/bin/activate", "hotato autopsy call.wav"]
