"""The card of a candidate that was found in a call, or of an incident of an autopsy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.report.card_input import read_as
from hotato.report.card_records import Bar, Card, Party, Scene, Tone
from hotato.report.doubts import doubt_words
from hotato.report.timefmt import clock, seconds

FOOTER = "A measured moment that nobody has labelled. Timing only: it does not say what was meant."
_LEAD_SEC = 0.6
_PARTIES: tuple[Party, ...] = ("caller", "agent")
_CODE = "not_a_card"
_WHAT = "candidate or incident that hotato wrote"

Sec = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
Number = Annotated[float, Meta(ge=-BOUNDS.longest_sec, le=BOUNDS.longest_sec)]


class _Span(msgspec.Struct, frozen=True):
    start_sec: Sec
    end_sec: Sec


class _Measured(msgspec.Struct, frozen=True):
    sec: Number
    lo_sec: Number
    hi_sec: Number
    documented_sec: Number | None = None


class _Doubt(msgspec.Struct, frozen=True):
    code: str


class _Found(msgspec.Struct, frozen=True):
    t_sec: Sec
    kind: str = ""
    kind_key: str | None = None
    scan_kind: str | None = None
    severity: str | None = None
    title: str | None = None
    plain_english: str | None = None
    span: _Span | None = None
    headline: _Measured | None = None
    bound_sec: Sec | None = None
    durations: dict[str, Number | None] = {}
    measurements: dict[str, Number | None] = {}
    measured: dict[str, _Measured | None] = {}
    evidence: dict[str, Any] = {}
    agent_reaction: dict[str, Any] | None = None
    facts: tuple[tuple[str, str], ...] = ()
    doubts: tuple[_Doubt | str, ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class _Sort:
    """What is said of one kind of candidate.

    Attributes:
        kind: what the card is called.
        title: what happened, with the number in the place of `{}`.
        caption: what the number is.
        magnitudes: the names under which the number may stand, the first one that is there counts.
        silent: the moment is a silence.
    """

    kind: str
    title: str
    caption: str
    magnitudes: tuple[str, ...]
    silent: bool = False


def _overlap(title: str) -> _Sort:
    return _Sort("talk-over candidate", title, "of both talking at once", ("overlap_sec",))


def _silence(kind: str, title: str, caption: str = "with nobody speaking") -> _Sort:
    return _Sort(kind, title, caption, ("gap_sec", "trailing_silence_sec"), silent=True)


_STOP = _silence(
    "false-stop candidate",
    "The agent went quiet for {}, and no caller had spoken",
    "of silence after the agent stopped",
)
_SORTS = {
    "overlap_while_agent_talking": _overlap("The caller spoke up and the agent talked on for {}"),
    "agent_start_during_caller": _overlap("The agent started while the caller was speaking, for {}"),
    "premature_start": _overlap("The agent started in the caller's pause and talked over them for {}"),
    "resume_into_caller": _overlap("The agent took up its turn again over the caller, for {}"),
    "first_turn_overlap": _overlap("Both talked at once at the beginning of the call, for {}"),
    "dual_start": _overlap("Both started at the same time and talked at once for {}"),
    "agent_stop_no_caller": _STOP,
    "long_response_gap": _silence("latency candidate", "Nobody spoke for {} before the agent answered"),
    "unanswered_turn": _silence("dead-air candidate", "The caller's turn got no answer for {}"),
    "dead-air": _silence("dead-air candidate", "Nobody spoke for {}"),
    "latency-spike": _silence("latency candidate", "The answer took {}"),
}
_OTHER = _Sort("timing candidate", "A moment of {}", "measured", ())


def moment_card(moment: Mapping[str, Any], *, source: str | None = None) -> Card:
    """The card of a moment.

    Args:
        moment: one of the `candidates` of a scan, a sweep, an analysis or an investigation, or one of the
            `incidents` of an autopsy.
        source: the recording's base name, shown as it is; None to hide it.

    Raises:
        Refusal: `not_a_card`: it holds no such thing.
    """
    found = read_as(moment, _Found, _CODE, _WHAT)
    sort = _SORTS.get(found.scan_kind or found.kind) or _SORTS.get(found.kind_key or "", _OTHER)
    value = _value(found, sort)
    tone: Tone = "crit" if found.severity in (None, "CRITICAL") else "warn"
    if found.severity is None:
        tone = "plain"
    shown_value = "unmeasured" if value is None else seconds(value.sec)
    return Card(
        kind=sort.kind if found.severity is None else f"autopsy incident, {found.kind.lower()}",
        chip="NOT LABELLED" if found.severity is None else found.severity,
        tone=tone,
        title=(found.plain_english or found.title or sort.title.format(shown_value)).rstrip("."),
        figure="" if value is None else f"{value.sec:.2f}",
        unit="" if value is None else "s",
        caption=_caption(found, sort, value),
        facts=_facts(found, source),
        footer=FOOTER,
        body=_scene(found, sort, value, tone),
    )


def _value(found: _Found, sort: _Sort) -> _Measured | None:
    """The number that names the moment: at the raw energy edges where it was measured there."""
    if found.headline is not None:
        return found.headline
    documented = {**found.measurements, **found.durations}
    for name in (*sort.magnitudes, *documented):
        measured, stated = found.measured.get(name), documented.get(name)
        if measured is not None:
            return measured
        if stated is not None:
            return _Measured(stated, stated, stated, stated)
    return None


def _caption(found: _Found, sort: _Sort, value: _Measured | None) -> tuple[str, ...]:
    if value is None:
        return ()
    caption = [sort.caption]
    if value.lo_sec != value.hi_sec:
        caption.append(f"{value.lo_sec:.2f} to {value.hi_sec:.2f} s")
    if value.documented_sec is not None and seconds(value.documented_sec) != seconds(value.sec):
        caption.append(f"{seconds(value.documented_sec)} with hangover")
    if found.bound_sec is not None:
        caption.append(f"limit {seconds(found.bound_sec)}")
    return tuple(caption)


def _facts(found: _Found, source: str | None) -> tuple[tuple[str, str], ...]:
    start = found.t_sec if found.span is None else found.span.start_sec
    facts = [("when", f"{clock(start, 2)} in the call")]
    if source is not None:
        facts.append(("recording", source))
    stayed = (found.agent_reaction or {}).get("went_silent_within_search") is False
    if stayed and "went quiet" not in dict(found.facts):  # the facts of an incident say it with its time
        alone = found.measured.get("quiet_alone_sec")
        later = "" if alone is None else f"went quiet after {seconds(alone.sec)}, when no caller was near"
        facts.append(("agent", later or "did not go quiet within the time searched"))
    facts += [fact for fact in found.facts if fact[0] in ("went quiet", "resumed", "ended by")]
    codes = [doubt if isinstance(doubt, str) else doubt.code for doubt in found.doubts]
    if codes:
        facts.append(("doubt", doubt_words(codes[0])))
    noise, echo = found.evidence.get("caller_over_noise_db"), found.evidence.get("echo_coherence")
    facts += [fact for fact in found.facts if fact[0] in ("caller level", "echo")]
    if isinstance(noise, int | float) and not found.facts:
        facts.append(("caller level", f"{noise:.0f} dB over noise"))
    if isinstance(echo, int | float) and not found.facts:
        facts.append(("echo", f"coherence {echo:.2f}"))
    return tuple(facts)


def _scene(found: _Found, sort: _Sort, value: _Measured | None, tone: Tone) -> Scene | tuple[()]:
    if value is None:
        return ()
    length = max(value.sec, 0.0)
    start = found.t_sec if found.span is None else found.span.start_sec
    end = start + length if found.span is None else found.span.end_sec
    label = f"{seconds(length)} {'with nobody speaking' if sort.silent else 'both at once'}"
    bars = _around_silence(found, sort, start, end) if sort.silent else _around_overlap(found, start, end)
    return Scene(bars, start, end, label, tone, silent=sort.silent, limit_sec=found.bound_sec)


def _around_silence(found: _Found, sort: _Sort, start: float, end: float) -> tuple[Bar, ...]:
    """Who spoke before the silence and who ended it, where the input says so."""
    facts = dict(found.facts)
    began = "agent" if sort is _STOP else _party(found.evidence.get("began_with"), facts.get("began after"))
    ended = _party(found.evidence.get("ended_by"), facts.get("ended by"))
    before = Bar(began or "either", start - _LEAD_SEC, start, opens=True)
    return (before, Bar(ended, end, end + _LEAD_SEC, goes_on=True)) if ended else (before,)


def _party(stated: Any, words: str | None) -> Party | None:
    """The party that evidence states, or that a fact's words name."""
    for party in _PARTIES:
        if stated == party or (words is not None and party in words):
            return party
    return None


def _around_overlap(found: _Found, start: float, end: float) -> tuple[Bar, ...]:
    """How far either party's sound reaches beyond the overlap, where that was measured."""
    caller_start = _seconds(found.evidence.get("caller_turn_start_sec"))
    caller_turn = found.measured.get("caller_turn_sec")
    agent_start = _seconds(found.evidence.get("agent_start_sec"))
    agent_first = (found.scan_kind or found.kind) == "overlap_while_agent_talking"
    reaction = found.agent_reaction or {}
    alone = found.measured.get("quiet_alone_sec") is not None
    quiet = agent_first and (alone or reaction.get("went_silent_within_search") is not False)
    began = start if caller_start is None else min(caller_start, start)
    ends = None if caller_start is None or caller_turn is None else caller_start + caller_turn.sec
    opens = caller_start is None and not agent_first
    return (
        Bar("caller", began, max(end, ends or end), opens=opens, goes_on=ends is None and quiet),
        Bar(
            "agent",
            start if agent_start is None else min(agent_start, start),
            end,
            opens=agent_start is None and agent_first,
            goes_on=not quiet,
        ),
    )


def _seconds(value: Any) -> float | None:
    ok = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= BOUNDS.longest_sec
    return float(value) if ok else None
