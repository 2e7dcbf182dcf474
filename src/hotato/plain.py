"""Text from outside made safe to show: file names, titles and messages of hostile files."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import PurePath

SHOWN_CHARS = 160
"""Longest text that is shown whole unless told otherwise."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARKUP = str.maketrans({char: f"\\{char}" for char in "\\`*[]<>|#"})
_UNDERSCORES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
"""Underscores inside a word are no emphasis in Markdown; all others may be."""
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def shown(text: str, limit: int = SHOWN_CHARS) -> str:
    """Text from outside made safe to show on one line.

    Line breaks and other controls, bidirectional marks and unpaired surrogates become visible escapes, so
    that a file name cannot reorder or hide the words around it; the middle of a long text is left out.
    """
    if len(text) > limit:
        head = limit * 2 // 3
        text = f"{text[:head]}\u2026{text[-(limit - head - 1) :]}"
    return "".join(_visible(char) for char in text)


def table_cell(text: str) -> str:
    """Text from outside as a cell of a table: a spreadsheet must not take it for a formula.

    What begins like one gets an apostrophe in front, which spreadsheets hide; see `shown` for the rest.
    """
    return ("'" if text.startswith(_FORMULA) else "") + shown(text, max(SHOWN_CHARS, len(text)))


def markdown_text(text: str, limit: int = SHOWN_CHARS) -> str:
    """Text from outside that no Markdown reader takes for markup; see `shown` for the rest."""
    return escaped(shown(text, limit))


def escaped(text: str) -> str:
    """Text with every character that is markup in Markdown made plain."""
    return _UNDERSCORES.sub(lambda found: "\\_" * len(found[0]), text.translate(_MARKUP))


def as_text(name: str) -> str:
    """A name with the bytes that are no text replaced: the same on every machine and locale."""
    return os.fsencode(name).decode(errors="replace")


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


def stated_name(path: str | os.PathLike[str]) -> str:
    """A path as a published result states it: of one that leads out of the working folder, the name alone.

    The way up and down again would tell who works where; see `portable` for the rest.
    """
    stated = PurePath(portable(path))
    return stated.name if ".." in stated.parts and stated.name != ".." else stated.as_posix()


def _visible(char: str) -> str:
    if char == " " or unicodedata.category(char) not in _INVISIBLE:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
