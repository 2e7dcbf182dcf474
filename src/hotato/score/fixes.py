"""What a failed event points at: a setting, or a kind of fix that no setting can replace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from hotato.score.doubts import (
    BRIDGED_SILENCE,
    BRIEF_SILENCE,
    CLICK,
    LATE_STOP,
    NEAR_SILENCE,
    NO_CALLER_AT_ONSET,
    ONSET_INSIDE_SOUND,
    POSSIBLE_SWAP,
)
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
from hotato.score.request import Label
from hotato.stacks.knobs import LATE_ANSWER, MISSED_INTERRUPTION, SLOW_YIELD, TALK_OVER, knob_for
from hotato.timing import MUSIC, UNCERTAIN_EDGE, Measured
from hotato.trust.missing import DROP_OUTS, ENDS_EARLY, REPEATED

LEAST_TALK_OVER_SEC = 0.2
"""Shorter than this at the raw energy edges, the two met by chance: nobody talked on over anybody."""

ENDPOINTING_SEC = 3.0
"""A longer silence than this is no matter of when the agent takes a turn to be over."""

_NO_FIX = frozenset(
    {
        CLICK,
        NO_CALLER_AT_ONSET,
        POSSIBLE_SWAP,
    }
)
"""Doubts whether there was a caller who was talked over at all."""

_LISTEN = "Listen to this moment: what counts as sound on a channel is in doubt ({codes})."
_SOUND_IN_DOUBT = (
    "hum",
    "low_headroom",
    "low_snr",
    "low_separability",
    "noise_step",
    "short_recording",
    MUSIC,
)
_SETTLE = {
    "echo_present": "Rule out echo: the caller's channel may carry a copy of the agent.",
    "leakage": "Rule out leakage between the channels: it can count as the other party's sound.",
    ONSET_INSIDE_SOUND: "Check the onset: the caller had been sounding before it.",
    LATE_STOP: "Listen to the stop: the agent may have finished its own sentence.",
    BRIEF_SILENCE: "Listen to the stop: the agent went on so soon that it may only have paused.",
    BRIDGED_SILENCE: "Listen to the pause before the stop: only the hangover says that it was none.",
    NEAR_SILENCE: "Listen to the pause before the stop: it may be long enough to be one.",
    UNCERTAIN_EDGE: "Listen to this moment: noise may have made a sound or a pause that decides.",
    DROP_OUTS: "Look for lost samples: the channel falls to exact zeros here, and the stop may be theirs.",
    ENDS_EARLY: "Export the call again: a party's recording has ended by then.",
    REPEATED: "Look for blocks that were played twice: times after them are late.",
    "rate_mislabelled": "Check the sample rate: if the voices are slow and deep, every duration is too long.",
}

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
    LATE_ANSWER: "Late answer: the agent let the caller wait",
}
_DETAILS = {
    MISSED_INTERRUPTION: (
        "The caller spoke and the agent, speaking at the same time, did not go quiet for it. What it takes "
        "to interrupt the agent is a setting."
    ),
    SLOW_YIELD: (
        "The agent went quiet for the caller after the bound. How soon caller speech stops the agent is a "
        "setting; speech that was buffered on the way out looks the same in one recording."
    ),
    TALK_OVER: (
        "Both spoke at once for longer than the bound before the agent gave way. How soon caller speech "
        "stops the agent is a setting."
    ),
    LATE_ANSWER: (
        "The agent answered the caller's turn after the bound. How long a silence has to be before the turn "
        "counts as over is a setting; what the agent's own answer takes to make is none."
    ),
}


def fix_for(
    label: Label,
    edges: Mapping[str, Measured],
    doubts: Sequence[str],
    *,
    stack: str,
    echo_suspected: bool = False,
) -> Fix | None:
    """The fix of a failed event; None where the failure is not the one that a fix would mend.

    A setting is pointed at for what the agent did at the raw energy edges: not where both never really
    sounded at once, where the hangover alone exceeded a bound, or where it is in doubt who was talked over at
    all. Any other doubt of the moment or of a channel stands in front of the advice as what to settle first.

    Args:
        label: what was expected.
        edges: the event at the raw energy edges; `time_to_yield` only where the agent yielded.
        doubts: codes of reasons to doubt the verdict.
        stack: normalised name of the platform.
        echo_suspected: whether the caller channel looks like a copy of the agent.
    """
    if not _NO_FIX.isdisjoint(doubts):
        return None
    if not label.expected_yield:
        return None if LATE_STOP in doubts else _false_barge_in(echo_suspected, doubts)
    failure = _failure(label, edges)
    return None if failure is None else _setting(stack, failure, doubts)


def fix_of_silence(
    edges: Mapping[str, Measured], doubts: Sequence[str], *, stack: str, callers: bool
) -> Fix | None:
    """The fix of a failed answer label: a setting, where the agent answered the caller's turn soon enough.

    Args:
        edges: the event at the raw energy edges; `response_gap` only where the agent ended the silence.
        doubts: codes of reasons to doubt the verdict.
        stack: normalised name of the platform.
        callers: the silence began with the end of the caller's turn.
    """
    gap = edges.get("response_gap")
    if gap is None or not callers or gap.sec > ENDPOINTING_SEC or not _NO_FIX.isdisjoint(doubts):
        return None
    return _setting(stack, LATE_ANSWER, doubts)


def _setting(stack: str, failure: str, doubts: Sequence[str]) -> Fix:
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
        settle_first=_settle_first(doubts) or UNSET,
    )


def _failure(label: Label, edges: Mapping[str, Measured]) -> str | None:
    """Which of the failures of a yield label stands at the raw energy edges."""
    took, over = edges.get("time_to_yield"), edges["talk_over"].sec
    if took is None:
        return MISSED_INTERRUPTION if over >= LEAST_TALK_OVER_SEC else None
    if label.max_time_to_yield_sec is not None and took.sec > label.max_time_to_yield_sec:
        return SLOW_YIELD
    return TALK_OVER if label.max_talk_over_sec is not None and over > label.max_talk_over_sec else None


def _settle_first(doubts: Sequence[str]) -> tuple[str, ...]:
    """What to find out first, one sentence for each doubt; the doubts about what is sound share one."""
    sound = [code for code in _SOUND_IN_DOUBT if code in doubts]
    shared = [_LISTEN.format(codes=", ".join(sound))] if sound else []
    return (*shared, *(words for code, words in _SETTLE.items() if code in doubts))


def _false_barge_in(echo_suspected: bool, doubts: Sequence[str]) -> Fix:
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
        settle_first=_settle_first(doubts) or UNSET,
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
            settle_first=event.fix.settle_first,
        )
        for event in events
        if event.fix is not None
    )


def funnel(events: Sequence[Event]) -> Funnel | None:
    """Set when the same battery holds a missed interruption and a false barge-in."""
    failed = [event for event in events if event.fix is not None]
    missed = any(event.expected_yield and not event.verdict.did_yield for event in failed)
    stopped = any(not event.expected_yield and not event.expectation for event in failed)
    if not (missed and stopped):
        return None
    return Funnel(
        reason=(
            "no single sensitivity threshold satisfies this battery: it holds both a missed interruption and "
            "a stop for a backchannel, and moving the threshold for one makes the other worse"
        ),
        pointer=POINTER,
    )
