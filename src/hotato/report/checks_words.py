"""What every rendering of `Checks` says in the same words: the answer, the numbers, and what did not pass.

The terminal, JUnit, SARIF, the step summary, the comment and the page differ in form only.
"""

from __future__ import annotations

import hashlib
import math
import posixpath
import re
import shlex
from collections.abc import Iterable

from hotato.checks import ERROR, FAIL, PASS, Check, Checks
from hotato.errors import EXIT_PASS
from hotato.plain import shown
from hotato.report.timefmt import plural, seconds

NAME_CHARS = 160
"""Longest name of a check or a group that is shown whole."""

SENTENCE_CHARS = 400
"""Longest reason, note or next step that is shown whole."""

COMMAND_CHARS = 1000
"""A longer command is shown without its middle, and is then not offered for copying."""

STATUS_WORDS = {PASS: "pass", FAIL: "FAIL", ERROR: "not judged"}
"""A status for a person; `error` says what it means, not what a program calls it."""

_NAMES = {
    "seconds_to_yield": ("time to yield", "sec"),
    "talk_over_sec": ("talk-over", "sec"),
    "did_yield": ("yielded", ""),
    "silence_sec": ("silence", "sec"),
}
_UNITS = {"ms": "ms", "db": "dB", "dbfs": "dBFS", "hz": "Hz", "frames": "frames", "pct": "%"}
_DIGEST_DIGITS = 8
_DRIVE = re.compile(r"[A-Za-z]:")


def unsettled(checks: Checks) -> tuple[Check, ...]:
    """The checks that are no pass, in order, and the gate itself where it closed although all of them passed.

    A rendering that shows these is red exactly when the gate closes: an empty set, or one that the gate
    refused for a reason of its own, is never shown as a success.
    """
    return tuple(check for check in all_checks(checks) if check.status != PASS)


def all_checks(checks: Checks) -> tuple[Check, ...]:
    """Every check, and the gate itself where it closed although all of them passed; see `unsettled`."""
    if checks.exit_code == EXIT_PASS or any(check.status != PASS for check in checks.checks):
        return checks.checks
    code = "gate_closed" if checks.checks else "nothing_checked"
    reason = f"every check passed, and the gate still exits with {checks.exit_code}"
    gate = Check(
        id="the gate itself",
        group=checks.name,
        status=ERROR,
        title="the gate",
        reason=reason if checks.checks else "there was nothing to check",
        codes=(code,),
    )
    return (*checks.checks, gate)


def answer(checks: Checks) -> str:
    """What came of the gate in one sentence."""
    total, failed, errors = len(checks.checks), checks.count(FAIL), checks.count(ERROR)
    if not total:
        return "Nothing was checked." if checks.exit_code else "Nothing to check."
    if not failed and not errors:
        if checks.exit_code:
            return f"All of {plural(total, 'check')} passed, and the gate exits with {checks.exit_code}."
        return "The one check passed." if total == 1 else f"All {total} checks passed."
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{errors} could not be judged"] if errors else []
    return f"Of {plural(total, 'check')}, {' and '.join(parts)}."


def counts_line(checks: Checks) -> str:
    """`2 of 3 passed, 1 failed, 0 not judged`."""
    return (
        f"{checks.count(PASS)} of {len(checks.checks)} passed, {checks.count(FAIL)} failed, "
        f"{checks.count(ERROR)} not judged"
    )


def measured_words(check: Check) -> list[str]:
    """The numbers behind a check, a few words each: `talk-over 1.95 s`."""
    return [_measured(name, value) for name, value in check.measured.items()]


def named(text: str, limit: int = NAME_CHARS) -> str:
    """A name made safe to show in at most `limit` letters; two long names that differ still differ then."""
    safe = shown(text[: limit + 1], limit + 1)
    if len(text) <= limit and len(safe) <= limit:
        return safe
    told_apart = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_DIGITS]
    return f"{safe[: limit - _DIGEST_DIGITS - 1]}\u2026{told_apart}"


def sentence(text: str) -> str:
    """A reason, note or next step made safe to show, on one line."""
    return shown(" ".join(text.split()), SENTENCE_CHARS)


def within(file: str | None) -> str | None:
    """A file's path, normalised, where it lies below the working folder; else None.

    An absolute path, or one that leads out, says where the result was made: no rendering shows it.
    """
    if file is None:
        return None
    path = posixpath.normpath(file.replace("\\", "/"))
    outside = path in (".", "..") or path.startswith(("/", "../")) or _DRIVE.match(path) is not None
    return None if outside else path


def command(words: Iterable[str]) -> str | None:
    """A command ready to be copied, or None: there is none, or it holds what cannot be pasted safely."""
    line = shlex.join(words)
    return line if line and len(line) <= COMMAND_CHARS and shown(line, COMMAND_CHARS) == line else None


def _measured(name: str, value: float | bool | str | None) -> str:
    words, unit = _NAMES.get(name) or _name_and_unit(name)
    words = shown(words, 60)
    if value is None:
        return f"{words}: none"
    if isinstance(value, bool):
        return f"{words}: {'yes' if value else 'no'}"
    if isinstance(value, str):
        return f"{words}: {shown(value, 80)}"
    if not math.isfinite(value):
        return f"{words}: not a number"
    if unit == "sec":
        return f"{words} {seconds(value)}"
    return f"{words} {value:g} {_UNITS[unit]}" if unit else f"{words} {value:g}"


def _name_and_unit(name: str) -> tuple[str, str]:
    stem, _, unit = name.rpartition("_")
    if stem and (unit == "sec" or unit in _UNITS):
        return stem.replace("_", " "), unit
    return name.replace("_", " "), ""
