"""Sun and NeXT sound files (`.au`, `.snd`): a header of six numbers, then raw samples."""

from __future__ import annotations

import struct

from hotato.audio import behind, facts
from hotato.audio.source import Source
from hotato.audio.wave_format import RawLayout, WaveFormat
from hotato.findings import Finding

_MAGICS = {b".snd": ">", b"dns.": "<"}
_HEADER_BYTES = 24
_UNKNOWN = (0, 0xFFFF_FFFF)
_ENCODINGS = {
    1: ("mulaw", 1),
    3: ("pcm_s16", 2),
    4: ("pcm_s24", 3),
    5: ("pcm_s32", 4),
    6: ("pcm_f32", 4),
    7: ("pcm_f64", 8),
    27: ("alaw", 1),
}


def read_au(source: Source) -> RawLayout | None:
    """The layout of an AU file, or None when its header is cut or its encoding is not a raw one."""
    header = source.read_at(0, _HEADER_BYTES)
    if len(header) < _HEADER_BYTES:
        return None
    order = _MAGICS[header[:4]]
    start, stated, code, rate_hz, channels = struct.unpack_from(order + "5I", header, 4)
    if code not in _ENCODINGS or not channels or start < _HEADER_BYTES:
        return None
    name, sample_bytes = _ENCODINGS[code]
    frame_bytes = sample_bytes * channels
    held = max(0, source.size - start)
    usable, findings = _usable(source, start, stated, held, frame_bytes * max(rate_hz, 1))
    left = usable % frame_bytes
    if left:
        findings.append(facts.partial_frame(left, frame_bytes))
    form = WaveFormat(
        tag=code,
        encoding=name,
        name=name,
        channels=channels,
        sample_rate_hz=rate_hz,
        frame_bytes=frame_bytes,
        bytes_per_sec=frame_bytes * rate_hz,
    )
    return RawLayout(
        container="au",
        big_endian=order == ">",
        format=form,
        data_start=start,
        data_bytes=usable - left,
        declared_bytes=None if stated in _UNKNOWN else stated,
        findings=tuple(findings),
    )


def _usable(source: Source, start: int, stated: int, held: int, per_sec: int) -> tuple[int, list[Finding]]:
    if stated in _UNKNOWN:
        return held, [facts.header_size_unknown("file header", stated, held)]
    if stated > held:
        return held, [facts.truncated(stated, held, "bytes", (stated - held) / per_sec)]
    if stated < held:
        rest = behind.what_follows(source, start + stated, per_sec)
        if rest == behind.SOUND:
            return held, [facts.header_size_wrong("file header", stated, held)]
        unread = "recording" if rest in (behind.RIFF, behind.ANOTHER) else None
        what = "beyond the stated length" if rest == behind.SHORT else rest
        return stated, [facts.trailing_bytes(held - stated, start + stated, what, unread)]
    return stated, []
