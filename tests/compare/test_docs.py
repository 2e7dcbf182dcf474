"""The examples of docs/COMPARE.md are what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hotato.canonical import to_json
from hotato.compare import read_policy, read_tolerances
from hotato.compare.evidence import CAPS, Vector
from hotato.compare.policy import Guardrails, Improve
from hotato.score import run_suite

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "COMPARE.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_policy_and_the_tolerances_are_read(tmp_path):
    policy, tolerances = blocks("yaml")
    for name, text in (("policy.yaml", policy), ("tolerances.yaml", tolerances)):
        (tmp_path / name).write_text(text)
    shipped = read_policy(ROOT / "examples" / "verify-policy" / "hotato.verify.yaml")
    assert read_policy(tmp_path / "policy.yaml") == shipped
    assert read_tolerances(tmp_path / "tolerances.yaml").response_gap_sec == "+10%"


def test_the_python_example_runs(tmp_path, monkeypatch, capsys):
    for name in ("my/recordings/before.json", "captures/vapi/after.json"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(to_json(run_suite()))
    monkeypatch.chdir(tmp_path)
    (example,) = blocks("python")
    exec(compile(example, "COMPARE.md", "exec"), {})
    assert capsys.readouterr().out == "False 0\n"


@pytest.mark.parametrize("names", [Improve.__struct_fields__, Guardrails.__struct_fields__, tuple(CAPS)])
def test_every_key_and_dimension_has_its_row(names):
    assert all(f"| `{name}` |" in PAGE for name in names)
    assert all(f"`{name}`" in PAGE for name in Vector.__struct_fields__)


def test_every_state_of_the_evidence_is_named():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE, flags=re.M))
    for dimension, states in CAPS.items():
        assert all(f"`{state}`" in rows[dimension] for state in states), dimension
