"""The label `answer`: the silence behind a sound has to end with the agent's sound, in time."""

from __future__ import annotations

import json

import pytest

from hotato.errors import Refusal, UsageError
from hotato.report import build_report_html, run_text
from hotato.score import process_exit_code, run_export, run_single, run_suite

HANGOVER_SEC, HOP_SEC, WINDOW_SEC = 0.15, 0.01, 0.02
ONSET_SEC, TURN_END_SEC = 2.0, 3.5


@pytest.fixture
def scored(render):
    """Score one call under an answer label; the caller's turn is 2.0 to 3.5 s unless stated."""

    def run(agent, limit_sec, *, caller=((ONSET_SEC, TURN_END_SEC),), seconds=12.0, onset=2.5, **more):
        call = render("call.wav", caller=list(caller), agent=list(agent), seconds=seconds)
        env = run_single(
            stereo=call, expect="answer", max_response_gap_sec=limit_sec, onset_sec=onset, **more
        )
        return env, env["events"][0]

    return run


FIRST = (0.2, 1.8)


def test_a_late_answer_fails_with_its_silence_both_ways(scored):
    env, event = scored([FIRST, (5.5, 7.0)], 1.5)
    gap = round(5.5 - HOP_SEC - (TURN_END_SEC + HANGOVER_SEC), 3)
    assert event["signals"]["latency"]["response_gap_sec"] == gap
    assert event["signals"]["answer"] == {
        "silence_sec": gap,
        "began_with": "caller",
        "ended_by": "agent",
        "start_sec": TURN_END_SEC + HANGOVER_SEC,
    }
    edge = event["edges"]["silence"]
    assert edge["lo_sec"] <= 5.5 - TURN_END_SEC <= edge["hi_sec"]
    assert event["edges"]["response_gap"] == edge
    assert event["verdict"]["reason_codes"] == ["late_answer"] and process_exit_code(env) == 1
    assert event["measurements"]["decision_margin_sec"] == pytest.approx(1.5 - gap, abs=1e-9)


def test_an_answer_in_time_passes_and_is_no_hold_guard(scored):
    env, event = scored([FIRST, (5.5, 7.0)], 2.5)
    assert event["verdict"]["passed"] and env["exit_code"] == 0
    assert (event["category"], event["expected_yield"], event["expectation"]) == (
        "should_answer",
        False,
        "answer",
    )
    assert "barge_in" not in event["signals"]
    assert (event["verdict"]["did_yield"], event["verdict"]["talk_over_sec"]) == (False, 0.0)


def test_the_calibrated_profile_measures_the_true_silence(scored):
    _, event = scored([FIRST, (5.5, 7.0)], 1.5, profile="calibrated")
    assert event["signals"]["latency"]["response_gap_sec"] == pytest.approx(2.0, abs=0.012)
    assert event["documented"]["passed"] is False
    assert event["documented"]["response_gap_sec"] == pytest.approx(1.84, abs=1e-9)


@pytest.mark.parametrize("profile", ["documented", "calibrated"])
def test_a_caller_who_has_to_speak_again_fails_only_after_the_limit(scored, profile):
    calls = {"caller": ((ONSET_SEC, TURN_END_SEC), (8.5, 9.0)), "profile": profile}
    _, late = scored([FIRST, (10, 11)], 3.0, **calls)
    assert late["verdict"]["reason_codes"] == ["late_answer"]
    assert "the caller had to speak again after" in late["verdict"]["reasons"][0]
    _, early = scored([FIRST, (10, 11)], 6.0, **calls)
    assert early["scorable"] is False and early["not_scorable_code"] == "no_answer_due"
    assert not early["verdict"]["passed"] and early["not_scorable_next_step"]


def test_the_end_of_the_recording_is_an_answer_that_never_came_only_beyond_the_limit(scored):
    _, late = scored([FIRST], 1.5)
    assert late["verdict"]["reason_codes"] == ["late_answer"]
    assert late["signals"]["latency"]["response_gap_sec"] is None
    _, early = scored([FIRST], 1.5, seconds=4.5)
    assert early["not_scorable_code"] == "recording_ended"


def test_dead_air_inside_the_agents_turn_is_measured_from_its_own_sound(scored):
    _, event = scored([(0.2, 4.0), (10.0, 11.0)], 5.0, caller=((0.02, 0.15),), onset=3.0)
    assert event["signals"]["answer"]["began_with"] == "agent"
    assert event["verdict"]["reasons"][0].startswith("sounded again 5.8")


def test_an_agent_that_sounds_when_the_turn_ends_leaves_no_silence(scored):
    _, event = scored([FIRST, (3.0, 4.5)], 1.5)
    assert event["not_scorable_code"] == "agent_over_turn_end"


@pytest.mark.parametrize(
    ("profile", "pause_sec", "code"),
    [("documented", 0.30, "agent_over_turn_end"), ("calibrated", 0.15, "agent_over_turn_end")],
)
def test_an_agent_that_only_pauses_where_the_turn_ends_has_answered_nothing(scored, profile, pause_sec, code):
    pause = (TURN_END_SEC - pause_sec / 2.0, TURN_END_SEC + pause_sec / 2.0)
    env, event = scored([(0.2, pause[0]), (pause[1], 9.0)], 1.5, profile=profile)
    assert event["not_scorable_code"] == code and process_exit_code(env) == 2


@pytest.mark.parametrize("profile", ["documented", "calibrated"])
def test_an_agent_that_stops_before_the_turn_ends_and_then_answers_has_answered(scored, profile):
    _, event = scored([(0.2, TURN_END_SEC - 0.5), (TURN_END_SEC + 0.4, 9.0)], 1.5, profile=profile)
    assert event["verdict"]["passed"] and event["signals"]["answer"]["ended_by"] == "agent"


def test_an_answer_that_only_the_hangover_makes_early_is_one(scored):
    _, event = scored([FIRST, (TURN_END_SEC + 0.05, 6.0)], 1.5)
    assert event["verdict"]["passed"] and event["signals"]["answer"]["silence_sec"] == 0.0


@pytest.mark.parametrize(
    ("agent", "caller", "onset", "code"),
    [
        ([FIRST], ((2.0, 3.0),), 5.0, "no_sound"),
        ([FIRST, (7.0, 8.0)], (), 5.0, "no_caller_speech"),
        ([], ((2.0, 3.0),), 2.5, "no_agent_speech"),
        ([FIRST], ((2.0, 12.0),), 2.5, "no_silence"),
        ([FIRST], ((2.0, 3.0),), 40.0, "onset_outside_recording"),
        ([FIRST], (), None, "no_caller_speech"),
    ],
)
def test_what_cannot_be_judged_says_why(scored, agent, caller, onset, code):
    env, event = scored(agent, 1.5, caller=caller, onset=onset)
    assert event["not_scorable_code"] == code and process_exit_code(env) == 2


def test_a_short_pause_belongs_to_the_turn(scored):
    _, event = scored([FIRST, (6.0, 7.0)], 1.0, caller=((2.0, 3.0), (3.3, 4.0)))
    assert event["signals"]["answer"]["start_sec"] == pytest.approx(4.0 + HANGOVER_SEC, abs=1e-9)


def test_a_setting_is_pointed_at_only_where_endpointing_can_explain_it(scored):
    _, soon = scored([FIRST, (5.5, 7.0)], 1.5, stack="vapi")
    assert soon["fix"]["knob"]["parameter"] == "startSpeakingPlan.waitSeconds"
    _, slow = scored([FIRST, (9.5, 11.0)], 1.5)
    assert slow["fix"] is None


@pytest.mark.parametrize(
    "more", [{}, {"max_response_gap_sec": 1.0, "max_talk_over_sec": 1.0}], ids=["no-bound", "other-bound"]
)
def test_a_label_that_bounds_something_else_is_refused(render, more):
    call = render("call.wav", caller=[(2.0, 3.0)], agent=[FIRST])
    with pytest.raises(UsageError):
        run_single(stereo=call, expect="answer", **more)


def suite(tmp_path, render, expected):
    folder = tmp_path / "scenarios"
    folder.mkdir()
    (folder / "one.json").write_text(json.dumps({"id": "one", "caller_onset_sec": 2.5, "expected": expected}))
    render("audio/one.wav", caller=[(ONSET_SEC, TURN_END_SEC)], agent=[FIRST, (5.5, 7.0)], seconds=9.0)
    return {"scenarios_dir": folder, "audio_dir": tmp_path / "audio"}


def test_a_scenario_states_it_and_takes_no_bound_of_another_label(tmp_path, render):
    expected = {"yield": False, "answer": True, "max_response_gap_sec": 1.5}
    where = suite(tmp_path, render, expected)
    (scenario,) = (json.loads(file.read_text()) for file in where["scenarios_dir"].iterdir())
    taking = {**scenario, "id": "z-taking", "audio": f"{scenario['id']}.wav", "expected": {"yield": True}}
    (where["scenarios_dir"] / "z-taking.json").write_text(json.dumps(taking))
    event, other = run_suite(**where, max_talk_over_sec=0.1)["events"]
    assert event["verdict"]["reason_codes"] == ["late_answer"]
    assert event["expected"]["max_talk_over_sec"] is None
    assert other["expected"]["max_talk_over_sec"] == 0.1


def test_a_scenario_without_a_limit_takes_that_of_the_run_or_is_refused(tmp_path, render):
    where = suite(tmp_path, render, {"yield": False, "answer": True})
    assert run_suite(**where, max_response_gap_sec=3.0)["summary"]["passed"] == 1
    with pytest.raises(Refusal) as refused:
        run_suite(**where)
    assert refused.value.code == "bad_scenario"


@pytest.mark.parametrize(
    "expected",
    [
        {"yield": True, "answer": True, "max_response_gap_sec": 1.0},
        {"yield": False, "answer": True, "max_response_gap_sec": 1.0, "max_talk_over_sec": 1.0},
        {"answer": True, "max_response_gap_sec": 1.0},
        {"yield": False, "max_response_gap_sec": 1.0},
    ],
)
def test_a_scenario_that_says_two_things_is_refused(tmp_path, render, expected):
    with pytest.raises(Refusal) as refused:
        run_suite(**suite(tmp_path, render, expected))
    assert refused.value.code == "bad_scenario"


def test_text_page_and_table_show_the_silence(tmp_path, render, scored):
    env, _ = scored([FIRST, (5.5, 7.0)], 1.5)
    text = run_text(env, width=110)
    assert "answered after 1.84 s (with hangover)" in text and "expected answer" in text
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[FIRST, (5.5, 7.0)], seconds=12.0)
    page, _ = build_report_html(stereo=call, expect="answer", max_response_gap_sec=1.5, onset_sec=2.5)
    assert "until the answer" in page and "answered after 1.84 s" in page and "no yield" not in page
    manifest = run_export(
        out_dir=tmp_path / "out", stereo=call, expect="answer", max_response_gap_sec=1.5, onset_sec=2.5
    )
    assert manifest["exit_code"] == 1 and not manifest["response_gap_exceeded"]
