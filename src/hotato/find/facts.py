"""What a sceptic asks next about an incident: label and text pairs, and the magnitudes on one line."""

from __future__ import annotations

from hotato.find.dominance import Standing
from hotato.find.records import Candidate
from hotato.find.wording import TITLES, clock, seconds
from hotato.listen import Heard, Track
from hotato.timing import Measured

_DIGITAL_SILENCE_DBFS = -100.0
_COPY = "echo_present"
_LEAKS = frozenset({"leakage", "crosstalk", "both_parties_on_both_channels"})
_PARTY = {"agent": "the agent", "caller": "the caller", "end_of_recording": "the end of the recording"}

Facts = list[tuple[str, str]]


def facts(found: Standing, heard: Heard) -> tuple[tuple[str, str], ...]:
    """The facts of an incident in a two-channel call, most wanted first."""
    candidate = found.grade.candidate
    told: Facts = [*_reaction(found), *_silence(candidate), *_extras(found)]
    if found.also:
        told.append(("also", ", ".join(TITLES[key].lower() for key in found.also)))
    level = candidate.evidence.get("caller_over_noise_db")
    if isinstance(level, float):
        told.append(("caller level", _level(level, heard.caller)))
    told.append(("echo", _echo(candidate, heard)))
    told.append(("detector", _detector(heard)))
    number, bound = found.grade.headline, found.grade.bound_sec
    documented = None if number is None else number.documented_sec
    if documented is not None:
        hangover = heard.cfg.agent_vad.hangover_sec
        told.append(
            ("documented value", f"{seconds(documented)}, each sound carried on for {seconds(hangover)}")
        )
    if found.grade.boundary_sensitive and number is not None and bound is not None:
        told.insert(0, ("limit", too_close(number, bound)))
    return tuple(told)


def too_close(number: Measured, bound_sec: float) -> str:
    """Why a number is held to be on neither side of its limit."""
    return (
        f"too close to call: {seconds(bound_sec)} lies between the {seconds(number.lo_sec)} and "
        f"{seconds(number.hi_sec)} that the edges allow"
    )


def detail(candidate: Candidate) -> str:
    """The magnitudes on one line: at the raw energy edges, as in the sentence beside it, with the documented
    value where that differs; else as documented."""
    parts = [
        _told(candidate, name, value) for name, value in candidate.durations.items() if value is not None
    ]
    reaction = candidate.agent_reaction or {}
    if "went_silent_within_search" in reaction:
        window = reaction["search_window_sec"]
        after = candidate.measured.get("after_sec", candidate.measured.get("quiet_alone_sec"))
        parts.append(
            f"agent not quiet within {window:.1f} s"
            if after is None
            else f"agent quiet after {after.sec:.2f} s"
        )
    if "next_agent_onset_sec" in reaction:
        answer = reaction["next_agent_onset_sec"]
        parts.append("agent not heard again" if answer is None else f"agent heard again at {answer:.2f} s")
    return ", ".join(parts)


def _told(candidate: Candidate, name: str, value: float) -> str:
    words = name.removesuffix("_sec").replace("_", " ")
    if not name.endswith("_sec"):
        return f"{words} {value:.2f}"
    measured = candidate.measured.get(name)
    if measured is None or seconds(measured.sec) == seconds(value):
        return f"{words} {seconds(value)}"
    return f"{words} {seconds(measured.sec)} (documented {seconds(value)})"


def _reaction(found: Standing) -> Facts:
    candidate = found.grade.candidate
    reaction, bound = candidate.agent_reaction or {}, found.grade.bound_sec
    if found.grade.short_stop:
        quiet = seconds(candidate.measured["after_sec"].sec)
        sound = seconds(candidate.measured["caller_turn_sec"].sec)
        return [
            ("caller's sound", sound),
            ("resumed", resumed(candidate)),
            ("went quiet", f"{quiet} after the sound began"),
        ]
    if "went_silent_within_search" not in reaction:
        return []
    limit = "" if bound is None else f" (limit {seconds(bound)})"
    if (alone := candidate.measured.get("quiet_alone_sec")) is not None:
        return [("went quiet", f"after {seconds(alone.sec)}, when no caller was near any more{limit}")]
    if not reaction["went_silent_within_search"]:
        return [("went quiet", f"not within {seconds(reaction['search_window_sec'] or 0.0)}{limit}")]
    after = seconds(candidate.measured["after_sec"].sec)
    return [("went quiet", f"after {after}{limit}"), ("resumed", resumed(candidate))]


def resumed(candidate: Candidate) -> str:
    """What the agent did after it went quiet: `never`, `after 0.68 s`, and whether it started over."""
    gap = candidate.measured.get("resume_gap_sec")
    if gap is None:
        return "not before its recording ends" if candidate.evidence.get("file_ended") == "agent" else "never"
    over = ", with a turn as long as a restart" if candidate.evidence.get("restarted") else ""
    return f"after {seconds(gap.sec)}{over}"


def _silence(candidate: Candidate) -> Facts:
    ended_by, began_with = candidate.evidence.get("ended_by"), candidate.evidence.get("began_with")
    if not isinstance(ended_by, str):
        return []
    who = _PARTY[ended_by]
    ended = who if ended_by == "end_of_recording" else f"{who} at {clock(candidate.span.end_sec, 2)}"
    began = "the caller's last sound" if began_with == "caller" else "the agent's last sound"
    answer = (candidate.agent_reaction or {}).get("next_agent_onset_sec")
    later: Facts = []
    if ended_by == "caller" and isinstance(answer, float):
        later = [("agent heard again", f"at {clock(answer, 2)}")]
    return [("ended by", ended), *later, ("began after", began)]


def _extras(found: Standing) -> Facts:
    told: Facts = []
    candidate = found.grade.candidate
    evidence = candidate.evidence
    if "fragments" in evidence:
        told.append(("fragments", str(evidence["fragments"])))
    if (quiet := candidate.measured.get("quiet_before_sec")) is not None:
        told.append(("quiet before", seconds(quiet.sec)))
    turn = evidence.get("caller_turn_sec")
    if isinstance(turn, float) and not found.grade.short_stop:
        told.append(("caller's turn", seconds(turn)))
    if (lead := candidate.measured.get("premature_start_sec")) is not None:
        told.append(("lead", f"{seconds(lead.sec)} before the caller's turn ended"))
    elif (kept := candidate.measured.get("caller_kept_talking_sec")) is not None:
        told.append(("caller went on", f"for {seconds(kept.sec)}"))
    if isinstance(reply := evidence.get("first_reply_sec"), float):
        told.append(("replies", f"{seconds(reply)}, then {seconds(candidate.measured['reply_sec'].sec)}"))
    return told


def _level(over_db: float, track: Track) -> str:
    digital = track.activity.noise_floor_db < _DIGITAL_SILENCE_DBFS
    if digital:
        return f"{over_db + track.activity.noise_floor_db:.0f} dBFS over digital silence"
    return f"{over_db:.0f} dB over noise"


def _echo(candidate: Candidate, heard: Heard) -> str:
    """What is known of echo: `none` only where nothing speaks for a copy, however low the coherence is."""
    echo, caller = heard.echo, heard.caller.activity
    codes = {reason.code for reason in (*candidate.doubts, *caller.doubts)}
    copy = next((reason for reason in caller.reasons if reason.code == _COPY), None)
    word = "none"
    if heard.echo_suspected:
        word = f"suspected at {seconds(echo.lag_sec)}"
    elif copy is not None:
        lag = copy.evidence.get("lag_sec")
        later = f" {seconds(lag)} later" if isinstance(lag, float) else ""
        past = "" if _COPY in codes else ", which the robust detector heard past"
        word = f"a copy of the agent{later} on the caller's channel{past}"
    elif _COPY in codes:
        word = "a copy of the agent on the caller's channel is possible"
    elif codes & _LEAKS:
        word = "sound of one party is on the other's channel"
    return f"{word} (coherence {echo.coherence:.2f})"


def _detector(heard: Heard) -> str:
    names = (heard.caller.activity.detector, heard.agent.activity.detector)
    return names[0] if names[0] == names[1] else f"{names[0]} (caller), {names[1]} (agent)"
