"""Where header and body disagree the samples that are there are read, and the disagreement is stated."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from hotato.audio import open_recording

UNKNOWN_SIZES = [
    0,
    0xFFFFFFFF,
    0x7FFFFFFF,
    0x7FFFFFFF - 36,
    0xFFFFFFFF - 36,
    0x80000000,
    2_000_000_000,
    0x7FFFF000,
]


def _evidence(got, code):
    (finding,) = [f for f in got.recording.findings if f.code == code]
    return finding.evidence


@pytest.mark.parametrize("size", UNKNOWN_SIZES)
@pytest.mark.parametrize("order", ["<", ">"])
def test_placeholder_sizes_of_streaming_writers_read_to_the_end(wav, decode_bytes, pcm16, size, order):
    data = pcm16.astype(f"{order}i2").tobytes()
    got = decode_bytes(wav(data, data_size=size, riff_size=size, order=order).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"header_size_unknown"}
    assert got.recording.container.declared_frames is None
    assert _evidence(got, "header_size_unknown")["found_bytes"] == len(data)


def test_a_placeholder_in_the_file_header_alone_is_stated(wav, decode_bytes, pcm16):
    got = decode_bytes(wav(pcm16.tobytes(), riff_size=0xFFFFFFFF).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"header_size_unknown"}
    assert got.recording.container.declared_frames == 3001


@pytest.mark.parametrize("size", [0, (1 << 64) - 1, 1 << 63, (1 << 63) - 1])
def test_placeholder_sizes_of_64_bits(wav, w64, rf64, decode_bytes, pcm16, size):
    pcm16 = pcm16[:3000]  # a length that W64 does not pad
    for content in (w64(pcm16.tobytes(), wav().fmt(), size), rf64(pcm16.tobytes(), wav().fmt(), size)):
        got = decode_bytes(content)
        assert np.array_equal(got.samples, pcm16)
        assert "header_size_unknown" in got.codes


def test_a_truncated_file_keeps_the_samples_it_has(wav, decode_bytes, pcm16):
    whole = wav(pcm16.tobytes()).build()
    got = decode_bytes(whole[: -4 * 1001])
    assert np.array_equal(got.samples, pcm16[:2000])
    assert got.codes == {"truncated"}
    assert got.recording.container.declared_frames == 3001
    assert _evidence(got, "truncated") == {
        "declared_bytes": 12_004,
        "found_bytes": 8_000,
        "missing_sec": round(1001 / 16_000, 6),
    }


def test_bytes_that_do_not_fill_a_frame_are_dropped_and_counted(wav, decode_bytes, pcm16):
    got = decode_bytes(wav(pcm16.tobytes() + b"abc").build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"partial_frame"}
    assert _evidence(got, "partial_frame") == {"left_bytes": 3, "frame_bytes": 4}


def test_short_junk_behind_the_samples_is_not_sound(wav, decode_bytes, pcm16):
    got = decode_bytes(wav(pcm16.tobytes(), tail=b"\x01\x02\x03\x04" * 10).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"trailing_bytes"}
    assert _evidence(got, "trailing_bytes")["trailing_bytes"] == 40


@pytest.mark.parametrize("tail", [b"TAG" + b"x" * 125, b"\0" * 200_000, b"LIST\xff\xff\xff\x7fINFO"])
def test_tags_zeros_and_broken_chunks_behind_the_samples_are_not_sound(wav, decode_bytes, pcm16, tail):
    got = decode_bytes(wav(pcm16.tobytes(), tail=tail).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"trailing_bytes"}


def test_a_header_left_behind_by_a_crash_does_not_hide_the_samples_after_it(wav, decode_bytes):
    samples = np.random.default_rng(3).integers(-900, 900, (40_000, 2), dtype=np.int16)
    got = decode_bytes(wav(samples.tobytes(), data_size=4 * 10_000, riff_size=36 + 4 * 10_000).build())
    assert np.array_equal(got.samples, samples)
    assert got.codes == {"header_size_wrong"}
    assert _evidence(got, "header_size_wrong") == {"declared_bytes": 40_000, "found_bytes": 160_000}


def test_joined_files_give_the_first_and_say_what_follows(wav, decode_bytes, pcm16):
    one = wav(pcm16.tobytes()).build()
    got = decode_bytes(one + one)
    assert np.array_equal(got.samples, pcm16)
    (finding,) = got.recording.findings
    assert finding.code == "trailing_bytes"
    assert "another RIFF header" in finding.sentence


def test_a_wrong_file_length_is_stated(wav, decode_bytes, pcm16):
    got = decode_bytes(wav(pcm16.tobytes(), riff_size=1234).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"header_size_wrong"}


@pytest.mark.parametrize("size", [3, 50, 4_000, 0x7000_0000, 0xFFFF_FFFF])
def test_a_chunk_of_wrong_length_before_the_samples_does_not_hide_them(wav, decode_bytes, pcm16, size):
    content = wav(pcm16.tobytes(), before=[(b"LIST", b"\x01" * 26)]).build()
    got = decode_bytes(content[:16] + struct.pack("<I", size) + content[20:])
    assert np.array_equal(got.samples, pcm16)
    assert "header_size_wrong" in got.codes


@pytest.mark.parametrize("size", [17, 200, 0xFFFF_FFFF])
def test_a_format_chunk_of_wrong_length_is_survived(wav, decode_bytes, pcm16, size):
    got = decode_bytes(wav(pcm16.tobytes(), fmt_size=size).build())
    assert np.array_equal(got.samples, pcm16)
    assert "header_size_wrong" in got.codes


def test_a_wrong_block_size_and_byte_rate_are_stated(wav, decode_bytes, pcm16):
    content = bytearray(wav(pcm16.tobytes()).build())
    content[28:34] = struct.pack("<IH", 5, 0)
    got = decode_bytes(bytes(content))
    assert np.array_equal(got.samples, pcm16)
    assert [f.code for f in got.recording.findings] == ["format_damaged", "format_damaged"]


def test_float_beyond_full_scale_is_counted_and_kept_up_to_four_times(wav, decode_bytes):
    floats = np.array([0.5, 1.0, -1.0, 1.5, -3.0, 9.0, 3e38, 0.0], "<f4")
    got = decode_bytes(wav(floats.tobytes(), kind="float", bits=32).build())
    assert got.ratio.ravel().tolist() == [0.5, 1.0, -1.0, 1.5, -3.0, 4.0, 4.0, 0.0]
    evidence = _evidence(got, "over_full_scale")
    assert evidence["samples"] == 4
    assert evidence["largest_full_scale"] == pytest.approx(3e38)


def test_findings_have_codes_sentences_and_no_path(wav, decode_bytes, tmp_path, pcm16):
    got = decode_bytes(wav(pcm16.tobytes() + b"abc", data_size=0).build(), "Ä call.wav")
    assert got.recording.name == "Ä call.wav"
    for finding in got.recording.findings:
        assert finding.code.isidentifier()
        assert finding.sentence
        assert str(tmp_path) not in repr(finding)


def _loud(frames=40_000):
    return np.random.default_rng(3).integers(-900, 900, (frames, 2), dtype=np.int16)


@pytest.mark.parametrize("silent_frames", [1, 4, 160, 12_000])
@pytest.mark.parametrize("order", ["<", ">"])
def test_digital_silence_behind_a_stated_size_does_not_hide_the_sound_after_it(
    wav, decode_bytes, order, silent_frames
):
    samples = _loud()
    samples[10_000 : 10_000 + silent_frames] = 0
    data = samples.astype(f"{order}i2").tobytes()
    got = decode_bytes(wav(data, data_size=4 * 10_000, riff_size=36 + 4 * 10_000, order=order).build())
    assert np.array_equal(got.samples, samples)
    (finding,) = got.recording.findings
    assert finding.code == "header_size_wrong"
    assert finding.remedy


def _au(data, stated, order=">"):
    magic = b".snd" if order == ">" else b"dns."
    return magic + struct.pack(order + "5I", 24, stated, 3, 16_000, 2) + data


def test_a_length_of_an_au_file_that_is_too_small_does_not_hide_the_samples(decode_bytes):
    samples = _loud()
    samples[10_000:10_200] = 0
    got = decode_bytes(_au(samples.astype(">i2").tobytes(), 4 * 10_000))
    assert np.array_equal(got.samples, samples)
    assert got.codes == {"header_size_wrong"}


def test_zeros_alone_and_short_junk_behind_an_au_file_are_no_sound(decode_bytes):
    samples = _loud(20_000)
    data = samples.astype(">i2").tobytes()
    for tail in (bytes(400_000), b"\x01\x02" * 20):
        got = decode_bytes(_au(data + tail, len(data)))
        assert np.array_equal(got.samples, samples)
        (finding,) = got.recording.findings
        assert (finding.code, finding.remedy) == ("trailing_bytes", None)


OTHERS = [
    b"RIFF\x24\x00\x00\x00WAVEfmt ",
    b"fLaC\x00\x00\x00\x22",
    b"OggS\x00\x02\x00\x00",
    b".snd\x00\x00\x00\x18",
    b"caff\x00\x01\x00\x00desc",
    b"FORM\x00\x00\x10\x00AIFF",
    bytes.fromhex("726966662e91cf11a5d628db04c10000"),
]


@pytest.mark.parametrize("head", OTHERS)
@pytest.mark.parametrize("container", ["wav", "au"])
def test_another_recording_behind_the_samples_is_stated_as_unread(wav, decode_bytes, container, head):
    samples = _loud(20_000)
    tail = head + _loud().tobytes()
    if container == "wav":
        content = wav(samples.tobytes(), tail=tail).build()
    else:
        content = _au(samples.astype(">i2").tobytes() + tail, 4 * 20_000)
    got = decode_bytes(content)
    assert np.array_equal(got.samples, samples)
    (finding,) = got.recording.findings
    assert finding.code == "trailing_bytes"
    assert finding.evidence["unread"] == "recording"
    assert finding.evidence["trailing_bytes"] == len(tail)
    assert finding.remedy


def test_zeros_without_end_are_followed_no_further_than_the_limit(wav, tmp_path):
    path = tmp_path / "sparse.wav"
    path.write_bytes(wav(_loud(1_000).tobytes()).build())
    with path.open("r+b") as file:
        file.truncate(1 << 40)  # nothing is stored, and reading to its end would take many minutes
    with open_recording(path, digests="none") as reader:
        assert "header_size_wrong" in {finding.code for finding in reader.container.findings}


def _aiff(samples, frames=None, size=None, tail=b""):
    data = samples.astype(">i2").tobytes()
    rate = bytes.fromhex("400cfa00000000000000")  # 16 kHz as an 80-bit float
    comm = struct.pack(">HIH", 2, len(samples) if frames is None else frames, 16) + rate
    stated = 8 + len(data) if size is None else size
    chunks = b"COMM" + struct.pack(">I", 18) + comm + b"SSND" + struct.pack(">I", stated) + bytes(8) + data
    return b"FORM" + struct.pack(">I", 4 + len(chunks)) + b"AIFF" + chunks + tail


@pytest.mark.parametrize("size", [0, 0xFFFF_FFFF])
@pytest.mark.parametrize("frames", [40_000, 0, 0xFFFF_FFFF])
def test_a_placeholder_size_of_an_aiff_sound_chunk_is_stated(decode_bytes, size, frames):
    samples = _loud()
    got = decode_bytes(_aiff(samples, frames, size))
    assert np.array_equal(got.samples, samples)
    assert got.codes == {"header_size_unknown"}
    assert _evidence(got, "header_size_unknown")["declared_bytes"] == size


def test_sound_that_no_aiff_header_accounts_for_is_stated_as_unread(decode_bytes):
    samples = _loud()
    got = decode_bytes(_aiff(samples, 10_000, 8 + 4 * 10_000))
    assert np.array_equal(got.samples, samples[:10_000])
    assert _evidence(got, "trailing_bytes") == {
        "trailing_bytes": 4 * 30_000,
        "offset_bytes": 12 + 26 + 16 + 4 * 10_000,
        "unread": "sound",
    }


def test_a_sound_aiff_file_has_no_findings(decode_bytes):
    samples = _loud()
    for tail in (b"", b"ANNO" + struct.pack(">I", 4) + b"none"):
        got = decode_bytes(_aiff(samples, tail=tail))
        assert np.array_equal(got.samples, samples)
        assert got.codes == set()
