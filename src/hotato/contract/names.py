"""Names of members that mean the same file on every system, and nothing but a file inside the bundle."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from hotato.contract.members import LIMITS


@dataclass(frozen=True, slots=True)
class NameLimits:
    """How long a member's path may be.

    Attributes:
        path_bytes: the whole path in UTF-8: below what Windows takes, with room for the folder around it.
        part_bytes: one folder or file name, as file systems take it.
    """

    path_bytes: int = 200
    part_bytes: int = 120


_LIMITS = NameLimits()
_FORBIDDEN = frozenset('\\:<>"|?*')
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789\u00b9\u00b2\u00b3"}
)
"""What Windows takes for a device, whatever extension follows."""

_REPOSITORY = frozenset({".git", "git~1"})
"""Git takes what lies here for a repository, with hooks that it runs; the second is its short name."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ARCHIVES = (
    b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\x1f\x9d", b"MSCF", b"!<arch>\n", b"xar!",
)  # fmt: skip
_TAR_AT, _TAR = 257, b"ustar"
HEAD_BYTES = 512
"""As much of a member as tells whether it is an archive."""


def wrong_name(name: str) -> str | None:
    """Why a path cannot be a member's, in one clause; None where it can."""
    parts = name.split("/")
    size = len(name.encode(errors="replace"))
    rules = (
        (not name or name.startswith("/"), "it is empty or absolute"),
        (any(part in ("", ".", "..") for part in parts), "it leads out of the bundle, or has an empty part"),
        (any(_is_forbidden(char) for char in name), "it has a letter that some system forbids or hides"),
        (len(parts) > LIMITS.depth or size > _LIMITS.path_bytes, "it is too long or too deep"),
        (any(len(part.encode(errors="replace")) > _LIMITS.part_bytes for part in parts), "it is too long"),
        (any(part != part.strip() for part in parts), "a part of it begins or ends with a blank"),
        (any(part.endswith(".") for part in parts), "a part of it ends with a dot"),
        (any(_is_device(part) for part in parts), "a part of it is the name of a device"),
        (any(part.casefold() in _REPOSITORY for part in parts), "git would take it for a repository"),
        (unicodedata.normalize("NFC", name) != name, "its letters are not composed (Unicode NFC)"),
    )
    return next((why for broken, why in rules if broken), None)


def _is_forbidden(char: str) -> bool:
    return char in _FORBIDDEN or unicodedata.category(char) in _INVISIBLE


def _is_device(part: str) -> bool:
    return part.split(".", maxsplit=1)[0].rstrip().casefold() in _DEVICES


def same_names(names: Iterable[str]) -> tuple[str, str] | None:
    """Two paths that some system takes for one, or None: by case, by Unicode form, a file for a folder.

    Every folder on the way counts as well: `Traces/a` and `traces/b` share a folder on some systems only.
    """
    folders: dict[str, str] = {}
    files: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        for depth in range(1, len(parts)):
            path = "/".join(parts[:depth])
            taken = files.get(_folded(path)) or folders.setdefault(_folded(path), path)
            if taken != path or _folded(path) in files:
                return taken, path
        key = _folded(name)
        if key in files or key in folders:
            return files.get(key) or folders[key], name
        files[key] = name
    return None


def _folded(path: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def is_archive(head: bytes) -> bool:
    """Whether a member is itself an archive or a compressed file, judged by how it begins."""
    return head.startswith(_ARCHIVES) or head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR
