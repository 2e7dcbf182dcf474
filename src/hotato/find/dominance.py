"""One moment, one incident: which of several grades of the same moment stands.

Two grades describe one moment when

- both are overlaps of the same caller turn, and either the same stretch of the agent takes part or one
  begins inside the other's span;
- both speak of the same joint silence (a second reply, and the silence before it).

Of those the CRITICAL one stands; then the kind that says most, in the order of `_ORDER`; then the more
salient; then the earlier. A hole of at least `min_gap_sec` says more than the second reply after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Standing:
    """A grade that stands, with the kinds that it stands for as well."""

    grade: Grade
    also: tuple[str, ...]


def standing(grades: Iterable[Grade], params: ScanParams) -> list[Standing]:
    """The grades that stand, by severity, salience and time."""
    kept: list[Grade] = []
    also: dict[int, list[str]] = {}
    by_moment: dict[object, list[int]] = {}
    for grade in sorted(grades, key=lambda g: _precedence(g, params)):
        moment = _moment(grade.candidate)
        rivals = by_moment.setdefault(moment, [])
        winner = next((i for i in rivals if _same(kept[i].candidate, grade.candidate)), None)
        if winner is None or moment is None:
            rivals.append(len(kept))
            kept.append(grade)
        elif grade.kind_key not in also.setdefault(winner, [kept[winner].kind_key]):
            also[winner].append(grade.kind_key)
    found = [Standing(grade, tuple(also.get(i, [""])[1:])) for i, grade in enumerate(kept)]
    return sorted(found, key=_rank)


def _rank(found: Standing) -> tuple[bool, float, float, int]:
    grade = found.grade
    candidate = grade.candidate
    return (not grade.critical, -candidate.salience, candidate.t_sec, _ORDER.index(grade.kind_key))


def _precedence(grade: Grade, params: ScanParams) -> tuple[bool, int, float, float]:
    place = _ORDER.index(grade.kind_key)
    if grade.kind_key == "double-reply" and grade.candidate.measured["gap_sec"].sec < params.min_gap_sec:
        place = 0
    return (not grade.critical, place, -grade.candidate.salience, grade.candidate.t_sec)


def _moment(candidate: Candidate) -> object:
    """What rivals have in common: the caller turn of an overlap, the beginning of a silence."""
    if "fragments" in candidate.evidence or "agent_start_sec" in candidate.evidence:
        return "overlap", candidate.evidence["caller_turn_start_sec"]
    if candidate.kind == "echo_correlated_activity":
        return None
    return "silence", candidate.evidence.get("silence_start_sec", candidate.t_sec)


def _same(winner: Candidate, other: Candidate) -> bool:
    """Whether two candidates of one caller turn, or of one silence, are one moment."""
    if "agent_start_sec" not in winner.evidence:
        return True
    if winner.evidence["agent_start_sec"] == other.evidence.get("agent_start_sec"):
        return True
    inside = winner.span.start_sec <= other.t_sec < winner.span.end_sec
    return inside or other.span.start_sec <= winner.t_sec < other.span.end_sec
