"""The result of a run, of a demo and of a doctor's visit, and refusals, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hotato import canonical
from hotato.errors import Refusal
from hotato.report.doubts import doubt_words
from hotato.report.terminal import Terminal
from hotato.report.timefmt import seconds, shown
from hotato.timing.activity import REFERENCE

LONG_CALL_SEC = 30.0
"""In a call longer than this the first sound is hardly the only moment worth a look."""


def run_text(
    envelope: Mapping[str, Any],
    *,
    title: str = "hotato run",
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
    no_fail: bool = False,
) -> str:
    """A scored envelope: one line for each event, what a failure points at below it.

    Args:
        envelope: what `run_single` or `run_suite` returned.
        title: the name of the command.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
        no_fail: the command exits with 0 whatever the verdict.
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
    lines += ["", terminal.paint("soft", _exit_line(envelope, no_fail))]
    return terminal.finish(lines)


def _exit_line(envelope: Mapping[str, Any], no_fail: bool) -> str:
    from hotato.score import process_exit_code  # loads numpy, which a refusal does not need

    code = process_exit_code(envelope)
    if no_fail and code:
        return f"exit code 0 (--no-fail; the verdict alone would be {code})"
    return f"exit code {code}"


def summary_line(envelope: Mapping[str, Any]) -> str:
    """Mode, stack, profile and counts of a run in one line."""
    return "  ".join(summary_parts(envelope))


def summary_parts(envelope: Mapping[str, Any]) -> list[str]:
    """Mode, stack and profile, counts, and how many events could not be judged, each in a few words."""
    summary = envelope["summary"]
    parts = [
        f"{envelope['mode']}, stack {envelope['stack']}, {envelope.get('profile', 'documented')} profile",
        f"{summary['passed']} of {summary['events']} passed, {summary['failed']} failed",
    ]
    unscorable = summary.get("not_scorable")
    if unscorable:
        parts.append(f"{unscorable} not scorable")
    return parts


def measured_line(event: Mapping[str, Any]) -> str:
    """What was measured on one event, in words; see `both_ways` for the two values of each duration."""
    return "; ".join(measured_parts(event))


def measured_parts(event: Mapping[str, Any]) -> list[str]:
    """The parts of `measured_line`: one for each duration, or the reason why there is no verdict."""
    if event.get("scorable") is False:
        return [f"not scorable: {event.get('not_scorable_reason', '')}"]
    verdict, edges = event["verdict"], event.get("edges") or {}
    if event.get("expectation") == "answer":
        return [_silence_part(event)]
    if verdict["did_yield"] and verdict["seconds_to_yield"] is not None:
        said = f"yielded after {both_ways(verdict['seconds_to_yield'], edges.get('time_to_yield'))}"
    else:
        said = "yielded" if verdict["did_yield"] else "did not yield"
    said_over = f"talk-over {both_ways(verdict['talk_over_sec'], edges.get('talk_over'))}"
    return [said, said_over, *_answer_part(event)]


def _silence_part(event: Mapping[str, Any]) -> str:
    """The silence that an answer label is about, and who ended it."""
    silence, edges = event["signals"]["answer"], event.get("edges") or {}
    lasted = both_ways(silence["silence_sec"], edges.get("silence"))
    ended = {
        "agent": f"answered after {lasted}",
        "caller": f"no answer: the caller spoke after {lasted}",
    }
    return ended.get(silence["ended_by"], f"no answer in the {lasted} until the recording ended")


def _answer_part(event: Mapping[str, Any]) -> list[str]:
    """The answer to the caller's turn, for an event whose label bounds it."""
    if (event.get("expected") or {}).get("max_response_gap_sec") is None:
        return []
    gap, edge = _response_gap(event), (event.get("edges") or {}).get("response_gap")
    if gap is not None:
        return [f"answered after {both_ways(gap, edge)}"]
    return [f"answered after {both_ways(edge['sec'], edge)}" if edge else "did not answer"]


def _response_gap(event: Mapping[str, Any]) -> float | None:
    gap: float | None = (event["signals"].get("latency") or {}).get("response_gap_sec")
    return gap


def both_ways(value: float, edges: Mapping[str, float] | None) -> str:
    """A duration as documented, hangover included, and at the raw energy edges with its interval.

    `0.35 s (with hangover), 0.20 s at the energy edges (0.17 to 0.20 s)`; the value alone without edges, and
    one value with its interval where the two are the same.
    """
    if edges is None:
        return seconds(value)
    interval = f"({edges['lo_sec']:.2f} to {edges['hi_sec']:.2f} s)"
    if seconds(value) == seconds(edges["sec"]):
        return seconds(value) if edges["lo_sec"] == edges["hi_sec"] else f"{seconds(value)} {interval}"
    return f"{seconds(value)} (with hangover), {seconds(edges['sec'])} at the energy edges {interval}"


def documented_line(event: Mapping[str, Any]) -> str | None:
    """What the documented profile says of an event that was judged by the calibrated one; else None."""
    beside = event.get("documented")
    if beside is None or event.get("scorable") is False:
        return None
    took, over, passed = beside["seconds_to_yield"], beside["talk_over_sec"], beside["passed"]
    if over is None:
        return "documented profile: no onset found"
    if event.get("expectation") == "answer":
        return f"documented profile: {_documented_answer(beside)}"
    said = "did not yield" if took is None else f"yielded after {seconds(took)}"
    parts = [said, f"talk-over {seconds(over)}"]
    if (event.get("expected") or {}).get("max_response_gap_sec") is not None:
        gap = beside["response_gap_sec"]
        parts.append("no response gap" if gap is None else f"answered after {seconds(gap)}")
    parts.append("not scorable" if passed is None else "would pass" if passed else "would fail")
    return f"documented profile: {', '.join(parts)}"


def _documented_answer(beside: Mapping[str, Any]) -> str:
    gap, passed = beside["response_gap_sec"], beside["passed"]
    said = "no answer" if gap is None else f"answered after {seconds(gap)}"
    return f"{said}, {'not scorable' if passed is None else 'would pass' if passed else 'would fail'}"


def label_word(event: Mapping[str, Any]) -> str:
    """The label of an event: `yield`, `hold` or `answer`."""
    return str(event.get("expectation") or ("yield" if event["expected_yield"] else "hold"))


def moment_line(event: Mapping[str, Any]) -> str:
    """Which label was checked at which onset, and who stated either."""
    label = label_word(event)
    said = f"expected {label}"
    if event.get("expected_yield_explicit") is False:
        said = f"no label given: {label} assumed"
    measured = event.get("measurements") or {}
    if event["expected_yield"] and not any((event.get("expected") or {}).values()):
        said += ", no bounds stated"
    said += "".join(f"; {words}" for words in heard_by(event))
    stated, onset = measured.get("onset_requested_sec"), measured.get("caller_onset_sec")
    if stated is not None:
        return f"{said}; onset {seconds(stated)}, as stated"
    return said if onset is None else f"{said}; onset {seconds(onset)}, detected"


def other_moments(event: Mapping[str, Any]) -> str | None:
    """Where the other moments of a longer call are found, for an event whose onset was detected."""
    measured = event.get("measurements") or {}
    if measured.get("onset_requested_sec") is not None or event.get("scenario_id") is not None:
        return None
    sides = (event.get("audio_provenance") or {}).get("sides") or ()
    if max((side["duration_sec"] for side in sides), default=0.0) <= LONG_CALL_SEC:
        return None
    return "only the caller's first sound was judged: 'hotato scan FILE' lists the other moments of this call"


def heard_by(event: Mapping[str, Any]) -> list[str]:
    """Which detector heard whom and why, in words, where that was not the documented one."""
    parties = event.get("activity") or {}
    heard: dict[str, list[str]] = {}
    for role in ("caller", "agent"):
        channel = parties.get(role) or {}
        if channel.get("detector", REFERENCE) == REFERENCE:
            continue
        codes = [r["code"] for r in channel.get("reasons") or () if r["code"] != "reference_unreliable"]
        why = f" ({', '.join(dict.fromkeys(codes))})" if codes else ""
        heard.setdefault(f"heard by the {channel['detector']} detector{why}", []).append(role)
    return [words if len(roles) == 2 else f"{roles[0]} {words}" for words, roles in heard.items()]


def fact_lines(event: Mapping[str, Any]) -> list[str]:
    """What was found about the files of the event, such as a missing end: facts, never hidden."""
    return [f"recording: {shown(fact['sentence'], 300)}" for fact in event.get("findings") or ()]


def doubt_lines(event: Mapping[str, Any]) -> list[str]:
    """Every doubt of the verdict in words; a bound that the hangover alone decides with its numbers."""
    decided = _decided_by_hangover(event)
    lines = []
    for code in event["verdict"].get("doubts") or ():
        lines += decided if code == "hangover_decides" and decided else [doubt_words(code)]
    return lines


def _decided_by_hangover(event: Mapping[str, Any]) -> list[str]:
    """For each bound that lies between the two values of what it bounds: which side either is on."""
    limits, edges, verdict = event.get("expected") or {}, event.get("edges") or {}, event["verdict"]
    named = (
        ("max_time_to_yield_sec", "time to yield", verdict.get("seconds_to_yield"), "time_to_yield"),
        ("max_talk_over_sec", "talk-over", verdict.get("talk_over_sec"), "talk_over"),
        ("max_response_gap_sec", *_gap_names(event)),
    )
    lines = []
    for limit_key, name, value, edge in named:
        limit = limits.get(limit_key)
        if limit is None or value is None or edge not in edges:
            continue
        real = edges[edge]["sec"]
        if (value > limit) != (real > limit):
            lines.append(
                f"the hangover decides: with it the {name} is {seconds(value)}, {_side(value, limit)}; "
                f"at the energy edges it is {seconds(real)}, {_side(real, limit)}"
            )
    return lines


def _gap_names(event: Mapping[str, Any]) -> tuple[str, float | None, str]:
    """The response gap by name, value and edges; of an answer label the silence, whoever ended it."""
    if event.get("expectation") == "answer":
        return "silence", (event["signals"].get("answer") or {}).get("silence_sec"), "silence"
    return "response gap", _response_gap(event), "response_gap"


def _side(value: float, limit: float) -> str:
    return f"{'over' if value > limit else 'within'} the limit of {seconds(limit)}"


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
    no_fail: bool = False,
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
        no_fail: the command exits with 0 whatever the verdict.
    """
    terminal = Terminal(colour, width, unicode)
    text = run_text(
        envelope, title="hotato doctor", colour=colour, width=width, unicode=unicode, no_fail=no_fail
    )
    lines = [f"report  {shown(report_path, 400)}{' (opened)' if opened else ''}"]
    if embedded:
        lines += terminal.wrap("The page holds the recording itself: share it as you would share the call.")
    return text + terminal.finish([terminal.plain(line) for line in lines])


def _name(event: Mapping[str, Any]) -> str:
    return shown(str(event["event_id"]), 44)


def _event(event: Mapping[str, Any], name: int, terminal: Terminal) -> list[str]:
    verdict = status(event)
    role = {"PASS": "pass", "FAIL": "fail"}.get(verdict, "bold")
    short = "SKIP" if verdict == "NOT SCORABLE" else verdict
    first = terminal.plain(f"{_name(event):<{name}}")
    line = measured_line(event)
    lines = [terminal.paint(role, f"{short:<5}") + first + "  " + terminal.plain(line)]
    if len(f"{short:<5}{first}  {line}") > terminal.columns:
        lines = [terminal.paint(role, f"{short:<5}") + first]
        for part in measured_parts(event):
            lines += terminal.wrap(part, "     ", "       ")
    lines += terminal.wrap(moment_line(event), "     ", "       ")
    for words in (documented_line(event), *fact_lines(event)):
        lines += terminal.wrap(words, "     ", "       ") if words else []
    if verdict == "NOT SCORABLE":
        step = event.get("not_scorable_next_step")
        return lines + (terminal.wrap(f"next: {step}", "     ", "       ") if step else [])
    for reason in event["verdict"].get("reasons", ()):
        lines += terminal.wrap(reason, "     ", "       ")
    for doubt in doubt_lines(event):
        lines += terminal.wrap(f"doubt: {doubt}", "     ", "       ")
    lines += _fix(event.get("fix"), terminal)
    others = other_moments(event)
    return lines + (terminal.wrap(others, "     ", "       ") if others else [])


def _fix(fix: Mapping[str, Any] | None, terminal: Terminal) -> list[str]:
    if not fix:
        return []
    lines = terminal.wrap(f"fix ({fix['fix_class']}): {fix['title']}", "     ", "       ")
    for words in fix.get("settle_first") or ():
        lines += terminal.wrap(f"first: {words}", "     ", "       ")
    knob = fix.get("knob")
    if knob:
        lines += terminal.wrap(f"setting: {knob['parameter']}", "     ", "       ")
        lines += terminal.wrap(f"move: {knob['direction']}", "     ", "       ")
    return lines
