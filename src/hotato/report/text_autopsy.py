"""One recording's autopsy for a terminal: the facts of the page, in the same order, in about a screen."""

from __future__ import annotations

from hotato.find.records import CRITICAL, Autopsy, Incident
from hotato.listen import Call
from hotato.report.commands import recording_words
from hotato.report.doubts import doubt_words
from hotato.report.page_autopsy import counts
from hotato.report.pictures import Canvas
from hotato.report.rhythm import rhythm
from hotato.report.terminal import Terminal, strip_lines
from hotato.report.timefmt import clock, interval, length, plural, rate, seconds, shown

MAX_LISTED = 8
"""Incidents beyond this many are only counted."""

_FULL_LISTED = 4
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
    """
    terminal = Terminal(colour, width, unicode)
    if canvas is None and call is not None:
        canvas = Canvas.of(call)
    head = (
        f"  {shown(autopsy.source, 60)}  {clock(autopsy.duration_sec)}  "
        f"{plural(autopsy.channels, 'channel')}, {rate(autopsy.sample_rate_hz)}  {autopsy.id}"
    )
    lines = [terminal.paint("bold", "hotato autopsy") + terminal.plain(head), ""]
    lines += [terminal.paint("bold", line) for line in terminal.wrap(autopsy.sentence)]
    lines += terminal.wrap(f"{counts(autopsy)} {autopsy.note}")
    if canvas is not None:
        lines += ["", *strip_lines(canvas, terminal, _marks(autopsy))]
    if autopsy.incidents:
        lines += ["", *_incidents(autopsy, terminal)]
    lines += ["", *_rhythm(autopsy, terminal), *_health(autopsy, terminal)]
    lines += _next(autopsy, recording or recording_words(autopsy, call), terminal, report_path, envelope_path)
    return terminal.finish(lines)


def _marks(autopsy: Autopsy) -> list[tuple[float, str, str]]:
    return [
        (incident.t_sec, str(incident.rank), _role(incident)) for incident in autopsy.incidents[:MAX_LISTED]
    ]


def _role(incident: Incident) -> str:
    return "critical" if incident.severity == CRITICAL else "warning"


def _incidents(autopsy: Autopsy, terminal: Terminal) -> list[str]:
    lines: list[str] = []
    full = len(autopsy.incidents) <= _FULL_LISTED
    kinds = max(len(incident.kind) for incident in autopsy.incidents[:MAX_LISTED])
    for incident in autopsy.incidents[:MAX_LISTED]:
        head = f"{incident.rank:>2}  {incident.severity:<8}  "
        rest = f"{incident.kind:<{kinds}}  {clock(incident.t_sec, 2):>9}"
        lines.append(terminal.paint(_role(incident), head) + terminal.plain(rest + _number(incident)))
        if full:
            lines += _explained(incident, terminal)
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
    facts = ", ".join(f"{name} {text}" for name, text in incident.facts[:4])
    lines = terminal.wrap(incident.sentence, "    ")
    if facts:
        lines += [terminal.paint("soft", line) for line in terminal.wrap(facts, "    ")]
    for code in incident.doubts[:2]:
        lines += terminal.wrap(f"doubt: {doubt_words(code)}", "    ")
    return lines


def _rhythm(autopsy: Autopsy, terminal: Terminal) -> list[str]:
    floor = autopsy.floor
    if floor is None:
        return []
    strip = rhythm(floor)
    lines = []
    for row in strip.rows if strip is not None else ():
        lines += terminal.wrap(f"{row.summary}", "  ", "    ")
    shares = []
    for role, share in (("caller", floor.caller), ("agent", floor.agent)):
        part = "" if share.talk_share is None else f" ({share.talk_share * 100:.0f} %)"
        longest = share.longest_monologue
        turn = "" if longest is None else f", longest turn {length(longest.duration_sec)}"
        shares.append(f"{role} talked {length(share.talk_sec)}{part}{turn}")
    return [*lines, *terminal.wrap("; ".join(shares), "  ", "    ")]


def _health(autopsy: Autopsy, terminal: Terminal) -> list[str]:
    if not autopsy.health:
        return ["  recording: nothing found against it"]
    lines = []
    for finding in autopsy.health[:_HEALTH_LISTED]:
        lines += terminal.wrap(f"recording: {shown(finding.sentence, 300)}", "  ", "    ")
    missing = len(autopsy.health) - _HEALTH_LISTED
    if missing > 0:
        lines.append(f"  recording: {missing} more in the report")
    return lines


def _next(
    autopsy: Autopsy,
    recording: str,
    terminal: Terminal,
    report_path: str | None,
    envelope_path: str | None,
) -> list[str]:
    pairs = []
    if report_path is not None:
        pairs.append(("report", shown(report_path, 400)))
    if envelope_path is not None:
        pairs.append(("json", shown(envelope_path, 400)))
    if autopsy.incidents:
        pairs.append(("gate", f"hotato autopsy {shown(recording, 400)} --fail-on critical"))
    if not pairs:
        return []
    return ["", *(f"  {terminal.paint('soft', f'{name:<7}')} {terminal.plain(text)}" for name, text in pairs)]
