"""The measurement profile: which clock a verdict rests on, who chooses it, and where it is said."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotato.errors import Refusal, UsageError
from hotato.report import build_report_html, build_report_md, run_text
from hotato.score import dump_frames_for_input, frames_jsonl, run_export, run_single, run_suite
from hotato.timing import CALIBRATION, ScoreConfig, VADParams

LIMIT_SEC = 1.0
ONSET_SEC = 2.0
LEAST_DISTANCE_SEC = 0.012
"""Nearer to the limit than an edge is sure by, either verdict is right."""


def verdicts(recording: Path, **more) -> dict[str, dict]:
    found = {}
    for profile in ("documented", "calibrated"):
        envelope = run_single(stereo=recording, onset_sec=ONSET_SEC, expect="yield", profile=profile, **more)
        found[profile] = envelope["events"][0]
    return found


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(took_ms=st.integers(300, 1600))
def test_smoothing_flips_the_verdict_just_below_a_limit_and_calibration_does_not(render, took_ms) -> None:
    true_sec = took_ms / 1000
    if abs(true_sec - LIMIT_SEC) < LEAST_DISTANCE_SEC:
        return
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, ONSET_SEC + true_sec)])
    events = verdicts(call, max_time_to_yield_sec=LIMIT_SEC)
    right = true_sec <= LIMIT_SEC
    assert events["calibrated"]["verdict"]["passed"] is right
    hangover_sec = ScoreConfig().agent_vad.hangover_sec
    if true_sec <= LIMIT_SEC - hangover_sec - LEAST_DISTANCE_SEC or true_sec > LIMIT_SEC:
        assert events["documented"]["verdict"]["passed"] is right
    elif true_sec > LIMIT_SEC - hangover_sec + LEAST_DISTANCE_SEC:
        assert events["documented"]["verdict"]["passed"] is False
        assert "hangover_decides" in events["documented"]["verdict"]["doubts"]
        assert "hangover_decides" not in events["calibrated"]["verdict"].get("doubts", ())


def test_the_talk_over_limit_is_judged_by_the_same_clock(render) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
    events = verdicts(call, max_talk_over_sec=LIMIT_SEC)
    assert events["documented"]["verdict"]["passed"] is False
    assert events["calibrated"]["verdict"]["passed"] is True


def test_the_documented_values_stand_beside_a_calibrated_verdict(render) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 3.5)], agent=[(0.2, 2.9), (4.5, 5.5)])
    events = verdicts(call, max_time_to_yield_sec=LIMIT_SEC)
    documented, calibrated = events["documented"], events["calibrated"]
    assert "documented" not in documented
    assert calibrated["documented"] == {
        "passed": False,
        "did_yield": True,
        "seconds_to_yield": documented["verdict"]["seconds_to_yield"],
        "talk_over_sec": documented["verdict"]["talk_over_sec"],
        "response_gap_sec": documented["signals"]["latency"]["response_gap_sec"],
        "premature_start_sec": documented["signals"]["latency"]["premature_start_sec"],
    }
    verdict, signals = calibrated["verdict"], calibrated["signals"]
    assert verdict["seconds_to_yield"] == pytest.approx(0.9, abs=0.0181)
    assert signals["barge_in"]["time_to_yield_sec"] == verdict["seconds_to_yield"]
    assert signals["barge_in"]["talk_over_sec"] == verdict["talk_over_sec"]
    assert calibrated["edges"]["time_to_yield"]["sec"] == verdict["seconds_to_yield"]
    assert signals["latency"]["response_gap_sec"] == pytest.approx(1.0, abs=0.0181)
    assert calibrated["measurements"]["decision_margin_sec"] == pytest.approx(
        LIMIT_SEC - verdict["seconds_to_yield"], abs=1e-9
    )


def test_the_documented_envelope_differs_from_one_without_a_profile_by_nothing(render) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
    assert run_single(stereo=call, profile="documented") == run_single(stereo=call)
    envelope = run_single(stereo=call)
    assert envelope["profile"] == envelope["events"][0]["profile"] == "documented"
    assert "calibration" not in envelope


def test_a_calibrated_verdict_does_not_depend_on_the_hangover(render) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
    found = []
    for hangover_sec in (0.0, 0.15, 0.4):
        vad = VADParams(hangover_sec=hangover_sec)
        cfg = ScoreConfig(caller_vad=vad, agent_vad=vad)
        event = run_single(stereo=call, max_time_to_yield_sec=1.0, cfg=cfg, profile="calibrated")["events"][0]
        found.append(
            (event["verdict"], event["signals"]["barge_in"], event["signals"]["latency"], event["edges"])
        )
    assert found[0] == found[1] == found[2]


def test_the_constants_behind_calibrated_values_are_in_the_envelope(render) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
    envelope = run_single(stereo=call, profile="calibrated")
    assert envelope["profile"] == envelope["events"][0]["profile"] == "calibrated"
    assert envelope["calibration"]["onset_ms"] == CALIBRATION.onset_ms
    assert envelope["calibration"]["bridge_sec"] == CALIBRATION.bridge_sec


@pytest.fixture
def suite(tmp_path: Path, render) -> dict[str, Path]:
    """Two scenarios in which the hangover alone exceeds the limit; the second states a profile."""
    folder = tmp_path / "scenarios"
    folder.mkdir()
    for name, more in (("plain", {}), ("stated", {"policy": {"profile": "calibrated"}})):
        render(f"audio/{name}.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
        scenario = {
            "id": name,
            "caller_onset_sec": ONSET_SEC,
            "expected": {"yield": True, "max_time_to_yield_sec": LIMIT_SEC},
            **more,
        }
        (folder / f"{name}.json").write_text(json.dumps(scenario))
    return {"scenarios_dir": folder, "audio_dir": tmp_path / "audio"}


def test_a_scenario_chooses_its_profile_and_the_request_overrides_it(suite) -> None:
    envelope = run_suite(**suite)
    assert [(e["profile"], e["verdict"]["passed"]) for e in envelope["events"]] == [
        ("documented", False),
        ("calibrated", True),
    ]
    assert envelope["profile"] == "mixed"
    assert envelope["calibration"]["onset_ms"] == CALIBRATION.onset_ms
    for profile, passed in (("documented", 0), ("calibrated", 2)):
        forced = run_suite(**suite, profile=profile)
        assert (forced["profile"], forced["summary"]["passed"]) == (profile, passed)


def test_a_profile_in_the_expectation_counts_as_much_as_one_in_the_policy(suite) -> None:
    file = suite["scenarios_dir"] / "plain.json"
    scenario = json.loads(file.read_text())
    scenario["expected"]["profile"] = "calibrated"
    file.write_text(json.dumps(scenario))
    assert run_suite(**suite)["profile"] == "calibrated"
    scenario["policy"] = {"profile": "documented"}
    file.write_text(json.dumps(scenario))
    with pytest.raises(Refusal, match=r"policy\.profile") as caught:
        run_suite(**suite)
    assert caught.value.code == "bad_scenario"


def test_an_unknown_profile_is_refused(render, suite) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
    with pytest.raises(UsageError, match="unknown measurement profile 'exact'"):
        run_single(stereo=call, profile="exact")
    file = suite["scenarios_dir"] / "plain.json"
    file.write_text(file.read_text().replace('"yield": true', '"yield": true, "profile": "exact"'))
    with pytest.raises(Refusal, match=r"expected\.profile"):
        run_suite(**suite)


def test_the_profile_is_said_in_every_form_of_a_result(render, tmp_path) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
    asked = {
        "stereo": call,
        "onset_sec": ONSET_SEC,
        "max_time_to_yield_sec": LIMIT_SEC,
        "profile": "calibrated",
    }
    text = run_text(run_single(**asked), width=200)
    assert "calibrated profile" in text
    assert "documented profile: yielded after 1.05 s, talk-over 1.05 s, would fail" in text
    page, _ = build_report_html(**asked)
    markdown, _ = build_report_md(**asked)
    for shown in (page, markdown):
        assert "calibrated profile" in shown
        assert "yielded after 1.05 s, talk-over 1.05 s, would fail" in shown
    dump = dump_frames_for_input(stereo=call, profile="calibrated")
    assert (dump["profile"], dump["calibration"]["offset_ms"]) == ("calibrated", CALIBRATION.offset_ms)
    assert json.loads(frames_jsonl(dump).splitlines()[0])["profile"] == "calibrated"
    run_export(out_dir=tmp_path / "table", **asked)
    lines = (tmp_path / "table" / "events.csv").read_text().splitlines()
    (row,) = csv.DictReader(line for line in lines if not line.startswith("#"))
    assert (row["profile"], row["passed"], row["documented_passed"]) == ("calibrated", "true", "false")
    assert float(row["documented_seconds_to_yield"]) == pytest.approx(1.05)


def test_a_table_of_documented_results_repeats_them_in_the_documented_columns(render, tmp_path) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 2.9)])
    run_export(out_dir=tmp_path / "table", stereo=call)
    lines = (tmp_path / "table" / "events.csv").read_text().splitlines()
    (row,) = csv.DictReader(line for line in lines if not line.startswith("#"))
    assert row["documented_seconds_to_yield"] == row["seconds_to_yield"]
    assert row["documented_passed"] == row["passed"]


def test_an_event_that_cannot_be_judged_keeps_its_profile(render) -> None:
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=[(0.2, 1.0)])
    event = run_single(stereo=call, onset_sec=ONSET_SEC, profile="calibrated")["events"][0]
    assert (event["scorable"], event["not_scorable_code"]) == (False, "agent_silent_at_onset")
    assert (event["profile"], event["documented"]["passed"]) == ("calibrated", None)


@pytest.mark.parametrize("profile", ["documented", "calibrated"])
@pytest.mark.parametrize(
    ("pause_sec", "caller_end", "doubted"),
    [
        (0.39, 2.7, True),  # a pause between two phrases
        (0.55, 2.7, False),
        (0.55, 4.5, True),  # over a caller who talks on
        (0.95, 4.5, True),
        (1.05, 4.5, False),
        (9.0, 4.5, False),  # quiet to the end
    ],
)
def test_a_silence_no_longer_than_a_pause_is_doubted(render, profile, pause_sec, caller_end, doubted) -> None:
    agent = [(0.2, 2.6), *([(2.6 + pause_sec, 5.5)] if pause_sec < 2.9 else [])]
    call = render("call.wav", caller=[(ONSET_SEC, caller_end)], agent=agent)
    run = run_single(stereo=call, onset_sec=ONSET_SEC, profile=profile, max_time_to_yield_sec=1.5)
    (event,) = run["events"]
    assert event["verdict"]["passed"] is True
    assert ("brief_silence" in event["verdict"].get("doubts", ())) is doubted
    assert ("may only have paused" in run_text(run, width=200)) is doubted


def test_an_answer_is_late_by_the_time_that_passed_and_not_by_that_without_the_hangover(
    suite, render
) -> None:
    """The caller falls silent at 3.80 s and the agent answers at 4.90 s: the hangover hides 0.15 s of it."""
    render("audio/plain.wav", caller=[(ONSET_SEC, 3.8)], agent=[(0.2, 2.5), (4.9, 5.8)])
    file = suite["scenarios_dir"] / "plain.json"
    scenario = json.loads(file.read_text())
    scenario["expected"] = {"yield": True, "max_response_gap_sec": 1.0}
    file.write_text(json.dumps(scenario))
    documented, calibrated = (
        next(e for e in run_suite(**suite, profile=profile)["events"] if e["event_id"] == "plain")
        for profile in ("documented", "calibrated")
    )
    assert documented["verdict"]["passed"] is True
    assert calibrated["verdict"]["reason_codes"] == ["late_answer"]
    assert calibrated["signals"]["latency"]["response_gap_sec"] == pytest.approx(1.1, abs=0.0181)
    gap = documented["signals"]["latency"]["response_gap_sec"]
    text = run_text(run_suite(**suite, profile="calibrated"), width=200)
    assert f"answered after {gap:.2f} s, would pass" in text


def test_an_answer_that_never_came_is_waited_for_from_the_true_end_of_the_agent(suite, render) -> None:
    render("audio/plain.wav", caller=[(ONSET_SEC, 4.0)], agent=[(0.2, 2.5)])
    file = suite["scenarios_dir"] / "plain.json"
    scenario = json.loads(file.read_text())
    found = {}
    for limit in (1.9, 2.1):
        scenario["expected"] = {"yield": True, "max_response_gap_sec": limit}
        file.write_text(json.dumps(scenario))
        envelope = run_suite(**suite, profile="calibrated")
        found[limit] = next(e for e in envelope["events"] if e["event_id"] == "plain")
    # Two seconds of silence were recorded: more than the first limit, too little to tell for the second.
    assert found[1.9]["verdict"]["reason_codes"] == ["late_answer"]
    assert found[2.1]["not_scorable_code"] == "no_response_gap"


def test_a_sound_too_short_to_be_an_onset_is_named_with_its_length_and_both_ways_out(render):
    call = render("call.wav", caller=[(2.0, 2.02)], agent=[(0.2, 4.4)])
    (event,) = run_single(stereo=call, profile="calibrated")["events"]
    assert event["not_scorable_code"] == "no_caller_speech"
    assert "longest sound is 0.03s, at 1.99s" in event["not_scorable_reason"]
    assert "--onset" in event["not_scorable_next_step"]
    assert "--profile documented" in event["not_scorable_next_step"]
    assert run_single(stereo=call)["events"][0].get("scorable") is not False
    silent = render("silent.wav", caller=[], agent=[(0.2, 4.4)])
    (event,) = run_single(stereo=silent, profile="calibrated")["events"]
    assert event["not_scorable_reason"].startswith("the caller channel holds no sound")


@pytest.mark.parametrize(
    ("pause_sec", "asked", "doubted"),
    [
        (0.192, {"max_time_to_yield_sec": 1.0}, True),
        (0.17, {"max_time_to_yield_sec": 1.0}, False),
        (0.192, {"max_time_to_yield_sec": 0.5}, False),
        (0.192, {"max_time_to_yield_sec": 2.5}, False),
        (0.192, {"expect": "hold"}, False),
    ],
    ids=["decides", "too short by far", "over the limit as well", "in time without it", "another one counts"],
)
def test_a_pause_that_may_be_long_enough_is_a_doubt_where_it_would_decide(
    render, pause_sec, asked, doubted
) -> None:
    agent = [(0.2, 2.6), (2.6 + pause_sec, 4.0)]
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=agent)
    event = run_single(stereo=call, onset_sec=ONSET_SEC, profile="calibrated", **asked)["events"][0]
    assert event["verdict"]["seconds_to_yield"] == pytest.approx(4.0 - ONSET_SEC, abs=0.02)
    assert ("near_silence" in event["verdict"].get("doubts", ())) is doubted


def test_a_held_floor_is_in_doubt_where_a_pause_may_have_been_a_stop(render) -> None:
    agent = [(0.2, 2.6), (2.792, 5.8)]
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=agent, seconds=9.0)
    event = run_single(stereo=call, onset_sec=ONSET_SEC, profile="calibrated", expect="hold")["events"][0]
    assert event["verdict"]["passed"] is True
    assert "near_silence" in event["verdict"]["doubts"]


@pytest.mark.parametrize(
    ("pause_sec", "limit_sec", "code"),
    [
        (0.25, 1.0, "bridged_silence"),
        (0.192, 1.0, "near_silence"),
        (0.15, 1.0, None),
        (0.25, 0.5, None),
        (0.25, 2.5, None),
    ],
)
def test_a_pause_that_the_hangover_bridged_is_a_doubt_where_it_would_decide(
    render, pause_sec, limit_sec, code
) -> None:
    agent = [(0.2, 2.6), (2.6 + pause_sec, 4.0)]
    call = render("call.wav", caller=[(ONSET_SEC, 4.5)], agent=agent)
    event = run_single(stereo=call, onset_sec=ONSET_SEC, max_time_to_yield_sec=limit_sec)["events"][0]
    assert event["profile"] == "documented"
    assert event["verdict"]["seconds_to_yield"] == pytest.approx(2.15)
    silences = [c for c in event["verdict"].get("doubts", ()) if c.endswith("_silence")]
    assert silences == ([code] if code else [])
