"""The tables of the four classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callsets import TAIL_SEC, Bounds, Case, Conditions, Plan, Scenario, scenario_of
from classes.telephone import loss_schedule
from suites.build_suites import SETS
from suites.plans import backchannel

THINKING_SEC = 3.0
"""How long the caller must be quiet for the turn to have ended, in the class with thinking pauses."""

ANSWERED_WITHIN = Bounds(1.0, 1.0, 1.5)
SYLLABLES = {"ja-hai": [0.22], "ja-un-un": [0.15, 0.15], "de-genau": [0.42], "es-ya-ya": [0.18, 0.2]}
MORE_SYLLABLES = {"hi-haan": [0.3], "ko-ne": [0.18], "fr-ouais": [0.28], "zh-en": [0.16]}
BETWEEN_WORDS_SEC = 0.09

BACKGROUND = Conditions("background", gain_db={"caller": -20.0}, continuous=True)
BACKGROUND_NEAR = Conditions("background-near", gain_db={"caller": -12.0}, continuous=True)

PACKET_MS = 20
SENT = ("g-11", "g-13", "g-16", "g-18", "gd-04", "gd-05", "gd-06")
"""Narrowband calls of the gold suites that go over the line."""


def thinking(parts: Sequence[tuple[float, float]], gap: float) -> Plan:
    """The caller takes the floor and pauses in the middle of the turn; the agent waits for the true end.

    Args:
        parts: (length, pause after it) of each stretch of the turn; the last pause is not used.
        gap: the agent's answer after the true end of the turn.
    """
    onset, at = 2.0, 2.0
    caller = []
    for length, pause in parts:
        caller.append((round(at, 3), round(at + length, 3)))
        at += length + pause
    end = caller[-1][1]
    agent = [(0.2, 2.35), (round(end + gap, 3), round(end + gap + 1.6, 3))]
    plan = Plan("mid-utterance-pause", caller, agent, onset, bounds=ANSWERED_WITHIN)
    length = round(max(end + THINKING_SEC, agent[-1][1]) + TAIL_SEC, 3)
    return replace(plan, duration_sec=length, thinking_sec=THINKING_SEC)


def token(lengths: Sequence[float], *, stop: float | None = None) -> Plan:
    """A short acknowledgement of one or more syllables under the agent's turn."""
    plan = backchannel([2.2], lengths[0], stop=stop)
    caller, at = [], 2.2
    for length in lengths:
        caller.append((round(at, 3), round(at + length, 3)))
        at += length + BETWEEN_WORDS_SEC
    return replace(plan, caller=caller, family="backchannel-multilingual")


def background(start: float, end: float, *, stop: float | None = None) -> Plan:
    """Somebody else, or a television, sounds on the caller's line for seconds; nobody asks for the floor."""
    plan = backchannel([start], end - start, until=7.0, stop=stop)
    return replace(plan, family="noise-hold")


def title(name: str) -> str:
    """What a multilingual case is called: its language and its word."""
    language, _, word = name.partition("-")
    return f"An acknowledgement in another language ({language}: {word.replace('-', ' ')})"


THINKING = (
    Case("one-pause", "A pause of 1.2 s inside the turn", thinking([(1.0, 1.2), (1.4, 0)], 0.8)),
    Case("long-pause", "A pause of 2.4 s inside the turn", thinking([(0.9, 2.4), (1.6, 0)], 0.8)),
    Case("two-pauses", "Two pauses inside the turn", thinking([(0.9, 1.5), (0.7, 1.8), (1.2, 0)], 0.9)),
    Case(
        "answer-late",
        "A pause inside the turn, and an answer 2.6 s after its end",
        thinking([(1.0, 1.4), (1.4, 0)], 2.6),
        fails_on="late_answer",
    ),
)

MULTILINGUAL = (
    *(Case(name, title(name), token(lengths)) for name, lengths in (SYLLABLES | MORE_SYLLABLES).items()),
    Case(
        "de-genau-stops",
        "The agent stops for it (de: genau)",
        token([0.42], stop=0.35),
        fails_on="false_stop",
    ),
)

NOISE_HOLD = (
    Case("far", "A voice in the background for 4 s", background(1.6, 5.6), BACKGROUND),
    Case("near", "A nearer voice in the background for 3 s", background(2.0, 5.0), BACKGROUND_NEAR),
    Case("all-along", "Background from before the agent's turn to its end", background(0.4, 6.8), BACKGROUND),
    Case("stops", "The agent stops for it", background(2.0, 5.0, stop=0.5), BACKGROUND_NEAR, "false_stop"),
)


def sent_over_the_line() -> list[Scenario]:
    """The gold scenarios of `SENT`, the same sound, each with its line."""
    sources = [scenario for item in SETS.values() for scenario in item.scenarios]
    chosen = [s for s in sources if s["id"].startswith(tuple(f"{prefix}-" for prefix in SENT))]
    found = []
    for scenario in chosen:
        lost = {
            "caller": loss_schedule(scenario["duration_sec"], PACKET_MS, 23, 7),
            "agent": loss_schedule(scenario["duration_sec"], PACKET_MS, 29, 11),
        }
        line = {"codec": "g711-mu-law", "packet_ms": PACKET_MS, "lost_packets": lost}
        named = {**scenario, "id": f"td-{scenario['id']}", "condition": "telephone", "source": scenario["id"]}
        found.append({**named, "line": line})
    return found


def classed(prefix: str, cases: Sequence[Case]) -> list[Scenario]:
    """The scenarios of a class, by name rather than by number."""
    return [scenario_of(f"{prefix}-{case.slug}", case) for case in cases]
