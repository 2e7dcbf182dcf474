"""Canonical JSON, digests and atomic files: one definition of "the same bytes"."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from hotato.errors import Refusal

_ENCODER = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="sorted")
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}


def to_json(value: Any) -> str:
    """The JSON text of a record or builtin, two-space indented, keys in the record's order, newline last.

    NaN and infinity become null; the same value gives the same text on every machine.
    """
    return msgspec.json.format(_ENCODER.encode(value), indent=2).decode() + "\n"


def digest(value: Any) -> str:
    """Sha256 (hex) of the compact JSON of `value` with sorted keys."""
    return hashlib.sha256(_SORTED.encode(value)).hexdigest()


def write_atomic(path: str | os.PathLike[str], content: str | bytes, *, force: bool = False) -> Path:
    """Write a whole file or nothing: temporary sibling, fsync, rename.

    Args:
        path: where the file shall be; missing parent folders are made.
        content: text (written as UTF-8, line ends untouched) or bytes.
        force: replace an existing file. Without it an existing file with the same bytes is left alone and
            one with other bytes is refused.

    Raises:
        Refusal: `exists`, `disk_full`, `unwritable`, `is_a_directory`.
    """
    target = Path(path)
    data = content.encode() if isinstance(content, str) else content
    if target.is_dir():
        raise Refusal("is_a_directory", f"'{target}' is a directory", "name a file")
    if not force and target.exists():
        if target.read_bytes() == data:
            return target
        raise Refusal("exists", f"'{target}' exists with other content", "name another file, or pass --force")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, data)
    except OSError as error:
        raise _write_refusal(target, error) from error
    return target


def _replace(target: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _write_refusal(target: Path, error: OSError) -> Refusal:
    if error.errno in _DISK_FULL:
        return Refusal("disk_full", f"no space left to write '{target}'", "free some space and run again")
    reason = (error.strerror or "error").lower()
    return Refusal("unwritable", f"cannot write '{target}': {reason}", "name a folder you may write to")
