"""The second look at a channel in doubt: from a file, a pipe, two files; and never without need."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from hotato.acoustics import noise, speech_like, wav_bytes
from hotato.errors import Refusal
from hotato.listen import Heard, Track, attend, attend_pair, detectors, hear, tell_apart
from hotato.stacks import ChannelMap
from hotato.timing import MUSIC
from hotato.timing.robust import BandMeter, PartialMeter

RATE, SECONDS = 8000, 30
CALLER = [(3.0, 5.0), (10.0, 12.0), (20.0, 22.5)]
AGENT = [(0.5, 2.5), (6.0, 9.0), (13.0, 19.0), (23.5, 28.0)]
STEREO = ChannelMap(0, 1)


def sound(*, noise_db: float | None = None) -> np.ndarray:
    """Both parties, int16; white noise at this level on the caller's channel."""
    parties = [
        speech_like(name, spans, RATE * SECONDS, RATE) for name, spans in (("c", CALLER), ("a", AGENT))
    ]
    both = np.stack(parties, axis=1) / 3.0
    if noise_db is not None:
        both[:, 0] += (
            np.random.default_rng(3).standard_normal(len(both)) * 32768.0 * 10.0 ** (noise_db / 20.0)
        )
    return np.clip(np.rint(both), -32768, 32767).astype(np.int16)


@pytest.fixture
def write(tmp_path: Path):
    def written(samples: np.ndarray, name: str = "call.wav") -> Path:
        path = tmp_path / name
        path.write_bytes(wav_bytes(samples, RATE))
        return path

    return written


def starts(heard: Heard) -> list[float]:
    return [run.first * heard.grid.hop_sec for run in heard.caller.activity.runs]


@pytest.fixture
def looks(monkeypatch) -> list[tuple[int, ...]]:
    """The channels of every second look."""
    seen: list[tuple[int, ...]] = []

    class Counted(BandMeter):
        def __init__(self, grid, channels, *args):
            seen.append(channels)
            super().__init__(grid, channels, *args)

    monkeypatch.setattr("hotato.listen.again.BandMeter", Counted)
    return seen


def test_a_healthy_recording_is_decoded_once(write, looks):
    heard = attend(hear(write(sound())), STEREO)
    assert looks == [] and heard.caller.replaced is None and detectors(heard) == {}


def test_a_channel_in_doubt_is_heard_again_and_the_other_keeps_its_answer(write, looks):
    path = write(sound(noise_db=-36.0))
    plain, heard = attend(hear(path), STEREO, detector="reference"), attend(hear(path), STEREO)
    assert looks == [(0,), (1,)] and plain.caller.activity.doubts  # the agent, whose echo there may be
    assert (heard.caller.activity.detector, heard.agent.activity.detector) == ("robust", "reference")
    assert heard.caller.reference.raw.tobytes() == plain.caller.activity.raw.tobytes()
    assert heard.agent.activity.raw.tobytes() == plain.agent.activity.raw.tobytes()
    assert starts(heard) == pytest.approx([start for start, _ in CALLER], abs=0.03)
    said = detectors(heard)["detectors"]
    assert said["caller"]["reasons"][0]["code"] == "low_snr"
    assert said["agent"] == {"detector": "reference", "reasons": []}


def test_standard_input_can_be_heard_twice(write, monkeypatch):
    path = write(sound(noise_db=-36.0))
    named = attend(hear(path), STEREO)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    piped = attend(hear("-"), STEREO)
    assert piped.caller.activity.detector == "robust"
    assert piped.caller.activity.raw.tobytes() == named.caller.activity.raw.tobytes()


def test_two_files_on_one_clock_are_each_heard_again_where_they_have_to(write, looks):
    samples = sound(noise_db=-36.0)
    caller, agent = write(samples[:, :1], "caller.wav"), write(samples[:, 1:], "agent.wav")
    together = attend(hear(write(samples)), STEREO)
    apart = attend_pair(hear(caller), hear(agent))
    assert apart.caller.activity.raw.tobytes() == together.caller.activity.raw.tobytes()
    late = attend_pair(hear(caller, start_sec=1.5), hear(agent, start_sec=1.5))
    assert late.frames == together.frames + 150
    assert starts(late) == pytest.approx([start + 1.5 for start, _ in CALLER], abs=0.03)


def test_a_mix_in_doubt_is_heard_again_too(write):
    mixed = tell_apart(hear(write(sound(noise_db=-36.0).sum(axis=1, dtype=np.int16)[:, None])), STEREO)
    assert mixed.track.activity.detector == "robust" and mixed.track.replaced is not None


def test_an_echo_too_faint_for_the_documented_coherence_is_found(write):
    samples = sound().astype(np.float64)
    samples[960:, 0] += 0.1 * samples[:-960, 1]
    heard = attend(hear(write(np.rint(samples).astype(np.int16))), STEREO)
    assert not heard.echo.suspected and heard.above_echo
    assert starts(heard) == pytest.approx([start for start, _ in CALLER], abs=0.03)
    assert not attend(hear(write(np.rint(samples).astype(np.int16))), STEREO, detector="reference").above_echo


def test_a_file_that_changed_between_the_looks_is_refused(write):
    path = write(sound(noise_db=-36.0))
    hearing = hear(path)
    path.write_bytes(path.read_bytes() + b"\0\0")
    with pytest.raises(Refusal) as refused:
        attend(hearing, STEREO)
    assert refused.value.code == "changed_while_read"
    assert attend(hearing, STEREO, detector="reference").caller.activity.doubts


def test_every_channel_of_identical_ones_stays_with_the_reference(write):
    one = sound(noise_db=-36.0)[:, :1]
    heard = attend(hear(write(np.repeat(one, 2, axis=1))), STEREO)
    assert heard.identical and heard.caller.activity.detector == "reference"


def with_song(samples: np.ndarray, channel: int, first_sec: int, stop_sec: int) -> np.ndarray:
    """The call with chords on a channel, at -26 dBFS, and a voice over them that pauses nowhere."""
    both, length = samples.astype(np.int64), (stop_sec - first_sec) * RATE
    chords = noise.at_level(noise.music(length, RATE), -26.0)
    spans = [(at, at + 0.55) for at in np.arange(0.0, stop_sec - first_sec, 0.6)]
    sung = speech_like("singer", spans, length, RATE) // 3
    both[first_sec * RATE : stop_sec * RATE, channel] += chords + sung
    return np.clip(both, -32768, 32767).astype(np.int16)


def music_of(track: Track) -> list[tuple[float, float]]:
    return [(run.first / 100, run.stop / 100) for run in track.activity.music]


@pytest.mark.parametrize("channel", [0, 1])
def test_music_in_which_somebody_sings_is_named_on_its_channel_and_on_no_other(write, channel):
    heard = attend(hear(write(with_song(sound(), channel, 8, 24))), STEREO)
    tracks = (heard.caller, heard.agent)
    ((first, stop),) = music_of(tracks[channel])
    # The agent's own sound runs into the music from 6 s on, and on from it up to 28 s.
    assert (6.9, 5.9)[channel] <= first <= 8.5 and 23.5 <= stop <= (25.1, 28.2)[channel]
    assert music_of(tracks[1 - channel]) == []
    assert MUSIC not in [reason.code for track in tracks for reason in track.activity.doubts]


def test_a_sound_that_never_pauses_and_is_no_music_keeps_the_documented_answer(write, looks, monkeypatch):
    measured = []

    class Counted(PartialMeter):
        def feed(self, samples):
            measured.append(len(samples))
            super().feed(samples)

    monkeypatch.setattr("hotato.listen.again.PartialMeter", Counted)
    samples = sound()
    samples[:, 1] = np.rint(speech_like("talker", [(12.0, 27.0)], len(samples), RATE) / 3.0)
    path = write(samples)
    plain, heard = attend(hear(path), STEREO, detector="reference"), attend(hear(path), STEREO)
    assert sum(measured) == pytest.approx(15 * RATE, abs=RATE)  # that sound, and nothing else of the call
    assert looks == [] and heard.agent.replaced is None and detectors(heard) == {}
    assert heard.agent.activity.raw.tobytes() == plain.agent.activity.raw.tobytes()
    measured.clear()
    attend(hear(write(sound())), STEREO)
    assert measured == []


def test_music_is_found_in_two_files_and_in_a_mix_as_well(write):
    samples = with_song(sound(), 1, 8, 24)
    apart = attend_pair(
        hear(write(samples[:, :1], "c.wav"), start_sec=2.0),
        hear(write(samples[:, 1:], "a.wav"), start_sec=2.0),
    )
    ((first, stop),) = music_of(apart.agent)
    assert 7.9 <= first <= 10.5 and 25.5 <= stop <= 30.2
    mixed = tell_apart(hear(write(samples.sum(axis=1, dtype=np.int16)[:, None])), STEREO)
    assert len(music_of(mixed.track)) == 1
