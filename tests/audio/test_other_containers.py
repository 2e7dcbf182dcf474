"""FLAC, Ogg, MP3, AIFF, AU, CAF, WAV with a codec inside, and what the optional decoder adds."""

from __future__ import annotations

import struct
import sys

import numpy as np
import pytest
import soundfile

from hotato.audio import open_recording
from hotato.errors import Refusal

LOSSLESS = [
    ("FLAC", "PCM_16", "flac", "flac"),
    ("AIFF", "PCM_16", "aiff", "pcm_s16"),
    ("AU", "PCM_16", "au", "pcm_s16"),
    ("CAF", "PCM_16", "caf", "pcm_s16"),
    ("CAF", "ALAC_16", "caf", "alac_16"),
    ("RF64", "PCM_16", "rf64", "pcm_s16"),
    ("W64", "PCM_16", "w64", "pcm_s16"),
    ("NIST", "PCM_16", "nist", "pcm_s16"),
    ("VOC", "PCM_16", "voc", "pcm_s16"),
]
WIDE = [
    ("FLAC", "PCM_24"),
    ("AIFF", "PCM_24"),
    ("AU", "PCM_32"),
    ("CAF", "ALAC_24"),
    ("AIFF", "FLOAT"),
    ("AU", "DOUBLE"),
]
LOSSY = [
    ("OGG", "VORBIS", 48_000),
    ("OGG", "OPUS", 48_000),
    ("OGG", "OPUS", 16_000),
    ("MP3", "MPEG_LAYER_III", 48_000),
    ("WAV", "IMA_ADPCM", 48_000),
    ("WAV", "MS_ADPCM", 48_000),
]


def _written(path, samples, rate=48_000, **form):
    soundfile.write(path, samples, rate, **form)
    return path


def _cut(path, share):
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    return path


@pytest.mark.parametrize(("form", "subtype", "container", "encoding"), LOSSLESS)
def test_16_bit_lossless_is_exact(tmp_path, decode, pcm16, form, subtype, container, encoding):
    got = decode(_written(tmp_path / "x", pcm16, format=form, subtype=subtype))
    assert np.array_equal(got.samples, pcm16)
    assert got.samples.dtype == np.int16
    assert (got.recording.container.container, got.recording.container.encoding) == (container, encoding)
    assert got.recording.container.declared_frames in (None, 3001)
    assert got.recording.findings == ()


@pytest.mark.parametrize(("form", "subtype"), WIDE)
def test_wider_lossless_keeps_the_ratio_to_full_scale(tmp_path, decode, form, subtype):
    # libsndfile's own ALAC writer garbles noise that does not compress.
    peak = 1 << (18 if subtype.startswith("ALAC") else 23)
    samples = np.random.default_rng(5).integers(-peak, peak, (2000, 2)).astype(np.float64) / (1 << 23)
    got = decode(_written(tmp_path / "x", samples, format=form, subtype=subtype))
    assert got.full_scale == 1 << 23
    assert np.array_equal(got.ratio, samples)
    assert got.recording.findings == ()


@pytest.mark.parametrize(("form", "subtype", "rate"), LOSSY)
def test_lossy_keeps_duration_and_level(tmp_path, decode, tone, form, subtype, rate):
    got = decode(_written(tmp_path / "x", tone, rate, format=form, subtype=subtype))
    assert got.full_scale == 32768
    assert got.recording.frames == pytest.approx(len(tone), abs=2048)
    level = np.sqrt(np.mean(got.ratio**2, axis=0))
    assert level == pytest.approx(np.full(2, 0.5 / np.sqrt(2)), rel=0.05)
    assert got.codes <= {"over_full_scale"}


def test_lossy_beyond_full_scale_is_clipped_not_wrapped(tmp_path, decode, tone):
    square = np.sign(tone) * 0.999
    got = decode(_written(tmp_path / "x", square, format="OGG", subtype="VORBIS"))
    assert "over_full_scale" in got.codes
    assert got.samples.max() == 32767
    # Wrapping would turn a positive half wave into its negative for a moment: no such jump within one.
    assert np.corrcoef(got.ratio[:90_000, 0], square[:90_000, 0])[0, 1] > 0.95


@pytest.mark.parametrize("form", ["FLAC", "AIFF", "AU", "CAF"])
def test_a_cut_lossless_file_keeps_what_it_has_and_says_so(tmp_path, decode, form):
    samples = np.random.default_rng(2).integers(-9000, 9000, (60_000, 2), dtype=np.int16)
    got = decode(_cut(_written(tmp_path / "x", samples, format=form, subtype="PCM_16"), 0.6))
    assert "truncated" in got.codes
    assert 60_000 * 0.6 - 5_000 < got.recording.frames < 60_000 * 0.6
    assert np.array_equal(got.samples, samples[: got.recording.frames])


def test_a_cut_mp3_is_truncated(tmp_path, decode, tone):
    got = decode(_cut(_written(tmp_path / "x", tone, format="MP3"), 0.6))
    assert "truncated" in got.codes
    assert got.recording.frames == pytest.approx(0.6 * len(tone), rel=0.1)


@pytest.mark.parametrize("codec", ["VORBIS", "OPUS"])
def test_an_ogg_stream_without_its_last_page_has_no_end_mark(tmp_path, decode, tone, codec):
    path = _written(tmp_path / "x", tone, format="OGG", subtype=codec)
    content = path.read_bytes()
    path.write_bytes(content[: content.rindex(b"OggS")])
    got = decode(path)
    assert got.codes == {"no_end_mark"}
    assert 0 < got.recording.frames < len(tone)


def test_a_second_stream_in_an_ogg_file_is_stated(tmp_path, decode, tone):
    path = _written(tmp_path / "x", tone, format="OGG", subtype="VORBIS")
    content = path.read_bytes()
    path.write_bytes(content + content)
    got = decode(path)
    assert got.codes == {"chained_streams"}
    assert got.recording.findings[0].evidence == {"offset_bytes": len(content)}


@pytest.mark.parametrize("stated", [0, 10])
def test_a_wrong_frame_count_does_not_end_a_flac_early(tmp_path, decode, pcm16, stated):
    path = _written(tmp_path / "x", pcm16, format="FLAC", subtype="PCM_16")
    content = bytearray(path.read_bytes())
    content[21:26] = bytes([content[21] & 0xF0]) + struct.pack(">I", stated)
    path.write_bytes(content)
    got = decode(path)
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"header_size_unknown" if stated == 0 else "declared_frames_wrong"}


@pytest.mark.parametrize(("stated", "code"), [(20, "declared_frames_wrong"), (2000, "truncated")])
def test_a_wrong_frame_count_does_not_end_an_mp3_early(tmp_path, decode, tone, stated, code):
    path = _written(tmp_path / "x", tone, format="MP3")
    content = bytearray(path.read_bytes())
    at = max(content.find(b"Xing"), content.find(b"Info"))
    content[at + 8 : at + 12] = struct.pack(">I", stated)
    path.write_bytes(content)
    got = decode(path)
    assert got.codes == {code}
    assert got.recording.frames == pytest.approx(len(tone), abs=2304)


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF])
def test_an_au_file_of_a_streaming_writer_is_read_to_its_end(tmp_path, decode, pcm16, size):
    path = _written(tmp_path / "x", pcm16, format="AU", subtype="PCM_16")
    content = path.read_bytes()
    path.write_bytes(content[:8] + struct.pack(">I", size) + content[12:])
    got = decode(path)
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"header_size_unknown"}


def test_id3_tags_in_front_are_skipped(tmp_path, decode, tone, pcm16):
    tag = b"ID3\x04\x00\x00\x00\x00\x01\x00" + b"x" * 128
    for form, samples in (("MP3", tone), ("FLAC", pcm16)):
        path = _written(tmp_path / "x", samples, format=form)
        plain = decode(path)
        path.write_bytes(tag + path.read_bytes())
        assert np.array_equal(decode(path).samples, plain.samples)


def test_damage_in_an_mp3_says_nothing_on_standard_error(tmp_path, decode, tone, capfd):
    path = _written(tmp_path / "x", tone, format="MP3")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 3000] = np.random.default_rng(1).bytes(3000)
    path.write_bytes(content)
    assert "truncated" in decode(path).codes
    assert capfd.readouterr().err == ""


def test_the_name_does_not_decide_the_format(tmp_path, decode, pcm16):
    got = decode(_written(tmp_path / "call.mp3", pcm16, format="FLAC"))
    assert got.recording.container.container == "flac"


@pytest.fixture
def encode(tmp_path, tone, encode_media):
    def run(codec: str, container: str):
        path = tmp_path / "x"
        encode_media(path, codec, container, tone)
        return path

    return run


@pytest.mark.parametrize(
    ("codec", "container", "name"),
    [
        ("aac", "ipod", "mp4"),
        ("aac", "adts", "aac"),
        ("libopus", "webm", "matroska"),
        ("flac", "matroska", "matroska"),
        ("pcm_f32le", "matroska", "matroska"),
    ],
)
def test_media_containers_keep_duration_and_level(encode, decode, codec, container, name):
    got = decode(encode(codec, container))
    assert got.recording.container.container == name
    assert got.recording.frames == pytest.approx(96_000, abs=2048)
    assert np.sqrt(np.mean(got.ratio**2)) == pytest.approx(0.5 / np.sqrt(2), rel=0.05)
    assert got.codes == set()


def test_float_in_a_media_container_keeps_the_ratio(encode, decode, tone):
    got = decode(encode("pcm_f32le", "matroska"))
    assert got.recording.container.encoding == "pcm_f32"
    assert np.array_equal(got.samples, np.rint(tone.astype("f4") * (1 << 23)).astype(np.int32))


def test_a_cut_webm_is_truncated(encode, decode):
    assert "truncated" in decode(_cut(encode("libopus", "webm"), 0.6)).codes


def test_holes_in_the_packet_times_are_stated(tmp_path, decode):
    av = pytest.importorskip("av")
    path = tmp_path / "x"
    with av.open(str(path), "w", format="matroska") as out:
        stream = out.add_stream("pcm_s16le", rate=8_000)
        stream.layout = "mono"
        for start in (0, 800, 1_600, 10_400, 11_200):  # one second is missing before the fourth
            frame = av.AudioFrame.from_ndarray(np.full((1, 800), 77, np.int16), "s16", "mono")
            frame.sample_rate, frame.pts = 8_000, start
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    got = decode(path)
    assert got.recording.frames == 4_000
    (gap,) = [f for f in got.recording.findings if f.code == "timestamp_gaps"]
    assert gap.evidence["gaps"] == 1
    assert gap.evidence["gap_sec"] == pytest.approx(1.0, abs=0.002)


def test_without_the_extra_the_refusal_names_it(encode, monkeypatch):
    path = encode("aac", "ipod")
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(Refusal) as refused:
        open_recording(path)
    assert refused.value.code == "extra_missing"
    assert "pip install av" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("subtype", ["IMA_ADPCM", "MS_ADPCM", "GSM610"])
@pytest.mark.parametrize("part", [3, 0])
def test_a_size_that_is_too_small_does_not_end_a_codec_inside_a_wav_early(
    tmp_path, decode, tone, subtype, part
):
    mono = np.tile(tone[:, :1], (3, 1))
    path = _written(tmp_path / "x", mono, format="WAV", subtype=subtype)
    whole = decode(path).recording.frames
    content = bytearray(path.read_bytes())
    at = content.index(b"data")
    stated = struct.unpack_from("<I", content, at + 4)[0]
    content[at + 4 : at + 8] = struct.pack("<I", stated // part & ~1 if part else 0)
    path.write_bytes(content)
    got = decode(path)
    assert got.recording.frames == whole
    assert got.codes == {"header_size_wrong" if part else "header_size_unknown"}
