"""What a failed event points at: a setting, or a kind of fix that no setting can replace."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.score.records import (
    CONFIG,
    ENGAGEMENT,
    Event,
    Fix,
    FixMapEntry,
    Funnel,
    KnobAdvice,
    Pointer,
)
from hotato.stacks.knobs import MISSED_INTERRUPTION, SLOW_YIELD, TALK_OVER, knob_for

POINTER = Pointer(
    layer="engagement control",
    what=(
        "a layer that decides, before the agent's speech is stopped, whether a sound is a bid for the floor "
        "addressed to the agent or an acknowledgement, a noise or talk with somebody else"
    ),
    honest_scope=(
        "the timing shows that the agent stopped where the label says it should not have; whether such "
        "a layer would have held on is for a new recording to show"
    ),
)

_TITLES = {
    MISSED_INTERRUPTION: "Missed interruption: the agent talked on over the caller",
    SLOW_YIELD: "Slow yield: the agent stopped, but late",
    TALK_OVER: "Talk-over: the agent gave way after too much simultaneous speech",
}
_DETAILS = {
    MISSED_INTERRUPTION: (
        "The caller took the floor and the agent did not go quiet within the search window. What it takes to "
        "interrupt the agent is a setting."
    ),
    SLOW_YIELD: (
        "The agent went quiet for the caller after the bound. How soon caller speech stops the agent is a "
        "setting; speech that was buffered on the way out looks the same in one recording."
    ),
    TALK_OVER: (
        "Both spoke at once for longer than the bound before the agent gave way. How soon caller speech "
        "stops the agent is a setting."
    ),
}


def fix_for(
    *, expected_yield: bool, did_yield: bool, slow: bool, stack: str, echo_suspected: bool = False
) -> Fix:
    """The fix of a failed event.

    Args:
        expected_yield: the label.
        did_yield: whether the agent gave way.
        slow: whether the bound on the time to yield was exceeded.
        stack: normalised name of the platform.
        echo_suspected: whether the caller channel looks like a copy of the agent.
    """
    if not expected_yield:
        return _false_barge_in(echo_suspected)
    failure = MISSED_INTERRUPTION if not did_yield else SLOW_YIELD if slow else TALK_OVER
    knob = knob_for(stack, failure)
    return Fix(
        fix_class=CONFIG,
        title=_TITLES[failure],
        detail=_DETAILS[failure],
        knob=KnobAdvice(
            stack=stack,
            parameter=knob.parameter,
            direction=knob.direction,
            trade_off=knob.trade_off,
        ),
        pointer=None,
    )


def _false_barge_in(echo_suspected: bool) -> Fix:
    detail = (
        "The agent gave up the floor although the caller made no bid for it. A less sensitive threshold "
        "would also miss real interruptions; what is missing is telling the two apart."
    )
    if echo_suspected:
        detail += " The caller channel looks like a copy of the agent: rule out echo on the audio path first."
    return Fix(
        fix_class=ENGAGEMENT,
        title="False barge-in: the agent took a backchannel for a bid for the floor",
        detail=detail,
        knob=None,
        pointer=POINTER,
    )


def fix_map(events: Sequence[Event]) -> tuple[FixMapEntry, ...]:
    """One entry for each event that carries a fix, in the order of the events."""
    return tuple(
        FixMapEntry(
            event_id=event.event_id,
            scenario_id=event.scenario_id,
            fix_class=event.fix.fix_class,
            title=event.fix.title,
            detail=event.fix.detail,
            knob=event.fix.knob,
            pointer=event.fix.pointer,
        )
        for event in events
        if event.fix is not None
    )


def funnel(events: Sequence[Event]) -> Funnel | None:
    """Set when the same battery holds a missed interruption and a false barge-in."""
    failed = [event for event in events if event.fix is not None]
    missed = any(event.expected_yield and not event.verdict.did_yield for event in failed)
    stopped = any(not event.expected_yield for event in failed)
    if not (missed and stopped):
        return None
    return Funnel(
        reason=(
            "no single sensitivity threshold satisfies this battery: it holds both a missed interruption and "
            "a stop for a backchannel, and moving the threshold for one makes the other worse"
        ),
        pointer=POINTER,
    )
