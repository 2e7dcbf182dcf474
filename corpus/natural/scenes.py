"""Scenes of a call, one function each: what goes wrong, and the same moment going right.

A scene begins after silence and leaves the stage in silence. Times are drawn from the ranges written in it;
what really happened is computed afterwards from the placed spans (`truth`), so a natural pause inside a line
may turn a late yield into an early one, and the truth says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from hotato.acoustics import index
from natural.bank import RATE
from natural.stage import AGENT, CALLER, Piece, Stage, broken_off, compact, joined

Scene = Callable[[Stage], None]
AFTER_SEARCH_SEC = 3.4
"""An agent that does not yield goes on for this long after the onset, past the end of the search window."""
NATURAL_PERCENT = 25
"""In so many of 100 late yields the agent keeps the pauses inside its lines."""


def _sounding(piece: Piece, at: int) -> int:
    """`at`, moved to 0.1 s into the next span where it falls into a pause or onto an edge of the piece."""
    margin = index(0.1, RATE)
    for start, stop in piece.spans:
        if at < stop - margin:
            return max(at, start + margin)
    raise ValueError("the piece ends before the onset")


def _barge_in(
    stage: Stage, react_sec: tuple[float, float] | None, caller_first: str = "correction"
) -> tuple[Piece, int, int]:
    """The caller interrupts. Returns the agent's whole speech, its start, and how much of it was said."""
    lead = stage.draw(1.0, 3.2)
    slow = react_sec is None or react_sec[0] >= 1.0
    react = None if react_sec is None else stage.draw(*react_sec)
    length = lead + (react or index(AFTER_SEARCH_SEC, RATE)) + index(0.4, RATE)
    speech = stage.holding(AGENT, length, natural=slow and stage.chance(NATURAL_PERCENT))
    onset = _sounding(speech, lead)
    said = speech if react is None else broken_off(speech, onset + react)
    start = stage.turn(AGENT, said)
    holds = index(1.2, RATE) if react is None else react + index(0.5, RATE)
    stage.place(CALLER, stage.holding(CALLER, holds, first=caller_first), start + onset)
    stage.note("barge_in", start + onset, "yield")
    return speech, start, len(said)


def yield_fast(stage: Stage) -> None:
    """The agent falls quiet 0.15 to 0.8 s after the caller begins."""
    _barge_in(stage, (0.15, 0.8))


def yield_slow(stage: Stage) -> None:
    """The agent falls quiet 1.1 to 2.7 s after the caller begins."""
    _barge_in(stage, (1.1, 2.7))


def yield_never(stage: Stage) -> None:
    """The agent talks on past the end of the search window."""
    _barge_in(stage, None)


def _backchannel(stage: Stage, react_sec: tuple[float, float] | None) -> None:
    lead = stage.draw(1.0, 3.2)
    react = None if react_sec is None else stage.draw(*react_sec)
    length = lead + (react or index(AFTER_SEARCH_SEC, RATE)) + index(0.4, RATE)
    speech = stage.holding(AGENT, length)
    said = speech if react is None else broken_off(speech, lead + react)
    start = stage.turn(AGENT, said)
    stage.place(CALLER, compact(stage.line(CALLER, "backchannel")), start + lead)
    stage.note("backchannel", start + lead, "hold")


def backchannel_held(stage: Stage) -> None:
    """The caller says "mhm" and the agent rightly goes on."""
    _backchannel(stage, None)


def backchannel_false_stop(stage: Stage) -> None:
    """The caller says "mhm" and the agent stops for it; after a while it goes on."""
    _backchannel(stage, (0.2, 0.8))
    stage.turn(AGENT, stage.line(AGENT, "question", "reply"), stage.draw(0.9, 2.0))


def latency(stage: Stage) -> None:
    """The caller asks; the agent answers after 0.2 to 8 s, short waits as likely as long ones."""
    stage.turn(CALLER, stage.line(CALLER, "reply", "question"))
    steps = stage.dice.between(0, 1000) / 1000
    stage.turn(AGENT, stage.line(AGENT, "question", "long"), index(0.2 * math.pow(40.0, steps), RATE))


def dead_air(stage: Stage) -> None:
    """Silence of 1.5 to 7 s inside the agent's own turn."""
    stage.turn(AGENT, stage.line(AGENT, "reply", "question"))
    stage.note("dead_air", stage.now)
    stage.turn(AGENT, stage.line(AGENT, "question", "long"), stage.draw(1.5, 7.0))


def agent_over_caller(stage: Stage) -> None:
    """The agent begins 0.5 to 2 s before the caller has finished."""
    early = stage.draw(0.5, 2.0)
    speech = stage.holding(CALLER, early + index(1.5, RATE))
    start = stage.turn(CALLER, speech)
    at = start + _sounding(speech, len(speech) - early)
    stage.note("agent_over_caller", at)
    stage.place(AGENT, stage.holding(AGENT, early + index(0.6, RATE), first="question"), at)


def dual_start(stage: Stage) -> None:
    """Both begin within 0.15 s of each other; the agent gives up after 0.4 to 1.2 s."""
    if stage.last != AGENT:
        stage.turn(AGENT, stage.line(AGENT, "question"))
    at, apart = stage.now + stage.draw(0.8, 1.8), stage.draw(0.0, 0.15)
    agent_first = stage.chance(50)
    starts = {AGENT: at, CALLER: at + apart} if agent_first else {CALLER: at, AGENT: at + apart}
    stage.note("dual_start", at)
    length = stage.draw(0.4, 1.2)
    stage.place(AGENT, broken_off(stage.holding(AGENT, length + index(0.3, RATE)), length), starts[AGENT])
    stage.place(CALLER, stage.holding(CALLER, index(2.0, RATE), first="reply"), starts[CALLER])


def slow_speaker(stage: Stage) -> None:
    """The caller thinks aloud, with pauses of 0.6 to 1.5 s, and the agent waits it out."""
    pieces = [stage.line(CALLER, "reply", "correction") for _ in range(stage.dice.between(3, 4))]
    stage.turn(CALLER, joined(pieces, [stage.draw(0.6, 1.5) for _ in pieces]))


def digits(stage: Stage) -> None:
    """The caller reads a number, 7 to 10 digits with pauses of 0.2 to 0.6 s."""
    pieces = [stage.line(CALLER, "digit") for _ in range(stage.dice.between(7, 10))]
    stage.turn(CALLER, joined(pieces, [stage.draw(0.2, 0.6) for _ in pieces]))


def self_stop(stage: Stage) -> None:
    """The agent breaks off with nobody speaking, and begins the same line again after 1 to 2.5 s."""
    speech = stage.holding(AGENT, index(3.0, RATE))
    stage.turn(AGENT, broken_off(speech, stage.draw(0.8, 2.5)))
    stage.note("self_stop", stage.now)
    stage.turn(AGENT, speech, stage.draw(1.0, 2.5))


def resume(stage: Stage) -> None:
    """The agent yields in time, and comes back 0.4 to 1.2 s later while the caller is still speaking."""
    lead, react, pause = stage.draw(1.0, 3.0), stage.draw(0.2, 0.8), stage.draw(0.4, 1.2)
    speech = stage.holding(AGENT, lead + react + index(2.0, RATE))
    said = broken_off(speech, lead + react)
    start = stage.turn(AGENT, said)
    back = stage.ends[AGENT] + pause
    stage.place(
        CALLER, stage.holding(CALLER, react + pause + index(1.0, RATE), first="correction"), start + lead
    )
    stage.note("barge_in", start + lead, "yield")
    stage.note("resume", back)
    stage.place(AGENT, stage.holding(AGENT, index(1.5, RATE), first="question"), back)


def restart(stage: Stage) -> None:
    """The agent yields in time, and after the caller's turn begins its line again from the top."""
    speech, _, _ = _barge_in(stage, (0.2, 0.8))
    stage.note("restart", stage.turn(AGENT, speech))


SCENES: dict[str, Scene] = {
    "yield-fast": yield_fast,
    "yield-slow": yield_slow,
    "yield-never": yield_never,
    "backchannel-held": backchannel_held,
    "backchannel-false-stop": backchannel_false_stop,
    "latency": latency,
    "dead-air": dead_air,
    "agent-over-caller": agent_over_caller,
    "dual-start": dual_start,
    "slow-speaker": slow_speaker,
    "digits": digits,
    "self-stop": self_stop,
    "resume": resume,
    "restart": restart,
}
"""The scene of each family; a call of that family is made of it."""

WEIGHTS = {
    "yield-fast": 4,
    "yield-slow": 4,
    "yield-never": 2,
    "backchannel-held": 3,
    "backchannel-false-stop": 2,
    "latency": 3,
    "dead-air": 1,
    "agent-over-caller": 1,
    "dual-start": 1,
    "slow-speaker": 1,
    "digits": 1,
    "self-stop": 1,
    "resume": 1,
    "restart": 1,
}
"""How often each scene is drawn for a mixed call, against the sum of all."""
