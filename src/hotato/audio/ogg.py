"""The pages of an Ogg file (RFC 3533): stated length, end mark, whether another stream follows."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hotato.audio import facts
from hotato.audio.limits import LIMITS
from hotato.audio.source import Source
from hotato.findings import Finding

_OPUS_RATE_HZ = 48_000
_PAGE_HEADER = 27
_LONGEST_HEADER = _PAGE_HEADER + 255
_BEGIN, _END = 2, 4
_NO_POSITION = -1


@dataclass(frozen=True)
class OggLength:
    """What the pages state.

    Attributes:
        length: samples per channel, or None when no page says so.
        rate_hz: units per second of `length` where they are not sample frames (Opus counts at 48 kHz).
        findings: `no_end_mark`, `chained_streams`.
    """

    length: int | None
    rate_hz: int | None
    findings: tuple[Finding, ...]


@dataclass
class _Pages:
    position: int = _NO_POSITION
    ended: bool = False
    next_stream: int | None = None
    lost: bool = False


def read_ogg_length(source: Source) -> OggLength:
    """Walk the pages of the first stream."""
    first = source.read_at(0, 2 * _LONGEST_HEADER)
    if len(first) <= _PAGE_HEADER:
        return OggLength(None, None, ())
    packet = first[_PAGE_HEADER + first[26] :]
    rate_hz, skipped = None, 0
    if packet.startswith(b"OpusHead") and len(packet) >= 12:
        rate_hz, skipped = _OPUS_RATE_HZ, struct.unpack_from("<H", packet, 10)[0]
    elif not packet.startswith((b"\x01vorbis", b"\x7fFLAC")):
        return OggLength(None, None, ())
    pages = _walk(source, first[14:18])
    if pages.lost:
        _look_at_tail(source, first[14:18], pages)
    findings = [] if pages.ended else [facts.no_end_mark()]
    if pages.next_stream is not None:
        findings.append(facts.chained_streams(pages.next_stream))
    length = pages.position - skipped if pages.position > skipped else None
    return OggLength(length, rate_hz, tuple(findings))


def _walk(source: Source, serial: bytes) -> _Pages:
    """From page to page until another stream begins, the file ends, or no page is where one should be."""
    pages, offset, heads = _Pages(), 0, True
    while offset + _PAGE_HEADER <= source.size:
        header = source.read_at(offset, _LONGEST_HEADER)
        if header[:4] != b"OggS":
            pages.lost = True
            break
        begins = bool(header[5] & _BEGIN)
        if begins and not heads:
            pages.next_stream = offset
            break
        heads = heads and begins
        if header[14:18] == serial:
            _take(header, pages)
        offset += _PAGE_HEADER + header[26] + sum(header[_PAGE_HEADER : _PAGE_HEADER + header[26]])
    return pages


def _take(header: bytes, pages: _Pages) -> None:
    position = struct.unpack_from("<q", header, 6)[0]
    if position != _NO_POSITION:
        pages.position = position
    pages.ended = bool(header[5] & _END)


def _look_at_tail(source: Source, serial: bytes, pages: _Pages) -> None:
    """Find the last page by its mark where the chain of pages is broken."""
    tail = source.read_at(max(0, source.size - LIMITS.ogg_tail_bytes), LIMITS.ogg_tail_bytes)
    at = len(tail)
    while (at := tail.rfind(b"OggS", 0, at)) >= 0:
        header = tail[at : at + _PAGE_HEADER]
        if len(header) == _PAGE_HEADER and header[14:18] == serial:
            _take(header, pages)
            return
