"""How channels and times are named in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.listen import Track

_MOST_TIMES = 5


def channel_of(track: Track) -> str:
    """`the caller's channel (0)`, or `the channel` where both parties share one."""
    if track.role == "mixed":
        return "the channel"
    return f"the {track.role}'s channel ({track.channel})"


def times(spans: Sequence[Sequence[float]]) -> str:
    """The first few start times of `spans`, in words."""
    shown = ", ".join(f"{span[0]:.2f} s" for span in spans[:_MOST_TIMES])
    more = len(spans) - _MOST_TIMES
    return f"{shown} and {more} more" if more > 0 else shown
