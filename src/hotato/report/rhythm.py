"""Every change of speaker as a dot: overlap to the left of zero, gap to the right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hotato.report.svg import Scale
from hotato.report.timefmt import clock, signed_seconds
from hotato.stats import distribution
from hotato.timing import Floor, FloorTransfer, Span

HUMAN_SEC = Span(0.0, 0.25)
"""Where most changes of speaker between people fall (Stivers et al. 2009: mode near 0, mean about 0.2 s)."""

LEAST_SUMMED = 5
"""Of fewer changes than this the range is given, not a median and a percentile."""

_LOWEST_SEC, _HIGHEST_SEC = -4.0, 8.0
_BINS = 72
_STACK_PX = 56.0
_RADIUS_PX = 4.0


@dataclass(frozen=True, slots=True)
class Dot:
    """One change of speaker: position in percent and pixels from the line, and whether it lies outside."""

    x: float
    y: float
    outside: bool
    words: str


@dataclass(frozen=True, eq=False)
class Row:
    """The changes to one party: its dots and one line of numbers."""

    to: str
    dots: tuple[Dot, ...]
    summary: str


@dataclass(frozen=True, eq=False)
class Rhythm:
    """The strip.

    Attributes:
        scale: seconds to percent.
        ticks: (percent, label, minor) of the axis.
        human: begin and width of the human range in percent.
        rows: one for each party.
        radius: of the dots, in pixels.
        height: of a row, in pixels.
        words: what the strip shows, for somebody who cannot see it.
    """

    scale: Scale
    ticks: tuple[tuple[float, str, bool], ...]
    human: tuple[float, float]
    rows: tuple[Row, ...]
    radius: float
    height: int
    words: str

    @property
    def beyond(self) -> bool:
        """Whether any dot lies outside the scale."""
        return any(dot.outside for row in self.rows for dot in row.dots)


def rhythm(floor: Floor) -> Rhythm | None:
    """The strip of a call; None when nobody ever took the floor from the other."""
    if not floor.transfers:
        return None
    offsets = [transfer.offset_sec for transfer in floor.transfers]
    low = max(_LOWEST_SEC, min(-1.0, math.floor(min(offsets))))
    high = min(_HIGHEST_SEC, max(2.0, math.ceil(max(offsets))))
    scale = Scale(low - 0.2, high + 0.2)
    step = 1 if high - low <= 8 else 2
    rows = {to: [transfer for transfer in floor.transfers if transfer.to == to] for to in ("caller", "agent")}
    tallest = max((count for group in rows.values() for count in _counts(group, scale).values()), default=1)
    radius = min(_RADIUS_PX, max(1.5, _STACK_PX / (2 * tallest)))
    drawn = tuple(_row(to, group, scale, radius) for to, group in rows.items())
    return Rhythm(
        scale=scale,
        ticks=tuple(
            (scale.percent(value), _tick(value), bool(value % (2 * step)))
            for value in range(int(low), int(high) + 1)
            if value % step == 0
        ),
        human=(scale.percent(HUMAN_SEC.start_sec), scale.width(HUMAN_SEC.start_sec, HUMAN_SEC.end_sec)),
        rows=drawn,
        radius=radius,
        height=round(min(_STACK_PX, 3 + 2 * radius * tallest)) + 18,
        words=f"{len(offsets)} changes of speaker. " + " ".join(f"{row.summary}." for row in drawn),
    )


def _tick(value: int) -> str:
    return "0" if value == 0 else f"{value:+d} s"


def _bin(transfer: FloorTransfer, scale: Scale) -> int:
    return round(scale.percent(transfer.offset_sec) / 100 * _BINS)


def _counts(group: Sequence[FloorTransfer], scale: Scale) -> dict[int, int]:
    counts: dict[int, int] = {}
    for transfer in group:
        place = _bin(transfer, scale)
        counts[place] = counts.get(place, 0) + 1
    return counts


def _row(to: str, group: list[FloorTransfer], scale: Scale, radius: float) -> Row:
    stacked: dict[int, int] = {}
    dots = []
    for transfer in group:
        place = _bin(transfer, scale)
        level = stacked.get(place, 0)
        stacked[place] = level + 1
        outside = not scale.lo <= transfer.offset_sec <= scale.hi
        away = min(_STACK_PX, 3 + radius + level * 2 * radius)
        words = f"{to} took the floor at {clock(transfer.at_sec)}, {signed_seconds(transfer.offset_sec)}"
        dots.append(Dot(scale.percent(transfer.offset_sec), round(away, 2), outside, words))
    return Row(to, tuple(dots), _summary(to, group))


def _around(first: float, last: float) -> str:
    """Offsets from `first` to `last` seconds in words without signs: `2.62 s before to 0.44 s after`."""
    ends = [(f"{abs(sec):.2f} s", "before" if sec < 0.0 else "after") for sec in (first, last)]
    (low, side), (high, other) = ends
    if ends[0] == ends[1]:
        return f"{low} {side}"
    return f"{low} to {high} {side}" if side == other else f"{low} {side} to {high} {other}"


def _summary(to: str, group: list[FloorTransfer]) -> str:
    if not group:
        return f"{to} never took the floor from the other party"
    times = "once" if len(group) == 1 else f"{len(group)} times"
    offsets = sorted(transfer.offset_sec for transfer in group)
    if len(offsets) < LEAST_SUMMED:
        return f"{to} took the floor {times}: {_around(offsets[0], offsets[-1])} the other ended"
    numbers = distribution(offsets)
    median, p90 = numbers["median"] or 0.0, numbers["p90"] or 0.0
    return (
        f"{to} took the floor {times}: median {signed_seconds(median)}, 90th percentile {signed_seconds(p90)}"
    )
