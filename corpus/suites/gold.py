"""The tables of the gold suites: the same families under hard conditions."""

from __future__ import annotations

from callsets import Bounds, Case, Conditions
from suites.plans import (
    after_exchange,
    backchannel,
    double_talk,
    interruption,
    latency,
    multi_turn,
    one_word,
    reinterrupted,
    stutter,
)

NOISE_50 = Conditions("noise-50", noise_floor_dbfs=-50.0)
NOISE_46 = Conditions("noise-46", noise_floor_dbfs=-46.0)
NOISE_43 = Conditions("noise-43", noise_floor_dbfs=-43.0)
NOISE_41 = Conditions("noise-41", noise_floor_dbfs=-41.0)  # 23.8 dB below the speech, as the SNR gate counts
NARROW = Conditions("narrowband", sample_rate=8000)
QUIET_CALLER = Conditions("quiet-caller", gain_db={"caller": -24.0})
QUIET_AGENT = Conditions("quiet-agent", gain_db={"agent": -24.0})
QUIET_BOTH = Conditions("quiet-both", gain_db={"caller": -24.0, "agent": -24.0})
CLIPPED = Conditions("clipped", gain_db={"caller": 12.0, "agent": 12.0})
CLIPPED_CALLER = Conditions("clipped-caller", gain_db={"caller": 12.0, "agent": -12.0})
ECHO_NEAR = Conditions("echo-80ms", echo=(0.08, -18.0))
ECHO_FAR = Conditions("echo-250ms", echo=(0.25, -20.0))
ECHO_LOUD = Conditions("echo-120ms", echo=(0.12, -12.0))
TIGHT = Bounds(time_to_yield=0.7, talk_over=0.8)

GOLD = (
    Case("noise-hard", "An interruption over light noise", interruption(2.4, 0.35), NOISE_50),
    Case("noise-hard-louder", "An interruption over noise", interruption(2.4, 0.3), NOISE_43),
    Case(
        "noise-hard-worst",
        "An interruption over the loudest noise of the set",
        interruption(2.4, 0.3),
        NOISE_41,
    ),
    Case("noise-mhm", "An acknowledgement over light noise", backchannel([2.2]), NOISE_50),
    Case("noise-mhm-louder", "An acknowledgement over noise", backchannel([2.2], 0.35), NOISE_43),
    Case("noise-mhm-dense", "Three acknowledgements over loud noise", backchannel([1.4, 2.4, 3.4]), NOISE_43),
    Case("noise-word", "A single word over noise", one_word(2.2, 0.35), NOISE_46),
    Case("noise-stutter", "A halting start over noise", stutter(2.2, [(0.15, 0.15)], 0.5), NOISE_46),
    Case("noise-turns", "An exchange and an interruption over noise", multi_turn(4, 0.35), NOISE_43),
    Case("noise-answer", "An answer over noise", latency(0.8), NOISE_43),
    Case("narrow-hard", "An interruption on a telephone line", interruption(2.4, 0.35), NARROW),
    Case("narrow-hard-long", "A long interruption on a telephone line", interruption(1.6, 0.5, 4.0), NARROW),
    Case("narrow-mhm", "An acknowledgement on a telephone line", backchannel([2.4]), NARROW),
    Case(
        "narrow-mhm-dense",
        "Four acknowledgements on a telephone line",
        backchannel([1.2, 2.0, 2.8, 3.6], 0.2),
        NARROW,
    ),
    Case("narrow-word", "A single word on a telephone line", one_word(2.2, 0.3), NARROW),
    Case("narrow-both", "Both talk at once on a telephone line", double_talk(2.0, 0.7), NARROW),
    Case("narrow-again", "Interrupted twice on a telephone line", reinterrupted(1.8, 0.35, 1.4), NARROW),
    Case("narrow-answer", "An answer on a telephone line", latency(0.9), NARROW),
    Case("gain-hard-quiet-caller", "A caller 24 dB down interrupts", interruption(2.4, 0.35), QUIET_CALLER),
    Case("gain-hard-quiet-agent", "An agent 24 dB down stops", interruption(2.4, 0.35), QUIET_AGENT),
    Case("gain-hard-quiet-both", "Both 24 dB down", interruption(2.4, 0.35), QUIET_BOTH),
    Case("gain-hard-clipped", "Both driven 12 dB into clipping", interruption(2.4, 0.35), CLIPPED),
    Case("gain-mhm-quiet-caller", "An acknowledgement 24 dB down", backchannel([2.4], 0.3), QUIET_CALLER),
    Case(
        "gain-mhm-clipped",
        "A clipped acknowledgement over a quieter agent",
        backchannel([2.4], 0.3),
        CLIPPED_CALLER,
    ),
    Case(
        "gain-both-unequal",
        "A clipped caller and a quieter agent at once",
        double_talk(2.0, 0.6),
        CLIPPED_CALLER,
    ),
    Case("gain-answer-quiet-agent", "An agent 24 dB down answers", latency(0.8), QUIET_AGENT),
    Case("echo-hard", "An interruption over near echo", interruption(2.4, 0.35), ECHO_NEAR),
    Case("echo-hard-far", "An interruption over late echo", interruption(2.4, 0.35), ECHO_FAR),
    Case("echo-hard-loud", "An interruption over loud echo", interruption(2.4, 0.35), ECHO_LOUD),
    Case("echo-mhm-loud", "An acknowledgement over loud echo", backchannel([2.4], 0.35), ECHO_LOUD),
    Case("echo-both", "Both at once over late echo", double_talk(2.0, 0.6), ECHO_FAR),
    Case("echo-turns", "An exchange and an interruption over near echo", multi_turn(2, 0.35), ECHO_NEAR),
    Case(
        "edge-first-moment", "The caller interrupts 0.2 s into the call's first word", interruption(0.4, 0.3)
    ),
    Case("edge-bound-met", "The agent yields with 30 ms to spare", interruption(2.0, 0.52, bounds=TIGHT)),
    Case(
        "edge-shortest-silence",
        "The agent stops for only 0.42 s, just long enough to count",
        interruption(2.0, 0.3, 0.5, resume=0.22),
    ),
    Case(
        "edge-breath",
        "The agent breathes for 0.18 s under an acknowledgement, too short to be a stop",
        backchannel([2.0], 0.3, breath=(2.15, 0.18)),
    ),
    Case("edge-answer-met", "The answer comes with 60 ms to spare", latency(1.1, 1.0)),
    Case("long-hard", "An interruption after a minute", after_exchange(interruption(2.4, 0.35), 60.0)),
    Case("long-mhm", "An acknowledgement after a minute", after_exchange(backchannel([2.4]), 60.0)),
    Case("long-answer", "A question after a minute and a half", after_exchange(latency(0.8), 90.0)),
)

GOLD_DEFECTS = (
    Case("noise-ignored", "Ignored over noise", interruption(2.0, 4.0, 3.6), NOISE_43, "no_yield"),
    Case("noise-late-stop", "Stops late over noise", interruption(2.0, 1.6, 2.8), NOISE_46, "slow_yield"),
    Case(
        "noise-mhm-stops",
        "Stops for an acknowledgement over noise",
        backchannel([2.4], 0.3, stop=0.3),
        NOISE_43,
        "false_stop",
    ),
    Case("narrow-ignored", "Ignored on a telephone line", interruption(1.6, 4.0, 3.6), NARROW, "no_yield"),
    Case(
        "narrow-mhm-stops",
        "Stops for an acknowledgement on a telephone line",
        backchannel([2.2], stop=0.3),
        NARROW,
        "false_stop",
    ),
    Case(
        "narrow-answer-late", "Answers after 2.4 s on a telephone line", latency(2.4), NARROW, "late_answer"
    ),
    Case(
        "gain-ignored-quiet-caller",
        "A caller 24 dB down is ignored",
        interruption(2.0, 4.0, 3.6),
        QUIET_CALLER,
        "no_yield",
    ),
    Case(
        "gain-mhm-stops-clipped",
        "Stops for a clipped acknowledgement",
        backchannel([2.2], 0.3, stop=0.35),
        CLIPPED_CALLER,
        "false_stop",
    ),
    Case("echo-ignored", "Ignored over loud echo", interruption(2.0, 4.0, 3.6), ECHO_LOUD, "no_yield"),
    Case(
        "echo-mhm-stops",
        "Stops for an acknowledgement over near echo",
        backchannel([2.4], 0.35, stop=0.4),
        ECHO_NEAR,
        "false_stop",
    ),
    Case(
        "edge-bound-missed",
        "The agent yields 40 ms after its bound",
        interruption(2.0, 0.59, bounds=TIGHT),
        fails_on="slow_yield",
    ),
    Case(
        "edge-answer-missed",
        "The answer comes 50 ms after its bound",
        latency(1.21, 1.0),
        fails_on="late_answer",
    ),
    Case(
        "long-ignored",
        "Ignored after a minute",
        after_exchange(interruption(2.0, 4.0, 3.6), 60.0),
        fails_on="no_yield",
    ),
    Case(
        "long-answer-never",
        "No answer after a minute",
        after_exchange(latency(None), 60.0),
        fails_on="late_answer",
    ),
    Case(
        "capture-dropout",
        "The agent's track drops out for 0.9 s under an acknowledgement",
        backchannel([2.4], 0.3, stop=0.25),
        fails_on="false_stop",
        capture_defect="dropout",
        notes="The agent talked on, but its track was lost: the recording shows a stop.",
    ),
    Case(
        "capture-late-track",
        "The agent's track lies 1.1 s late",
        interruption(2.0, 0.35 + 1.1, 2.8),
        fails_on="slow_yield",
        capture_defect="channel-offset",
        notes="The agent stopped in 0.35 s, but its track lies late: the recording shows 1.45 s.",
    ),
)
