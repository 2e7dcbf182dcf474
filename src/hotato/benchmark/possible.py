"""Whether a stated truth can be true: nothing behind the end, nothing that contradicts the spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from math import inf

from hotato.benchmark.params import PARAMS
from hotato.benchmark.spans import joint_sec, spans_of
from hotato.benchmark.stated import (
    CALLER_ONSETS,
    ENDING_A_GAP,
    KINDS,
    SILENCES,
    EventTruth,
    SpanTruth,
    Stated,
    Stretch,
    bad_scenario,
)
from hotato.plain import shown
from hotato.timing import Span

BEYOND_SEC = 0.01
"""A time this far behind the end is rounding."""

_AGENT_ONSETS = ("agent_over_caller", *ENDING_A_GAP)


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
    require_consistent(stated.truth, name)
    if end_sec is None:
        return
    for place, at in _latest(stated):
        if at is not None and at > end_sec + BEYOND_SEC:
            raise bad_scenario(name, f"{at:g} s is behind the end of the call ({end_sec:g} s) - `{place}`")


def require_length(stated: Stated, heard_sec: float, name: str) -> None:
    """Refuse a truth whose length is not that of the recording: it is the truth of another one.

    Args:
        stated: what the file states.
        heard_sec: length of the recording.
        name: what to call the file in a refusal.

    Raises:
        Refusal: `bad_scenario`.
    """
    said = stated.duration_sec
    if said is not None and abs(said - heard_sec) > PARAMS.length_sec:
        what = f"the call is said to last {said:g} s, and its recording lasts {heard_sec:.2f} s"
        raise bad_scenario(name, f"{what} - `$.duration_sec`")


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
            lasts = getattr(event, key) or None  # unset, none, or no time at all
            # A gap that ends with the event ("resume") lies before it, any other behind it.
            begins = 0.0 if event.kind in ENDING_A_GAP else event.at_sec
            yield f"{place}.{key}", None if lasts is None else begins + lasts


def require_consistent(truth: SpanTruth | None, name: str) -> None:
    """Refuse events that are of no known kind, or that the spans beside them contradict.

    A time may differ from the spans by what makes two moments the same (`MatchParams.event_sec`).

    Raises:
        Refusal: `bad_scenario`, naming the field.
    """
    if truth is None:
        return
    caller, agent = (
        None if spans is None else spans_of(spans)
        for spans in (truth.caller_spans_sec, truth.agent_spans_sec)
    )
    for index, event in enumerate(truth.events):
        place = f"$.truth.events[{index}]"
        if event.kind not in KINDS:
            near = get_close_matches(event.kind[:80], KINDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(KINDS)}"
            what = f"no event is called '{shown(event.kind, 80)}', {hint}"
            raise bad_scenario(name, f"{what} - `{place}.kind`")
        for key, what in _contradictions(event, caller, agent):
            raise bad_scenario(name, f"{what} - `{place}.{key}`")


Spans = Sequence[Span] | None
Said = tuple[str, str]


def _contradictions(event: EventTruth, caller: Spans, agent: Spans) -> Iterator[Said]:
    """What the spans say against an event: the field and the sentence."""
    at = event.at_sec
    if event.kind in CALLER_ONSETS and caller is not None and not _sounds_at(caller, at):
        yield "at_sec", f"no span of the caller holds {at:g} s"
    if event.kind in _AGENT_ONSETS and agent is not None and not _sounds_at(agent, at):
        yield "at_sec", f"no span of the agent holds {at:g} s"
    if caller is None or agent is None:
        return
    both = [*caller, *agent]
    if event.kind in SILENCES and not any(abs(span.end_sec - at) <= PARAMS.event_sec for span in both):
        yield "at_sec", f"no span ends at {at:g} s"
    over = event.talk_over_sec
    if over is not None and over > joint_sec(caller, agent, at - PARAMS.event_sec, inf) + PARAMS.event_sec:
        yield "talk_over_sec", f"after {at:g} s the spans hold less than {over:g} s of both"
    yield from _of_durations(event, agent, both)


def _of_durations(event: EventTruth, agent: Sequence[Span], both: Sequence[Span]) -> Iterator[Said]:
    """What the spans say against the yield and the gap of an event."""
    at, same = event.at_sec, PARAMS.event_sec
    if isinstance(event.yield_sec, float) and event.kind in CALLER_ONSETS:
        silent = at + event.yield_sec
        if _covered(agent, silent - same, silent + same):
            yield "yield_sec", f"a span of the agent goes on beyond {silent:g} s"
    if event.gap_sec:
        first = at - event.gap_sec if event.kind in ENDING_A_GAP else at
        spans = both if event.kind in ("dead_air", "self_stop") else agent
        inside = Span(first + same, max(first + same, first + event.gap_sec - same))
        if any(span & inside for span in spans):
            yield "gap_sec", f"the spans hold sound between {first:g} and {first + event.gap_sec:g} s"


def _sounds_at(spans: Sequence[Span], at: float) -> bool:
    return any(span.start_sec - PARAMS.event_sec <= at < span.end_sec for span in spans)


def _covered(spans: Sequence[Span], start: float, end: float) -> bool:
    """Whether one span holds all of [start, end]."""
    return any(span.start_sec <= start and span.end_sec >= end for span in spans)
