"""The card of a change that coincides with an improvement, moment by moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.errors import Refusal
from hotato.report.card_input import read_as
from hotato.report.card_records import Card, Pair

FOOTER = "The improvement coincides with the change. That the change caused it is more than this can show."
_ATTESTED = "runner_attested"
_CODE = "claim_not_supported"

Count = Annotated[int, Meta(ge=0)]
Sec = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]


class _Claim(msgspec.Struct, frozen=True):
    supported: bool
    statement: str = "too little failed before, or too little of it passes now"


class _Failing(msgspec.Struct, frozen=True):
    used_to_fail: Count
    now_pass: Count


class _Holds(msgspec.Struct, frozen=True):
    hold_guards: Count
    still_pass: Count
    regressed: Count


class _Vector(msgspec.Struct, frozen=True):
    capture_origin: str | None = None


class _Evidence(msgspec.Struct, frozen=True):
    vector: _Vector = _Vector()
    tier_name: str | None = None


class _Side(msgspec.Struct, frozen=True):
    passed: bool | None = None
    talk_over_sec: Sec | None = None


class _Fixture(msgspec.Struct, frozen=True):
    fixture: str
    before: _Side
    after: _Side
    expect: str | None = None
    result: str | None = None


class _Rollup(msgspec.Struct, frozen=True):
    claim: _Claim
    regression_axis: _Failing
    hold_axis: _Holds
    regressions: tuple[Any, ...] = ()
    evidence: _Evidence = _Evidence()
    per_fixture: tuple[_Fixture, ...] = ()


def paired_card(rollup: Mapping[str, Any], include_identifiers: bool = False) -> Card:
    """The card of a before/after rollup.

    Args:
        rollup: the JSON of `hotato verify`.
        include_identifiers: name the fixtures; otherwise they are numbered.

    Raises:
        Refusal: `claim_not_supported`: nothing improved, something that passed before fails, or too few
            moments failed before to say so; `not_a_card`.
    """
    found = read_as(rollup, _Rollup, "not_a_card", "rollup of 'hotato verify'")
    _require_claim(found)
    axis, holds = found.regression_axis, found.hold_axis
    attested = found.evidence.vector.capture_origin == _ATTESTED
    facts = [("hold guards", f"{holds.still_pass} of {holds.hold_guards} still pass")]
    facts.append(("recapture", "attested by its runner" if attested else "as its operator says"))
    if found.evidence.tier_name:
        facts.append(("evidence", found.evidence.tier_name.replace("_", " ")))
    guarded = "no moment that should hold regressed" if holds.hold_guards else "no hold guard beside them"
    passing = f"{axis.now_pass} of {axis.used_to_fail}"
    return Card(
        kind="paired comparison",
        chip="PAIRED FRESH-RECAPTURE IMPROVED" if attested else "PAIRED (OPERATOR-ASSERTED)",
        tone="pass",
        title=f"{passing} moments that used to fail now pass, and none regressed",
        figure=f"{axis.now_pass}/{axis.used_to_fail}",
        unit="",
        caption=("that used to fail pass now", guarded),
        facts=tuple(facts),
        footer=FOOTER,
        body=_pairs(found, include_identifiers),
    )


def _require_claim(found: _Rollup) -> None:
    axis = found.regression_axis
    broken = found.hold_axis.regressed or found.regressions
    if found.claim.supported and axis.now_pass and axis.now_pass <= axis.used_to_fail and not broken:
        return
    why = "something that passed before fails now" if broken else found.claim.statement
    raise Refusal(_CODE, f"this comparison supports no claim: {why}", "'hotato verify' says what it lacks")


def _pairs(found: _Rollup, include_identifiers: bool) -> tuple[Pair, ...]:
    """The moments of the failing axis first; their talk-over before and after."""
    numbered = list(enumerate(found.per_fixture, 1))
    numbered.sort(key=lambda item: item[1].before.passed is True)
    return tuple(
        Pair(
            one.fixture if include_identifiers else f"moment {number}",
            one.before.talk_over_sec,
            one.after.talk_over_sec,
            one.after.passed is True,
        )
        for number, one in numbered
        if one.before.talk_over_sec is not None and one.after.talk_over_sec is not None
    )
