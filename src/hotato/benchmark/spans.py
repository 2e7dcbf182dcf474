"""True spans of a party: joined, met and missed. Exact times; no frame takes part."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.benchmark.params import PARAMS
from hotato.timing import Span

Stretch = tuple[float, float]
DIGITS = 6
"""Times are sums of decimal fractions: 2.15 - 2.0 is no less than 0.15."""


def spans_of(stretches: Sequence[Stretch]) -> tuple[Span, ...]:
    """Stretches as spans in order, with pauses shorter than the documented hangover closed."""
    merged: list[Span] = []
    for start, end in sorted(stretches):
        if merged and round(start - merged[-1].end_sec, DIGITS) < PARAMS.bridged_pause_sec:
            merged[-1] = Span(merged[-1].start_sec, max(end, merged[-1].end_sec))
        else:
            merged.append(Span(start, end))
    return tuple(merged)


def joint_sec(caller: Sequence[Span], agent: Sequence[Span], start_sec: float, end_sec: float) -> float:
    """Seconds of [start_sec, end_sec) in which both sound."""
    window = Span(start_sec, end_sec)
    pieces = [ours & window for ours in caller]
    both = [mine & theirs for mine in pieces if mine is not None for theirs in agent]
    return sum(piece.duration_sec for piece in both if piece is not None)


def longest_silence_sec(spans: Sequence[Span], start_sec: float, end_sec: float) -> float:
    """The longest stretch of [start_sec, end_sec) in which none of `spans` sounds."""
    longest, at = 0.0, start_sec
    for span in sorted(spans):
        if span.end_sec > start_sec and span.start_sec < end_sec:
            longest = max(longest, span.start_sec - at)
            at = max(at, span.end_sec)
    return max(longest, end_sec - at)
