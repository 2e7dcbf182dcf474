"""Every form of WAV that phone systems write comes out with its exact samples."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcm16_is_exact_in_both_byte_orders(wav, decode_bytes, pcm16, order):
    got = decode_bytes(wav(pcm16.astype(f"{order}i2").tobytes(), order=order).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.samples.dtype == np.int16
    assert got.full_scale == 32768
    assert got.recording.container.container == ("wav" if order == "<" else "rifx")
    assert got.recording.findings == ()
    assert got.recording.container.declared_frames == got.recording.frames == 3001


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcm24_is_exact(wav, decode_bytes, order):
    samples = np.random.default_rng(1).integers(-(1 << 23), 1 << 23, (777, 2), dtype=np.int32)
    samples[0] = (-(1 << 23), (1 << 23) - 1)
    four = samples.astype(f"{order}i4").view(np.uint8).reshape(-1, 4)
    three = four[:, :3] if order == "<" else four[:, 1:]
    got = decode_bytes(wav(three.tobytes(), bits=24, order=order).build())
    assert np.array_equal(got.samples, samples)
    assert got.full_scale == 1 << 23


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcm32_loses_its_lowest_eight_bits_towards_minus_infinity(wav, decode_bytes, order):
    samples = np.array([[-1, 255], [256, -257], [-(1 << 31), (1 << 31) - 1]], np.int32)
    got = decode_bytes(wav(samples.astype(f"{order}i4").tobytes(), bits=32, order=order).build())
    assert got.samples.tolist() == [[-1, 0], [1, -2], [-(1 << 23), (1 << 23) - 1]]


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcm8_is_unsigned_around_128(wav, decode_bytes, order):
    got = decode_bytes(wav(bytes([0, 128, 255, 129]), bits=8, order=order).build())
    assert got.samples.tolist() == [[-32768, 0], [32512, 256]]
    assert got.full_scale == 32768


@pytest.mark.parametrize(("bits", "order"), [(32, "<"), (32, ">"), (64, "<"), (64, ">")])
def test_the_same_audio_as_float_has_the_same_ratio_to_full_scale(wav, decode_bytes, pcm16, bits, order):
    floats = (pcm16 / 32768).astype(f"{order}f{bits // 8}")
    got = decode_bytes(wav(floats.tobytes(), kind="float", bits=bits, order=order).build())
    assert np.array_equal(got.ratio, pcm16 / 32768)
    assert got.recording.findings == ()


def test_float_is_rounded_half_to_even_at_24_bit_scale(wav, decode_bytes):
    floats = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.6]) / (1 << 23)
    got = decode_bytes(wav(floats.astype("<f8").tobytes(), kind="float", bits=64, channels=1).build())
    assert got.samples.ravel().tolist() == [0, 2, 2, 0, -2, 3]


def _g711_reference(kind: str, code: int) -> int:
    """ITU-T G.711 by its tables: segment ends and steps, not the shifts of the implementation."""
    if kind == "mulaw":
        inverted = 255 - code
        segment, step = inverted % 128 // 16, inverted % 16
        value = (2**segment * (2 * step + 33) - 33) * 4
        return -value if inverted >= 128 else value
    toggled = code ^ 0b01010101
    segment, step = toggled % 128 // 16, toggled % 16
    value = (2 * step + 1) * 8 if segment == 0 else 2 ** (segment - 1) * (2 * step + 33) * 8
    return value if toggled >= 128 else -value


@pytest.mark.parametrize("kind", ["mulaw", "alaw"])
def test_g711_expands_to_the_standard_values(wav, decode_bytes, kind):
    got = decode_bytes(wav(bytes(range(256)), kind=kind, bits=8, channels=1, rate=8000).build())
    assert got.samples.ravel().tolist() == [_g711_reference(kind, code) for code in range(256)]
    assert got.recording.container.encoding == kind


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("kind", "bits"), [("pcm", 16), ("float", 32)])
def test_extensible_is_read_by_its_sub_format(wav, decode_bytes, pcm16, kind, bits, order):
    stored = pcm16.astype(f"{order}i2") if kind == "pcm" else (pcm16 / 32768).astype(f"{order}f4")
    got = decode_bytes(wav(stored.tobytes(), kind=kind, bits=bits, order=order, extensible_mask=3).build())
    assert np.array_equal(got.ratio, pcm16 / 32768)
    assert got.recording.findings == ()


@pytest.mark.parametrize("mask", [1, 7, 0x80000001, 0xFFFFFFFF])
def test_a_damaged_channel_mask_is_stated_and_ignored(wav, decode_bytes, pcm16, mask):
    got = decode_bytes(wav(pcm16.tobytes(), extensible_mask=mask).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"channel_mask_damaged"}


def test_w64_is_exact(wav, w64, decode_bytes, pcm16):
    got = decode_bytes(w64(pcm16.tobytes(), wav().fmt()), "call.w64")
    assert np.array_equal(got.samples, pcm16)
    assert got.recording.container.container == "w64"
    assert got.recording.findings == ()


def test_rf64_takes_its_length_from_ds64(wav, rf64, decode_bytes, pcm16):
    content = rf64(pcm16.tobytes(), wav().fmt())
    got = decode_bytes(content)
    assert np.array_equal(got.samples, pcm16)
    assert got.recording.container.container == "rf64"
    assert got.recording.container.declared_frames == 3001
    assert got.recording.findings == ()
    assert np.array_equal(decode_bytes(b"BW64" + content[4:]).samples, pcm16)


def test_chunks_may_stand_anywhere(wav, decode_bytes, pcm16):
    extra = [(b"LIST", b"INFOISFT\x04\0\0\0abcd"), (b"bext", b"x" * 603), (b"JUNK", b"")]
    got = decode_bytes(wav(pcm16.tobytes(), before=extra, after=[*extra, (b"zzzz", b"123")]).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.recording.findings == ()


def test_samples_may_stand_before_the_format(wav, decode_bytes, pcm16):
    got = decode_bytes(wav(pcm16.tobytes(), data_first=True).build())
    assert np.array_equal(got.samples, pcm16)


def test_the_first_data_chunk_that_holds_anything_is_read(wav, decode_bytes, pcm16):
    got = decode_bytes(wav(pcm16.tobytes(), before=[(b"data", b"")], after=[(b"data", b"abcd")]).build())
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"several_data_chunks"}


def test_a_missing_pad_byte_is_survived_and_stated(wav, decode_bytes, pcm16):
    content = wav(pcm16.tobytes(), before=[(b"note", b"odd")], pad=False).build()
    got = decode_bytes(content)
    assert np.array_equal(got.samples, pcm16)
    assert got.codes == {"missing_pad_byte"}


@pytest.mark.parametrize("rate", [4000, 8000, 11025, 22050, 44100, 192000])
def test_rates_from_4_to_192_khz_are_read(wav, decode_bytes, pcm16, rate):
    got = decode_bytes(wav(pcm16.tobytes(), rate=rate).build())
    assert got.recording.sample_rate_hz == rate
    assert got.recording.duration_sec == 3001 / rate


def test_digests_are_those_of_the_file_and_of_its_data_chunk(wav, decode_bytes, pcm16):
    content = wav(pcm16.tobytes(), before=[(b"LIST", b"abc")], after=[(b"LIST", b"abc")]).build()
    got = decode_bytes(content, frames=7)
    assert got.recording.file_sha256 == hashlib.sha256(content).hexdigest()
    assert got.recording.pcm_sha256 == hashlib.sha256(pcm16.tobytes()).hexdigest()
    assert got.recording.file_bytes == len(content)


def test_the_pcm_digest_is_that_of_little_endian_interleaved_samples(wav, decode_bytes, pcm16):
    big = decode_bytes(wav(pcm16.astype(">i2").tobytes(), order=">").build())
    assert big.recording.pcm_sha256 == hashlib.sha256(pcm16.astype("<i2").tobytes()).hexdigest()
    floats = decode_bytes(wav((pcm16 / 32768).astype("<f4").tobytes(), kind="float", bits=32).build())
    wide = (pcm16.astype("<i4") << 8).tobytes()
    assert floats.recording.pcm_sha256 == hashlib.sha256(wide).hexdigest()


def test_blocks_of_little_endian_pcm16_are_read_only_views(wav, tmp_path, pcm16):
    from hotato.audio import open_recording

    path = tmp_path / "call.wav"
    path.write_bytes(wav(pcm16.tobytes()).build())
    with open_recording(path) as reader:
        first = next(iter(reader.blocks(100)))
    assert first.base is not None
    assert not first.flags.writeable
    assert first.flags.c_contiguous


def test_real_recordings_have_the_samples_of_their_data_chunk(shared_data, decode):
    for path in sorted(shared_data.glob("*/*.wav")):
        content = path.read_bytes()
        got = decode(path, frames=48_000)
        assert got.samples.tobytes() == content[44:]
        assert got.recording.findings == ()
