"""Charts over the events of a run: how soon the agent yielded, how long both talked, what failures share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hotato.report.svg import Scale
from hotato.report.timefmt import seconds, shown
from hotato.stats import Distribution, distribution

LEAST_EVENTS = 3
"""Fewer events than this are not summed up."""

BUCKETS_SEC = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Lower bounds of the talk-over buckets; the last one is open."""


_TICK_STEPS_SEC = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Reading:
    """One event's time to yield: place in percent, height in the stack, failed or not, and its words."""

    x: float
    level: int
    failed: bool
    words: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bucket of the histogram: label, count, share of the tallest in percent."""

    label: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """Failures that point at one kind of fix: class, title, what to set, and the events."""

    fix_class: str
    title: str
    setting: str
    events: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Charts:
    """The rollup of a run.

    Attributes:
        yields: summary of the times to yield.
        readings: one for each measured yield.
        ticks: (percent, label) of the yield axis.
        marks: (percent, name, text) of mean, median and p90.
        talk_over: summary of the talk-over.
        bars: its histogram.
        clusters: failures by the fix they point at, largest first.
    """

    yields: Distribution
    readings: tuple[Reading, ...]
    ticks: tuple[tuple[float, str], ...]
    marks: tuple[tuple[float, str, str], ...]
    talk_over: Distribution
    bars: tuple[Bar, ...]
    clusters: tuple[Cluster, ...]


def charts(envelope: Mapping[str, Any]) -> Charts | None:
    """The rollup; None for a run of fewer than three scorable events."""
    events = [event for event in envelope["events"] if event.get("scorable") is not False]
    if len(envelope["events"]) < LEAST_EVENTS or not events:
        return None
    yielded = [event for event in events if event["verdict"]["seconds_to_yield"] is not None]
    times = [event["verdict"]["seconds_to_yield"] for event in yielded]
    summary = distribution(times)
    whole = max(1.0, math.ceil(max(times, default=0.0)))
    step = next((s for s in _TICK_STEPS_SEC if whole / s <= _MOST_TICKS), whole)
    scale = Scale(0.0, whole)
    talk = [e["verdict"]["talk_over_sec"] for e in events if e.get("expectation") != "answer"]
    marks = [(name, summary[key]) for name, key in (("mean", "mean"), ("median", "median"), ("p90", "p90"))]  # type: ignore[literal-required]
    return Charts(
        yields=summary,
        readings=_readings(yielded, scale),
        ticks=tuple((scale.percent(n * step), f"{n * step:g} s") for n in range(int(whole / step) + 1)),
        marks=tuple((scale.percent(v), name, seconds(v)) for name, v in marks if v is not None),
        talk_over=distribution(talk),
        bars=_bars(talk),
        clusters=clusters(envelope.get("fix_map") or ()),
    )


def clusters(fix_map: Sequence[Mapping[str, Any]]) -> tuple[Cluster, ...]:
    """Failures grouped by fix class, title and whether they are in doubt, the largest group first."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for entry in fix_map:
        knob, pointer = entry.get("knob"), entry.get("pointer")
        setting = f"{knob['parameter']}: {knob['direction']}" if knob else pointer["what"] if pointer else ""
        title = f"{entry['title']} (in doubt)" if entry.get("settle_first") else entry["title"]
        key = (entry["fix_class"], title, setting)
        groups.setdefault(key, []).append(shown(str(entry["event_id"])))
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(Cluster(*key, tuple(events)) for key, events in ordered)


def _readings(events: Sequence[Mapping[str, Any]], scale: Scale) -> tuple[Reading, ...]:
    stacked: dict[int, int] = {}
    readings = []
    for event in events:
        x = scale.percent(event["verdict"]["seconds_to_yield"])
        place = round(x / 2)
        level = stacked.get(place, 0)
        stacked[place] = level + 1
        failed = not event["verdict"]["passed"]
        words = f"{shown(str(event['event_id']))}: {seconds(event['verdict']['seconds_to_yield'])}"
        readings.append(Reading(x, level, failed, words))
    return tuple(readings)


def _bars(talk: Sequence[float]) -> tuple[Bar, ...]:
    uppers = (*BUCKETS_SEC[1:], float("inf"))
    counts = [sum(lo <= v < hi for v in talk) for lo, hi in zip(BUCKETS_SEC, uppers, strict=True)]
    tallest = max(1, *counts)
    labels = [f"{lo:g} to {hi:g} s" for lo, hi in pairwise(BUCKETS_SEC)]
    return tuple(
        Bar(label, count, round(100 * count / tallest, 3))
        for label, count in zip((*labels, f"{BUCKETS_SEC[-1]:g} s and more"), counts, strict=True)
    )
