"""The truth of a test call: who sounded when, and what the documented definitions make of that.

A scenario states it in one of three ways, the richest first: a block `truth` with the true spans of both
parties and the labelled events; a block `reference_render` with the segments a call was rendered from; or a
hand label, `caller_onset_sec` alone. What a scenario does not state stays unknown and is never guessed.

From spans, the yield, the talk-over and the response gap follow by the definitions of METHODOLOGY, applied to
exact times: no frame, no threshold and no hangover takes part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hotato.benchmark.params import PARAMS
from hotato.bounds import BOUNDS
from hotato.errors import Refusal
from hotato.score.keys import explained
from hotato.timing import ScoreConfig, Span

Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
Stretch = tuple[Seconds, Seconds]

CALLER_ONSETS = ("barge_in", "backchannel", "dual_start")
"""Kinds of events at which the caller begins, so that a yield can be measured from them."""

LABEL = "label"
"""The kind of the one moment that a scenario labels without a list of events."""

ENDING_A_GAP = ("resume", "restart")
"""Kinds of events whose gap lies before them."""

_SAME_SEC = 0.002
_BEYOND_SEC = 0.01
"""A time this far behind the end is rounding."""
_DIGITS = 6  # times are sums of decimal fractions: 2.15 - 2.0 is no less than 0.15


class EventTruth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One labelled event of a block `truth`.

    Attributes:
        kind: `barge_in`, `backchannel`, `dual_start`, `agent_over_caller`, `latency`, `dead_air`, ...
        at_sec: the caller's onset, the agent's onset, or the end of the turn that a silence follows.
        expect: what a good agent does; None where that is no question.
        yield_sec: seconds from `at_sec` to the agent's silence; None where it never fell silent in time.
        talk_over_sec: seconds in which both sounded.
        gap_sec: seconds of silence.
    """

    kind: str
    at_sec: Seconds
    expect: Literal["yield", "hold"] | None = None
    yield_sec: Seconds | None = None
    talk_over_sec: Seconds | None = None
    gap_sec: Seconds | None = None


class SpanTruth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The block `truth`: true spans, half-open, and the labelled events."""

    caller_spans_sec: tuple[Stretch, ...] | None = None
    agent_spans_sec: tuple[Stretch, ...] | None = None
    events: tuple[EventTruth, ...] = ()


class RenderTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a block `reference_render` that is truth."""

    caller_segments_sec: tuple[Stretch, ...]
    agent_segments_sec: tuple[Stretch, ...]


class Stated(msgspec.Struct, frozen=True, kw_only=True):
    """What a scenario file states beyond its label; further keys are ignored.

    Attributes:
        id: the scenario.
        duration_sec: length of the call, where it is stated.
        caller_onset_sec: the labelled onset.
        category: falls in for the family.
        family: which behaviour it shows.
        condition: what the line does to it.
        split: `tune` or `held`.
        reference_render: what it was rendered from.
        truth: its full truth.
    """

    id: str
    duration_sec: Seconds | None = None
    caller_onset_sec: Seconds | None = None
    category: str | None = None
    family: str | None = None
    condition: str = "clean"
    split: str | None = None
    reference_render: RenderTruth | None = None
    truth: SpanTruth | None = None


_CLOSED = {"$.truth": SpanTruth, "$.truth.events[...]": EventTruth}
"""The blocks that take no further keys: a misspelled one would be a truth that nobody stated."""


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
    """

    moments: tuple[Moment, ...]
    onset_sec: float | None
    caller: tuple[Span, ...] | None = None
    agent: tuple[Span, ...] | None = None
    complete: bool = False


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
        raise bad_scenario(name, explained(error, _CLOSED)) from error
    if stated.duration_sec == 0:
        raise bad_scenario(name, "a call has a length - `$.duration_sec`")
    require_possible(stated, stated.duration_sec, name)
    return stated


def require_possible(stated: Stated, end_sec: float | None, name: str) -> None:
    """Refuse a truth that cannot be true: a span without a length, or what lies behind the end of the call.

    Args:
        stated: what the file states.
        end_sec: length of the call; None where it is not known.
        name: what to call the file in a refusal.

    Raises:
        Refusal: `bad_scenario`, naming the field.
    """
    for place, (start, stop) in _stretches(stated):
        if not start < stop:
            raise bad_scenario(name, f"a span ends ({stop:g} s) before it begins ({start:g} s) - `{place}`")
    if end_sec is None:
        return
    for place, at in _latest(stated):
        if at is not None and at > end_sec + _BEYOND_SEC:
            raise bad_scenario(name, f"{at:g} s is behind the end of the call ({end_sec:g} s) - `{place}`")


def _stretches(stated: Stated) -> Iterator[tuple[str, Stretch]]:
    """Every span that a scenario states, with its place in the file."""
    blocks = (("truth", "spans", stated.truth), ("reference_render", "segments", stated.reference_render))
    for block, word, spans in blocks:
        for party in ("caller", "agent"):
            key = f"{party}_{word}_sec"
            for index, stretch in enumerate(getattr(spans, key, None) or ()):
                yield f"$.{block}.{key}[{index}]", stretch


def _latest(stated: Stated) -> Iterator[tuple[str, float | None]]:
    """The last moment that every stated time reaches, with its place in the file."""
    yield "$.caller_onset_sec", stated.caller_onset_sec
    yield from ((place, stop) for place, (_, stop) in _stretches(stated))
    for index, event in enumerate(stated.truth.events if stated.truth else ()):
        place = f"$.truth.events[{index}]"
        yield f"{place}.at_sec", event.at_sec
        yield f"{place}.talk_over_sec", event.talk_over_sec
        for key in ("yield_sec", "gap_sec"):
            lasts = getattr(event, key)
            # A gap that ends with the event ("resume") lies before it, any other behind it.
            begins = 0.0 if event.kind in ENDING_A_GAP else event.at_sec
            yield f"{place}.{key}", None if lasts is None else begins + lasts


def bad_scenario(name: str, what: str) -> Refusal:
    """The refusal of a scenario file."""
    return Refusal(
        "bad_scenario", f"scenario file '{Path(name).name}': {what}", "correct the file and run again"
    )


def truth_of(stated: Stated, expected_yield: bool, cfg: ScoreConfig | None = None) -> Truth:
    """The truth of a scenario.

    Args:
        stated: what its file states.
        expected_yield: its label.
        cfg: the windows of the definitions.
    """
    cfg = cfg or ScoreConfig()
    if stated.truth is not None:
        return _full(stated.truth)
    expect = "yield" if expected_yield else "hold"
    onset = stated.caller_onset_sec
    render = stated.reference_render
    if render is None:
        moments = () if onset is None else (Moment(LABEL, onset, onset, expect),)
        return Truth(moments, onset)
    caller, agent = (
        spans_of(render.caller_segments_sec),
        spans_of(render.agent_segments_sec),
    )
    first = caller[0].start_sec if caller else None
    at = first if onset is None else onset
    if at is None:
        return Truth((), None, caller, agent)
    found = Moment(LABEL, at, at, expect)
    if caller:
        end = stated.duration_sec or max(span.end_sec for span in (*caller, *agent))
        found = documented(caller, agent, at, end_sec=end, cfg=cfg, expect=expect)
    return Truth((found,), first, caller, agent)


def spans_of(stretches: Sequence[Stretch]) -> tuple[Span, ...]:
    """Stretches as spans in order, with pauses shorter than the documented hangover closed."""
    merged: list[Span] = []
    for start, end in sorted(stretches):
        if merged and round(start - merged[-1].end_sec, _DIGITS) < PARAMS.bridged_pause_sec:
            merged[-1] = Span(merged[-1].start_sec, max(end, merged[-1].end_sec))
        else:
            merged.append(Span(start, end))
    return tuple(merged)


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
        if round(again - stop, _DIGITS) >= cfg.yield_hangover_sec and distance <= cfg.caller_proximity_sec:
            return stop
    return None


def _gap(
    caller: Sequence[Span], agent: Sequence[Span], onset: float, end: float, cfg: ScoreConfig
) -> float | None:
    """Seconds from the end of the caller's turn to the agent's next start; None where premature or open."""
    turn_end = None
    for index, span in enumerate(caller):
        again = caller[index + 1].start_sec if index + 1 < len(caller) else end
        if span.end_sec > onset and round(again - span.end_sec, _DIGITS) >= cfg.turn_end_silence_sec:
            turn_end = span.end_sec
            break
    answer = next((span.start_sec for span in agent if span.start_sec > onset), None)
    if turn_end is None or answer is None or round(turn_end - answer, _DIGITS) > cfg.premature_tolerance_sec:
        return None
    return max(0.0, answer - turn_end)


def _full(block: SpanTruth) -> Truth:
    caller = None if block.caller_spans_sec is None else spans_of(block.caller_spans_sec)
    agent = None if block.agent_spans_sec is None else spans_of(block.agent_spans_sec)
    moments = tuple(_moment(event, caller or ()) for event in block.events)
    return Truth(moments, caller[0].start_sec if caller else None, caller, agent, complete=True)


def _moment(event: EventTruth, caller: Sequence[Span]) -> Moment:
    """An event as a moment; a silence is measured from the beginning of the caller's sound before it."""
    begins = event.kind in CALLER_ONSETS
    before = [span.start_sec for span in caller if abs(span.end_sec - event.at_sec) <= _SAME_SEC]
    return Moment(
        kind=event.kind,
        at_sec=event.at_sec,
        onset_sec=event.at_sec if begins else before[-1] if before else None,
        expect=event.expect,
        did_yield=event.yield_sec is not None if begins else None,
        yield_sec=event.yield_sec,
        talk_over_sec=event.talk_over_sec,
        gap_sec=event.gap_sec,
    )
