"""What a gate checked as GitHub Markdown: a step summary, and one comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hotato.checks import FAIL, PASS, Check, Checks
from hotato.editions import Mark
from hotato.errors import EXIT_PASS
from hotato.report import gfm
from hotato.report.checks_words import (
    STATUS_WORDS,
    all_checks,
    answer,
    command,
    measured_words,
    named,
    sentence,
    unsettled,
)
from hotato.report.timefmt import plural

COMMENT_BYTES = 60_000
"""GitHub refuses a comment of 65,536 characters; nothing here is longer than this many bytes."""

SUMMARY_BYTES = 900_000
"""GitHub refuses a step summary of more than 1 MiB."""

_MARKER = "<!-- hotato checks: {} -->"

COMMENT_MARK: Mark = _MARKER.partition("{")[0]
"""How our comments begin: the file of an older one is replaced."""

_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_CHARS = 60
_CELL_CHARS, _GROUP_CHARS, _CODE_CHARS = 120, 60, 60
_MOST_TOLD, _MOST_NOTES, _MOST_CODES = 20, 10, 5
_BETWEEN_BYTES = 1000
"""Headings and the lines that say what was left out."""

_HEAD = ("result", "check", "measured")
_TABLE_HEAD = f"{gfm.row(_HEAD)}\n{gfm.row(['---'] * len(_HEAD))}"


def comment_marker(name: str) -> str:
    """The hidden first line of the comment of the gate `name`: whoever updates the comment looks for it."""
    return _MARKER.format(_SLUG.sub("-", name.lower()).strip("-")[:_SLUG_CHARS] or "gate")


def pr_comment(checks: Checks) -> str:
    """One comment on a pull request: a hidden marker, the answer, a table, what did not pass, and the notes.

    It is always shorter than GitHub allows. What has no room is left out, passes first, and it says how much.
    """
    return f"{comment_marker(checks.name)}\n{_document(checks, COMMENT_BYTES, heading='###')}"


def step_summary(checks: Checks) -> str:
    """The summary of a step on the page of a run: the same without a marker, and with far more room."""
    return _document(checks, SUMMARY_BYTES, heading="##")


@dataclass(frozen=True, slots=True)
class _Told:
    """Lines that fitted, and how many did not."""

    lines: tuple[str, ...]
    left_out: int


def _document(checks: Checks, most_bytes: int, heading: str) -> str:
    state = "passed" if checks.exit_code == EXIT_PASS else "did not pass"
    head = [
        f"{heading} hotato {gfm.prose(named(checks.name))}: {state}",
        f"**{gfm.prose(answer(checks))}**",
    ]
    tail = _tail(checks)
    found = unsettled(checks)
    room = most_bytes - gfm.size("\n\n".join([*head, *tail])) - gfm.size(_TABLE_HEAD) - _BETWEEN_BYTES
    # What did not pass may take half of the room; the table gets the rest.
    grouped = len({check.group for check in all_checks(checks)}) > 1
    told = _fitting([_told(check, grouped) for check in found[:_MOST_TOLD]], room // 2)
    room -= gfm.size("\n".join(told.lines))
    table = _fitting([_row(check, grouped) for check in _worst_first(all_checks(checks))], room)
    body = list(head)
    if table.lines:
        body.append("\n".join([_TABLE_HEAD, *table.lines]))
    if table.left_out:
        body.append(_left_out(checks, table))
    if told.lines:
        body += [f"{heading}# What did not pass", "\n".join(told.lines)]
        untold = len(found) - len(told.lines)
        body += [f"And {untold} more; the machine-readable result lists all of them."] if untold else []
    return "\n\n".join([*body, *tail]) + "\n"


def _worst_first(checks: Sequence[Check]) -> list[Check]:
    """Failures, then what could not be judged, then passes; otherwise in their own order."""
    order = {FAIL: 0, PASS: 2}
    return sorted(checks, key=lambda check: order.get(check.status, 1))


def _fitting(lines: Sequence[str], room_bytes: int) -> _Told:
    taken: list[str] = []
    for line in lines:
        room_bytes -= gfm.size(line) + 1
        if room_bytes < 0:
            break
        taken.append(line)
    return _Told(tuple(taken), len(lines) - len(taken))


def _left_out(checks: Checks, table: _Told) -> str:
    """How much of the table is missing, and of which kind."""
    missing = _worst_first(all_checks(checks))[len(table.lines) :]
    bad = sum(check.status != PASS for check in missing)
    kinds = [f"{len(missing) - bad} passed"] + ([f"{bad} did not"] if bad else [])
    return f"{plural(len(missing), 'check')} left out of the table for want of room: {', '.join(kinds)}."


def _row(check: Check, grouped: bool) -> str:
    word = STATUS_WORDS[check.status]
    said = "; ".join(measured_words(check)) or sentence(check.title)
    return gfm.row(
        (
            word if check.status == PASS else f"**{word}**",
            _label(check, grouped),
            gfm.prose(said),
        )
    )


def _label(check: Check, grouped: bool) -> str:
    """A check's name, behind its group's where there are several."""
    name = gfm.code(named(check.id, _CELL_CHARS))
    return f"{gfm.prose(named(check.group, _GROUP_CHARS))} {name}" if grouped else name


def _told(check: Check, grouped: bool) -> str:
    """Why a check is no pass, and what to do about it, as an item of a list."""
    reason = sentence(check.reason or STATUS_WORDS[check.status]).rstrip(".")
    line = f"- {_label(check, grouped)}: {gfm.prose(reason)}"
    if check.codes:
        line += f" ({', '.join(gfm.code(named(code, _CODE_CHARS)) for code in check.codes[:_MOST_CODES])})"
    if check.next_step:
        line += f"<br>next: {gfm.prose(sentence(check.next_step))}"
    return line


def _tail(checks: Checks) -> list[str]:
    """The notes, and the command that makes the same result."""
    blocks = [f"Note: {gfm.prose(sentence(note))}" for note in checks.notes[:_MOST_NOTES]]
    if len(checks.notes) > _MOST_NOTES:
        blocks.append(f"And {plural(len(checks.notes) - _MOST_NOTES, 'more note')}.")
    again = command(checks.reproduce)
    blocks += [f"The same result again:\n\n{gfm.block(again)}"] if again else []
    return [*blocks, f"exit code {checks.exit_code}"]
