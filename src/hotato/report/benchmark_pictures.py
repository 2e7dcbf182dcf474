"""Pictures of a measurement-error result: the errors of each signal by group, and the noise cliff.

Places across are percentages of the picture's width and places down are pixels, so that text keeps its size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hotato.report.benchmark_cells import DETECTOR_WORDS, READING_WORDS, SIGNAL_WORDS
from hotato.report.svg import Scale
from hotato.stats import quantile

ROW_PX = 26
PLOT_PX = 180
TOP_PX = 10
_MS = 1000.0
_MOST_DOTS = 200
_STEPS_MS = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST_TICKS = 6
_QUARTERS = 4


@dataclass(frozen=True, slots=True)
class Lane:
    """The errors of one group.

    Attributes:
        name: the group.
        y: middle of the lane in pixels.
        dots: places of single errors in percent.
        low: place of the 10th percentile.
        width: from there to the 90th, in percent.
        median: place of the median.
        words: the same for a reader.
    """

    name: str
    y: int
    dots: tuple[float, ...]
    low: float
    width: float
    median: float
    words: str


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of one signal in one reading, a lane for each group.

    Attributes:
        title: which.
        height: of the picture in pixels.
        zero: place of the truth in percent.
        ticks: (percent, label) of the axis in milliseconds.
        lanes: the groups.
    """

    title: str
    height: int
    zero: float
    ticks: tuple[tuple[float, str], ...]
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One share against SNR: its name, style, points (percent, pixels, words) and the lines between them."""

    name: str
    style: str
    points: tuple[tuple[float, float, str], ...]
    pieces: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Cliff:
    """Verdict flips and warnings of one noise against its SNR.

    Attributes:
        noise: its name.
        height: of the plot in pixels.
        ticks: (percent, label) along the SNR, falling.
        levels: (pixels, label) along the share.
        lines: wrong verdicts, warned calls.
    """

    noise: str
    height: int
    ticks: tuple[tuple[float, str], ...]
    levels: tuple[tuple[int, str], ...]
    lines: tuple[Line, ...]


def error_pictures(result: Mapping[str, Any]) -> list[tuple[str, list[Errors]]]:
    """The pictures by condition, where there are several, and those by family, each list with its word."""
    rows: list[Mapping[str, Any]] = result["rows"]["errors"]
    words = ["condition"] if len({row["condition"] for row in rows}) > 1 else []
    parts = [(word, _pictures(result, rows, word)) for word in (*words, "family")]
    return [part for part in parts if part[1]]


def _pictures(result: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], group: str) -> list[Errors]:
    """One picture for each signal and reading that has errors, a lane for each condition or family."""
    found = []
    for signal, signal_words in SIGNAL_WORDS.items():
        for reading, reading_words in READING_WORDS.items():
            groups: dict[str, list[float]] = {
                name: [] for name in result["signals"][signal][reading][f"by_{group}"]
            }
            for row in rows:
                value = row[f"{reading}_sec"]
                if row["signal"] == signal and value is not None:
                    groups[row[group]].append((value - row["true_sec"]) * _MS)
            errors = {name: sorted(part) for name, part in groups.items() if part}
            if errors:
                found.append(_errors(errors, f"{signal_words}, {reading_words}, by {group}"))
    return found


def cliff_pictures(result: Mapping[str, Any]) -> list[Cliff]:
    """One picture for each noise and detector."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for point in result["noise_cliff"]["points"]:
        if point["snr_db"] is not None:
            groups.setdefault((point["noise"], DETECTOR_WORDS[point["detector"]]), []).append(point)
    return [_cliff(f"{noise} noise, {detector}", points) for (noise, detector), points in groups.items()]


def _errors(errors: Mapping[str, Sequence[float]], title: str) -> Errors:
    """The picture of errors in milliseconds, ascending, by group."""
    every = [error for part in errors.values() for error in part]
    lo, hi = min(0.0, *every), max(0.0, *every)
    step = next((step for step in _STEPS_MS if (hi - lo) / step <= _MOST_TICKS), _STEPS_MS[-1])
    scale = Scale(math.floor(lo / step) * step, max(math.ceil(hi / step) * step, step))
    marks = range(round(scale.lo / step), round(scale.hi / step) + 1)
    lanes = tuple(_lane(name, index, part, scale) for index, (name, part) in enumerate(errors.items()))
    return Errors(
        title=title,
        height=TOP_PX + ROW_PX * len(lanes),
        zero=scale.percent(0.0),
        ticks=tuple((scale.percent(mark * step), f"{mark * step} ms") for mark in marks),
        lanes=lanes,
    )


def _lane(name: str, index: int, errors: Sequence[float], scale: Scale) -> Lane:
    low, middle, high = (quantile(errors, q) for q in (0.1, 0.5, 0.9))
    dots = errors[:: -(-len(errors) // _MOST_DOTS)]
    return Lane(
        name=name,
        y=TOP_PX + ROW_PX * index + ROW_PX // 2,
        dots=tuple(dict.fromkeys(scale.percent(error) for error in dots)),
        low=scale.percent(low),
        width=scale.width(low, high),
        median=scale.percent(middle),
        words=f"{name}: {len(errors)} measured, median {middle:+.1f} ms, "
        f"10 to 90 %: {low:+.1f} to {high:+.1f} ms",
    )


def _cliff(noise: str, points: Sequence[Mapping[str, Any]]) -> Cliff:
    levels = [point["snr_db"] for point in points]
    scale = Scale(-max(levels), -min(levels))
    shares = (
        ("wrong verdicts", "flip", "flipped", "verdicts"),
        ("calls with a warning", "warned", "warned", "calls"),
    )
    return Cliff(
        noise=noise,
        height=PLOT_PX,
        ticks=tuple((scale.percent(-level), f"{level} dB") for level in _sparse(levels)),
        levels=tuple(
            (round(TOP_PX + PLOT_PX * (1 - quarter / _QUARTERS)), f"{100 * quarter // _QUARTERS} %")
            for quarter in range(_QUARTERS + 1)
        ),
        lines=tuple(_line(names, points, scale) for names in shares),
    )


def _sparse(levels: Sequence[int]) -> list[int]:
    """Levels that can be written side by side: the first, and every one far enough from the one before."""
    least = (max(levels) - min(levels)) / (_MOST_TICKS * 2)
    kept = [levels[0]]
    for level in levels[1:]:
        if kept[-1] - level >= least:
            kept.append(level)
    return kept


def _line(names: tuple[str, str, str, str], points: Sequence[Mapping[str, Any]], scale: Scale) -> Line:
    """The line of one share: its name, its style, and the keys of its part and its whole."""
    name, style, part, whole = names
    places = [
        (
            scale.percent(-point["snr_db"]),
            round(TOP_PX + PLOT_PX * (1 - point[part] / point[whole]), 1),
            f"{point['snr_db']} dB: {point[part]} of {point[whole]} {name}",
        )
        for point in points
        if point[whole]
    ]
    pieces = tuple((a[0], a[1], b[0], b[1]) for a, b in pairwise(places))
    return Line(name, style, tuple(places), pieces)
