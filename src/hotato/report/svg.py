"""Shared pieces of every picture: a time scale, an axis, waveform and strip paths, brackets.

Pictures stretch with the page and keep their text size: positions along time are percentages of the
picture's width, and the waveform is one path in a nested picture that is stretched alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hotato.report.timefmt import clock
from hotato.timing import Levels, Run, runs

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_TICK_STEPS_SEC = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)
_EDGE_PERCENT = 97.0


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps [lo, hi] to 0..100 percent of a picture's width."""

    lo: float
    hi: float

    def percent(self, value: float) -> float:
        """Position of `value`, kept inside the picture, rounded to a thousandth of a percent."""
        if self.hi <= self.lo:
            return 0.0
        return round(100.0 * min(1.0, max(0.0, (value - self.lo) / (self.hi - self.lo))), 3)

    def width(self, start: float, end: float) -> float:
        """Width of [start, end] in percent."""
        return round(max(0.0, self.percent(end) - self.percent(start)), 3)


@dataclass(frozen=True, slots=True)
class Tick:
    """One mark of an axis: where, what it says, and whether a narrow picture leaves its text out."""

    x: float
    label: str
    minor: bool
    anchor: str = "middle"


def time_ticks(scale: Scale, most: int = 10) -> list[Tick]:
    """Round times across the scale, at most `most` of them and one; every other one is minor."""
    length = scale.hi - scale.lo
    step = next((s for s in _TICK_STEPS_SEC if length / s <= most), max(length, 1.0))
    digits = 1 if step < 1 else 0
    first = int(np.ceil(scale.lo / step - 1e-9))
    ticks = []
    for number in range(first, first + most + 2):
        at = number * step
        x = scale.percent(at)
        if at > scale.hi + 1e-9:
            break
        if x < _EDGE_PERCENT:
            ticks.append(
                Tick(x, clock(at, digits), bool((number - first) % 2), "start" if x < 1 else "middle")
            )
    return ticks


@dataclass(frozen=True, eq=False)
class Columns:
    """A stretch of hops cut into equal columns.

    Attributes:
        first: first hop.
        stop: one past the last hop.
        hops: hops in each column (the last may have fewer).
    """

    first: int
    stop: int
    hops: int

    @classmethod
    def over(cls, first: int, stop: int, most: int) -> Columns:
        """At most `most` columns over the hops [first, stop)."""
        stop = max(stop, first + 1)
        return cls(first, stop, -(-(stop - first) // most))

    @property
    def starts(self) -> NDArray[np.int64]:
        """First hop of each column, counted from `first`."""
        return np.arange(0, self.stop - self.first, self.hops, dtype=np.int64)

    def mean(self, values: NDArray[np.generic]) -> Floats:
        """Mean of `values` (one for each hop of the call) in each column; what is missing counts as 0."""
        piece = np.zeros(self.stop - self.first)
        have = np.asarray(values[self.first : self.stop], dtype=np.float64)
        piece[: len(have)] = have
        starts = self.starts
        return np.asarray(np.add.reduceat(piece, starts) / np.diff(np.append(starts, len(piece))))

    def mostly(self, mask: Mask) -> list[Run]:
        """Runs (in hops from `first`) of the columns in which at least half of `mask` is set."""
        found = runs(self.mean(mask) >= 0.5)
        return [Run(r.first * self.hops, min(r.stop * self.hops, self.stop - self.first)) for r in found]


def full_height(levels: Levels, loud: float = 0.985, sounding: float = 0.05) -> float:
    """The hop RMS that is drawn at full height: a loud moment of the channel, not its single loudest click.

    Args:
        levels: the channel.
        loud: quantile of the sounding hops that reaches the full height.
        sounding: share of the loudest hop's RMS above which a hop counts as sounding.
    """
    rms = levels.hop_rms
    heard = rms[rms > rms.max(initial=0.0) * sounding]
    return float(np.quantile(heard, loud)) if len(heard) else 1.0


def heights(
    levels: Levels, columns: Columns, full: float, *, shape: float = 0.7, least: float = 0.03
) -> Floats:
    """Heights 0..1 of one channel's waveform: the mean hop RMS of each column over `full`.

    Args:
        levels: the channel.
        columns: where to cut.
        full: the hop RMS drawn at full height, see `full_height`.
        shape: exponent under 1 that lifts quiet sound so that it can be seen.
        least: what is lower than this is left out, so that silence looks empty.
    """
    drawn = np.minimum(1.0, columns.mean(levels.hop_rms) / full) ** shape
    return np.asarray(np.where(drawn < least, 0.0, drawn))


def wave_path(values: Floats, hops: int, total: int, *, base: int, height: int, up: bool) -> str:
    """One filled path: the heights as steps over (or under) the line y = base.

    Args:
        values: heights 0..1 of each column.
        hops: width of a column in picture units (hops).
        total: width of the picture in hops.
        base: y of the line.
        height: y distance of a height of 1.
        up: towards smaller y.
    """
    sign = -1 if up else 1
    ys = np.rint(base + sign * height * values).astype(np.int64).tolist()
    parts = [f"M0 {base}"]
    at = 0
    for index, y in enumerate(ys):
        if index and y == ys[index - 1]:
            continue
        if index:
            at = index * hops
            parts.append(f"H{at}")
        parts.append(f"V{y}")
    parts.append(f"H{total}V{base}Z")
    return "".join(parts)


def strip_path(pieces: list[Run], y: int, height: int) -> str:
    """One path of filled bars, a bar for each run of hops."""
    return "".join(f"M{p.first} {y}h{p.frames}v{height}h{-p.frames}z" for p in pieces)
