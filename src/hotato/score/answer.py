"""The bound on the agent's answer: how long after the caller's turn it came, and when that cannot be told.

The documented response gap is the measured value. Two cases have none and are decided all the same: an answer
that only the hangover of the caller's activity makes premature has its gap at the raw energy edges, and an
answer that never came is later than the silence that was recorded in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hotato.listen import Heard
from hotato.score.check import Bound, Failure, NotScorable
from hotato.score.request import Label
from hotato.timing import CalibratedTiming, Measured, Timing
from hotato.trust import recorded_frames

RESPONSE_GAP = "response_gap"
"""What is bounded here, by its name in the event's edges."""

LATE_ANSWER = "late_answer"
_NEXT_STEP = "label a moment whose answer is in the recording, or drop expected.max_response_gap_sec"


def answer_bound(heard: Heard, label: Label, timing: Timing, edges: Mapping[str, Measured]) -> Bound | None:
    """The bound on the response gap with what was measured against it; None where neither can be stated."""
    limit = label.max_response_gap_sec
    if limit is None or not label.expected_yield:
        return None
    gap = timing.response_gap_sec
    if gap is not None:
        return Bound(RESPONSE_GAP, limit, gap, edges[RESPONSE_GAP])
    if timing.premature:
        early = edges["premature_start"].sec > heard.cfg.premature_tolerance_sec
        gap = edges[RESPONSE_GAP].sec
        return None if early else Bound(RESPONSE_GAP, limit, gap, edges[RESPONSE_GAP])
    waited = _silence_sec(heard, timing)
    if waited is None or waited <= limit:
        return None
    return Bound(RESPONSE_GAP, limit, waited, Measured(waited, waited, waited, waited))


def late_answer(timing: Timing, bounds: Sequence[Bound]) -> list[Failure]:
    """How the answer exceeded its bound, in one clause; nothing where it did not."""
    exceeded = [bound for bound in bounds if bound.of == RESPONSE_GAP and bound.slack_sec < 0]
    if timing.response_frame is not None:
        said = "answered {0:.2f}s after the caller's turn, later than the {1:.2f}s bound"
    else:
        said = "had not answered {0:.2f}s after the caller's turn, more than the {1:.2f}s bound"
    return [Failure(LATE_ANSWER, said.format(bound.measured_sec, bound.limit_sec)) for bound in exceeded]


def gap_unmeasured(
    heard: Heard, label: Label, timing: Timing, edges: Mapping[str, Measured]
) -> NotScorable | None:
    """Why an event that bounds the answer cannot pass: what the bound is about was not measured."""
    if label.max_response_gap_sec is None or answer_bound(heard, label, timing, edges) is not None:
        return None
    waited = _silence_sec(heard, timing)
    if timing.premature:
        lead = edges["premature_start"].sec
        why = f"the agent spoke {lead:.2f}s before the caller's turn ended, which answers no turn"
    elif waited is None:
        why = "the caller's turn does not end inside the recording"
    else:
        why = (
            f"the agent had not answered when the recording ended, only {waited:.2f}s after the caller's turn"
        )
    return NotScorable(
        "no_response_gap",
        f"{why}, so that nothing can be held against the {label.max_response_gap_sec:.2f}s bound",
        _NEXT_STEP,
    )


def _silence_sec(heard: Heard, timing: Timing) -> float | None:
    """How long an agent that never spoke again was silent after the caller's turn; None without an end of it.

    An agent that talks past the end of the turn is silent from the end of its own sound on, and its own
    recording may end before the call does.
    """
    if timing.turn_end_frame is None:
        return None
    agent = heard.agent.activity
    sounding = np.flatnonzero(agent.raw if isinstance(timing, CalibratedTiming) else agent.active)
    silent = max(timing.turn_end_frame, int(sounding[-1]) + 1 if len(sounding) else 0)
    recorded = min(heard.frames, recorded_frames(heard, "agent"))
    return round(max(0, recorded - silent) * heard.grid.hop_sec, 3)
