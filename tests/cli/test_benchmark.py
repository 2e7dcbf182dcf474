"""`hotato benchmark`: one battery on the captures of a platform, and results side by side."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from hotato.benchmark import compare_results, load_result, render_comparison_md, run_stackbench
from hotato.benchmark.stacks import date_of
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
    assert "| 01-hard-interruption | yield | pass | yes | 0.50 s (+0.00) |" in Path("c.md").read_text()


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


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ({"expected": {"max_time_to_yield_sec": 0.5}}, "bounds"),
        ({"expected_yield": False}, "expectation"),
        ({"measurements": {"onset_requested_sec": 2.0}}, "onset"),
        ({"profile": "calibrated"}, "profile"),
    ],
)
def test_scenarios_under_different_labels_are_not_compared(more: dict[str, Any], part: str):
    both = event("b", 1.0, 0.5)
    inputs = [
        ("x", result("vapi", {**event("a", 1.0, 0.5), **more}, both)),
        ("y", result("vapi", event("a", 1.0, 0.5), both)),
    ]
    comparison = compare_results(inputs)
    assert comparison["compared"] == ["b"]
    assert comparison["skipped"][0]["why"] == f"labels differ in {part}"
    assert f"Skipped a, labels differ in {part}." in render_comparison_md(comparison)


def test_a_detected_onset_is_no_part_of_the_label():
    detected = {"measurements": {"onset_requested_sec": None, "caller_onset_sec": 1.5}}
    inputs = [
        ("x", result("vapi", {**event("a", 1.0, 0.5), **detected})),
        ("y", result("vapi", event("a", 1.0, 0.5))),
    ]
    assert compare_results(inputs)["compared"] == ["a"]


@pytest.mark.parametrize("bad", ["-1", "1e300", "1e999", "NaN", '"1"'])
def test_a_time_that_no_call_can_have_is_refused(hotato, results: tuple[Path, Path], bad: str):
    text = results[0].read_text().replace('"talk_over_sec": 0.5', f'"talk_over_sec": {bad}', 1)
    Path("c.json").write_text(text)
    done = hotato("benchmark", "compare", "c.json", "b.json", "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "not_a_benchmark_result")


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf")])
def test_python_gets_the_same_refusal(bad: float):
    inputs = [("x", result("vapi", event("a", bad, 0.5))), ("y", result("vapi", event("a", 1.0, 0.5)))]
    with pytest.raises(Refusal, match="'x' is no benchmark result"):
        compare_results(inputs)


def test_a_scenario_that_stands_twice_is_refused_by_name():
    twice = result("vapi", event("a", 1.0, 0.5), event("a", 0.1, 0.1))
    with pytest.raises(Refusal, match="'y' holds the scenario 'a' 2 times"):
        compare_results([("x", result("vapi", event("a", 1.0, 0.5))), ("y", twice)])


def test_a_key_that_is_stated_twice_is_refused(hotato, results: tuple[Path, Path]):
    Path("c.json").write_text(results[0].read_text().replace("{", '{"stack": "best",', 1))
    done = hotato("benchmark", "compare", "c.json", "b.json", "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "repeated_key")


def test_foreign_text_is_no_markup_in_the_comparison():
    name = "a|<img src=x> [b](http://x)\n# **c** \x1b[2J" + "x" * 1000
    first, second = (
        result(name, event(name, 1.0, 0.5)),
        result(name, event(name, 1.0, 0.5), event("z|", 1.0, 1)),
    )
    text = render_comparison_md(compare_results([(name, first), ("y", second)]))
    assert not re.search(r"(?<!\\)<img|(?<!\\)\[b|(?<!\\)\*\*c|\x1b", text)
    assert "Skipped z\\|, not scored" in text
    (row,) = [line for line in text.splitlines() if "img" in line and line.startswith("| ")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 11
    assert max(map(len, text.splitlines())) < 600


@pytest.mark.parametrize("flags", [("--stack", "vapi"), ("--force",), ("--out", "x")])
def test_flags_before_compare_are_refused(hotato, results: tuple[Path, Path], flags: tuple[str, ...]):
    done = hotato("benchmark", *flags, "compare", "a.json", "b.json")
    assert done.code == 2 and flags[0] in done.err and done.out == ""


def test_a_gate_on_a_part_of_the_scenarios_says_so(hotato, tmp_path: Path):
    folder = capture(tmp_path / "c", without=("03-double-talk",))
    mute = folder / "01-hard-interruption.wav"
    soundfile.write(mute, [[0.0, 0.0]] * 32000, 16000, subtype="PCM_16")
    words = ("benchmark", "--stack", "vapi", "--recordings", "c")
    done = hotato(*words, "--fail-on-regression")
    assert done.code == 0
    assert done.err == (
        "hotato: only 6 of 8 scenarios were judged: 1 not captured, 1 not scorable (--fail-on-regression)\n"
    )
    assert hotato(*words).err == ""


@pytest.mark.parametrize("stamp_sec", [1e12, -1e12, 1e18, float("inf"), float("nan")])
def test_a_date_that_no_calendar_holds_is_left_out(stamp_sec: float):
    assert date_of(stamp_sec) is None
    assert date_of(JULY) == "2025-07-01T00:00:00+00:00"


def test_a_recording_without_a_date_is_scored(hotato, tmp_path: Path):
    folder = capture(tmp_path / "c")
    place = folder / "03-double-talk.wav"
    try:
        os.utime(place, (1 << 40, 1 << 40))
    except OSError:
        pytest.skip("this file system refuses such a date")
    if place.stat().st_mtime != 1 << 40:
        pytest.skip("this file system changes such a date")
    told = hotato("benchmark", "--stack", "vapi", "--recordings", "c").json["provenance"]
    dates = {file["name"]: file["mtime"] for file in told["files"]}
    assert dates.pop(place.name) is None
    assert set(dates.values()) == {told["measured_at"]} == {"2025-07-01T00:00:00+00:00"}


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


def test_results_that_share_no_scenario_are_refused_with_what_each_holds(hotato, tmp_path: Path):
    ids = [path.stem for path in sorted((BATTERY / "scenarios").glob("*.json"))]
    capture(tmp_path / "a", without=tuple(ids[4:]))
    capture(tmp_path / "b", without=tuple(ids[:4]))
    for name in ("a", "b"):
        hotato("benchmark", "--stack", "vapi", "--recordings", name, "--out", f"{name}.json")
    refused = hotato("benchmark", "compare", "a.json", "b.json")
    assert refused.code == 2 and refused.err.count("\n") == 1
    assert "share no scenario: 'a.json' holds 01-hard-interruption and 3 more" in refused.err
    assert "'b.json' holds 05-cough-hold and 3 more" in refused.err


def test_results_under_other_labels_are_refused_with_the_difference(results: tuple[Path, Path]):
    first = load_result(results[0])
    second = json.loads(results[0].read_text())
    for event in second["events"]:
        event["expected_yield"] = not event["expected_yield"]
    with pytest.raises(Refusal, match="01-hard-interruption: labels differ in expectation") as refused:
        compare_results([("a.json", first), ("b.json", second)])
    assert refused.value.code == "nothing_to_compare" and "and 5 more" in str(refused.value)


def test_the_callers_of_the_packaged_scenarios_are_rendered_to_be_played(hotato, tmp_path: Path):
    done = hotato("benchmark", "stimuli", "--out", "stimuli")
    ids = [path.stem for path in sorted((BATTERY / "scenarios").glob("*.json"))]
    assert done.code == 0 and all(name in done.out for name in ids)
    assert sorted(path.name for path in Path("stimuli").iterdir()) == [f"{name}.caller.wav" for name in ids]
    for name in ids:
        alone, _ = soundfile.read(f"stimuli/{name}.caller.wav", dtype="int16")
        call, _ = soundfile.read(BATTERY / "audio" / f"{name}.example.wav", dtype="int16")
        assert alone.ndim == 1 and len(alone) == len(call)
        if name != "07-echo-bleed":
            assert (alone == call[:, 0]).all()
    refused = hotato("benchmark", "--stack", "vapi", "--recordings", "stimuli", "--suffix", ".none")
    assert "hotato benchmark stimuli" in refused.err


def test_the_page_lists_the_ids_of_the_packaged_scenarios_with_what_they_expect():
    page = (BATTERY.parents[3] / "docs" / "BENCHMARK-STACKS.md").read_text()
    rows = re.findall(r"^\| `(\d\d-[\w-]+)` \| (\w+) \| (.+) \|$", page, re.M)
    scenarios = [json.loads(path.read_text()) for path in sorted((BATTERY / "scenarios").glob("*.json"))]
    said = [(s["id"], "yield" if s["expected"]["yield"] else "hold", s["title"]) for s in scenarios]
    assert rows == said


def test_a_comparison_keeps_the_labels_apart_and_says_who_passed():
    def hold(name: str, to_yield: float | None, talk_over: float, passed: bool) -> dict[str, Any]:
        one = event(name, to_yield, talk_over, expected_yield=False)
        return {**one, "verdict": {**one["verdict"], "passed": passed}}

    right = result("vapi", event("a", 0.5, 0.5), event("b", 0.7, 0.7), hold("c", None, 1.5, True))
    never = event("b", None, 3.0)
    never["verdict"]["passed"] = False
    wrong = result("vapi", event("a", 0.5, 0.5), never, hold("c", 0.1, 0.1, False))
    comparison = compare_results([("x.json", right), ("y.json", wrong)])
    first, second = comparison["by_label"]["yield"]
    assert (first["passed"], first["yielded"], second["passed"], second["yielded"]) == (2, 2, 1, 1)
    assert (first["seconds_to_yield"], second["seconds_to_yield"]) == (0.6, 0.5), "no false stop among them"
    first, second = comparison["by_label"]["hold"]
    assert (first["passed"], first["yielded"], second["passed"], second["yielded"]) == (1, 0, 0, 1)
    text = render_comparison_md(comparison)
    assert "| median of yield labels | yield | 2 of 2 pass | 2 of 2 |" in text
    assert "| 1 of 2 pass | 1 of 2 |" in text and "| **fail** | no |" in text
    (row,) = [line for line in text.splitlines() if line.startswith("| median of hold labels")]
    assert row.endswith("| 0 of 1 pass | 1 of 1 | 0.10 s (-1.40) | - |")


def test_a_value_in_doubt_is_said_to_be_and_has_no_difference():
    doubted = event("a", 1.2, 0.5)
    doubted["verdict"]["doubts"] = ["no_caller_at_onset"]
    bounded = event("b", 0.9, 0.5)
    bounded["verdict"]["doubts"] = ["hangover_decides"]
    inputs = [
        ("x", result("vapi", event("a", 0.5, 0.5), event("b", 0.5, 0.5))),
        ("y", result("vapi", doubted, bounded)),
    ]
    comparison = compare_results(inputs)
    a, _ = comparison["per_scenario"]
    assert (list(a["results"][0]["doubts"]), list(a["results"][1]["doubts"])) == ([], ["no_caller_at_onset"])
    text = render_comparison_md(comparison)
    assert "| pass, in doubt | yes | 0.50 s | 1.20 s |" in text
    assert "| pass, in doubt | yes | 0.50 s (+0.00) | 0.90 s (+0.40) |" in text, "the limit is in doubt"
    assert "2 of 2 pass, 2 in doubt" in text
    assert "In doubt: a, vapi (y): the caller neither sounds at the stated onset" in text


def test_results_under_other_parameters_say_so():
    inputs = [
        ("x", {**result("vapi", event("a", 0.5, 0.5)), "parameters": {"EchoParams": {"max_lag_sec": 0.5}}}),
        ("y", {**result("vapi", event("a", 0.5, 0.5)), "parameters": {"EchoParams": {"max_lag_sec": 0.4}}}),
    ]
    assert compare_results(inputs)["same_thresholds"] is False
    assert compare_results([inputs[0], inputs[0]])["same_thresholds"] is True
    assert (
        compare_results([inputs[0], ("z", result("vapi", event("a", 0.5, 0.5)))])["same_thresholds"] is True
    )


def test_the_summary_names_what_failed_and_what_is_in_doubt(hotato, tmp_path: Path):
    folder = capture(tmp_path / "c")
    for path in folder.iterdir():
        samples, rate = soundfile.read(path, dtype="int16")
        late = np.concatenate([np.zeros((round(0.7 * rate), 2), np.int16), samples])
        soundfile.write(path, late, rate, subtype="PCM_16")
    done = hotato("benchmark", "--stack", "vapi", "--recordings", "c", "--out", "c.json")
    assert "  FAIL  01-hard-interruption: yielded in 1.20s, slower than the 0.70s bound\n" in done.out
    assert "in doubt: the caller neither sounds at the stated onset" in done.out
    assert "  NOT SCORABLE  07-echo-bleed: the agent was silent" in done.out


def test_the_calibrated_profile_can_be_chosen(hotato, tmp_path: Path):
    capture(tmp_path / "c")
    words = ("benchmark", "--stack", "vapi", "--recordings", "c")
    by_profile = {
        profile: hotato(*words, "--profile", profile).json["events"][0]
        for profile in ("documented", "calibrated")
    }
    assert {name: one["profile"] for name, one in by_profile.items()} == {name: name for name in by_profile}
    times = {name: one["verdict"]["seconds_to_yield"] for name, one in by_profile.items()}
    assert times["documented"] - times["calibrated"] == pytest.approx(0.15, abs=0.011)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--stack", "vapi"), "hotato: no folder of recordings was named; pass --recordings\n"),
        (("--recordings", "c"), "hotato: no platform was named; pass --stack\n"),
    ],
)
def test_what_was_not_named_is_said(hotato, words: tuple[str, ...], said: str):
    done = hotato("benchmark", *words)
    assert (done.code, done.err) == (2, said)
