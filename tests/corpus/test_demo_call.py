"""The demo call fails the way its description says, and is healthy audio otherwise."""

from __future__ import annotations

import json

import numpy as np
import pytest
import soundfile

ROLES = ("caller", "agent")
SLACK_FRAMES = 3
HANGOVER_FRAMES = 15


@pytest.fixture(scope="module")
def call(repository):
    folder = repository / "src" / "hotato" / "data" / "demo"
    samples, rate = soundfile.read(folder / "cancel-call.flac", dtype="int16")
    return folder, samples, rate, json.loads((folder / "cancel-call.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def heard(call, measure):
    _, samples, rate, _ = call
    return {role: measure.hear(samples[:, channel], rate) for channel, role in enumerate(ROLES)}


@pytest.fixture(scope="module")
def said(call):
    """(role, first frame, last frame) of every utterance."""
    return [
        (item["role"], item["start_sample"] // 160, -(-item["end_sample"] // 160))
        for item in call[3]["utterances"]
    ]


def test_it_is_a_small_two_channel_16_khz_flac(call):
    folder, samples, rate, text = call
    info = soundfile.info(folder / "cancel-call.flac")
    assert (info.format, info.subtype, info.channels, rate) == ("FLAC", "PCM_16", 2, 16000)
    assert (folder / "cancel-call.flac").stat().st_size < 800_000
    assert len(samples) == text["duration_samples"]
    assert 30 <= len(samples) / rate <= 45


def test_levels_and_floor_keep_the_documented_detector_healthy(call, heard):
    peaks = 20 * np.log10(np.abs(call[1].astype(int)).max(axis=0) / 32768)
    assert all(-9 <= peak <= -3 for peak in peaks)
    for channel in heard.values():
        assert channel.threshold_db == -60.0
        assert 20 * np.log10(np.percentile(channel.rms, 10)) < -80


def test_activity_is_where_the_description_says_and_nowhere_else(heard, said):
    for role in ROLES:
        covered = np.zeros(len(heard[role].active), bool)
        for _, first, last in (item for item in said if item[0] == role):
            covered[first - 1 : last + HANGOVER_FRAMES] = True
            assert heard[role].active[first + SLACK_FRAMES]
            assert not heard[role].active[max(0, first - 1 - SLACK_FRAMES) : first - 1].any()
            assert heard[role].raw[last - SLACK_FRAMES - 1 : last].any()
        assert not (heard[role].active & ~covered).any()


def test_the_agent_talks_through_the_acknowledgement_and_for_a_second_after_it(heard, said):
    _, first, last = said[3]
    assert 0.3 <= (last - first) / 100 <= 0.7
    assert heard["agent"].active[first : last + 100].all()


def test_the_agent_talks_over_the_interruption_and_then_stops(heard, said, measure):
    onset = said[6][1]
    to_yield, talk_over = measure.yield_after(heard["caller"], heard["agent"], onset)
    assert to_yield == pytest.approx(2.6 + 0.15, abs=0.03)
    assert talk_over == pytest.approx(to_yield, abs=0.03)


def test_one_slow_answer_and_one_dead_air_stand_out_among_natural_gaps(heard, said, measure):
    silent = ~(heard["caller"].active | heard["agent"].active)
    gaps = [(b - a) / 100 for a, b in measure.runs_of(silent) if a > said[0][1] and b < len(silent)]
    assert [gap for gap in gaps if gap >= 2.0] == [
        pytest.approx(2.5 - 0.16, abs=0.03),
        pytest.approx(5.8 - 0.16, abs=0.03),
    ]
    assert all(gap <= 0.7 for gap in gaps if gap < 2.0)


def test_both_voices_are_credited_under_an_open_licence(call):
    for role in ROLES:
        assert call[3]["voices"][role]["licence"] == "Apache-2.0"
