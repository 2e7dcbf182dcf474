"""How large a number from outside may be: beyond these no call, label or setting can be meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class NumberBounds:
    """Largest sizes of numbers that a person or a file states.

    Attributes:
        longest_sec: a time or a length.
        latest_start_sec: when a party's own file begins on the call's clock; silence is put in front of it.
        gate_db: a signal-to-noise ratio, either side of 0.
    """

    longest_sec: float = 1e6
    latest_start_sec: float = 24 * 3_600.0
    gate_db: float = 200.0


BOUNDS = NumberBounds()


def within(value: Any, low: float, high: float) -> bool:
    """Whether `value` is a number from `low` to `high`; NaN is not, and an integer may be of any length."""
    try:
        return bool(low <= value <= high)
    except TypeError:
        return False
