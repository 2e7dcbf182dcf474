"""One recording's autopsy for a terminal: the facts of the page, in the same order, in about a screen."""

from __future__ import annotations

from hotato.find.records import CRITICAL, Autopsy, Incident
from hotato.listen import Call
from hotato.report.commands import autopsy_gate, detector_words, pin_command, recording_words
from hotato.report.doubts import close_call, doubts_of, facts_of
from hotato.report.page_autopsy import (
    answer_words,
    counts,
    meta,
    partial_words,
    said_above,
    shares,
    unjudged_words,
)
from hotato.report.pictures import Canvas
from hotato.report.render import HOLDS
from hotato.report.rhythm import rhythm
from hotato.report.terminal import Terminal, strip_lines
from hotato.report.timefmt import clock, interval, length, seconds, shown
from hotato.report.words import plain_fact, plain_words

MAX_LISTED = 8
"""Incidents beyond this many are only counted."""

_FULL_LISTED = 4
_FACTS_LISTED = 4
_HEALTH_LISTED = 3


def autopsy_text(
    autopsy: Autopsy,
    call: Call | None,
    *,
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
    report_path: str | None = None,
    envelope_path: str | None = None,
    canvas: Canvas | None = None,
    recording: str | None = None,
    fail_on: str | None = None,
    embedded: bool = False,
    folder: str | None = None,
    recordings: str | None = None,
) -> str:
    """The autopsy in words and numbers.

    Args:
        autopsy: the incidents and the recording's health.
        call: the call, for the strip; None leaves the strip out.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
        report_path: where the page was written, as it shall be printed.
        envelope_path: where the JSON was written.
        canvas: the canvas of `call`, where it has been computed already.
        recording: how the recording was named on the command line; by its base name when left out.
        fail_on: the severity at which the printed gate closes; that of the worst incident when left out.
        embedded: whether the page holds the recording.
        folder: where page and JSON go, where that is not the usual folder.
        recordings: the folder of the recording as it was typed, where that is not below the working folder.
    """
    terminal = Terminal(colour, width, unicode)
    if canvas is None and call is not None:
        canvas = Canvas.of(call)
    head = "  ".join(["", shown(autopsy.source, 60), *meta(autopsy, call)])
    lines = [terminal.paint("bold", "hotato autopsy") + terminal.plain(head), ""]
    if autopsy.unjudged is not None:
        lines += [terminal.paint("bold", line) for line in terminal.wrap(unjudged_words(autopsy))]
    if autopsy.partial:
        lines += [terminal.paint("bold", line) for line in terminal.wrap(partial_words(autopsy))]
    lines += [terminal.paint("bold", line) for line in terminal.wrap(answer_words(autopsy))]
    lines += terminal.wrap(f"{counts(autopsy)} {autopsy.note}".strip())
    if canvas is not None:
        lines += ["", *strip_lines(canvas.for_mode(autopsy.mode), terminal, _marks(autopsy))]
    if autopsy.incidents:
        lines += ["", *_incidents(autopsy, terminal)]
    lines += ["", *_rhythm(autopsy, terminal), *_health(autopsy, terminal)]
    named = recording or recording_words(autopsy, call) + ("" if call is None else detector_words(call))
    gate = autopsy_gate(named, fail_on or ("critical" if autopsy.critical else "warning"))
    files = [("report", report_path), ("json", envelope_path)]
    pairs = [(name, path) for name, path in files if path is not None]
    gated = autopsy.incidents and autopsy.unjudged is None  # no gate can be passed without a verdict
    commands = [] if envelope_path is None else _pins(autopsy, folder, recordings)
    pins = [("pin", command) for command in commands]
    lines += _next([*pairs, *pins, *([("gate", gate)] if gated else [])], terminal)
    if embedded:
        lines += terminal.wrap(HOLDS, "  ")
    return terminal.finish(lines)


def _pins(autopsy: Autopsy, folder: str | None, recordings: str | None) -> list[str]:
    """The commands that pin its incidents; of more than are explained here, that of the worst alone."""
    commands = [pin_command(autopsy, incident, folder, recordings) for incident in autopsy.incidents]
    few = len(autopsy.incidents) <= _FULL_LISTED
    return [command for command in commands if command][: None if few else 1]


def _marks(autopsy: Autopsy) -> list[tuple[float, str, str]]:
    return [
        (incident.span.start_sec, str(incident.rank), _role(incident))
        for incident in autopsy.incidents[:MAX_LISTED]
    ]


def _role(incident: Incident) -> str:
    return "critical" if incident.severity == CRITICAL else "warning"


def _incidents(autopsy: Autopsy, terminal: Terminal) -> list[str]:
    lines: list[str] = []
    full = len(autopsy.incidents) <= _FULL_LISTED
    kinds = max(len(incident.kind) for incident in autopsy.incidents[:MAX_LISTED])
    for incident in autopsy.incidents[:MAX_LISTED]:
        head = f"{incident.rank:>2}  {incident.severity:<8}  "
        rest = f"{incident.kind:<{kinds}}  {clock(incident.span.start_sec, 2):>9}"
        lines.append(terminal.paint(_role(incident), head) + terminal.plain(rest + _number(incident)))
        if full:
            lines += _explained(incident, terminal)
        lines += _certainty(incident, terminal)
    missing = len(autopsy.incidents) - MAX_LISTED
    if missing > 0:
        lines.append(f"    and {missing} more, in the report")
    return lines


def _number(incident: Incident) -> str:
    headline = incident.headline
    if headline is None:
        return ""
    limit = "" if incident.bound_sec is None else f"  limit {seconds(incident.bound_sec)}"
    return f"  {seconds(headline.sec):>8}  ({interval(headline)}){limit}"


def _explained(incident: Incident, terminal: Terminal) -> list[str]:
    facts = "; ".join(plain_fact(name, text) for name, text in facts_of(incident)[:_FACTS_LISTED])
    lines = terminal.wrap(plain_words(incident.sentence), "    ")
    if facts:
        lines += [terminal.paint("soft", line) for line in terminal.wrap(facts, "    ")]
    return lines


def _certainty(incident: Incident, terminal: Terminal) -> list[str]:
    """How sure the incident is: what the page says about it, in the same words."""
    close, doubts = close_call(incident), "; ".join(doubts_of(incident))
    lines = terminal.wrap(close, "    ", "      ") if close else []
    return [*lines, *(terminal.wrap(f"doubt: {doubts}", "    ", "      ") if doubts else [])]


def _rhythm(autopsy: Autopsy, terminal: Terminal) -> list[str]:
    floor = autopsy.floor
    if floor is None:
        return []
    strip = rhythm(floor)
    lines = []
    for row in strip.rows if strip is not None else ():
        lines += terminal.wrap(row.summary, "  ", "    ")
    told = []
    for role, share, part in shares(autopsy):
        percent = "" if share.talk_share is None else f" ({part})"
        longest = share.longest_monologue
        turn = "" if longest is None else f", longest turn {length(longest.duration_sec)}"
        told.append(f"{role} talked {length(share.talk_sec)}{percent}{turn}")
    return [*lines, *terminal.wrap("; ".join(told), "  ", "    ")]


def _health(autopsy: Autopsy, terminal: Terminal) -> list[str]:
    if not autopsy.health:
        return [] if autopsy.unjudged else ["  recording: nothing found against it"]
    above = said_above(autopsy)
    health = [finding for finding in autopsy.health if finding.sentence not in above]
    lines = []
    for finding in health[:_HEALTH_LISTED]:
        lines += terminal.wrap(f"recording: {plain_words(shown(finding.sentence, 300))}", "  ", "    ")
    missing = len(health) - _HEALTH_LISTED
    if missing > 0:
        lines.append(f"  recording: {missing} more in the report")
    return lines


def _next(pairs: list[tuple[str, str]], terminal: Terminal) -> list[str]:
    if not pairs:
        return []
    return [
        "",
        *(
            f"  {terminal.paint('soft', f'{name:<7}')} {terminal.plain(shown(text, 800))}"
            for name, text in pairs
        ),
    ]
