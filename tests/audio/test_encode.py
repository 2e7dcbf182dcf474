"""Samples encoded and decoded again: each of them the same, in whatever form they fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.audio import open_recording
from hotato.audio.encode import lossless


def back(tmp_path, data, kind):
    path = tmp_path / f"x.{kind}"
    path.write_bytes(data)
    with open_recording(path) as reader:
        blocks = list(reader.blocks(1000))
        return np.concatenate(blocks), reader.recording()


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 44100, 48000, 96000, 70001])
@pytest.mark.parametrize("full_scale", [1 << 15, 1 << 23])
def test_every_sample_comes_back(tmp_path, rate, full_scale):
    draw = np.random.default_rng(rate)
    samples = draw.integers(-full_scale, full_scale, (997, 2)).astype(np.int32)
    samples[0] = (-full_scale, full_scale - 1)
    samples = samples.astype(np.int16) if full_scale == 1 << 15 else samples
    data, kind = lossless(samples, rate, full_scale)
    decoded, recording = back(tmp_path, data, kind)
    assert np.array_equal(decoded, samples) and recording.full_scale == full_scale
    assert (recording.sample_rate_hz, recording.findings) == (rate, ())
    assert lossless(samples, rate, full_scale) == (data, kind)


def test_what_flac_cannot_hold_is_wav(tmp_path):
    over = np.array([[0, 3 << 23], [-(2 << 23), 1]], dtype=np.int32)
    data, kind = lossless(over, 16000, 1 << 23)
    decoded, _ = back(tmp_path, data, kind)
    assert kind == "wav" and np.array_equal(decoded, over)
    assert lossless(over // 8, 16000, 1 << 23)[1] == "flac"
    assert lossless(over // 8, 70001, 1 << 23)[1] == "wav"


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(*[st.integers(-(1 << 25), 1 << 25)] * 2), min_size=1, max_size=40))
def test_any_wide_samples_come_back(tmp_path_factory, rows):
    samples = np.array(rows, dtype=np.int32)
    decoded, _ = back(tmp_path_factory.mktemp("e"), *lossless(samples, 16000, 1 << 23))
    assert np.array_equal(decoded, samples)
