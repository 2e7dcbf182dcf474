"""docs/BENCH-SPEC.md and docs/BENCHMARK.md state what is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hotato.bench import suite_content_hash

from hotato.benchmark import (
    BENCH_VERSION,
    FROZEN,
    PARAMS,
    TIERS,
    run_bench,
    run_benchmark,
    stated_in,
    truth_of,
)
from hotato.benchmark.sets import packaged_sets
from hotato.benchmark.stated import KINDS
from hotato.cli.measurement import measurement
from hotato.find import GradeParams

ROOT = Path(__file__).resolve().parents[2]
SPEC = (ROOT / "docs" / "BENCH-SPEC.md").read_text()
PAGE = (ROOT / "docs" / "BENCHMARK.md").read_text()


def test_the_table_pins_every_frozen_battery():
    rows = re.findall(r"^\| `([\w-]+)` \| (\w+) \| (\d+) \| [^|]+ \| `(sha256:\w{64})` \|$", SPEC, re.M)
    assert {name: tier for name, tier, *_ in rows} == TIERS
    battery = ROOT / "src" / "hotato" / "data" / "battery"
    manifest = json.loads((ROOT / "corpus" / "suites" / "manifest.json").read_text())["sets"]
    pinned = {name: (str(one["scenarios"]), one["content_hash"]) for name, one in manifest.items()}
    pinned["bundled"] = ("8", suite_content_hash(battery / "scenarios", battery / "audio"))
    assert {name: (count, content) for name, _, count, content in rows} == pinned
    assert {name: battery.content_hash for name, battery in FROZEN.items()} == {
        name: content for name, _, _, content in rows
    }
    assert f"hotato bench {BENCH_VERSION}" in SPEC


def test_every_key_of_a_result_is_described():
    described = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]+) \|", SPEC, re.M))))
    assert set(run_bench()) - {"tool", "kind"} <= described


def test_every_flag_of_the_module_is_described():
    rows = re.findall(r"^\| `(--[\w-]+)", PAGE, re.M)
    assert rows == [option.opts[0] for option in measurement.params]


def test_every_kind_of_event_is_described():
    assert tuple(re.findall(r"^\| `(\w+)` \| (?:the|end)", PAGE, re.M)) == KINDS


def test_the_constants_in_the_text_are_those_of_the_code():
    assert f"within {PARAMS.event_sec:.2f} s of a true event" in PAGE
    assert f"nearest within {PARAMS.edge_sec:.2f} s" in PAGE
    assert f"by more than {PARAMS.length_sec} s" in PAGE
    assert f"contradict by more than {PARAMS.event_sec} s" in " ".join(PAGE.split())
    limits = GradeParams()
    assert (
        f"({limits.overlap_limit_sec} s of talk-over" in PAGE
        and f"{limits.dead_air_sec:g} s of silence" in PAGE
    )


def test_the_example_of_a_truth_is_one():
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.S)
    truth = truth_of(stated_in(json.loads(example), "example"), True)
    assert [moment.kind for moment in truth.moments] == ["barge_in", "latency"]
    assert truth.agent is not None
    assert truth.agent[0].end_sec - truth.moments[0].at_sec == pytest.approx(truth.moments[0].yield_sec)
    assert truth.agent[1].start_sec - truth.moments[1].at_sec == pytest.approx(truth.moments[1].gap_sec)


def test_the_figures_in_the_text_are_those_of_the_packaged_sets():
    result = run_benchmark(sets=packaged_sets())
    names = "caller onset|time to yield|talk-over|response gap"
    stated = re.findall(rf"^\| ({names}) \| (\d+) ms \w+ \| (\d+)[^|]* \| (\d+)", PAGE, re.M)
    assert len(stated) == 4
    for words, documented, edges, calibrated in stated:
        signal = result["signals"][words.replace(" ", "_").replace("-", "_")]
        assert signal["documented"]["all"]["median_ms"] == float(documented)
        assert signal["edges"]["all"]["median_ms"] == float(edges)
        assert signal["calibrated"]["all"]["median_ms"] == float(calibrated)
    points = {point["snr_db"]: point for point in result["noise_cliff"]["points"]}
    assert points[19]["flipped"] == 0 < points[18]["flipped"]
    assert points[16]["flipped"] > points[16]["verdicts"] / 2
    assert points[22]["warned"] < points[22]["calls"] == points[21]["warned"]
