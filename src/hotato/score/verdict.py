"""The label checked against the measurement: verdict, margin to the bounds, and what weakens either."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hotato.listen import Heard
from hotato.score.answer import answer_bound, late_answer
from hotato.score.check import Bound, Failure, NotScorable
from hotato.score.doubts import BRIDGED_SILENCE, NEAR_SILENCE
from hotato.score.parts import SnrEstimate, Verdict
from hotato.score.request import DOCUMENTED, Gates, Label
from hotato.timing import CalibratedTiming, Measured, Timing, measure_calibrated
from hotato.timing.snr import estimate_snr_db
from hotato.trust import recorded_frames
from hotato.trust.causes_crosstalk import PairParams, compare_channels
from hotato.trust.scorability import unreadable

HANGOVER_DECIDES = "hangover_decides"
NO_YIELD, SLOW_YIELD, TALK_OVER, FALSE_STOP = "no_yield", "slow_yield", "talk_over", "false_stop"
_ONSET_FLAG = "--onset SECONDS, or caller_onset_sec of a scenario"


def snr_of(heard: Heard, gates: Gates) -> SnrEstimate | None:
    """The SNR of both channels, where a gate asks for it."""
    if gates.snr_db is None:
        return None
    return SnrEstimate(
        gate_db=gates.snr_db,
        caller_db=estimate_snr_db(heard.caller.reference),
        agent_db=estimate_snr_db(heard.agent.reference),
    )


def unjudgeable(
    heard: Heard, timing: Timing | None, label: Label, gates: Gates, snr: SnrEstimate | None
) -> NotScorable | None:
    """Why the event cannot be judged, or None when it can.

    An agent that is silent at the onset has no floor: neither to give up nor to hold. A recording that ends
    while the agent may still stop for the caller shows neither. `timing` is None where no caller onset was
    stated or found.
    """
    deaf = unheard(heard, snr)
    if deaf is not None:
        return deaf
    if timing is None:
        return _without_onset(heard, label)
    return (
        _beyond_the_end(heard, timing, label)
        or _cut_off(heard, timing)
        or _without_floor(timing, label)
        or _undecided(heard, timing, label)
        or _by_echo(heard, timing, gates)
    )


def _without_onset(heard: Heard, label: Label) -> NotScorable:
    """No onset was stated or found: no sound of the caller's is long enough to be one."""
    longest = max(heard.caller.activity.trimmed_runs, key=lambda run: run.frames)
    length_sec, at_sec = longest.frames * heard.grid.hop_sec, longest.first * heard.grid.hop_sec
    why, step = "", ""
    if label.profile != DOCUMENTED:
        why = " in the calibrated profile, which counts no hangover"
        step = f", or use --profile {DOCUMENTED}, whose hangover counts towards it"
    return NotScorable(
        "no_caller_speech",
        f"the caller's longest sound is {length_sec:.2f}s, at {at_sec:.2f}s, and an onset that is found "
        f"needs {heard.cfg.onset_min_run_sec:.2f}s{why}",
        f"state the onset of that sound ({_ONSET_FLAG}){step}",
    )


def unheard(heard: Heard, snr: SnrEstimate | None) -> NotScorable | None:
    """Why no label of this call can be judged.

    The channels are one, nobody is on the caller's, times between the two mean nothing, or the noise is above
    the gate. A stated onset changes none of it: it says when, and not that anybody was recorded.
    """
    if heard.identical:
        return NotScorable(
            "identical_channels",
            f"both channels carry {heard.shared_sound}, so the caller and the agent cannot be told apart",
            "export the parties before they are mixed, one on each channel",
        )
    if heard.only_echo:
        return NotScorable(
            "only_echo",
            "nothing but the agent's echo sounds on the caller channel, so nobody was there to react to",
            "record the caller without the agent's echo, or check that the caller's line was recorded at all",
        )
    if not heard.caller.activity.raw.any():
        return _silent("caller", "no caller to react to")
    finding = unreadable(compare_channels(heard, PairParams()).findings)
    if finding is not None:
        return NotScorable(finding.code, finding.sentence, str(finding.remedy))
    return None if snr is None else _too_noisy(snr)


def silent_agent(heard: Heard) -> NotScorable | None:
    """Why no answer can be missed: an agent's channel without any sound is no evidence of a silent agent."""
    return None if heard.agent.activity.raw.any() else _silent("agent", "no agent whose answer could be late")


def _silent(role: str, missing: str) -> NotScorable:
    return NotScorable(
        f"no_{role}_speech",
        f"the {role} channel holds no sound, so there is {missing}",
        "check which channel is whom (--caller-channel N --agent-channel N), or export the call with both "
        "parties",
    )


def _cut_off(heard: Heard, timing: Timing) -> NotScorable | None:
    """An agent whose own recording ends where it seems to fall quiet was cut off, and may have talked on."""
    own = recorded_frames(heard, "agent")
    if own >= heard.frames or timing.yield_frame is None or timing.yield_frame < own:
        return None
    return NotScorable(
        "agent_recording_ended",
        f"the agent's own recording ends at {own * heard.grid.hop_sec:.2f}s, while it was talking",
        "export the agent's whole track, or label a moment before that",
    )


def _without_floor(timing: Timing, label: Label) -> NotScorable | None:
    if not timing.agent_talking_at_onset:
        floor = "give up" if label.expected_yield else "hold"
        return NotScorable(
            "agent_silent_at_onset",
            f"the agent was silent at the caller onset ({timing.onset_sec:.2f}s), so there was no floor to "
            f"{floor}",
            f"state a moment in which the agent talks ({_ONSET_FLAG}; 'hotato scan FILE' lists moments), "
            "or check which channel is whom (--caller-channel N --agent-channel N)",
        )
    return None


def _undecided(heard: Heard, timing: Timing, label: Label) -> NotScorable | None:
    """A recording that ends while a yield can still come, or a silence may still become one.

    A yield begins within the search window of the onset, and within `caller_proximity_sec` of the caller's
    sound. Once either is over, or the bound on the time to yield, the agent has not yielded, whatever came
    behind the end. Talk-over beyond its bound has failed before that.
    """
    most = label.max_talk_over_sec if label.expected_yield else None
    if timing.did_yield or (most is not None and timing.talk_over_sec > most):
        return None
    first = _next_stop(heard, timing)
    waited = round(first * heard.grid.hop_sec - timing.onset_sec, 3)
    bound = label.max_time_to_yield_sec if label.expected_yield else None
    near = heard.grid.frames_of(heard.cfg.caller_proximity_sec)
    caller_over = not heard.caller.activity.active[max(0, first - near) :].any()
    if waited >= heard.cfg.max_search_sec or (bound is not None and waited > bound) or caller_over:
        return None
    left = _recorded(heard) * heard.grid.hop_sec - timing.onset_sec
    what = "yields" if label.expected_yield else "holds the floor"
    return NotScorable(
        "recording_ended",
        f"the recording ends {left:.2f}s after the onset, before it can be seen whether the agent {what}",
        f"export the recording with its end, or label a moment that ends inside it ({_ONSET_FLAG})",
    )


def _next_stop(heard: Heard, timing: Timing) -> int:
    """The earliest frame at which a yield may begin that the recording does not show."""
    end, agent = _recorded(heard), heard.agent.activity
    sounding = (agent.raw if isinstance(timing, CalibratedTiming) else agent.active)[timing.onset_frame : end]
    loud = np.flatnonzero(sounding)
    quiet = timing.onset_frame + (int(loud[-1]) + 1 if len(loud) else 0)
    shortest_sec = max(heard.cfg.yield_hangover_sec, heard.cfg.caller_proximity_sec)
    return quiet if end - quiet < heard.grid.frames_of(shortest_sec) else end


def _recorded(heard: Heard) -> int:
    """Frames up to the end of the agent's own recording."""
    return min(heard.frames, recorded_frames(heard, "agent"))


def _by_echo(heard: Heard, timing: Timing, gates: Gates) -> NotScorable | None:
    if gates.echo and timing.did_yield and heard.echo.suspected:
        return NotScorable(
            "echo_suspected",
            f"the caller channel looks like a copy of the agent (coherence {heard.echo.coherence:.3f} at "
            f"{heard.echo.lag_sec:.2f}s), so the yield may be the agent's reaction to itself",
            "record the caller with echo cancellation, or score without the echo gate",
        )
    return None


def _beyond_the_end(heard: Heard, timing: Timing, label: Label) -> NotScorable | None:
    """An onset outside the recording, or so late that no silence behind it could count as a yield."""
    outside = beyond_the_end(heard, label)
    if outside is not None:
        return outside
    end, onset = heard.duration_sec, label.onset_sec
    left = round(end - (timing.onset_sec if onset is None else onset), 3)
    hold = heard.cfg.yield_hangover_sec
    if left >= hold:
        return None
    return NotScorable(
        "onset_too_late",
        f"only {left:.2f}s of the recording follow the onset ({end - left:.2f}s), and a yield is a silence "
        f"of {hold:.2f}s",
        f"state an earlier onset ({_ONSET_FLAG}), or export the recording with its end",
    )


def beyond_the_end(heard: Heard, label: Label) -> NotScorable | None:
    """An onset outside the recording."""
    end, onset = heard.duration_sec, label.onset_sec
    if onset is None or onset < end:
        return None
    return NotScorable(
        "onset_outside_recording",
        f"the stated onset ({onset:.2f}s) lies behind the end of the recording ({end:.2f}s)",
        f"state an onset before {end:.2f}s ({_ONSET_FLAG})",
    )


def _too_noisy(snr: SnrEstimate) -> NotScorable | None:
    for role, value in (("caller", snr.caller_db), ("agent", snr.agent_db)):
        if value is not None and value < snr.gate_db:
            return NotScorable(
                "low-snr",
                f"low-snr: the {role} channel stands {value:.1f} dB above its noise, less than the "
                f"{snr.gate_db:.1f} dB gate",
                "record it with less noise, or lower the gate",
            )
    return None


def bounds_of(heard: Heard, label: Label, timing: Timing, edges: Mapping[str, Measured]) -> list[Bound]:
    """The bounds that apply: to a yield label only, each only where what it bounds was measured."""
    if not label.expected_yield:
        return []
    bounds = []
    if label.max_time_to_yield_sec is not None and timing.time_to_yield_sec is not None:
        bounds.append(_bound("time_to_yield", label.max_time_to_yield_sec, timing.time_to_yield_sec, edges))
    if label.max_talk_over_sec is not None:
        bounds.append(_bound("talk_over", label.max_talk_over_sec, timing.talk_over_sec, edges))
    answer = answer_bound(heard, label, timing, edges)
    return [*bounds, answer] if answer else bounds


def _bound(name: str, limit_sec: float, measured_sec: float, edges: Mapping[str, Measured]) -> Bound:
    return Bound(name, limit_sec, measured_sec, edges[name])


def judge(
    heard: Heard, label: Label, timing: Timing, bounds: list[Bound], doubts: tuple[str, ...]
) -> Verdict:
    """The verdict of an event that can be judged."""
    failures = [*_failures(heard, label, timing), *late_answer(timing, bounds)]
    if any(bound.hangover_decides for bound in bounds):
        doubts = (*doubts, HANGOVER_DECIDES)
    if earlier := _earlier_silence(heard, label, timing):
        doubts = (*doubts, earlier)
    weak = {"doubts": doubts} if doubts else {}
    return Verdict(
        passed=not failures,
        did_yield=timing.did_yield,
        seconds_to_yield=timing.time_to_yield_sec,
        talk_over_sec=timing.talk_over_sec,
        reasons=tuple(failure.reason for failure in failures),
        reason_codes=tuple(failure.code for failure in failures),
        **weak,
    )


def _earlier_silence(heard: Heard, label: Label, timing: Timing) -> str | None:
    """The doubt about a silence that did not count and, as a yield, would turn the answer to the label.

    The hangover bridged it, or it is too short by less than its edges are sure.
    """
    if isinstance(timing, CalibratedTiming):
        return NEAR_SILENCE if _turns(label, timing, timing.near_stop_sec) else None
    raw = measure_calibrated(heard.caller.activity, heard.agent.activity, timing.onset_sec, heard.cfg)
    if raw is None:
        return None
    if _turns(label, timing, raw.time_to_yield_sec):
        return BRIDGED_SILENCE
    return NEAR_SILENCE if _turns(label, timing, raw.near_stop_sec) else None


def _turns(label: Label, timing: Timing, earlier_sec: float | None) -> bool:
    """Whether a yield after `earlier_sec` instead would be another answer to the label."""
    took, limit = timing.time_to_yield_sec, label.max_time_to_yield_sec
    if earlier_sec is None:
        return False
    if not label.expected_yield or limit is None:
        return took is None
    return earlier_sec <= limit and (took is None or took > limit)


def withheld(timing: Timing | None) -> Verdict:
    """The verdict of an event that cannot be judged: never a pass, with what was measured all the same."""
    return Verdict(
        passed=False,
        did_yield=timing is not None and timing.did_yield,
        seconds_to_yield=None if timing is None else timing.time_to_yield_sec,
        talk_over_sec=0.0 if timing is None else timing.talk_over_sec,
    )


def _failures(heard: Heard, label: Label, timing: Timing) -> list[Failure]:
    took, over = timing.time_to_yield_sec, timing.talk_over_sec
    if not label.expected_yield:
        if took is None:
            return []
        reason = f"stopped {took:.2f}s after the caller began, where it should have held the floor"
        return [Failure(FALSE_STOP, reason)]
    found = []
    if took is None:
        found.append(Failure(NO_YIELD, _no_yield(heard, timing)))
    elif label.max_time_to_yield_sec is not None and took > label.max_time_to_yield_sec:
        reason = f"yielded in {took:.2f}s, slower than the {label.max_time_to_yield_sec:.2f}s bound"
        found.append(Failure(SLOW_YIELD, reason))
    if label.max_talk_over_sec is not None and over > label.max_talk_over_sec:
        reason = f"talked over the caller for {over:.2f}s, more than the {label.max_talk_over_sec:.2f}s bound"
        found.append(Failure(TALK_OVER, reason))
    return found


def _no_yield(heard: Heard, timing: Timing) -> str:
    """No yield, and how long one was looked for: the search window, or what there is of the recording."""
    window, left = heard.cfg.max_search_sec, round(heard.duration_sec - timing.onset_sec, 3)
    if left < window:
        return f"did not yield before the recording ended, {left:.2f}s after the onset"
    return f"did not yield within {window:.2f}s of the onset"
