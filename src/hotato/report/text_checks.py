"""What a gate checked, for a terminal."""

from __future__ import annotations

from hotato.checks import FAIL, PASS, Check, Checks
from hotato.report.checks_words import (
    STATUS_WORDS,
    all_checks,
    command,
    counts_line,
    measured_words,
    named,
    sentence,
)
from hotato.report.terminal import Terminal

_INDENT, _REST = "      ", "        "
_LONGEST_NAME, _LONGEST_GATE = 44, 32
_ROLES = {PASS: "pass", FAIL: "fail"}
_MARKS = {PASS: "PASS", FAIL: "FAIL"}
_UNJUDGED = "ERROR"


def checks_text(
    checks: Checks,
    *,
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """Every check on a line, what was measured and why it is no pass below it, and what the gate exits with.

    Args:
        checks: what the gate checked.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    lines = [*_head(checks, terminal), ""]
    listed = all_checks(checks)
    most = min(_LONGEST_NAME, terminal.columns - len(_INDENT) - 1)
    column = max((len(named(check.id, most)) for check in listed), default=0)
    grouped = len({check.group for check in listed}) > 1
    group = None
    for check in listed:
        if grouped and check.group != group:
            group = check.group
            lines.append(terminal.paint("bold", terminal.plain(named(group, most))))
        lines += _check(check, f"{named(check.id, most):<{column}}", terminal)
    for note in checks.notes:
        lines += ["", *terminal.wrap(f"note: {sentence(note)}")]
    again = command(checks.reproduce)
    if again:
        lines += ["", *terminal.wrap(f"again: {again}", rest=_REST)]
    lines += ["", terminal.paint("soft", f"exit code {checks.exit_code}")]
    return terminal.finish(lines)


def _head(checks: Checks, terminal: Terminal) -> list[str]:
    name = terminal.plain(f"hotato {named(checks.name, _LONGEST_GATE)}")
    counts, painted = counts_line(checks), terminal.paint("bold", name)
    if len(name) + 2 + len(counts) <= terminal.columns:
        return [f"{painted}  {counts}"]
    return [painted, *terminal.wrap(counts)]


def _check(check: Check, name: str, terminal: Terminal) -> list[str]:
    mark = _MARKS.get(check.status, _UNJUDGED)
    role = _ROLES.get(check.status, "bold")
    name = terminal.plain(name)
    said = terminal.plain("; ".join(measured_words(check)) or sentence(check.title))
    first = f"{mark:<6}{name}  {said}"
    lines = [terminal.paint(role, f"{mark:<6}") + f"{name}  {said}"]
    if len(first) > terminal.columns:
        lines = [terminal.paint(role, f"{mark:<6}") + name]
        lines += terminal.wrap(said, _INDENT, _REST)
    if check.status == PASS:
        return lines
    reason = check.reason or STATUS_WORDS[check.status]
    lines += terminal.wrap(sentence(reason), _INDENT, _REST)
    if check.next_step:
        lines += terminal.wrap(f"next: {sentence(check.next_step)}", _INDENT, _REST)
    return lines
