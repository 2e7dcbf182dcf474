"""A bundle as one file, and back: packed the same on every machine, unpacked as if an enemy had packed it."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from hotato.canonical import to_json, write_atomic
from hotato.contract.bundle import LIMITS as BUNDLE_LIMITS
from hotato.contract.bundle import contract_of, read_member
from hotato.contract.contents import (
    ArchiveWatch,
    bad_member,
    require_names,
    require_no_archive,
    require_plain,
)
from hotato.contract.found import require_alone
from hotato.contract.integrity import Entry, intact_contract, json_of, what_is_wrong
from hotato.contract.layout import CONTRACT, LISTING, MANIFEST
from hotato.contract.layout import SUFFIX as BUNDLE
from hotato.contract.members import LIMITS, survey
from hotato.contract.own import bundle_of
from hotato.contract.zipform import Stored, stored_members
from hotato.errors import Refusal
from hotato.plain import shown
from hotato.trees import staged_tree

SUFFIX = ".pack"
MAX_BYTES_VARIABLE = "HOTATO_CONTRACT_MAX_UNPACK_BYTES"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_PIECE_BYTES = 1 << 20
_REMEDY = "ask for the archive again, and for its sha256"


class Listing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`PACK.sha256.json`.

    Attributes:
        schema: version of this shape.
        members: every other member by its path.
    """

    schema: Literal["hotato.pack.v1"]
    members: dict[str, Entry]


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive that was written.

    Attributes:
        path: the file.
        id: the contract's.
        members: how many members the bundle has.
        content_bytes: size of all of them.
        bytes: size of the archive.
        sha256: of the archive, to be told to whoever receives it.
    """

    path: Path
    id: str
    members: int
    content_bytes: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A bundle that was unpacked.

    Attributes:
        path: its folder.
        id: the contract's.
        members: how many members it has.
        bytes: size of all of them.
    """

    path: Path
    id: str
    members: int
    bytes: int


def pack(folder: Path, out: Path | None = None, *, force: bool = False) -> Packed:
    """Write a bundle as one file.

    Args:
        folder: the bundle; it has to be what it was sealed as.
        out: the archive; `<bundle>.pack` beside the bundle when left out.
        force: whether another file in its place is replaced.

    Raises:
        Refusal: `tampered`; `bad_member`: unpacking would refuse a name or a content; and whatever reading or
            writing is refused for.
    """
    found = survey(folder)
    contract = intact_contract(folder, found)
    require_plain(folder, found, LISTING)
    members = {name: read_member(folder, name, LIMITS.member_bytes) for name in found.sizes}
    packed = packed_bytes(members)
    place = folder.resolve()
    path = write_atomic(place.with_name(place.name + SUFFIX) if out is None else out, packed, force=force)
    named = folder.with_name(folder.name + SUFFIX) if out is None and folder.name else path
    content_bytes = sum(map(len, members.values()))
    digest = hashlib.sha256(packed).hexdigest()
    return Packed(named, contract.id, len(members), content_bytes, len(packed), digest)


def packed_bytes(members: Mapping[str, bytes]) -> bytes:
    """The archive of named contents: the same bytes for the same contents, on every machine.

    Members are stored, not compressed: compressors differ from one version to the next.
    """
    entries = {
        name: Entry(sha256=hashlib.sha256(members[name]).hexdigest(), bytes=len(members[name]))
        for name in sorted(members)
    }
    listing = to_json(Listing(schema="hotato.pack.v1", members=entries)).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name, data in [(LISTING, listing), *((name, members[name]) for name in sorted(members))]:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = _UNIX, (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def unpack(archive: Path, out: Path, *, force: bool = False, max_bytes: int | None = None) -> Unpacked:
    """Write the bundle that an archive holds, whole, or nothing.

    Args:
        archive: a file that `pack` made.
        out: the bundle's folder.
        force: whether a bundle of the same contract is replaced; any other folder stays.
        max_bytes: largest size of all members together; None for `LIMITS.total_bytes`.

    Raises:
        Refusal: `bad_archive`, `bad_member`, `too_large`, `tampered`: it is not what `pack` makes;
            `not_a_bundle_name`, `inside_a_bundle`; `not_found`, `not_a_file`, `unreadable`; `not_ours`;
            see `trees.staged_tree`.
    """
    _require_place(out)
    limit = LIMITS.total_bytes if max_bytes is None else max_bytes
    descriptor = _open(archive)
    try:
        size = os.fstat(descriptor).st_size
        members = stored_members(lambda offset, count: _read(descriptor, offset, count), size)
        listing = _listing(descriptor, members)
        _require_size(sum(member.size for member in members), limit)
        ours = bundle_of(_stated_id(descriptor, members)) if force else None
        with staged_tree(out, ours=ours) as folder:
            for member in members[1:]:
                _extract(descriptor, member, listing.members[member.name], folder)
            contract_id = _require_whole(folder)
        return Unpacked(out, contract_id, len(members) - 1, sum(member.size for member in members[1:]))
    finally:
        os.close(descriptor)


def _require_place(out: Path) -> None:
    """Refuse a folder that no command would take for a bundle, and one inside another bundle."""
    if not out.name.endswith(BUNDLE) or out.name == BUNDLE:
        raise Refusal(
            "not_a_bundle_name",
            f"'{out}' cannot be a bundle's folder: its name does not end in {BUNDLE}",
            f"name it NAME{BUNDLE}, in the folder of the contracts",
        )
    for parent in out.resolve().parents:
        sealed = all(os.path.lexists(parent / member) for member in (CONTRACT, MANIFEST))
        if parent.name.endswith(BUNDLE) or sealed:
            raise Refusal(
                "inside_a_bundle",
                f"'{out}' lies inside the bundle '{shown(parent.name)}'",
                "unpack it beside that one",
            )


def _stated_id(descriptor: int, members: list[Stored]) -> str:
    """The id that the archive's contract states; its bytes are held against their digests when written."""
    for member in members:
        if member.name == CONTRACT and member.size <= BUNDLE_LIMITS.contract_bytes:
            return contract_of(_read(descriptor, member.offset, member.size), "the archive").id
    raise Refusal("bad_archive", f"the archive holds no {CONTRACT}", _REMEDY)


def _open(archive: Path) -> int:
    try:
        if not stat.S_ISREG(archive.stat().st_mode):
            raise Refusal("not_a_file", f"'{archive}' is no file", "name an archive, ID.hotato.pack")
        return os.open(archive, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise Refusal("not_found", f"there is no archive '{archive}'", "check the path") from None
    except (OSError, ValueError) as error:
        if isinstance(error, Refusal):
            raise
        reason = (getattr(error, "strerror", None) or "no such name").lower()
        raise Refusal("unreadable", f"cannot read '{archive}': {reason}", "check the path") from error


def _read(descriptor: int, offset: int, count: int) -> bytes:
    pieces = []
    while count > 0 and (piece := os.pread(descriptor, min(count, _PIECE_BYTES), offset)):
        pieces.append(piece)
        offset, count = offset + len(piece), count - len(piece)
    return b"".join(pieces)


def _listing(descriptor: int, members: list[Stored]) -> Listing:
    """What the archive says of its members, which has to name exactly those that there are."""
    first, *others = members
    if first.name != LISTING or first.size > LIMITS.members * 1024:
        raise Refusal("bad_archive", f"the archive does not begin with {LISTING}", _REMEDY)
    listing: Listing = json_of(_read(descriptor, first.offset, first.size), LISTING, Listing)
    names = [member.name for member in others]
    require_names(names, LISTING)
    if sorted(listing.members) != sorted(names):
        odd = sorted({*listing.members} ^ {*names})
        raise Refusal("bad_archive", f"the members are not those of {LISTING}: '{shown(odd[0])}'", _REMEDY)
    for member in others:
        if member.size > LIMITS.member_bytes or member.size != listing.members[member.name].bytes:
            bad_member(member.name, "its size is not the one that was listed")
    return listing


def _require_size(size: int, limit: int) -> None:
    if size > limit:
        raise Refusal(
            "too_large",
            f"the archive holds {size} bytes, more than the {limit} that are taken",
            f"pass --max-bytes, or set {MAX_BYTES_VARIABLE}, if you trust it",
        )


def _extract(descriptor: int, member: Stored, entry: Entry, folder: Path) -> None:
    """Write one member and hold what was written against both of its digests."""
    target = folder / member.name
    target.parent.mkdir(parents=True, exist_ok=True)
    found, crc, offset, left = hashlib.sha256(), 0, member.offset, member.size
    watch = ArchiveWatch()
    with target.open("xb") as file:
        while left:
            piece = os.pread(descriptor, min(left, _PIECE_BYTES), offset)
            if not piece:
                bad_member(member.name, "the archive ended while it was read")
            watch.feed(piece)
            found.update(piece)
            crc = zlib.crc32(piece, crc)
            file.write(piece)
            offset, left = offset + len(piece), left - len(piece)
    require_no_archive(member.name, watch)
    if found.hexdigest() != entry.sha256 or crc != member.crc:
        bad_member(member.name, "its bytes are not those that were listed")


def _require_whole(folder: Path) -> str:
    """The id of the bundle in a folder, which has to be what it was sealed as."""
    found = survey(folder)
    if CONTRACT not in found.sizes:
        raise Refusal("bad_archive", f"the archive holds no {CONTRACT}", _REMEDY)
    contract = contract_of(read_member(folder, CONTRACT), "the archive")
    require_alone(folder)
    wrong = what_is_wrong(folder, found, contract)
    if wrong:
        raise Refusal(
            "tampered", f"the bundle is not what it was sealed as ({'; '.join(wrong[:3])})", _REMEDY
        )
    return contract.id
