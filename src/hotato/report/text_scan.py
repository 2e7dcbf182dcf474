"""The candidates of one recording, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.find.grade import joined_by_agent
from hotato.find.records import Candidate
from hotato.findings import Finding
from hotato.listen import Heard
from hotato.report.doubts import doubt_words, missing_part, part_heard
from hotato.report.terminal import Terminal
from hotato.report.thresholds import listener
from hotato.report.timefmt import clock, interval, plural, seconds, shown

_SHOWN_DURATIONS = 3


def _detector(heard: Heard) -> str:
    """Which detector listened, where it is not the documented one."""
    words = listener(heard)
    return f"  {words}" if words else ""


def scan_text(
    heard: Heard,
    candidates: Sequence[Candidate],
    *,
    top: int = 0,
    findings: Sequence[Finding] = (),
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """Every candidate with rank, time, kind, magnitudes and the agent's reaction; then facts about the files.

    Args:
        heard: the call.
        candidates: most salient first.
        top: how many to list; 0 for all.
        findings: what the trust room found about the recording.
        colour: whether escape sequences may be used.
        width: columns of the terminal.
        unicode: whether characters outside ASCII can be shown.
    """
    terminal = Terminal(colour, width, unicode)
    head = f"  {shown(heard.name, 60)}  {clock(heard.duration_sec)}  "
    lines = [
        terminal.paint("bold", "hotato scan")
        + terminal.plain(head + plural(len(candidates), "candidate moment") + _detector(heard))
    ]
    heard_part = part_heard(missing_part(findings), heard.duration_sec)
    lines += [terminal.paint("bold", line) for line in terminal.wrap(heard_part)] if heard_part else []
    facts = [
        line
        for finding in heard.findings
        for line in terminal.wrap(f"recording: {shown(finding.sentence, 300)}", "  ", "    ")
    ]
    if not candidates:
        none = terminal.wrap("No timing moment stands out in this recording.")
        return terminal.finish([*lines, *none, *facts])
    lines += terminal.wrap(
        "Each is a moment with measured times, not a verdict: whether it was right is for a person to say.",
    )
    lines.append("")
    listed = candidates[:top] if top > 0 else candidates
    kinds = max(len(candidate.kind) for candidate in listed)
    for number, candidate in enumerate(listed, 1):
        lines += _candidate(number, candidate, kinds, terminal)
    if len(listed) < len(candidates):
        lines.append(f"    and {len(candidates) - len(listed)} more")
    return terminal.finish([*lines, *(["", *facts] if facts else [])])


def _candidate(number: int, candidate: Candidate, kinds: int, terminal: Terminal) -> list[str]:
    head = f"{number:>3}  {clock(candidate.span.start_sec, 2):>9}  "
    lines = [terminal.paint("bold", head) + f"{candidate.kind:<{kinds}}  " + magnitudes(candidate)]
    for told in (reaction_words(candidate), joined_words(candidate)):
        lines += terminal.wrap(told, " " * 16) if told else []
    doubts = "; ".join(dict.fromkeys(doubt_words(reason.code) for reason in candidate.doubts))
    if doubts:
        lines += [terminal.paint("soft", line) for line in terminal.wrap(f"doubt: {doubts}", " " * 16)]
    return lines


def magnitudes(candidate: Candidate) -> str:
    """The magnitudes of a candidate on one line: at the raw energy edges, by which its time is shown as well,
    with the interval and the documented value where that differs; else as documented."""
    parts = []
    for name, value in list(candidate.durations.items())[:_SHOWN_DURATIONS]:
        if value is None:
            continue
        words, _, unit = name.rpartition("_")
        edges = candidate.measured.get(name)
        if unit != "sec":
            parts.append(f"{name.replace('_', ' ')} {value:.2f}")
        elif edges is None:
            parts.append(f"{words.replace('_', ' ')} {seconds(value)}")
        else:
            counted = "" if seconds(value) == seconds(edges.sec) else f", documented {seconds(value)}"
            parts.append(f"{words.replace('_', ' ')} {seconds(edges.sec)} ({interval(edges)}{counted})")
    return ", ".join(parts)


def reaction_words(candidate: Candidate) -> str:
    """What the agent or the caller did then, as a clause; empty where nothing is known of it."""
    reaction = candidate.agent_reaction or {}
    window = reaction.get("search_window_sec")
    silent = reaction.get("went_silent_within_search")
    after = candidate.measured.get("after_sec")
    alone = candidate.measured.get("quiet_alone_sec")
    if silent and reaction.get("after_sec") == 0.0:
        return "the agent had gone quiet just before, so nothing overlaps"
    if silent and after is not None:
        return f"the agent went quiet after {seconds(after.sec)}"
    if silent is False and alone is not None:
        return f"the agent went quiet after {seconds(alone.sec)}, when no caller was near any more"
    if silent is False and isinstance(window, float):
        return f"the agent did not go quiet within {seconds(window, 1)}"
    return ""


def joined_words(candidate: Candidate) -> str:
    """That the caller only went on, in a turn that the agent had begun to speak over; else empty."""
    if candidate.kind != "overlap_while_agent_talking" or not joined_by_agent(candidate):
        return ""
    began = candidate.evidence["agent_turn_start_sec"]
    assert isinstance(began, float), "every overlap has it"
    return f"the agent had joined this turn of the caller at {clock(began, 2)}"
