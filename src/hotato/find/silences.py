"""Moments at which nobody sounds: whose silence it was, and who ended it.

Silence is joint silence, so no span here ever holds anybody's activity, and each silence gives at most one
candidate:

    began with       ended by           candidate
    the caller       agent, caller, end long_response_gap, from min_gap_sec
    an agent yield   agent              long_response_gap, from min_gap_sec
    an agent yield   caller, end        unanswered_turn, from min_gap_sec (unanswered_end_sec at the end)
    the agent alone  agent, caller      agent_stop_no_caller, from yield_hangover_sec
    the agent alone  end                none: the end of the recording is not dead air
"""

from __future__ import annotations

from collections.abc import Iterator

from hotato.find import measures
from hotato.find.records import Candidate
from hotato.find.walk import Walk, beginning_in, following, holding
from hotato.findings import Evidence
from hotato.timing import Run, duration, onset_edge
from hotato.timing.silence import sound_end

CALLER, AGENT, END = "caller", "agent", "end_of_recording"


def silent_moments(call: Walk) -> Iterator[Candidate]:
    """At most one candidate for each joint silence that somebody's sound began."""
    long = max(call.frames_of(call.params.min_gap_sec), call.frames_of(call.cfg.turn_end_silence_sec))
    for silence in call.silences:
        if silence.first == 0:
            continue
        ended_by = _ended_by(call, silence)
        if call.caller.active[silence.first - 1]:
            if silence.frames >= long:
                yield _gap(call, silence, "long_response_gap", CALLER, ended_by)
        elif _caller_near(call, silence.first):
            enough = long if ended_by != END else call.frames_of(call.params.unanswered_end_sec)
            if silence.frames >= enough and _interrupted(call, silence.first):
                kind = "long_response_gap" if ended_by == AGENT else "unanswered_turn"
                yield _gap(call, silence, kind, AGENT, ended_by)
        elif ended_by != END and silence.frames >= call.frames_of(call.cfg.yield_hangover_sec):
            yield _agent_stop(call, silence, ended_by)


def _ended_by(call: Walk, silence: Run) -> str:
    if silence.stop >= call.frames:
        return END
    return AGENT if call.agent.active[silence.stop] else CALLER


def _caller_near(call: Walk, frame: int) -> bool:
    near = call.frames_of(call.cfg.caller_proximity_sec)
    return bool(call.caller.active[max(0, frame - near) : frame + near + 1].any())


def _interrupted(call: Walk, frame: int) -> bool:
    """Whether the caller's last sound before `frame` began after the agent's: the agent gave way to it."""
    caller, agent = holding(call.caller.runs, frame - 1), holding(call.agent_stretches, frame - 1)
    return caller is not None and agent is not None and caller.first > agent.first


def _gap(call: Walk, silence: Run, kind: str, began_with: str, ended_by: str) -> Candidate:
    gap_sec = call.sec(silence.frames)
    answer = following(call.agent.runs, silence.first)
    return Candidate(
        kind=kind,
        t_sec=call.sec(silence.first),
        span=measures.silence_span(call, silence.first, silence.stop),
        durations={"gap_sec": gap_sec},
        agent_reaction={"next_agent_onset_sec": None if answer is None else call.sec(answer.first)},
        measured={"gap_sec": measures.silence(call, silence.first, silence.stop)},
        salience=gap_sec,
        evidence=_silence_evidence(call, silence, began_with, ended_by),
    )


def _agent_stop(call: Walk, silence: Run, ended_by: str) -> Candidate:
    trailing = call.sec(silence.frames)
    return Candidate(
        kind="agent_stop_no_caller",
        t_sec=call.sec(silence.first),
        span=measures.silence_span(call, silence.first, silence.stop),
        durations={
            "trailing_silence_sec": trailing,
            "caller_proximity_sec": call.cfg.caller_proximity_sec,
        },
        measured={"trailing_silence_sec": measures.silence(call, silence.first, silence.stop)},
        salience=trailing,
        evidence=_silence_evidence(call, silence, AGENT, ended_by),
    )


def _silence_evidence(call: Walk, silence: Run, began_with: str, ended_by: str) -> Evidence:
    evidence: Evidence = {
        "began_with": began_with,
        "ended_by": ended_by,
        "caller_over_noise_db": _level_before(call, CALLER, silence.first),
        "agent_over_noise_db": _level_before(call, AGENT, silence.first),
        "echo_coherence": call.heard.echo.coherence,
    }
    if ended_by == CALLER:
        turn = holding(call.caller_turns, silence.stop)
        evidence["caller_turn_after_sec"] = None if turn is None else call.sec(turn.frames)
    return evidence | file_ended(call, silence.stop)


def file_ended(call: Walk, frame: int) -> Evidence:
    """Whose file or channel had ended before `frame`: from there on nothing is known of that party."""
    if call.ended is None or call.ended[1] >= frame:
        return {}
    return {"file_ended": call.ended[0]}


def _level_before(call: Walk, party: str, frame: int) -> float | None:
    activity = call.caller if party == CALLER else call.agent
    run = holding(activity.runs, frame - 1)
    return None if run is None else measures.level_over_noise_db(call, activity, run.first, run.stop)


def double_replies(call: Walk) -> Iterator[Candidate]:
    """`double_reply`: after one caller turn the agent takes two turns with joint silence between them."""
    gap = call.frames_of(call.params.second_reply_gap_sec)
    least = call.frames_of(call.params.reply_min_sec)
    turns = call.caller_turns
    for index, turn in enumerate(turns):
        until = turns[index + 1].first if index + 1 < len(turns) else call.frames
        replies = [r for r in beginning_in(call.agent_turns, turn.stop, until) if r.frames >= least]
        if len(replies) < 2 or _agent_under_way(call, turn.stop):
            continue
        first, second = replies[0], replies[1]
        silence = holding(call.silences, second.first - 1)
        if silence is not None and silence.stop == second.first and silence.frames >= gap:
            yield _double_reply(call, turn, first, second, silence)


def _agent_under_way(call: Walk, frame: int) -> bool:
    """Whether an agent turn that began earlier still runs at `frame`: what follows continues it."""
    turn = holding(call.agent_turns, frame - 1)
    return turn is not None and turn.stop > frame


def _double_reply(call: Walk, turn: Run, first: Run, second: Run, silence: Run) -> Candidate:
    length = call.sec(second.frames)
    ends = onset_edge(call.agent, second.first), sound_end(call.agent, second.stop)
    return Candidate(
        kind="double_reply",
        t_sec=call.sec(second.first),
        span=measures.silence_span(call, silence.first, silence.stop),
        durations={"gap_sec": call.sec(silence.frames), "reply_sec": length},
        measured={
            "gap_sec": measures.silence(call, silence.first, silence.stop),
            "reply_sec": duration(*ends, length),
        },
        salience=call.sec(silence.frames),
        evidence={
            "silence_start_sec": call.sec(silence.first),
            "caller_turn_start_sec": call.sec(turn.first),
            "caller_turn_end_sec": call.sec(turn.stop),
            "first_reply_start_sec": call.sec(first.first),
            "first_reply_sec": call.sec(first.frames),
            **file_ended(call, second.first),
        },
    )
