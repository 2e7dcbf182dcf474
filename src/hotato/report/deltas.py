"""A run beside an earlier one: what changed for each event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hotato.errors import UsageError
from hotato.report.text_run import status
from hotato.report.timefmt import seconds, shown, signed_seconds


@dataclass(frozen=True, slots=True)
class Delta:
    """One event in both runs; a text is "none" where a run has no such number.

    Attributes:
        name: the event's id, safe to show.
        before: status in the earlier run.
        now: status in this run.
        change: `worse`, `better`, `same`, `new` or `gone`.
        to_yield: seconds to yield, before, now and difference.
        talk_over: talk-over, before, now and difference.
    """

    name: str
    before: str
    now: str
    change: str
    to_yield: str
    talk_over: str


def deltas(base: Mapping[str, Any], envelope: Mapping[str, Any]) -> tuple[Delta, ...]:
    """One line for each event of either run, this run's first.

    Raises:
        UsageError: `base` is not the envelope of a run.
    """
    earlier, current = _by_id(base), _by_id(envelope)
    names = [*current, *(name for name in earlier if name not in current)]
    return tuple(_delta(name, earlier.get(name), current.get(name)) for name in names)


def _by_id(envelope: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    try:
        return {str(e["event_id"]): e for e in envelope["events"] if isinstance(e["verdict"], Mapping)}
    except (KeyError, TypeError) as error:
        raise UsageError(
            "the base is not the JSON of a run", "make one with hotato run --format json"
        ) from error


def _delta(name: str, before: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> Delta:
    old, new = ("absent" if event is None else status(event) for event in (before, now))
    change = "new" if before is None else "gone" if now is None else _change(old, new)
    return Delta(
        name=shown(name),
        before=old,
        now=new,
        change=change,
        to_yield=_moved(before, now, "seconds_to_yield"),
        talk_over=_moved(before, now, "talk_over_sec"),
    )


def _change(old: str, new: str) -> str:
    order = {"FAIL": 0, "NOT SCORABLE": 1, "PASS": 2}
    return "same" if old == new else "better" if order[new] > order[old] else "worse"


def _moved(before: Mapping[str, Any] | None, now: Mapping[str, Any] | None, key: str) -> str:
    values = [None if event is None else event["verdict"].get(key) for event in (before, now)]
    said = ["none" if value is None else seconds(value) for value in values]
    old, new = values
    if old is None or new is None:
        return said[0] if old is new else f"{said[0]} \u2192 {said[1]}"
    if old == new:
        return f"{said[0]}, unchanged"
    return f"{said[0]} \u2192 {said[1]} ({signed_seconds(new - old)})"
