"""Canonical JSON, digests and atomic files: one definition of "the same bytes"."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from hotato.errors import Refusal
from hotato.plain import shown

_ENCODER = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="sorted")
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
_NO_LINKS = {
    errno.EPERM,
    errno.EOPNOTSUPP,
    errno.ENOSYS,
    errno.EMLINK,
    errno.EXDEV,
}  # file systems without links


def to_json(value: Any) -> str:
    """The JSON text of a record or builtin, two-space indented, keys in the record's order, newline last.

    NaN and infinity become null; the same value gives the same text on every machine.
    """
    return msgspec.json.format(_ENCODER.encode(value), indent=2).decode() + "\n"


def decode_json(data: str | bytes, what: str, type: Any = Any) -> Any:
    """JSON from outside, strictly: an object that states a key twice says two things, and is refused.

    A reader that keeps one of two values lets the other one pass unseen, so every file that counts as
    evidence is read here.

    Args:
        data: the content of the file.
        what: what to call it in the refusal.
        type: a record to convert to; unknown keys are ignored, as its own settings say.

    Raises:
        Refusal: `repeated_key`, naming the key.
        msgspec.DecodeError, UnicodeDecodeError, RecursionError: it is no JSON, or no such record.
    """
    value = msgspec.json.decode(data, type=type)

    def once(pairs: list[tuple[str, Any]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise Refusal(
                "repeated_key",
                f"{what} states the key '{shown(repeated)}' twice in one object",
                "keep one of the two",
            )

    # Numbers stay text here: they are not looked at, and some would be too long to convert.
    json.loads(data, object_pairs_hook=once, parse_int=str, parse_float=str)
    return value


def digest(value: Any) -> str:
    """Sha256 (hex) of the compact JSON of `value` with sorted keys."""
    return hashlib.sha256(_SORTED.encode(value)).hexdigest()


def listing_digest(files: Mapping[str, bytes]) -> str:
    """Sha256 (hex) over named contents, the address of a set of files.

    One line for each file in the order of the names: the name, a NUL, the sha256 (hex) of its bytes, a
    newline.
    """
    return listing_digest_of({name: hashlib.sha256(data).hexdigest() for name, data in files.items()})


def listing_digest_of(digests: Mapping[str, str]) -> str:
    """`listing_digest` from the sha256 (hex) of every file."""
    lines = [f"{name}\0{digests[name]}\n" for name in sorted(digests)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@dataclass(frozen=True)
class NewFile:
    """A file to write.

    Attributes:
        path: where; missing parent folders are made.
        content: text (written as UTF-8, line ends untouched) or bytes.
        replace: whether an existing file with other bytes is replaced.
    """

    path: Path
    content: str | bytes
    replace: bool = False

    @property
    def data(self) -> bytes:
        """The content as bytes."""
        return self.content.encode() if isinstance(self.content, str) else self.content


def read_small(path: str | os.PathLike[str], what: str, limit_bytes: int) -> bytes:
    """The bytes of a small regular file that a person named; a pipe or a device is never opened.

    Args:
        path: the file; it is named in refusals as it was typed.
        what: what it should be, in words ("cost config").
        limit_bytes: more than this is refused; no more is ever read.

    Raises:
        Refusal: `not_found`, `is_a_directory`, `permission_denied`, `not_a_file`, `too_large`, `unreadable`.
    """
    typed = os.fspath(path)
    try:
        # Asked before opening: opening a pipe or a device can block or have effects.
        _require_small_file(Path(path).stat(), typed, what, limit_bytes)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
        with os.fdopen(descriptor, "rb") as file:
            _require_small_file(os.fstat(descriptor), typed, what, limit_bytes)
            data = file.read(limit_bytes + 1)
    except ValueError as error:
        if isinstance(error, Refusal):
            raise
        raise _not_found(typed, what) from None  # a NUL in the name
    except (FileNotFoundError, NotADirectoryError):
        raise _not_found(typed, what) from None
    except PermissionError:
        raise Refusal(
            "permission_denied", f"no permission to read '{typed}'", "make it readable to you"
        ) from None
    except OSError as error:
        reason = (error.strerror or "input error").lower()
        raise Refusal("unreadable", f"cannot read '{typed}': {reason}", "check the path") from None
    if len(data) > limit_bytes:
        raise _too_large(typed, what, limit_bytes)
    return data


def _require_small_file(status: os.stat_result, typed: str, what: str, limit_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise Refusal("is_a_directory", f"'{typed}' is a folder", f"name the {what} itself")
    if not stat.S_ISREG(status.st_mode):
        raise Refusal(
            "not_a_file",
            f"'{typed}' is a pipe, a socket or a device, not a file",
            f"save the {what} to a file",
        )
    if status.st_size > limit_bytes:
        raise _too_large(typed, what, limit_bytes)


def _not_found(typed: str, what: str) -> Refusal:
    return Refusal("not_found", f"there is no {what} '{typed}'", "check the path")


def _too_large(typed: str, what: str, limit_bytes: int) -> Refusal:
    return Refusal(
        "too_large", f"'{typed}' is larger than {limit_bytes} bytes, too large for a {what}", f"name a {what}"
    )


def write_atomic(path: str | os.PathLike[str], content: str | bytes, *, force: bool = False) -> Path:
    """Write a whole file or nothing; see `write_set`.

    Args:
        path: where the file shall be.
        content: text or bytes.
        force: replace an existing file. Without it an existing file with the same bytes is left alone and
            one with other bytes is refused.
    """
    target = Path(path)
    write_set([NewFile(target, content, force)])
    return target


def write_set(files: Sequence[NewFile]) -> None:
    """Write several files, all of them or none.

    Each goes to a temporary sibling first and is synced; only when all are there do they get their names. A
    name that another process took meanwhile is not overwritten. What this call made is removed again when it
    cannot end well.

    Raises:
        Refusal: `exists`, `not_a_file`, `is_a_directory`, `disk_full`, `unwritable`.
    """
    waiting = [file for file in files if not _is_there(file)]
    made: list[Path] = []
    temporaries: list[Path] = []
    target = files[0].path if files else Path()
    try:
        for file in waiting:
            target = file.path
            _make_folders(target.parent, made)
            temporaries.append(_temporary(target, file.data))
        for file, temporary in zip(waiting, temporaries, strict=True):
            target = file.path
            if _publish(file, temporary):
                made.append(target)
    except BaseException as error:
        _remove(temporaries)  # they are in the folders that were made
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        if isinstance(error, OSError):
            raise write_refusal(target, error) from error
        raise
    finally:
        _remove(temporaries)


def _remove(temporaries: Sequence[Path]) -> None:
    for temporary in temporaries:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _is_there(file: NewFile) -> bool:
    """Whether a file with these bytes exists; anything else in its place that may not go is refused."""
    target = file.path
    try:
        status = target.stat()
    except OSError as error:
        if target.is_symlink():
            raise Refusal(
                "exists", f"'{target}' is a link that leads nowhere", "name another file"
            ) from error
        return False
    if stat.S_ISDIR(status.st_mode):
        raise Refusal("is_a_directory", f"'{target}' is a directory", "name a file")
    if not stat.S_ISREG(status.st_mode):
        raise Refusal("not_a_file", f"'{target}' is a pipe or a device, not a file", "name a file")
    if status.st_size == len(file.data) and _has_bytes(target, file.data):
        return True
    if not file.replace:
        raise _exists(target)
    return False


def _has_bytes(target: Path, data: bytes) -> bool:
    try:
        return target.read_bytes() == data
    except OSError:
        return False


def _exists(target: Path) -> Refusal:
    return Refusal("exists", f"'{target}' exists with other content", "name another file, or pass --force")


def _make_folders(folder: Path, made: list[Path]) -> None:
    """Make `folder` and its parents; the ones that were not there go to `made`, outermost first."""
    missing = [parent for parent in (folder, *folder.parents) if not os.path.lexists(parent)]
    for parent in reversed(missing):
        parent.mkdir(exist_ok=True)
        made.append(parent)


def _temporary(target: Path, data: bytes) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~umask())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _publish(file: NewFile, temporary: Path) -> bool:
    """Give a temporary its name; whether that name is new."""
    if file.replace:
        temporary.replace(file.path)
        return False
    try:
        file.path.hardlink_to(temporary)
    except FileExistsError:
        if not _has_bytes(file.path, file.data):
            raise _exists(file.path) from None
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        temporary.rename(file.path)
    return True


def umask() -> int:
    """The permissions that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_refusal(target: Path, error: OSError) -> Refusal:
    """The refusal that stands for a failed write: `disk_full` or `unwritable`."""
    if error.errno in _DISK_FULL:
        return Refusal("disk_full", f"no space left to write '{target}'", "free some space and run again")
    reason = (error.strerror or "error").lower()
    return Refusal("unwritable", f"cannot write '{target}': {reason}", "name a folder you may write to")
