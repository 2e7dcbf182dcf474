"""Units of a contract verification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from hotato.failure.records import ERROR, FAIL, INCONCLUSIVE, PASS, Status
from hotato.failure.units import Judged, Unit, name, stated, taken, text, words

_TIMING = ("did_yield", "seconds_to_yield", "talk_over_sec", "response_gap_sec")
_SILENCE = ("silence_sec", "response_gap_sec")


class _Contract(msgspec.Struct, frozen=True):
    id: str
    passed: bool
    dir: str = ""
    expect: str | None = None
    status: str | None = None
    scorable: bool = True
    verdict_eligible: bool = True
    not_scorable_reason: str | None = None
    verdict_ineligible_reason: str | None = None
    measurement: dict[str, Any] | None = None
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    integrity: str = "intact"
    tampered: tuple[str, ...] = ()


class _Verification(msgspec.Struct, frozen=True):
    results: tuple[_Contract, ...]
    exit_code: int
    schema_version: str = "1"
    dir: str = ""
    given: tuple[str, ...] = ()


def contract_units(verification: Mapping[str, Any]) -> Iterator[Unit]:
    """A unit for each contract of a verification."""
    found = taken(verification, _Verification, "verification")
    for one in found.results:
        status = _contract_status(one)
        why = "; ".join(map(text, (*one.reasons, *one.tampered))) or text(
            one.not_scorable_reason or one.verdict_ineligible_reason or "no reason was given"
        )
        measured = stated(one.measurement or {}, *(_SILENCE if one.expect == "answer" else _TIMING))
        yield Unit(
            test_id=name(one.id),
            headline=f"Contract {name(one.id)} {_said(one, status)}: {why}.",
            judged=(
                Judged(
                    id=f"contract.{name(one.expect or 'unread')}",
                    lane="conversation",
                    status=status,
                    expected=f"behaves as labelled: {name(one.expect or 'the label cannot be read')}",
                    observed=why,
                    rule="contract.verify",
                    measured=measured,
                    codes=tuple(map(name, one.reason_codes)),
                    missing=(why,) if status == INCONCLUSIVE else (),
                ),
            ),
            gate_exit_code=found.exit_code,
            gate_policy="every contract passes",
            source="hotato contract verify",
            schema=("contract-verify", found.schema_version),
            argv=words(("hotato", "contract", "verify", one.dir or found.dir or "contracts", *found.given)),
        )


_VERBS = {
    PASS: "passed",
    FAIL: "failed",
    INCONCLUSIVE: "could not be judged",
    ERROR: "could not be verified",
}


def _said(one: _Contract, status: Status) -> str:
    return "is not what was sealed" if one.integrity == "tampered" else _VERBS[status]


def _contract_status(one: _Contract) -> Status:
    if one.integrity != "intact":
        return ERROR
    if not one.scorable or not one.verdict_eligible:
        return INCONCLUSIVE
    if one.passed:
        return PASS
    return ERROR if one.status == "error" else FAIL
