"""Beds of noise: their level against speech, their spectrum, where they begin."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from hotato import acoustics
from hotato.acoustics import noise

RATE = 16000
SECONDS = 4
COUNT = SECONDS * RATE
SPANS = [(8000, 24000), (40000, 52000)]


@pytest.fixture(scope="module")
def speech():
    return acoustics.speech_like("voice", [[a / RATE, b / RATE] for a, b in SPANS], COUNT, RATE)


def bed(kind: str, seed: str = "bed"):
    voices = [acoustics.speech_like(f"{seed}{n}", [[0.0, 3.0]], 3 * RATE, RATE) for n in range(6)]
    return {
        "white": lambda: noise.white(seed, COUNT),
        "street": lambda: noise.street(seed, COUNT, RATE),
        "babble": lambda: noise.babble(voices, COUNT),
        "hum": lambda: noise.hum(50, COUNT, RATE),
        "music": lambda: noise.music(COUNT, RATE),
    }[kind]()


def rms(signal) -> float:
    return float(np.sqrt(np.mean(np.asarray(signal, np.float64) ** 2)))


@pytest.mark.parametrize("kind", ["white", "street", "babble", "hum", "music"])
@pytest.mark.parametrize("snr_db", [20.0, 8.0])
def test_an_snr_is_speech_inside_its_spans_against_the_whole_bed(kind, snr_db, speech):
    sound = noise.at_snr(bed(kind), speech, SPANS, snr_db)
    loud = rms(np.concatenate([speech[a:b] for a, b in SPANS]))
    assert 20 * np.log10(loud / rms(sound)) == pytest.approx(snr_db, abs=0.1)


@pytest.mark.parametrize("kind", ["white", "street", "babble", "hum", "music"])
def test_a_level_is_an_rms_in_dbfs(kind):
    assert 20 * np.log10(rms(noise.at_level(bed(kind), -34.0)) / 32768) == pytest.approx(-34.0, abs=0.05)


@pytest.mark.parametrize("kind", ["white", "street"])
def test_the_same_seed_gives_the_same_noise_and_another_seed_another(kind):
    def once(seed):
        return hashlib.sha256(bed(kind, seed).tobytes()).hexdigest()

    assert once("a") == once("a")
    assert once("a") != once("b")


def test_the_power_of_a_loud_and_long_bed_does_not_overflow():
    loud = np.full(3_000_000, 3_000_000, np.int64)
    assert noise.mean_square(loud) == 9e12
    assert noise.mean_square(loud, [(10, 20), (2_999_990, 3_000_000)]) == 9e12


def test_speech_that_is_not_there_has_no_snr(speech):
    with pytest.raises(ValueError, match="needs speech"):
        noise.at_snr(noise.white("n", 100), np.zeros(100, np.int64), [(0, 100)], 10.0)


@pytest.mark.parametrize("mains_hz", [50, 60])
def test_hum_sits_on_the_mains_and_its_harmonics(mains_hz):
    power = np.abs(np.fft.rfft(noise.hum(mains_hz, RATE, RATE).astype(np.float64))) ** 2
    lines = [mains_hz * n for n in range(1, 6)]
    assert power[lines].sum() / power.sum() > 0.9999
    below = 10 * np.log10(power[lines] / power[mains_hz])
    assert below.tolist() == pytest.approx(noise.HUM.harmonics_db, abs=0.05)


def test_street_noise_is_mostly_low_and_swells():
    sound = noise.street("traffic", 30 * RATE, RATE).astype(np.float64)
    power = np.abs(np.fft.rfft(sound)) ** 2
    hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    assert power[hertz < 1000].sum() / power.sum() > 0.9
    second = np.array([rms(part) for part in np.split(sound, 30)])
    assert 20 * np.log10(second.max() / second.min()) > 4.0


def test_music_is_the_same_after_every_round_of_chords():
    rounds = len(noise.MUSIC.chords_hz) * int(noise.MUSIC.chord_sec * RATE)
    sound = noise.music(2 * rounds, RATE)
    assert np.array_equal(sound[:rounds], sound[rounds:])


def test_a_voice_in_the_babble_counts_the_same_however_loud_it_was():
    quiet = acoustics.speech_like("q", [[0.0, 1.0]], RATE, RATE, gain_db=-20.0)
    loud = acoustics.speech_like("l", [[0.0, 1.0]], RATE, RATE)
    alone = [noise.babble([voice], RATE) for voice in (quiet, loud)]
    assert rms(alone[0]) == pytest.approx(rms(alone[1]), rel=0.01)
    assert np.array_equal(noise.babble([quiet, loud], RATE), alone[0] + alone[1])


def test_noise_that_begins_late_is_exactly_silent_before():
    late = noise.from_sample(noise.white("n", 1000), 400)
    assert not late[:400].any()
    assert np.array_equal(late[400:], noise.white("n", 1000)[400:])
