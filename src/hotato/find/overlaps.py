"""Moments at which both parties sound: the caller joins the agent, both begin, or the agent comes back.

What the agent begins over the caller stands in `starts`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hotato.find import measures
from hotato.find.doubts import echoes, onset_reasons
from hotato.find.encounter import caller_turn, goes_on, pair_evidence, stretch_at, under_way, with_hangover
from hotato.find.records import Candidate
from hotato.find.silences import file_ended
from hotato.find.walk import Walk, beginning_in, following, holding
from hotato.findings import Evidence
from hotato.timing import Measured, ResumeParams, Run, onset_edge
from hotato.timing.event import find_yield, talking_at
from hotato.timing.silence import sound_end


def interruptions(call: Walk) -> Iterator[Candidate]:
    """`overlap_while_agent_talking`: the caller begins while the agent is talking."""
    lookback = call.frames_of(call.cfg.agent_onset_lookback_sec)
    for run in call.caller.runs:
        if talking_at(call.agent.active, run.first, lookback):
            yield _interruption(call, run)


def _interruption(call: Walk, run: Run) -> Candidate:
    onset = run.first
    quiet = agent_quiet_after(call, onset)
    search_stop = min(call.frames, onset + call.frames_of(call.cfg.max_search_sec))
    stop = search_stop if quiet is None else quiet
    overlap_sec = call.sec(call.overlap_frames(onset, stop))
    measured = {"overlap_sec": measures.overlap(call, onset, stop, overlap_sec)}
    after = None if quiet is None else call.sec(quiet - onset)
    if quiet is not None:
        end = sound_end(call.agent, quiet)
        measured["after_sec"] = measures.between(onset_edge(call.caller, onset), end, after)
    elif (alone := agent_quiet_after(call, onset, near=False)) is not None:
        measured["quiet_alone_sec"] = measures.between(
            onset_edge(call.caller, onset), sound_end(call.agent, alone), None
        )
    turn = caller_turn(call, onset)
    turn_stop = min(stop, with_hangover(call, turn))
    turn_overlap = call.sec(call.overlap_frames(onset, turn_stop))
    measured["turn_overlap_sec"] = (
        measured["overlap_sec"]
        if turn_stop == stop
        else measures.overlap(call, onset, turn_stop, turn_overlap)
    )
    measured["caller_turn_sec"] = _turn_length(call, turn)
    if quiet is not None and (resumed := following(call.agent.runs, quiet)) is not None:
        measured["resume_gap_sec"] = measures.between(
            sound_end(call.agent, quiet),
            onset_edge(call.agent, resumed.first),
            call.sec(resumed.first - quiet),
        )
    return Candidate(
        kind="overlap_while_agent_talking",
        t_sec=call.sec(onset),
        span=measures.overlap_span(call, onset, turn_stop),
        durations={"overlap_sec": overlap_sec},
        agent_reaction={
            "went_silent_within_search": quiet is not None,
            "after_sec": after,
            "search_window_sec": call.cfg.max_search_sec,
        },
        measured=measured,
        salience=overlap_sec,
        doubts=onset_reasons(call, onset),
        evidence={
            **pair_evidence(call, turn, onset),
            "turn_overlap_sec": turn_overlap,
            "caller_turn_sec": call.sec(turn.frames),
            **_pause_before(call, turn, onset),
            **_after_quiet(call, turn, quiet),
        },
    )


def _turn_length(call: Walk, turn: Run) -> Measured:
    ends = onset_edge(call.caller, turn.first), sound_end(call.caller, turn.stop)
    return measures.between(*ends, None)


def _pause_before(call: Walk, turn: Run, onset: int) -> Evidence:
    """The pause before the caller's turn, where the agent began in it and it was a short one."""
    own, last = holding(call.agent_turns, onset), holding(call.caller_turns, turn.first - 1)
    if own is None or last is None or not last.stop < own.first <= turn.first:
        return {}
    long = turn.first - last.stop > call.frames_of(call.params.cut_in_sec)
    if long or not under_way(call, last.first, last.stop):
        return {}
    return {
        "caller_pause_sec": call.sec(turn.first - last.stop),
        "agent_into_pause_sec": call.sec(own.first - last.stop),
    }


def _after_quiet(call: Walk, turn: Run, quiet: int | None) -> Evidence:
    """When the agent went quiet relative to the end of the caller's turn, and what it did then.

    It restarted when its next turn, before the caller speaks again, lasts as long as a restart does.
    """
    if quiet is None:
        return {"resume_gap_sec": None}
    after = following(call.agent.runs, quiet)
    evidence: Evidence = {
        "resume_gap_sec": None if after is None else call.sec(after.first - quiet),
        "quiet_after_turn_sec": round(sound_end(call.agent, quiet).sec - call.sec(turn.stop), 3),
    }
    if after is None:
        return evidence | file_ended(call, call.frames)
    spoken, again = following(call.agent_turns, after.first), following(call.caller_turns, turn.stop)
    uninterrupted = again is None or again.first > after.first
    length = 0.0 if spoken is None or spoken.first != after.first else call.sec(spoken.frames)
    return evidence | {"restarted": uninterrupted and length >= ResumeParams().restart_min_sec}


def agent_quiet_after(call: Walk, onset: int, *, near: bool = True) -> int | None:
    """`find_yield` on the part of the call that it can depend on, so that a long call stays linear.

    An agent whose recording ends there was cut off and did not fall quiet. Without `near` it does not matter
    whether the caller was near when the agent fell quiet: such a silence is no yield.
    """
    around, hold = (call.frames_of(s) for s in (call.cfg.caller_proximity_sec, call.cfg.yield_hangover_sec))
    first = max(0, onset - around)
    stop = onset + call.frames_of(call.cfg.max_search_sec) + max(hold, around) + 1
    caller, agent = call.caller.active[first:stop], call.agent.active[first:stop]
    caller = caller if near else np.ones_like(caller)
    quiet = find_yield(caller, agent, onset - first, call.cfg, call.heard.grid)
    if quiet is None or call.cut_off(quiet + first):
        return None
    return quiet + first


def dual_starts(call: Walk) -> Iterator[Candidate]:
    """`dual_start`: both begin a turn almost together, and then sound together.

    A turn begins after more than `turn_pause_sec` of its party's silence, so a dual start always comes out of
    joint silence, and an agent that merely pauses between two words is none.
    """
    apart = call.frames_of(call.params.dual_start_sec)
    for turn in call.caller_turns:
        meeting = following(call.agent_turns, turn.first - apart)
        if meeting is None or meeting.first - turn.first > apart:
            continue
        began, joined = min(turn.first, meeting.first), max(turn.first, meeting.first)
        if began > 0 and _together(call, joined) and not _echo_of(call, turn, meeting):
            yield _meeting(call, "dual_start", turn, meeting, began)


def first_turn_overlaps(call: Walk) -> Iterator[Candidate]:
    """`first_turn_overlap`: the first turns of both collide.

    The agent begins its first turn over the caller's first, or the caller's first begins within
    `first_turn_sec` of the agent's. A party that is already active in the first frame began before the
    recording did, so nothing is known of its first turn.
    """
    if not call.caller.runs or not call.agent.runs:
        return
    caller, agent = call.caller.runs[0], call.agent.runs[0]
    if caller.first == 0 or agent.first == 0:
        return
    joined = max(caller.first, agent.first)
    late = caller.first - agent.first > call.frames_of(call.params.first_turn_sec)
    if _together(call, joined) and not late and not _echo_of(call, caller, agent):
        yield _meeting(call, "first_turn_overlap", caller, agent, joined)


def _together(call: Walk, frame: int) -> bool:
    """Whether both really sound at `frame`, and neither is only carried on by the hangover."""
    return bool(call.caller.trimmed[frame] and call.agent.trimmed[frame])


def _meeting(call: Walk, kind: str, caller: Run, agent: Run, frame: int) -> Candidate:
    """The caller and the agent begin near each other: a candidate at `frame`."""
    joined = max(caller.first, agent.first)
    turn = caller_turn(call, max(joined, caller.first))
    stretch = stretch_at(call, joined)
    stop = min(with_hangover(call, turn), stretch.stop)
    overlap_sec = call.sec(call.overlap_frames(joined, stop))
    lead = abs(caller.first - agent.first)
    first = "both" if not lead else "caller" if caller.first < agent.first else "agent"
    return Candidate(
        kind=kind,
        t_sec=call.sec(frame),
        span=measures.overlap_span(call, joined, stop),
        durations={"overlap_sec": overlap_sec, "lead_sec": call.sec(lead)},
        measured={
            "overlap_sec": measures.overlap(call, joined, stop, overlap_sec),
            "lead_sec": _lead(call, caller, agent),
        },
        salience=overlap_sec,
        doubts=onset_reasons(call, caller.first),
        evidence={**pair_evidence(call, turn, joined), "first": first},
    )


def _echo_of(call: Walk, caller: Run, agent: Run) -> bool:
    """Whether the caller's beginning is only the agent's, a lag later: then nobody else began."""
    echo = call.heard.echo
    late = call.sec(caller.first - agent.first) - echo.lag_sec
    copied = call.heard.echo_suspected and abs(late) <= call.echo_params.lag_tolerance_sec
    return copied or echoes(call, caller.first)


def _lead(call: Walk, caller: Run, agent: Run) -> Measured:
    edges = [onset_edge(call.caller, caller.first), onset_edge(call.agent, agent.first)]
    earlier, later = sorted(edges, key=lambda edge: edge.sec)
    return measures.between(earlier, later, call.sec(abs(caller.first - agent.first)))


def resumes_into_caller(call: Walk) -> Iterator[Candidate]:
    """`resume_into_caller`: the agent yielded to an interruption and speaks again before that turn ends."""
    lookback = call.frames_of(call.cfg.agent_onset_lookback_sec)
    nearly, window = (
        call.frames_of(call.cfg.premature_tolerance_sec),
        call.frames_of(ResumeParams().window_sec),
    )
    done = -1
    for run in call.caller.runs:
        turn = caller_turn(call, run.first)
        if turn.first == done or not talking_at(call.agent.active, run.first, lookback):
            continue
        quiet = agent_quiet_after(call, run.first)
        again = None if quiet is None else following(call.agent.runs, quiet + 1)
        if quiet is None or again is None:
            continue
        if again.first < turn.stop - nearly and again.first - quiet <= window:
            done = turn.first
            pieces = beginning_in(call.agent.runs, again.first, turn.stop - nearly)
            yield _resume(call, turn, quiet, pieces)


def _resume(call: Walk, turn: Run, quiet: int, pieces: list[Run]) -> Candidate:
    first = pieces[0].first
    stop = min(pieces[-1].stop, with_hangover(call, turn))
    overlap_sec = call.sec(call.overlap_frames(first, stop))
    left = call.sec(turn.stop - first)
    end = sound_end(call.caller, turn.stop)
    return Candidate(
        kind="resume_into_caller",
        t_sec=call.sec(first),
        span=measures.overlap_span(call, first, stop),
        durations={"overlap_sec": overlap_sec, "caller_kept_talking_sec": left},
        measured={
            "overlap_sec": measures.overlap(call, first, stop, overlap_sec),
            "caller_kept_talking_sec": measures.between(onset_edge(call.agent, first), end, left),
            "quiet_before_sec": measures.between(
                sound_end(call.agent, quiet),
                onset_edge(call.agent, first),
                call.sec(first - quiet),
            ),
        },
        salience=overlap_sec,
        doubts=onset_reasons(call, turn.first),
        evidence={
            **pair_evidence(call, turn, first),
            "fragments": len(pieces),
            "quiet_before_sec": call.sec(first - quiet),
            "caller_turn_sec": call.sec(turn.frames),
            "goes_on": goes_on(call, pieces[0], turn),
        },
    )
