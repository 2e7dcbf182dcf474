"""Held tones and the music they are: exact, at any rate, under voices; and never in speech alone."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.acoustics import noise
from hotato.timing import MUSIC, EnergyMeter, FrameGrid, Reason, Run, energy_vad, music_between
from hotato.timing.robust import PartialMeter, RobustParams, music_frames, with_music
from hotato.timing.robust.params import MusicParams, PartialParams
from hotato.timing.robust.partials import _Spectrum, held_tones

ROOT = Path(__file__).resolve().parents[2]
RATES = (8000, 11025, 16000, 22050, 44100, 48000)
MUSIC_PARAMS = MusicParams()


def ints(sound: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(sound * 32768.0), -32768, 32767).astype(np.int32)


def partials(samples: np.ndarray, rate: int, block: int | None = None, full_scale: int = 32768):
    meter, step = PartialMeter(rate, full_scale), block or len(samples)
    for at in range(0, len(samples), step):
        meter.feed(samples[at : at + step])
    return meter.finish()


def activity_of(samples: np.ndarray, rate: int):
    grid = FrameGrid.from_ms(rate)
    meter = EnergyMeter(grid, 1, 32768)
    meter.feed(samples[:, None])
    return energy_vad(meter.finish()[0].dbfs, grid)


def music_in(samples: np.ndarray, rate: int) -> list[tuple[float, float]]:
    """Where music is found on a channel, in seconds."""
    activity = activity_of(samples, rate)
    found = music_frames(partials(samples, rate), activity, 0, MUSIC_PARAMS)
    return [(run.first * activity.hop_sec, run.stop * activity.hop_sec) for run in found]


def song(seconds: int, rate: int, level_dbfs: float = -26.0) -> np.ndarray:
    return noise.at_level(noise.music(seconds * rate, rate), level_dbfs)


def vowels(seconds: int, rate: int, glide: float, seed: int = 1) -> np.ndarray:
    """A voice: thirty harmonics of a pitch that moves up and down by `glide`, a share of it."""
    time = np.arange(seconds * rate) / rate
    bend = np.sin(2 * np.pi * 1.3 * time + seed) + np.sin(2 * np.pi * 2.9 * time)
    pitch = 120.0 * (1.0 + glide * bend / 2.0)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    sound = sum(np.sin(n * phase) / n for n in range(1, 30) if 120.0 * n * 1.2 < rate / 2)
    syllables = np.clip(1.5 * np.sin(2 * np.pi * 2.0 * time), 0.0, 1.0)
    return ints(0.05 * sound * syllables)


@pytest.mark.parametrize("rate", RATES)
def test_music_is_found_where_it_plays_at_any_rate(rate):
    samples = np.zeros(30 * rate, dtype=np.int64)
    samples[8 * rate : 22 * rate] = song(14, rate)
    ((first, stop),) = music_in(samples.astype(np.int32), rate)
    assert 8.0 - MUSIC_PARAMS.edge_sec <= first <= 8.2 and 21.8 <= stop <= 22.0 + MUSIC_PARAMS.edge_sec


@pytest.mark.parametrize(
    "shape",
    [
        noise.Music(chord_sec=1.2, beats=2, overtones=6),
        noise.Music(chords_hz=((587, 740, 880), (523, 659, 784)), chord_sec=3.0, overtones=1),
        noise.Music(chords_hz=((110, 165, 220), (98, 147, 196)), beats=3, decay_part=3000, overtones=8),
        noise.Music(chords_hz=((311, 392, 466, 622), (277, 349, 415, 554)), chord_sec=0.8, beats=1),
    ],
    ids=("fast", "high flutes", "plucked bass", "quick chords"),
)
def test_other_keys_paces_and_instruments_are_music_too(shape):
    samples = noise.at_level(noise.music(20 * 8000, 8000, shape), -26.0)
    ((first, stop),) = music_in(samples.astype(np.int32), 8000)
    assert first <= 0.5 and stop >= 19.5


@pytest.mark.parametrize("glide", [0.06, 0.1, 0.2])
def test_a_gliding_voice_is_none_and_a_monotone_of_many_held_tones_is(glide):
    assert music_in(vowels(20, 8000, glide), 8000) == []
    assert music_in(ints(0.1 * np.sin(2 * np.pi * 700.0 * np.arange(20 * 8000) / 8000)), 8000)


def test_noise_and_silence_are_no_music():
    for samples in (np.zeros(80000), 0.05 * np.random.default_rng(1).standard_normal(160000)):
        assert music_in(ints(samples), 8000) == []


@pytest.fixture(scope="module")
def demo() -> tuple[np.ndarray, int]:
    """Natural speech of two synthetic voices, 37 s, shape (samples, 2)."""
    samples, rate = soundfile.read(ROOT / "src/hotato/data/demo/cancel-call.flac", dtype="int16")
    return samples.astype(np.int64), rate


@pytest.mark.parametrize("channel", [0, 1])
@pytest.mark.parametrize("vocal_db", [-6.0, 0.0, 6.0])
def test_natural_speech_is_no_music_and_music_under_it_is(demo, channel, vocal_db):
    samples, rate = demo
    spoken = samples[:, channel]
    assert music_in(spoken.astype(np.int32), rate) == []
    over = spoken.copy()
    rms = math.sqrt(noise.mean_square(spoken[spoken != 0])) / 32768
    over[10 * rate : 30 * rate] += song(20, rate, 20.0 * math.log10(rms) - vocal_db)
    ((first, stop),) = music_in(over.astype(np.int32), rate)
    assert first <= 10.5 and stop >= 29.5


def test_the_recordings_of_people_hold_no_music(shared_data):
    for path in sorted((*(shared_data / "vapi").glob("*.wav"), *(shared_data / "ami").glob("*.wav"))):
        samples, rate = soundfile.read(path, dtype="int16")
        for channel in range(2):
            assert music_in(samples[:, channel].astype(np.int32), rate) == [], (path.name, channel)


@settings(max_examples=15, deadline=None)
@given(block=st.integers(1, 30000), rate=st.sampled_from((8000, 22050)), full_scale=st.sampled_from((1, 256)))
def test_any_block_size_and_any_scale_give_the_same_counts(block, rate, full_scale):
    samples = song(4, rate).astype(np.int32) + np.random.default_rng(2).integers(
        -300, 300, 4 * rate, np.int32
    )
    whole = partials(samples, rate)
    pieces = partials(samples * full_scale, rate, max(block, 50), 32768 * full_scale)
    assert whole.held.tobytes() == pieces.held.tobytes() and len(whole.held) > 100
    assert (whole.first_sec, whole.step_sec) == (pieces.first_sec, pieces.step_sec)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("full_scale", [32768, 8388608])
def test_no_sum_leaves_the_range_in_which_floats_count_exactly(rate, full_scale):
    spectrum, params = _Spectrum(rate, full_scale, PartialParams()), PartialParams()
    assert full_scale * spectrum.block**2 < 2**53
    largest = 2**params.sample_bits * np.abs(spectrum._basis).sum(axis=0).max()
    assert largest < 2**53 and 2 * (largest * spectrum._again) ** 2 < 2**53
    assert np.array_equal(spectrum._basis, np.rint(spectrum._basis))


def test_a_thinned_sample_is_a_triangle_over_two_blocks_and_a_tone_keeps_its_level():
    spectrum = _Spectrum(16000, 32768, PartialParams())
    samples = np.random.default_rng(3).integers(-32768, 32768, 10 * spectrum.block)
    d = spectrum.block
    wanted = [
        sum(i * int(samples[n * d + i]) + (d - i) * int(samples[(n + 1) * d + i]) for i in range(d))
        for n in range(9)
    ]
    assert np.array_equal(
        spectrum.thinned(samples.astype(np.int32)), np.rint(np.array(wanted) * spectrum._shrink)
    )


@pytest.mark.parametrize(("level_dbfs", "heard"), [(-40.0, True), (-70.0, True), (-82.0, False)])
def test_a_tone_is_held_from_its_least_level_on(level_dbfs, heard):
    rate = 16000  # thinned to 4000 Hz, a tone of 600 Hz loses half a decibel
    tone = (
        math.sqrt(2.0) * 10.0 ** (level_dbfs / 20.0) * np.sin(2 * np.pi * 600.0 * np.arange(3 * rate) / rate)
    )
    held = PartialMeter(rate, 8388608)
    held.feed(np.rint(tone * 8388608).astype(np.int32))
    assert bool(np.all(held.finish().held == 1)) == heard


def test_tones_are_counted_that_stay_for_long_enough_each_once():
    peaks = np.zeros((40, 12), dtype=np.bool_)
    peaks[5:15, 3] = True  # ten steps
    peaks[5:14, 7] = True  # nine
    peaks[20:25, 9] = peaks[25:32, 10] = True  # between two bins
    counts = held_tones(peaks, 10)
    wanted = np.zeros(40, dtype=int)
    wanted[5:15] = wanted[20:32] = 1
    assert counts.tolist() == wanted.tolist()
    assert held_tones(peaks[:6], 10).tolist() == [0] * 6


def test_a_party_far_above_the_music_is_left_alone():
    rate = 8000
    spoken = vowels(20, rate, 0.1)
    activity = activity_of(spoken, rate)
    for level_dbfs, named in ((-30.0, True), (-60.0, False)):
        heard = activity_of(spoken + song(20, rate, level_dbfs).astype(np.int32), rate)
        heard = replace(
            heard, raw=activity.raw, active=activity.active, doubts=(Reason(MUSIC), Reason("hum"))
        )
        found = with_music(heard, [Run(0, heard.frames)], MUSIC_PARAMS)
        assert (found.music == (Run(0, heard.frames),)) == named
        assert [reason.code for reason in found.doubts] == ["hum"]


def test_a_moment_near_music_is_in_doubt_and_one_away_from_it_is_not():
    heard = replace(activity_of(np.zeros(8000 * 20, np.int32), 8000), music=(Run(500, 900),))
    assert music_between(heard, 600, 620) == Reason(MUSIC, {"from_sec": 5.0, "until_sec": 9.0})
    assert music_between(heard, 100, 455) and music_between(heard, 945, 1200)
    assert music_between(heard, 100, 440) is None and music_between(heard, 960, 1200) is None


def test_music_too_short_for_a_window_is_not_judged():
    assert music_in(song(5, 8000).astype(np.int32), 8000) == []
    assert RobustParams().music.window_sec > 5.0
