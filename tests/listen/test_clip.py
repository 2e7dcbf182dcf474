"""A stretch of a call cut out: to the sample, from one file or two, whatever lies around it."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from hotato.listen import cut, hear
from hotato.stacks import ChannelMap

RATE = 16_000


@pytest.fixture
def noise():
    return np.random.default_rng(7).integers(-20_000, 20_000, (RATE * 9, 3)).astype(np.int16)


def test_a_stretch_across_blocks_is_cut_to_the_sample(tmp_path, noise):
    soundfile.write(tmp_path / "a.wav", noise, RATE)
    hearing = hear(tmp_path / "a.wav")
    clip = cut((hearing,), ChannelMap(2, 0, source="flags"), 62_345, 133_001)
    assert np.array_equal(clip.samples, noise[62_345:133_001, [2, 0]])
    assert (clip.rate_hz, clip.full_scale) == (RATE, 1 << 15)


def test_two_files_of_unequal_width_start_and_length_become_one(tmp_path, noise):
    caller, agent = noise[:, 0], noise[: RATE * 4, 1]
    soundfile.write(tmp_path / "c.wav", caller, RATE)
    soundfile.write(tmp_path / "a.wav", agent.astype(np.int32) << 16, RATE, subtype="PCM_24")
    hearings = (hear(tmp_path / "c.wav"), hear(tmp_path / "a.wav", start_sec=1.5))
    clip = cut(hearings, ChannelMap(0, 1, source="files"), RATE, RATE * 8)
    assert clip.full_scale == 1 << 23
    expected = np.zeros((RATE * 9, 2), dtype=np.int64)
    expected[:, 0] = caller.astype(np.int64) * 256
    expected[round(1.5 * RATE) : round(5.5 * RATE), 1] = agent.astype(np.int64) * 256
    assert np.array_equal(clip.samples, expected[RATE : RATE * 8])


def test_a_long_call_is_not_kept_in_memory(tmp_path):
    import tracemalloc

    with soundfile.SoundFile(tmp_path / "long.wav", "w", RATE, 2, "PCM_16") as file:
        for _ in range(20):
            file.write(np.zeros((RATE * 60, 2), dtype=np.int16))
    hearing = hear(tmp_path / "long.wav")
    tracemalloc.start()
    clip = cut((hearing,), ChannelMap(0, 1), RATE * 600, RATE * 608)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert clip.samples.shape == (RATE * 8, 2) and peak < 8_000_000  # the call is 77 MB
