"""A run beside an earlier one: what changed for each event, in words for a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hotato.compare import Move, Movement, Scored, events_of, pair_runs, value_of
from hotato.report.text_compare import ROLES
from hotato.report.text_run import status
from hotato.report.timefmt import seconds, shown, signed_seconds


@dataclass(frozen=True, slots=True)
class Delta:
    """One event in both runs; a text is "none" where a run has no such number.

    Attributes:
        name: the event's id, safe to show.
        before: status in the earlier run.
        now: status in this run.
        change: its place in the taxonomy of `hotato.compare`, or `new` or `gone`.
        tone: `pass` where that is good, `fail` where it is bad, else empty.
        to_yield: seconds to yield, before, now and difference.
        talk_over: talk-over, before, now and difference.
    """

    name: str
    before: str
    now: str
    change: str
    tone: str
    to_yield: str
    talk_over: str


def require_run(base: Mapping[str, Any]) -> None:
    """Refuse what is not the envelope of a run: it comes from a file, which may hold anything.

    Raises:
        Refusal: `not_an_envelope`, naming the field.
    """
    events_of(base)


def deltas(base: Mapping[str, Any], envelope: Mapping[str, Any]) -> tuple[Delta, ...]:
    """One line for each event of either run, this run's first.

    Raises:
        Refusal: `not_an_envelope`: `base` is not the envelope of a run; what `compare.pair_runs` refuses,
            such as an event that was measured by another profile.
    """
    now = events_of(envelope, "this run")
    pairs = pair_runs(events_of(base), now)
    found = {
        pair.after.event_id: _delta(pair.fixture, pair.before, pair.after, pair.movement)
        for pair in pairs.paired
    }
    alone = {event.event_id: _delta(event.event_id, None, event, None) for event in pairs.only_after}
    gone = [_delta(event.event_id, event, None, None) for event in pairs.only_before]
    return (*({**found, **alone}[event.event_id] for event in now), *gone)


def _delta(name: str, before: Scored | None, now: Scored | None, movement: Movement | None) -> Delta:
    result = movement.result if movement else "gone" if now is None else "new"
    moves = {move.name: move for move in movement.moves} if movement else {}
    return Delta(
        name=shown(name),
        before=_status(before),
        now=_status(now),
        change=result.replace("_", " "),
        tone=ROLES.get(result, ""),
        to_yield=_moved(moves.get("time_to_yield"), before, now, "time_to_yield"),
        talk_over=_moved(moves.get("talk_over"), before, now, "talk_over"),
    )


def _status(event: Scored | None) -> str:
    if event is None:
        return "absent"
    return status({"scorable": event.scorable, "verdict": {"passed": event.verdict.passed}})


def _moved(move: Move | None, before: Scored | None, now: Scored | None, name: str) -> str:
    values = [None if event is None else value_of(event, name) for event in (before, now)]
    said = ["none" if value is None else seconds(value) for value in values]
    if move is None or move.delta_sec is None:
        return said[0] if values == [None, None] else f"{said[0]} \u2192 {said[1]}"
    if move.delta_sec == 0:
        return f"{said[0]}, unchanged"
    error = "" if move.beyond_error else ", within the error"
    return f"{said[0]} \u2192 {said[1]} ({signed_seconds(move.delta_sec)}{error})"
