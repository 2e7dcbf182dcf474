"""Calls of natural speech with exact truth.

`generate` makes one call in memory. The same split, seed, family and voices give the same samples as long as
the bank holds the same utterances (`bank.digest`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hotato.acoustics import UNIT, Dice, Samples, factor, index, noise_floor
from natural.bank import RATE
from natural.scenes import SCENES, WEIGHTS
from natural.stage import AGENT, CALLER, ROLES, Stage
from natural.truth import truth_of
from natural.voices import installed
from spans import bridged

SPLITS = ("tune", "held")
FAMILIES = (*SCENES, "mixed", "long")
"""What `generate` can be asked for; "mixed" is the default."""


@dataclass(frozen=True)
class Shape:
    """How long and how loud a call is.

    Attributes:
        lead_ms: silence before the first word, shortest and longest.
        mixed_sec, long_sec: a mixed or long call ends with the scene that passes this.
        family_scenes: how many scenes a call of one family has.
        level_db: each party's level against the bank's, lowest and highest.
        floor_dbfs: RMS of the line noise, quietest and loudest.
        tail_sec: recording after the last word.
    """

    lead_ms: tuple[int, int] = (300, 900)
    mixed_sec: float = 52.0
    long_sec: float = 600.0
    family_scenes: int = 3
    level_db: tuple[int, int] = (-3, 3)
    floor_dbfs: tuple[int, int] = (-75, -65)
    tail_sec: float = 1.5


SHAPE = Shape()
ANSWER_WITHIN_SEC = 2.0
"""The bound of an answer label: what a caller takes for a pause and not yet for dead air."""


@dataclass(frozen=True, eq=False)
class TruthCall:
    """A rendered call and what is true about it.

    Attributes:
        scenario: id, channels, expectations, voices, family, condition, split, and the block `truth`.
        samples: int16 of shape (frames, 2), caller on channel 0, agent on channel 1.
        sample_rate: in hertz.
    """

    scenario: dict[str, Any]
    samples: Samples
    sample_rate: int

    def spans(self, role: str) -> list[tuple[int, int]]:
        """Where the party truly sounds, as sample spans of this recording."""
        rows = self.scenario["truth"][f"{role}_spans_sec"]
        return [(index(start, self.sample_rate), index(stop, self.sample_rate)) for start, stop in rows]


def generate(
    split: str, seed: int, family: str | None = None, voices: tuple[str, ...] | None = None
) -> TruthCall:
    """One clean call at 16 kHz.

    Args:
        split: "tune" or "held"; decides the voices, and is part of the seed.
        seed: any integer.
        family: one of `FAMILIES`; None is "mixed", about a minute of several scenes.
        voices: names to draw the two parties from; None is every installed voice of the half.

    Raises:
        ValueError: an unknown split or family, or fewer than two voices.
    """
    family = family or "mixed"
    names = installed(split) if voices is None else voices
    if split not in SPLITS or family not in FAMILIES:
        raise ValueError(f"no such split or family: {split}, {family}")
    if len(names) < 2:
        raise ValueError(
            f"a call needs two voices of the half {split}; natural.voices.missing() says what to install"
        )
    dice = Dice(f"natural/{split}/{family}/{seed}")
    stage = Stage(dice, _cast(dice, names))
    _play(stage, family)
    return _rendered(stage, split, seed, family)


def _cast(dice: Dice, names: tuple[str, ...]) -> dict[str, str]:
    caller = dice.between(0, len(names) - 1)
    agent = dice.between(0, len(names) - 2)
    return {CALLER: names[caller], AGENT: names[agent + (agent >= caller)]}


def _play(stage: Stage, family: str, shape: Shape = SHAPE) -> None:
    low, high = shape.lead_ms
    stage.place(AGENT, stage.line(AGENT, "question"), stage.draw(low / 1000, high / 1000))
    stage.turn(CALLER, stage.line(CALLER, "reply", "question"))
    if family in SCENES:
        for _ in range(shape.family_scenes):
            SCENES[family](stage)
            _breathe(stage)
        return
    lots = [name for name, weight in WEIGHTS.items() for _ in range(weight)]
    until = index(shape.long_sec if family == "long" else shape.mixed_sec, RATE)
    while stage.now < until:
        SCENES[lots[stage.dice.between(0, len(lots) - 1)]](stage)
        if stage.chance(40):
            _breathe(stage)


def _breathe(stage: Stage) -> None:
    """An ordinary pair of turns, so that scenes do not collide: the party that was silent last goes first."""
    if stage.last == AGENT:
        stage.turn(CALLER, stage.line(CALLER, "reply"))
    stage.turn(AGENT, stage.line(AGENT, "question", "reply"))
    if stage.chance(50):
        stage.turn(CALLER, stage.line(CALLER, "reply"))


def _rendered(stage: Stage, split: str, seed: int, family: str, shape: Shape = SHAPE) -> TruthCall:
    name = f"{family}-{split}-{seed:04}"
    count = stage.now + index(shape.tail_sec, RATE)
    channels, spans = [], {}
    for role in ROLES:
        track = np.zeros(count)
        level_db = stage.dice.between(10 * shape.level_db[0], 10 * shape.level_db[1]) / 10
        for who, at, piece in stage.placed:
            if who == role:
                track[at : at + len(piece)] += piece.samples
        voice = np.rint(track * (factor(level_db) / UNIT)).astype(np.int64)
        floor = noise_floor(f"{name}#{role}#floor", count, stage.dice.between(*shape.floor_dbfs))
        channels.append(np.clip(voice + floor, -UNIT, UNIT - 1))
        placed = [(at + a, at + b) for who, at, piece in stage.placed if who == role for a, b in piece.spans]
        spans[role] = bridged(placed, RATE)
    truth = truth_of(stage.notes, spans[CALLER], spans[AGENT], count, RATE)
    parties = f"{stage.voices[CALLER]} calls {stage.voices[AGENT]}"
    scenario = {
        "id": name,
        "title": f"{family.replace('-', ' ').capitalize()}: {parties}",
        **expectation(truth),
        "sample_rate": RATE,
        "duration_sec": round(count / RATE, 4),
        "channels": {"caller_channel": 0, "agent_channel": 1},
        "family": family,
        "condition": "clean",
        "voices": dict(stage.voices),
        "split": split,
        "truth": truth,
    }
    return TruthCall(scenario, np.stack(channels, axis=1).astype(np.int16), RATE)


def expectation(truth: dict[str, Any], answer_within_sec: float = ANSWER_WITHIN_SEC) -> dict[str, Any]:
    """The label of a call: of the caller's first event; else of the first turn that the agent answers.

    Where there is neither, nobody asks the agent to stop: a hold without an onset.

    Args:
        truth: the block `truth` of its scenario.
        answer_within_sec: the bound of an answer label.
    """
    for event in truth["events"]:
        if event["expect"] is not None:
            yields = event["expect"] == "yield"
            return {
                "category": "should_yield" if yields else "should_not_yield",
                "caller_onset_sec": event["at_sec"],
                "expected": {
                    "yield": yields,
                    "max_time_to_yield_sec": 1.0 if yields else None,
                    "max_talk_over_sec": 1.0 if yields else None,
                },
            }
    turn = _answered_turn(truth)
    if turn is None:
        return {"category": "should_not_yield", "expected": {"yield": False}}
    return {
        "category": "should_answer",
        "caller_onset_sec": turn,
        "expected": {"yield": False, "answer": True, "max_response_gap_sec": answer_within_sec},
    }


def _answered_turn(truth: dict[str, Any]) -> float | None:
    """Where the caller begins the first sound after which the agent is the next to sound, in seconds."""
    agent = truth["agent_spans_sec"]
    followers = [*truth["caller_spans_sec"][1:], None]
    for (start, stop), again in zip(truth["caller_spans_sec"], followers, strict=False):
        answer = min((begin for begin, _ in agent if begin >= stop), default=None)
        over = any(begin < stop < end for begin, end in agent)
        if answer is not None and not over and (again is None or answer < again[0]):
            return float(start)
    return None
