"""What is refused: one line with the name, the reason and the next step, and nothing left open."""

from __future__ import annotations

import io
import os
import socket
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.audio import open_recording
from hotato.errors import Refusal

OPENING = {"not_found", "is_a_directory", "permission_denied", "unreadable", "not_a_file"}
"""What opening a file is refused with: these name the path as it was typed, all others the base name."""


def _refused(source) -> Refusal:
    with pytest.raises(Refusal) as caught, open_recording(source) as reader:
        for _ in reader.blocks(4096):
            pass
    refusal = caught.value
    assert refusal.exit_code == 2
    assert refusal.remedy
    assert "\n" not in str(refusal)
    typed = refusal.code in OPENING
    assert typed or str(Path(source).parent) not in refusal.message or Path(source).parent == Path()
    return refusal


def _file(tmp_path, content: bytes, name="call.wav"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("source", ["no-such-file.wav", "with\0nul.wav", ""])
def test_a_missing_file(source):
    assert _refused(source).code == "not_found"


def test_a_file_used_as_a_folder(tmp_path):
    assert _refused(_file(tmp_path, b"x") / "call.wav").code == "not_found"


def test_a_directory(tmp_path):
    refusal = _refused(tmp_path)
    assert refusal.code == "is_a_directory"
    assert f"'{tmp_path}'" in refusal.message


def test_no_permission(tmp_path, wav, pcm16):
    path = _file(tmp_path, wav(pcm16.tobytes()).build())
    path.chmod(0)
    if os.geteuid() != 0:
        assert _refused(path).code == "permission_denied"
        return
    folders = [p for p in tmp_path.parents if p != Path("/") and not p.stat().st_mode & 0o001]
    modes = [(p, p.stat().st_mode) for p in [tmp_path, *folders]]
    for folder, mode in modes:
        folder.chmod(mode | 0o055)
    os.seteuid(65534)
    try:
        assert _refused(path).code == "permission_denied"
    finally:
        os.seteuid(0)
        for folder, mode in modes:
            folder.chmod(mode)


def test_a_name_too_long_is_unreadable(tmp_path):
    assert _refused(tmp_path / ("x" * 5000)).code == "unreadable"


def test_pipes_sockets_and_devices_are_refused_without_waiting(tmp_path):
    pipe = tmp_path / "pipe.wav"
    os.mkfifo(pipe)
    assert _refused(pipe).code == "not_a_file"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        assert _refused(tmp_path / "s").code == "not_a_file"
    for device in filter(os.path.exists, ("/dev/zero", "/dev/full", "/dev/null")):
        assert _refused(device).code == "not_a_file"


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"", "empty"),
        (b"\0" * 5000, "zeros"),
        (b"hello, this is a transcript\n" * 40, "text"),
        ("grüße\n".encode() * 200, "text"),
        (b'{"error": "not found"}', "JSON"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
        (np.random.default_rng(0).bytes(20_000), "no known sound format"),
        (b"RIFF\x24\0\0\0WEBPVP8 " + b"\0" * 30, "WEBP"),
        (b"RIFF", "RIFF"),
        (b"RIFF\x04\0\0\0WAVE", "no format chunk"),
        (b"\xff\xfb\x90\x00" + b"\0" * 2000, "no known sound format"),
    ],
)
def test_what_is_not_audio_is_named(tmp_path, content, hint):
    refusal = _refused(_file(tmp_path, content))
    assert refusal.code == "not_audio"
    assert hint in refusal.message


def test_zero_frames(tmp_path, wav):
    assert _refused(_file(tmp_path, wav(b"").build())).code == "no_samples"
    assert _refused(_file(tmp_path, wav(b"", data_size=0xFFFFFFFF).build())).code == "no_samples"
    assert _refused(_file(tmp_path, wav(b"abc").build())).code == "no_samples"
    without_data = wav(b"").build()[:36]
    assert _refused(_file(tmp_path, without_data)).code == "no_samples"
    import soundfile

    for form in ("AIFF", "AU", "CAF"):
        soundfile.write(tmp_path / "x", np.zeros((0, 2), np.int16), 8000, format=form)
        assert _refused(tmp_path / "x").code == "no_samples"


@pytest.mark.parametrize("bits", [32, 64])
def test_non_finite_samples_are_counted_over_the_whole_file(tmp_path, wav, bits):
    floats = np.zeros(20_000, f"<f{bits // 8}")
    floats[[5, 9_000, 19_999]] = np.nan
    floats[[6, 10_000]] = np.inf, -np.inf
    refusal = _refused(_file(tmp_path, wav(floats.tobytes(), kind="float", bits=bits).build()))
    assert refusal.code == "non_finite_samples"
    assert "3 NaN and 2 infinite" in refusal.message


def test_no_block_holds_or_follows_a_non_finite_sample(tmp_path, wav):
    floats = np.zeros((1_000_000, 2), "<f4")
    floats[600_000] = np.nan
    path = _file(tmp_path, wav(floats.tobytes(), kind="float", bits=32).build())
    with open_recording(path) as reader, pytest.raises(Refusal):
        seen = 0
        for block in reader.blocks(1000):
            seen += len(block)
            assert seen <= 600_000


@pytest.mark.parametrize(
    ("rate", "code"),
    [
        (0, "sample_rate_too_low"),
        (3999, "sample_rate_too_low"),
        (384_001, "sample_rate_too_high"),
        (0xFFFFFFFF, "sample_rate_too_high"),
    ],
)
def test_rates_that_no_call_has(tmp_path, wav, rate, code):
    content = bytearray(wav(b"\0" * 400).build())
    content[24:28] = struct.pack("<I", rate)
    assert _refused(_file(tmp_path, bytes(content))).code == code


def test_channels(tmp_path, wav):
    assert _refused(_file(tmp_path, wav(b"\0" * 400, channels=0).build())).code == "not_audio"
    assert _refused(_file(tmp_path, wav(b"\0" * 400, channels=65).build())).code == "too_many_channels"


def test_an_unknown_codec_in_wav_is_refused_with_its_tag(tmp_path, wav):
    content = bytearray(wav(b"\0" * 400).build())
    content[20:22] = struct.pack("<H", 0x1234)
    refusal = _refused(_file(tmp_path, bytes(content)))
    assert refusal.code == "unsupported_encoding"
    assert "0x1234" in refusal.message


def test_a_header_that_makes_no_sense_is_said_in_plain_words(tmp_path):
    target = tmp_path / "call.caf"
    soundfile.write(target, np.zeros((800, 2), dtype=np.int16), 8000)
    content = bytearray(target.read_bytes())
    rate = content.index(b"desc") + 12
    content[rate : rate + 8] = struct.pack(">d", 0.0)
    target.write_bytes(bytes(content))
    refusal = _refused(target)
    assert refusal.code == "unsupported_encoding"
    assert "(its header is incomplete or contradicts itself)" in refusal.message


@pytest.mark.parametrize("bits", [0, 40, 64, 24_932])
def test_integer_samples_of_an_impossible_width(tmp_path, wav, bits):
    content = bytearray(wav(b"\0" * 400).build())
    content[32:36] = struct.pack("<HH", 9, bits)
    refusal = _refused(_file(tmp_path, bytes(content)))
    assert refusal.code == "unsupported_encoding"
    assert f"{bits}-bit" in refusal.message


def test_a_name_with_control_characters_cannot_forge_a_line(tmp_path):
    name = "a\nb\x1b[31m.wav"
    message = str(_refused(_file(tmp_path, b"", name)))
    assert "\x1b" not in message


def test_a_file_that_shrinks_between_opening_and_reading(tmp_path, wav):
    path = _file(tmp_path, wav(b"\1\0" * 400_000).build())
    with open_recording(path) as reader:
        os.truncate(path, 100_000)
        with pytest.raises(Refusal) as refused:
            list(reader.blocks(4096))
        assert refused.value.code == "changed_while_read"
        with pytest.raises(RuntimeError):
            reader.recording()


@pytest.mark.parametrize("form", ["FLAC", "OGG", "MP3", "AIFF"])
def test_a_shrinking_file_is_noticed_behind_a_library_too(tmp_path, form, capfd):
    import soundfile

    soundfile.write(tmp_path / "x", np.random.default_rng(0).normal(0, 0.1, (90_000, 2)), 48_000, format=form)
    with open_recording(tmp_path / "x") as reader:
        os.truncate(tmp_path / "x", (tmp_path / "x").stat().st_size // 3)
        with pytest.raises(Refusal) as refused:
            list(reader.blocks(4096))
    assert refused.value.code == "changed_while_read"
    assert capfd.readouterr().err == ""


def test_a_file_that_grows_or_is_replaced_while_it_is_read(tmp_path, wav):
    content = wav(b"\1\0" * 400_000).build()
    path = _file(tmp_path, content)
    with open_recording(path) as reader, pytest.raises(Refusal, match="changed"):
        for _ in reader.blocks(4096):
            path.write_bytes(content + b"\0\0\0\0")
    path.write_bytes(content)
    with open_recording(path) as reader, pytest.raises(Refusal, match="changed"):
        for number, _ in enumerate(reader.blocks(4096)):
            if number == 0:
                _file(tmp_path, content, "new.wav").replace(path)


def test_standard_input_is_bounded(monkeypatch):
    from hotato.audio import limits, source

    monkeypatch.setattr(source, "LIMITS", limits.AudioLimits(stdin_max_bytes=3 << 20))
    with Path("/dev/zero").open("rb") as endless:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless))
        with pytest.raises(Refusal) as refused:
            open_recording("-")
    assert refused.value.code == "too_large"


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert _refused("-").code == "unreadable"
