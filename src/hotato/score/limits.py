"""What every envelope says about itself: the scope of the measurement, stated once."""

from __future__ import annotations

from typing import Any

from hotato.score.records import Limits, builtins_of

SUITE_ID = "barge-in"

LIMITS_RECORD = Limits(
    method=(
        "Energy per 20 ms frame on two separate channels, one threshold per channel, and the timing that "
        "follows from which channel is active when."
    ),
    accuracy_claim=None,
    reproducible="The same bytes and the same parameters give the same envelope on every machine.",
    ceiling=(
        "Energy is not intent: a cough can be as loud as a word. Documented times carry the frame step and, "
        "at the end of a sound, the hangover; the edges block states the interval without it."
    ),
    best_input="A two-channel recording with the caller on one channel and the agent on the other.",
    does_not_do=(
        "recognise words",
        "identify speakers",
        "judge intent or emotion",
        "rank vendors",
        "state an accuracy percentage",
    ),
    scope=(
        "Whether, when and over how much simultaneous speech the agent gave up the floor, and how its answer "
        "lay around the end of the caller's turn, checked against a label that a person supplied."
    ),
    offline="No connection is opened and nothing leaves the machine.",
)

LIMITS: dict[str, Any] = builtins_of(LIMITS_RECORD)
