"""The truth of a call, computed from the spans that were placed. All positions are samples at `rate`.

The meanings are the documented ones, read off spans instead of frames:

    spans          half-open; pauses of 0.15 s and more split them, shorter ones are bridged
    yield_sec      from the event to the first moment within 3 s at which the agent falls quiet for 0.2 s
                   and the caller sounds within 0.5 s of it
    talk_over_sec  both sound: of a caller's event up to the yield, to 3 s where there is none; of an
                   agent's event up to the first moment at which either is quiet for 0.2 s
    gap_sec        latency, dead_air, self_stop: from the end of the turn to the next sound (latency: to the
                   agent's next); resume, restart: from where the agent had fallen quiet to its return
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]

KINDS = (
    "barge_in",
    "backchannel",
    "dual_start",
    "agent_over_caller",
    "latency",
    "dead_air",
    "self_stop",
    "resume",
    "restart",
)
"""What an event can be."""


@dataclass(frozen=True)
class Windows:
    """The documented windows.

    Attributes:
        bridge_sec: a pause shorter than this stays inside a span.
        quiet_sec: this much quiet is a yield.
        search_sec: a yield begins within this time of the event.
        near_sec: the caller sounds within this time of the beginning of the quiet.
    """

    bridge_sec: float = 0.15
    quiet_sec: float = 0.2
    search_sec: float = 3.0
    near_sec: float = 0.5


WINDOWS = Windows()


@dataclass(frozen=True)
class Note:
    """An event as it was staged, before the formulas: kind, where, what ought to happen."""

    kind: str
    at: int
    expect: str | None = None


def bridged(spans: Sequence[Span], rate: int, windows: Windows = WINDOWS) -> list[Span]:
    """The spans in order, with pauses shorter than `bridge_sec` closed and overlapping ones joined."""
    out: list[Span] = []
    for start, stop in sorted(spans):
        if out and start - out[-1][1] < windows.bridge_sec * rate:
            out[-1] = (out[-1][0], max(out[-1][1], stop))
        else:
            out.append((start, stop))
    return out


def overlap(a: Sequence[Span], b: Sequence[Span], start: int, stop: int) -> int:
    """How many samples both sound between `start` and `stop`."""
    return sum(
        max(0, min(x[1], y[1], stop) - max(x[0], y[0], start))
        for x in a
        for y in b
        if x[0] < y[1] and y[0] < x[1]
    )


def quiet_from(spans: Sequence[Span], at: int, need: int, end: int) -> list[int]:
    """Where quiet of at least `need` samples begins, from `at` on; quiet under way begins at `at`."""
    edges = [at] if not any(start <= at < stop for start, stop in spans) else []
    edges += [stop for _, stop in spans if stop > at]
    return [edge for edge in edges if next((s for s, _ in spans if s >= edge), end) - edge >= need]


def yield_at(caller: Sequence[Span], agent: Sequence[Span], at: int, *, end: int, rate: int) -> int | None:
    """Where the agent yields to what begins at `at`, or None."""
    near = WINDOWS.near_sec * rate
    for quiet in quiet_from(agent, at, round(WINDOWS.quiet_sec * rate), end):
        if quiet - at >= WINDOWS.search_sec * rate:
            return None
        if any(start <= quiet + near and stop > quiet - near for start, stop in caller):
            return quiet
    return None


def _sec(samples: int, rate: int) -> float:
    return round(samples / rate, 4)


def _caller_event(note: Note, caller: list[Span], agent: list[Span], end: int, rate: int) -> dict[str, Any]:
    found = yield_at(caller, agent, note.at, end=end, rate=rate)
    stop = note.at + round(WINDOWS.search_sec * rate) if found is None else found
    return {
        "yield_sec": None if found is None else _sec(found - note.at, rate),
        "talk_over_sec": _sec(overlap(caller, agent, note.at, stop), rate),
    }


def _agent_event(note: Note, caller: list[Span], agent: list[Span], end: int, rate: int) -> dict[str, Any]:
    need = round(WINDOWS.quiet_sec * rate)
    stop = min(next(iter(quiet_from(spans, note.at, need, end)), end) for spans in (caller, agent))
    return {"talk_over_sec": _sec(overlap(caller, agent, note.at, stop), rate)}


def _gap(note: Note, caller: list[Span], agent: list[Span], rate: int) -> dict[str, Any]:
    if note.kind in ("resume", "restart"):
        return {"gap_sec": _sec(note.at - max(stop for _, stop in agent if stop <= note.at), rate)}
    answering = agent if note.kind == "latency" else sorted([*caller, *agent])
    return {"gap_sec": _sec(min(start for start, _ in answering if start >= note.at) - note.at, rate)}


def truth_of(
    notes: Sequence[Note], caller: list[Span], agent: list[Span], end: int, rate: int
) -> dict[str, Any]:
    """The block `truth` of a scenario, from bridged spans and staged events; `end` is the call's length."""
    events = []
    for note in sorted(notes, key=lambda note: (note.at, note.kind)):
        if note.kind in ("barge_in", "backchannel"):
            measured = _caller_event(note, caller, agent, end, rate)
        elif note.kind in ("agent_over_caller", "dual_start"):
            measured = _agent_event(note, caller, agent, end, rate)
        else:
            measured = _gap(note, caller, agent, rate)
        events.append({"kind": note.kind, "at_sec": _sec(note.at, rate), "expect": note.expect, **measured})
    return {
        "caller_spans_sec": [[_sec(a, rate), _sec(b, rate)] for a, b in caller],
        "agent_spans_sec": [[_sec(a, rate), _sec(b, rate)] for a, b in agent],
        "events": events,
    }
