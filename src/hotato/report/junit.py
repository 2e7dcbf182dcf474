"""What a gate checked as JUnit XML, for the test widgets of CI systems.

One `testsuite` for each group, one `testcase` for each check. What failed is a `failure`; what could not be
judged is an `error`; nothing is ever skipped. There is no timestamp and no duration: the same checks give the
same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from hotato.checks import ERROR, FAIL, PASS, Check, Checks
from hotato.editions import Mark, made_by
from hotato.report.checks_words import (
    STATUS_WORDS,
    all_checks,
    command,
    measured_words,
    named,
    sentence,
    within,
)

_HEAD = f'<?xml version="1.0" encoding="UTF-8"?>\n{made_by("checks")}'
_ELEMENTS = {FAIL: "failure", ERROR: "error"}
_DEFAULT_CODES = {FAIL: "failed", ERROR: "not_judged"}

JUNIT_MARK: Mark = _HEAD
"""How our JUnit files begin: an older one is replaced."""


def junit_xml(checks: Checks) -> str:
    """The checks as JUnit XML, valid for the schema that Jenkins publishes and other systems follow.

    A gate that closes although none of its checks failed gets an `error` of its own, so that the widget is
    red exactly when the gate is. What XML 1.0 cannot hold is shown as an escape.
    """
    listed = all_checks(checks)
    lines = [_HEAD.rstrip("\n"), f"<testsuites name={_quoted(named(checks.name))}{_counts(listed)}>"]
    for group in dict.fromkeys(check.group for check in listed):
        members = [check for check in listed if check.group == group]
        lines.append(f"  <testsuite name={_quoted(named(group))}{_counts(members)}>")
        lines += [line for check in members for line in _testcase(checks, check)]
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _counts(checks: Sequence[Check]) -> str:
    failed = sum(check.status == FAIL for check in checks)
    errors = sum(check.status == ERROR for check in checks)
    return f' tests="{len(checks)}" failures="{failed}" errors="{errors}"'


def _testcase(checks: Checks, check: Check) -> list[str]:
    classname = f"{named(checks.name)}.{named(check.group)}"
    start = f"    <testcase classname={_quoted(classname)} name={_quoted(named(check.id))}"
    measured = "; ".join(measured_words(check))
    inside = []
    if check.status != PASS:
        inside.append(_result(checks, check))
    if measured:
        inside.append(f"      <system-out>{escape(measured)}</system-out>")
    return [f"{start}>", *inside, "    </testcase>"] if inside else [f"{start}/>"]


def _result(checks: Checks, check: Check) -> str:
    element = _ELEMENTS[check.status]
    message = sentence(check.reason or STATUS_WORDS[check.status])
    code = named(check.codes[0]) if check.codes else _DEFAULT_CODES[check.status]
    said = [sentence(check.title), message]
    if len(check.codes) > 1:
        said.append(f"codes: {', '.join(map(named, check.codes))}")
    file = within(check.file)
    said += [f"file: {named(file)}"] if file else []
    if check.next_step:
        said.append(f"next: {sentence(check.next_step)}")
    again = command(checks.reproduce)
    said += [f"again: {again}"] if again else []
    text = escape("\n".join(said))
    return f"      <{element} message={_quoted(message)} type={_quoted(code)}>{text}</{element}>"


def _quoted(text: str) -> str:
    return quoteattr(text)
