"""Numbered markers over a timeline, placed so that no two cover each other on any width of page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotato.find.records import CRITICAL, Incident
from hotato.report.svg import Scale
from hotato.report.timefmt import clock

_APART_PERCENT = 7.5
_PER_ROW, _MOST_IN_ROW = 10, 13
_ROW_PX = 24


@dataclass(frozen=True, slots=True)
class Marker:
    """One incident over the timeline.

    Attributes:
        rank: its number.
        critical: drawn filled; an open marker is a warning.
        at: true position in percent.
        x: position of the number in percent.
        y: middle of the number in pixels from the top of the marker lane.
        start_sec: when it begins.
        words: what a screen reader says.
    """

    rank: int
    critical: bool
    at: float
    x: float
    y: int
    start_sec: float
    words: str


@dataclass(frozen=True, eq=False)
class MarkerLane:
    """All markers and the height they need in pixels."""

    markers: tuple[Marker, ...]
    height: int


def place(incidents: Sequence[Incident], scale: Scale) -> MarkerLane:
    """Markers in as few rows as their times allow; one that finds no free place is moved aside.

    The gap between two numbers is kept in percent, wide enough for a phone.
    """
    ordered = sorted(incidents, key=lambda incident: (incident.span.start_sec, incident.rank))
    rows = max(1, min(3, len(ordered)), -(-len(ordered) // _PER_ROW))
    taken, counts = [-_APART_PERCENT] * rows, [0] * rows
    placed = []
    for incident in ordered:
        at = scale.percent(incident.span.start_sec)
        open_rows = [r for r in range(rows) if counts[r] < _MOST_IN_ROW]
        free = (r for r in open_rows if at - taken[r] >= _APART_PERCENT)
        row = next(free, min(open_rows, key=lambda r: taken[r]))
        x = max(at, taken[row] + _APART_PERCENT)
        taken[row] = x
        counts[row] += 1
        placed.append((incident, at, x, row))
    squeezed = _inside(placed, rows)
    used = 1 + max((row for _, _, _, row in squeezed), default=0)
    markers = tuple(_marker(i, at, x, used - 1 - row) for i, at, x, row in squeezed)
    return MarkerLane(markers, used * _ROW_PX + 2 if markers else 0)


def _inside(
    placed: list[tuple[Incident, float, float, int]], rows: int
) -> list[tuple[Incident, float, float, int]]:
    """The same placement with every row pushed back from the right border."""
    limit = [100.0] * rows
    result = []
    for incident, at, x, row in reversed(placed):
        inside = min(x, limit[row])
        limit[row] = inside - _APART_PERCENT
        result.append((incident, at, round(max(0.0, inside), 3), row))
    return result[::-1]


def _marker(incident: Incident, at: float, x: float, line: int) -> Marker:
    words = (
        f"Incident {incident.rank}, {incident.severity.lower()}, {incident.kind} "
        f"at {clock(incident.span.start_sec, 2)}: {incident.title}"
    )
    y = line * _ROW_PX + _ROW_PX // 2
    critical, start = incident.severity == CRITICAL, incident.span.start_sec
    return Marker(incident.rank, critical, at, x, y, start, words)
