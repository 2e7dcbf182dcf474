"""The bound on the agent's answer: a gate where it is exceeded, no verdict where it cannot be held."""

from __future__ import annotations

import json

import pytest

from hotato.errors import Refusal
from hotato.report import build_report_html, run_text
from hotato.report.markdown_run import run_markdown
from hotato.score import process_exit_code, run_suite

ONSET_SEC, TURN_END_SEC = 2.0, 3.5
HANGOVER_SEC, HOP_SEC = 0.15, 0.01


@pytest.fixture
def answered(tmp_path, render):
    """Score one call: the agent yields at 2.4 s, the caller's turn ends at 3.5 s, then what `agent` says."""

    def run(agent, limit_sec, *, caller=((ONSET_SEC, TURN_END_SEC),), seconds=8.0, **expected):
        folder = tmp_path / "scenarios"
        folder.mkdir(exist_ok=True)
        bounds = {"yield": True, "max_response_gap_sec": limit_sec, **expected}
        content = {"id": "one", "caller_onset_sec": ONSET_SEC, "expected": bounds}
        (folder / "one.json").write_text(json.dumps(content))
        render("audio/one.wav", caller=list(caller), agent=[(0.2, 2.4), *agent], seconds=seconds)
        env = run_suite(scenarios_dir=folder, audio_dir=tmp_path / "audio")
        return env, env["events"][0]

    return run


def test_a_late_answer_fails_and_says_by_how_much(answered):
    env, event = answered([(5.5, 7.0)], 1.5)
    gap = round(5.5 - HOP_SEC - (TURN_END_SEC + HANGOVER_SEC), 2)
    assert event["signals"]["latency"]["response_gap_sec"] == gap
    assert event["verdict"]["did_yield"] and not event["verdict"]["passed"]
    assert event["verdict"]["reasons"] == [
        f"answered {gap:.2f}s after the caller's turn, later than the 1.50s bound"
    ]
    assert event["measurements"]["decision_margin_sec"] == pytest.approx(1.5 - gap, abs=1e-9)
    assert event["fix"] is None and env["exit_code"] == 1 == process_exit_code(env)
    assert event["expected"]["max_response_gap_sec"] == 1.5


def test_an_answer_within_the_bound_passes(answered):
    env, event = answered([(4.5, 6.0)], 1.5)
    assert event["verdict"]["passed"] and event["verdict"]["reasons"] == [] and env["exit_code"] == 0
    assert event["measurements"]["decision_margin_sec"] == pytest.approx(0.66, abs=1e-9)


def test_an_answer_that_never_came_fails_once_the_silence_exceeds_the_bound(answered):
    _, event = answered([], 1.5)
    waited = round(8.0 - (TURN_END_SEC + HANGOVER_SEC), 2)
    assert event["verdict"]["reasons"] == [
        f"had not answered {waited:.2f}s after the caller's turn, more than the 1.50s bound"
    ]
    assert event["measurements"]["decision_margin_sec"] == pytest.approx(1.5 - waited, abs=1e-9)


@pytest.mark.parametrize(
    ("agent", "more", "why"),
    [
        ([], {"seconds": 4.5}, "only 0.85s after the caller's turn"),
        ([(4.5, 6.0)], {"caller": ((ONSET_SEC, 8.0),)}, "does not end inside the recording"),
        ([(3.0, 3.2)], {}, f"{TURN_END_SEC - 3.0 + HOP_SEC:.2f}s before the caller's turn ended"),
    ],
    ids=["recording-too-short", "caller-talks-on", "answer-in-the-turn"],
)
def test_what_cannot_be_held_against_the_bound_is_no_pass(answered, agent, more, why):
    env, event = answered(agent, 1.5, **more)
    assert event["scorable"] is False and event["not_scorable_code"] == "no_response_gap"
    assert why in event["not_scorable_reason"] and event["not_scorable_next_step"]
    assert not event["verdict"]["passed"] and event["measurements"]["decision_margin_sec"] is None
    assert env["summary"]["passed"] == 0 and process_exit_code(env) == 2


def test_a_failure_on_another_bound_stays_one_without_an_answer(answered):
    _, event = answered([], 1.5, seconds=4.5, max_time_to_yield_sec=0.2)
    assert "scorable" not in event
    assert event["verdict"]["reasons"] == ["yielded in 0.55s, slower than the 0.20s bound"]


def test_an_agent_still_talking_has_not_been_silent(answered):
    _, event = answered([(2.4, 8.0)], 0.1)
    assert event["verdict"]["reasons"] == ["did not yield within 3.00s of the onset"]


def test_a_fast_answer_that_the_hangover_makes_premature_is_an_answer(answered):
    _, event = answered([(TURN_END_SEC + 0.04, 6.0)], 1.5)
    assert event["signals"]["latency"]["premature_start_sec"] > 0
    assert event["verdict"]["passed"]


def test_a_bound_between_the_two_values_is_a_doubt_in_words(answered):
    env, event = answered([(4.5, 6.0)], 0.9)
    assert event["verdict"]["passed"] and event["verdict"]["doubts"] == ["hangover_decides"]
    text = " ".join(run_text(env).split())
    assert "with it the response gap is 0.84 s, within the limit of 0.90 s" in text
    assert "at the energy edges it is 0.99 s, over the limit of 0.90 s" in text


def test_text_markdown_and_page_say_when_the_agent_answered(answered, tmp_path):
    env, _ = answered([(5.5, 7.0)], 1.5)
    assert "answered after 1.84 s (with hangover), 1.99 s at the energy edges" in run_text(env, width=200)
    assert "later than the 1.50s bound" in run_markdown(env)
    folders = {"scenarios_dir": str(tmp_path / "scenarios"), "audio_dir": str(tmp_path / "audio")}
    page, _ = build_report_html(**folders)
    assert "later than the 1.50s bound" in page and "<dt>answer after</dt><dd>1.84 s" in page
    silent, _ = answered([], 1.5)
    assert "did not answer" in run_text(silent)


def test_a_hold_label_has_no_answer_to_bound(answered):
    with pytest.raises(Refusal) as refused:
        answered([], 1.5, **{"yield": False})
    assert refused.value.code == "bad_scenario" and "$.expected.max_response_gap_sec" in refused.value.message
