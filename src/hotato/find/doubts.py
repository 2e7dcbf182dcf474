"""Reasons not to rest a confident verdict on one moment."""

from __future__ import annotations

import numpy as np

from hotato.find.call import Call, holding
from hotato.timing import Reason
from hotato.timing.energy import Floats


def channel_reasons(call: Call) -> tuple[Reason, ...]:
    """What weakens every moment of the call: doubts of either channel, one for each code."""
    found = [*call.caller.doubts, *call.agent.doubts]
    if call.heard.identical:
        found.append(Reason("channels_identical"))
    return tuple({reason.code: reason for reason in reversed(found)}.values())[::-1]


def onset_reasons(call: Call, frame: int) -> tuple[Reason, ...]:
    """What weakens the caller sound that begins, or is under way, at `frame`."""
    found = (_weak_onset(call, frame), _echo_explained(call, frame))
    return tuple(reason for reason in found if reason is not None)


def echoes(call: Call, frame: int) -> bool:
    """Whether the agent explains the caller sound at `frame`, so that nobody began anything there."""
    return _echo_explained(call, frame) is not None


def _weak_onset(call: Call, frame: int) -> Reason | None:
    """The sound hardly rises above the threshold: it may be noise or a voice in the background."""
    caller = call.caller
    inside = caller.dbfs[frame : frame + max(1, call.frames_of(call.params.onset_level_sec))]
    over = float(inside.max(initial=caller.threshold_db)) - caller.threshold_db
    if over >= call.params.weak_onset_db:
        return None
    return Reason("weak_onset", {"over_threshold_db": round(over, 1)})


def _echo_explained(call: Call, frame: int) -> Reason | None:
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
    level = call.caller.dbfs[frame:stop]
    best = min(_residuals(call, level, heard, frame), default=None)
    if best is None or best[0] > params.residual_db:
        return None
    residual, lag, gain = best
    return Reason(
        "echo_explained",
        {"residual_db": round(residual, 2), "lag_sec": call.sec(lag), "gain_db": round(gain, 1)},
    )


def _residuals(
    call: Call, level: Floats, heard: np.ndarray[tuple[int], np.dtype[np.bool_]], frame: int
) -> list[tuple[float, int, float]]:
    """(spread of the difference, lag, gain) for every lag at which the agent has a shape to match."""
    params = call.echo_params
    found = []
    for lag in range(min(frame, call.frames_of(params.max_lag_sec)) + 1):
        begin = frame - lag
        agent = call.agent.dbfs[begin : begin + len(level)][heard]
        if float(agent.std()) < params.agent_variation_db:
            continue
        difference = level[heard] - agent
        gain = float(np.median(difference))
        if gain <= params.max_gain_db:
            found.append((float(difference.std()), lag, gain))
    return found
