"""Two recordings under one label: the same moment before a change and after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from hotato.compare.records import NOT_SCORABLE, REGRESSED, WORSE, Movement, Result
from hotato.compare.runs import events_of
from hotato.compare.taxonomy import moved
from hotato.errors import EXIT_FAIL, EXIT_PASS, EXIT_REFUSE

RESCORE = (
    "both sides hold the same samples of the agent: this is one recording scored twice, not a new take, and "
    "says nothing about a change of the agent"
)
ONE_MOMENT = (
    "two takes of one moment: the difference coincides with whatever was changed and does not show what "
    "caused it"
)


class Take(msgspec.Struct, frozen=True, kw_only=True):
    """One recording, scored: its envelope, and the one event of it."""

    envelope: Mapping[str, Any]
    event: Mapping[str, Any]


class Delta(msgspec.Struct, frozen=True, kw_only=True):
    """The documented numbers, before and after.

    Attributes:
        did_yield: whether the agent went quiet.
        seconds_to_yield_sec: how long that took, None without a yield.
        talk_over_sec: simultaneous speech.
        talk_over_delta_sec: after minus before; the documented difference, whatever the intervals say.
    """

    did_yield: tuple[bool, bool]
    seconds_to_yield_sec: tuple[float | None, float | None]
    talk_over_sec: tuple[float, float]
    talk_over_delta_sec: float


class TakesCompared(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `hotato compare`.

    Attributes:
        tool: always `hotato`.
        kind: always `compare`.
        schema_version: version of this shape; only additive changes keep it.
        stack: the platform.
        expect: the label.
        result: what became of the moment.
        before: the earlier take.
        after: the later take.
        delta: the documented numbers.
        movement: the same with intervals, and whether anything moved beyond the measurement error.
        same_samples: the agent's samples are the same on both sides: a re-score, no new take.
        notes: what the comparison does and does not say.
    """

    tool: Literal["hotato"] = "hotato"
    kind: Literal["compare"] = "compare"
    schema_version: Literal["1"] = "1"
    stack: str
    expect: str
    result: Result
    before: Take
    after: Take
    delta: Delta
    movement: Movement
    same_samples: bool
    notes: tuple[str, ...]


def compare_takes(before: Mapping[str, Any], after: Mapping[str, Any]) -> TakesCompared:
    """Two single-recording envelopes of one label.

    Args:
        before: the envelope of the earlier take.
        after: the envelope of the later one.

    Raises:
        Refusal: `not_an_envelope`, `labels_differ`.
        ValueError: an envelope holds more than one event.
    """
    (old,), (new,) = events_of(before, "the earlier take"), events_of(after, "the later take")
    movement = moved(old, new)
    first, last = before["events"][0]["verdict"], after["events"][0]["verdict"]
    same = bool(movement.same_samples)
    return TakesCompared(
        stack=before["stack"],
        expect=str(old.expect),
        result=movement.result,
        before=Take(envelope=before, event=before["events"][0]),
        after=Take(envelope=after, event=after["events"][0]),
        delta=Delta(
            did_yield=(first["did_yield"], last["did_yield"]),
            seconds_to_yield_sec=(first["seconds_to_yield"], last["seconds_to_yield"]),
            talk_over_sec=(first["talk_over_sec"], last["talk_over_sec"]),
            talk_over_delta_sec=round(last["talk_over_sec"] - first["talk_over_sec"], 3) + 0.0,
        ),
        movement=movement,
        same_samples=same,
        notes=(RESCORE,) if same else (ONE_MOMENT,),
    )


def takes_exit_code(compared: TakesCompared, *, fail_on_worse: bool) -> int:
    """What `hotato compare` exits with: 2 where a side cannot be judged, 1 where the gate was asked for and
    the later take is worse, else 0."""
    if compared.result == NOT_SCORABLE:
        return EXIT_REFUSE
    return EXIT_FAIL if fail_on_worse and compared.result in (REGRESSED, WORSE) else EXIT_PASS
