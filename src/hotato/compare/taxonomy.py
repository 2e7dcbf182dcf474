"""What became of an event: the one place where a verdict before and a verdict after get a name.

| before | after | result |
|---|---|---|
| failed | passed | `fixed` |
| passed | failed | `regressed` |
| passed | passed | `still_pass` |
| failed | failed | `improved`, `worse` or `unchanged`, by the measurement that the label is about |
| either could not be judged | | `not_scorable` |

Two failures of a yield label are told apart by whether the agent yielded at all, then by talk-over, then by
the time to yield; of an answer label by the silence. The first of these that moved beyond its error
decides, so that changing the sides changes `improved` into `worse` and nothing else. A stop where the agent
should have held the floor is a stop, sooner or later: two failures of a hold label are `unchanged`.
"""

from __future__ import annotations

from hotato.compare.records import (
    FIXED,
    IMPROVED,
    NOT_SCORABLE,
    REGRESSED,
    STILL_PASS,
    UNCHANGED,
    WORSE,
    Interval,
    Move,
    Movement,
    Provenance,
    Result,
    Scored,
)
from hotato.errors import Refusal
from hotato.plain import shown

_HOPS_OF_ERROR = 2
"""Both ends of a documented duration lie on the frame grid: each may be off by one hop."""

_DIGITS = 3
_AGENT_ROLES = ("stereo", "agent")


def moved(before: Scored, after: Scored) -> Movement:
    """What became of an event.

    Args:
        before: the event as it was.
        after: the same moment, scored again.

    Raises:
        Refusal: `labels_differ`: the two were judged against different labels, so that neither verdict says
            anything about the other.
    """
    if before.expect is not None and after.expect is not None and before.expect != after.expect:
        raise Refusal(
            "labels_differ",
            f"'{shown(before.event_id)}' was labelled {before.expect} before and {after.expect} after",
            "score both takes under one label",
        )
    label = before.expect or after.expect or "yield"
    first, *others = (_move(name, before, after) for name in _MEASURES[label])
    moves = (first, *(move for move in others if (move.before_sec, move.after_sec) != (None, None)))
    yields = (before.verdict.did_yield, after.verdict.did_yield)
    return Movement(
        result=_result(before, after, label, moves),
        did_yield=yields,
        moves=moves,
        bounds_differ=_bounds_differ(before, after),
        same_samples=same_samples(before.provenance, after.provenance),
    )


_MEASURES: dict[str, tuple[str, ...]] = {
    "yield": ("talk_over", "time_to_yield", "response_gap"),
    "hold": ("talk_over", "time_to_yield"),
    "answer": ("silence",),
}
"""The measurements that are shown for each label, the deciding one first."""


def _result(before: Scored, after: Scored, label: str, moves: tuple[Move, ...]) -> Result:
    if not (before.scorable and after.scorable):
        return NOT_SCORABLE
    if before.verdict.passed or after.verdict.passed:
        if before.verdict.passed == after.verdict.passed:
            return STILL_PASS
        return FIXED if after.verdict.passed else REGRESSED
    if label == "hold":
        return UNCHANGED
    directions = [_yielded(before, after), *(move.direction for move in moves)]
    decided = next((direction for direction in directions if direction != "same"), "same")
    return {"better": IMPROVED, "worse": WORSE, "same": UNCHANGED}[decided]


def _yielded(before: Scored, after: Scored) -> str:
    old, new = before.verdict.did_yield, after.verdict.did_yield
    if old is None or new is None or old == new:
        return "same"
    return "better" if new else "worse"


def value_of(event: Scored, name: str) -> float | None:
    """A documented measurement of an event in seconds; None where it was not measured.

    Nobody measures talk-over on an answer label, whose verdict states 0.

    Args:
        event: the event.
        name: `talk_over`, `time_to_yield`, `response_gap`, `premature_start` or `silence`.
    """
    latency = event.signals.latency
    return {
        "talk_over": None if event.expect == "answer" else event.verdict.talk_over_sec,
        "time_to_yield": event.verdict.seconds_to_yield,
        "response_gap": latency.response_gap_sec,
        "premature_start": latency.premature_start_sec,
        "silence": event.signals.answer.silence_sec,
    }[name]


def _move(name: str, before: Scored, after: Scored) -> Move:
    old, new = value_of(before, name), value_of(after, name)
    if old is None or new is None:
        return Move(name=name, before_sec=old, after_sec=new, delta_sec=None)
    delta = round(new - old, _DIGITS) + 0.0
    edges = (before.edges.get(name), after.edges.get(name))
    error = _HOPS_OF_ERROR * max(before.measurements.hop_sec, after.measurements.hop_sec)
    sign = _sign(delta, edges, error)
    return Move(
        name=name,
        before_sec=old,
        after_sec=new,
        delta_sec=delta,
        before_edges=edges[0],
        after_edges=edges[1],
        intervals_overlap=_overlap(*edges),
        beyond_error=sign != 0,
        direction="same" if sign == 0 else "better" if sign < 0 else "worse",
    )


def _overlap(before: Interval | None, after: Interval | None) -> bool | None:
    if before is None or after is None:
        return None
    return before.lo_sec <= after.hi_sec and after.lo_sec <= before.hi_sec


def _sign(delta: float, edges: tuple[Interval | None, Interval | None], error_sec: float) -> int:
    """Which way a measurement moved beyond its error: -1, 0 or 1."""
    before, after = edges
    if before is None or after is None:
        return 0 if abs(delta) <= error_sec + 1e-9 else 1 if delta > 0 else -1
    if _overlap(before, after):
        return 0
    at_edges = 1 if after.lo_sec > before.hi_sec else -1
    return at_edges if at_edges * delta > 0 else 0


def _bounds_differ(before: Scored, after: Scored) -> bool | None:
    if before.expected is None or after.expected is None:
        return None
    return before.expected != after.expected


def same_samples(before: Provenance | None, after: Provenance | None) -> bool | None:
    """Whether two events were scored from the same sound of the agent; None where a side does not say.

    A caller that is played again may be the same sample for sample; the agent that hears it may not.
    """
    old, new = agent_samples(before), agent_samples(after)
    return bool(old & new) if old and new else None


def agent_samples(take: Provenance | None) -> frozenset[str]:
    """The digests of the samples that an agent is heard in; empty where a file does not say."""
    if take is None:
        return frozenset()
    return frozenset(side.pcm_sha256 for side in take.sides if side.role in _AGENT_ROLES)
