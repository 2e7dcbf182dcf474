"""hotato without its compiled loop, or with one that cannot be loaded, says exactly the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hotato
from hotato.timing.kernel import LIBRARY, compiled


@pytest.mark.skipif(compiled() is None, reason="kernel.c was not compiled: no C compiler")
@pytest.mark.parametrize("left", [None, b"", b"\x7fELF of another machine"], ids=["none", "empty", "foreign"])
def test_the_same_report_without_the_compiled_loop(left: bytes | None, tmp_path: Path) -> None:
    package = Path(hotato.__file__).parent
    other = tmp_path / "src" / "hotato"
    shutil.copytree(package, other, ignore=shutil.ignore_patterns(LIBRARY.name, "__pycache__"))
    if left is not None:
        (other / "timing" / LIBRARY.name).write_bytes(left)
    told = []
    for source in (package.parent, other.parent):
        command = [sys.executable, "-m", "hotato", "autopsy", "--demo", "--format", "json", "--no-open"]
        ran = subprocess.run(
            command,
            env=os.environ | {"PYTHONPATH": str(source)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        told.append((ran.stdout, ran.stderr))
        shutil.rmtree(tmp_path / "hotato-output", ignore_errors=True)
    assert told[0] == told[1]
    assert told[0][0]
