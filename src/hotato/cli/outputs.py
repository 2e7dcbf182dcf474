"""Files that a command leaves: all of them or none, and never over somebody else's."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from hotato.canonical import NewFile, read_small, write_set
from hotato.cli.listening import as_text
from hotato.cli.terminal import is_terminal
from hotato.errors import Refusal, UsageError

SEARCHED_BYTES = 1 << 16
"""How far into an existing file to look for the mark of an earlier run."""

AUTHOR = b"hotato"
PAGE_MARK = "hotato report"
"""What our own report pages and Markdown say near their top: an older one at the same path is replaced."""

SHOWN_PATH_CHARS = 400
"""A longer path is shown without its middle."""

LARGEST_INPUT_BYTES = 1 << 26
"""Configurations and envelopes are small; anything larger was named by mistake."""


@dataclass(frozen=True)
class Artifact:
    """One file to write.

    Attributes:
        path: where.
        content: what.
        mark: an earlier file that says `hotato` and this near its top is an older edition of this one, and is
            replaced without `--force`. None for files that people edit: those are never replaced.
    """

    path: Path
    content: str | bytes
    mark: str | None = None


def write_artifacts(artifacts: Sequence[Artifact], *, force: bool = False) -> None:
    """Write all files, or leave none that this call made.

    Raises:
        Refusal: see `canonical.write_set`.
    """
    write_set([NewFile(item.path, item.content, force or _own(item)) for item in artifacts])


def portable(path: str | os.PathLike[str]) -> str:
    """A path as JSON states it: from the working folder, with forward slashes, and letters only.

    An absolute path would say where the output was made, and bytes that are no text cannot stand in JSON.
    """
    typed = PurePath(path)
    if typed.is_absolute():
        try:
            typed = PurePath(os.path.relpath(typed))
        except OSError:  # the working folder is gone
            typed = PurePath(typed.name)
    return as_text(typed.as_posix())


def paths_of(artifacts: Sequence[Artifact]) -> list[str]:
    """Where files were written, in order, as JSON lists them under `written`."""
    return [portable(artifact.path) for artifact in artifacts]


def with_written(result: Mapping[str, Any], artifacts: Sequence[Artifact]) -> dict[str, Any]:
    """A command's JSON and, where it wrote files, their paths under `written`."""
    return {**result, **({"written": paths_of(artifacts)} if artifacts else {})}


def written_lines(artifacts: Sequence[Artifact], word: str = "wrote") -> str:
    """Where files were written, a line each, for a person; empty for none."""
    from hotato.report.timefmt import shown

    paths = [artifact.path.as_posix() for artifact in artifacts]
    return "".join(f"  {word:<7} {shown(path, SHOWN_PATH_CHARS)}\n" for path in paths)


def path_under(folder: str, name: str) -> Path:
    """A file in an output folder, refused at once when the folder cannot be one."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise Refusal("not_a_directory", f"'{folder}' is not a folder", "name a folder with --out")
    return target / name


def read_bytes(path: str, what: str) -> bytes:
    """The bytes of a small file that the user named; see `canonical.read_small`.

    Args:
        path: the file.
        what: what it should be, for the refusal.
    """
    return read_small(path, what, LARGEST_INPUT_BYTES)


def read_json_object(path: str, what: str) -> dict[str, Any]:
    """The JSON object in a file that the user named; arguments as for `read_bytes`."""
    import msgspec

    try:
        value = msgspec.json.decode(read_bytes(path, what))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_json", f"'{path}' is not a JSON file", f"pass a {what}") from None
    if not isinstance(value, dict):
        raise Refusal("not_json", f"'{path}' does not hold a JSON object", f"pass a {what}")
    return value


def may_open(show: bool | None, *, by_default: bool) -> bool:
    """Whether to open a page: asked for, or by default where a person sits at a desktop."""
    if show is not None:
        return show
    desktop = sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return by_default and desktop and is_terminal(sys.stdout)


def open_page(path: Path) -> bool:
    """Open a page in the browser; whether one started. That none did fails no command."""
    try:
        return webbrowser.open(path.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False


def require_file_name(path: str) -> Path:
    """A path that the user named for one file."""
    if not path or path.endswith(os.sep):
        raise UsageError(f"'{path}' does not name a file", "name a file with --out")
    return Path(path)


def _own(artifact: Artifact) -> bool:
    if artifact.mark is None:
        return False
    try:
        if not artifact.path.is_file():
            return False
        with artifact.path.open("rb") as file:
            head = file.read(SEARCHED_BYTES)
    except OSError:  # what cannot be looked into is somebody else's
        return False
    return AUTHOR in head and artifact.mark.encode() in head
