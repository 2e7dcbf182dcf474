"""One moment, one incident: which of several grades of the same moment stands.

Two grades describe one moment when

- both are overlaps of the same caller turn, and either the same stretch of the agent takes part or one
  begins inside the other's span;
- both speak of the same joint silence (a second reply, and the silence before it).

Of those the CRITICAL one stands; then the kind that says most, in the order of `_ORDER`; then the more
salient; then the earlier. A hole of at least `min_gap_sec` says more than the second reply after it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf

from hotato.find.grade import Grade
from hotato.find.params import ScanParams
from hotato.find.records import Candidate

_ORDER = (
    "first-turn-overlap",
    "dual-start",
    "resume-into-caller",
    "barge-in",
    "talk-over",
    "unanswered-turn",
    "dead-air",
    "double-reply",
    "latency-spike",
    "echo-suspected",
)
_SLACK_SEC = 0.001  # a difference of two times is not exact


@dataclass(frozen=True, slots=True)
class Standing:
    """A grade that stands, with the kinds that it stands for as well."""

    grade: Grade
    also: tuple[str, ...]


@dataclass(eq=False, slots=True)
class _Rivals:
    """What was kept of one caller turn, or of one silence, and which of it is the same moment as another.

    One long turn may hold thousands, so they are looked up by stretch and by time, not one after the other.

    Attributes:
        by_stretch: the first kept for a stretch of the agent; a silence has none, and is one moment.
        times: moment and place in the order of precedence, by time.
        spans: beginning, end and place, by time.
        longest_sec: no span is longer.
    """

    by_stretch: dict[object, int] = field(default_factory=dict)
    times: list[tuple[float, int]] = field(default_factory=list)
    spans: list[tuple[float, float, int]] = field(default_factory=list)
    longest_sec: float = 0.0

    def add(self, place: int, candidate: Candidate) -> None:
        """Keep a candidate; `place` grows from one to the next."""
        span = candidate.span
        self.by_stretch.setdefault(candidate.evidence.get("agent_start_sec"), place)
        insort(self.times, (candidate.t_sec, place))
        insort(self.spans, (span.start_sec, span.end_sec, place))
        self.longest_sec = max(self.longest_sec, span.duration_sec)

    def winner(self, candidate: Candidate) -> int | None:
        """The first kept that is the same moment: of one stretch, or one begins inside the other's span."""
        t_sec, span = candidate.t_sec, candidate.span
        inside = self.times[
            bisect_left(self.times, (span.start_sec,)) : bisect_left(self.times, (span.end_sec,))
        ]
        before = bisect_left(self.spans, (t_sec - self.longest_sec - _SLACK_SEC,))
        around = self.spans[before : bisect_right(self.spans, (t_sec, inf))]
        found = [place for _, place in inside] + [place for _, end_sec, place in around if t_sec < end_sec]
        stretch = self.by_stretch.get(candidate.evidence.get("agent_start_sec"))
        return min(found if stretch is None else [*found, stretch], default=None)


def standing(grades: Iterable[Grade], params: ScanParams) -> list[Standing]:
    """The grades that stand, by severity, salience and time."""
    kept: list[Grade] = []
    also: dict[int, list[str]] = {}
    by_moment: dict[object, _Rivals] = {}
    for grade in sorted(grades, key=lambda g: _precedence(g, params)):
        moment = _moment(grade.candidate)
        rivals = by_moment.setdefault(moment, _Rivals())
        winner = rivals.winner(grade.candidate)
        if winner is None or moment is None:
            rivals.add(len(kept), grade.candidate)
            kept.append(grade)
        elif grade.kind_key not in also.setdefault(winner, [kept[winner].kind_key]):
            also[winner].append(grade.kind_key)
    found = [Standing(grade, tuple(also.get(i, [""])[1:])) for i, grade in enumerate(kept)]
    return sorted(found, key=_rank)


def _rank(found: Standing) -> tuple[bool, float, float, int]:
    grade = found.grade
    candidate = grade.candidate
    return (not grade.critical, -grade.salience, candidate.t_sec, _ORDER.index(grade.kind_key))


def _precedence(grade: Grade, params: ScanParams) -> tuple[bool, int, float, float]:
    place = _ORDER.index(grade.kind_key)
    if grade.kind_key == "double-reply" and grade.candidate.measured["gap_sec"].sec < params.min_gap_sec:
        place = 0
    return (not grade.critical, place, -grade.salience, grade.candidate.t_sec)


def _moment(candidate: Candidate) -> object:
    """What rivals have in common: the caller turn of an overlap, the beginning of a silence."""
    if "fragments" in candidate.evidence or "agent_start_sec" in candidate.evidence:
        return "overlap", candidate.evidence["caller_turn_start_sec"]
    if candidate.kind == "echo_correlated_activity":
        return None
    return "silence", candidate.evidence.get("silence_start_sec", candidate.t_sec)
