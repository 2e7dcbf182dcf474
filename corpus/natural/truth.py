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

from spans import WINDOWS, Span, overlap, quiet_from, talk_over, yield_at

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
class Note:
    """An event as it was staged, before the formulas: kind, where, what ought to happen."""

    kind: str
    at: int
    expect: str | None = None


def _sec(samples: int, rate: int) -> float:
    return round(samples / rate, 4)


def _caller_event(note: Note, caller: list[Span], agent: list[Span], end: int, rate: int) -> dict[str, Any]:
    found = yield_at(caller, agent, note.at, end=end, rate=rate)
    return {
        "yield_sec": None if found is None else _sec(found - note.at, rate),
        "talk_over_sec": _sec(talk_over(caller, agent, note.at, found, rate=rate), rate),
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
