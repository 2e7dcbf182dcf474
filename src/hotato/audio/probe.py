"""What kind of file this is, by its first bytes, and what its header says about its length.

The suffix of a name is never looked at. The RIFF family has a walk of its own (`riff`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from hotato.audio import behind, facts
from hotato.audio.limits import LIMITS
from hotato.audio.mpeg import find_first_frame, is_adts, read_mpeg_length, skip_id3
from hotato.audio.ogg import read_ogg_length
from hotato.audio.riff import is_riff
from hotato.audio.source import Source
from hotato.errors import Refusal
from hotato.findings import Finding

_ASF = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")
_EBML = bytes.fromhex("1a45dfa3")
_HEAD_BYTES = 512
_AIFF_UNKNOWN = (0, 0xFFFF_FFFF)
# Where the rate is not read, the slowest one makes the least of the bytes that follow.
_SLOWEST_HZ = LIMITS.sample_rate_min_hz
_TEXT_BYTES = frozenset({9, 10, 12, 13, *range(0x20, 0x7F)})


@dataclass(frozen=True)
class Probe:
    """What the first bytes say.

    Attributes:
        container: as in `Container`.
        decoder: `raw` (our own decoding), `sndfile` or `media`.
        length: declared length in units of `length_rate_hz`, or None.
        length_rate_hz: units per second of `length`; None when they are sample frames.
        tolerance_frames: how far the decoded count may be from the declared one (lossy codecs pad).
        findings: where the header contradicts itself.
        patch: an offset and the bytes to show a library there, where a wrong length would stop it early.
        media_format: the optional decoder's name for the container; it is never left to guess. None
            keeps the file from it.
    """

    container: str
    decoder: str
    length: int | None = None
    length_rate_hz: int | None = None
    tolerance_frames: int = 0
    findings: tuple[Finding, ...] = ()
    patch: tuple[int, bytes] | None = None
    media_format: str | None = None

    def declared_frames(self, sample_rate_hz: int) -> int | None:
        """The declared length in sample frames at the decoder's rate."""
        if self.length is None or self.length_rate_hz is None:
            return self.length
        return round(Fraction(self.length * sample_rate_hz, self.length_rate_hz))


def probe(source: Source) -> Probe:
    """Recognise a file.

    Raises:
        Refusal: `not_audio`, with what it seems to be instead.
    """
    head = source.read_at(0, _HEAD_BYTES)
    if is_riff(head):
        return Probe("wav", "raw", media_format="wav")
    for magic, reader in _READERS:
        if head.startswith(magic):
            return reader(source)
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return _aiff(source)
    found = _media(head) or _behind_tags(source, skip_id3(source))
    if found is not None:
        return found
    raise Refusal(
        "not_audio",
        f"'{source.name}' is not a recording: {_seems(head)}",
        "name a sound file (WAV, FLAC, Ogg, MP3, AIFF, AU, CAF, M4A, WebM)",
    )


def _behind_tags(source: Source, start: int) -> Probe | None:
    """Formats that an ID3 tag may stand before."""
    if source.read_at(start, 4) == b"fLaC":
        return _flac(source, start)
    if is_adts(source, start):
        return Probe("aac", "media", media_format="aac")
    first = find_first_frame(source, start)
    if first is not None:
        stated = read_mpeg_length(source, first)
        return Probe(
            "mp3", "sndfile", stated.length, None, stated.tolerance, patch=stated.patch, media_format="mp3"
        )
    return None


def _media(head: bytes) -> Probe | None:
    """Containers that only the optional decoder reads."""
    if head[4:8] == b"ftyp":
        return Probe("mp4", "media", None, None, 8_192, media_format="mov")
    for magic, container, demuxer in (
        (_EBML, "matroska", "matroska"),
        (_ASF, "asf", "asf"),
        (b"#!AMR", "amr", "amr"),
        (b"FLV\x01", "flv", "flv"),
    ):
        if head.startswith(magic):
            return Probe(container, "media", None, None, 8_192, media_format=demuxer)
    return None


def _seems(head: bytes) -> str:
    if not head:
        return "it is empty"
    if not any(head):
        return "it starts with zeros only"
    sample = head.removeprefix(b"\xef\xbb\xbf")
    if all(byte in _TEXT_BYTES or byte >= 0x80 for byte in sample) and _decodes(sample):
        opening = sample.lstrip().lower()
        if opening.startswith((b"<!doctype html", b"<html")):
            return "it is a web page, as a download that needs a login gives"
        if opening.startswith((b"{", b"[")):
            return "it looks like JSON text"
        return "it is text"
    return "its first bytes belong to no known sound format"


def _decodes(sample: bytes) -> bool:
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3  # a character cut by the end of the sample
    return True


def _flac(source: Source, start: int) -> Probe:
    """STREAMINFO (RFC 9639, 8.2): the sample count is the low 36 bits of eight bytes; 0 means unknown."""
    body = source.read_at(start + 8, 18)
    if len(body) < 18 or source.read_at(start + 4, 1)[0] & 0x7F:
        return Probe("flac", "sndfile", media_format="flac")
    total = int.from_bytes(body[10:18], "big") & ((1 << 36) - 1)
    # The library stops at the stated count, so it is told "unknown" and reads to the end.
    patch = (start + 21, bytes([body[13] & 0xF0, 0, 0, 0, 0]))
    if total:
        return Probe("flac", "sndfile", total, patch=patch, media_format="flac")
    unknown = facts.header_size_unknown("stream header", 0, source.size - start)
    return Probe("flac", "sndfile", findings=(unknown,), patch=patch, media_format="flac")


def _ogg(source: Source) -> Probe:
    stated = read_ogg_length(source)
    # Both codecs may keep or drop a part of the last block.
    return Probe(
        "ogg", "sndfile", stated.length, stated.rate_hz, 8_192, findings=stated.findings, media_format="ogg"
    )


def _aiff(source: Source) -> Probe:
    """`COMM` counts the frames; the library reads what `SSND` states, or all where that is no length."""
    position, frames, per_sec, findings = 12, None, 0, []
    for _ in range(LIMITS.riff_chunks_max):
        header = source.read_at(position, 26)
        if len(header) < 14:
            break
        name, size = header[:4], struct.unpack_from(">I", header, 4)[0]
        body, end = position + 8, position + 8 + size + size % 2
        if name == b"COMM":
            channels, frames, bits = struct.unpack_from(">HIH", header.ljust(26, b"\0"), 8)
            per_sec = channels * ((bits + 7) // 8) * _SLOWEST_HZ
        elif name == b"SSND" and size in _AIFF_UNKNOWN:
            findings.append(facts.header_size_unknown("sound chunk", size, source.size - body))
            frames = None if frames in _AIFF_UNKNOWN else frames
            break
        elif name == b"SSND" and not _is_chunk(source, end, ">4sI"):
            findings += _behind(source, end, per_sec)
            break
        position = end
    return Probe("aiff", "sndfile", frames, findings=tuple(findings), media_format="aiff")


def _is_chunk(source: Source, offset: int, form: str) -> bool:
    """Whether the file ends here, or another chunk stands here that fits into the rest of it."""
    left, header_bytes = source.size - offset, struct.calcsize(form)
    head = source.read_at(offset, 16)
    if left <= 0:
        return True
    if len(head) < header_bytes or behind.starts_recording(head):
        return False
    name, size = struct.unpack_from(form, head)
    return all(0x20 <= byte < 0x7F for byte in name) and 0 <= size <= left - header_bytes


def _behind(source: Source, offset: int, per_sec: float) -> list[Finding]:
    """What stands behind the samples that a library was told of, where it is a part of the call."""
    rest = behind.what_follows(source, offset, per_sec)
    unread = {behind.SOUND: "sound", behind.RIFF: "recording", behind.ANOTHER: "recording"}.get(rest)
    return [] if unread is None else [facts.trailing_bytes(source.size - offset, offset, rest, unread)]


def _caf(source: Source) -> Probe:
    """Chunks of 12-byte headers; data of size -1 runs to the end; `pakt` counts frames of packed codecs."""
    position, packet_bytes, found = 8, 0, Probe("caf", "sndfile", media_format="caf")
    for _ in range(LIMITS.riff_chunks_max):
        header = source.read_at(position, 12)
        if len(header) < 12:
            break
        name, size = struct.unpack(">4sq", header)
        body = position + 12
        if name == b"desc":
            fields = source.read_at(body, 32)
            packet_bytes = struct.unpack_from(">I", fields, 16)[0] if len(fields) == 32 else 0
        elif name == b"pakt":
            fields = source.read_at(body, 16)
            frames = struct.unpack_from(">q", fields, 8)[0] if len(fields) == 16 else -1
            return Probe("caf", "sndfile", frames if frames >= 0 else None, None, 8_192, media_format="caf")
        elif name == b"data" and size < 0:
            unknown = facts.header_size_unknown("data chunk", size, max(0, source.size - body))
            return Probe("caf", "sndfile", findings=(unknown,), media_format="caf")
        elif name == b"data" and packet_bytes:
            # The first four bytes of the chunk count edits.
            found = Probe("caf", "sndfile", max(0, size - 4) // packet_bytes, media_format="caf")
            if not _is_chunk(source, body + size, ">4sq"):
                rest = _behind(source, body + size, packet_bytes * _SLOWEST_HZ)
                return replace(found, findings=tuple(rest))
        if size < 0:
            break
        position = body + size
    return found


def _plain(container: str, decoder: str = "sndfile") -> Callable[[Source], Probe]:
    return lambda source: Probe(container, decoder, media_format=container)


_READERS: tuple[tuple[bytes, Callable[[Source], Probe]], ...] = (
    (b"OggS", _ogg),
    (b".snd", _plain("au", "raw")),
    (b"dns.", _plain("au", "raw")),
    (b"caff", _caf),
    (b"NIST_1A", _plain("nist")),
    (b"Creative Voice File", _plain("voc")),
)
