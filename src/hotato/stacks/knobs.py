"""Which setting of a platform a turn-taking failure points at.

The table holds names of settings as the vendors document them, nothing about which value is right.
"""

from __future__ import annotations

import msgspec

MISSED_INTERRUPTION = "missed_interruption"
SLOW_YIELD = "slow_yield"
TALK_OVER = "talk_over"
LATE_ANSWER = "late_answer"


class Knob(msgspec.Struct, frozen=True):
    """One setting.

    Attributes:
        parameter: its name on the platform.
        direction: which way to move it.
        trade_off: what may get worse.
    """

    parameter: str
    direction: str
    trade_off: str


_FALSE_STOPS = "the agent may stop for short acknowledgements more often"
_CLIPPED = "a caller who pauses may be taken to have finished, and noise may stop the agent"
_MORE_SENSITIVE = "raise the sensitivity so that less caller speech is enough to stop the agent"
_FEWER_WORDS = "lower the word count so that fewer caller words stop the agent"
_SHORTER_VOICE = "lower the voice time so that the agent stops earlier into the caller's speech"
_SHORTER_SILENCE = "lower it so that the agent goes quiet sooner once the caller has the floor"
_SOONER = "lower it so that the agent takes the caller's turn to be over sooner"
_CUT_OFF = "a caller who pauses to think may be cut off"
_UPSTREAM = "this platform carries the audio; change it on the voice-agent stack behind it"

_KNOBS = {
    "generic": {
        MISSED_INTERRUPTION: Knob("interruption sensitivity / minimum words", _MORE_SENSITIVE, _FALSE_STOPS),
        SLOW_YIELD: Knob("endpointing / VAD minimum silence duration", _SHORTER_SILENCE, _CLIPPED),
        TALK_OVER: Knob("interruption minimum duration", _SHORTER_VOICE, _FALSE_STOPS),
        LATE_ANSWER: Knob("endpointing delay / end-of-turn silence", _SOONER, _CUT_OFF),
    },
    "vapi": {
        MISSED_INTERRUPTION: Knob("stopSpeakingPlan.numWords", _FEWER_WORDS, _FALSE_STOPS),
        SLOW_YIELD: Knob("stopSpeakingPlan.voiceSeconds", _SHORTER_VOICE, _FALSE_STOPS),
        TALK_OVER: Knob("stopSpeakingPlan.voiceSeconds", _SHORTER_VOICE, _FALSE_STOPS),
        LATE_ANSWER: Knob("startSpeakingPlan.waitSeconds", _SOONER, _CUT_OFF),
    },
    "retell": {
        MISSED_INTERRUPTION: Knob("interruption_sensitivity", _MORE_SENSITIVE, _FALSE_STOPS),
        SLOW_YIELD: Knob("interruption_sensitivity", _MORE_SENSITIVE, _FALSE_STOPS),
        TALK_OVER: Knob("interruption_sensitivity", _MORE_SENSITIVE, _FALSE_STOPS),
        LATE_ANSWER: Knob("responsiveness", "raise it so that the agent answers sooner", _CUT_OFF),
    },
    "livekit": {
        MISSED_INTERRUPTION: Knob("min_interruption_words", _FEWER_WORDS, _FALSE_STOPS),
        SLOW_YIELD: Knob("min_interruption_duration", _SHORTER_VOICE, _FALSE_STOPS),
        TALK_OVER: Knob("min_interruption_duration", _SHORTER_VOICE, _FALSE_STOPS),
        LATE_ANSWER: Knob("min_endpointing_delay", _SOONER, _CUT_OFF),
    },
    "pipecat": {
        MISSED_INTERRUPTION: Knob("MinWordsUserTurnStartStrategy.min_words", _FEWER_WORDS, _FALSE_STOPS),
        SLOW_YIELD: Knob("VADParams.start_secs", _SHORTER_VOICE, _FALSE_STOPS),
        TALK_OVER: Knob("VADParams.start_secs", _SHORTER_VOICE, _FALSE_STOPS),
        LATE_ANSWER: Knob("VADParams.stop_secs", _SOONER, _CUT_OFF),
    },
    "twilio": {
        MISSED_INTERRUPTION: Knob("interruption setting of the upstream stack", _UPSTREAM, _FALSE_STOPS),
        SLOW_YIELD: Knob("interruption setting of the upstream stack", _UPSTREAM, _FALSE_STOPS),
        TALK_OVER: Knob("interruption setting of the upstream stack", _UPSTREAM, _FALSE_STOPS),
        LATE_ANSWER: Knob("endpointing setting of the upstream stack", _UPSTREAM, _CUT_OFF),
    },
}


def knob_for(stack: str, failure: str) -> Knob:
    """The setting of `stack` for one of the failures named in this module.

    Raises:
        KeyError: the stack or the failure is not in the table.
    """
    return _KNOBS[stack][failure]
