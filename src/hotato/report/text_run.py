"""The result of a run, of a demo and of a doctor's visit, and refusals, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hotato import canonical
from hotato.errors import Refusal
from hotato.report.doubts import doubt_words
from hotato.report.terminal import Terminal
from hotato.report.timefmt import seconds, shown


def run_text(
    envelope: Mapping[str, Any],
    *,
    title: str = "hotato run",
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """A scored envelope: one line for each event, what a failure points at below it.

    Args:
        envelope: what `run_single` or `run_suite` returned.
        title: the name of the command.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    lines = [terminal.paint("bold", title) + terminal.plain(f"  {summary_line(envelope)}"), ""]
    events = envelope["events"]
    name = min(44, max((len(_name(event)) for event in events), default=0))
    for event in events:
        lines += _event(event, name, terminal)
    if events and all(event.get("scorable") is False for event in events):
        lines += ["", terminal.paint("bold", "nothing could be scored")]
    funnel = envelope.get("funnel")
    if funnel:
        lines += ["", *terminal.wrap(f"note: {funnel['reason']}")]
    from hotato.score import process_exit_code  # loads numpy, which a refusal does not need

    lines += ["", terminal.paint("soft", f"exit code {process_exit_code(envelope)}")]
    return terminal.finish(lines)


def summary_line(envelope: Mapping[str, Any]) -> str:
    """Mode, stack and counts of a run in one line."""
    return "  ".join(summary_parts(envelope))


def summary_parts(envelope: Mapping[str, Any]) -> list[str]:
    """Mode and stack, counts, and how many events could not be judged, each in a few words."""
    summary = envelope["summary"]
    parts = [
        f"{envelope['mode']}, stack {envelope['stack']}",
        f"{summary['passed']} of {summary['events']} passed, {summary['failed']} failed",
    ]
    unscorable = summary.get("not_scorable")
    if unscorable:
        parts.append(f"{unscorable} not scorable")
    return parts


def measured_line(event: Mapping[str, Any]) -> str:
    """What was measured on one event, in words.

    In brackets stands the interval at the raw energy edges, where the event carries it: the documented value
    holds the detector's hangover, the edges do not, so the interval may lie below the value.
    """
    if event.get("scorable") is False:
        return f"not scorable: {event.get('not_scorable_reason', '')}"
    verdict, edges = event["verdict"], event.get("edges") or {}
    if verdict["did_yield"] and verdict["seconds_to_yield"] is not None:
        said = f"yielded after {seconds(verdict['seconds_to_yield'])}{_within(edges.get('time_to_yield'))}"
    else:
        said = "yielded" if verdict["did_yield"] else "did not yield"
    return f"{said}, talk-over {seconds(verdict['talk_over_sec'])}{_within(edges.get('talk_over'))}"


def status(event: Mapping[str, Any]) -> str:
    """`PASS`, `FAIL` or `NOT SCORABLE`."""
    if event.get("scorable") is False:
        return "NOT SCORABLE"
    return "PASS" if event["verdict"]["passed"] else "FAIL"


def refusal_text(refusal: Refusal) -> str:
    """A refusal as one line for standard error."""
    return f"hotato: {shown(str(refusal), 2000)}\n"


def refusal_json(refusal: Refusal) -> str:
    """A refusal as one JSON object: the documented keys, the remedy after them."""
    return canonical.to_json(
        {
            "tool": "hotato",
            "schema_version": "1",
            "ok": False,
            "error_code": refusal.code,
            "message": refusal.message,
            "exit_code": refusal.exit_code,
            "remedy": refusal.remedy,
        }
    )


def doctor_text(
    envelope: Mapping[str, Any],
    *,
    report_path: str,
    opened: bool,
    embedded: bool,
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """A run as `hotato doctor` tells it: the verdicts, where the report is, and what it carries.

    Args:
        envelope: the scored envelope.
        report_path: where the page was written, as it shall be printed.
        opened: whether a browser was started on it.
        embedded: whether the recording is inside the page.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    text = run_text(envelope, title="hotato doctor", colour=colour, width=width, unicode=unicode)
    lines = [f"report  {shown(report_path, 400)}{' (opened)' if opened else ''}"]
    if embedded:
        lines += terminal.wrap("The page holds the recording itself: share it as you would share the call.")
    return text + terminal.finish([terminal.plain(line) for line in lines])


def _name(event: Mapping[str, Any]) -> str:
    return shown(str(event["event_id"]), 44)


def _within(edges: Mapping[str, float] | None) -> str:
    return "" if edges is None else f" (edges {edges['lo_sec']:.2f} to {edges['hi_sec']:.2f})"


def _event(event: Mapping[str, Any], name: int, terminal: Terminal) -> list[str]:
    verdict = status(event)
    role = {"PASS": "pass", "FAIL": "fail"}.get(verdict, "bold")
    short = "SKIP" if verdict == "NOT SCORABLE" else verdict
    first = terminal.plain(f"{_name(event):<{name}}")
    line = measured_line(event)
    lines = [terminal.paint(role, f"{short:<5}") + first + "  " + terminal.plain(line)]
    if len(f"{short:<5}{first}  {line}") > terminal.columns:
        lines = [terminal.paint(role, f"{short:<5}") + first, *terminal.wrap(line, "     ")]
    if verdict == "NOT SCORABLE":
        return lines
    for reason in event["verdict"].get("reasons", ()):
        lines += terminal.wrap(reason, "     ", "       ")
    for code in event["verdict"].get("doubts") or ():
        lines += terminal.wrap(f"doubt: {doubt_words(code)}", "     ", "       ")
    return [*lines, *_fix(event.get("fix"), terminal)]


def _fix(fix: Mapping[str, Any] | None, terminal: Terminal) -> list[str]:
    if not fix:
        return []
    lines = terminal.wrap(f"fix ({fix['fix_class']}): {fix['title']}", "     ", "       ")
    knob = fix.get("knob")
    if knob:
        lines += terminal.wrap(f"setting: {knob['parameter']}", "     ", "       ")
        lines += terminal.wrap(f"move: {knob['direction']}", "     ", "       ")
    return lines
