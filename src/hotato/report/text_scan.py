"""The candidates of one recording, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.find.grade import joined_by_agent
from hotato.find.records import Candidate
from hotato.listen import Heard
from hotato.report.doubts import doubt_words
from hotato.report.terminal import Terminal
from hotato.report.thresholds import listener
from hotato.report.timefmt import clock, plural, seconds, shown

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
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """Every candidate on a line of its own: rank, time, kind, magnitudes, the agent's reaction.

    Args:
        heard: the call.
        candidates: most salient first.
        top: how many to list; 0 for all.
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
    if not candidates:
        return terminal.finish([*lines, *terminal.wrap("No timing moment stands out in this recording.")])
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
    return terminal.finish(lines)


def _candidate(number: int, candidate: Candidate, kinds: int, terminal: Terminal) -> list[str]:
    head = f"{number:>3}  {clock(candidate.span.start_sec, 2):>9}  "
    lines = [terminal.paint("bold", head) + f"{candidate.kind:<{kinds}}  " + magnitudes(candidate)]
    for told in (_reaction(candidate), _joined(candidate)):
        lines += terminal.wrap(told, " " * 16) if told else []
    doubts = "; ".join(dict.fromkeys(doubt_words(reason.code) for reason in candidate.doubts))
    if doubts:
        lines += [terminal.paint("soft", line) for line in terminal.wrap(f"doubt: {doubts}", " " * 16)]
    return lines


def magnitudes(candidate: Candidate) -> str:
    """The documented magnitudes of a candidate with their intervals, on one line."""
    parts = []
    for name, value in list(candidate.durations.items())[:_SHOWN_DURATIONS]:
        if value is None:
            continue
        words, _, unit = name.rpartition("_")
        if unit != "sec":
            parts.append(f"{name.replace('_', ' ')} {value:.2f}")
            continue
        edges = candidate.measured.get(name)
        within = "" if edges is None else f" (edges {edges.lo_sec:.2f} to {edges.hi_sec:.2f})"
        parts.append(f"{words.replace('_', ' ')} {seconds(value)}{within}")
    return ", ".join(parts)


def _joined(candidate: Candidate) -> str:
    """Whether the caller only went on, in a turn that the agent had begun to speak over."""
    if candidate.kind != "overlap_while_agent_talking" or not joined_by_agent(candidate):
        return ""
    began = candidate.evidence["agent_turn_start_sec"]
    assert isinstance(began, float), "every overlap has it"
    return f"the agent had begun at {clock(began, 2)}, while this turn of the caller was going on"


def _reaction(candidate: Candidate) -> str:
    reaction = candidate.agent_reaction or {}
    window = reaction.get("search_window_sec")
    silent = reaction.get("went_silent_within_search")
    after = reaction.get("after_sec")
    if silent and isinstance(after, float):
        return f"the agent went quiet after {seconds(after)}"
    if silent is False and isinstance(window, float):
        return f"the agent did not go quiet within {seconds(window, 1)}"
    kept = reaction.get("caller_kept_talking_sec")
    if isinstance(kept, float):
        return f"the caller kept talking for {seconds(kept)}"
    return ""
