"""Where a moment begins: as a person stated it, as it was found, or at the caller's first sound."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from hotato.contract.pin import Pin
from hotato.errors import Refusal
from hotato.listen import Heard
from hotato.plain import shown
from hotato.score import Label
from hotato.score.doubts import DoubtParams, caller_at, nearest_caller_sec
from hotato.score.request import DOCUMENTED
from hotato.score.silence import silence_of
from hotato.timing import CALIBRATION, detect_onset, measure_calibrated
from hotato.timing.calibration import Sounds


@dataclass(frozen=True, slots=True)
class OnsetParams:
    """How the onset of a found moment is fitted to the clock that judges it.

    Attributes:
        leads_sec: how long before a found silence the onset of its answer is tried, one after the other:
            where both parties stop within a few frames, only the last of them is sounding just before it.
        same_silence_sec: a silence that begins this near to the found one is that one.
        start_sec: a found moment begins on a frame; a sound whose unbiased beginning is at most this much
            later begins there.
    """

    leads_sec: tuple[float, ...] = (0.05, 0.02, 0.01, 0.005, 0.0, -0.005)
    same_silence_sec: float = 0.05
    start_sec: float = 0.03


PARAMS = OnsetParams()


def onset_of(whole: Heard, label: Label, pin: Pin, params: OnsetParams = PARAMS) -> float:
    """The onset of a moment in its recording.

    Args:
        whole: the recording.
        label: the label with the onset that was stated or found, if any.
        pin: the moment.
        params: how to fit a found one.

    Raises:
        Refusal: `no_caller_speech`: none was stated, and there is no caller.
    """
    onset_sec = _into_the_sound(whole, label, pin, params)
    if onset_sec is not None:
        return onset_sec
    onset_sec = _stated_or_first(whole, label)
    return onset_sec if pin.candidate_kind is None else _behind_the_start(whole, label, onset_sec, params)


def _into_the_sound(whole: Heard, label: Label, pin: Pin, params: OnsetParams) -> float | None:
    """The onset behind which the label's clock hears the silence that was found; None for no such one.

    The documented clock hears it begin when the hangover of the sound before it is over.
    """
    if not label.answer or pin.silence_from_sec is None:
        return None
    held = label.profile == DOCUMENTED
    starts_sec = pin.silence_from_sec + (whole.cfg.caller_vad.hangover_sec if held else 0.0)
    for start_sec in dict.fromkeys((pin.silence_from_sec, starts_sec)):
        for lead_sec in params.leads_sec:
            onset_sec = round(max(0.0, start_sec - lead_sec), 3)
            timing = silence_of(whole, dataclasses.replace(label, onset_sec=onset_sec))
            if timing is None or timing.silence_sec is None or timing.sound_end_sec is None:
                continue
            if abs(timing.sound_end_sec - starts_sec) <= params.same_silence_sec:
                return onset_sec
    return None


def _behind_the_start(whole: Heard, label: Label, onset_sec: float, params: OnsetParams) -> float:
    """A found onset, moved to the agent's beginning where that is what was found.

    By the calibrated clock an agent that began over the caller does so a little after the frame in which it
    was heard first, and would have no floor there yet.
    """
    if label.profile == DOCUMENTED:
        return onset_sec
    agent = Sounds(whole.agent.activity)
    # The millisecond behind it: the onset is stated in milliseconds, and must not round to before it.
    begins = ((math.floor(agent.begin_sec(run) * 1000) + 1) / 1000 for run in agent.runs)
    return next((sec for sec in begins if 0.0 < sec - onset_sec <= params.start_sec), onset_sec)


def _stated_or_first(whole: Heard, label: Label) -> float:
    """The onset of the label, or the caller's first sound under its profile."""
    if label.onset_sec is not None:
        return label.onset_sec
    caller, agent = whole.caller.activity, whole.agent.activity
    if label.profile == "calibrated":
        timing = measure_calibrated(caller, agent, None, whole.cfg, CALIBRATION)
        found = None if timing is None else timing.onset_sec
    else:
        frame = detect_onset(caller, whole.cfg)
        found = None if frame is None else round(frame * whole.grid.hop_sec, 6)
    if found is None:
        raise Refusal(
            "no_caller_speech",
            f"no caller speech was found in '{whole.name}'",
            "state the moment (--onset SECONDS), or check which channel is whom (--caller-channel N "
            "--agent-channel N)",
        )
    return found


def require_caller(heard: Heard, onset_sec: float) -> None:
    """Refuse a yield or a hold at a time at which no caller is: there is nobody to yield to or to talk over.

    A caller who is sounding already at the onset is enough; that stays a doubt.

    Raises:
        Refusal: `no_caller_at_onset`.
    """
    if heard.identical or onset_sec >= heard.duration_sec or caller_at(heard, onset_sec):
        return  # the first two are refused for what they are
    nearest = nearest_caller_sec(heard, onset_sec)
    where = "makes no sound at all" if nearest is None else f"begins nearest to it at {nearest:.2f} s"
    raise Refusal(
        "no_caller_at_onset",
        f"no caller begins within {DoubtParams().start_sec:g} s of the onset ({onset_sec:.2f} s of "
        f"'{shown(heard.name)}'): the caller {where}",
        "state when the caller begins (--onset SECONDS), or check which channel is whom (--caller-channel N "
        "--agent-channel N)",
    )
