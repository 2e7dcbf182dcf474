"""Notes for coding agents: one section of AGENTS.md, between two marks, and never a word outside them."""

from __future__ import annotations

import os
from pathlib import Path

from hotato.canonical import NewFile, read_small, write_set
from hotato.errors import Refusal
from hotato.scaffold.kits import filled
from hotato.scaffold.place import Placed

AGENTS_FILE = "AGENTS.md"
BEGIN = "<!-- hotato: begin -->"
END = "<!-- hotato: end -->"
_LARGEST_BYTES = 1 << 22


def agent_notes(folder: Path) -> Placed:
    """Put the section into AGENTS.md: new, after what is there, or in the place of its older edition.

    Raises:
        Refusal: `damaged_markers`: the marks do not stand once each and in order; `not_text`: the file is no
            UTF-8; `escaping_link`: it is a link that leads out of the folder; and what reading and writing
            refuse.
    """
    target = _inside(folder / AGENTS_FILE, folder)
    section = f"{BEGIN}\n{filled('agents.md.j2').strip()}\n{END}\n"
    if not target.exists():
        write_set([NewFile(target, section)])
        return Placed((AGENTS_FILE,), ())
    data = read_small(target, "file", _LARGEST_BYTES)
    try:
        before = data.decode()
    except UnicodeDecodeError:
        raise Refusal("not_text", f"'{target}' is no UTF-8 text", "save it as UTF-8") from None
    after = _with_section(before, section, target)
    if after == before:
        return Placed((), (AGENTS_FILE,))
    write_set([NewFile(target, after.encode(), replace=True)])
    return Placed((AGENTS_FILE,), ())


def _inside(path: Path, folder: Path) -> Path:
    """Where the file really is: projects keep one page under several names, as links."""
    if not path.is_symlink():
        return path
    real, root = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    if root not in real.parents:
        raise Refusal(
            "escaping_link", f"'{path}' is a link that leads out of the folder", "make it a file of its own"
        )
    return real


def _with_section(text: str, section: str, target: Path) -> str:
    if "\r\n" in text:
        section = section.replace("\n", "\r\n")
    marks = (text.count(BEGIN), text.count(END))
    if marks == (0, 0):
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text.strip() else newline if text.endswith("\n") else 2 * newline
        return f"{text}{gap}{section}"
    start, end = text.find(BEGIN), text.find(END)
    if marks != (1, 1) or end < start:
        raise Refusal(
            "damaged_markers",
            f"'{target}' does not hold '{BEGIN}' and '{END}' once each and in this order",
            "remove what is left of the section, marks and all",
        )
    return f"{text[:start]}{section.rstrip()}{text[end + len(END) :]}"
