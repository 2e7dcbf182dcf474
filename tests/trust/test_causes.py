"""Each cause is found in an input made for it, with its times and decibels; the clean call raises nothing."""

from __future__ import annotations

import numpy as np
import pytest

from hotato.acoustics import noise as beds
from hotato.listen import attend_pair, hear, tell_apart
from hotato.stacks import ChannelMap
from hotato.trust import examine

AGENT_SPEAKS = (14.0, 19.5)


@pytest.mark.parametrize("floor_dbfs", [-75.0, None])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_healthy_call_raises_nothing(studio, seed, floor_dbfs):
    report = studio.look(studio.call(seed, floor_dbfs))
    assert studio.codes(report) == []
    assert (report.input_health, report.recommendation, report.exit_code) == ("clean", "eligible for scan", 0)
    assert report.scorable and report.candidate_eligible and report.verdict_eligible
    assert report.warnings == () and report.channel_mapping_caveat is None


def test_a_delayed_copy_of_the_agent_on_the_caller_is_leakage_at_its_level_and_delay(studio):
    samples = studio.call()
    samples[:, 0] += 10.0 ** (-18.0 / 20.0) * studio.delayed(samples[:, 1], 0.12)
    report = studio.look(samples)
    assert report.crosstalk_risk.leakage_db == pytest.approx(-18.0, abs=0.3)
    assert report.crosstalk_risk.leakage_lag_sec == 0.12
    assert report.crosstalk_risk.leakage_direction == "agent->caller"
    assert report.crosstalk_risk.leakage_flagged
    assert report.scorable and not report.verdict_eligible and report.crosstalk_verdict_refused
    assert report.recommendation.startswith("scan with caution: ")


def test_a_copy_of_the_caller_on_the_agent_names_that_direction(studio):
    samples = studio.call()
    samples[:, 1] += 10.0 ** (-18.0 / 20.0) * studio.delayed(samples[:, 0], 0.05)
    assert studio.look(samples).crosstalk_risk.leakage_direction == "caller->agent"


@pytest.mark.parametrize("floor_dbfs", [None, -75.0])
@pytest.mark.parametrize("level_db", [-25.0, -32.0])
def test_a_leak_is_named_onto_either_channel_where_both_leak(studio, level_db, floor_dbfs):
    samples, gain = studio.call(2, floor_dbfs), 10.0 ** (level_db / 20.0)
    leaking = samples + gain * np.stack([studio.delayed(samples[:, side], 0.02) for side in (1, 0)], axis=1)
    report = studio.look(leaking)
    found = {
        f.evidence["direction"]: f.evidence["leakage_db"] for f in report.findings if f.code == "leakage"
    }
    assert found == {way: pytest.approx(level_db, abs=0.6) for way in ("agent->caller", "caller->agent")}


def test_a_copy_far_below_the_limit_and_the_threshold_is_reported_and_not_flagged(studio):
    samples = studio.call(floor_dbfs=None)
    samples[:, 0] += 10.0 ** (-46.0 / 20.0) * studio.delayed(samples[:, 1], 0.12)
    risk = studio.look(samples).crosstalk_risk
    assert risk.leakage_db == pytest.approx(-46.0, abs=0.6)
    assert not risk.leakage_flagged


def test_an_echo_that_fills_the_caller_channel_is_crosstalk(studio):
    samples = studio.call()
    samples[:, 0] = 0.3 * studio.delayed(samples[:, 1], 0.12)
    assert "crosstalk" in studio.codes(studio.look(samples))


def test_two_mixes_of_both_voices_are_not_two_parties(studio):
    caller, agent = studio.call().T
    report = studio.look(np.stack([caller + 0.4 * agent, agent + 0.4 * caller], axis=1))
    evidence = studio.evidence(report, "both_parties_on_both_channels")
    assert evidence["agent_on_caller_db"] == pytest.approx(20 * np.log10(0.4), abs=0.3)
    assert evidence["caller_on_agent_db"] == pytest.approx(20 * np.log10(0.4), abs=0.3)
    assert not report.verdict_eligible


@pytest.mark.parametrize(
    ("gain", "dither", "said"),
    [
        (0.9, 0.0, "the same sound (0.9 dB apart)"),
        (-1.0, 0.0, "the same sound,"),  # inverted
        (1.0, 2.0**-15, "the same sound,"),  # what a lossy codec leaves: all but the last bit
        (0.56, 1e-4, "the same sound (5.0 dB apart)"),
        (1.0, 0.0, "the same samples"),
    ],
)
def test_one_signal_on_both_channels_is_no_call_of_two_parties(studio, gain, dither, said):
    mix = 0.7 * studio.call().sum(axis=1)
    copy = gain * mix + dither * np.random.default_rng(7).uniform(-1.0, 1.0, len(mix))
    report = studio.look(np.stack([mix, copy], axis=1))
    assert (report.scorable, report.exit_code, report.findings) == (False, 2, ())
    assert f"carry {said}" in report.not_scorable_reason and not report.scorability.separated_tracks


@pytest.mark.parametrize("bleed", [0.05, 0.4, 0.9])
@pytest.mark.parametrize("delay_sec", [0.0, 0.15])
def test_bleed_both_ways_leaves_two_parties(studio, bleed, delay_sec):
    caller, agent = studio.call().T
    onto = [studio.delayed(side, delay_sec) * bleed for side in (agent, caller)]
    report = studio.look(np.stack([caller + onto[0], agent + onto[1]], axis=1) * 0.5)
    assert report.scorability.separated_tracks


def test_an_echo_of_the_agent_alone_is_named_instead_of_a_silent_caller(studio):
    agent = studio.call()[:, 1]
    report = studio.look(np.stack([0.3 * studio.delayed(agent, 0.15), agent], axis=1))
    assert report.not_scorable_reason.startswith(
        "nothing but the agent's echo sounds on the caller's channel"
    )
    assert report.scorability.separated_tracks and not report.scorability.enough_caller_activity


def test_two_silent_channels_hold_no_sound_rather_than_one_twice(studio):
    report = studio.look(np.zeros((32_000, 2)))
    assert report.not_scorable_reason == "neither channel holds any sound"


def test_confirming_the_map_does_not_make_a_mix_readable(studio):
    caller, agent = studio.call().T
    report = studio.look(np.stack([caller + 0.4 * agent, agent + 0.4 * caller], axis=1), confirmed=True)
    assert not report.verdict_eligible
    assert report.verdict_ineligible_reason.startswith("both_parties_on_both_channels")


def test_a_copy_that_comes_before_its_source_is_a_constant_offset(studio):
    samples = studio.call()
    samples[:, 0] += 0.2 * studio.delayed(samples[:, 1], -0.2)
    evidence = studio.evidence(studio.look(samples), "channel_offset")
    assert evidence["kind"] == "constant"
    assert {lag for _, lag in evidence["lags"]} == {-0.2}


def test_a_delay_that_jumps_is_a_step(studio):
    samples = studio.call()
    half = len(samples) // 2
    echo = 0.2 * samples[:, 1]
    samples[:half, 0] += studio.delayed(echo, 0.1)[:half]
    samples[half:, 0] += studio.delayed(echo, 0.3)[half:]
    evidence = studio.evidence(studio.look(samples), "channel_offset")
    assert evidence["kind"] == "step"
    assert evidence["lags"][0][1] == 0.1 and evidence["lags"][-1][1] == 0.3


def test_a_delay_that_grows_is_a_drift(studio):
    samples = studio.call()
    index = np.arange(len(samples))
    late = index - (0.05 + 0.25 * index / len(samples)) * studio.rate
    samples[:, 0] += 0.2 * np.interp(late, index, samples[:, 1], left=0.0)
    assert studio.evidence(studio.look(samples), "channel_offset")["kind"] == "drift"


def test_a_steady_echo_is_no_offset(studio):
    samples = studio.call()
    samples[:, 0] += 0.2 * studio.delayed(samples[:, 1], 0.15)
    assert "channel_offset" not in studio.codes(studio.look(samples))


def test_a_caller_who_talks_far_longer_may_be_the_agent(studio):
    report = studio.look(studio.call()[:, ::-1])
    assert report.channels.possible_swap and report.channels.swap_reason in report.warnings
    assert report.scorable and not report.verdict_eligible and not report.crosstalk_verdict_refused
    assert report.channel_mapping_caveat is not None


def test_a_confirmed_map_restores_the_verdict_and_keeps_the_caveat(studio):
    report = studio.look(studio.call()[:, ::-1], confirmed=True)
    assert report.verdict_eligible and report.channel_map_confirmed
    assert report.channel_mapping_caveat is not None and report.channels.possible_swap


def test_zeros_inside_speech_are_drop_outs_with_their_times(studio):
    samples = studio.call()
    wanted = [[15.0, 15.06], [17.5, 17.58]]
    for start, end in wanted:
        samples[round(start * studio.rate) : round(end * studio.rate), 1] = 0.0
    evidence = studio.evidence(studio.look(samples), "drop_outs")
    assert evidence["spans_sec"] == wanted and evidence["channel"] == 1


def test_zeros_between_utterances_of_a_gated_channel_are_no_drop_outs(studio):
    samples = studio.call(floor_dbfs=None)
    samples[round(15.0 * studio.rate) : round(15.06 * studio.rate), 1] = 0.0
    assert studio.codes(studio.look(samples)) == []


def test_a_channel_that_falls_to_zeros_while_the_call_goes_on_ends_early(studio):
    samples = studio.call()
    samples[round(25.0 * studio.rate) :, 0] = 0.0
    evidence = studio.evidence(studio.look(samples), "channel_ends_early")
    assert evidence == {"channel": 0, "party": "caller", "at_sec": 25.0, "missing_sec": 15.0}


def test_both_channels_ending_together_is_the_end_of_the_call(studio):
    samples = studio.call()
    samples[round(30.5 * studio.rate) :] = 0.0
    assert "channel_ends_early" not in studio.codes(studio.look(samples))


@pytest.mark.parametrize("block_sec", [0.02, 0.06, 0.2])
def test_a_block_played_twice_is_found_where_it_repeats(studio, block_sec):
    samples = studio.call()
    at, size = round(16.003 * studio.rate), round(block_sec * studio.rate)
    agent = samples[:, 1]
    samples[:, 1] = np.concatenate([agent[:at], agent[at - size : at], agent[at:]])[: len(agent)]
    (span,) = studio.evidence(studio.look(samples), "repeated_blocks")["spans_sec"]
    assert 16.003 - block_sec - 0.01 <= span[0] <= 16.003 <= span[1] <= 16.003 + block_sec + 0.01


def test_a_dial_tone_repeats_and_is_no_repeated_block(studio):
    samples = studio.call()
    time = np.arange(len(samples)) / studio.rate
    tone = 0.1 * np.sin(2 * np.pi * 425.0 * time)
    samples[:, 0] += np.where((time >= 5.0) & (time < 9.0), tone, 0.0)
    assert "repeated_blocks" not in studio.codes(studio.look(np.rint(samples * 2**9) / 2**9))


def test_a_lasting_change_of_gain_is_a_level_step(studio):
    samples = np.concatenate([studio.call(4), 0.2 * studio.call(5)])
    report = studio.look(samples)
    evidence = studio.evidence(report, "level_step")
    assert evidence["step_db"] == pytest.approx(20 * np.log10(0.2), abs=3.0)
    assert 38.0 <= evidence["at_sec"] <= 43.0


def test_speech_at_half_its_rate_is_called_slow(studio):
    samples = np.concatenate([studio.call(6), studio.call(7)])
    report = studio.look(samples, rate=studio.rate // 2)
    assert studio.evidence(report, "rate_mislabelled")["declared_rate_hz"] == studio.rate // 2


def test_an_offset_is_removed_and_stated_and_changes_no_time(studio):
    samples = studio.call()
    clean, shifted = studio.look(samples), studio.look(samples + 0.02)
    assert studio.codes(shifted) == ["dc_offset", "dc_offset"]
    assert studio.evidence(shifted, "dc_offset")["mean"] == pytest.approx(0.02, abs=1e-3)
    assert shifted.channels == clean.channels
    assert shifted.crosstalk_risk.coherence == pytest.approx(clean.crosstalk_risk.coherence, abs=0.01)
    assert (shifted.input_health, shifted.verdict_eligible) == ("clean", True)


def test_a_hot_capture_is_clipped_and_still_scorable(studio):
    report = studio.look(6.0 * studio.call())
    assert studio.codes(report) == ["clipping", "clipping"]
    assert report.recording.clipping["agent"].clipped
    assert report.verdict_eligible and report.exit_code == 0


def test_a_recording_that_peaks_low_is_quiet_and_still_scorable(studio):
    report = studio.look(0.03 * studio.call(floor_dbfs=None))
    assert {"low_level", "low_headroom", "robust_detector"} == set(studio.codes(report))
    assert report.scorable and report.input_health == "caution"


def test_hum_noise_and_a_change_of_noise_are_named(studio):
    clean = studio.call(8)
    time = np.arange(len(clean)) / studio.rate
    loud = np.stack(
        [np.zeros(len(clean)), np.sqrt(2) * 10 ** (-40 / 20) * np.sin(2 * np.pi * 50 * time)], axis=1
    )
    assert studio.evidence(studio.look(clean + loud), "hum")["frequency_hz"] == 50.0
    noise = np.stack([studio.white(k, len(clean), -34.0) for k in (5, 6)], axis=1)
    assert studio.codes(studio.look(clean + noise)) == ["low_snr", "robust_detector"] * 2
    late = noise * (time >= 21.0)[:, None]
    evidence = studio.evidence(studio.look(clean + late), "noise_step")
    assert evidence["at_sec"] == pytest.approx(21.0, abs=1.0)
    assert evidence["step_db"] == pytest.approx(75.0 - 34.0, abs=1.5)


def test_every_finding_has_a_sentence_numbers_and_a_remedy(studio):
    samples = 6.0 * studio.call()[:, ::-1] + 0.02
    samples[:, 0] += 0.3 * studio.delayed(samples[:, 1], 0.1)
    report = studio.look(samples)
    assert len(report.findings) >= 4
    for finding in report.findings:
        assert finding.sentence[0].islower() and (finding.remedy or finding.code == "robust_detector")
        assert finding.evidence
    worrying = [finding for finding in report.findings if finding.remedy]
    assert report.warnings == tuple(finding.sentence for finding in worrying)


def test_the_shorter_of_two_files_ends_early(studio):
    caller, agent = studio.call().T
    heard = attend_pair(studio.heard(caller[: 25 * studio.rate]), studio.heard(agent))
    evidence = studio.evidence(examine(heard), "channel_ends_early")
    assert evidence == {"channel": 0, "party": "caller", "at_sec": 25.0, "missing_sec": 15.0}


def test_noise_on_both_channels_is_not_crosstalk(studio):
    samples = studio.call()
    noise = np.stack([studio.white(k, len(samples), -34.0) for k in (5, 6)], axis=1)
    report = studio.look(samples + noise)
    assert report.crosstalk_risk.suspected and "crosstalk" not in studio.codes(report)


@pytest.mark.parametrize("count", [1, 100, 900])
def test_a_recording_of_next_to_nothing_is_reported(studio, count):
    report = studio.look(np.zeros((count, 2)))
    assert report.exit_code == 2 and report.findings == ()


def test_what_the_file_itself_says_comes_first(studio, tmp_path):
    studio.heard(studio.call())
    path = tmp_path / "cut.wav"
    path.write_bytes(studio.file.read_bytes()[:-32000])
    report = examine(tell_apart(hear(path), ChannelMap(0, 1)))
    assert studio.codes(report) == ["truncated"]
    assert report.warnings == tuple(finding.sentence for finding in report.findings if finding.remedy)


def test_music_is_named_with_its_place_and_changes_no_scorability(studio):
    clean = studio.call()
    song = beds.at_level(beds.music(16 * studio.rate, studio.rate), -26.0) / 32768.0
    played = clean.copy()
    played[12 * studio.rate : 28 * studio.rate, 0] += song
    report = studio.look(played)
    evidence = studio.evidence(report, "music")
    first_sec, until_sec = evidence["from_sec"], evidence["until_sec"]
    # Speech that runs into the music or on from it counts along, for up to 5 s.
    assert evidence["channel"] == 0 and 6.5 <= first_sec <= 12.5 and 27.5 <= until_sec <= 33.5
    assert evidence["music_sec"] == pytest.approx(until_sec - first_sec, abs=0.1)
    assert (
        report.scorable
        and report.input_health == "caution"
        and "music" not in studio.codes(studio.look(clean))
    )
