"""A bundle read back: strictly, within its limits, and without following a link out of it."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

import msgspec

from hotato.canonical import decode_json
from hotato.contract import layout
from hotato.contract.records import Contract
from hotato.errors import Refusal
from hotato.plain import shown

_BAD = "bad_contract"
_NEXT = "fetch the bundle again, or make it anew with hotato contract create"


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """Largest sizes of what is read of a bundle.

    Attributes:
        contract_bytes: `contract.json`.
        member_bytes: any other member that is read whole.
        audio_bytes: the recording.
    """

    contract_bytes: int = 1 << 20
    member_bytes: int = 1 << 26
    audio_bytes: int = 1 << 28


LIMITS = BundleLimits()


@dataclass(frozen=True, slots=True)
class Bundle:
    """A contract and the folder it lies in.

    Attributes:
        contract: what `contract.json` states.
        folder: the bundle, as it was named.
    """

    contract: Contract
    folder: Path

    @property
    def audio(self) -> Path:
        """The recording, which `read_bundle` found to be a plain file inside the bundle."""
        return self.folder / str(self.contract.bundle["paths"]["audio"])

    def read(self, member: str, limit_bytes: int = LIMITS.member_bytes) -> bytes:
        """The bytes of a member; see `read_member`."""
        return read_member(self.folder, member, limit_bytes)


def read_bundle(path: str | os.PathLike[str]) -> Bundle:
    """The bundle at `path`, or the one that holds the `contract.json` at `path`.

    Nothing is said of whether its members are the sealed ones: that is for a verification.

    Raises:
        Refusal: `not_found`, `not_a_bundle`; `bad_contract`, `repeated_key`, `unsafe_member` or `too_large`
            for a bundle that is none.
    """
    named = Path(path)
    folder = named.parent if named.name == layout.CONTRACT else named
    if not folder.is_dir():
        if os.path.lexists(folder):
            raise Refusal("not_a_bundle", f"'{path}' is not a bundle", f"name a folder *{layout.SUFFIX}")
        raise Refusal("not_found", f"there is no bundle '{path}'", "check the path")
    if not os.path.lexists(folder / layout.CONTRACT):
        raise Refusal(
            "not_a_bundle", f"'{path}' holds no {layout.CONTRACT}", f"name a folder *{layout.SUFFIX}"
        )
    contract = contract_of(read_member(folder, layout.CONTRACT, LIMITS.contract_bytes), folder.name)
    bundle = Bundle(contract, folder)
    audio = str(contract.bundle["paths"]["audio"])
    descriptor = _open(folder, audio, LIMITS.audio_bytes)
    os.close(descriptor)
    return bundle


def contract_of(data: bytes, name: str) -> Contract:
    """The contract that `contract.json` states.

    Args:
        data: the bytes of the file.
        name: what to call the bundle in a refusal.

    Raises:
        Refusal: `bad_contract`, naming the field; `repeated_key`.
    """
    where = f"{layout.CONTRACT} of '{shown(name)}'"
    try:
        contract: Contract = decode_json(data, where, Contract)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refusal(_BAD, f"{where}: {error}", _NEXT) from error
    except RecursionError:
        raise Refusal(_BAD, f"{where}: its brackets are nested too deeply", _NEXT) from None
    if contract.bundle not in [{"paths": layout.paths(audio)} for audio in layout.AUDIO]:
        raise Refusal(_BAD, f"{where}: its paths are not those of a bundle - `$.bundle.paths`", _NEXT)
    return contract


def read_member(folder: Path, member: str, limit_bytes: int = LIMITS.member_bytes) -> bytes:
    """The bytes of one member of a bundle.

    Args:
        folder: the bundle.
        member: its path in the bundle, with forward slashes.
        limit_bytes: more than this is refused; no more is ever read.

    Raises:
        Refusal: `unsafe_member` for a link, or for what is no plain file; `missing_member`, `too_large`,
            `unreadable`.
    """
    descriptor = _open(folder, member, limit_bytes)
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise _too_large(folder, member, limit_bytes)
    return data


def _open(folder: Path, member: str, limit_bytes: int) -> int:
    """A descriptor of a member, reached folder by folder without following a link."""
    parts = member.split("/")
    if not all(part and part not in (".", "..") for part in parts):
        raise _unsafe(folder, member, "its path leads out of the bundle")
    here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = inner
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
        status = os.stat(parts[-1], dir_fd=here, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            raise _unsafe(folder, member, "it is no plain file")
        if status.st_size > limit_bytes:
            raise _too_large(folder, member, limit_bytes)
        return os.open(parts[-1], flags, dir_fd=here)
    except FileNotFoundError:
        raise Refusal("missing_member", f"'{shown(folder.name)}' has no {shown(member)}", _NEXT) from None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise _unsafe(folder, member, "a link or a file stands in its path") from error
        reason = (error.strerror or "input error").lower()
        raise Refusal(
            "unreadable", f"cannot read {shown(member)} of '{shown(folder.name)}': {reason}", "check the disk"
        ) from error
    finally:
        os.close(here)


def _unsafe(folder: Path, member: str, why: str) -> Refusal:
    return Refusal("unsafe_member", f"{shown(member)} of '{shown(folder.name)}' is not read: {why}", _NEXT)


def _too_large(folder: Path, member: str, limit_bytes: int) -> Refusal:
    return Refusal(
        "too_large", f"{shown(member)} of '{shown(folder.name)}' is larger than {limit_bytes} bytes", _NEXT
    )
