"""`hotato gauntlet` and `hotato gauntlet badge`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hotato.score.suite import bundled


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """An installation whose gauntlet is not the pinned one."""
    folder = shutil.copytree(bundled("gauntlet"), tmp_path / "data")
    path = folder / "scenarios" / "g-03-noise-hard-worst.json"
    path.write_text(path.read_text().replace("16000", "8000"))
    monkeypatch.setattr("hotato.gauntlet.run.bundled", lambda _: folder)


def test_it_runs_from_any_folder_and_exits_0_when_all_match(hotato, tmp_path):
    told = hotato("gauntlet", "--out", "result.json")
    assert told.code == 0 and told.err == ""
    assert "24 of 24 scenarios matched" in told.out and "defects that must be caught 11 of 11" in told.out
    assert "wrote   result.json" in told.out
    written = json.loads((tmp_path / "result.json").read_text())
    assert (written["kind"], written["exit_code"], written["matched"]) == ("gauntlet", 0, 24)
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_the_json_holds_every_scenario_and_is_the_same_each_time(hotato):
    first = hotato("gauntlet", "--format", "json")
    assert first.json["total"] == len(first.json["scenarios"]) == 24
    assert {s["matched"] for s in first.json["scenarios"]} == {True}
    assert hotato("lab", "gauntlet", "--format=json").out == first.out


def test_the_list_runs_nothing(hotato, monkeypatch):
    monkeypatch.setattr("hotato.gauntlet.run.acoustics", None)
    plans = hotato("gauntlet", "--list", "--format", "json").json
    assert len(plans) == 24 and set(plans[0]) == {"id", "title", "family", "condition", "fails_on"}
    assert "must fail: late_answer" in hotato("gauntlet", "--list").out
    assert hotato("gauntlet", "--list", "--out", "x.json").code == 2


def test_a_set_that_is_not_the_pinned_one_is_refused_and_leaves_nothing(hotato, changed):
    told = hotato("gauntlet", "--out", "result.json", "--format", "json")
    assert told.code == 2 and told.json["error_code"] == "gauntlet_changed"
    assert hotato("gauntlet", "badge", "--out", "badge.svg").code == 2
    assert hotato("gauntlet", "--list").code == 2
    assert not Path("result.json").exists() and not Path("badge.svg").exists()


def test_the_badge_comes_from_a_fresh_run_and_never_replaces_another_file(hotato):
    assert hotato("gauntlet", "badge", "--out", "badge.svg").code == 0
    assert "24 of 24 scenarios matched" in Path("badge.svg").read_text()
    Path("badge.svg").write_text("somebody else's")
    refused = hotato("gauntlet", "badge", "--out", "badge.svg")
    assert refused.code == 2 and Path("badge.svg").read_text() == "somebody else's"


@pytest.mark.parametrize(
    "words",
    [
        ("nothing",),
        ("--out", "x", "badge", "--out", "y"),
        ("--format", "text", "badge", "--out", "y"),
    ],
)
def test_bad_usage_is_one_line(hotato, words):
    told = hotato("gauntlet", *words)
    assert told.code == 2 and told.err.count("\n") == 1 and told.err.startswith("hotato: ")


def test_a_badge_without_a_file_is_printed(hotato):
    done = hotato("gauntlet", "badge")
    assert done.code == 0 and done.err == ""
    assert "<svg" in done.out and "24 of 24 scenarios matched" in done.out
