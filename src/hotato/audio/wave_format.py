"""The format chunk of a RIFF-family file."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hotato.audio import facts
from hotato.errors import Refusal
from hotato.findings import Finding

_PCM, _FLOAT, _ALAW, _MULAW, _EXTENSIBLE = 0x0001, 0x0003, 0x0006, 0x0007, 0xFFFE
# The tail that turns a format tag into a sub format identifier (KSDATAFORMAT_SUBTYPE_*).
_SUBTYPE_TAILS = {
    "<": bytes.fromhex("00001000800000aa00389b71"),
    ">": bytes.fromhex("00000010800000aa00389b71"),
}
_SPEAKERS_MAX = 18
_ENCODINGS = {
    (_PCM, 1): "pcm_u8",
    (_PCM, 2): "pcm_s16",
    (_PCM, 3): "pcm_s24",
    (_PCM, 4): "pcm_s32",
    (_FLOAT, 4): "pcm_f32",
    (_FLOAT, 8): "pcm_f64",
    (_ALAW, 1): "alaw",
    (_MULAW, 1): "mulaw",
}
RAW_TAGS = frozenset({_PCM, _FLOAT, _ALAW, _MULAW})
"""Format tags whose samples are plain numbers or G.711 codes, not a codec's blocks."""
_OTHER_TAGS = {
    0x0002: "ms_adpcm",
    0x0011: "ima_adpcm",
    0x0031: "gsm610",
    0x0040: "g721_adpcm",
    0x0045: "g726_adpcm",
    0x0050: "mpeg",
    0x0055: "mp3",
    0x00FF: "aac",
    0x0161: "wma",
}


@dataclass(frozen=True)
class WaveFormat:
    """How the samples are written.

    Attributes:
        tag: format tag, that of the sub format for WAVE_FORMAT_EXTENSIBLE.
        encoding: one of the encodings of `Container`, or None when numpy cannot decode it.
        name: the encoding, or the name of the foreign codec.
        channels: channels as stated.
        sample_rate_hz: rate as stated.
        frame_bytes: bytes of one frame (of one block for a foreign codec).
        bytes_per_sec: bytes of sound that make a second, 0 when the header does not say.
        findings: where the fields contradict each other.
    """

    tag: int
    encoding: str | None
    name: str
    channels: int
    sample_rate_hz: int
    frame_bytes: int
    bytes_per_sec: int
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class RawLayout:
    """Where raw samples are in a file and how they are written.

    Attributes:
        container: `wav`, `rifx`, `rf64`, `w64` or `au`.
        big_endian: byte order of numbers and samples.
        format: what the header says.
        data_start: offset of the first sample byte.
        data_bytes: bytes of samples that are really there.
        declared_bytes: what the header states, or None when it states nothing usable.
        findings: where header and file disagree.
    """

    container: str
    big_endian: bool
    format: WaveFormat
    data_start: int
    data_bytes: int
    declared_bytes: int | None
    findings: tuple[Finding, ...]


def read_format(body: bytes, order: str, name: str) -> WaveFormat:
    """Read a format chunk.

    Args:
        body: the chunk's bytes.
        order: `<` or `>`.
        name: the file's name, for messages.

    Raises:
        Refusal: `not_audio` when the chunk is too short or states no channel.
    """
    if len(body) < 14:
        raise Refusal(
            "not_audio", f"'{name}' has a format chunk of {len(body)} bytes", "fetch the file again"
        )
    tag, channels, rate, byte_rate, block = struct.unpack_from(order + "HHIIH", body)
    bits = struct.unpack_from(order + "H", body, 14)[0] if len(body) >= 16 else 0
    if channels == 0:
        raise Refusal("not_audio", f"'{name}' states no channel", "fetch the file again")
    findings: list[Finding] = []
    if tag == _EXTENSIBLE:
        tag = _sub_format(body, order, channels, bits, findings)
    sample_bytes = _sample_bytes(tag, channels, block, bits)
    encoding = _ENCODINGS.get((tag, sample_bytes))
    frame_bytes = block
    if encoding is not None:
        frame_bytes = sample_bytes * channels
        if block != frame_bytes:
            findings.append(facts.format_damaged("block size", block, frame_bytes))
        if byte_rate != rate * frame_bytes:
            findings.append(facts.format_damaged("byte rate", byte_rate, rate * frame_bytes))
    return WaveFormat(
        tag=tag,
        encoding=encoding,
        name=encoding or _foreign_name(tag, bits),
        channels=channels,
        sample_rate_hz=rate,
        frame_bytes=max(frame_bytes, 1),
        bytes_per_sec=byte_rate if encoding is None else rate * frame_bytes,
        findings=tuple(findings),
    )


def _foreign_name(tag: int, bits: int) -> str:
    return f"{bits}-bit" if tag in RAW_TAGS else _OTHER_TAGS.get(tag, f"wave_{tag:#06x}")


def _sub_format(body: bytes, order: str, channels: int, bits: int, findings: list[Finding]) -> int:
    if len(body) < 40:
        # The extension is not there. Integer samples are all that a writer of such headers means.
        findings.append(facts.format_damaged("extension length", max(len(body) - 18, 0), 22))
        return _PCM
    mask, tag = struct.unpack_from(order + "II", body, 20)
    if mask and (mask.bit_count() != channels or mask >> _SPEAKERS_MAX):
        findings.append(facts.channel_mask_damaged(mask, channels))
    if body[28:40] == _SUBTYPE_TAILS[order]:
        return int(tag)
    used = tag & 0xFFFF if (tag & 0xFFFF, bits // 8) in _ENCODINGS else _PCM
    findings.append(facts.format_damaged("sub format", tag, used))
    return used


def _sample_bytes(tag: int, channels: int, block: int, bits: int) -> int:
    """Bytes of one sample: the block size where it makes sense (20 bits in 4 bytes), else the bits."""
    if tag in (_ALAW, _MULAW):
        return 1
    from_bits = (bits + 7) // 8
    from_block, uneven = divmod(block, channels)
    if not uneven and (tag, from_block) in _ENCODINGS and from_block >= from_bits:
        return from_block
    return from_bits
