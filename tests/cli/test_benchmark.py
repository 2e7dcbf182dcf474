"""`hotato benchmark`: one battery on the captures of a platform, and results side by side."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import soundfile

from hotato.benchmark import compare_results, load_result, render_comparison_md, run_stackbench
from hotato.errors import Refusal, UsageError

BATTERY = Path(__file__).resolve().parents[2] / "src" / "hotato" / "data" / "battery"
JULY = 1_751_328_000
"""2025-07-01 00:00:00 UTC"""


def capture(folder: Path, *, without: tuple[str, ...] = (), swapped: bool = False) -> Path:
    """Captures of the battery, named by scenario id, all of one date."""
    folder.mkdir(parents=True)
    for source in sorted((BATTERY / "audio").glob("*.example.wav")):
        name = source.name.removesuffix(".example.wav")
        if name in without:
            continue
        samples, rate = soundfile.read(source, dtype="int16")
        soundfile.write(folder / f"{name}.wav", samples[:, ::-1] if swapped else samples, rate)
        os.utime(folder / f"{name}.wav", (JULY, JULY))
    return folder


@pytest.fixture
def results(hotato, tmp_path: Path) -> tuple[Path, Path]:
    """Two results: of all scenarios, and of all but one."""
    capture(tmp_path / "a")
    capture(tmp_path / "b", without=("03-double-talk",))
    for name, stack in (("a", "vapi"), ("b", "twilio")):
        done = hotato("benchmark", "--stack", stack, "--recordings", name, "--out", f"{name}.json")
        assert (done.code, done.err) == (0, "")
    return tmp_path / "a.json", tmp_path / "b.json"


def test_a_result_tells_what_was_scored_and_by_which_thresholds(hotato, results: tuple[Path, Path]):
    result = json.loads(results[1].read_text())
    assert (result["kind"], result["stack"], result["summary"]["events"]) == ("stack-benchmark", "twilio", 7)
    assert result["scenarios"] == {
        "total": 8,
        "captured": 7,
        "not_captured": ["03-double-talk"],
        "set": "bundled",
    }
    assert result["config"]["hop_ms"] == 10.0
    assert result["provenance"]["measured_at"] == "2025-07-01T00:00:00+00:00"
    assert len(result["provenance"]["files"]) == 7
    assert result["summary"]["failed"] == 0  # what was not captured is no failure


def test_the_same_recordings_give_the_same_result(hotato, results: tuple[Path, Path]):
    again = hotato("benchmark", "--stack", "vapi", "--recordings", "a")
    assert again.out == results[0].read_text()


def test_the_order_of_the_channels_belongs_to_the_platform(hotato, tmp_path: Path):
    capture(tmp_path / "agent-first", swapped=True)
    words = ("benchmark", "--recordings", "agent-first", "--fail-on-regression")
    assert hotato(*words, "--stack", "livekit").code == 0
    assert hotato(*words, "--stack", "vapi").code == 1
    assert hotato(*words, "--stack", "vapi", "--caller-channel", "1", "--agent-channel", "0").code == 0


def test_a_failure_closes_the_gate_only_when_asked(hotato, tmp_path: Path):
    capture(tmp_path / "swapped", swapped=True)
    words = ("benchmark", "--stack", "vapi", "--recordings", "swapped", "--out", "r.json")
    assert hotato(*words).code == 0
    closed = hotato(*words, "--fail-on-regression")
    assert closed.code == 1
    assert "gate closed" in closed.err


def test_a_gate_that_judged_nothing_is_not_passed(hotato, tmp_path: Path):
    (tmp_path / "mute").mkdir()
    rate, silent = 16000, [[0.0, 0.0]] * 32000
    soundfile.write(tmp_path / "mute" / "01-hard-interruption.wav", silent, rate, subtype="PCM_16")
    done = hotato(
        "benchmark", "--stack", "vapi", "--recordings", "mute", "--fail-on-regression", "--out", "r.json"
    )
    assert done.code == 2
    assert "gate not decided" in done.err


def test_no_recording_at_all_is_refused_with_the_names_that_are_expected(hotato, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    done = hotato("benchmark", "--stack", "vapi", "--recordings", "empty", "--out", "r.json")
    assert done.code == 2
    assert "01-hard-interruption.wav" in done.err
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize("missing", ["--stack", "--recordings"])
def test_what_is_missing_is_named(hotato, missing: str):
    words = {"--stack": "vapi", "--recordings": "a"}
    given = [word for flag, value in words.items() if flag != missing for word in (flag, value)]
    done = hotato("benchmark", *given)
    assert done.code == 2
    assert missing in done.err


def test_results_are_compared_over_what_both_scored(hotato, results: tuple[Path, Path]):
    comparison = hotato("benchmark", "compare", *[path.name for path in results], "--format", "json").json
    assert [one["path"] for one in comparison["inputs"]] == ["a.json", "b.json"]
    assert len(comparison["compared"]) == 7
    assert comparison["skipped"] == [
        {"scenario_id": "03-double-talk", "why": "not scored", "missing_from": ["b.json"]}
    ]
    shown = hotato("benchmark", "compare", "a.json", "b.json", "--out", "c.md")
    assert shown.code == 0
    assert "| 01-hard-interruption | yield | yes | 0.50 s (+0.00) |" in Path("c.md").read_text()


def result(stack: str, *events: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "stack-benchmark", "stack": stack, "config": {}, "events": list(events)}


def event(name: str, to_yield: float | None, talk_over: float, **more: Any) -> dict[str, Any]:
    verdict = {
        "passed": True,
        "did_yield": to_yield is not None,
        "seconds_to_yield": to_yield,
        "talk_over_sec": talk_over,
    }
    return {"scenario_id": name, "expected_yield": True, "verdict": verdict, **more}


def test_differences_are_signed_and_against_the_first():
    first = result("vapi", event("a", 1.0, 0.5), event("b", 2.0, 1.5), event("c", None, 3.0))
    second = result("twilio", event("a", 0.6, 0.9), event("b", None, 3.0), event("c", 1.0, 1.0))
    comparison = compare_results([("x.json", first), ("y.json", second)])
    a, b, _ = comparison["per_scenario"]
    assert a["results"][0]["delta"] == {"talk_over_sec": 0.0, "seconds_to_yield": 0.0}
    assert a["results"][1]["delta"] == {"talk_over_sec": 0.4, "seconds_to_yield": -0.4}
    assert b["results"][1]["delta"]["seconds_to_yield"] is None
    middle = comparison["medians"]
    assert (middle[0]["seconds_to_yield"], middle[1]["seconds_to_yield"]) == (1.5, 0.8)
    assert middle[1]["delta"]["seconds_to_yield"] == -0.7
    assert "0.60 s (-0.40)" in render_comparison_md(comparison)


def test_scenarios_under_different_labels_are_not_compared():
    strict = event("a", 1.0, 0.5, expected={"max_time_to_yield_sec": 0.5})
    both = event("b", 1.0, 0.5)
    comparison = compare_results(
        [("x", result("vapi", strict, both)), ("y", result("vapi", event("a", 1.0, 0.5), both))]
    )
    assert comparison["compared"] == ["b"]
    assert comparison["skipped"][0]["why"] == "labels differ"


def test_what_could_not_be_judged_is_not_compared():
    blind = event("a", None, 0.0, scorable=False)
    inputs = [
        ("x", result("vapi", blind, event("b", 1.0, 1.0))),
        ("y", result("vapi", event("a", 1.0, 1.0), event("b", 1.0, 1.0))),
    ]
    assert compare_results(inputs)["compared"] == ["b"]
    with pytest.raises(Refusal):
        compare_results([("x", result("vapi", blind)), ("y", result("vapi", event("a", 1.0, 1.0)))])


def test_one_result_is_no_comparison(results: tuple[Path, Path]):
    with pytest.raises(UsageError, match="two results"):
        compare_results([("a.json", load_result(results[0]))])


@pytest.mark.parametrize("content", ["{", "[1]", '{"kind": "scan"}'])
def test_what_is_no_result_is_refused_by_name(hotato, results: tuple[Path, Path], content: str):
    Path("c.json").write_text(content)
    done = hotato("benchmark", "compare", "a.json", "c.json", "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "not_a_benchmark_result")


def test_a_blended_figure_is_refused(hotato, results: tuple[Path, Path]):
    spoiled = {**json.loads(results[0].read_text()), "overall_score": 97}
    Path("c.json").write_text(json.dumps(spoiled))
    assert (
        hotato("benchmark", "compare", "c.json", "b.json", "--format", "json").json["error_code"]
        == "overall_score"
    )


def test_the_suffix_picks_the_recordings(tmp_path: Path):
    shutil.copytree(BATTERY / "audio", tmp_path / "c")
    found = run_stackbench(stack="generic", recordings_dir=tmp_path / "c", suffix=".example.wav")
    assert found["scenarios"]["captured"] == 8
    with pytest.raises(Refusal):
        run_stackbench(stack="generic", recordings_dir=tmp_path / "c", suffix=".wav.gz")
