"""What a build makes: one wheel of the platform with the compiled loop, or one that holds Python alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = "hotato/timing/_kernel.so"


def built(tmp_path: Path, compiler: str) -> Path:
    """The wheel that a fresh copy of the sources becomes."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    tree = tmp_path / "tree"
    ignore = shutil.ignore_patterns("__pycache__", "_kernel.so")
    shutil.copytree(ROOT / "src", tree / "src", ignore=ignore)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, tree / name)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(command, cwd=tree, env=os.environ | {"CC": compiler}, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    return wheel


def test_with_a_compiler_the_wheel_of_the_platform_holds_the_compiled_loop(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    wheel = built(tmp_path, compiler)
    assert "-py3-none-" in wheel.name and not wheel.name.endswith("-any.whl")
    assert LIBRARY in zipfile.ZipFile(wheel).namelist()


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler --with flags"])
def test_without_a_compiler_that_works_the_wheel_is_of_python_alone(compiler: str, tmp_path: Path) -> None:
    wheel = built(tmp_path, compiler)
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert LIBRARY not in names
    assert "hotato/timing/hop_sums.py" in names
