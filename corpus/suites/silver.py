"""The tables of the silver suites: clean calls at 16 kHz over the renderer's faint floor."""

from __future__ import annotations

from dataclasses import replace

from callsets import Bounds, Case
from suites.plans import (
    backchannel,
    double_talk,
    interruption,
    latency,
    multi_turn,
    one_word,
    reinterrupted,
    stutter,
)

FIRST_WORDS = [(0.12, 0.12), (0.14, 0.1)]

SILVER = (
    Case("hard-early", "The caller interrupts in the first second", interruption(0.9, 0.35)),
    Case("hard-middle", "The caller interrupts mid-sentence", interruption(2.4, 0.35)),
    Case("hard-late", "The caller interrupts late in a long turn", interruption(4.6, 0.35)),
    Case("hard-fast-yield", "The agent stops after 0.12 s", interruption(2.2, 0.12)),
    Case("hard-slow-yield", "The agent stops after 0.75 s, within its bound", interruption(2.2, 0.75)),
    Case("hard-short-turn", "The interruption is short", interruption(2.0, 0.3, 0.8)),
    Case("hard-long-turn", "The interruption goes on for 4 s", interruption(2.0, 0.3, 4.0)),
    Case(
        "hard-then-resume",
        "The agent stops, and resumes after the caller",
        interruption(2.0, 0.3, resume=0.7),
    ),
    Case("mhm-early", "An acknowledgement in the first second", backchannel([0.8])),
    Case("mhm-middle", "An acknowledgement mid-sentence", backchannel([2.4])),
    Case("mhm-late", "An acknowledgement near the end of a long turn", backchannel([4.6], until=7.6)),
    Case("mhm-twice", "Two acknowledgements, two seconds apart", backchannel([1.5, 3.5])),
    Case("mhm-dense", "Four acknowledgements in three seconds", backchannel([1.2, 2.0, 2.8, 3.6])),
    Case("mhm-repeated", "A quick double acknowledgement", backchannel([2.0, 2.45], 0.2)),
    Case("mhm-very-short", "An acknowledgement of 0.12 s", backchannel([2.2], 0.12)),
    Case("mhm-half-second", "A drawn-out acknowledgement of 0.5 s", backchannel([2.2], 0.5)),
    Case("mhm-phrase", "An acknowledgement of several words", backchannel([2.2], 0.9, until=6.8)),
    Case("both-half-second", "Both talk at once for 0.5 s", double_talk(2.0, 0.5)),
    Case("both-longer", "Both talk at once for 0.7 s", double_talk(2.0, 0.7)),
    Case("both-limit", "Both talk at once for 0.8 s, just within the bound", double_talk(2.0, 0.8)),
    Case("both-long-caller", "The caller wins the floor and keeps it", double_talk(1.6, 0.6, 4.2)),
    Case("word-middle", "A single word stops the agent", one_word(2.4, 0.35)),
    Case("word-early", "A single word at the start", one_word(1.0, 0.3)),
    Case("word-short", "A single word of 0.25 s", one_word(2.2, 0.3, 0.25)),
    Case("word-slow-yield", "A single word, and the agent takes 0.6 s", one_word(2.2, 0.6, 0.45)),
    Case("stutter-two", "Two fragments before the sentence", stutter(2.2, FIRST_WORDS, 0.6)),
    Case("stutter-one", "One fragment before the sentence", stutter(2.2, [(0.15, 0.2)], 0.5)),
    Case(
        "stutter-three",
        "Three fragments before the sentence",
        stutter(2.2, [(0.1, 0.1), (0.12, 0.15), (0.15, 0.12)], 0.75),
    ),
    Case("stutter-wide", "A fragment, a pause of 0.3 s, the sentence", stutter(2.0, [(0.18, 0.3)], 0.55)),
    Case("turns-two", "An interruption after one exchange", multi_turn(2, 0.35)),
    Case("turns-four", "An interruption after two exchanges", multi_turn(4, 0.35)),
    Case("turns-six", "An interruption after three brisk exchanges", multi_turn(6, 0.4, turn=1.1, gap=0.35)),
    Case("again-soon", "Interrupted again after 0.9 s", reinterrupted(1.8, 0.35, 0.9)),
    Case("again-later", "Interrupted again after 2.4 s", reinterrupted(1.8, 0.35, 2.4)),
    Case("again-slow", "Interrupted again, and slower to stop", reinterrupted(1.8, 0.7, 1.4, pause=0.9)),
    Case("answer-fast", "The answer comes after 0.4 s", latency(0.4)),
    Case("answer-usual", "The answer comes after 0.8 s", latency(0.8)),
    Case("answer-slow", "The answer comes after 1.2 s, within its bound", latency(1.2)),
    Case("answer-long-question", "A long question, answered after 0.7 s", latency(0.7, caller=3.4)),
    Case("answer-tight-bound", "A bound of 0.8 s, met with 0.6 s", latency(0.6, 0.8)),
)

SILVER_DEFECTS = (
    Case(
        "hard-ignored", "The agent talks on over the caller", interruption(2.0, 4.0, 3.6), fails_on="no_yield"
    ),
    Case(
        "hard-ignored-early",
        "The agent reads its greeting to the end",
        interruption(0.8, 3.8, 3.4),
        fails_on="no_yield",
    ),
    Case("hard-late-stop", "The agent stops after 1.5 s", interruption(2.0, 1.5, 2.6), fails_on="slow_yield"),
    Case(
        "hard-very-late-stop",
        "The agent stops after 2.5 s",
        interruption(2.0, 2.5, 3.2),
        fails_on="slow_yield",
    ),
    Case(
        "both-too-long",
        "Both talk at once for 1.2 s where 0.8 s are allowed",
        double_talk(2.0, 1.2, bounds=Bounds(time_to_yield=2.0, talk_over=0.8)),
        fails_on="talk_over",
    ),
    Case(
        "both-ignored", "Both talk on, and nobody gives way", double_talk(1.8, 4.2, 4.0), fails_on="no_yield"
    ),
    Case(
        "mhm-stops",
        "The agent stops for an acknowledgement",
        backchannel([2.4], stop=0.3),
        fails_on="false_stop",
    ),
    Case(
        "mhm-stops-early",
        "The agent stops for an early acknowledgement",
        backchannel([1.0], stop=0.25),
        fails_on="false_stop",
    ),
    Case(
        "mhm-stops-of-four",
        "The agent stops for the first of four acknowledgements",
        backchannel([1.6, 2.4, 3.4, 4.2], 0.2, stop=0.35),
        fails_on="false_stop",
    ),
    Case(
        "word-ignored",
        "The agent talks on over 'stop'",
        # Its turn goes on to 5.6 s; the truth was published with the end of the segment inside it.
        replace(one_word(1.6, 4.0, 0.45), agent_published=[(0.2, 4.55)]),
        fails_on="no_yield",
    ),
    Case(
        "stutter-ignored",
        "The agent talks on over a halting start",
        stutter(1.8, FIRST_WORDS, 4.2, 3.4),
        fails_on="no_yield",
    ),
    Case(
        "turns-ignored",
        "Two exchanges, then an interruption is ignored",
        multi_turn(4, 4.0),
        fails_on="no_yield",
    ),
    Case(
        "again-ignored",
        "The second interruption is ignored",
        reinterrupted(1.6, 4.0, 1.0),
        fails_on="no_yield",
    ),
    Case("answer-late", "The answer comes after 2.6 s", latency(2.6), fails_on="late_answer"),
    Case("answer-very-late", "The answer comes after 5 s", latency(5.0), fails_on="late_answer"),
    Case("answer-never", "There is no answer", latency(None), fails_on="late_answer"),
)
