"""The card of a contract: the label, what was measured, and whether that matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.report.card_draw import card_svg
from hotato.report.card_input import read_as
from hotato.report.card_records import Bar, Body, Card, Scene, Tone
from hotato.report.timefmt import clock, seconds

UNSEALED = "Not verified: no bundle around this contract."
FOOTER = "A person labelled this moment; hotato measured the timing."
RECAPTURE_FOOTER = "One new recording, held against the label and the limits of the contract."
_EXPECTED = {
    "yield": "yield: give way to the caller",
    "hold": "hold: keep talking",
    "answer": "answer within the limit",
}
_GAP_LEAD_SEC, _UNANSWERED = 0.6, 1.5

Sec = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]


class _Label(msgspec.Struct, frozen=True):
    expected_behavior: str


class _Conditions(msgspec.Struct, frozen=True):
    max_talk_over_sec: Sec | None = None
    max_time_to_yield_sec: Sec | None = None
    max_response_gap_sec: Sec | None = None


class _Policy(msgspec.Struct, frozen=True):
    pass_conditions: _Conditions


class _Moment(msgspec.Struct, frozen=True):
    source_onset_sec: Sec


class _Source(msgspec.Struct, frozen=True):
    stack: str = "generic"
    name: str | None = None
    candidate_ref: str | None = None


class _Measured(msgspec.Struct, frozen=True):
    passed: bool
    did_yield: bool
    scorable: bool = True
    not_scorable_reason: str | None = None
    verdict_eligible: bool = True
    verdict_ineligible_reason: str | None = None
    seconds_to_yield: Sec | None = None
    talk_over_sec: Sec | None = None
    response_gap_sec: Sec | None = None
    edges: dict[str, tuple[float, float, float]] = {}
    silence_sec: Sec | None = None


class _Contract(msgspec.Struct, frozen=True):
    id: str
    label: _Label
    policy: _Policy
    event: _Moment
    source: _Source
    measurement: _Measured


class _Figures(msgspec.Struct, frozen=True):
    did_yield: bool
    seconds_to_yield: Sec | None = None
    talk_over_sec: Sec | None = None
    response_gap_sec: Sec | None = None


class _Onset(msgspec.Struct, frozen=True):
    sec: Sec


class _Recapture(msgspec.Struct, frozen=True):
    id: str
    expect: str
    passed: bool
    onset: _Onset
    measurement: _Figures
    reasons: tuple[str, ...] = ()


_FIGURES = _Figures.__struct_fields__


def contract_card(contract: Mapping[str, Any], include_identifiers: bool = False) -> str:
    """The card of a contract as SVG.

    Args:
        contract: what its `contract.json` holds.
        include_identifiers: show the recording's and the candidate's name, where the contract states them.

    Raises:
        Refusal: `not_a_contract`: it holds no such thing.
    """
    return card_svg(contract_record(contract, include_identifiers))


def contract_record(
    contract: Mapping[str, Any], include_identifiers: bool = False, *, sealed: bool = True
) -> Card:
    """What the card of a contract shows; arguments as for `contract_card` and `result_card`."""
    found = read_as(contract, _Contract, "not_a_contract", "contract.json of a bundle")
    label, measured = found.label.expected_behavior, found.measurement
    chip, tone = _result(measured)
    figure, unit, caption = _figure(label, found)
    return Card(
        kind=f"failure contract {found.id}",
        chip=chip,
        tone=tone,
        title=_title(label, measured),
        figure=figure,
        unit=unit,
        caption=caption,
        facts=_facts(label, found, include_identifiers),
        footer=FOOTER if sealed else f"{UNSEALED} {FOOTER}",
        body=_scene(label, found, tone),
    )


def recapture_record(result: Mapping[str, Any]) -> Card:
    """What the card of a new recording of a contract's moment shows.

    Args:
        result: the JSON of `contract verify --against`; it names no recording.

    Raises:
        Refusal: `not_a_contract`: it holds no such thing.
    """
    found = read_as(result, _Recapture, "not_a_contract", "result of contract verify --against")
    contract = _Contract(
        id=found.id,
        label=_Label(expected_behavior=found.expect),
        policy=_Policy(pass_conditions=_Conditions()),
        event=_Moment(source_onset_sec=found.onset.sec),
        source=_Source(),
        measurement=_Measured(
            passed=found.passed, **{name: getattr(found.measurement, name) for name in _FIGURES}
        ),
    )
    chip, tone = _result(contract.measurement)
    figure, unit, caption = _figure(found.expect, contract)
    why = "; ".join(found.reasons)
    return Card(
        kind=f"new recording of {found.id}",
        chip=chip,
        tone=tone,
        title=_title(found.expect, contract.measurement),
        figure=figure,
        unit=unit,
        caption=caption,
        facts=(*_facts(found.expect, contract, False), *((("why", why),) if why else ())),
        footer=RECAPTURE_FOOTER,
        body=_scene(found.expect, contract, tone),
    )


def _result(measured: _Measured) -> tuple[str, Tone]:
    if not measured.scorable:
        return "NOT SCORABLE", "plain"
    if not measured.verdict_eligible:
        return "NO VERDICT", "plain"
    return ("PASSED", "pass") if measured.passed else ("FAILED", "crit")


def _title(label: str, measured: _Measured) -> str:
    """What the agent did, as a sentence."""
    if not measured.scorable:
        return "This moment can no longer be judged"
    took, gap = measured.seconds_to_yield, measured.response_gap_sec
    over = measured.talk_over_sec or 0.0
    if label == "answer":
        return "The agent did not answer" if gap is None else f"The agent answered after {seconds(gap)}"
    if label == "hold":
        if not measured.did_yield:
            return "The agent kept talking, as it should"
        when = "" if took is None else f" after {seconds(took)}"
        return f"The agent stopped{when} for a sound that asked for nothing"
    if measured.did_yield:
        when = "" if took is None else f" after {seconds(took)}"
        return f"The agent gave way to the caller{when}"
    return f"The agent did not give way and talked over the caller for {seconds(over)}"


def _figure(label: str, found: _Contract) -> tuple[str, str, tuple[str, ...]]:
    """The number that names the moment, its unit, and what it is."""
    measured, limits = found.measurement, found.policy.pass_conditions
    if not measured.scorable:
        return "no verdict", "", (measured.not_scorable_reason or "the recording cannot be judged",)
    if label == "answer":
        value, words, edge, limit = (
            _silence_sec(measured),
            "of silence until the agent answered",
            "silence",
            limits.max_response_gap_sec,
        )
        words = words if measured.response_gap_sec is not None else "of silence without an answer"
        missing = "no answer"
    elif measured.did_yield and measured.seconds_to_yield is not None:
        value, words, edge, limit = (
            measured.seconds_to_yield,
            "until the agent went quiet",
            "time_to_yield",
            limits.max_time_to_yield_sec,
        )
        missing = "no yield"
    else:
        value, words, edge, limit = (
            measured.talk_over_sec,
            "of both talking at once",
            "talk_over",
            limits.max_talk_over_sec,
        )
        missing = "no number"
    caption = [words] if value is not None else []
    interval = measured.edges.get(edge)
    if interval is not None and value is not None:
        sec, low, high = interval
        caption += [f"{seconds(sec)} at the raw energy edges", f"({low:.2f} to {high:.2f} s)"]
    if limit is not None:
        caption.append(f"limit {seconds(limit)}")
    return (missing, "", tuple(caption)) if value is None else (f"{value:.2f}", "s", tuple(caption))


def _facts(label: str, found: _Contract, include_identifiers: bool) -> tuple[tuple[str, str], ...]:
    measured, limits = found.measurement, found.policy.pass_conditions
    facts = [
        ("expected", _EXPECTED.get(label, label)),
        ("onset", f"{clock(found.event.source_onset_sec, 2)} in the call"),
    ]
    if measured.scorable and measured.verdict_ineligible_reason:
        facts.append(("no verdict", measured.verdict_ineligible_reason))
    elif measured.scorable and label != "answer" and measured.talk_over_sec is not None:
        limit = limits.max_talk_over_sec
        beside = "" if limit is None else f", limit {seconds(limit)}"
        facts.append(("talk-over", f"{seconds(measured.talk_over_sec)}{beside}"))
    if include_identifiers and (found.source.name or found.source.candidate_ref):
        facts.append(("from", str(found.source.candidate_ref or found.source.name)))
    elif found.source.stack != "generic":
        facts.append(("stack", found.source.stack))
    return tuple(facts)


def _scene(label: str, found: _Contract, tone: Tone) -> Body:
    measured, limits, onset = found.measurement, found.policy.pass_conditions, found.event.source_onset_sec
    if not measured.scorable:
        return ()
    if label == "answer":
        answered = measured.response_gap_sec is not None
        return _silence(onset, _silence_sec(measured), limits.max_response_gap_sec, tone, answered=answered)
    over, took = measured.talk_over_sec or 0.0, measured.seconds_to_yield
    stopped = measured.did_yield and took is not None
    end = onset + (took if stopped and took is not None else over)
    agent = Bar("agent", onset, end, opens=True, goes_on=not stopped)
    caller = Bar("caller", onset, onset + over, goes_on=True)
    words = (
        f"{seconds(end - onset)} until the agent went quiet" if stopped else f"{seconds(over)} both at once"
    )
    limit = limits.max_time_to_yield_sec if stopped else limits.max_talk_over_sec
    return Scene((caller, agent), onset, end, words, tone, limit_sec=limit if label == "yield" else None)


def _silence_sec(measured: _Measured) -> float | None:
    """The joint silence of an answer; older contracts state it only where the agent ended it."""
    return measured.response_gap_sec if measured.silence_sec is None else measured.silence_sec


def _silence(onset: float, gap: float | None, limit: float | None, tone: Tone, *, answered: bool) -> Scene:
    """A silence after a sound, and who ended it; one of unknown length is drawn past its limit."""
    end = onset + (gap if gap is not None else (limit or 1.0) * _UNANSWERED)
    after = (Bar("agent", end, end + _GAP_LEAD_SEC, goes_on=True),) if answered else ()
    words = "no answer" if gap is None else f"{seconds(gap)} with nobody speaking"
    before = Bar("either", onset - _GAP_LEAD_SEC, onset, opens=True)
    return Scene((before, *after), onset, end, words, tone, silent=True, limit_sec=limit)
