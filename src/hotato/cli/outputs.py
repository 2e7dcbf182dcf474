"""Files that a command leaves: all of them or none, and never over somebody else's."""

from __future__ import annotations

import contextlib
import os
import sys
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotato.canonical import write_atomic
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
        Refusal: see `canonical.write_atomic`.
    """
    with _undone_on_failure() as made:
        for artifact in artifacts:
            for folder in _missing_folders(artifact.path.parent):
                made.append(folder)
            if not artifact.path.exists():
                made.append(artifact.path)
            write_atomic(artifact.path, artifact.content, force=force or _own(artifact))


def paths_of(artifacts: Sequence[Artifact]) -> list[str]:
    """Where files were written, in order, as JSON lists them under `written`."""
    return [artifact.path.as_posix() for artifact in artifacts]


def with_written(result: Mapping[str, Any], artifacts: Sequence[Artifact]) -> dict[str, Any]:
    """A command's JSON and, where it wrote files, their paths under `written`."""
    return {**result, **({"written": paths_of(artifacts)} if artifacts else {})}


def written_lines(artifacts: Sequence[Artifact], word: str = "wrote") -> str:
    """Where files were written, a line each, for a person; empty for none."""
    from hotato.report.timefmt import shown

    return "".join(f"  {word:<7} {shown(path, SHOWN_PATH_CHARS)}\n" for path in paths_of(artifacts))


def path_under(folder: str, name: str) -> Path:
    """A file in an output folder, refused at once when the folder cannot be one."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise Refusal("not_a_directory", f"'{folder}' is not a folder", "name a folder with --out")
    return target / name


def read_bytes(path: str, what: str) -> bytes:
    """The bytes of a small file that the user named.

    Args:
        path: the file.
        what: what it should be, for the refusal.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_INPUT_BYTES + 1)
    except FileNotFoundError:
        raise Refusal("not_found", f"there is no {what} '{path}'", "check the path") from None
    except IsADirectoryError:
        raise Refusal("is_a_directory", f"'{path}' is a folder", f"name the {what} itself") from None
    if len(data) > LARGEST_INPUT_BYTES:
        raise Refusal("too_large", f"'{path}' is too large to be a {what}", f"pass a {what}")
    return data


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


@contextlib.contextmanager
def _undone_on_failure() -> Iterator[list[Path]]:
    """Paths appended to the list are removed, last first, when the body does not end well."""
    made: list[Path] = []
    try:
        yield made
    except BaseException:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        raise


def _missing_folders(folder: Path) -> list[Path]:
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    return missing[::-1]


def _own(artifact: Artifact) -> bool:
    if artifact.mark is None or not artifact.path.is_file():
        return False
    with artifact.path.open("rb") as file:
        head = file.read(SEARCHED_BYTES)
    return AUTHOR in head and artifact.mark.encode() in head
