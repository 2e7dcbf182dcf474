"""The card of two failures that no single threshold can mend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.errors import Refusal
from hotato.report.card_input import read_as
from hotato.report.card_records import Card, Pull
from hotato.report.timefmt import seconds

DECISION = "do_not_tune_single_threshold"
FOOTER = "Measured timing of labelled moments. Whether such a layer helps is for a new recording to show."
_TITLE = "No single threshold fixes both: what helps one call breaks the other"
_LAYER = "a layer that tells a bid for the floor from an acknowledgement"
_MISSED, _STOPPED = "missed_real_interruption", "false_stop_on_backchannel"
_CODE = "not_a_card"

Sec = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]


class _Figures(msgspec.Struct, frozen=True):
    did_yield: bool | None = None
    seconds_to_yield: Sec | None = None
    talk_over_sec: Sec | None = None


class _Evidence(msgspec.Struct, frozen=True):
    finding: str
    measured: _Figures = _Figures()


class _Fix(msgspec.Struct, frozen=True, rename={"layer": "class"}):
    layer: str | None = None


class _Plan(msgspec.Struct, frozen=True):
    decision: str
    evidence: tuple[_Evidence, ...] = ()
    recommended_fix: _Fix | None = None


class _Pointer(msgspec.Struct, frozen=True):
    layer: str | None = None


class _Funnel(msgspec.Struct, frozen=True):
    pointer: _Pointer | None = None


class _Event(msgspec.Struct, frozen=True):
    expected_yield: bool
    verdict: _Figures
    scorable: bool = True
    expectation: str | None = None


class _Run(msgspec.Struct, frozen=True):
    funnel: _Funnel
    events: tuple[_Event, ...]


def plan_card(plan: Mapping[str, Any]) -> Card:
    """The card of a fix plan that refused to tune one threshold.

    Raises:
        Refusal: `not_a_card`: the plan decided otherwise.
    """
    found = read_as(plan, _Plan, _CODE, "fix plan")
    if found.decision != DECISION:
        raise Refusal(
            _CODE,
            f"this fix plan decided '{found.decision}', and only '{DECISION}' has a card",
            "pass a plan of a run that holds a missed interruption and a stop for a backchannel",
        )
    missed = [one.measured for one in found.evidence if one.finding == _MISSED]
    stopped = [one.measured for one in found.evidence if one.finding == _STOPPED]
    layer = found.recommended_fix.layer if found.recommended_fix else None
    return _card(missed, stopped, layer)


def funnel_card(run: Mapping[str, Any]) -> Card:
    """The card of a scored run whose envelope states a funnel.

    Raises:
        Refusal: `not_a_card`: it states none.
    """
    found = read_as(run, _Run, _CODE, "run with a funnel")
    judged = [event for event in found.events if event.scorable and event.expectation != "answer"]
    missed = [one.verdict for one in judged if one.expected_yield and not one.verdict.did_yield]
    stopped = [one.verdict for one in judged if not one.expected_yield and one.verdict.did_yield]
    return _card(missed, stopped, found.funnel.pointer.layer if found.funnel.pointer else None)


def _card(missed: Sequence[_Figures], stopped: Sequence[_Figures], layer: str | None) -> Card:
    pulls = (
        Pull(
            "Missed a real interruption",
            f"{_over(missed)}{_more(missed)}",
            "needs a more sensitive setting",
            right=True,
        ),
        Pull(
            "Stopped for an acknowledgement",
            f"{_took(stopped)}{_more(stopped)}",
            "needs a less sensitive setting",
            right=False,
        ),
    )
    named = (layer or "engagement control").replace("-", " ")
    return Card(
        kind="threshold funnel",
        chip="DO NOT TUNE ONE THRESHOLD",
        tone="crit",
        title=_TITLE,
        figure="",
        unit="",
        caption=(),
        facts=(("points at", named), ("which is", _LAYER)),
        footer=FOOTER,
        body=pulls,
    )


def _more(events: Sequence[_Figures]) -> str:
    return f" ({len(events)} moments)" if len(events) > 1 else ""


def _over(events: Sequence[_Figures]) -> str:
    found = [one.talk_over_sec for one in events if one.talk_over_sec is not None]
    return f"the agent talked over the caller for {seconds(max(found))}" if found else "the agent talked on"


def _took(events: Sequence[_Figures]) -> str:
    found = [one.seconds_to_yield for one in events if one.seconds_to_yield is not None]
    return f"the agent went quiet after {seconds(min(found))}" if found else "the agent went quiet"
