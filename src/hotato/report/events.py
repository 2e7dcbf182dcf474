"""One scored event, ready to be shown: its timeline, its marks and the frames behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hotato.listen import Heard
from hotato.report.cards import LEAST_TOLERANCE_PERCENT, Bracket
from hotato.report.pictures import Canvas, Picture, stretch
from hotato.report.svg import Scale
from hotato.report.text_run import (
    LONG_CALL_SEC,
    both_ways,
    documented_line,
    doubt_lines,
    fact_lines,
    measured_line,
    moment_line,
    other_moments,
    status,
)
from hotato.report.thresholds import thresholds
from hotato.report.timefmt import clock, seconds, shown
from hotato.timing import Span

WHOLE_CALL_SEC = LONG_CALL_SEC
"""A call of at most this length is drawn whole; of a longer one the surroundings of the event."""

_SILENT = ("answered after", "no answer for")
"""How the bracket of a silence begins."""

BEFORE_SEC, AFTER_SEC = 4.0, 8.0
INSPECTED_FRAMES = 1500
"""A call of at most this many frames is listed whole in the inspector."""

_INSPECT_BEFORE_SEC, _INSPECT_AFTER_SEC = 1.0, 5.0


@dataclass(frozen=True, eq=False)
class Frames:
    """Rows of the frame inspector.

    Attributes:
        rows: (t_sec, caller dBFS, caller active, agent dBFS, agent active) as text.
        caption: thresholds of both channels, and which part of the call the rows cover.
        whole: every frame of the call is listed.
    """

    rows: tuple[tuple[str, str, str, str, str], ...]
    caption: str
    whole: bool


@dataclass(frozen=True, eq=False)
class EventView:
    """A scored event with its pictures.

    Attributes:
        event: the event of the envelope.
        status: `PASS`, `FAIL` or `NOT SCORABLE`.
        name: its id, safe to show.
        measured: what was measured, in words.
        moment: which label was checked at which onset, and who stated either.
        doubts: the doubts of the verdict in words; none where nothing was judged.
        facts: what was found about the files.
        hint: the next step of an event that could not be judged, or where the other moments are; may be None.
        limit_sec: the bound on the time to yield that was checked, None for none.
        held: the time to yield holds the detector's hangover.
        figures: the same as label and text pairs.
        picture: the timeline, None without a recording.
        bracket: from the caller's onset to the yield, or to the end of the search.
        words: what the timeline shows, in a sentence.
        frames: the frames behind the numbers, None without a recording.
        thresholds: label and text of each threshold used.
    """

    event: Mapping[str, Any]
    status: str
    name: str
    measured: str
    moment: str
    doubts: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    hint: str | None = None
    limit_sec: float | None = None
    held: bool = False
    figures: tuple[tuple[str, str], ...] = ()
    picture: Picture | None = None
    bracket: Bracket | None = None
    words: str = ""
    frames: Frames | None = None
    thresholds: tuple[tuple[str, str], ...] = ()


def event_view(event: Mapping[str, Any], heard: Heard | None) -> EventView:
    """The view of one event; without a call there is no picture and no frame."""
    words = EventView(
        event=event,
        status=status(event),
        name=shown(str(event["event_id"])),
        measured=measured_line(event),
        moment=moment_line(event),
        doubts=tuple(doubt_lines(event)),
        facts=tuple(fact_lines(event)),
        hint=event.get("not_scorable_next_step") or other_moments(event),
        limit_sec=yield_limit(event),
        held=_held(event),
        figures=_figures(event),
    )
    if heard is None:
        return words
    canvas = Canvas.of(heard)
    onset = event["measurements"].get("onset_effective_sec")
    span = _span(event, onset, heard.cfg.max_search_sec, canvas.duration_sec)
    picture = stretch(canvas, _window(span, canvas.duration_sec), most_columns=600)
    mark = None if span is None else _bracket(event, span, picture.scale)
    return replace(
        words,
        picture=picture,
        bracket=mark,
        words=_words(picture, mark, span),
        frames=_frames(heard, span),
        thresholds=tuple(thresholds(heard)),
    )


def _figures(event: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The durations of an event, each with its interval at the raw energy edges."""
    verdict, edges = event["verdict"], event.get("edges") or {}
    if is_answer(event):
        return _silence_figures(event)
    latency = event.get("signals", {}).get("latency") or {}
    named = (
        ("time to yield", verdict["seconds_to_yield"], "time_to_yield"),
        ("talk-over", verdict["talk_over_sec"], "talk_over"),
        ("answer after", latency.get("response_gap_sec"), "response_gap"),
        ("answer early by", latency.get("premature_start_sec") or None, "premature_start"),
    )
    figures = []
    for name, value, key in named:
        if value is None:
            continue
        figures.append((name, both_ways(value, edges.get(key))))
    beside = documented_line(event)
    if beside is not None:
        name, _, text = beside.partition(": ")
        figures.append((name, text))
    return tuple(figures)


def is_answer(event: Mapping[str, Any]) -> bool:
    """Whether the label of an event is about the silence before the agent's answer."""
    return event.get("expectation") == "answer"


def _silence_figures(event: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The silence that an answer label is about, with its interval, and who was on either side of it."""
    silence, figures = event["signals"].get("answer"), []
    if silence is not None and silence["silence_sec"] is not None:
        text = both_ways(silence["silence_sec"], (event.get("edges") or {}).get("silence"))
        ended = {"end_of_recording": "the end of the recording"}.get(silence["ended_by"])
        figures += [
            ("silence", text),
            ("after the sound of", f"the {silence['began_with']}"),
            ("ended by", ended or f"the {silence['ended_by']}"),
        ]
    beside = documented_line(event)
    if beside is not None:
        name, _, text = beside.partition(": ")
        figures.append((name, text))
    return tuple(figures)


def _span(event: Mapping[str, Any], onset: float | None, search_sec: float, end: float) -> Span | None:
    """From the onset to the yield, or to the end of the search; None for an event that was not judged.

    For an answer label the silence.
    """
    if onset is None or event.get("scorable") is False:
        return None
    if is_answer(event):
        silence = event["signals"]["answer"]
        return Span(silence["start_sec"], min(end, silence["start_sec"] + silence["silence_sec"]))
    after = event["verdict"]["seconds_to_yield"]
    return Span(onset, min(end, onset + (search_sec if after is None else after)))


def _window(span: Span | None, end: float) -> Span:
    if span is None or end <= WHOLE_CALL_SEC:
        return Span(0.0, min(end, WHOLE_CALL_SEC))
    return Span(max(0.0, span.start_sec - BEFORE_SEC), min(end, span.end_sec + AFTER_SEC))


def _bracket(event: Mapping[str, Any], span: Span, scale: Scale) -> Bracket:
    x, end = scale.percent(span.start_sec), scale.percent(span.end_sec)
    label = f"{_bracket_words(event)} {seconds(span.duration_sec)}"
    middle = (x + end) / 2
    anchor, label_x = ("start", x) if middle < 30 else ("end", end) if middle > 70 else ("middle", middle)
    key = "silence" if is_answer(event) else "time_to_yield"
    edges, limit = (event.get("edges") or {}).get(key), yield_limit(event)
    at = None if limit is None else span.start_sec + limit
    tolerance = None
    if edges is not None:
        early, late = span.start_sec + edges["lo_sec"], span.start_sec + edges["hi_sec"]
        tolerance = (scale.percent(early), max(LEAST_TOLERANCE_PERCENT, scale.width(early, late)))
    drawn = scale.percent(at) if at is not None and at < scale.hi else None
    return Bracket(x, end, label, round(label_x, 3), anchor, tolerance, drawn)


def _bracket_words(event: Mapping[str, Any]) -> str:
    if is_answer(event):
        return "answered after" if event["signals"]["answer"]["ended_by"] == "agent" else "no answer for"
    return "yielded after" if event["verdict"]["did_yield"] else "no yield within"


def _held(event: Mapping[str, Any]) -> bool:
    """Whether the documented number is another than that at the raw energy edges."""
    edges = event.get("edges") or {}
    if is_answer(event):
        silence = (event["signals"].get("answer") or {}).get("silence_sec")
        return silence is not None and seconds(silence) != seconds(edges["silence"]["sec"])
    documented, edges = event["verdict"]["seconds_to_yield"], edges.get("time_to_yield")
    return documented is not None and edges is not None and seconds(documented) != seconds(edges["sec"])


def yield_limit(event: Mapping[str, Any]) -> float | None:
    """The bound on the time to yield that the event was checked against, None for none.

    For an answer label that on the silence.
    """
    name = "max_response_gap_sec" if is_answer(event) else "max_time_to_yield_sec"
    limit: float | None = (event.get("expected") or {}).get(name)
    return limit


def _words(picture: Picture, mark: Bracket | None, span: Span | None) -> str:
    scale = picture.scale
    said = (
        f"From {clock(scale.lo)} to {clock(scale.hi)}: caller active {seconds(picture.sounding_sec[0])}, "
        f"agent active {seconds(picture.sounding_sec[1])}, both at once {seconds(picture.overlap_sec)}."
    )
    if mark is None or span is None:
        return f"{said} There is no caller onset."
    if mark.label.startswith(_SILENT):
        return f"{said} Silence from {clock(span.start_sec, 2)}; {mark.label}."
    return f"{said} Caller onset at {clock(span.start_sec, 2)}; {mark.label}."


def _frames(heard: Heard, span: Span | None) -> Frames:
    total, hop = heard.frames, heard.grid.hop_sec
    first, stop = 0, total
    if total > INSPECTED_FRAMES:
        center = Span(0.0, 0.0) if span is None else span
        first = max(0, round((center.start_sec - _INSPECT_BEFORE_SEC) / hop))
        stop = min(total, first + INSPECTED_FRAMES, round((center.end_sec + _INSPECT_AFTER_SEC) / hop))
    sides = [
        (track.activity.dbfs[first:stop].tolist(), track.activity.active[first:stop].tolist())
        for track in (heard.caller, heard.agent)
    ]
    times = (np.arange(first, stop) * hop).round(3).tolist()
    columns: Sequence[Sequence[Any]] = (times, *sides[0], *sides[1])
    rows = tuple(
        (f"{t:.3f}", f"{c:.1f}", "1" if a else "0", f"{g:.1f}", "1" if b else "0")
        for t, c, a, g, b in zip(*columns, strict=True)
    )
    both = ", ".join(
        f"{track.role} active from {track.activity.threshold_db:.1f} dBFS "
        f"(noise floor {track.activity.noise_floor_db:.1f})"
        for track in (heard.caller, heard.agent)
    )
    part = "every frame" if stop - first == total else f"frames {first} to {stop - 1} of {total}"
    return Frames(rows, f"{part}; {both}", stop - first == total)
