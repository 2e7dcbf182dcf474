"""What was kept, and still says something else: values of an earlier run, lines that an ignore file lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from hotato.canonical import read_small
from hotato.errors import Refusal
from hotato.scaffold.place import Placed, ScaffoldFile

IGNORE_FILE = ".gitignore"
STACK, INSTALL = "stack", "install"
_LARGEST_BYTES = 1 << 20
_HELD = {
    STACK: {"hotato.yaml": r"^stack: (\S+)$", "HOTATO.md": r"`hotato init starter --stack (\w+)"},
    INSTALL: {
        ".github/workflows/hotato-contracts.yml": r'^ *HOTATO_INSTALL: "(.*)"$',
        "HOTATO.md": r"^The workflow installs `(.*)`\.$",
    },
}
"""Where the files of a starter state what it was asked for."""


@dataclass(frozen=True, slots=True)
class OtherValue:
    """A kept file that states something else than what was asked for.

    Attributes:
        path: the file.
        name: `stack` or `install`.
        holds: what it states.
        asked: what was asked for.
    """

    path: str
    name: str
    holds: str
    asked: str


def other_values(placed: Placed, folder: Path, asked: dict[str, str]) -> tuple[OtherValue, ...]:
    """The kept files that state something else than what was asked for.

    Args:
        placed: what became of the files.
        folder: where they are.
        asked: `stack` and `install`, as far as a person stated them.
    """
    return tuple(
        OtherValue(path, name, found[1], value)
        for name, value in asked.items()
        for path, form in _HELD[name].items()
        if path in placed.kept
        and (found := re.search(form, _text(folder / path), re.M))
        and found[1] != value
    )


def missing_ignores(placed: Placed, folder: Path, files: Sequence[ScaffoldFile]) -> tuple[str, ...]:
    """The lines of the starter's ignore file whose effect a kept one lacks.

    Args:
        placed: what became of the files.
        folder: where they are.
        files: what would have been written.
    """
    if IGNORE_FILE not in placed.kept:
        return ()
    (ours,) = [file.text for file in files if file.path == IGNORE_FILE]
    theirs = _text(folder / IGNORE_FILE)
    wanted = [line for line in ours.splitlines() if line and line[0] not in "#!"]
    return tuple(line for line in wanted if not ignores(theirs, _example(line)))


def ignores(text: str, path: str) -> bool:
    """Whether an ignore file leaves a path out, by the rules of git: the last line that fits decides.

    A path below a folder that is left out is left out. Of the forms with two stars the leading one is known.

    Args:
        text: what the ignore file holds.
        path: a file, relative to the ignore file's folder.
    """
    pure = PurePosixPath(path)
    ways = [str(way) for way in reversed(pure.parents) if way.name] + [path]
    return any(_left_out(text, way, folder=way != path) for way in ways)


def _left_out(text: str, way: str, *, folder: bool) -> bool:
    out = False
    for line in text.splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        if _fits(pattern.removeprefix("!"), way, folder=folder):
            out = not pattern.startswith("!")
    return out


def _fits(pattern: str, way: str, *, folder: bool) -> bool:
    if pattern.endswith("/") and not folder:
        return False
    bare = pattern.rstrip("/").removeprefix("**/").removesuffix("/**")
    if "/" not in bare:
        return fnmatchcase(PurePosixPath(way).name, bare)
    bare = bare.removeprefix("/")
    return bare.count("/") == way.count("/") and fnmatchcase(way, bare)


def _example(line: str) -> str:
    """A file that the line leaves out."""
    name = line.strip("/").replace("*", "x")
    return f"{name}/x" if line.endswith("/") else name


def _text(path: Path) -> str:
    try:
        return read_small(path, "file", _LARGEST_BYTES).decode("utf-8", "replace")
    except Refusal:
        return ""
