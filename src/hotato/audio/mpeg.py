"""MPEG audio frames: the first one, and the length that an encoder's tag states, unreliable as it is."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hotato.audio.limits import LIMITS
from hotato.audio.source import Source

_BITRATES_KBPS = {
    (1, 1): (0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (1, 2): (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (1, 3): (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 1): (0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (2, 2): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (2, 3): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_RATES_HZ = {3: (44_100, 48_000, 32_000), 2: (22_050, 24_000, 16_000), 0: (11_025, 12_000, 8_000)}
_DECODER_DELAY = 529
_CONSECUTIVE = 3
_MANY_FRAMES = b"\x0f\xff\xff\xff"


@dataclass(frozen=True)
class MpegFrame:
    """One frame header: where it is, how long the frame is in bytes and in samples."""

    offset: int
    size: int
    samples: int
    side_bytes: int


@dataclass(frozen=True)
class MpegLength:
    """What a tag states.

    Attributes:
        length: sample frames, or None without a tag.
        tolerance: how far a decoder's count may be from it.
        patch: where the tag states less than there is: the offset and bytes of a count that stops nobody.
    """

    length: int | None
    tolerance: int
    patch: tuple[int, bytes] | None = None


def skip_id3(source: Source) -> int:
    """Offset behind the ID3v2 tags at the start of the file; 0 without any."""
    position = 0
    for _ in range(LIMITS.id3_tags_max):
        head = source.read_at(position, 10)
        if len(head) < 10 or head[:3] != b"ID3" or any(byte & 0x80 for byte in head[6:]):
            break
        size = head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9]
        position += 10 + size + (10 if head[5] & 0x10 else 0)
    return position


def is_adts(source: Source, start: int) -> bool:
    """Whether AAC frames in ADTS begin at `start`: two headers in a row."""
    position = start
    for _ in range(2):
        head = source.read_at(position, 6)
        if len(head) < 6 or head[0] != 0xFF or head[1] & 0xF6 != 0xF0:
            return False
        position += (head[3] & 3) << 11 | head[4] << 3 | head[5] >> 5
    return position > start + 12


def find_first_frame(source: Source, start: int) -> MpegFrame | None:
    """The first frame at `start`, or a little later behind an ID3 tag, with consistent frames after it."""
    window = source.read_at(start, LIMITS.mp3_resync_bytes if start else 1)
    at = -1
    while (at := window.find(b"\xff", at + 1)) >= 0:
        if (first := _frame_at(source, start + at)) is not None and _continues(source, first):
            return first
    return None


def read_mpeg_length(source: Source, first: MpegFrame) -> MpegLength:
    """Declared length from a Xing, Info or VBRI tag in the first frame."""
    tolerance = 2 * first.samples + _DECODER_DELAY
    body = source.read_at(first.offset, 200)
    if body[36:40] == b"VBRI" and len(body) >= 54:
        return MpegLength(struct.unpack_from(">I", body, 50)[0] * first.samples, tolerance)
    at = 4 + first.side_bytes
    if body[at : at + 4] not in (b"Xing", b"Info") or len(body) < at + 12 or not body[at + 7] & 1:
        return MpegLength(None, tolerance)
    frames = struct.unpack_from(">I", body, at + 8)[0]
    total = frames * first.samples
    extra = at + 8 + sum(width for bit, width in ((1, 4), (2, 4), (4, 100), (8, 4)) if body[at + 7] & bit)
    if body[extra : extra + 4] in (b"LAME", b"Lavf", b"Lavc") and len(body) >= extra + 24:
        delay = int.from_bytes(body[extra + 21 : extra + 24], "big")
        total -= (delay >> 12) + (delay & 0xFFF)
    patch = None
    if _more_frames_than(source, first, frames):
        patch = (first.offset + at + 8, _MANY_FRAMES)
    return MpegLength(max(total, 0), tolerance, patch)


def _more_frames_than(source: Source, first: MpegFrame, stated: int) -> bool:
    """Whether more than `stated` frames follow the one with the tag."""
    window_start, window, offset = 0, b"", first.offset + first.size
    for _ in range(stated + 1):
        if offset + 4 > window_start + len(window):
            window_start, window = offset, source.read_at(offset, LIMITS.read_bytes)
        frame = _parse(window[offset - window_start : offset - window_start + 4], offset)
        if frame is None:
            return False
        offset += frame.size
    return offset <= source.size


def _continues(source: Source, frame: MpegFrame) -> bool:
    """Whether enough frames follow, or the file ends first; four random bytes alone prove nothing."""
    for count in range(1, _CONSECUTIVE):
        following = frame.offset + frame.size
        if following + 4 > source.size:
            return count > 1 or following >= source.size
        after = _frame_at(source, following)
        if after is None:
            return False
        frame = after
    return True


def _frame_at(source: Source, offset: int) -> MpegFrame | None:
    return _parse(source.read_at(offset, 4), offset)


def _parse(head: bytes, offset: int) -> MpegFrame | None:
    """A frame header (ISO 11172-3, 2.4.1.3)."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    version, layer = head[1] >> 3 & 3, 4 - (head[1] >> 1 & 3)
    bitrate, rate = head[2] >> 4, head[2] >> 2 & 3
    if version == 1 or layer == 4 or bitrate in (0, 15) or rate == 3:
        return None
    bits_per_sec = 1_000 * _BITRATES_KBPS[1 if version == 3 else 2, layer][bitrate]
    rate_hz, padding = _RATES_HZ[version][rate], head[2] >> 1 & 1
    samples = {1: 384, 2: 1_152, 3: 1_152 if version == 3 else 576}[layer]
    if layer == 1:
        size = (12 * bits_per_sec // rate_hz + padding) * 4
    else:
        size = samples // 8 * bits_per_sec // rate_hz + padding
    mono = head[3] >> 6 == 3
    side_bytes = (17 if mono else 32) if version == 3 else (9 if mono else 17)
    return MpegFrame(offset, size, samples, side_bytes)
