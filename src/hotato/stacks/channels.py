"""Which channel of a platform's two-channel recording holds which party."""

from __future__ import annotations

import msgspec

from hotato.errors import UsageError


class ChannelMap(msgspec.Struct, frozen=True):
    """Channel numbers (from 0) of the two parties.

    Attributes:
        caller: channel of the person who calls.
        agent: channel of the voice agent.
        source: `stack`, `flags` or `default`: who says so.
        both: nothing is left open; False where one number was given and the other party took what was left of
            the first two channels, which settles nothing in a recording of more.
    """

    caller: int
    agent: int
    source: str = "default"
    both: bool = True


_BY_STACK = {
    "generic": (0, 1),
    "vapi": (0, 1),
    "twilio": (0, 1),
    "retell": (0, 1),
    "pipecat": (0, 1),
    "livekit": (1, 0),
}

STACK_NAMES = tuple(_BY_STACK)

UNMAPPED_STACKS = ("bland", "elevenlabs", "synthflow", "millis", "cartesia")
"""Platforms whose recordings hotato has no channel order for."""


def channel_map(
    stack: str | None = None, *, caller: int | None = None, agent: int | None = None
) -> ChannelMap:
    """The channel map of a stack, with explicit channel numbers overriding it.

    One explicit number moves the other party to the remaining channel of the first two when they would
    collide. LiveKit's dual-channel egress writes the agent to channel 0 and everybody else to 1; the other
    platforms write the caller to 0.

    Raises:
        UsageError: unknown stack, negative channel, or both parties on one channel.
    """
    if stack is not None and stack not in _BY_STACK:
        raise UsageError(f"unknown stack '{stack}'", f"choose one of: {', '.join(STACK_NAMES)}")
    for name, number in (("caller", caller), ("agent", agent)):
        if number is not None and number < 0:
            raise UsageError(f"the {name} channel is {number}", "channels count from 0")
    if caller is None and agent is None:
        return ChannelMap(
            *_BY_STACK[stack or "generic"], source="stack" if stack not in (None, "generic") else "default"
        )
    default_caller, default_agent = _BY_STACK[stack or "generic"]
    chosen_caller = default_caller if caller is None else caller
    chosen_agent = default_agent if agent is None else agent
    if chosen_caller == chosen_agent and (caller is None or agent is None):
        other = 1 if chosen_caller == 0 else 0
        chosen_caller, chosen_agent = (other, chosen_agent) if caller is None else (chosen_caller, other)
    if chosen_caller == chosen_agent:
        raise UsageError(
            f"caller and agent are both on channel {chosen_caller}", "give two different channel numbers"
        )
    return ChannelMap(chosen_caller, chosen_agent, source="flags", both=None not in (caller, agent))
