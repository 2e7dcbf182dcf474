"""A file that states every threshold states every one."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from hotato.benchmark import run_bench
from hotato.benchmark.run import config_of
from hotato.contract import scorer
from hotato.score import parameters as listed
from hotato.timing import EchoParams, ScoreConfig

ELSEWHERE = {
    "SweepParams": "what investigate ranks",
    "LabelParams": "what a candidate is offered as",
    "PartHeardParams": "whether a gate may pass on what was heard",
}
"""Records that no scored event and no incident depends on."""


def records(*rooms: str) -> dict[str, type]:
    """The records of thresholds that the modules of some rooms define."""
    found = {}
    for room in rooms:
        package = importlib.import_module(f"hotato.{room}")
        names = [module.name for module in pkgutil.walk_packages(package.__path__, f"hotato.{room}.")]
        for module in names:
            if module.endswith(("._kernel", ".__main__")):
                continue  # the compiled loop is no Python module
            for name, value in vars(importlib.import_module(module)).items():
                ours = isinstance(value, type) and value.__module__ == module
                if ours and is_dataclass(value) and name.endswith(("Params", "Calibration", "EdgeErrors")):
                    found[name] = value
    return found


def held(block: Any, record: type, name: str) -> bool:
    """Whether a block of a file holds every field of a record, under its name or inside another record."""
    if not isinstance(block, dict):
        return False
    keys = {field.name for field in fields(record)} - {"backend"}  # no threshold
    return keys <= set(block) or any(held(value, record, name) for value in block.values())


def test_the_list_holds_every_record_that_a_verdict_depends_on():
    found = records("timing", "trust", "score")
    assert len(found) > 20
    stated = {**listed.parameters(), "config": scorer.config_block(ScoreConfig())}
    assert [name for name, record in found.items() if not held(stated, record, name)] == []


def test_a_benchmark_states_those_of_the_incidents_as_well():
    found = {**records("timing", "trust", "score", "find"), **records("benchmark")}
    missing = {name for name, record in found.items() if not held(config_of(ScoreConfig()), record, name)}
    assert missing == set(ELSEWHERE)


def test_a_bench_result_states_them():
    assert listed.parameters().keys() < run_bench()["parameters"].keys()


def test_another_parameter_is_another_marker(monkeypatch: pytest.MonkeyPatch):
    before = scorer.config_marker()
    assert before == scorer.config_marker() and len(before) == 64
    monkeypatch.setattr(listed, "EchoParams", lambda: EchoParams(coherence_threshold=0.71))
    assert scorer.config_marker() != before
