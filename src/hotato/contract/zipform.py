"""The one form of a ZIP file that a packed bundle has; whatever departs from it is refused before it is read.

ZIP says everything twice: in a header before each member and in a directory at the end. Readers that believe
one of the two can be shown different things. Here both must agree to the letter; members are stored without
compression, one directly after the other from the first byte on, with nothing between, before or behind them.
So there is nothing to inflate, and no room for overlaps, gaps or hidden data.

Source: APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
"""

from __future__ import annotations

import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from hotato.contract.members import LIMITS
from hotato.errors import Refusal
from hotato.plain import shown

Read = Callable[[int, int], bytes]
"""`read(offset, count)`: so many bytes from there, fewer only at the end of the file."""

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_LOCAL_MARK, _CENTRAL_MARK, _END_MARK = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_UNICODE, _ENCRYPTED, _DESCRIPTOR = 0x0800, 0x0001 | 0x0040, 0x0008
_STORED = 0
_FOLDER = 0x10
_ZIP64_COUNT, _ZIP64_SIZE = 0xFFFF, 0xFFFFFFFF
_REMEDY = "pack the bundle again with 'hotato contract pack'"


@dataclass(frozen=True, slots=True)
class Stored:
    """One member of an archive.

    Attributes:
        name: its path as the archive states it.
        offset: where its bytes begin.
        size: how many they are.
        crc: their CRC-32, as stated.
    """

    name: str
    offset: int
    size: int
    crc: int


def stored_members(read: Read, size: int) -> list[Stored]:
    """The members of an archive, in their order.

    Args:
        read: gives bytes of the file.
        size: bytes of the file.

    Raises:
        Refusal: `bad_archive`, saying what departs from the form.
    """
    count, start = _end(read, size)
    directory = read(start, size - _END.size - start)
    members: list[Stored] = []
    at, expected = 0, 0
    for _ in range(count):
        member, at = _member(read, directory, at, expected)
        members.append(member)
        expected = member.offset + member.size
    if at != len(directory):
        _bad("its directory holds more than its members")
    if expected != start:
        _bad("there are bytes that belong to no member")
    return members


def _end(read: Read, size: int) -> tuple[int, int]:
    """How many members there are, and where the directory begins."""
    if size < _END.size:
        _bad("it is too short for an archive")
    mark, disk, first, here, count, length, start, comment = _END.unpack(read(size - _END.size, _END.size))
    if mark != _END_MARK:
        _bad("it does not end as an archive does: it is none, or something follows it")
    if (disk, first, comment) != (0, 0, 0) or here != count:
        _bad("it claims several disks, or a comment")
    if count == _ZIP64_COUNT or _ZIP64_SIZE in (length, start):
        _bad("it uses the 64-bit form, which no bundle needs")
    if not 0 < count <= LIMITS.members + 1:
        _bad(f"it claims {count} members")
    if start + length != size - _END.size or length < count * _CENTRAL.size:
        _bad("its directory does not lie where it says")
    return count, start


def _member(read: Read, directory: bytes, at: int, expected: int) -> tuple[Stored, int]:
    """The member whose directory entry begins at `at`, and where the next entry begins.

    Args:
        expected: where its own header must begin: directly behind the member before it.
    """
    fields = directory[at : at + _CENTRAL.size]
    if len(fields) < _CENTRAL.size:
        _bad("its directory is cut off")
    (mark, _made_by, needs, flags, method, clock, date, crc, packed, plain, name_size, extra, comment, disk,
     _internal, attributes, offset) = _CENTRAL.unpack(fields)  # fmt: skip
    end = at + _CENTRAL.size + name_size
    raw = directory[at + _CENTRAL.size : end]
    if mark != _CENTRAL_MARK or len(raw) != name_size:
        _bad("its directory is damaged")
    name = _text(raw, flags)
    _check(name, flags, method, packed, plain)
    if (extra, comment, disk) != (0, 0, 0):
        _bad(f"'{shown(name)}' carries extra fields")
    kind = stat.S_IFMT(attributes >> 16)  # 0 where the writer states none
    if name.endswith("/") or attributes & _FOLDER or kind not in (0, stat.S_IFREG):
        _bad(f"'{shown(name)}' is no plain file (a link, a folder or a device)")
    if offset != expected:
        _bad(f"'{shown(name)}' does not begin where the member before it ends")
    header = _LOCAL.pack(_LOCAL_MARK, needs, flags, method, clock, date, crc, packed, plain, name_size, 0)
    if read(offset, _LOCAL.size + name_size) != header + raw:
        _bad(f"its directory and the header of '{shown(name)}' contradict each other")
    return Stored(name, offset + _LOCAL.size + name_size, plain, crc), end


def _text(raw: bytes, flags: int) -> str:
    try:
        return raw.decode("utf-8" if flags & _UNICODE else "ascii")
    except UnicodeDecodeError:
        _bad("a member's name is in no encoding that it states")


def _check(name: str, flags: int, method: int, packed: int, plain: int) -> None:
    if flags & _ENCRYPTED:
        _bad(f"'{shown(name)}' is encrypted")
    if flags & _DESCRIPTOR:
        _bad(f"'{shown(name)}' states its size only behind its bytes")
    if flags & ~_UNICODE:
        _bad(f"'{shown(name)}' has flags that no packed bundle has")
    if method != _STORED:
        _bad(f"'{shown(name)}' is compressed, which members of a packed bundle are not")
    if packed != plain or plain == _ZIP64_SIZE:
        _bad(f"'{shown(name)}' states two sizes")


def _bad(why: str) -> NoReturn:
    raise Refusal("bad_archive", f"this is no packed bundle: {why}", _REMEDY)
