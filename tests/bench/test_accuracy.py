"""The accuracy bench: goals name conditions that exist, and a figure is made of their rows alone."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hotato.benchmark.aggregate import edge_stats
from hotato.benchmark.records import CallRow, EventRow, IncidentRow, Rows

ROOT = Path(__file__).resolve().parents[2]
KEYS = {"set_name": "natural", "scenario": "one", "family": "mixed"}


@pytest.fixture
def path() -> Iterator[None]:
    """The folders that the bench imports from."""
    before = list(sys.path)
    sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "corpus")]
    yield
    sys.path[:] = before


@pytest.fixture
def goals(path: None) -> ModuleType:
    return importlib.import_module("goals")


@pytest.fixture
def accuracy(path: None) -> ModuleType:
    return importlib.import_module("accuracy")


@pytest.fixture
def natural(path: None) -> ModuleType:
    """The generator of natural calls, where it is and has voices."""
    if not (ROOT / "corpus" / "natural").is_dir():
        pytest.skip("the generator of natural calls is not in this clone")
    return importlib.import_module("natural")


def events(condition: str, *found: bool) -> Rows:
    rows = [
        EventRow(**KEYS, condition=condition, kind=kind, at_sec=1.0, found=one)
        for one in found
        for kind in ("barge_in", "backchannel")
    ]
    return Rows(
        events=tuple(rows),
        calls=(CallRow(**KEYS, condition=condition, duration_sec=1800.0, warned=False, refused=False),),
    )


def test_recall_counts_barge_ins_only(goals: ModuleType) -> None:
    (goal,) = (one for one in goals.goals(()) if one.what == "barge-in recall, babble12")
    rows = events("babble12", True, True, True, False)
    assert goal.figure(rows) == ("0.750 of 4", False)
    assert goal.figure(events("babble12", True)) == ("1.000 of 1", True)


def test_critical_incidents_are_for_the_hours_of_the_condition(goals: ModuleType) -> None:
    (goal,) = (one for one in goals.goals(()) if one.what == "false criticals an hour, clean")
    incident = IncidentRow(
        **KEYS, condition="clean", kind_key="barge-in", severity="CRITICAL", t_sec=1.0, real=False, codes=()
    )
    calls = events("clean").calls
    assert goal.figure(Rows(calls=calls, incidents=(incident,))) == ("2.0", False)
    assert goal.figure(Rows(calls=calls)) == ("0.0", True)


def test_what_was_not_measured_meets_no_goal(goals: ModuleType) -> None:
    empty = Rows()
    for goal in goals.goals(("clean",)):
        assert goal.figure(empty) == ("-", None), goal.what


def test_a_part_holds_the_rows_of_its_conditions(accuracy: ModuleType) -> None:
    rows = accuracy.together([events("clean", True), events("hum", False)])
    assert {row.condition for row in accuracy._part(rows, ("hum",)).events} == {"hum"}


def test_every_condition_of_a_goal_exists(goals: ModuleType, natural: ModuleType) -> None:
    named = {name for goal in goals.goals(natural.NOTES_MIX) for name in goal.conditions}
    assert named <= set(natural.CONDITIONS)


def test_the_errors_of_robust_edges_are_measured_and_checked_on_other_calls_of_the_tune_half(
    path: None, natural: ModuleType
) -> None:
    quantiles = importlib.import_module("edge_quantiles")
    assert set(quantiles.CONDITIONS) <= set(natural.CONDITIONS)
    assert not set(quantiles.FIT) & set(quantiles.CHECK)


def test_a_clean_natural_call_is_measured_and_leaves_no_file(
    accuracy: ModuleType, natural: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if len(importlib.import_module("natural.voices").installed("tune")) < accuracy.LEAST_VOICES:
        pytest.skip("fewer than two voices of the half are installed")
    monkeypatch.setattr(accuracy.tempfile, "tempdir", str(tmp_path))
    rows = accuracy.measured(accuracy.Task("tune", 0, ("clean",), "auto"))
    assert list(tmp_path.iterdir()) == []
    assert {row.condition for row in rows.calls} == {"clean"}
    assert rows.verdicts
    onsets = edge_stats([row for row in rows.edges if row.reading == "edges"], "onset")
    assert onsets.n > onsets.missing
    assert onsets.median_ms is not None and onsets.median_ms < 20.0  # one window
