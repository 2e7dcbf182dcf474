"""`hotato issue create`: prints, and files only with --yes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def sweep(tmp_path) -> Path:
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps({"candidates": [{"kind": "overlap", "t_sec": 1.5, "source": "a.wav"}]}))
    return path


@pytest.fixture
def gh(tmp_path, monkeypatch) -> Path:
    """A `gh` that writes its words and its input to a file."""
    log = tmp_path / "log"
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "gh"
    tool.write_text(
        f'#!/bin/sh\nfor word; do echo "$word"; done > {log}\ncat >> {log}\necho https://host.test/1\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return log


def test_without_yes_it_prints_the_command_and_the_body(hotato, sweep, gh):
    outcome = hotato("issue", "create", sweep, "--repo", "owner/name")
    assert (outcome.code, outcome.err) == (0, "") and not gh.exists()
    assert "nothing was run" in outcome.out
    assert (
        "  gh issue create --repo=owner/name '--title=hotato: 1 moment to be judged' --body-file=-\n"
        in outcome.out
    )
    assert "  | 1 | call 1 | 0:01.50 | overlap | - |\n" in outcome.out


def test_with_yes_gh_files_it(hotato, sweep, gh):
    outcome = hotato("issue", "create", sweep, "--yes", "--label", "qa")
    assert (outcome.code, outcome.err) == (0, "")
    assert "done" in outcome.out and "  at      https://host.test/1\n" in outcome.out
    told = gh.read_text()
    assert "--label=qa\n" in told and "| 1 | call 1 | 0:01.50 | overlap | - |" in told


def test_json_states_the_same(hotato, sweep, gh):
    facts = hotato("issue", "create", sweep, "--format", "json").json
    assert (facts["kind"], facts["done"], facts["url"]) == ("issue", False, None)
    assert facts["commands"][0][:3] == ["gh", "issue", "create"] and facts["listed"] == 1


def test_a_refusal_is_one_object(hotato, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    outcome = hotato("issue", "create", tmp_path / "x.json", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "not_candidates")
