"""Doubts about the documented detector: raised where its mask goes wrong, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import soundfile

from hotato.timing import Activity, EnergyMeter, FrameGrid, Levels, energy_vad
from hotato.timing.health import channel_doubts, conditioned, steady_sec
from hotato.timing.hum import mains_hum

RATE = 8000
SECONDS = 40
SPANS = {
    "caller": [(2.0, 4.0), (11.0, 13.5), (20.0, 22.0), (28.0, 30.5), (36.0, 38.0)],
    "agent": [(0.3, 1.8), (4.5, 10.5), (14.0, 19.5), (22.5, 27.5), (31.0, 35.5)],
}
DENSE = [(0.2, 12.0), (12.4, 24.0), (24.4, 39.8)]
MATERIAL = 0.90

Sound = np.ndarray
Change = Callable[[Sound, int], Sound]


def voice(seed: int, spans: list[tuple[float, float]]) -> Sound:
    """Speech-shaped noise with exact edges, some of it softer; peaks at half of full scale."""
    rng = np.random.default_rng(seed)
    noise = np.convolve(rng.standard_normal(SECONDS * RATE), np.ones(4) / 2.0, "same")
    envelope = np.zeros(len(noise))
    for start, end in spans:
        at, stop, turn = round(start * RATE), round(end * RATE), rng.uniform(0.5, 1.0)
        while at < stop:
            length = min(int(rng.uniform(0.1, 0.3) * RATE), stop - at)
            x = np.linspace(0.0, 1.0, max(length, 2))[:length]
            arch = np.minimum(x / 0.15, 1.0) * np.exp(-2.5 * x)
            envelope[at : at + length] = arch * turn * rng.uniform(0.3, 1.0)
            at += length + int(rng.uniform(0.0, 0.06) * RATE)
    sound = noise * envelope
    return 0.5 * sound / np.abs(sound).max()


def levels_of(sound: Sound, rate: int = RATE) -> Levels:
    meter = EnergyMeter(FrameGrid.from_ms(rate), 1, 32768)
    meter.feed(np.clip(np.rint(sound[:, None] * 32768.0), -32768, 32767).astype(np.int16))
    return meter.finish()[0]


def detect(sound: Sound, rate: int = RATE) -> tuple[Levels, Activity]:
    levels, _ = conditioned(levels_of(sound, rate))
    return levels, energy_vad(levels.dbfs, levels.grid)


def codes(sound: Sound, rate: int = RATE) -> list[str]:
    return [doubt.code for doubt in channel_doubts(*detect(sound, rate))]


def agreement(one: Activity, other: Activity) -> float:
    return float(np.mean(one.trimmed == other.trimmed))


def loudness(sound: Sound) -> float:
    frames = np.square(sound).reshape(-1, 160).mean(axis=1)
    return float(np.sqrt(frames[frames > frames.max() / 300.0].mean()))


def white(seed: int, level: float) -> Sound:
    return np.random.default_rng(seed).standard_normal(SECONDS * RATE) * level


def at_snr(snr_db: float) -> Change:
    return lambda sound, seed: sound + white(seed, loudness(sound) * 10.0 ** (-snr_db / 20.0))


def hum(level_dbfs: float, hertz: float) -> Change:
    time = np.arange(SECONDS * RATE) / RATE
    lines = sum(a * np.sin(2 * np.pi * k * hertz * time + k) for k, a in ((1, 1.0), (2, 0.3), (3, 0.4)))
    return lambda sound, seed: sound + lines / lines.std() * 10.0 ** (level_dbfs / 20.0)


def babble(snr_db: float) -> Change:
    def change(sound: Sound, seed: int) -> Sound:
        others = sum(np.roll(voice(1000 * seed + k, [(0.0, 40.0)]), 7919 * k) for k in range(6))
        return sound + others / loudness(others) * loudness(sound) * 10.0 ** (-snr_db / 20.0)

    return change


def noise_from(at_sec: float, snr_db: float) -> Change:
    late = np.arange(SECONDS * RATE) >= at_sec * RATE
    return lambda sound, seed: sound + late * (at_snr(snr_db)(sound, seed) - sound)


def music(sound: Sound, seed: int) -> Sound:
    time = np.arange(SECONDS * RATE) / RATE
    chords = np.zeros(len(time))
    rng = np.random.default_rng(seed)
    for bar in range(10, 30):
        inside = (time >= bar) & (time < bar + 1)
        for hertz in rng.choice([262, 294, 330, 349, 392, 440, 494, 523], 3, replace=False):
            chords += inside * np.sin(2 * np.pi * hertz * time)
    return sound + 0.05 * chords


def companded(sound: Sound, seed: int) -> Sound:
    code = np.rint(np.sign(sound) * np.log1p(255.0 * np.abs(sound)) / np.log(256.0) * 127.0) / 127.0
    return np.sign(code) * np.expm1(np.abs(code) * np.log(256.0)) / 255.0


SICK: dict[str, Change] = {
    "hum -34": hum(-34.0, 50.0),
    "hum -50": hum(-50.0, 60.0),
    "white 20": at_snr(20.0),
    "white 15": at_snr(15.0),
    "white 12": at_snr(12.0),
    "white 8": at_snr(8.0),
    "babble 15": babble(15.0),
    "babble 8": babble(8.0),
    "gain -30": lambda sound, seed: sound * 10.0 ** (-30.0 / 20.0),
    "gain -40": lambda sound, seed: sound * 10.0 ** (-40.0 / 20.0),
    "noise step 20": noise_from(17.0, 20.0),
    "noise step 12": noise_from(21.0, 12.0),
    "music": music,
    "tone": lambda sound, seed: sound + 0.04 * np.sin(2 * np.pi * 425 * np.arange(len(sound)) / RATE),
}
WELL: dict[str, Change] = {
    "as it is": lambda sound, seed: sound,
    "floor -75": lambda sound, seed: sound + white(seed, 10.0 ** (-75.0 / 20.0)),
    "peak 0": lambda sound, seed: sound / np.abs(sound).max(),
    "peak -12": lambda sound, seed: sound / np.abs(sound).max() * 10.0 ** (-12.0 / 20.0),
    "peak -20": lambda sound, seed: sound / np.abs(sound).max() * 10.0 ** (-20.0 / 20.0),
    "mu-law": companded,
    "clipped": lambda sound, seed: np.clip(8.0 * sound, -1.0, 1.0),
    "dc": lambda sound, seed: sound + 0.02,
    "silent": lambda sound, seed: 0.0 * sound,
    "silent but for a floor": lambda sound, seed: white(seed, 10.0 ** (-55.0 / 20.0)),
}


@pytest.mark.parametrize("condition", WELL)
@pytest.mark.parametrize("party", SPANS)
def test_a_healthy_channel_raises_no_doubt(party, condition):
    for seed in (1, 2):
        assert codes(WELL[condition](voice(seed, SPANS[party]), seed)) == [], seed


def test_dense_speech_with_few_pauses_raises_no_doubt():
    for seed in (1, 2, 3):
        assert codes(voice(seed, DENSE)) == []
        assert codes(voice(seed, DENSE) + white(seed, 10.0 ** (-75.0 / 20.0))) == []


def test_a_materially_wrong_mask_is_doubted():
    wrong, doubted = [], 0
    for name, change in SICK.items():
        for seed, spans in enumerate(SPANS.values(), start=1):
            sound = voice(seed, spans)
            sick = change(sound, seed)
            if agreement(detect(sick)[1], detect(sound)[1]) < MATERIAL:
                wrong.append(name)
                doubted += bool(codes(sick))
    assert len(wrong) >= 15
    assert doubted >= 0.9 * len(wrong)


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("hum -34", "hum"),
        ("hum -50", "hum"),
        ("white 8", "low_snr"),
        ("white 12", "low_snr"),
        ("gain -40", "low_headroom"),
        ("noise step 12", "noise_step"),
        ("music", "low_separability"),
    ],
)
def test_each_condition_has_its_own_code(condition, code):
    assert codes(SICK[condition](voice(3, SPANS["agent"]), 3)) == [code]


def test_removing_dc_leaves_the_mask_as_it_was_without_it():
    sound = voice(4, SPANS["caller"])
    levels, mean = conditioned(levels_of(sound + 0.02))
    assert mean == pytest.approx(0.02, abs=1e-4)
    assert agreement(energy_vad(levels.dbfs, levels.grid), detect(sound)[1]) >= 0.999


def test_dc_below_its_limit_is_left_alone():
    levels = levels_of(voice(4, SPANS["caller"]) + 0.002)
    assert conditioned(levels) == (levels, 0.0)


@pytest.mark.parametrize("hertz", [50.0, 60.0])
@pytest.mark.parametrize("rate", [8000, 16000, 44100])
def test_a_hum_is_measured_at_its_frequency_and_level(hertz, rate):
    time = np.arange(20 * rate) / rate
    tone = np.sqrt(2.0) * 10.0 ** (-40.0 / 20.0) * np.sin(2.0 * np.pi * hertz * time)
    found = mains_hum(levels_of(tone, rate))
    assert found is not None and found.frequency_hz == hertz
    assert found.level_dbfs == pytest.approx(-40.0, abs=0.3)


def test_a_low_voice_is_no_hum():
    # A pulse train of 100 Hz, twice the mains, that comes and goes like speech; the pauses tell them apart.
    pulses = np.zeros(SECONDS * RATE)
    pulses[:: RATE // 100] = 1.0
    spoken = pulses * (np.abs(voice(5, SPANS["agent"])) > 0.0)
    assert "hum" not in codes(0.3 * spoken + white(5, 10.0 ** (-60.0 / 20.0)))
    assert "hum" not in codes(0.3 * spoken)


def test_a_noise_step_is_dated_and_measured():
    sound = voice(6, SPANS["caller"]) + white(6, 10.0 ** (-70.0 / 20.0))
    late = (np.arange(len(sound)) >= 25 * RATE) * white(7, 10.0 ** (-35.0 / 20.0))
    (doubt,) = channel_doubts(*detect(sound + late))
    assert doubt.code == "noise_step"
    assert doubt.evidence["at_sec"] == pytest.approx(25.0, abs=1.0)
    assert doubt.evidence["step_db"] == pytest.approx(35.0, abs=1.0)


def test_speech_is_never_steady_and_a_tone_is():
    assert steady_sec(detect(voice(7, DENSE))[1]) == 0.0
    time = np.arange(SECONDS * RATE) / RATE
    tone = np.where((time >= 10.0) & (time < 20.0), 0.1 * np.sin(2 * np.pi * 440 * time), 0.0)
    assert steady_sec(detect(tone)[1]) == pytest.approx(8.0, abs=0.6)


def test_a_recording_shorter_than_every_window_raises_nothing():
    for count in (0, 1, 80, 4000):
        assert channel_doubts(*detect(np.zeros(count))) == ()
    assert codes(0.1 * np.ones(400) * (-1.0) ** np.arange(400)) in ([], ["low_snr"])


def test_the_real_calls_raise_no_doubt(shared_data):
    for path in sorted((shared_data / "vapi").glob("*.wav")):
        samples, rate = soundfile.read(path)
        for channel in range(2):
            assert codes(samples[:, channel], rate) == [], (path.name, channel)


def test_of_the_headset_clips_only_a_caller_peaking_at_minus_38_dbfs_has_low_headroom(shared_data):
    raised = []
    for path in sorted((shared_data / "ami").glob("*.wav")):
        samples, rate = soundfile.read(path)
        raised += [(path.stem, channel, codes(samples[:, channel], rate)) for channel in range(2)]
    assert [entry for entry in raised if entry[2]] == [("ami-es2002a-bc-0526", 0, ["low_headroom"])]
