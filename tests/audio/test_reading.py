"""How a recording is read: blocks, order, standard input, repetition, resources."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.audio import open_recording
from hotato.audio.reblock import reblock


@pytest.fixture(scope="module")
def files(tmp_path_factory, wav, tone) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("files")
    made = {}
    short = tone[:9_001]
    for name, form in {
        "pcm16": {"format": "WAV", "subtype": "PCM_16"},
        "pcm24": {"format": "WAV", "subtype": "PCM_24"},
        "ulaw": {"format": "WAV", "subtype": "ULAW"},
        "flac": {"format": "FLAC", "subtype": "PCM_24"},
        "opus": {"format": "OGG", "subtype": "OPUS"},
        "mp3": {"format": "MP3"},
    }.items():
        made[name] = folder / name
        soundfile.write(made[name], short, 48_000, **form)
    return made


@given(frames=st.integers(1, 20_000), kind=st.sampled_from(["pcm16", "pcm24", "ulaw", "flac", "opus", "mp3"]))
@settings(max_examples=40, deadline=None)
def test_the_block_length_changes_nothing_but_the_blocks(files, decode, frames, kind):
    expected = decode(files[kind], frames=777)
    with open_recording(files[kind]) as reader:
        blocks = list(reader.blocks(frames))
        recording = reader.recording()
    assert all(len(block) == frames for block in blocks[:-1])
    assert 0 < len(blocks[-1]) <= frames
    assert all(b.flags.c_contiguous and b.dtype.isnative and not b.flags.writeable for b in blocks)
    assert np.array_equal(np.concatenate(blocks), expected.samples)
    assert recording == expected.recording


@given(lengths=st.lists(st.integers(0, 50), max_size=20), frames=st.integers(1, 60))
@settings(max_examples=100, deadline=None)
def test_reblocking_keeps_every_sample_in_order(lengths, frames):
    total = np.arange(sum(lengths) * 2, dtype=np.int32).reshape(-1, 2)
    ends = np.cumsum(lengths)
    pieces = [total[end - length : end] for length, end in zip(lengths, ends, strict=True)]
    got = list(reblock(pieces, frames))
    assert [len(block) for block in got] == [
        min(frames, len(total) - start) for start in range(0, len(total), frames)
    ]
    assert len(total) == 0 or np.array_equal(np.concatenate(got), total)


def test_two_runs_and_another_folder_give_the_same_record(files, decode, tmp_path):
    for path in files.values():
        moved = tmp_path / path.name
        moved.write_bytes(path.read_bytes())
        assert decode(path).recording == decode(path).recording == decode(moved).recording


def test_without_digests_only_the_digests_are_missing(files, decode):
    for path in files.values():
        with open_recording(path, digests="none") as reader:
            assert sum(len(block) for block in reader.blocks(1000)) == decode(path).recording.frames
            recording = reader.recording()
        assert (recording.file_sha256, recording.pcm_sha256) == ("", "")
        assert recording.frames == decode(path).recording.frames


def test_the_record_is_there_only_after_the_last_block(files):
    with open_recording(files["pcm16"]) as reader:
        blocks = reader.blocks(1000)
        next(blocks)
        with pytest.raises(RuntimeError):
            reader.recording()
        with pytest.raises(RuntimeError):
            reader.blocks(1000)
    with open_recording(files["pcm16"]) as reader, pytest.raises(ValueError):
        reader.blocks(0)


def test_header_facts_are_known_before_any_sample(files):
    with open_recording(files["flac"]) as reader:
        assert reader.container.declared_frames == 9_001
        assert reader.container.channels == 2
        assert reader.full_scale == 1 << 23


@pytest.mark.parametrize("kind", ["pcm16", "flac", "opus", "mp3"])
def test_standard_input_gives_what_the_file_gives(files, decode, monkeypatch, kind):
    content = files[kind].read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with open_recording("-") as reader:
        samples = np.concatenate(list(reader.blocks(512)))
        recording = reader.recording()
    expected = decode(files[kind])
    assert np.array_equal(samples, expected.samples)
    assert recording.name == "stdin"
    assert recording.file_sha256 == expected.recording.file_sha256


def test_a_real_pipe_works(files, decode):
    program = (
        "from hotato.audio import open_recording\n"
        "with open_recording('-') as r:\n    [b for b in r.blocks(100)]\n    print(r.recording().pcm_sha256)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=files["pcm16"].read_bytes(),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.decode().strip() == decode(files["pcm16"]).recording.pcm_sha256


def test_a_tiny_file_that_claims_gigabytes_allocates_nothing(tmp_path, wav):
    path = tmp_path / "call.wav"
    path.write_bytes(wav(b"\1\0\2\0", data_size=0xF0000000, riff_size=0xF0000024).build())
    tracemalloc.start()
    try:
        with open_recording(path) as reader:
            assert sum(len(block) for block in reader.blocks(1 << 40)) == 1
            reader.recording()
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_memory_follows_the_block_not_the_file(tmp_path, wav):
    path = tmp_path / "call.wav"
    with path.open("wb") as file:
        file.write(wav(b"", data_size=64 << 20, riff_size=36 + (64 << 20)).build())
        file.truncate(44 + (64 << 20))
    tracemalloc.start()
    try:
        with open_recording(path) as reader:
            assert sum(len(block) for block in reader.blocks(1000)) == 16 << 20
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["pcm16", "flac"])
def test_leaving_early_ends_threads_and_closes_the_file(files, kind):
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with open_recording(files[kind]) as reader:
        next(reader.blocks(10))
    gc.collect()
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) == descriptors  # noqa: PTH208


def test_reading_a_wav_loads_no_decoder_library(files):
    program = (
        "import sys\nfrom hotato.audio import open_recording\n"
        f"with open_recording({str(files['pcm16'])!r}) as r:\n    list(r.blocks(100))\n"
        "print(sorted({'soundfile', 'av'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.decode().strip() == "[]"
