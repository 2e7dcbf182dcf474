"""The renderer keeps its promises: exact edges, known levels, a speech-like band, the same bytes."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato import acoustics

RATES = (8000, 16000, 48000)


def scenario(**block):
    render = {"caller_segments_sec": [[0.5, 1.0]], "agent_segments_sec": [[0.1, 1.4]], **block}
    return {"id": "t", "sample_rate": 16000, "duration_sec": 2.0, "reference_render": render}


def test_a_scenario_renders_to_the_same_samples_every_time():
    assert np.array_equal(acoustics.render(scenario()), acoustics.render(scenario()))


def test_another_id_is_another_voice():
    assert not np.array_equal(
        acoustics.speech_like("a", [[0, 1]], 8000, 8000), acoustics.speech_like("b", [[0, 1]], 8000, 8000)
    )


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_segment_sounds_from_its_first_sample_to_its_last_and_nowhere_else(data):
    rate = data.draw(st.sampled_from(RATES))
    start = data.draw(st.integers(0, rate))
    length = data.draw(st.integers(rate // 20, rate))
    count = 2 * rate + 100
    sound = acoustics.speech_like(
        str(start),
        [[start / rate, (start + length) / rate]],
        count,
        rate,
        continuous=data.draw(st.booleans()),
    )
    heard = np.flatnonzero(sound)
    near = rate // 1000
    assert start <= heard[0] <= start + near
    assert start + length - near <= heard[-1] < start + length


@pytest.mark.parametrize("rate", RATES)
def test_the_noise_lies_in_the_speech_band(rate):
    noise = acoustics.band_noise(acoustics.Dice("band"), 4 * rate, rate).astype(float)
    power = np.abs(np.fft.rfft(noise)) ** 2
    hertz = np.fft.rfftfreq(len(noise), 1 / rate)
    assert power[(hertz >= 200) & (hertz <= 3400)].sum() > 0.9 * power.sum()
    assert power[hertz < 150].sum() < 0.03 * power.sum()


def test_syllables_leave_gaps_that_stay_below_the_hangover_unless_continuous():
    rate = 16000
    broken = acoustics.syllables(acoustics.Dice("s"), 5 * rate, rate)
    unbroken = acoustics.syllables(acoustics.Dice("s"), 5 * rate, rate, continuous=True)
    edges = np.flatnonzero(np.diff(np.concatenate([[1], (broken > 0).astype(int), [1]]))).reshape(-1, 2)
    gaps_ms = (edges[:, 1] - edges[:, 0]) * 1000 / rate
    assert len(gaps_ms) >= 5 * 2
    assert gaps_ms.min() >= 19
    assert gaps_ms.max() <= 60
    assert unbroken.min() > 0


@pytest.mark.parametrize("gain_db", [0.0, -12.0, 3.0])
def test_the_loudest_sample_has_the_level_that_was_asked_for(gain_db):
    sound = acoustics.speech_like("loud", [[0.0, 1.0]], 16000, 16000, gain_db=gain_db)
    assert 20 * np.log10(np.abs(sound).max() / 32768) == pytest.approx(-4.437 + gain_db, abs=0.01)


@pytest.mark.parametrize("level_dbfs", [-90.0, -70.0, -40.0, -20.0])
def test_the_noise_floor_has_the_level_that_was_asked_for(level_dbfs):
    floor = acoustics.noise_floor("floor", 100_000, level_dbfs)
    tolerance_db = 3.5 if level_dbfs < -80 else 0.6
    assert 10 * np.log10(np.mean(floor.astype(float) ** 2)) - 90.309 == pytest.approx(
        level_dbfs, abs=tolerance_db
    )
    assert abs(floor.mean()) < 0.02 * np.abs(floor).max() + 0.05


def test_a_floor_below_half_a_step_is_digital_silence():
    assert not acoustics.noise_floor("floor", 1000, -105.0).any()


def test_an_echo_is_the_agent_late_and_quieter():
    plain = acoustics.render(scenario(caller_segments_sec=[], noise_floor_dbfs=-120))
    line = {"delay_sec": 0.12, "gain_db": -9.1}
    echoed = acoustics.render(scenario(caller_segments_sec=[], noise_floor_dbfs=-120, echo=line))
    assert not plain[:, 0].any()
    expected = plain[:-1920, 1] * 10 ** (-9.1 / 20)
    assert np.abs(echoed[1920:, 0] - expected).max() <= 1.0
    assert not echoed[:1920, 0].any()


def test_a_segment_outside_the_recording_is_refused():
    with pytest.raises(ValueError, match="outside the recording"):
        acoustics.speech_like("x", [[3.0, 4.0]], 16000, 16000)


def test_a_wav_file_holds_the_samples():
    samples = acoustics.render(scenario())
    content = acoustics.wav_bytes(samples, 16000)
    assert len(content) == 44 + samples.size * 2
    with wave.open(io.BytesIO(content)) as reader:
        assert (reader.getnchannels(), reader.getframerate(), reader.getsampwidth()) == (2, 16000, 2)
        assert np.array_equal(np.frombuffer(reader.readframes(-1), "<i2").reshape(-1, 2), samples)
