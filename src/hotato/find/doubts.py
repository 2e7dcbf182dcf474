"""Reasons not to rest a confident verdict on one moment."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from hotato.find.clicks import is_click
from hotato.find.records import Candidate
from hotato.find.walk import Walk, holding
from hotato.timing import Reason, Span, music_between, uncertain_offset, uncertain_onset
from hotato.timing.energy import Floats
from hotato.timing.spans import Mask
from hotato.trust import missing_reasons

ECHO = "echo_explained"


def channel_reasons(call: Walk) -> tuple[Reason, ...]:
    """What weakens every moment of the call: doubts of either channel, one for each code."""
    found = [*call.caller.doubts, *call.agent.doubts]
    if call.heard.identical:
        found.append(Reason("channels_identical"))
    return tuple({reason.code: reason for reason in reversed(found)}.values())[::-1]


def onset_reasons(call: Walk, frame: int) -> tuple[Reason, ...]:
    """What weakens the caller sound that begins, or is under way, at `frame`."""
    known = call.onset_reasons.get(frame)
    if known is None:
        found = (_click(call, frame), _weak_onset(call, frame), _echo_explained(call, frame))
        known = call.onset_reasons[frame] = tuple(reason for reason in found if reason is not None)
    return known


def edge_reasons(call: Walk, span: Span) -> tuple[Reason, ...]:
    """What weakens a moment that begins and ends where the parties do: an edge that noise may have made."""
    first, stop = (call.frames_of(sec) for sec in (span.start_sec, span.end_sec))
    for party in (call.caller, call.agent):
        for frame in (first, stop):
            before = frame > 0 and bool(party.trimmed[frame - 1])
            after = frame < party.frames and bool(party.trimmed[frame])
            if before == after:
                continue
            found = uncertain_onset(party, frame) if after else uncertain_offset(party, frame)
            if found is not None:
                return (found,)
    return ()


def music_reasons(call: Walk, span: Span) -> tuple[Reason, ...]:
    """What weakens a moment during which music plays that may pass for a party."""
    first, stop = (call.frames_of(sec) for sec in (span.start_sec, span.end_sec))
    found = (music_between(party, first, stop) for party in (call.caller, call.agent))
    return tuple(reason for reason in found if reason is not None)[:1]


def missing_reasons_of(call: Walk, candidate: Candidate) -> tuple[Reason, ...]:
    """What weakens a moment that a drop-out, an early end or repeated samples may have made.

    What decides an overlap is also when the agent went quiet for it, and when it had gone quiet before.
    """
    first, stop = call.frames_of(candidate.span.start_sec), call.frames_of(candidate.span.end_sec)
    after = (candidate.agent_reaction or {}).get("after_sec")
    if after is not None:
        stop = max(stop, call.frames_of(candidate.t_sec + after))
    before = candidate.evidence.get("quiet_before_sec")
    if isinstance(before, float):
        first = min(first, call.frames_of(candidate.t_sec - before))
    return missing_reasons(call.missing, first, stop, call.frames_of(call.params.missing_near_sec))


def echoes(call: Walk, frame: int) -> bool:
    """Whether the agent explains the caller sound at `frame`, so that nobody began anything there."""
    return any(reason.code == ECHO for reason in onset_reasons(call, frame))


def _click(call: Walk, frame: int) -> Reason | None:
    """The whole turn is a click, as a codec's first packet leaves one, and no speech."""
    turn = holding(call.caller_turns, frame)
    if turn is None or not is_click(call.caller, turn, call.params):
        return None
    return Reason("click", {"sound_sec": call.sec(turn.frames)})


def _weak_onset(call: Walk, frame: int) -> Reason | None:
    """The sound hardly rises above the threshold: it may be noise or a voice in the background."""
    caller = call.caller
    inside = caller.dbfs[frame : frame + max(1, call.frames_of(call.params.onset_level_sec))]
    over = float(inside.max(initial=caller.threshold_db)) - caller.threshold_db
    if over >= call.params.weak_onset_db:
        return None
    return Reason("weak_onset", {"over_threshold_db": round(over, 1)})


def _echo_explained(call: Walk, frame: int) -> Reason | None:
    """The stretch is a delayed, scaled copy of the agent.

    In a copy the two levels differ by a constant: at the right lag the difference in dB hardly varies while
    the agent's own level does. A caller who speaks on top of the bleed breaks the constant.
    """
    params = call.echo_params
    run = holding(call.caller.runs, frame)
    if run is None:
        return None
    stop = min(run.stop, frame + call.frames_of(params.stretch_sec))
    heard = call.caller.raw[frame:stop]
    if np.count_nonzero(heard) < call.frames_of(params.min_stretch_sec):
        return None
    found = _best_match(call, call.caller.dbfs[frame:stop], heard, frame)
    return found or _known_match(call, frame, stop)


def _known_match(call: Walk, frame: int, stop: int) -> Reason | None:
    """The same where the robust detector knows lag and gain of an echo: one lag hardly fits by chance.

    So more variation is allowed. Only frames in which both sound count: in the agent's pauses is no copy.
    """
    params, known = call.echo_params, call.known_echo
    if known is None:
        return None
    lag_sec, gain_db = known
    about, near = call.frames_of(lag_sec), params.known_lag_frames
    found = []
    for lag in range(max(0, about - near), min(frame, about + near) + 1):
        agent = slice(frame - lag, stop - lag)
        both = call.caller.raw[frame:stop] & call.agent.raw[agent]
        levels = call.agent.dbfs[agent][both]
        if len(levels) < call.frames_of(params.min_stretch_sec) or levels.std() < params.agent_variation_db:
            continue
        difference = call.caller.dbfs[frame:stop][both] - levels
        found.append((float(difference.std()), lag, float(difference.mean())))
    if not found:
        return None
    residual_db, lag, mean_db = min(found)
    if residual_db > params.known_residual_db or mean_db > gain_db + params.known_over_gain_db:
        return None
    return _explained(residual_db, call.sec(lag), mean_db)


def _best_match(call: Walk, level: Floats, heard: Mask, frame: int) -> Reason | None:
    """The lag at which the difference of the levels varies least, among those with a shape to match."""
    params = call.echo_params
    lags = min(frame, call.frames_of(params.max_lag_sec))
    windows = sliding_window_view(call.agent.dbfs[frame - lags : frame + len(level)], len(level))
    agent = windows[::-1][:, heard]  # row k: the agent k frames earlier
    difference = level[heard] - agent
    gain, residual = difference.mean(axis=1), difference.std(axis=1)
    possible = (agent.std(axis=1) >= params.agent_variation_db) & (gain <= params.max_gain_db)
    lag = int(np.argmin(np.where(possible, residual, np.inf)))
    if not possible[lag] or residual[lag] > params.residual_db:
        return None
    return _explained(float(residual[lag]), call.sec(lag), float(gain[lag]))


def _explained(residual_db: float, lag_sec: float, gain_db: float) -> Reason:
    evidence = {"residual_db": round(residual_db, 2), "lag_sec": lag_sec, "gain_db": round(gain_db, 1)}
    return Reason(ECHO, evidence)
