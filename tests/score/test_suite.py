"""`run_suite`: scenario files, recordings found and missing, and files that are not what they claim."""

from __future__ import annotations

import json
import os

import pytest

from hotato.errors import Refusal, UsageError
from hotato.report import run_text
from hotato.score import process_exit_code, run_suite
from hotato.score.suite import bundled

bundled_battery = pytest.mark.skipif(
    not bundled("battery").is_dir(), reason="the bundled battery is not in this tree"
)


@pytest.fixture
def suite(tmp_path, render):
    """Two failing scenarios: a missed interruption and a stop for a backchannel."""

    def scenario(name, expected, **more):
        folder = tmp_path / "scenarios"
        folder.mkdir(exist_ok=True)
        content = {"id": name, "title": name, "caller_onset_sec": 2.4, "expected": expected, **more}
        (folder / f"{name}.json").write_text(json.dumps(content))

    scenario("b-backchannel", {"yield": False}, category="should_not_yield")
    scenario("a-missed", {"yield": True, "max_time_to_yield_sec": 1.0, "max_talk_over_sec": 1.0})
    render("audio/a-missed.stereo.wav", caller=[(2.4, 4.9)], agent=[(0.2, 6.0)])
    render("audio/b-backchannel.wav", caller=[(2.4, 2.57)], agent=[(0.2, 2.59), (4.0, 6.0)])
    return tmp_path, scenario


def run(folder, **more):
    return run_suite(scenarios_dir=folder / "scenarios", audio_dir=folder / "audio", **more)


def test_failing_on_both_axes_is_a_funnel(suite):
    folder, _ = suite
    env = run(folder, stack="Pipecat")
    assert env["mode"] == "suite" and env["suite"] == "barge-in" and env["stack"] == "pipecat"
    assert [event["event_id"] for event in env["events"]] == ["a-missed", "b-backchannel"]
    assert env["events"][0]["category"] == "should_yield" and env["events"][0]["scenario_id"] == "a-missed"
    assert [entry["fix_class"] for entry in env["fix_map"]] == ["config", "engagement-control"]
    assert "no single sensitivity threshold satisfies this battery" in env["funnel"]["reason"]
    assert env["exit_code"] == 1 == process_exit_code(env)


def test_a_missing_recording_is_an_event_that_cannot_be_judged(suite):
    folder, scenario = suite
    scenario("c-absent", {"yield": True})
    env = run(folder)
    absent = env["events"][2]
    assert absent["scorable"] is False and absent["not_scorable_code"] == "missing_audio"
    assert "audio_provenance" not in absent and absent["signals"] == {}
    assert env["summary"]["not_scorable"] == 1 and env["summary"]["failed"] == 2


def test_events_that_cannot_be_judged_do_not_fail_a_suite(suite, render):
    folder, scenario = suite
    for name in ("a-missed", "b-backchannel"):
        (folder / "scenarios" / f"{name}.json").unlink()
    scenario("c-absent", {"yield": True})
    scenario("d-fine", {"yield": True})
    render("audio/d-fine.wav", caller=[(2.4, 3.5)], agent=[(0.2, 2.7)])
    env = run(folder)
    assert env["summary"] == {"events": 2, "passed": 1, "failed": 0, "regression": False, "not_scorable": 1}
    assert env["exit_code"] == 0 == process_exit_code(env) and env["funnel"] is None


def test_a_suite_that_could_judge_nothing_is_not_green(suite):
    folder, _ = suite
    env = run(folder, suffix=".none.wav")
    assert env["summary"] == {"events": 2, "passed": 0, "failed": 0, "regression": False, "not_scorable": 2}
    assert env["exit_code"] == 1 and process_exit_code(env) == 2
    text = run_text(env)
    assert "nothing could be scored" in text and "exit code 2" in text


def test_a_scenario_states_its_channels_unless_they_are_given(suite, render):
    folder, scenario = suite
    scenario("c-swapped", {"yield": True}, channels={"caller_channel": 1, "agent_channel": 0})
    render("audio/c-swapped.wav", caller=[(2.4, 3.5)], agent=[(0.2, 2.7)], swapped=True)
    event = run(folder)["events"][2]
    assert event["verdict"]["passed"] and event["activity"]["source"] == "scenario"
    event = run(folder, caller_channel=0, agent_channel=1)["events"][2]
    assert event["activity"]["caller"]["channel"] == 0


def test_a_bound_of_the_run_applies_where_the_scenario_states_none(suite, render):
    folder, scenario = suite
    scenario("c-unbounded", {"yield": True})
    render("audio/c-unbounded.wav", caller=[(2.4, 3.5)], agent=[(0.2, 2.7)])
    assert run(folder)["events"][2]["verdict"]["passed"]
    bounded = run(folder, max_time_to_yield_sec=0.4)["events"]
    assert bounded[2]["verdict"]["reasons"] == ["yielded in 0.45s, slower than the 0.40s bound"]
    assert bounded[1]["verdict"]["reasons"] == run(folder)["events"][1]["verdict"]["reasons"]


@pytest.mark.parametrize(
    ("expected", "bound", "why"),
    [
        ({"yield": True, "max_talk_over_sec": 1.0}, "max_talk_over_sec", "every scenario states its own"),
        ({"yield": True, "max_time_to_yield_sec": 1.0}, "max_time_to_yield_sec", "states its own"),
        ({"yield": True, "max_response_gap_sec": 1.0}, "max_response_gap_sec", "states its own"),
        ({"yield": False}, "max_talk_over_sec", "no scenario has a label that it bounds"),
        (
            {"yield": False, "answer": True, "max_response_gap_sec": 1.0},
            "max_time_to_yield_sec",
            "no scenario",
        ),
        ({"yield": True, "max_talk_over_sec": 1.0}, "max_time_to_yield_sec", None),
        ({"yield": False, "answer": True}, "max_response_gap_sec", None),
    ],
)
def test_a_bound_of_the_run_that_no_scenario_takes_is_refused(tmp_path, render, expected, bound, why):
    (tmp_path / "labels").mkdir()
    label = {"id": "one", "caller_onset_sec": 2.4, "expected": expected}
    (tmp_path / "labels" / "one.json").write_text(json.dumps(label))
    render("audio/one.wav", caller=[(2.4, 3.5)], agent=[(0.2, 2.7), (3.8, 4.8)])
    given = {"scenarios_dir": tmp_path / "labels", "audio_dir": tmp_path / "audio", bound: 0.5}
    if why is None:
        assert run_suite(**given)["events"][0].get("scorable") is not False
        return
    with pytest.raises(UsageError, match=why) as refused:
        run_suite(**given)
    assert bound[:-4].replace("_", "-") in str(refused.value)


def test_two_runs_give_the_same_bytes(suite):
    folder, _ = suite
    assert json.dumps(run(folder)) == json.dumps(run(folder))


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "broken.json"),
        ('{"id": "x"}', "expected"),
        ('{"id": "x", "expected": {"yield": "yes"}}', "$.expected.yield"),
        ('{"id": "x", "expected": {"yield": true}, "caller_onset_sec": -1}', "$.caller_onset_sec"),
        ('{"id": "x", "expected": {"yield": true}, "caller_onset_sec": "2"}', "$.caller_onset_sec"),
        ('{"id": "../x", "expected": {"yield": true}}', "$.id"),
        ('{"id": "/etc/x", "expected": {"yield": true}}', "$.id"),
        ('{"id": "x", "audio": "../x.wav", "expected": {"yield": true}}', "$.audio"),
        ('{"id": "a-missed", "expected": {"yield": true}}', "twice"),
        ("[]", "broken.json"),
        (
            '{"id": "x", "expected": {"yield": true, "max_talkover_sec": 1.0}}',
            "'max_talkover_sec', did you mean 'max_talk_over_sec'? - `$.expected`",
        ),
        (
            '{"id": "x", "expected": {"yield": true}, "policy": {"zzz": 1}}',
            "'zzz', it has profile - `$.policy`",
        ),
        (
            '{"id": "x", "expected": {"yield": true}, "channels": {"caller_chanel": 1}}',
            "did you mean 'caller_channel'? - `$.channels`",
        ),
    ],
)
def test_a_wrong_scenario_file_is_named_with_its_field(suite, content, named):
    folder, _ = suite
    (folder / "scenarios" / "broken.json").write_text(content)
    with pytest.raises(Refusal) as refused:
        run(folder)
    assert refused.value.code == "bad_scenario"
    assert "broken.json" in refused.value.message and named in refused.value.message


def test_further_keys_of_a_scenario_are_for_its_author(suite):
    folder, _ = suite
    before = run(folder)
    path = folder / "scenarios" / "a-missed.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "owner": "x", "max_talk_over_sec": 0.0}))
    assert run(folder) == before


@pytest.mark.parametrize(
    "text",
    ['{"id": "x", "expected": {"yield": false, "yield": true}}', '{"id": "x", "id": "y", "expected": {}}'],
)
def test_a_scenario_that_states_a_key_twice_is_refused(suite, text):
    folder, _ = suite
    (folder / "scenarios" / "broken.json").write_text(text.replace("{}", '{"yield": true}'))
    with pytest.raises(Refusal, match=r"scenario file 'broken\.json' states the key '(yield|id)' twice"):
        run(folder)


def test_a_folder_or_pipe_in_the_place_of_a_recording_is_named(suite):
    folder, _ = suite
    place = folder / "audio" / "b-backchannel.wav"
    place.unlink()
    place.mkdir()
    with pytest.raises(Refusal, match=r"'b-backchannel\.wav' is a folder, not a recording"):
        run(folder)
    place.rmdir()
    os.mkfifo(place)
    with pytest.raises(Refusal, match=r"'b-backchannel\.wav' is a pipe"):
        run(folder)


def test_what_is_no_suite_is_refused(suite, tmp_path):
    folder, _ = suite
    for bad in (
        {"suite": "other"},
        {"scenarios_dir": folder / "scenarios"},
        {"scenarios_dir": tmp_path / "nowhere", "audio_dir": folder / "audio"},
        {"scenarios_dir": folder / "scenarios", "audio_dir": tmp_path / "nowhere"},
        {"stack": "nobody", "scenarios_dir": folder / "scenarios", "audio_dir": folder / "audio"},
    ):
        with pytest.raises(Refusal):
            run_suite(**bad)


@bundled_battery
def test_the_bundled_battery_passes():
    env = run_suite()
    assert env["exit_code"] == 0
    assert len(env["events"]) == 8 and env["summary"]["passed"] == 8
