"""What a member of a bundle may be called and may hold, wherever the bundle is going."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from hotato.contract.members import Survey, pieces_of
from hotato.contract.names import HEAD_BYTES, is_archive, same_names, wrong_name
from hotato.errors import Refusal
from hotato.plain import shown

_SELF_EXTRACTING = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")
"""Their readers look for these behind whatever stands in front."""

_ZIP_ENTRY, _ZIP_END = b"PK\x01\x02", b"PK\x05\x06"
_ZIP_END_BYTES = 22 + 0xFFFF
"""A ZIP file is found by what stands within so many bytes of its end (APPNOTE.TXT 4.3.16)."""

_OVERLAP = 8


class ArchiveWatch:
    """Tells whether bytes that pass by are an archive, with or without other bytes in front of it."""

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self._embedded = False
        self._entries = False

    def feed(self, piece: bytes) -> None:
        """The next bytes."""
        self._head += piece[: HEAD_BYTES - len(self._head)] if len(self._head) < HEAD_BYTES else b""
        seam = self._tail[-_OVERLAP:] + piece
        self._embedded = self._embedded or any(mark in seam for mark in _SELF_EXTRACTING)
        self._entries = self._entries or _ZIP_ENTRY in seam
        self._tail = (self._tail + piece)[-_ZIP_END_BYTES:]

    @property
    def found(self) -> bool:
        """Whether they are one."""
        return is_archive(self._head) or self._embedded or (self._entries and _ZIP_END in self._tail)


def require_names(names: Iterable[str], reserved: str) -> None:
    """Refuse members whose names are not the same plain file on every system.

    Args:
        names: paths of the members.
        reserved: a name that none may have.

    Raises:
        Refusal: `bad_member`.
    """
    names = list(names)
    for name in names:
        if (why := wrong_name(name)) is not None:
            bad_member(name, why)
        if name == reserved:
            bad_member(name, "the name belongs to the archive")
    if (same := same_names(names)) is not None:
        bad_member(same[1], f"some systems take it for '{shown(same[0])}'")


def require_no_archive(name: str, watch: ArchiveWatch) -> None:
    """Refuse a member that is an archive itself.

    Raises:
        Refusal: `bad_member`.
    """
    if watch.found:
        bad_member(name, "it is an archive itself")


def require_plain(folder: Path, found: Survey, reserved: str) -> None:
    """Refuse a bundle in which a member has such a name or such a content.

    Args:
        folder: the bundle.
        found: its members.
        reserved: see `require_names`.

    Raises:
        Refusal: `bad_member`, `unreadable`.
    """
    require_names(found.sizes, reserved)
    for name in found.sizes:
        watch = ArchiveWatch()
        for piece in pieces_of(folder, name):
            watch.feed(piece)
        require_no_archive(name, watch)


def bad_member(name: str, why: str) -> NoReturn:
    """Refuse a member.

    Raises:
        Refusal: `bad_member`.
    """
    raise Refusal(
        "bad_member",
        f"'{shown(name)}' cannot be a member of a bundle: {why}",
        "take it out of the bundle, or ask for the archive again and for its sha256",
    )
