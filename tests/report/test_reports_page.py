"""The Python examples of docs/REPORTS.md run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hotato.score.suite import bundled

PAGE = Path(__file__).resolve().parents[2] / "docs" / "REPORTS.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.S)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_an_example_runs(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(bundled("battery", "audio") / "01-hard-interruption.example.wav", tmp_path / "call.wav")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(BLOCKS[number], "REPORTS.md", "exec"), names)
    assert str(names["page"]).startswith("<!doctype html>")


def test_there_are_examples() -> None:
    assert len(BLOCKS) == 2
