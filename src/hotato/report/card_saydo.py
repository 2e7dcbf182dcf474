"""The card of a conversation that claims what the evidence does not bear out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from hotato.errors import Refusal
from hotato.report.card_input import read_as
from hotato.report.card_records import Card, Claim
from hotato.report.timefmt import plural

FOOTER = "Tool calls and state decide what was done, not the words of the agent."
EVIDENCE_KINDS = frozenset({"tool_result", "tool_call", "tool_error", "http_result", "state", "state_change"})
"""Checks that read the trace or the state after the call."""

_CODE = "not_a_card"
_NO_CLAIM = "no check of the agent's words stands beside it"
_MOST_SPANS = 3


class _Result(msgspec.Struct, frozen=True):
    id: str
    kind: str
    status: str
    deterministic: bool = True
    dimension: str | None = None
    public_reason: str | None = None
    span_refs: tuple[str, ...] = ()


class _Assertions(msgspec.Struct, frozen=True):
    results: tuple[_Result, ...]


class _TestRun(msgspec.Struct, frozen=True):
    test_id: str
    assertions: _Assertions


def saydo_card(run: Mapping[str, Any]) -> Card:
    """The card of a test run; it shows structured reasons only, never words of the call or a tool's payload.

    Args:
        run: the JSON of `hotato test run`.

    Raises:
        Refusal: `no_say_do_failure`: no check of the trace or of the state failed; `not_a_card`.
    """
    found = read_as(run, _TestRun, _CODE, "result of 'hotato test run'")
    results = [one for one in found.assertions.results if one.deterministic]
    failed = [one for one in results if one.kind in EVIDENCE_KINDS and one.status == "FAIL"]
    if not failed:
        raise Refusal(
            "no_say_do_failure",
            "no check of the trace or of the state failed in this run",
            "pass a run whose tool or state evidence contradicts the conversation",
        )
    lead = next((one for one in failed if one.dimension == "outcome"), failed[0])
    said = next((one for one in results if one.kind not in EVIDENCE_KINDS and one.status == "PASS"), None)
    facts = [("test", found.test_id), ("failing", plural(len(failed), "check"))]
    spans = lead.span_refs[:_MOST_SPANS]
    facts += [("spans", ", ".join(spans))] if spans else []
    return Card(
        kind="say-do failure",
        chip="FAILED",
        tone="crit",
        title="The conversation claims an outcome that the evidence does not bear out",
        figure="",
        unit="",
        caption=(),
        facts=tuple(facts),
        footer=FOOTER,
        body=(_said(said), Claim(f"{lead.id} ({lead.kind})", lead.status, _reason(lead), holds=False)),
    )


def _said(said: _Result | None) -> Claim:
    if said is None:
        return Claim("what was said", "", _NO_CLAIM, holds=True)
    return Claim(
        f"{said.id} ({said.kind})", said.status, said.public_reason or "the words were said", holds=True
    )


def _reason(result: _Result) -> str:
    return result.public_reason or "the evidence does not show it"
