"""`run_single`: verdicts, what is not scorable, gates, and the documented numbers on real recordings."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.errors import Refusal
from hotato.score import process_exit_code, run_single
from hotato.timing import ScoreConfig, VADParams

HANGOVER_SEC = 0.15


def only(env):
    (event,) = env["events"]
    return event


def agrees(event, expected):
    """The blocks of the event hold what is expected, key by key."""
    for block in ("verdict", "measurements"):
        assert {key: event[block][key] for key in expected[block]} == expected[block]
    assert event["signals"] == expected["signals"]


@pytest.mark.parametrize("mode", ["run", "run_detect"])
def test_real_recordings_measure_as_documented(shared_data, mode):
    clips = json.loads((shared_data / "expected-1.18.json").read_text())["clips"]
    assert len(clips) == 13
    for clip, figures in clips.items():
        expected = figures[mode]
        labels = json.loads((shared_data / Path(clip).parent / "labels.json").read_text())
        onset = next(label["caller_onset_sec"] for label in labels if label["id"] == Path(clip).stem)
        env = run_single(
            stereo=shared_data / clip, expect=expected["expect"], onset_sec=onset if mode == "run" else None
        )
        assert process_exit_code(env) == expected["exit"], clip
        agrees(only(env), expected)


def test_a_yield_within_its_bounds_passes(render):
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    env = run_single(
        stereo=call, expect="yield", onset_sec=2.0, max_time_to_yield_sec=0.6, max_talk_over_sec=0.6
    )
    event = only(env)
    assert event["verdict"]["passed"] and env["exit_code"] == 0 == process_exit_code(env)
    assert event["verdict"]["seconds_to_yield"] == round(0.4 + HANGOVER_SEC, 3)
    assert event["fix"] is None and env["fix_map"] == [] and env["funnel"] is None


def test_a_slow_yield_fails_with_both_numbers_in_words(render):
    call = render("call.wav", caller=[(2.0, 5.0)], agent=[(0.2, 4.6)])
    env = run_single(
        stereo=call, expect="yield", onset_sec=2.0, max_time_to_yield_sec=1.0, max_talk_over_sec=1.0
    )
    event = only(env)
    assert event["verdict"]["reasons"] == [
        "yielded in 2.75s, slower than the 1.00s bound",
        "talked over the caller for 2.75s, more than the 1.00s bound",
    ]
    assert env["exit_code"] == 1 and env["summary"] == {
        "events": 1,
        "passed": 0,
        "failed": 1,
        "regression": True,
    }
    assert event["fix"]["fix_class"] == "config" and event["fix"]["title"].startswith("Slow yield")
    assert event["fix"]["knob"]["stack"] == "generic"
    assert event["measurements"]["decision_margin_sec"] == -1.75
    assert event["measurements"]["decision_margin_hops"] == -175


def test_an_agent_that_talks_on_missed_the_interruption(render):
    call = render("call.wav", caller=[(2.4, 4.9)], agent=[(0.2, 6.0)])
    env = run_single(stereo=call, expect="yield", onset_sec=2.4, stack="vapi")
    event = only(env)
    assert not event["verdict"]["did_yield"] and event["verdict"]["seconds_to_yield"] is None
    assert event["verdict"]["talk_over_sec"] == round(2.5 + HANGOVER_SEC, 3)
    assert event["fix"]["title"].startswith("Missed interruption")
    assert event["fix"]["knob"]["parameter"] == "stopSpeakingPlan.numWords"
    assert env["fix_map"][0] == {"event_id": "call.wav", "scenario_id": None, **event["fix"]}
    assert "resume" not in event["signals"]


@pytest.mark.parametrize(
    ("onset", "seconds", "reason"),
    [
        (2.4, 6.0, "did not yield within 3.00s of the onset"),
        (2.4, 5.4, "did not yield within 3.00s of the onset"),
        (4.87, 6.0, "did not yield before the recording ended, 1.13s after the onset"),
    ],
)
def test_a_missing_yield_says_how_long_it_was_waited_for(render, onset, seconds, reason):
    call = render("call.wav", caller=[(onset, seconds)], agent=[(0.2, seconds)], seconds=seconds)
    event = only(run_single(stereo=call, onset_sec=onset, max_time_to_yield_sec=1.0))
    assert event["verdict"]["reasons"] == [reason]
    assert event["fix"]["title"].startswith("Missed interruption")


def test_no_fix_is_pointed_at_where_none_would_mend_what_was_measured(render):
    talks_on = [(0.2, 6.0)]
    for caller, given in (
        ([(2.0, 2.15)], {}),  # both sounded for less than anybody can react to
        ([(2.0, 2.01)], {"onset_sec": None}),  # a click
        ([(2.0, 2.5), (2.6, 9.0), (0.0, 1.9)], {"onset_sec": 0.2}),  # channels that look swapped
    ):
        agent = talks_on if len(caller) == 1 else [(0.1, 4.0)]
        call = render("call.wav", caller=caller, agent=agent, seconds=9.0)
        event = only(run_single(stereo=call, **{"onset_sec": 2.0, **given}))
        assert not event["verdict"]["passed"] and event["fix"] is None
    call = render("call.wav", caller=[(2.0, 2.3), (3.5, 4.5)], agent=[(0.2, 3.4)])
    held = run_single(stereo=call, onset_sec=2.0, expect="hold")
    assert not only(held)["verdict"]["passed"] and held["fix_map"] == []
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    by_hangover = only(run_single(stereo=call, onset_sec=2.0, max_time_to_yield_sec=0.5))
    assert not by_hangover["verdict"]["passed"] and by_hangover["fix"] is None


def test_the_bounds_that_were_checked_stand_in_the_event(render):
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    bounds = {"max_time_to_yield_sec": 1.5, "max_talk_over_sec": None, "max_response_gap_sec": None}
    none = dict.fromkeys(bounds)
    assert only(run_single(stereo=call, onset_sec=2.0, max_time_to_yield_sec=1.5))["expected"] == bounds
    assert only(run_single(stereo=call, expect="hold", max_time_to_yield_sec=1.5))["expected"] == none


def test_an_agent_that_stops_for_a_backchannel_needs_more_than_a_setting(render):
    call = render("call.wav", caller=[(2.4, 2.57)], agent=[(0.2, 2.59), (4.0, 6.0)])
    event = only(run_single(stereo=call, expect="hold", onset_sec=2.4))
    assert not event["verdict"]["passed"] and event["verdict"]["seconds_to_yield"] == 0.34
    assert event["fix"]["fix_class"] == "engagement-control" and event["fix"]["knob"] is None
    pointer = event["fix"]["pointer"]
    assert not any(character.isdigit() for text in pointer.values() for character in text)


def test_an_agent_that_talks_through_a_backchannel_passes_a_hold(render):
    call = render("call.wav", caller=[(2.4, 2.6)], agent=[(0.2, 6.0)])
    event = only(run_single(stereo=call, expect="hold", onset_sec=2.4, max_talk_over_sec=0.1))
    assert event["verdict"]["passed"] and event["measurements"]["decision_margin_sec"] is None


@pytest.mark.parametrize("expect", ["yield", "hold"])
def test_a_silent_agent_has_no_floor_to_give_up_or_to_hold(render, expect):
    call = render("call.wav", caller=[(2.0, 3.0)], agent=[(4.0, 5.0)])
    env = run_single(stereo=call, expect=expect, onset_sec=2.0)
    event = only(env)
    assert event["scorable"] is False and event["not_scorable_code"] == "agent_silent_at_onset"
    assert "silent at the caller onset" in event["not_scorable_reason"]
    assert env["exit_code"] == 0 and process_exit_code(env) == 2
    assert env["summary"] == {"events": 1, "passed": 0, "failed": 0, "regression": False, "not_scorable": 1}
    assert event["fix"] is None and not event["verdict"]["passed"]


def test_a_silent_caller_without_an_onset_is_not_scorable(render):
    event = only(run_single(stereo=render("call.wav", caller=[], agent=[(0.2, 3.0)])))
    assert event["not_scorable_code"] == "no_caller_speech"
    assert event["measurements"]["caller_onset_sec"] is None and "edges" in event
    assert event["expected_yield_explicit"] is False


def test_the_same_channel_twice_is_not_scorable(tmp_path):
    one = np.sign(np.sin(np.arange(48_000))) * 0.2
    soundfile.write(tmp_path / "twice.wav", np.stack([one, one], axis=1), 16_000, subtype="PCM_16")
    event = only(run_single(stereo=tmp_path / "twice.wav", onset_sec=1.0))
    assert event["not_scorable_code"] == "identical_channels"


def test_an_echoed_agent_is_held_back_only_when_the_gate_is_asked_for(tmp_path):
    rate, rng = 8_000, np.random.default_rng(5)
    envelope = np.repeat(rng.uniform(0.02, 0.5, 20), rate // 10)
    agent = np.zeros(rate * 5)
    agent[800 : 800 + len(envelope)] = envelope * rng.choice([-1, 1], len(envelope))
    echo = np.concatenate([np.zeros(960), agent[:-960]]) * 0.3
    soundfile.write(tmp_path / "echo.wav", np.stack([echo, agent], axis=1), rate, subtype="PCM_16")
    given = {"stereo": tmp_path / "echo.wav", "detector": "reference"}
    plain = only(run_single(**given))
    assert plain["signals"]["echo"]["echo_suspected"] and plain["signals"]["echo"]["lag_sec"] == 0.12
    assert plain["verdict"]["passed"] and "echo_present" in plain["verdict"]["doubts"]
    gated = only(run_single(**given, echo_gate=True))
    assert gated["not_scorable_code"] == "echo_suspected" and not gated["verdict"]["passed"]
    assert gated["signals"] == plain["signals"]


@pytest.mark.parametrize(("noise_db", "gated"), [(30.0, False), (26.0, False), (20.0, True), (15.0, True)])
def test_the_snr_gate_stands_where_it_was_set(render, noise_db, gated):
    noise = 0.3 * 10 ** (-noise_db / 20) * 3**0.5  # uniform noise: rms = peak / sqrt(3)
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.4, 2.4)], noise=noise)
    event = only(run_single(stereo=call, onset_sec=2.0, snr_gate_db=22.0))
    estimate = event["snr_estimate"]
    assert estimate["caller_db"] == pytest.approx(noise_db, abs=1.5)
    assert estimate["agent_db"] == pytest.approx(noise_db, abs=1.5)
    assert (event.get("not_scorable_code") == "low-snr") == gated
    assert "snr_estimate" not in only(run_single(stereo=call, onset_sec=2.0))


def test_the_stack_picks_the_channels_and_flags_override_it(render):
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)], swapped=True)
    by_stack = only(run_single(stereo=call, stack=" LiveKit ", onset_sec=2.0))
    assert by_stack["activity"]["caller"]["channel"] == 1 and by_stack["activity"]["source"] == "stack"
    by_flag = only(run_single(stereo=call, caller_channel=1, onset_sec=2.0, confirm_channels=True))
    assert by_flag["activity"]["source"] == "flags" and by_flag["activity"]["confirmed"]
    assert by_stack["verdict"] == by_flag["verdict"]
    forced = only(run_single(stereo=call, stack="livekit", caller_channel=0, agent_channel=1, onset_sec=2.0))
    assert forced["activity"]["caller"]["channel"] == 0


def test_a_pair_of_files_measures_like_the_two_channels(render, tmp_path):
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.5, 2.4)])
    both, rate = soundfile.read(call, dtype="int16")
    soundfile.write(tmp_path / "caller.wav", both[:, 0], rate, subtype="PCM_16")
    soundfile.write(tmp_path / "agent.wav", both[rate // 2 :, 1], rate, subtype="PCM_16")
    pair = run_single(
        caller=tmp_path / "caller.wav", agent=tmp_path / "agent.wav", agent_start_sec=0.5, onset_sec=2.0
    )
    single = run_single(stereo=call, onset_sec=2.0)
    assert only(pair)["signals"] == only(single)["signals"]
    sides = only(pair)["audio_provenance"]["sides"]
    assert [(side["role"], side["path"]) for side in sides] == [
        ("caller", "caller.wav"),
        ("agent", "agent.wav"),
    ]
    assert only(pair)["audio_provenance"]["sha256"] not in {side["sha256"] for side in sides}


def test_the_envelope_is_the_same_in_another_folder(render, tmp_path):
    call = render("here/call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    (tmp_path / "there").mkdir()
    shutil.copy(call, tmp_path / "there" / "call.wav")
    here, there = (
        json.dumps(run_single(stereo=tmp_path / place / "call.wav")) for place in ("here", "there")
    )
    assert here == there and str(tmp_path) not in here


def test_a_bound_within_one_hop_is_boundary_sensitive(render):
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    for bound, hops in ((0.54, -1), (0.55, 0), (0.56, 1), (0.58, 3)):
        measured = only(run_single(stereo=call, onset_sec=2.0, max_time_to_yield_sec=bound))["measurements"]
        assert measured["decision_margin_hops"] == hops
        assert measured["boundary_sensitive"] == (abs(hops) <= 1)


def test_a_bound_that_only_the_hangover_exceeds_is_named(render):
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    event = only(run_single(stereo=call, onset_sec=2.0, max_time_to_yield_sec=0.5))
    assert not event["verdict"]["passed"] and "hangover_decides" in event["verdict"]["doubts"]
    assert not event["measurements"]["interval_crosses_bound"]
    event = only(run_single(stereo=call, onset_sec=2.0, max_time_to_yield_sec=0.4))
    assert event["measurements"]["interval_crosses_bound"]


def test_without_hangover_the_yield_is_the_true_one(render):
    bare = VADParams(hangover_sec=0.0)
    cfg = ScoreConfig(caller_vad=bare, agent_vad=bare)
    call = render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    assert only(run_single(stereo=call, onset_sec=2.0, cfg=cfg))["verdict"]["seconds_to_yield"] == 0.4


@pytest.mark.parametrize(
    ("onset", "code"),
    [
        (99.0, "onset_outside_recording"),
        (6.0, "onset_outside_recording"),
        (5.9, "onset_too_late"),
        (5.81, "onset_too_late"),
        (5.8, "recording_ended"),
        (3.01, "recording_ended"),
        (3.0, None),
    ],
)
def test_an_onset_without_room_for_a_yield_behind_it_is_not_scorable(render, onset, code):
    call = render("call.wav", caller=[(2.0, 6.0)], agent=[(0.2, 6.0)])
    env = run_single(stereo=call, onset_sec=onset)
    event = only(env)
    assert event.get("not_scorable_code") == code
    assert process_exit_code(env) == (1 if code is None else 2)
    assert code is None or "--onset" in event["not_scorable_next_step"]
    assert ("behind the end" in event["measurements"]["notes"]) == (onset >= 6.0)


def short_calls():
    """(caller, agent, seconds, label, code or None) with the onset at 2.0 s: what the end may hide."""
    to_the_end = [(0.2, 9.0)]
    yield [(2.0, 9.0)], to_the_end, 2.4, {"expect": "hold"}, "recording_ended"
    yield [(2.0, 9.0)], to_the_end, 4.99, {"expect": "hold"}, "recording_ended"
    yield [(2.0, 9.0)], to_the_end, 5.0, {"expect": "hold"}, None  # the search window is over
    yield [(2.0, 2.3)], to_the_end, 2.9, {"expect": "hold"}, "recording_ended"
    yield [(2.0, 2.3)], to_the_end, 3.1, {"expect": "hold"}, None  # no stop could answer that sound any more
    yield [(2.0, 9.0)], to_the_end, 2.4, {}, "recording_ended"
    yield [(2.0, 2.3)], to_the_end, 3.1, {}, None
    yield [(2.0, 9.0)], to_the_end, 3.4, {"max_time_to_yield_sec": 1.5}, "recording_ended"
    yield [(2.0, 9.0)], to_the_end, 3.4, {"max_time_to_yield_sec": 1.2}, None  # slower than the bound anyhow
    yield [(2.0, 9.0)], to_the_end, 3.4, {"max_talk_over_sec": 1.2}, None
    yield [(2.0, 9.0)], to_the_end, 3.4, {"max_talk_over_sec": 1.5}, "recording_ended"
    yield [(2.0, 9.0)], [(0.2, 2.5)], 3.0, {}, None  # a yield inside is one
    yield [(2.0, 9.0)], [(0.2, 2.5)], 3.0, {"expect": "hold"}, None
    yield (
        [(2.0, 9.0)],
        [(0.2, 2.5)],
        2.65,
        {"expect": "hold"},
        "recording_ended",
    )  # fell quiet, too late to tell
    yield (
        [(2.0, 9.0)],
        [(0.2, 3.3)],
        3.5,
        {"max_time_to_yield_sec": 1.2},
        None,
    )  # quiet too late for the bound


@pytest.mark.parametrize("profile", ["documented", "calibrated"])
@pytest.mark.parametrize(("caller", "agent", "seconds", "label", "code"), list(short_calls()))
def test_a_recording_that_ends_before_the_label_is_decided_is_not_scorable(
    render, profile, caller, agent, seconds, label, code
):
    cut = [[(a, min(b, seconds)) for a, b in side] for side in (caller, agent)]
    call = render("call.wav", caller=cut[0], agent=cut[1], seconds=seconds)
    env = run_single(stereo=call, onset_sec=2.0, profile=profile, **label)
    assert only(env).get("not_scorable_code") == code
    assert code is None or process_exit_code(env) == 2


@pytest.mark.parametrize("expect", ["yield", "hold"])
@pytest.mark.parametrize("onset", [None, 2.0])
def test_a_caller_channel_without_any_sound_carries_no_label(render, expect, onset):
    call = render("call.wav", caller=[], agent=[(0.2, 5.5)])
    env = run_single(stereo=call, expect=expect, onset_sec=onset)
    assert only(env)["not_scorable_code"] == "no_caller_speech" and process_exit_code(env) == 2


def test_channels_that_keep_no_common_clock_or_hold_both_parties_carry_no_label(tmp_path):
    rate = 8_000
    words = [(0.2 + 0.7 * n, 0.7 + 0.7 * n) for n in range(40)]
    rng = np.random.default_rng(11)
    sides = []
    for stretches in (words[1::3], words[0::2]):
        side = np.zeros(rate * 30)
        for first, stop in stretches:
            level = np.repeat(rng.uniform(0.05, 0.5, 10), round((stop - first) * rate / 10))
            at = round(first * rate)
            side[at : at + len(level)] = level * rng.choice([-1.0, 1.0], len(level))
        sides.append(side)
    caller, agent = sides
    early = np.concatenate([agent[round(0.2 * rate) :], np.zeros(round(0.2 * rate))])
    calls = {
        "channel_offset": [caller + 0.1 * early, agent],
        "both_parties_on_both_channels": [caller + 0.4 * agent, agent + 0.4 * caller],
        None: [caller, agent],
    }
    for code, channels in calls.items():
        soundfile.write(tmp_path / "call.wav", 0.6 * np.stack(channels, axis=1), rate, subtype="PCM_16")
        for expect in ("yield", "hold"):
            env = run_single(
                stereo=tmp_path / "call.wav",
                onset_sec=9.0,
                expect=expect,
                caller_channel=0,
                detector="reference",
            )
            assert only(env).get("not_scorable_code") == code
            assert code is None or process_exit_code(env) == 2


def test_a_detected_onset_at_the_very_end_is_not_scorable(render):
    call = render("call.wav", caller=[(5.9, 6.0)], agent=[(0.2, 6.0)])
    event = only(run_single(stereo=call, expect="hold"))
    assert event["not_scorable_code"] == "onset_too_late" and event["fix"] is None


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"caller": "a.wav"},
        {"stereo": "a.wav", "caller": "b.wav", "agent": "c.wav"},
        {"stereo": "a.wav", "agent_start_sec": 1.0},
        {"stereo": "a.wav", "expect": "maybe"},
        {"stereo": "a.wav", "stack": "nobody"},
        {"stereo": "a.wav", "backend": "magic"},
        {"stereo": "a.wav", "onset_sec": -1.0},
        {"stereo": "a.wav", "onset_sec": float("nan")},
        {"stereo": "a.wav", "max_talk_over_sec": float("inf")},
        {"stereo": "a.wav", "snr_gate_db": float("nan")},
        {"stereo": "a.wav", "caller_channel": 1, "agent_channel": 1},
    ],
)
def test_a_call_that_cannot_work_is_refused_before_anything_is_read(bad):
    with pytest.raises(Refusal) as refused:
        run_single(**bad)
    assert refused.value.code == "usage_error" and refused.value.remedy
    assert isinstance(refused.value, ValueError)
