"""Text from outside inside GitHub's Markdown: it names nobody, links nothing and breaks no table.

Characters that mean something are written as entities, which no stage of the renderer takes for markup. A
zero-width space follows `@` and `#`, because people and issues are linked after the Markdown is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hotato.plain import shown

_MEANING = "\\`*_{}[]()<>|&~!$'\""
_ENTITIES = str.maketrans({char: f"&#{ord(char)};" for char in _MEANING})
_APART = _ENTITIES | str.maketrans({"@": "@&#8203;", "#": "#&#8203;"})
_ADDRESS = re.compile(r"(?<=www)\.|:(?=//)", re.IGNORECASE)


def prose(text: str) -> str:
    """Text in a sentence or a cell of a table; how long it may be is the caller's to say."""
    apart = shown(text, max(1, len(text))).translate(_APART)
    return _ADDRESS.sub(lambda match: f"&#{ord(match.group())};", apart)


def code(text: str) -> str:
    """The same in the letters of a machine."""
    return f"<code>{prose(text)}</code>"


def row(cells: Iterable[str]) -> str:
    """One row of a table; the cells are already safe."""
    return f"| {' | '.join(cells)} |"


def block(command: str) -> str:
    """A command of one line in a box that offers to copy it; it must hold no line break."""
    fence = "```"
    while fence in command:
        fence += "`"
    return f"{fence}sh\n{command}\n{fence}"


def size(text: str) -> int:
    """Bytes of a text: no count of characters, however they are counted, is larger."""
    return len(text.encode("utf-8", "replace"))
