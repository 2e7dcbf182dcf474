"""Ctrl-C while a library decodes, and files that are silence packed tight."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.audio import open_recording
from hotato.audio.signals import signals_held
from hotato.errors import Refusal
from hotato.listen import hear

READ_WHOLE = """
import sys
from hotato.audio import open_recording
print("ready", flush=True)
try:
    with open_recording(sys.argv[1]) as reader:
        frames = sum(len(block) for block in reader.blocks(4096))
        print("whole", reader.recording().frames)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_held_signal_arrives_right_after_the_body():
    steps = []
    with pytest.raises(KeyboardInterrupt), signals_held():
        signal.raise_signal(signal.SIGINT)
        steps.append("body went on")
    assert steps == ["body went on"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("form", ["FLAC", "OGG"])
def test_an_interrupted_decode_never_passes_for_a_whole_one(tmp_path: Path, form: str):
    """Interrupted at many moments it says so; in no case does it call a part the whole."""
    path = tmp_path / f"call.{form.lower()}"
    noise = np.random.default_rng(1).normal(0.0, 0.1, (16_000 * 120, 2))
    soundfile.write(path, noise, 16_000, format=form)
    whole = len(noise)
    for delay_sec in np.linspace(0.0, 0.35, 12):
        child = subprocess.Popen(
            [sys.executable, "-c", READ_WHOLE, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        time.sleep(delay_sec)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        assert "callback" not in err
        assert out in ("interrupted\n", f"whole {whole}\n") or "KeyboardInterrupt" in err


def test_hours_of_packed_silence_are_refused(tmp_path: Path):
    path = tmp_path / "bomb.flac"
    rate, hour = 4_000, np.zeros((4_000 * 3_600, 1), np.int16)
    with soundfile.SoundFile(path, "w", rate, 1, format="FLAC", subtype="PCM_16") as file:
        for _ in range(3):
            file.write(hour)
    with open_recording(path) as reader, pytest.raises(Refusal) as refused:
        for _ in reader.blocks(65_536):
            pass
    assert refused.value.code == "too_long"


def test_a_long_call_in_little_space_is_read(tmp_path: Path):
    path = tmp_path / "quiet.flac"
    soundfile.write(path, np.zeros((4_000 * 3_600, 1), np.int16), 4_000, format="FLAC")
    with open_recording(path, digests="none") as reader:
        assert sum(len(block) for block in reader.blocks(65_536)) == 4_000 * 3_600


def test_equal_channels_among_many_are_found(tmp_path: Path):
    noise = np.random.default_rng(2).integers(-9_000, 9_000, (8_000, 6)).astype(np.int16)
    noise[:, 4] = noise[:, 1]
    noise[:, 5] = noise[:, 1]
    noise[7_999, 5] += 1
    soundfile.write(tmp_path / "six.wav", noise, 8_000)
    assert hear(tmp_path / "six.wav").identical == frozenset({(1, 4)})
