"""An answer label, judged: did the agent sound again in time after the sound at the onset had ended?

| what ended the joint silence | longer than the bound | not longer |
|---|---|---|
| the agent | fails, `late_answer` | passes |
| the caller, who spoke (again) | fails, `late_answer` | not scorable: no answer was due yet |
| the end of the recording | fails, `late_answer` | not scorable: the answer may have come behind it |

Nothing else is looked at. Where the agent sounds when the caller's turn ends there is no silence to judge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import UNSET, UnsetType

from hotato.listen import Heard
from hotato.score.answer import LATE_ANSWER, RESPONSE_GAP
from hotato.score.check import Bound, Failure, NotScorable
from hotato.score.doubts import answer_doubts
from hotato.score.parts import AnswerSignal, Documented, Latency, SnrEstimate, Verdict
from hotato.score.request import CALIBRATED, Label
from hotato.score.verdict import HANGOVER_DECIDES, beyond_the_end, silent_agent, unheard
from hotato.timing import AnswerTiming, detect_onset, measure_answer, measure_answer_calibrated
from hotato.timing.answer import AGENT, CALLER
from hotato.trust import recorded_frames

SILENCE = "silence"
_ONSET_FLAG = "--onset SECONDS, or caller_onset_sec of a scenario"


@dataclass(frozen=True, slots=True)
class SilenceVerdict:
    """An answer label checked.

    Attributes:
        timing: what was measured; None where no onset was stated or found.
        verdict: the verdict, withheld where it cannot be reached.
        refused: why it cannot be reached, or None.
        bound: the limit with what was measured against it, None where nothing was.
    """

    timing: AnswerTiming | None
    verdict: Verdict
    refused: NotScorable | None
    bound: Bound | None


def judge_silence(heard: Heard, label: Label, snr: SnrEstimate | None, *, confirmed: bool) -> SilenceVerdict:
    """Measure the silence that an answer label is about, and check it.

    Args:
        heard: the call.
        label: an answer label, with its bound.
        snr: the SNR of both channels where a gate asks for it.
        confirmed: a person vouched for the channel map.
    """
    timing = silence_of(heard, label)
    refused = unheard(heard, snr) or silent_agent(heard)
    if refused is None and timing is None:
        refused = NotScorable(
            "no_caller_speech",
            "the caller makes no sound that is long enough to be an onset, and none was stated",
            f"state a time inside the sound that was to be answered ({_ONSET_FLAG})",
        )
    if refused is None and timing is not None:
        refused = beyond_the_end(heard, label) or _unanswerable(timing, label)
    if (
        refused is not None
        or timing is None
        or timing.silence_sec is None
        or label.max_response_gap_sec is None
    ):
        return SilenceVerdict(timing, _verdict(passed=False), refused, None)
    limit = label.max_response_gap_sec
    bound = Bound(RESPONSE_GAP, limit, timing.silence_sec, timing.edges[SILENCE])
    failures = [Failure(LATE_ANSWER, _late(timing, timing.silence_sec, limit))] if bound.slack_sec < 0 else []
    detected = label.onset_sec is None
    doubts = answer_doubts(heard, timing, detected=detected, confirmed=confirmed, bounds=[bound])
    if bound.hangover_decides:
        doubts = (*doubts, HANGOVER_DECIDES)
    verdict = Verdict(
        passed=not failures,
        did_yield=False,
        seconds_to_yield=None,
        talk_over_sec=0.0,
        reasons=tuple(failure.reason for failure in failures),
        reason_codes=tuple(failure.code for failure in failures),
        doubts=doubts or UNSET,
    )
    return SilenceVerdict(timing, verdict, None, bound)


def silence_of(heard: Heard, label: Label) -> AnswerTiming | None:
    """The silence under the profile of the label; None where no onset was stated or found."""
    caller, agent = heard.caller.activity, heard.agent.activity
    recorded = min(heard.frames, recorded_frames(heard, AGENT))
    if label.profile == CALIBRATED:
        return measure_answer_calibrated(caller, agent, label.onset_sec, heard.cfg, recorded_frames=recorded)
    onset = (
        detect_onset(caller, heard.cfg) if label.onset_sec is None else heard.grid.frames_of(label.onset_sec)
    )
    if onset is None:
        return None
    return measure_answer(
        caller, agent, onset, heard.cfg, labelled_onset_sec=label.onset_sec, recorded_frames=recorded
    )


def latency_of(timing: AnswerTiming) -> Latency:
    """The answer as the latency dimension states it."""
    early = timing.premature_sec
    return Latency(
        response_gap_sec=timing.response_gap_sec,
        premature_start_sec=early if early is not None else 0.0 if timing.ended_by == AGENT else None,
    )


def signal_of(timing: AnswerTiming) -> AnswerSignal:
    """The silence as the answer dimension states it."""
    return AnswerSignal(
        silence_sec=timing.silence_sec,
        began_with=timing.began_with,  # type: ignore[arg-type]
        ended_by=timing.ended_by,  # type: ignore[arg-type]
        start_sec=timing.sound_end_sec,
    )


def documented_silence(
    heard: Heard, label: Label, snr: SnrEstimate | None, *, confirmed: bool
) -> Documented | UnsetType:
    """What the documented profile says beside a calibrated verdict; absent where it is that one."""
    if label.profile != CALIBRATED:
        return UNSET
    beside = judge_silence(heard, replace(label, profile="documented"), snr, confirmed=confirmed)
    latency = None if beside.timing is None else latency_of(beside.timing)
    return Documented(
        passed=None if beside.refused else beside.verdict.passed,
        did_yield=False,
        seconds_to_yield=None,
        talk_over_sec=None if beside.timing is None else 0.0,
        response_gap_sec=None if latency is None else latency.response_gap_sec,
        premature_start_sec=None if latency is None else latency.premature_start_sec,
    )


def _verdict(*, passed: bool) -> Verdict:
    return Verdict(passed=passed, did_yield=False, seconds_to_yield=None, talk_over_sec=0.0)


def _unanswerable(timing: AnswerTiming, label: Label) -> NotScorable | None:
    """Why there is no silence that the bound could be held against."""
    limit = label.max_response_gap_sec
    if timing.began_with is None:
        why = (
            f"nobody sounds from the onset ({timing.onset_sec:.2f}s) on, so nothing was there to be answered"
        )
        return _not_scorable("no_sound", why)
    if timing.premature_sec is not None:
        why = (
            f"the agent was sounding when the caller's turn ended ({timing.sound_end_sec:.2f}s), from "
            f"{timing.premature_sec:.2f}s before on, so there is no silence to judge"
        )
        return _not_scorable("agent_over_turn_end", why)
    if timing.silence_sec is None:
        return _not_scorable("no_silence", "the sound does not end inside the recording")
    if timing.ended_by == AGENT or limit is None or timing.silence_sec > limit:
        return None
    if timing.ended_by == CALLER:
        again = "again " if timing.began_with == CALLER else ""
        waited = f"the caller spoke {again}after {timing.silence_sec:.2f}s"
        why = f"{waited}, before an answer was due ({limit:.2f}s)"
        return _not_scorable("no_answer_due", why)
    why = (
        f"the agent had not answered when the recording ended, only {timing.silence_sec:.2f}s after it, "
        f"so nothing can be held against the {limit:.2f}s bound"
    )
    return _not_scorable("recording_ended", why)


def _not_scorable(code: str, why: str) -> NotScorable:
    return NotScorable(
        code,
        why,
        f"state a time inside the last sound before the silence ({_ONSET_FLAG}), with its end recorded",
    )


def _late(timing: AnswerTiming, silence_sec: float, limit: float) -> str:
    """How the silence exceeded the bound, in one clause."""
    callers = timing.began_with == CALLER
    if timing.ended_by == AGENT:
        said = (
            "answered {0:.2f}s after the caller's turn"
            if callers
            else "sounded again {0:.2f}s after it stopped"
        )
        return f"{said.format(silence_sec)}, later than the {limit:.2f}s bound"
    if timing.ended_by == CALLER:
        again = "speak again" if callers else "speak"
        return (
            f"the caller had to {again} after {silence_sec:.2f}s of silence, more than the {limit:.2f}s bound"
        )
    what = "the caller's turn" if callers else "it stopped"
    return f"had not answered {silence_sec:.2f}s after {what}, more than the {limit:.2f}s bound"
