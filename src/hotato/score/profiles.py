"""Measurement profiles: by which clock an event is measured and judged.

`documented` counts hangover-smoothed frames, as the method was first described. `calibrated` takes the raw
energy edges with their known bias removed. The profile is chosen by the request, else by the policy of the
scenario, else it is `documented`; every result says which one it was.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import UNSET, UnsetType

from hotato.listen import Heard
from hotato.score.answer import gap_unmeasured
from hotato.score.parts import CalibrationUsed, Documented, Profiled, SnrEstimate
from hotato.score.request import CALIBRATED, DOCUMENTED, Gates, Label
from hotato.score.verdict import bounds_of, judge, unjudgeable
from hotato.timing import (
    CALIBRATION,
    Measured,
    Resume,
    Timing,
    detect_onset,
    measure_calibrated,
    measure_event,
    measure_resume,
)
from hotato.timing.event_edges import event_edges

CALIBRATION_USED = CalibrationUsed(**dataclasses.asdict(CALIBRATION))
"""The constants as results state them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One event as a profile reads it.

    Attributes:
        timing: what was measured; None where no onset was stated or found.
        edges: every moment and duration at the raw energy edges, with its interval.
        resume: what followed a yield, None without one.
    """

    timing: Timing | None = None
    edges: dict[str, Measured] = field(default_factory=dict)
    resume: Resume | None = None


def reading_of(heard: Heard, label: Label) -> Reading:
    """The event under the profile of its label."""
    return _calibrated(heard, label) if label.profile == CALIBRATED else _documented(heard, label)


def _documented(heard: Heard, label: Label) -> Reading:
    caller, agent = heard.caller.activity, heard.agent.activity
    onset = (
        detect_onset(caller, heard.cfg) if label.onset_sec is None else heard.grid.frames_of(label.onset_sec)
    )
    if onset is None:
        return Reading()
    timing = measure_event(caller, agent, onset, heard.cfg)
    edges = event_edges(timing, caller, agent, labelled_onset_sec=label.onset_sec)
    resume = None if timing.yield_frame is None else measure_resume(agent, timing.yield_frame)
    return Reading(timing, edges, resume)


def _calibrated(heard: Heard, label: Label) -> Reading:
    timing = measure_calibrated(heard.caller.activity, heard.agent.activity, label.onset_sec, heard.cfg)
    return Reading() if timing is None else Reading(timing, timing.edges, timing.resume)


def documented_beside(
    heard: Heard, label: Label, gates: Gates, snr: SnrEstimate | None
) -> Documented | UnsetType:
    """What the documented profile says of an event that is judged by another; absent where it is that one."""
    if label.profile != CALIBRATED:
        return UNSET
    reading = _documented(heard, label)
    timing = reading.timing
    if timing is None:
        return Documented(passed=None, did_yield=False, seconds_to_yield=None, talk_over_sec=None)
    passed: bool | None = None
    if unjudgeable(heard, timing, label, gates, snr) is None:
        bounds = bounds_of(heard, label, timing, reading.edges)
        passed = judge(heard, label, timing, bounds, ()).passed
        if passed and gap_unmeasured(heard, label, timing, reading.edges):
            passed = None
    return Documented(
        passed=passed,
        did_yield=timing.did_yield,
        seconds_to_yield=timing.time_to_yield_sec,
        talk_over_sec=timing.talk_over_sec,
        response_gap_sec=timing.response_gap_sec,
        premature_start_sec=timing.premature_start_sec,
    )


def profile_over(labels: Sequence[str]) -> Profiled:
    """The profile of several events together: theirs, or `mixed`."""
    first, *rest = dict.fromkeys(labels)
    return "mixed" if rest else first  # type: ignore[return-value]


def calibration_used(profile: str) -> CalibrationUsed | UnsetType:
    """The constants behind the results of a profile; absent where every value is a documented one."""
    return UNSET if profile == DOCUMENTED else CALIBRATION_USED
