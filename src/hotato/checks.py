"""Checks that passed, failed or could not be made: what every gate hands to whatever shows it.

A gate (contracts, a baseline, a suite, a proof) says what it found as one `Checks`. Terminal text, JUnit,
SARIF, a step summary, a pull request comment and a page are renderings of that record, so they cannot
disagree.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from hotato.errors import EXIT_FAIL, EXIT_PASS, EXIT_REFUSE

Status = Literal["pass", "fail", "error"]
PASS: Status = "pass"
FAIL: Status = "fail"
ERROR: Status = "error"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was checked.

    Attributes:
        id: its name, unique within the group.
        group: what it belongs to: a lane of a proof, a dimension, the contracts of a folder.
        status: `pass`; `fail` for a measured failure; `error` for what could not be judged, which is never a
            pass: not scorable, refused, tampered.
        title: what it checks, in a few words.
        reason: why it is no pass, in one clause with the measured numbers; None for a pass.
        codes: the same for programs.
        measured: the numbers behind it; keys carry units.
        file: where it lives, relative to the working folder with forward slashes; None where it is no file.
        next_step: what to do about it, or None.
    """

    id: str
    group: str
    status: Status
    title: str
    reason: str | None = None
    codes: tuple[str, ...] = ()
    measured: dict[str, float | bool | str | None] = {}
    file: str | None = None
    next_step: str | None = None


class Checks(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a gate checked, in its order.

    Attributes:
        name: the gate, as a person would name it ("contract verify").
        checks: one for each thing that was checked.
        exit_code: what the gate exits with.
        notes: sentences that stand beside the result wherever it is shown: what it does and does not prove.
        reproduce: the command that makes the same result, as words of a command line; empty for none.
    """

    name: str
    checks: tuple[Check, ...]
    exit_code: int
    notes: tuple[str, ...] = ()
    reproduce: tuple[str, ...] = ()

    def count(self, status: Status) -> int:
        """How many checks have this status."""
        return sum(check.status == status for check in self.checks)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups, in the order in which they first appear."""
        return tuple(dict.fromkeys(check.group for check in self.checks))


def gate_exit_code(checks: tuple[Check, ...]) -> int:
    """A fail-closed gate's exit code: 2 where nothing was checked, 1 where anything is no pass, else 0."""
    if not checks:
        return EXIT_REFUSE
    return EXIT_PASS if all(check.status == PASS for check in checks) else EXIT_FAIL
