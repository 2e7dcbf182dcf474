"""The RIFF family: RIFF, RIFX, RF64 (BW64) and Sony W64, walked chunk by chunk.

Phone systems write headers that lie: lengths of streaming writers, missing pad bytes, chunks in any order.
The walk believes the bytes of the file over the numbers in its header and states every disagreement.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from hotato.audio import behind, facts
from hotato.audio.limits import LIMITS
from hotato.audio.source import Source
from hotato.audio.wave_format import RawLayout, WaveFormat, read_format
from hotato.errors import Refusal
from hotato.findings import Finding

_MAGICS = (b"RIFF", b"RIFX", b"RF64", b"BW64")
_W64_FORM = bytes.fromhex("2e91cf11a5d628db04c10000")
_W64_TAIL = bytes.fromhex("f3acd3118cd100c04f8edb8a")
_KNOWN = frozenset(
    b"fmt |data|LIST|fact|JUNK|junk|PAD |FLLR|bext|cue |smpl|inst|PEAK|iXML|id3 |ID3 |ds64|axml|chna|cart|"
    b"INFO|plst|labl|note|DISP|wavl|slnt|PVOC|_PMX|minf|elm1|regn|umid|SNDM|afsp|levl|LGWV|acid|strc|AFAn".split(
        b"|"
    )
)
_NO_CHUNK = "not a chunk"
_UNKNOWN_2E9 = range(2_000_000_000 - 4096, 2_000_000_000 + 4097)
_UNKNOWN_31_BITS = range(0x7FFF_0000, 0x8000_0000 + 4097)
_UNKNOWN_32_BITS = range(0xFFFF_0000, 0x1_0000_0000)
_UNKNOWN_64_BITS = 1 << 62


@dataclass(frozen=True)
class _Dialect:
    container: str
    first_chunk: int
    order: str
    wide: bool = False  # W64: 16-byte identifiers, 64-bit sizes that count the header, 8-byte alignment

    @property
    def header_bytes(self) -> int:
        return 24 if self.wide else 8

    def parse(self, header: bytes) -> tuple[bytes, int] | None:
        """Identifier and body size, or None when these bytes are no chunk header."""
        if len(header) < self.header_bytes:
            return None
        if self.wide:
            if header[4:16] != _W64_TAIL:
                return None
            return header[:4], struct.unpack_from("<Q", header, 16)[0] - 24
        if header[:4] in _MAGICS or not all(0x20 <= byte < 0x7F for byte in header[:4]):
            return None
        return header[:4], struct.unpack_from(self.order + "I", header, 4)[0]


@dataclass(frozen=True)
class _Chunk:
    name: bytes
    start: int
    size: int
    end: int  # of the bytes that are there

    @property
    def label(self) -> str:
        return self.name.decode("ascii", "replace").strip()


@dataclass
class _Walk:
    chunks: list[_Chunk] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    data: _Chunk | None = None
    wide_data_size: int | None = None
    rest: int | None = None  # offset of bytes behind the last chunk that are no chunk


def is_riff(head: bytes) -> bool:
    """Whether the first bytes of a file are those of the RIFF family, sound or not."""
    return head[:4] in _MAGICS or head[:16] == b"riff" + _W64_FORM


def read_layout(source: Source) -> RawLayout:
    """Walk a RIFF-family file.

    Raises:
        Refusal: `not_audio` for RIFF that is not sound or states no format, `no_samples` without any.
    """
    dialect = _dialect(source)
    walk = _walk(source, dialect)
    body = next((c for c in walk.chunks if c.name == b"fmt " and c.end > c.start), None)
    body = body or _swallowed_format(source, dialect, walk)
    if body is None:
        raise _not_audio(source, "has no format chunk")
    count = min(body.end - body.start, LIMITS.riff_format_bytes_max)
    form = read_format(source.read_at(body.start, count), dialect.order, source.name)
    if walk.data is None:
        raise no_samples(source.name)
    return _settle(source, dialect, walk, form)


def no_samples(name: str) -> Refusal:
    """The refusal for a recording without a single frame."""
    return Refusal(
        "no_samples",
        f"'{name}' holds no samples",
        "check that the call was recorded and the upload was complete",
    )


def _not_audio(source: Source, why: str) -> Refusal:
    return Refusal("not_audio", f"'{source.name}' {why}", "name a sound recording")


def _dialect(source: Source) -> _Dialect:
    head = source.read_at(0, 40)
    if head[:4] == b"riff":
        if head[24:40] != b"wave" + _W64_TAIL:
            raise _not_audio(source, "is a W64 file that holds no sound")
        return _Dialect("w64", 40, "<", wide=True)
    if head[8:12] != b"WAVE":
        form = "".join(chr(b) if 0x20 <= b < 0x7F else "?" for b in head[8:12]).strip()
        raise _not_audio(source, f"is a RIFF file of type '{form}', not sound")
    if head[:4] == b"RIFX":
        return _Dialect("rifx", 12, ">")
    return _Dialect("wav" if head[:4] == b"RIFF" else "rf64", 12, "<")


def _walk(source: Source, dialect: _Dialect) -> _Walk:
    walk = _Walk()
    position, rescues = dialect.first_chunk, 0
    while position < source.size:
        chunk = _chunk_at(source, dialect, walk, position)
        if chunk is None or len(walk.chunks) >= LIMITS.riff_chunks_max:
            found = None
            if walk.data is None and rescues < LIMITS.riff_rescues_max:
                found = _rescue(source, dialect, walk, position)
            if found is None:
                walk.rest = position
                break
            position, rescues = found, rescues + 1
            continue
        walk.chunks.append(chunk)
        if chunk.name == b"data" and walk.data is None and chunk.end > chunk.start:
            walk.data = chunk
        if chunk.name == b"ds64" and dialect.container == "rf64" and chunk.end - chunk.start >= 16:
            walk.wide_data_size = struct.unpack("<Q", source.read_at(chunk.start + 8, 8))[0]
        position = _next_position(source, dialect, walk, chunk)
    return walk


def _chunk_at(source: Source, dialect: _Dialect, walk: _Walk, position: int) -> _Chunk | None:
    parsed = dialect.parse(source.read_at(position, dialect.header_bytes))
    if parsed is None or (walk.data is not None and behind.starts_recording(source.read_at(position, 16))):
        return None
    name, size = parsed
    start = position + dialect.header_bytes
    if name == b"data" and dialect.container == "rf64" and size == 0xFFFF_FFFF:
        size = size if walk.wide_data_size is None else walk.wide_data_size
    if name == b"data" and walk.data is None:
        if size <= 0 and not _chunk_follows(source, dialect, start):
            return _Chunk(name, start, size, source.size)  # a streaming writer: samples to the end
        return _Chunk(name, start, size, min(start + max(size, 0), source.size))
    if size < 0 or start + size > source.size:
        return None
    return _Chunk(name, start, size, start + size)


def _chunk_follows(source: Source, dialect: _Dialect, position: int) -> bool:
    parsed = dialect.parse(source.read_at(position, dialect.header_bytes))
    return (
        parsed is not None
        and parsed[0] in _KNOWN
        and 0 <= parsed[1] <= source.size - position - dialect.header_bytes
    )


def _next_position(source: Source, dialect: _Dialect, walk: _Walk, chunk: _Chunk) -> int:
    """The next header: behind the pad byte, or without it where the writer forgot it."""
    if chunk.end >= source.size or dialect.wide:
        return chunk.end + (-(chunk.end - chunk.start) % 8 if dialect.wide else 0)
    if (chunk.end - chunk.start) % 2 == 0:
        return chunk.end
    around = source.read_at(chunk.end, 9)
    padded, bare = dialect.parse(around[1:]), dialect.parse(around)
    if bare is not None and (padded is None or (bare[0] in _KNOWN and padded[0] not in _KNOWN)):
        walk.findings.append(facts.missing_pad(chunk.label))
        return chunk.end
    return chunk.end + 1


def _rescue(source: Source, dialect: _Dialect, walk: _Walk, position: int) -> int | None:
    """Where the format or the samples go on after a chunk whose stated length leads nowhere."""
    header = dialect.parse(source.read_at(position, dialect.header_bytes))
    if header is not None:
        culprit = _Chunk(header[0], position + dialect.header_bytes, header[1], source.size)
    elif walk.chunks:
        culprit = walk.chunks.pop()
    else:
        return None
    window = source.read_at(culprit.start, LIMITS.riff_rescue_bytes)
    tail = _W64_TAIL if dialect.wide else b""
    have_format = culprit.name == b"fmt " or any(c.name == b"fmt " for c in walk.chunks)
    wanted = (b"data" + tail,) if have_format else (b"data" + tail, b"fmt " + tail)
    hits = [hit for name in wanted if (hit := window.find(name)) >= 0]
    if not hits:
        return None
    inside = min(hits)
    walk.findings.append(facts.header_size_wrong(f"chunk '{culprit.label}'", culprit.size, inside))
    walk.chunks.append(_Chunk(culprit.name, culprit.start, culprit.size, culprit.start + inside))
    return culprit.start + inside


def _swallowed_format(source: Source, dialect: _Dialect, walk: _Walk) -> _Chunk | None:
    """The format chunk when an earlier chunk's length skips it."""
    first = dialect.first_chunk
    window = source.read_at(first, LIMITS.riff_rescue_bytes)
    at = window.find(b"fmt " + (_W64_TAIL if dialect.wide else b""))
    header = dialect.parse(window[at : at + dialect.header_bytes]) if at >= 0 else None
    if header is None or not walk.chunks:
        return None
    start = first + at + dialect.header_bytes
    before = walk.chunks[0]
    walk.findings.append(
        facts.header_size_wrong(f"chunk '{before.label}'", before.size, first + at - before.start)
    )
    return _Chunk(b"fmt ", start, header[1], min(start + max(header[1], 0), source.size))


def _is_placeholder(size: int) -> bool:
    return (
        size <= 0
        or size in _UNKNOWN_2E9
        or size in _UNKNOWN_31_BITS
        or size in _UNKNOWN_32_BITS
        or size >= _UNKNOWN_64_BITS
    )


def _settle(source: Source, dialect: _Dialect, walk: _Walk, form: WaveFormat) -> RawLayout:
    """Compare what the header states with what is there, and decide where the samples end."""
    data = walk.data
    assert data is not None
    findings = [*form.findings, *walk.findings]
    per_sec = form.bytes_per_sec
    end, declared = data.end, data.size
    held = source.size - data.start
    stated: int | None = declared
    explained = False
    if declared <= 0 or (declared > held and _is_placeholder(declared)):
        stated, explained = None, True
        findings.append(facts.header_size_unknown("data chunk", max(declared, 0), held))
    elif declared > held:
        explained = True
        findings.append(facts.truncated(declared, held, "bytes", (declared - held) / max(per_sec, 1)))
    elif walk.rest is not None and walk.rest < source.size:
        explained = True
        cut = _is_cut_chunk(dialect, source.read_at(walk.rest, dialect.header_bytes))
        rest = "a chunk cut short" if cut else behind.what_follows(source, walk.rest, per_sec)
        if rest == behind.SOUND and walk.chunks[-1] is data:
            end = source.size
            findings.append(facts.header_size_wrong("data chunk", declared, held))
        else:
            findings.append(_trailing(source, walk.rest, rest))
    findings += _form_size_findings(source, dialect, explained)
    later = [c for c in walk.chunks if c.name == b"data" and c.start > data.start and c.end > c.start]
    if later:
        findings.append(facts.several_data_chunks(len(later), sum(c.end - c.start for c in later)))
    left = (end - data.start) % form.frame_bytes if form.encoding is not None else 0
    if left:
        findings.append(facts.partial_frame(left, form.frame_bytes))
    if end - data.start - left <= 0:
        raise no_samples(source.name)
    return RawLayout(
        container=dialect.container,
        big_endian=dialect.order == ">",
        format=form,
        data_start=data.start,
        data_bytes=end - data.start - left,
        declared_bytes=stated,
        findings=tuple(findings),
    )


def _is_cut_chunk(dialect: _Dialect, head: bytes) -> bool:
    parsed = dialect.parse(head)
    return parsed is not None and parsed[0] in _KNOWN


def _trailing(source: Source, offset: int, rest: str) -> Finding:
    """Bytes that were not read; behind further chunks they are no samples, whatever they are."""
    unread = "recording" if rest in (behind.RIFF, behind.ANOTHER) else None
    what = _NO_CHUNK if rest in (behind.SOUND, behind.SHORT) else rest
    return facts.trailing_bytes(source.size - offset, offset, what, unread)


def _form_size_findings(source: Source, dialect: _Dialect, explained: bool) -> list[Finding]:
    """Facts about the length in the file's first header, unless the data chunk explains it already."""
    if explained:
        return []
    if dialect.wide:
        stated, whole = struct.unpack("<Q", source.read_at(16, 8))[0], source.size
    else:
        stated, whole = struct.unpack(dialect.order + "I", source.read_at(4, 4))[0], source.size - 8
    if dialect.container == "rf64" and stated == 0xFFFF_FFFF:
        return []
    if stated in (whole, whole + whole % 2, whole - 1):
        return []
    if _is_placeholder(stated):
        return [facts.header_size_unknown("file header", stated, whole)]
    return [facts.header_size_wrong("file header", stated, whole)]
