"""The report: the published keys and figures, the three refusals, and what leaves it unchanged."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotato.canonical import to_json
from hotato.errors import UsageError
from hotato.listen import attend, attend_pair, hear, tell_apart
from hotato.stacks import ChannelMap, channel_map
from hotato.trust import examine, suspected_swap, trust_json

PUBLISHED = (
    "tool kind schema_version source note "
    "recording channels crosstalk_risk scorability warnings "
    "scorable candidate_eligible verdict_eligible verdict_ineligible_reason crosstalk_verdict_refused "
    "channel_mapping_caveat verdict_mode channel_map_confirmed recommendation input_health "
    "not_scorable_reason next_step exit_code findings"
)


def differences(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    found = []
    for key, value in expected.items():
        if isinstance(value, dict):
            found += [f"{key}.{rest}" for rest in differences(value, got[key])]
        elif got[key] != value:
            found.append(f"{key}: {value} became {got[key]}")
    return found


def test_the_real_clips_give_the_documented_figures(shared_data):
    clips = json.loads((shared_data / "expected-1.18.json").read_text())["clips"]
    assert len(clips) == 13
    for name, clip in clips.items():
        expected = dict(clip["trust"])
        exit_code = expected.pop("exit")
        report = examine(tell_apart(hear(shared_data / name), ChannelMap(0, 1)))
        assert differences(expected, trust_json(report)) == [], name
        assert report.exit_code == exit_code


def test_the_real_clips_raise_only_what_is_true_of_them(shared_data):
    raised = {}
    for path in sorted(shared_data.glob("*/*.wav")):
        codes = [finding.code for finding in examine(tell_apart(hear(path), ChannelMap(0, 1))).findings]
        if codes:
            raised[path.stem] = codes
    # One has a caller who talks longer than the agent, the other a caller who peaks at -38 dBFS.
    assert raised == {"ami-es2002a-take-0677": ["possible_swap"], "ami-es2002a-bc-0526": ["low_headroom"]}


def test_the_json_has_the_published_keys_in_their_order(studio):
    built = trust_json(studio.look(studio.call()))
    assert " ".join(built) == PUBLISHED
    assert list(built["recording"]) == [
        "sample_rate",
        "duration_sec",
        "channels",
        "clipping",
        "leading_silence_sec",
    ]
    assert list(built["recording"]["clipping"]) == ["caller", "agent"]
    assert list(built["channels"]) == ["caller", "agent", "possible_swap", "swap_reason"]
    assert (built["tool"], built["kind"], built["source"]) == ("hotato", "input-health", "call.wav")


def test_times_and_levels_are_those_of_the_render(studio):
    report = studio.look(studio.call(floor_dbfs=None))
    assert report.recording.duration_sec == 40.0
    assert report.recording.leading_silence_sec == pytest.approx(0.3, abs=0.02)
    assert report.channels.caller.first_speech_sec == pytest.approx(2.0, abs=0.02)
    assert report.recording.clipping["caller"].peak == round(
        float(np.abs(studio.call(floor_dbfs=None)[:, 0]).max()), 4
    )


def test_a_mono_recording_is_reported_and_not_scorable(studio):
    report = studio.look(studio.call().sum(axis=1))
    assert (report.exit_code, report.scorable, report.input_health) == (2, False, "not_scorable")
    assert not report.scorability.separated_tracks
    assert report.channels.caller is None and list(report.recording.clipping) == ["mixed"]
    assert "single channel" in report.not_scorable_reason and report.next_step
    assert report.recommendation == f"NOT SCORABLE: {report.not_scorable_reason}"


def test_a_mono_recording_still_names_what_else_is_wrong(studio):
    assert studio.codes(studio.look(studio.call().sum(axis=1) + 0.02)) == ["dc_offset"]


def test_one_mix_on_two_channels_is_not_separated(studio):
    mix = studio.call().sum(axis=1)
    report = studio.look(np.stack([mix, mix], axis=1))
    assert (report.exit_code, report.scorability.separated_tracks) == (2, False)
    assert not report.verdict_eligible and not report.candidate_eligible


@pytest.mark.parametrize(("silent", "role"), [(0, "caller"), (1, "agent")])
def test_a_silent_party_is_named_and_refused(studio, silent, role):
    samples = studio.call(floor_dbfs=None)
    samples[:, silent] = 0.0
    report = studio.look(samples)
    assert report.exit_code == 2 and report.scorability.separated_tracks
    assert report.not_scorable_reason == f"the {role}'s channel ({silent}) holds no sound"
    assert report.channels.possible_swap is (role == "agent")
    assert report.recording.clipping[role].peak_dbfs == -120.0


def test_a_click_is_not_enough_of_a_party(studio):
    samples = studio.call(floor_dbfs=None)
    samples[:, 0] = 0.0
    samples[5 * studio.rate : 5 * studio.rate + 80, 0] = 0.3
    report = studio.look(samples)
    assert report.channels.caller.has_speech and not report.channels.caller.enough_activity
    assert report.exit_code == 2


def test_channel_numbers_given_by_hand_confirm_the_map(studio):
    report = studio.look(studio.call()[:, ::-1], channel_map(caller=0, agent=1))
    assert report.channel_map_confirmed and report.verdict_eligible


def test_a_swap_can_be_asked_for_alone(studio):
    swapped, straight = (
        attend(studio.heard(samples), ChannelMap(0, 1)) for samples in (studio.call()[:, ::-1], studio.call())
    )
    assert suspected_swap(straight) is None
    assert suspected_swap(swapped) == next(f for f in examine(swapped).findings if f.code == "possible_swap")


def test_no_next_step_names_an_option_that_does_not_exist(studio):
    mono = studio.look(studio.call().sum(axis=1))
    assert "--" not in (mono.next_step or "--")


@pytest.mark.parametrize(("short", "role"), [(0, "caller"), (1, "agent")])
def test_a_file_that_ends_before_the_other_partys_is_named(studio, short, role):
    samples = studio.call(floor_dbfs=None)
    for missing_sec, named in ((8.0, True), (0.9, False)):
        files = [samples[:, 0], samples[:, 1]]
        files[short] = files[short][: -round(missing_sec * studio.rate)]
        report = examine(attend_pair(*(studio.heard(file) for file in files)))
        ends = [finding for finding in report.findings if finding.code == "channel_ends_early"]
        assert len(ends) == int(named)
        if named:
            assert ends[0].sentence.startswith(f"the {role}'s file ends at 32.00 s, 8.00 s before")
            assert (ends[0].evidence["at_sec"], ends[0].evidence["missing_sec"]) == (32.0, 8.0)


def test_the_mode_is_echoed_and_an_unknown_one_is_refused(studio):
    report = studio.look(studio.call()[:, ::-1], mode="contract")
    assert report.verdict_mode == "contract" and "not confirmed" in report.verdict_ineligible_reason
    assert report.verdict_ineligible_reason == studio.look(studio.call()[:, ::-1]).verdict_ineligible_reason
    with pytest.raises(UsageError):
        studio.look(studio.call(), mode="other")


def test_naming_the_channels_the_other_way_round_swaps_the_report(studio):
    samples = studio.call()
    samples[:, 0] += 0.1 * studio.delayed(samples[:, 1], 0.12)
    straight = studio.look(samples, detector="reference")
    swapped = studio.look(samples, ChannelMap(1, 0), detector="reference")
    assert swapped.channels.caller == straight.channels.agent
    assert swapped.channels.agent == straight.channels.caller
    assert swapped.recording.clipping["caller"] == straight.recording.clipping["agent"]
    assert (straight.crosstalk_risk.leakage_direction, swapped.crosstalk_risk.leakage_direction) == (
        "agent->caller",
        "caller->agent",
    )
    assert straight.crosstalk_risk.leakage_db == swapped.crosstalk_risk.leakage_db


def test_two_files_on_one_clock_are_examined_like_one(studio):
    samples = studio.call()
    joint = examine(attend(studio.heard(samples), ChannelMap(0, 1)))
    apart = examine(attend_pair(studio.heard(samples[:, 0]), studio.heard(samples[:, 1])))
    assert apart.recording == joint.recording
    assert apart.channels.caller == joint.channels.caller
    assert apart.channels.agent.active_sec == joint.channels.agent.active_sec
    assert apart.channel_map_confirmed and not joint.channel_map_confirmed


def test_two_runs_give_equal_bytes(studio):
    samples = 0.3 * studio.call()[:, ::-1] + 0.01
    assert to_json(trust_json(studio.look(samples))) == to_json(trust_json(studio.look(samples)))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(1, 50), halvings=st.integers(1, 2))
def test_scaling_a_call_by_a_power_of_two_changes_only_its_levels(studio, seed, halvings):
    # Samples that are multiples of four stay exact, and a floor of digital silence scales with the rest.
    samples = np.rint(studio.call(seed, None) * 2**13) / 2**13
    loud, soft = studio.look(samples), studio.look(samples / 2**halvings)
    for party in ("caller", "agent"):
        change = soft.recording.clipping[party].peak_dbfs - loud.recording.clipping[party].peak_dbfs
        assert change == pytest.approx(-6.0206 * halvings, abs=0.11)
        before, after = getattr(loud.channels, party), getattr(soft.channels, party)
        # The gate is absolute, so the quietest syllable edges may fall below it, and nothing rises above it.
        assert 0.0 <= before.active_sec - after.active_sec <= 0.03 * before.active_sec
    assert soft.crosstalk_risk == loud.crosstalk_risk
    assert studio.codes(soft) == studio.codes(loud) == []


def test_a_truncated_recording_asks_for_caution(studio):
    call = studio.heard(studio.call())
    assert examine(tell_apart(call, ChannelMap(0, 1))).input_health == "clean"
    whole = studio.file.read_bytes()
    studio.file.write_bytes(whole[: len(whole) // 2])
    report = examine(tell_apart(hear(studio.file), ChannelMap(0, 1)))
    assert "truncated" in studio.codes(report)
    assert report.input_health == "caution" and report.scorable and report.exit_code == 0
    assert report.recommendation.startswith("scan with caution: the header states")


def test_noise_and_the_answer_of_the_robust_detector_are_one_story(studio):
    calm = studio.call(floor_dbfs=None)
    noisy = calm + np.stack([studio.white(k, len(calm), -38.0) for k in (5, 6)], axis=1)
    sentences = [f.sentence for f in studio.look(noisy).findings if f.evidence.get("channel") == 0]
    blamed, answered = sentences
    assert "too close for the documented detector" in blamed
    assert "therefore heard by the robust detector instead; that answer holds" in answered
    (kept,) = [f.sentence for f in studio.look(noisy, detector="reference").findings if f.code == "low_snr"][
        :1
    ]
    assert kept == blamed
