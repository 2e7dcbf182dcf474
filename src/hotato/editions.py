"""Whether a file that is in the way is an older edition of the one to be written, judged by its structure.

A word somewhere in a file proves nothing: notes about hotato hold it too. What hotato writes is recognised by
the fields of its JSON, or by the exact text with which its pages, pictures and Markdown begin.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from hotato.canonical import decode_json, read_small

Mark = str | Mapping[str, str]
"""How an older edition is known: the text with which it begins, or the fields of its JSON object."""

_LARGEST_BYTES = 1 << 26
"""No JSON of ours is larger; a larger file is somebody else's."""


def made_by(maker: str) -> str:
    """The comment line with which HTML, SVG and Markdown say what wrote them.

    Args:
        maker: what it was, such as `report`, or `autopsy` and the id of the recording.
    """
    return f"<!-- written by hotato {maker} -->\n"


def page_mark(maker: str) -> str:
    """How a page of ours begins."""
    return f"<!doctype html>\n{made_by(maker)}"


def markdown_mark(title: str, maker: str) -> str:
    """How Markdown of ours begins: its title, and the comment that no reader shows."""
    return f"# {title}\n\n{made_by(maker)}"


def json_mark(kind: str, **fields: str) -> Mapping[str, str]:
    """The fields that tell a JSON file of ours.

    Args:
        kind: its `kind`.
        **fields: what else has to be equal, such as the id of the recording.
    """
    return {"tool": "hotato", "kind": kind, **fields}


def is_older_edition(path: Path, mark: Mark) -> bool:
    """Whether a file is there and bears the mark; what cannot be looked into is somebody else's."""
    try:
        return _bears(path, mark) if path.is_file() else False
    except (OSError, ValueError, RecursionError, msgspec.DecodeError):
        return False


def _bears(path: Path, mark: Mark) -> bool:
    if isinstance(mark, str):
        start = mark.encode()
        with path.open("rb") as file:
            return file.read(len(start)) == start
    value = decode_json(read_small(path, "file", _LARGEST_BYTES), "the file")
    return isinstance(value, dict) and all(value.get(key) == wanted for key, wanted in mark.items())


def same_file(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to one file; a path to nothing is no file."""
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False
