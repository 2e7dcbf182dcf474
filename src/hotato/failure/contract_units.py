"""Units of a contract by itself, and of a new recording of one; a verification is in `verification_units`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from hotato.errors import EXIT_FAIL, EXIT_PASS
from hotato.failure.records import FAIL, PASS
from hotato.failure.timing_units import Sec
from hotato.failure.units import Judged, Unit, name, stated, taken, text, words
from hotato.failure.verification_units import contract_units

SUFFIX = ".hotato"
"""What the folder of a contract ends with."""

_FIGURES = ("did_yield", "seconds_to_yield", "talk_over_sec", "response_gap_sec")


class _Label(msgspec.Struct, frozen=True):
    expected_behavior: str


class _Pinned(msgspec.Struct, frozen=True):
    id: str
    label: _Label
    measurement: dict[str, Any]


def pinned_units(contract: Mapping[str, Any]) -> Iterator[Unit]:
    """The one unit of a `contract.json`: what was measured when it was made."""
    found = taken(contract, _Pinned, "contract")
    passed = found.measurement.get("passed") is True
    one = {
        "id": found.id,
        "dir": f"{found.id}{SUFFIX}",
        "expect": found.label.expected_behavior,
        "measurement": found.measurement,
        **found.measurement,
    }
    code = EXIT_PASS if passed else EXIT_FAIL
    for unit in contract_units({"results": [one], "exit_code": code}):
        yield replace(
            unit,
            gate_policy="the moment behaves as labelled",
            source="hotato contract create",
            schema=("hotato.contract", "v1"),
            whole=True,
        )


class _Onset(msgspec.Struct, frozen=True):
    sec: Sec
    source: str = "found"


class _Recapture(msgspec.Struct, frozen=True):
    id: str
    expect: str
    passed: bool
    onset: _Onset
    exit_code: int
    dir: str = ""
    measurement: dict[str, Any] = {}
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()
    schema_version: str = "1"


def recapture_units(result: Mapping[str, Any]) -> Iterator[Unit]:
    """The one unit of a new recording that was held against a contract."""
    found = taken(result, _Recapture, "recapture")
    why = "; ".join(map(text, found.reasons)) or "no reason was given"
    again = ("hotato", "contract", "verify", found.dir or f"{found.id}{SUFFIX}", "--against", "NEW")
    stated_onset = ("--onset", f"{found.onset.sec:g}") if found.onset.source == "stated" else ()
    yield Unit(
        test_id=name(found.id),
        headline=f"A new recording of contract {name(found.id)} fails it: {why}.",
        judged=(
            Judged(
                id=f"contract.{name(found.expect)}",
                lane="conversation",
                status=PASS if found.passed else FAIL,
                expected=f"behaves as labelled: {name(found.expect)}",
                observed=f"at {found.onset.sec:.2f} s: {why}",
                rule="contract.against",
                measured=stated(found.measurement, *_FIGURES),
                codes=tuple(map(name, found.reason_codes)),
            ),
        ),
        gate_exit_code=found.exit_code,
        gate_policy="the new recording meets the contract",
        source="hotato contract verify --against",
        schema=("contract-recapture", found.schema_version),
        argv=words((*again, *stated_onset)),
        whole=True,
    )
