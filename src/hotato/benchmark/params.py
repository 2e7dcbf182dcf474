"""Every constant of the error measurement, by name and unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MatchParams:
    """When a measurement and a truth are about the same thing, and what a verdict is held against.

    Attributes:
        event_sec: a moment was found when a candidate begins at most this far from it.
        edge_sec: a measured edge belongs to a true one at most this far away.
        yield_limit_sec: the limit of a yield verdict where the label states none.
        bridged_pause_sec: a pause in true speech shorter than this does not end a sound, as the documented
            hangover bridges it.
        rounding_sec: measured times are printed to the millisecond, so a truth this far outside an interval
            is inside it.
        length_sec: a stated length of a call may differ from that of its recording by this, as a codec pads.
        least_overlap_sec: an overlap incident is true when both really sounded for longer than this in it.
        least_share: a silence incident is true when the true silence is at least this share of its limit.
    """

    event_sec: float = 0.25
    edge_sec: float = 0.30
    yield_limit_sec: float = 1.0
    bridged_pause_sec: float = 0.15
    rounding_sec: float = 0.0005
    length_sec: float = 0.5
    least_overlap_sec: float = 0.1
    least_share: float = 0.9


PARAMS = MatchParams()
"""The constants of every published figure."""
