"""What is true of a call, read off the spans in which its parties sound.

The meanings are the documented ones, on spans instead of frames. A span is half-open, and a position is a
whole number of ticks; `rate` says how many make a second: samples of a rendered call, microseconds of a
plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Windows:
    """The documented windows.

    Attributes:
        bridge_sec: a pause shorter than this stays inside a span.
        quiet_sec: this much quiet is a yield, and the end of a turn.
        search_sec: a yield begins within this time of the event.
        near_sec: the caller sounds within this time of the beginning of the quiet.
    """

    bridge_sec: float = 0.15
    quiet_sec: float = 0.2
    search_sec: float = 3.0
    near_sec: float = 0.5


WINDOWS = Windows()


def bridged(spans: Sequence[Span], rate: int) -> list[Span]:
    """The spans in order, with pauses shorter than `bridge_sec` closed and overlapping ones joined."""
    out: list[Span] = []
    for start, stop in sorted(spans):
        if out and start - out[-1][1] < WINDOWS.bridge_sec * rate:
            out[-1] = (out[-1][0], max(out[-1][1], stop))
        else:
            out.append((start, stop))
    return out


def overlap(a: Sequence[Span], b: Sequence[Span], start: int, stop: int) -> int:
    """For how many ticks both sound between `start` and `stop`."""
    return sum(
        max(0, min(x[1], y[1], stop) - max(x[0], y[0], start))
        for x in a
        for y in b
        if x[0] < y[1] and y[0] < x[1]
    )


def quiet_from(spans: Sequence[Span], at: int, need: int, end: int) -> list[int]:
    """Where quiet of at least `need` ticks begins, from `at` on; quiet under way begins at `at`."""
    edges = [at] if not any(start <= at < stop for start, stop in spans) else []
    edges += [stop for _, stop in spans if stop > at]
    return [edge for edge in edges if next((s for s, _ in spans if s >= edge), end) - edge >= need]


def yield_at(caller: Sequence[Span], agent: Sequence[Span], at: int, *, end: int, rate: int) -> int | None:
    """Where the agent yields to what begins at `at`, or None; `end` is the length of the call."""
    near = WINDOWS.near_sec * rate
    for quiet in quiet_from(agent, at, round(WINDOWS.quiet_sec * rate), end):
        if quiet - at >= WINDOWS.search_sec * rate:
            return None
        if any(start <= quiet + near and stop > quiet - near for start, stop in caller):
            return quiet
    return None


def talk_over(
    caller: Sequence[Span], agent: Sequence[Span], at: int, yielded: int | None, *, rate: int
) -> int:
    """For how many ticks both sound from `at` up to the yield, or to the end of the search without one."""
    stop = at + round(WINDOWS.search_sec * rate) if yielded is None else yielded
    return overlap(caller, agent, at, stop)


def turn_end(spans: Sequence[Span], at: int, thinking: int, end: int) -> int | None:
    """Where the first span ends that reaches beyond `at` and has `thinking` ticks of quiet behind it."""
    stops = [stop for _, stop in spans if stop > at]
    return next((stop for stop in stops if stop in quiet_from(spans, stop, thinking, end)), None)
