"""Where a recording came from, and whose word that is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hotato.canonical import decode_json, read_small
from hotato.errors import Refusal

_BUNDLED = "a call that comes with hotato"
_PINNED = "the audio of a pinned moment, byte for byte as its contract states it"
_LOCAL = "a file on this machine, taken at its word: nothing here proves when or where it was recorded"
_LARGEST_BYTES = 1 << 20


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """How the audio arrived.

    Attributes:
        kind: `frozen_regression`, `provider_pulled` or `operator_asserted_local`.
        path: the file, from the working folder.
        note: what that is worth, in one clause.
    """

    kind: Literal["frozen_regression", "provider_pulled", "operator_asserted_local"]
    path: str
    note: str


class _Source(msgspec.Struct, frozen=True):
    bundle_audio_sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class _Contract(msgspec.Struct, frozen=True):
    schema: Literal["hotato.contract.v1"]
    source: _Source


def origin_of(path: str, sha256: str, *, bundled: bool = False) -> Origin:
    """The origin of a local recording.

    Args:
        path: the file, as an artifact may state it.
        sha256: digest (hex) of its bytes.
        bundled: whether it is a call that comes with hotato.
    """
    if bundled or _is_pinned(Path(path), sha256):
        return Origin(kind="frozen_regression", path=path, note=_BUNDLED if bundled else _PINNED)
    return Origin(kind="operator_asserted_local", path=path, note=_LOCAL)


def _is_pinned(path: Path, sha256: str) -> bool:
    """Whether the file is the audio that the contract two folders up states."""
    try:
        data = read_small(path.parent.parent / "contract.json", "contract", _LARGEST_BYTES)
        stated = decode_json(data, "the contract", _Contract)
    except (Refusal, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return bool(stated.source.bundle_audio_sha256 == sha256)
