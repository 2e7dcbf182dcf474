"""What a gate checked as SARIF 2.1.0, for code scanning views.

A rule for each code, a result for each check that is no pass. SARIF has no word for "could not be judged"
that its readers show in red, so such a result is an error as well, and its properties say which it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from hotato._version import __version__
from hotato.canonical import digest, to_json
from hotato.checks import ERROR, FAIL, Check, Checks
from hotato.editions import Mark
from hotato.errors import EXIT_PASS
from hotato.report.checks_words import STATUS_WORDS, answer, named, sentence, unsettled, within

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"
ROOT = "%SRCROOT%"
"""How SARIF readers name the folder that relative addresses start from: the repository."""

SARIF_MARK: Mark = (
    to_json(
        {"$schema": SCHEMA, "version": VERSION, "runs": [{"tool": {"driver": {"name": "hotato"}}}]}
    ).partition('"hotato"')[0]
    + '"hotato",\n'
)
"""How our SARIF logs begin: an older one is replaced."""

_DEFAULT_CODES = {FAIL: "failed", ERROR: "not_judged"}


def sarif_json(checks: Checks) -> str:
    """The checks as a SARIF log with one run.

    A check's file is an address relative to the repository; a path that is absolute or leads out of it is
    left out. Fingerprints rest on group, id and code, so that a result stays the same one when its numbers
    change.
    """
    found = unsettled(checks)
    rules = list(dict.fromkeys(_code(check) for check in found))
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "hotato",
                "version": __version__,
                "rules": [_rule(code) for code in rules],
            }
        },
        "automationDetails": {"id": f"hotato/{named(checks.name)}/"},
        "invocations": [
            {
                "executionSuccessful": True,
                "exitCode": checks.exit_code,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": text}}
                    for text in (answer(checks), *map(sentence, checks.notes))
                    if text
                ],
            }
        ],
        "results": [_result(check, rules) for check in found],
        "columnKind": "unicodeCodePoints",
        "properties": {"exitCode": checks.exit_code, "passed": checks.exit_code == EXIT_PASS},
    }
    return to_json({"$schema": SCHEMA, "version": VERSION, "runs": [run]})


def _address(file: str | None) -> str | None:
    """A file as an address relative to the repository, where it lies in it."""
    path = within(file)
    return None if path is None else quote(path.encode("utf-8", "backslashreplace"), safe="/")


def _code(check: Check) -> str:
    return named(check.codes[0]) if check.codes else _DEFAULT_CODES[check.status]


def _rule(code: str) -> dict[str, Any]:
    return {
        "id": code,
        "shortDescription": {"text": code.replace("_", " ")},
        "defaultConfiguration": {"level": "error"},
    }


def _result(check: Check, rules: Sequence[str]) -> dict[str, Any]:
    code = _code(check)
    reason = sentence(check.reason or STATUS_WORDS[check.status])
    text = f"{named(check.id)}: {reason}"
    if check.next_step:
        text += f". Next: {sentence(check.next_step)}"
    return {
        "ruleId": code,
        "ruleIndex": rules.index(code),
        "kind": "fail",
        "level": "error",
        "message": {"text": text},
        "locations": [_location(check)],
        "partialFingerprints": {"hotatoCheck/v1": digest([named(check.group), named(check.id), code])},
        "properties": {
            "status": check.status,
            "codes": [named(code) for code in check.codes],
            "measured": {named(name): _plain(value) for name, value in check.measured.items()},
        },
    }


def _location(check: Check) -> dict[str, Any]:
    location: dict[str, Any] = {
        "logicalLocations": [
            {"name": named(check.id), "fullyQualifiedName": f"{named(check.group)}/{named(check.id)}"}
        ]
    }
    address = _address(check.file)
    if address is not None:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": address, "uriBaseId": ROOT},
            "region": {"startLine": 1},
        }
    return location


def _plain(value: float | bool | str | None) -> float | bool | str | None:
    return named(value) if isinstance(value, str) else value
