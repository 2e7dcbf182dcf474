"""`hotato trust`: can it be scored."""

from __future__ import annotations


def test_a_good_recording_exits_0(hotato, call):
    outcome = hotato("trust", "--stereo", call, "--format", "json")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json["kind"] == "input-health"
    assert outcome.json["scorable"] is True
    assert outcome.json["exit_code"] == 0
    assert hotato("trust", call).code == 0


def test_a_single_channel_is_a_report_and_exits_2(hotato, mono):
    outcome = hotato("trust", mono, "--format", "json")
    assert outcome.code == outcome.json["exit_code"] == 2
    assert outcome.json["scorable"] is False
    assert outcome.json["next_step"]


def test_a_pair_can_be_examined(hotato, pair):
    caller, agent = pair
    outcome = hotato("trust", "--caller", caller, "--agent", agent, "--format", "json")
    assert outcome.code == 0
    assert outcome.json["channels"]["caller"]["active_sec"] < outcome.json["channels"]["agent"]["active_sec"]


def test_the_same_file_twice_is_not_two_parties(hotato, pair):
    caller, _ = pair
    outcome = hotato("trust", "--caller", caller, "--agent", caller, "--format", "json")
    assert outcome.code == 2
    assert outcome.json["scorability"]["separated_tracks"] is False


def test_no_verdict_about_the_agent(hotato, call):
    text = hotato("trust", call).out.lower()
    assert "did_yield" not in text
    assert "talk-over" not in text
