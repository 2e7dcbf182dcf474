"""What a sceptic asks next about an incident: label and text pairs, and the magnitudes on one line."""

from __future__ import annotations

from hotato.find.dominance import Standing
from hotato.find.records import Candidate
from hotato.find.wording import TITLES, clock, seconds
from hotato.listen import Heard, Track

_DIGITAL_SILENCE_DBFS = -100.0
_PARTY = {"agent": "the agent", "caller": "the caller", "end_of_recording": "the end of the recording"}

Facts = list[tuple[str, str]]


def facts(found: Standing, heard: Heard) -> tuple[tuple[str, str], ...]:
    """The facts of an incident in a two-channel call, most wanted first."""
    candidate = found.grade.candidate
    told: Facts = [*_reaction(found), *_silence(candidate), *_extras(candidate)]
    if found.also:
        told.append(("also", ", ".join(TITLES[key].lower() for key in found.also)))
    level = candidate.evidence.get("caller_over_noise_db")
    if isinstance(level, float):
        told.append(("caller level", _level(level, heard.caller)))
    told.append(("echo", _echo(heard)))
    told.append(("detector", _detector(heard)))
    number = found.grade.headline
    documented = None if number is None else number.documented_sec
    if documented is not None:
        hangover = heard.cfg.agent_vad.hangover_sec
        told.append(
            ("documented value", f"{seconds(documented)}, each sound carried on for {seconds(hangover)}")
        )
    if found.grade.boundary_sensitive:
        told.append(("limit", "too close to call: it lies within the uncertainty of the edges"))
    return tuple(told)


def detail(candidate: Candidate) -> str:
    """The documented magnitudes on one line."""
    parts = [
        f"{name.removesuffix('_sec').replace('_', ' ')} {value:.2f}{' s' if name.endswith('_sec') else ''}"
        for name, value in candidate.durations.items()
        if value is not None
    ]
    reaction = candidate.agent_reaction or {}
    if "went_silent_within_search" in reaction:
        after, window = reaction["after_sec"], reaction["search_window_sec"]
        parts.append(
            f"agent not quiet within {window:.1f} s" if after is None else f"agent quiet after {after:.2f} s"
        )
    if "next_agent_onset_sec" in reaction:
        answer = reaction["next_agent_onset_sec"]
        parts.append("agent not heard again" if answer is None else f"agent heard again at {answer:.2f} s")
    return ", ".join(parts)


def _reaction(found: Standing) -> Facts:
    candidate = found.grade.candidate
    reaction, bound = candidate.agent_reaction or {}, found.grade.bound_sec
    if "went_silent_within_search" not in reaction:
        return []
    limit = "" if bound is None else f" (limit {seconds(bound)})"
    if not reaction["went_silent_within_search"]:
        return [("yielded", f"not within {seconds(reaction['search_window_sec'] or 0.0)}{limit}")]
    gap = candidate.evidence.get("resume_gap_sec")
    resumed = f"after {seconds(gap)}" if isinstance(gap, float) else "never"
    return [("yielded", f"after {seconds(candidate.measured['after_sec'].sec)}{limit}"), ("resumed", resumed)]


def _silence(candidate: Candidate) -> Facts:
    ended_by, began_with = candidate.evidence.get("ended_by"), candidate.evidence.get("began_with")
    if not isinstance(ended_by, str):
        return []
    who = _PARTY[ended_by]
    ended = who if ended_by == "end_of_recording" else f"{who} at {clock(candidate.span.end_sec)}"
    began = "the caller's last sound" if began_with == "caller" else "the agent's last sound"
    answer = (candidate.agent_reaction or {}).get("next_agent_onset_sec")
    later: Facts = []
    if ended_by == "caller" and isinstance(answer, float):
        later = [("agent heard again", f"at {clock(answer)}")]
    return [("ended by", ended), *later, ("began after", began)]


def _extras(candidate: Candidate) -> Facts:
    told: Facts = []
    evidence = candidate.evidence
    if "fragments" in evidence:
        told.append(("fragments", str(evidence["fragments"])))
    if isinstance(quiet := evidence.get("quiet_before_sec"), float):
        told.append(("quiet before", seconds(quiet)))
    if isinstance(turn := evidence.get("caller_turn_sec"), float):
        told.append(("caller's turn", seconds(turn)))
    if isinstance(kept := candidate.durations.get("caller_kept_talking_sec"), float):
        told.append(("caller went on", f"for {seconds(kept)}"))
    if isinstance(reply := evidence.get("first_reply_sec"), float):
        told.append(("replies", f"{seconds(reply)}, then {seconds(candidate.measured['reply_sec'].sec)}"))
    return told


def _level(over_db: float, track: Track) -> str:
    digital = track.activity.noise_floor_db < _DIGITAL_SILENCE_DBFS
    if digital:
        return f"{over_db + track.activity.noise_floor_db:.0f} dBFS over digital silence"
    return f"{over_db:.0f} dB over noise"


def _echo(heard: Heard) -> str:
    echo = heard.echo
    word = f"suspected at {seconds(echo.lag_sec)}" if echo.suspected else "none"
    return f"{word} (coherence {echo.coherence:.2f})"


def _detector(heard: Heard) -> str:
    names = (heard.caller.activity.detector, heard.agent.activity.detector)
    return names[0] if names[0] == names[1] else f"{names[0]} (caller), {names[1]} (agent)"
