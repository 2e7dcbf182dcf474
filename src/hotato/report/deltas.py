"""A run beside an earlier one: what changed for each event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.errors import Refusal
from hotato.report.text_run import status
from hotato.report.timefmt import seconds, shown, signed_seconds

_Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]


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


class _Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of a verdict."""

    passed: bool
    seconds_to_yield: _Seconds | None = None
    talk_over_sec: _Seconds | None = None


class _Event(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of an event; further keys are ignored."""

    event_id: str
    verdict: _Verdict
    scorable: bool = True
    profile: str | None = None


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of a run; further keys are ignored."""

    events: list[_Event]
    profile: str = "documented"


def require_run(base: Mapping[str, Any]) -> None:
    """Refuse what is not the envelope of a run: it comes from a file, which may hold anything.

    Raises:
        Refusal: `not_an_envelope`, naming the field.
    """
    _run_of(base)


def deltas(base: Mapping[str, Any], envelope: Mapping[str, Any]) -> tuple[Delta, ...]:
    """One line for each event of either run, this run's first.

    Raises:
        Refusal: `not_an_envelope`: `base` is not the envelope of a run; `profiles_differ`: an event of it was
            measured by another profile, so that a difference would say nothing about the agent.
    """
    before, now = _run_of(base), _run_of(envelope)
    earlier, current = _by_id(before), _by_id(now)
    for name in (name for name in current if name in earlier):
        _require_same(name, earlier[name].profile or before.profile, current[name].profile or now.profile)
    names = [*current, *(name for name in earlier if name not in current)]
    return tuple(_delta(name, earlier.get(name), current.get(name)) for name in names)


def _require_same(name: str, before: str, now: str) -> None:
    """Refuse to compare what two profiles measured."""
    if before != now:
        raise Refusal(
            "profiles_differ",
            f"event '{shown(name)}' of the base was measured by the {shown(before, 40)} profile and that of "
            f"this run by the {shown(now, 40)} one",
            "make both with the same --profile",
        )


def _run_of(envelope: Mapping[str, Any]) -> _Run:
    try:
        return msgspec.convert(envelope, type=_Run)
    except (msgspec.ValidationError, RecursionError) as error:
        raise Refusal(
            "not_an_envelope",
            f"the base is not the JSON of a run: {error}",
            "make one with hotato run --format json",
        ) from error


def _by_id(run: _Run) -> dict[str, _Event]:
    return {event.event_id: event for event in run.events}


def _status(event: _Event) -> str:
    return status({"scorable": event.scorable, "verdict": {"passed": event.verdict.passed}})


def _delta(name: str, before: _Event | None, now: _Event | None) -> Delta:
    old, new = ("absent" if event is None else _status(event) for event in (before, now))
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


def _moved(before: _Event | None, now: _Event | None, key: str) -> str:
    values = [None if event is None else getattr(event.verdict, key) for event in (before, now)]
    said = ["none" if value is None else seconds(value) for value in values]
    old, new = values
    if old is None or new is None:
        return said[0] if old is new else f"{said[0]} \u2192 {said[1]}"
    if old == new:
        return f"{said[0]}, unchanged"
    return f"{said[0]} \u2192 {said[1]} ({signed_seconds(new - old)})"
