"""Put files into a folder that is somebody's: those that are absent, all of them or none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotato.canonical import NewFile, write_set
from hotato.errors import Refusal


@dataclass(frozen=True, slots=True)
class ScaffoldFile:
    """A file to be.

    Attributes:
        path: relative to the folder, with forward slashes.
        text: its content.
    """

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of the files, in the order of the plan.

    Attributes:
        written: those that are new, or were replaced by force.
        kept: those that were there, and stay as they are.
    """

    written: tuple[str, ...]
    kept: tuple[str, ...]


def place(files: Sequence[ScaffoldFile], folder: Path, *, force: bool = False) -> Placed:
    """Write every file that is absent; with `force`, those that are there as well.

    Args:
        files: what shall be there.
        folder: where; it and what lies on the way is made.
        force: replace what is in the way.

    Raises:
        Refusal: `not_a_directory`: the folder, or a name on the way to a file, is no folder;
            `is_a_directory`: a folder has a file's name; `link_in_the_way`: a folder below `folder` is a
            link, which may lead out of it; and as `canonical.write_set`.
    """
    waiting, kept = [], []
    for file in files:
        target = folder / file.path
        _require_way(folder, target)
        there = os.path.lexists(target)
        if there and (not force or _holds(target, file.text)):
            kept.append(file.path)
        else:
            waiting.append(file)
    write_set([NewFile(folder / file.path, file.text, replace=force) for file in waiting])
    return Placed(tuple(file.path for file in waiting), tuple(kept))


def _require_way(folder: Path, target: Path) -> None:
    """Refuse what can never be a place for the file, before anything is written."""
    if target.is_dir():
        raise Refusal("is_a_directory", f"'{target}' is a folder", "move it away, or name another --out")
    for parent in target.parents:
        inside = parent != folder
        if inside and parent.is_symlink():
            raise Refusal(
                "link_in_the_way", f"'{parent}' is a link, and nothing is written through one", "move it away"
            )
        if os.path.lexists(parent) and not parent.is_dir():
            raise Refusal("not_a_directory", f"'{parent}' is in the way and is no folder", "move it away")
        if not inside:
            return


def _holds(target: Path, text: str) -> bool:
    try:
        return target.is_file() and target.read_bytes() == text.encode()
    except OSError:
        return False
