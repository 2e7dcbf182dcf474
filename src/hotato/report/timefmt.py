"""How times, durations and hostile text are shown to a person: one way on every page and terminal."""

from __future__ import annotations

from collections.abc import Sequence

from hotato.find.wording import clock, seconds
from hotato.plain import shown
from hotato.timing import Measured

__all__ = ["clock", "interval", "length", "percents", "plural", "rate", "seconds", "shown", "signed_seconds"]

_MINUTES_FROM_SEC = 100.0
_HOUR_SEC = 3600


def length(sec: float) -> str:
    """How long somebody talked: `7.0 s`, from 100 s on `16:58 min`, from one hour on `1:02:03 h`."""
    if sec < _MINUTES_FROM_SEC:
        return seconds(sec, 1)
    return f"{clock(sec, 0)} {'h' if round(sec) >= _HOUR_SEC else 'min'}"


def signed_seconds(sec: float, digits: int = 2) -> str:
    """An offset in seconds with its sign: `+0.70 s`, `-1.95 s`."""
    return f"{sec:+.{digits}f} s"


def percents(shares: Sequence[float]) -> list[int]:
    """Shares of a whole in percent that add up to 100, by largest remainder; all 0 where the whole is 0."""
    whole = sum(shares)
    exact = [100.0 * share / whole if whole > 0 else 0.0 for share in shares]
    rounded = [int(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: rounded[i] - exact[i])
    for i in by_remainder[: round(sum(exact)) - sum(rounded)]:
        rounded[i] += 1
    return rounded


def interval(measured: Measured) -> str:
    """The interval of a measured duration: `1.92 to 1.99 s`."""
    return f"{measured.lo_sec:.2f} to {measured.hi_sec:.2f} s"


def rate(sample_rate_hz: int) -> str:
    """A sample rate in kHz without needless zeros: `16 kHz`, `44.1 kHz`."""
    return f"{sample_rate_hz / 1000:g} kHz"


def plural(count: int, word: str) -> str:
    """`1 incident`, `3 incidents`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
