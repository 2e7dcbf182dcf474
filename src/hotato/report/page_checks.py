"""What a gate checked as one self-contained page."""

from __future__ import annotations

from dataclasses import dataclass

from hotato._version import __version__
from hotato.checks import FAIL, PASS, Check, Checks
from hotato.editions import Mark, page_mark
from hotato.errors import EXIT_PASS
from hotato.report.checks_words import (
    STATUS_WORDS,
    all_checks,
    answer,
    command,
    counts_line,
    measured_words,
    named,
    sentence,
    unsettled,
    within,
)
from hotato.report.render import render

CHECKS_MARK: Mark = page_mark("checks")
"""How a page of checks begins: an older one is replaced."""

_TONES = {PASS: "pass", FAIL: "fail"}


@dataclass(frozen=True, slots=True)
class Row:
    """One check as the page shows it.

    Attributes:
        name: the check.
        tone: `pass`, `fail` or `none`.
        word: its status in words.
        title: what it checks.
        measured: the numbers behind it, a few words each.
        reason: why it is no pass, or None.
        codes: the same for programs.
        file: where it lives, or None.
        next_step: what to do about it, or None.
    """

    name: str
    tone: str
    word: str
    title: str
    measured: tuple[str, ...]
    reason: str | None
    codes: tuple[str, ...]
    file: str | None
    next_step: str | None


def checks_page(checks: Checks, *, links: dict[str, str] | None = None) -> str:
    """The page of a gate: the answer, what did not pass and what to do about it, then every check.

    Args:
        checks: what the gate checked.
        links: address of a page about a check, by the check's id: a path relative to this page.
    """
    listed = all_checks(checks)
    groups = [
        (named(group), [_row(check) for check in listed if check.group == group])
        for group in dict.fromkeys(check.group for check in listed)
    ]
    return render(
        "checks.html.j2",
        name=named(checks.name),
        answer=answer(checks),
        closed=checks.exit_code != EXIT_PASS,
        counts=counts_line(checks),
        exit_code=checks.exit_code,
        unsettled=[(named(check.group), _row(check)) for check in unsettled(checks)],
        groups=groups,
        links={named(name): address for name, address in (links or {}).items()},
        notes=[sentence(note) for note in checks.notes],
        reproduce=command(checks.reproduce),
        player=False,
        audio=None,
        version=__version__,
    )


def _row(check: Check) -> Row:
    reason = None if check.status == PASS else sentence(check.reason or STATUS_WORDS[check.status])
    file = within(check.file)
    return Row(
        name=named(check.id),
        tone=_TONES.get(check.status, "none"),
        word=STATUS_WORDS[check.status],
        title=sentence(check.title),
        measured=tuple(measured_words(check)),
        reason=reason,
        codes=tuple(named(code) for code in check.codes),
        file=None if file is None else named(file),
        next_step=None if check.next_step is None else sentence(check.next_step),
    )
