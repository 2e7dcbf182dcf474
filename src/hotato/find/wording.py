"""Times, durations and incidents in words.

Every duration in a sentence is the value at the raw energy edges, which its interval belongs to.
"""

from __future__ import annotations

from hotato.find.doubts import ECHO
from hotato.find.grade import Grade
from hotato.find.records import CRITICAL, Candidate, Incident

NAMES = {
    "barge-in": "BARGE-IN",
    "talk-over": "TALK-OVER",
    "dead-air": "DEAD AIR",
    "latency-spike": "LATENCY SPIKE",
    "echo-suspected": "ECHO SUSPECTED",
    "dual-start": "DUAL START",
    "first-turn-overlap": "FIRST-TURN OVERLAP",
    "resume-into-caller": "RESUME INTO CALLER",
    "unanswered-turn": "UNANSWERED TURN",
    "double-reply": "DOUBLE REPLY",
}
"""The name that people see, for each kind of incident."""

TITLES = {
    "barge-in": "Agent kept talking over the caller",
    "talk-over": "Agent started over the caller",
    "dead-air": "Dead air",
    "latency-spike": "Slow answer",
    "echo-suspected": "Echo suspected",
    "dual-start": "Both started at once",
    "first-turn-overlap": "First turns collided",
    "resume-into-caller": "Agent resumed into the caller",
    "unanswered-turn": "Turn left unanswered",
    "double-reply": "Two replies to one turn",
}
_AT_ONCE_SEC = 10.0


def clock(sec: float, digits: int = 1) -> str:
    """A moment in the call as m:ss.s, with hours from one hour on, rounded once to `digits` decimals."""
    scale = 10**digits
    whole, part = divmod(max(0, round(sec * scale)), scale)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02d}" if hours else f"{minutes}"
    return f"{head}:{rest:02d}" + (f".{part:0{digits}d}" if digits else "")


def seconds(sec: float, digits: int = 2) -> str:
    """A duration: `1.95 s`."""
    return f"{sec:.{digits}f} s"


def title(grade: Grade) -> str:
    """A few words that name an incident."""
    if grade.short_stop:
        return "Agent stopped for a short sound"
    if grade.kind_key == "talk-over" and "into_pause_sec" in grade.candidate.measured:
        return "Agent started in the caller's pause"
    if grade.kind_key == "dead-air":
        return (
            "Dead air after the caller's turn"
            if grade.candidate.kind == "long_response_gap"
            else "Dead air in the agent's turn"
        )
    return TITLES[grade.kind_key]


def clause(grade: Grade) -> str:
    """What happened, as a clause that may follow "At 0:19.42"."""
    candidate = grade.candidate
    if any(reason.code == ECHO for reason in candidate.doubts):
        overlap = seconds(_value(candidate, _overlap_name(candidate)))
        return f"the caller channel sounded over the agent for {overlap}, which an echo of the agent explains"
    return _short_stop(candidate) if grade.short_stop else _CLAUSES[grade.kind_key](candidate)


def _overlap_name(candidate: Candidate) -> str:
    """The magnitude that an overlap is told by: for a start during the caller's turn, all of that turn."""
    started = candidate.kind == "agent_start_during_caller" and "turn_overlap_sec" in candidate.measured
    return "turn_overlap_sec" if started else "overlap_sec"


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return text[:1].upper() + text[1:] + "."


def headline(incidents: tuple[Incident, ...], clauses: tuple[str, ...]) -> str:
    """The whole call in at most two clauses: the worst incident, and the next CRITICAL one if there is any.

    What an echo explains is not told while there is anything else.

    Args:
        incidents: worst first, at least one.
        clauses: the clause of each.
    """
    heard = [i for i, incident in enumerate(incidents) if ECHO not in incident.doubts] or [0]
    told = [heard[0], *(i for i in heard[1:] if incidents[i].severity == CRITICAL)][:2]
    told.sort(key=lambda i: incidents[i].span.start_sec)
    first = incidents[told[0]]
    text = f"At {clock(first.span.start_sec, 2)} {clauses[told[0]]}."
    if len(told) == 1:
        return text
    second = incidents[told[1]]
    soon = second.span.start_sec - first.span.end_sec < _AT_ONCE_SEC
    return f"{text} {'Then' if soon else f'At {clock(second.span.start_sec, 2)}'} {clauses[told[1]]}."


def _value(candidate: Candidate, name: str) -> float:
    measured = candidate.measured.get(name)
    return measured.sec if measured is not None else candidate.durations.get(name) or 0.0


def _barge_in(candidate: Candidate) -> str:
    over = seconds(_value(candidate, "turn_overlap_sec"))
    reaction, evidence = candidate.agent_reaction or {}, candidate.evidence
    start, turn = evidence["caller_turn_start_sec"], evidence["caller_turn_sec"]
    assert isinstance(start, float) and isinstance(turn, float), "every interruption has them"
    window_end = candidate.t_sec + (reaction.get("search_window_sec") or 0.0)
    cut = not reaction.get("went_silent_within_search") and start + turn > window_end
    for_how_long = f"kept talking for {'at least ' if cut else ''}{over}"
    pause, into = evidence.get("caller_pause_sec"), evidence.get("agent_into_pause_sec")
    if isinstance(pause, float) and isinstance(into, float):
        return (
            f"the agent began {seconds(into)} into a pause of {seconds(pause)} of the caller and "
            f"{for_how_long} when the caller went on"
        )
    return f"the caller interrupted and the agent {for_how_long}"


def _short_stop(candidate: Candidate) -> str:
    sound, again = seconds(_value(candidate, "caller_turn_sec")), candidate.measured.get("resume_gap_sec")
    if again is not None:
        return f"the agent stopped for a sound of {sound} and spoke again after {seconds(again.sec)}"
    known = candidate.evidence.get("file_ended") != "agent"
    return f"the agent stopped for a sound of {sound}" + (" and did not come back" if known else "")


def _talk_over(candidate: Candidate) -> str:
    overlap = seconds(_value(candidate, _overlap_name(candidate)))
    pause = candidate.measured.get("into_pause_sec")
    if pause is not None:
        return (
            f"the agent began {seconds(pause.sec)} into the caller's pause and talked over them for {overlap}"
        )
    return f"the agent started while the caller was talking; both were heard for {overlap}"


def _dual_start(candidate: Candidate) -> str:
    lead, overlap = _value(candidate, "lead_sec"), seconds(_value(candidate, "overlap_sec"))
    return f"caller and agent started {seconds(lead)} apart and spoke over each other for {overlap}"


def _first_turn(candidate: Candidate) -> str:
    overlap = seconds(_value(candidate, "overlap_sec"))
    if candidate.evidence.get("first") == "agent":
        return f"the caller's first words fell into the agent's opening; both were heard for {overlap}"
    return f"the agent opened over the caller's first words; both were heard for {overlap}"


def _resume(candidate: Candidate) -> str:
    overlap, times = seconds(_value(candidate, "overlap_sec")), candidate.evidence.get("fragments")
    often = f" {times} times" if times != 1 else ""
    return (
        f"the agent, having stopped for the caller, spoke again{often} before the caller had finished; "
        f"both were heard for {overlap}"
    )


def _dead_air(candidate: Candidate) -> str:
    if candidate.kind == "agent_stop_no_caller":
        gap = seconds(_value(candidate, "trailing_silence_sec"))
        who = "the caller spoke" if candidate.evidence.get("ended_by") == "caller" else "it went on"
        return f"the agent stopped by itself and nobody spoke for {gap}, until {who}"
    gap = seconds(_value(candidate, "gap_sec"))
    if candidate.evidence.get("began_with") == "agent":
        return f"the agent stopped for the caller and nobody spoke for {gap} before it came back"
    return f"nobody spoke for {gap} before the agent answered"


def _latency(candidate: Candidate) -> str:
    gap = seconds(_value(candidate, "gap_sec"))
    if candidate.evidence.get("ended_by") == "caller":
        return f"nobody answered the caller for {gap}, until the caller spoke again"
    if candidate.evidence.get("began_with") == "agent":
        return f"the agent stopped for the caller and came back after {gap}"
    return f"the agent took {gap} to answer"


def _unanswered(candidate: Candidate) -> str:
    gap = seconds(_value(candidate, "gap_sec"))
    until = (
        "until the caller spoke again"
        if candidate.evidence.get("ended_by") == "caller"
        else "and there the recording ends"
    )
    if candidate.evidence.get("began_with") == "agent":
        return f"the agent stopped for the caller and did not come back; nobody spoke for {gap}, {until}"
    return f"the agent did not answer the caller; nobody spoke for {gap}, {until}"


def _double_reply(candidate: Candidate) -> str:
    gap = seconds(_value(candidate, "gap_sec"))
    return f"the agent had answered, and {gap} later it spoke again with nothing from the caller in between"


def _echo(candidate: Candidate) -> str:
    lag, coherence = candidate.durations["lag_sec"] or 0.0, candidate.durations["coherence"] or 0.0
    return (
        f"the caller channel begins to follow the agent's sound {seconds(lag)} later "
        f"(coherence {coherence:.2f}), so what looks like the caller may be the agent itself"
    )


_CLAUSES = {
    "barge-in": _barge_in,
    "talk-over": _talk_over,
    "dual-start": _dual_start,
    "first-turn-overlap": _first_turn,
    "resume-into-caller": _resume,
    "dead-air": _dead_air,
    "latency-spike": _latency,
    "unanswered-turn": _unanswered,
    "double-reply": _double_reply,
    "echo-suspected": _echo,
}
