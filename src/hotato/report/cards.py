"""Each incident as a card: a zoomed timeline with a bracket on it, and the number that names the incident."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotato.find.records import CRITICAL, Incident
from hotato.report.commands import IF_WRONG, is_short_stop
from hotato.report.doubts import close_call, doubts_of, facts_of
from hotato.report.pictures import Canvas, Picture, stretch
from hotato.report.svg import Scale
from hotato.report.timefmt import clock, seconds
from hotato.timing import Measured, Span

BEFORE_SEC, AFTER_SEC = 2.0, 4.0
"""How much of the call a card shows around its incident."""

LEAST_TOLERANCE_PERCENT = 0.5
"""An interval is drawn at least this wide, so that it can be seen."""

QUIET_KINDS = frozenset({"dead-air", "latency-spike", "unanswered-turn"})
"""Kinds whose incident is a silence."""

_ASIDE_PERCENT = 26.0
_SAME_SEC = 0.05

_BRACKET_WORDS = {
    "barge-in": "over the caller",
    "talk-over": "over the caller",
    "first-turn-overlap": "over each other",
    "dual-start": "over each other",
    "dead-air": "with nobody speaking",
    "latency-spike": "until the answer",
    "unanswered-turn": "without an answer",
    "resume-into-caller": "over the caller",
}

_MIXED_KIND = "dead-air"
"""On a mixed channel every incident is a silence, and nobody is known to have been expected to speak."""

_NUMBER = re.compile(r"\d+(?:\.\d+)? s\b")


@dataclass(frozen=True, slots=True)
class Bracket:
    """A dimension line under a timeline, all places in percent.

    Attributes:
        x: where it begins.
        end: where it ends.
        label: what it says.
        label_x: where the label is anchored.
        anchor: `start`, `middle` or `end`.
        tolerance: begin and width of the interval of its end, or None.
        limit: where the limit lies, or None when there is none or it lies outside.
    """

    x: float
    end: float
    label: str
    label_x: float
    anchor: str
    tolerance: tuple[float, float] | None
    limit: float | None


@dataclass(frozen=True, eq=False)
class Card:
    """An incident with everything its card shows.

    Attributes:
        incident: the incident.
        critical: its severity is CRITICAL.
        picture: the zoomed timeline; None when the recording was not kept.
        bracket: the dimension line on it.
        facts: label and text pairs.
        close: for a number too close to call, both numbers in words; else empty.
        doubts: the doubts in words.
        words: what the timeline shows, in a sentence.
        command: what keeps the incident as a test, empty where nothing can.
        proviso: when that test is the right one, where it is not always; else empty.
    """

    incident: Incident
    critical: bool
    picture: Picture | None
    bracket: Bracket | None
    facts: tuple[tuple[str, str], ...]
    close: str
    doubts: tuple[str, ...]
    words: str
    command: str
    proviso: str


def card(incident: Incident, canvas: Canvas | None, command: str, window: Span | None = None) -> Card:
    """The card of one incident, with the command that keeps it as a test.

    Args:
        incident: the incident.
        canvas: its call; None leaves the picture out.
        command: what keeps it as a test, or nothing.
        window: how much of the call the picture shows; the usual around the incident when left out.
    """
    picture = None
    if canvas is not None:
        window = window or Span(
            max(0.0, incident.span.start_sec - BEFORE_SEC),
            min(canvas.duration_sec, incident.span.end_sec + AFTER_SEC),
        )
        css = "quiet" if incident.kind_key in QUIET_KINDS else "taken"
        picture = stretch(canvas, window, bands=((_line(incident)[0], css),))
    return Card(
        incident=incident,
        critical=incident.severity == CRITICAL,
        picture=picture,
        bracket=None if picture is None else bracket(incident, picture.scale),
        facts=facts_of(incident),
        close=close_call(incident),
        doubts=doubts_of(incident),
        words=_words(incident, picture),
        command=command,
        proviso=IF_WRONG if is_short_stop(incident) else "",
    )


def bracket(incident: Incident, scale: Scale) -> Bracket:
    """The dimension line of an incident on a timeline.

    Where the headline measures the incident from end to end, the line is exactly as long as the headline says
    and carries its interval and its limit. Otherwise it covers the incident and the label says so.
    """
    line, exact = _line(incident)
    x, end = scale.percent(line.start_sec), scale.percent(line.end_sec)
    middle = (x + end) / 2
    anchor, label_x = ("middle", middle)
    if middle < _ASIDE_PERCENT:
        anchor, label_x = "start", x
    elif middle > 100 - _ASIDE_PERCENT:
        anchor, label_x = "end", end
    limit = None if incident.bound_sec is None or not exact else line.start_sec + incident.bound_sec
    return Bracket(
        x=x,
        end=end,
        label=_label(incident, exact=exact),
        label_x=round(label_x, 3),
        anchor=anchor,
        tolerance=_tolerance(line, incident.headline, scale) if exact and incident.headline else None,
        limit=scale.percent(limit) if limit is not None and limit < scale.hi else None,
    )


def _line(incident: Incident) -> tuple[Span, bool]:
    """What the bracket covers, and whether that is the headline itself.

    Spans lie at the raw energy edges, as headlines do. An interruption is held against its own turn, so its
    headline may cover less than its span.
    """
    span, headline = incident.span, incident.headline
    if headline is None or abs(span.duration_sec - headline.sec) > _SAME_SEC:
        return span, False
    return Span(span.start_sec, span.start_sec + headline.sec), True


def key_number(sentence: str, incidents: tuple[Incident, ...]) -> tuple[str, str, str]:
    """The sentence as (before, key number, after): the worst incident's number where it is said, else the
    first duration, else nothing emphasised."""
    if incidents and incidents[0].headline is not None:
        headline = incidents[0].headline
        values = (headline.sec, headline.documented_sec)
        for value in (value for value in values if value is not None):
            for said in (f"{value:.2f} s", f"{value:.1f} s", f"{value:g} s"):
                before, found, after = sentence.partition(said)
                if found:
                    return before, found, after
    match = _NUMBER.search(sentence)
    if match is None or not incidents:
        return sentence, "", ""
    return sentence[: match.start()], match.group(), sentence[match.end() :]


def _label(incident: Incident, *, exact: bool) -> str:
    whole, headline = incident.span.duration_sec, incident.headline
    if headline is None or (not exact and headline.sec > whole):
        return seconds(whole)
    kind = incident.kind_key if incident.scan_kind is not None else _MIXED_KIND
    said = f"{seconds(headline.sec)} {_BRACKET_WORDS.get(kind, '')}".rstrip()
    return said if exact else f"{said}, within {seconds(whole)}"


def _tolerance(line: Span, headline: Measured, scale: Scale) -> tuple[float, float]:
    """Where the end of the line may lie: the interval, laid from the line's beginning."""
    early, late = line.start_sec + headline.lo_sec, line.start_sec + headline.hi_sec
    return scale.percent(early), max(scale.width(early, late), LEAST_TOLERANCE_PERCENT)


def _words(incident: Incident, picture: Picture | None) -> str:
    if picture is None:
        return incident.sentence
    scale = picture.scale
    sounding = ", ".join(
        f"{lane.role} active {seconds(sec)}"
        for lane, sec in zip(picture.lanes, picture.sounding_sec, strict=True)
    )
    both = f", both at once {seconds(picture.overlap_sec)}" if picture.two else ""
    return (
        f"From {clock(scale.lo)} to {clock(scale.hi)}: {sounding}{both}. "
        f"The bracket runs from {clock(incident.span.start_sec, 2)} to {clock(incident.span.end_sec, 2)}."
    )
