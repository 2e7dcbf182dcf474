"""What a line does to a channel: levels, clipping, echo, drift, half the rate, G.711, lost packets."""

from __future__ import annotations

import io

import numpy as np
import pytest
import soundfile

from hotato import acoustics
from hotato.acoustics import g711, line, packets

RATE = 16000


@pytest.fixture(scope="module")
def speech():
    return acoustics.speech_like("voice", [[0.1, 1.9]], 2 * RATE, RATE)


def sine(hertz: float, count: int, rate: int = RATE, amplitude: float = 10000.0):
    return np.rint(amplitude * np.sin(2 * np.pi * hertz * np.arange(count) / rate)).astype(np.int64)


def db(a, b) -> float:
    return float(10 * np.log10(np.mean(a.astype(np.float64) ** 2) / np.mean(b.astype(np.float64) ** 2)))


@pytest.mark.parametrize("level_db", [-40.0, -30.0, 12.0])
def test_a_gain_is_the_level_difference(level_db, speech):
    assert db(line.gain(speech * 256, level_db), speech * 256) == pytest.approx(level_db, abs=0.05)


def test_clipping_cuts_at_the_ceiling_and_leaves_the_rest():
    signal = np.array([-40000, -20000, 0, 20000, 40000])
    assert line.clipped(signal).tolist() == [-32768, -20000, 0, 20000, 32767]
    assert line.clipped(signal, -6.0206).tolist() == [-16384, -16384, 0, 16384, 16384]


def test_a_dc_offset_is_a_part_of_full_scale(speech):
    assert set((line.with_dc(speech, 0.02) - speech).tolist()) == {655}


def test_a_delay_keeps_the_length_and_fills_with_silence():
    signal = np.arange(1, 6)
    assert line.delayed(signal, 2).tolist() == [0, 0, 1, 2, 3]
    assert line.delayed(signal, -2).tolist() == [3, 4, 5, 0, 0]
    assert line.delayed(signal, 0).tolist() == signal.tolist()


def test_silence_is_exact_and_only_where_it_was_asked_for(speech):
    quiet = line.with_silence(speech, 5000, 7000)
    assert not quiet[5000:7000].any()
    assert np.array_equal(quiet[:5000], speech[:5000])
    assert np.array_equal(quiet[7000:], speech[7000:])


@pytest.mark.parametrize("gain_db", [-6.0, -20.0])
def test_bleed_comes_back_at_its_delay_and_level(gain_db, speech):
    back = line.bleed(speech, 800, gain_db)
    assert not back[:800].any()
    assert db(back[800:], speech[:-800]) == pytest.approx(gain_db, abs=0.05)


def test_a_coloured_bleed_keeps_its_level_for_white_sound():
    white = acoustics.Dice("white").words(RATE)
    back = line.bleed(white, 320, -12.0, [1.0, 0.0, -0.5, 0.3])
    assert db(back[330:], white[330:]) == pytest.approx(-12.0, abs=0.2)


def test_a_gain_control_brings_a_steady_sound_to_its_level():
    for amplitude in (300.0, 3000.0, 20000.0):
        tone = line.levelled(sine(500, 4 * RATE, amplitude=amplitude), RATE)
        assert 10 * np.log10(np.mean(tone[-RATE:].astype(float) ** 2) / 32768**2) == pytest.approx(
            -20.0, abs=0.3
        )


def test_a_gain_control_amplifies_no_more_than_it_may_and_leaves_silence_alone():
    quiet = sine(500, 6 * RATE, amplitude=60.0)
    assert db(line.levelled(quiet, RATE)[-RATE:], quiet[-RATE:]) == pytest.approx(24.0, abs=0.3)
    assert not line.levelled(np.zeros(1000, np.int64), RATE).any()


@pytest.mark.parametrize("speed_ppm", [-200, 50, 200])
def test_drift_moves_moments_as_stated(speed_ppm):
    # Smooth bumps: where their centre of gravity is can be read far finer than a sample.
    count = 60 * RATE
    for at_sec in (5.0, 55.0):
        bump = np.zeros(count, np.int64)
        centre = int(at_sec * RATE)
        bump[centre - 400 : centre + 401] = np.rint(20000 * np.hanning(801)).astype(np.int64)
        moved = line.drifted(bump, speed_ppm)
        where = float(np.sum(np.arange(count) * moved) / np.sum(moved)) / RATE
        assert where == pytest.approx(line.drifted_time(at_sec, speed_ppm), abs=1e-6)
        assert line.drifted_time(at_sec, speed_ppm) == pytest.approx(at_sec * (1 + speed_ppm * 1e-6))


def test_no_drift_changes_nothing(speech):
    assert np.array_equal(line.drifted(speech, 0), speech)


def test_drift_keeps_a_tone_of_speech_at_its_level():
    tone = sine(1000, 4 * RATE)
    moved = line.drifted(tone, 150)
    expected = sine(1000 / (1 + 150e-6), 4 * RATE)
    assert db(moved - expected, expected) < -40.0


def test_half_the_rate_passes_speech_and_stops_what_would_fold_back():
    for hertz, level_db in ((300, 0.0), (1000, 0.0), (3400, 0.0)):
        kept = line.halved(sine(hertz, RATE))
        assert db(kept[100:-100], sine(hertz, RATE // 2, RATE // 2)[100:-100]) == pytest.approx(
            level_db, abs=0.1
        )
    for hertz in (4600, 5000, 7000):
        assert db(line.halved(sine(hertz, RATE))[100:-100], sine(hertz, RATE)) < -50.0


def test_half_the_rate_keeps_every_moment_where_it_was():
    kept = line.halved(sine(1000, RATE)).astype(np.float64)
    expected = sine(1000, RATE // 2, RATE // 2)
    assert db(kept[100:-100] - expected[100:-100], expected) < -60.0


def test_half_the_rate_of_an_odd_length_keeps_the_last_sample():
    assert len(line.halved(np.ones(7, np.int64))) == 4
    assert sum(line.half_band()) == acoustics.UNIT


@pytest.mark.parametrize(("law", "subtype"), [(g711.mu_law, "ULAW"), (g711.a_law, "ALAW")])
def test_both_laws_agree_with_libsndfile_on_every_sample(law, subtype):
    every = np.arange(-32768, 32768)
    file = io.BytesIO()
    soundfile.write(file, every.astype(np.int16), 8000, format="WAV", subtype=subtype)
    file.seek(0)
    peer, _ = soundfile.read(file, dtype="int16")
    assert np.array_equal(law(every), peer)


def test_the_laws_put_out_the_values_of_the_standard():
    every = np.arange(-32768, 32768)
    mu, a = (np.unique(law(every)) for law in (g711.mu_law, g711.a_law))
    # Outputs of table 2a in 14-bit units, of table 1a in 13-bit units.
    assert mu[mu >= 0][:18].tolist() == [4 * v for v in [*range(0, 32, 2), 33, 37]]
    assert mu.max() == 4 * 8031
    assert a[a > 0][:34].tolist() == [8 * v for v in [*range(1, 64, 2), 66, 70]]
    assert a.max() == 8 * 4032


@pytest.mark.parametrize("law", [g711.mu_law, g711.a_law])
def test_a_second_round_trip_changes_nothing(law, speech):
    once = law(speech)
    assert np.array_equal(law(once), once)


def test_a_fixed_schedule_loses_exactly_those_packets(speech):
    total = packets.packets_in(len(speech), RATE)
    lost = packets.every(10, total, first=3)
    assert np.flatnonzero(lost).tolist() == list(range(3, total, 10))
    heard = packets.without(speech, lost, RATE)
    for n in range(total):
        part = slice(n * 320, (n + 1) * 320)
        assert np.array_equal(heard[part], np.zeros_like(speech[part]) if lost[n] else speech[part])


def test_bursts_have_the_share_and_the_length_that_were_asked_for():
    lost = packets.bursts("channel", 200_000, 0.05, 2.0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], lost.astype(int), [0]]))).reshape(-1, 2)
    assert lost.mean() == pytest.approx(0.05, abs=0.003)
    assert (edges[:, 1] - edges[:, 0]).mean() == pytest.approx(2.0, abs=0.06)
    assert np.array_equal(lost, packets.bursts("channel", 200_000, 0.05, 2.0))


def test_concealment_repeats_the_period_before_the_gap():
    tone = sine(200, RATE)  # a period of 80 samples
    lost = packets.every(1000, packets.packets_in(len(tone), RATE), first=20)
    filled = packets.concealed(tone, lost, RATE)
    start = 20 * 320
    assert np.array_equal(filled[start : start + 160], tone[start : start + 160])
    assert np.array_equal(filled[start + 320 :], tone[start + 320 :])


def test_concealment_of_a_long_gap_fades_to_silence():
    tone = sine(200, RATE)
    lost = np.zeros(packets.packets_in(len(tone), RATE), np.bool_)
    lost[20:30] = True
    filled = packets.concealed(tone, lost, RATE)
    silent_from = 20 * 320 + (packets.PACKETS.whole_ms + packets.PACKETS.fade_ms) * RATE // 1000
    assert not filled[silent_from : 30 * 320].any()
    assert filled[20 * 320 : silent_from].any()


def test_what_does_not_fit_16_bits_is_clipped_at_the_end():
    assert line.to_int16([np.array([40000, -5]), np.array([-40000, 7])]).tolist() == [
        [32767, -32768],
        [-5, 7],
    ]
