"""The examples of docs/RUN.md run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from hotato.score.suite import Scenario

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "RUN.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_python_examples_run_in_order(render, tmp_path, monkeypatch, capsys):
    render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, "RUN.md", "exec"), names)
    assert capsys.readouterr().out.splitlines()[0] == "False 0.55"


def test_the_scenario_examples_are_scenarios():
    examples = [msgspec.convert(json.loads(example), Scenario) for example in blocks("json")]
    assert [example.id for example in examples] == ["cancel-order", "order-status"]
    assert [example.expected.answer for example in examples] == [False, True]
