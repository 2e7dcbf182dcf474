"""Which labels fit a moment, and what its contract would start from. The label itself is a person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.errors import Refusal
from hotato.find.params import GradeParams

Expectation = Literal["yield", "hold", "answer"]

OVERLAPS = frozenset(
    {
        "overlap_while_agent_talking",
        "agent_start_during_caller",
        "premature_start",
        "dual_start",
        "first_turn_overlap",
        "resume_into_caller",
    }
)
SILENCES = frozenset({"long_response_gap", "unanswered_turn", "agent_stop_no_caller"})

WHEN: dict[str, str] = {
    "yield": "if the agent should have stopped for the caller",
    "hold": "if the agent was right to talk on",
    "answer": "if the agent should have spoken sooner",
}
"""When a person chooses which label."""

_MAGNITUDES = ("gap_sec", "trailing_silence_sec")


@dataclass(frozen=True, slots=True)
class LabelParams:
    """How a moment becomes a labelled one.

    Attributes:
        answer_lead_sec: an answer's onset stands this long before the silence at the raw energy edges: inside
            the sound that is to be answered, by either clock.
        after_silence_sec: this much of the recording is kept after a silence, for the answer to be heard.
    """

    answer_lead_sec: float = 0.05
    after_silence_sec: float = 3.0


def fitting_labels(kind: str, *, short_stop: bool = False) -> tuple[Expectation, ...]:
    """The labels that a moment of this kind can be held against, likeliest first; none for a mere caveat.

    Args:
        kind: the candidate's kind.
        short_stop: the agent stopped for a sound too short to be a bid for the floor.
    """
    if kind in OVERLAPS:
        return ("hold", "yield") if short_stop else ("yield", "hold")
    return ("answer",) if kind in SILENCES else ()


@dataclass(frozen=True, slots=True)
class Start:
    """What a contract of a found moment starts from where a person states nothing else.

    Attributes:
        onset_sec: of the label: the caller's onset, or a time inside the sound before a silence.
        silence_from_sec: when the silence begins at the raw energy edges (answer), or None.
        post_sec: seconds to keep after it, None for the usual.
        max_talk_over_sec: bound on simultaneous speech (yield), or None.
        observed_overlap_sec: simultaneous speech as it was found, or None.
        max_response_gap_sec: bound on the silence (answer), or None where nothing says how long is too long.
        observed_gap_sec: the silence at the raw energy edges, else as documented, or None.
    """

    onset_sec: float
    silence_from_sec: float | None = None
    post_sec: float | None = None
    max_talk_over_sec: float | None = None
    observed_overlap_sec: float | None = None
    max_response_gap_sec: float | None = None
    observed_gap_sec: float | None = None


Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]


class _Graded(msgspec.Struct, frozen=True):
    bound_sec: Seconds | None = None


class _Span(msgspec.Struct, frozen=True):
    start_sec: Seconds


class _Raw(msgspec.Struct, frozen=True):
    sec: Seconds


class _Record(msgspec.Struct, frozen=True):
    t_sec: Seconds
    span: _Span | None = None
    durations: dict[str, float | None] = {}
    measurements: dict[str, float | None] = {}
    measured: dict[str, _Raw] = {}
    incident: _Graded | None = None
    bound_sec: Seconds | None = None


def start_of(candidate: dict[str, Any], expect: Expectation, params: LabelParams | None = None) -> Start:
    """What a contract of a candidate starts from under a label.

    A yield is bounded by the talk-over that autopsy grades against, whatever was observed; an answer by the
    limit that the silence was graded against.

    Args:
        candidate: what a JSON of moments says of it.
        expect: the label.
        params: constants of the step.

    Raises:
        Refusal: `not_a_candidate_file`: its numbers cannot be read.
    """
    params = params or LabelParams()
    try:
        record = msgspec.convert(candidate, _Record)
    except msgspec.ValidationError as error:
        raise Refusal("not_a_candidate_file", f"the candidate is damaged: {error}", "find it again") from None
    found = record.measurements | record.durations
    if expect != "answer":
        overlap = found.get("overlap_sec")
        bound = GradeParams().overlap_limit_sec if expect == "yield" and overlap is not None else None
        return Start(record.t_sec, max_talk_over_sec=bound, observed_overlap_sec=overlap)
    found |= {name: raw.sec for name, raw in record.measured.items()}
    gap = next((found[name] for name in _MAGNITUDES if found.get(name) is not None), None)
    begins_sec = record.t_sec if record.span is None else record.span.start_sec
    graded = record.bound_sec if record.incident is None else record.incident.bound_sec
    return Start(
        onset_sec=round(max(0.0, begins_sec - params.answer_lead_sec), 3),
        silence_from_sec=begins_sec,
        post_sec=None if gap is None else round(gap + params.after_silence_sec, 2),
        max_response_gap_sec=graded,
        observed_gap_sec=gap,
    )
