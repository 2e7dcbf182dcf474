"""Who meets whom: the turns of caller and agent that an overlap is made of."""

from __future__ import annotations

from hotato.find import measures
from hotato.find.walk import Walk, holding
from hotato.findings import Evidence
from hotato.timing import Run


def caller_turn(call: Walk, frame: int) -> Run:
    """The caller's turn under way at `frame`, or the last one begun before it."""
    turn = holding(call.caller_turns, frame)
    return Run(frame, frame) if turn is None else turn


def stretch_at(call: Walk, frame: int) -> Run:
    """The agent's stretch under way at `frame`, or the last one begun before it."""
    stretch = holding(call.agent_stretches, frame)
    return Run(frame, frame) if stretch is None else stretch


def pair_evidence(call: Walk, turn: Run, frame: int) -> Evidence:
    """Which caller turn meets which stretch of the agent, and how loud each is there.

    The first two start times name the encounter: candidates that share both describe one moment.
    """
    stretch, own = stretch_at(call, frame), holding(call.agent_turns, frame)
    return {
        "caller_turn_start_sec": call.sec(turn.first),
        "agent_start_sec": call.sec(stretch.first),
        "agent_turn_start_sec": call.sec(frame if own is None else own.first),
        "agent_joined": own is not None and joins(call, own, turn),
        "caller_over_noise_db": measures.level_over_noise_db(call, call.caller, turn.first, turn.stop),
        "agent_over_noise_db": measures.level_over_noise_db(call, call.agent, stretch.first, stretch.stop),
        "echo_coherence": call.heard.echo.coherence,
    }


def joins(call: Walk, own: Run, turn: Run) -> bool:
    """Whether a turn of the agent begins inside one of the caller that is under way.

    A breath or a click shortly before the agent begins is no turn under way.
    """
    if not turn.first < own.first < turn.stop:
        return False
    return under_way(call, turn.first, own.first)


def under_way(call: Walk, first: int, stop: int) -> bool:
    """Whether enough of the caller sounds in frames [first, stop) for a turn."""
    return call.caller.sounding_frames(first, stop) >= call.frames_of(call.params.under_way_sec)


def goes_on(call: Walk, run: Run, turn: Run) -> bool:
    """Whether the agent only goes on after a short pause in a turn that the caller's sound fell into."""
    own = holding(call.agent_turns, run.first)
    return own is not None and own.first < min(run.first, turn.first) and own.stop > run.first


def with_hangover(call: Walk, turn: Run) -> int:
    """Where the documented activity of a turn of the caller at raw edges ends."""
    run = holding(call.caller.runs, max(turn.first, turn.stop - 1))
    return turn.stop if run is None else run.stop
