"""Files that a command leaves: all of them or none, and never over somebody else's."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from hotato.canonical import NewFile, decode_json, read_small, write_set
from hotato.cli.paths import NamedPath, TargetPath
from hotato.cli.terminal import is_terminal
from hotato.editions import Mark, is_older_edition, markdown_mark, page_mark, same_file
from hotato.errors import Refusal, UsageError
from hotato.plain import portable

REPORT_MARKS = {"html": page_mark("report"), "md": markdown_mark("hotato report", "report")}
"""How our own report pages and Markdown begin: an older one at the same path is replaced."""

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
        mark: an existing file that bears it is an older edition of this one, and is replaced without
            `--force`; see `hotato.editions`. None for files that people edit: those are never replaced.
    """

    path: Path
    content: str | bytes
    mark: Mark | None = None


def write_artifacts(artifacts: Sequence[Artifact], *, force: bool = False) -> None:
    """Write all files, or leave none that this call made.

    Raises:
        Refusal: `is_an_input`: a file that this command reads would be replaced, which no flag allows; and
            see `canonical.write_set`.
    """
    own = [item.mark is not None and is_older_edition(item.path, item.mark) for item in artifacts]
    refuse_inputs([item.path for item in artifacts], folders=False)
    if force:
        refuse_inputs([item.path for item, ours in zip(artifacts, own, strict=True) if not ours])
    write_set(
        [NewFile(item.path, item.content, force or ours) for item, ours in zip(artifacts, own, strict=True)]
    )


def refuse_inputs(targets: Sequence[Path], *, folders: bool = True) -> None:
    """Refuse to write over a file that the running command was told to read.

    Args:
        targets: the files to be written.
        folders: whether the files of a folder that it reads count as well.

    Raises:
        Refusal: `is_an_input`.
    """
    inputs = _inputs()
    for target in targets:
        if not target.exists():
            continue
        for typed in inputs:
            if same_file(typed, target) or (folders and _holds(Path(typed), target)):
                raise _read_by_this(target)


def refuse_source(source: Path, target: Path) -> None:
    """Refuse to write over the file in a reference such as FILE#N, which no parameter holds alone.

    Raises:
        Refusal: `is_an_input`.
    """
    if same_file(source, target):
        raise _read_by_this(target)


def _read_by_this(target: Path) -> Refusal:
    return Refusal(
        "is_an_input",
        f"'{target}' is read by this command and would be replaced by what it writes",
        "name another file with --out",
    )


def _holds(folder: Path, target: Path) -> bool:
    """Whether a file lies in a folder, under whatever name."""
    try:
        return folder.is_dir() and any(same_file(file, target) for file in folder.iterdir())
    except OSError:
        return False


def _inputs() -> list[str]:
    """Every path that the running command was told to read."""
    context, found = click.get_current_context(silent=True), []
    while context is not None:
        for parameter in context.command.params:
            if isinstance(parameter.type, NamedPath) and not isinstance(parameter.type, TargetPath):
                value = context.params.get(parameter.name or "")
                found += [value] if isinstance(value, str) else list(value or ())
        context = context.parent
    return found


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
        value = decode_json(read_bytes(path, what), f"'{path}'")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_json", f"'{path}' is not a JSON file", f"pass a {what}") from None
    if not isinstance(value, dict):
        raise Refusal("not_json", f"'{path}' does not hold a JSON object", f"pass a {what}")
    return value


def read_result(path: str) -> dict[str, Any]:
    """The JSON object of a result that the user named; of a bundle it is its `contract.json`.

    Raises:
        Refusal: `not_a_bundle` for another folder, and see `read_json_object`.
    """
    from hotato.contract.layout import CONTRACT

    if not Path(path).is_dir():
        return read_json_object(path, "result of hotato")
    member = Path(path) / CONTRACT
    if not member.is_file():
        raise Refusal(
            "not_a_bundle", f"'{path}' is a folder and no contract", "name a bundle, or the JSON of a result"
        )
    return read_json_object(str(member), "result of hotato")


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
