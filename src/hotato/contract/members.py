"""The files of a bundle's folder, looked at without following a link or opening anything but a plain file."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hotato.contract.layout import is_litter
from hotato.errors import Refusal
from hotato.plain import shown


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """How large a bundle may be; nobody's moment needs more.

    Attributes:
        members: files in it.
        depth: folders below it, one inside the other.
        member_bytes: one file.
        total_bytes: all files together; also the default of `contract unpack --max-bytes`.
    """

    members: int = 1_000
    depth: int = 8
    member_bytes: int = 512 << 20
    total_bytes: int = 512 << 20


LIMITS = BundleLimits()
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies in a bundle's folder.

    Attributes:
        sizes: bytes of every plain file but what desktops leave behind, by its path from the folder with
            forward slashes, in their order.
        odd: everything else that is no folder (a link, a pipe, a device), with what it is.
    """

    sizes: dict[str, int]
    odd: dict[str, str]


def survey(folder: Path) -> Survey:
    """Look through a bundle's folder.

    Raises:
        Refusal: `not_found`, `not_a_directory`, `too_many_members`, `too_deep`, `too_large`, `unreadable`.
    """
    if not folder.exists():
        raise Refusal("not_found", f"there is no bundle '{folder}'", "check the path")
    if not folder.is_dir():
        raise Refusal("not_a_directory", f"'{folder}' is no bundle: it is not a folder", "name the folder")
    sizes: dict[str, int] = {}
    odd: dict[str, str] = {}
    try:
        for member, status in _walk(folder, "", 0):
            if stat.S_ISREG(status.st_mode):
                if is_litter(member.rpartition("/")[2]):
                    continue
                sizes[member] = status.st_size
            else:
                odd[member] = "a link" if stat.S_ISLNK(status.st_mode) else "no plain file"
            if len(sizes) + len(odd) > LIMITS.members:
                raise _too("many_members", folder, f"more than {LIMITS.members} files")
    except OSError as error:
        reason = (error.strerror or "input error").lower()
        raise Refusal("unreadable", f"cannot read '{folder}': {reason}", "check who may read it") from error
    if sum(sizes.values()) > LIMITS.total_bytes:
        raise _too("large", folder, f"more than {LIMITS.total_bytes} bytes")
    return Survey({member: sizes[member] for member in sorted(sizes)}, odd)


def _walk(folder: Path, prefix: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    if depth > LIMITS.depth:
        raise _too("deep", folder, f"folders nested more than {LIMITS.depth} deep")
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                yield from _walk(Path(entry.path), f"{prefix}{entry.name}/", depth + 1)
            else:
                yield prefix + entry.name, status


def _too(what: str, folder: Path, why: str) -> Refusal:
    return Refusal(f"too_{what}", f"'{folder}' holds {why}, too much for a bundle", "look at what is in it")


def digest_of(folder: Path, member: str) -> tuple[str, int]:
    """Sha256 (hex) and size of a member, read in pieces; a link that took its place meanwhile is refused.

    Raises:
        Refusal: `unreadable`.
    """
    found, counted = hashlib.sha256(), 0
    for piece in pieces_of(folder, member):
        found.update(piece)
        counted += len(piece)
    return found.hexdigest(), counted


def pieces_of(folder: Path, member: str) -> Iterator[bytes]:
    """The bytes of a member, piece by piece; a link that took its place meanwhile is refused.

    Raises:
        Refusal: `unreadable`, `too_large`.
    """
    counted = 0
    try:
        descriptor = os.open(folder / member, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            while piece := file.read(_READ_BYTES):
                counted += len(piece)
                if counted > LIMITS.member_bytes:
                    raise _too("large", folder, f"a file of more than {LIMITS.member_bytes} bytes")
                yield piece
    except OSError as error:
        reason = (error.strerror or "input error").lower()
        raise Refusal("unreadable", f"cannot read '{shown(member)}': {reason}", "check the bundle") from error
