"""The truth of a test call: who sounded when, and what the documented definitions make of that.

A scenario states it in one of three ways, the richest first: a block `truth` with the true spans of both
parties and the labelled events; a block `reference_render` with the segments a call was rendered from; or a
hand label, `caller_onset_sec` alone. What a scenario does not state stays unknown and is never guessed.

From spans, the yield, the talk-over and the response gap follow by the definitions of METHODOLOGY, applied to
exact times: no frame, no threshold and no hangover takes part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from hotato.benchmark.possible import require_possible
from hotato.benchmark.spans import DIGITS, joint_sec, spans_of
from hotato.benchmark.stated import CALLER_ONSETS, CLOSED, EventTruth, SpanTruth, Stated, bad_scenario
from hotato.score.keys import explained
from hotato.timing import ScoreConfig, Span

LABEL = "label"
"""The kind of the one moment that a scenario labels without a list of events."""

_SAME_SEC = 0.002


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment whose measurement has a truth.

    Attributes:
        kind: the kind of its event, or `label`.
        at_sec: where it is.
        onset_sec: the caller onset that it is measured from; None where none begins it.
        expect: `yield`, `hold` or None.
        did_yield: whether the agent truly yielded; None where that is unknown.
        yield_sec: when, from the onset.
        talk_over_sec: seconds in which both truly sounded up to then.
        gap_sec: the true silence between the caller's turn and the answer.
    """

    kind: str
    at_sec: float
    onset_sec: float | None
    expect: str | None
    did_yield: bool | None = None
    yield_sec: float | None = None
    talk_over_sec: float | None = None
    gap_sec: float | None = None


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known about a call.

    Attributes:
        moments: the labelled moments.
        onset_sec: the caller's first true onset, None where it is unknown or the caller never speaks.
        caller: the caller's true spans, None where only a label is known.
        agent: the agent's.
        complete: the list of events holds every event of the call.
        echo: whether the caller's channel holds a copy of the agent; None where that is unknown.
    """

    moments: tuple[Moment, ...]
    onset_sec: float | None
    caller: tuple[Span, ...] | None = None
    agent: tuple[Span, ...] | None = None
    complete: bool = False
    echo: bool | None = None


def stated_in(scenario: dict[str, Any], name: str) -> Stated:
    """What a scenario states.

    Args:
        scenario: the decoded file.
        name: what to call it in a refusal.

    Raises:
        Refusal: `bad_scenario`, naming the field.
    """
    try:
        stated = msgspec.convert(scenario, Stated)
    except msgspec.ValidationError as error:
        raise bad_scenario(name, explained(error, CLOSED)) from error
    if stated.duration_sec == 0:
        raise bad_scenario(name, "a call has a length - `$.duration_sec`")
    require_possible(stated, stated.duration_sec, name)
    return stated


def truth_of(stated: Stated, expected_yield: bool, cfg: ScoreConfig | None = None) -> Truth:
    """The truth of a scenario.

    Args:
        stated: what its file states.
        expected_yield: its label.
        cfg: the windows of the definitions.
    """
    cfg = cfg or ScoreConfig()
    if stated.truth is not None:
        return _full(stated.truth, stated.echo)
    expect = "yield" if expected_yield else "hold"
    onset = stated.caller_onset_sec
    render = stated.reference_render
    if render is None:
        moments = () if onset is None else (Moment(LABEL, onset, onset, expect),)
        return Truth(moments, onset, echo=stated.echo)
    caller, agent = (
        spans_of(render.caller_segments_sec),
        spans_of(render.agent_segments_sec),
    )
    first = caller[0].start_sec if caller else None
    at = first if onset is None else onset
    if at is None:
        return Truth((), None, caller, agent, echo=stated.echo)
    found = Moment(LABEL, at, at, expect)
    if caller:
        end = stated.duration_sec or max(span.end_sec for span in (*caller, *agent))
        found = documented(caller, agent, at, end_sec=end, cfg=cfg, expect=expect)
    return Truth((found,), first, caller, agent, echo=stated.echo)


def documented(
    caller: Sequence[Span],
    agent: Sequence[Span],
    onset_sec: float,
    *,
    end_sec: float,
    cfg: ScoreConfig,
    expect: str | None,
) -> Moment:
    """What the documented definitions give for one onset on exact spans.

    Args:
        caller: the caller's true spans, in order.
        agent: the agent's.
        onset_sec: the onset.
        end_sec: end of the recording.
        cfg: windows: how long a silence is a yield, how near the caller must be, ...
        expect: the label.
    """
    silent = _yield_at(caller, agent, onset_sec, end_sec, cfg)
    until = onset_sec + cfg.max_search_sec if silent is None else silent
    return Moment(
        kind=LABEL,
        at_sec=onset_sec,
        onset_sec=onset_sec,
        expect=expect,
        did_yield=silent is not None,
        yield_sec=None if silent is None else silent - onset_sec,
        talk_over_sec=joint_sec(caller, agent, onset_sec, until),
        gap_sec=_gap(caller, agent, onset_sec, end_sec, cfg),
    )


def _yield_at(
    caller: Sequence[Span], agent: Sequence[Span], onset: float, end: float, cfg: ScoreConfig
) -> float | None:
    """When the agent first falls silent for long enough with the caller near, or None."""
    sounding = any(span.start_sec <= onset < span.end_sec for span in agent)
    stops = [span.end_sec for span in agent if span.end_sec > onset]
    for stop in stops if sounding else [onset, *stops]:
        if stop - onset >= cfg.max_search_sec:
            return None
        again = min((span.start_sec for span in agent if span.start_sec >= stop), default=end)
        distance = min(max(span.start_sec - stop, stop - span.end_sec, 0.0) for span in caller)
        if round(again - stop, DIGITS) >= cfg.yield_hangover_sec and distance <= cfg.caller_proximity_sec:
            return stop
    return None


def _gap(
    caller: Sequence[Span], agent: Sequence[Span], onset: float, end: float, cfg: ScoreConfig
) -> float | None:
    """Seconds from the end of the caller's turn to the agent's next start; None where premature or open."""
    turn_end = None
    for index, span in enumerate(caller):
        again = caller[index + 1].start_sec if index + 1 < len(caller) else end
        if span.end_sec > onset and round(again - span.end_sec, DIGITS) >= cfg.turn_end_silence_sec:
            turn_end = span.end_sec
            break
    answer = next((span.start_sec for span in agent if span.start_sec > onset), None)
    if turn_end is None or answer is None or round(turn_end - answer, DIGITS) > cfg.premature_tolerance_sec:
        return None
    return max(0.0, answer - turn_end)


def _full(block: SpanTruth, echo: bool | None) -> Truth:
    caller = None if block.caller_spans_sec is None else spans_of(block.caller_spans_sec)
    agent = None if block.agent_spans_sec is None else spans_of(block.agent_spans_sec)
    moments = tuple(_moment(event, caller or ()) for event in block.events)
    first = caller[0].start_sec if caller else None
    return Truth(moments, first, caller, agent, complete=True, echo=echo)


def _moment(event: EventTruth, caller: Sequence[Span]) -> Moment:
    """An event as a moment; a silence is measured from the beginning of the caller's sound before it."""
    begins, known = event.kind in CALLER_ONSETS, event.yield_sec is not UNSET
    before = [span.start_sec for span in caller if abs(span.end_sec - event.at_sec) <= _SAME_SEC]
    return Moment(
        kind=event.kind,
        at_sec=event.at_sec,
        onset_sec=event.at_sec if begins else before[-1] if before else None,
        expect=event.expect,
        did_yield=event.yield_sec is not None if begins and known else None,
        yield_sec=event.yield_sec if isinstance(event.yield_sec, float) else None,
        talk_over_sec=event.talk_over_sec,
        gap_sec=event.gap_sec,
    )
