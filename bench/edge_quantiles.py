"""How far the edges of the robust detector lie from the truth, by contrast: python bench/edge_quantiles.py

Prints the tables of `hotato.timing.edge_errors.EdgeErrors`: quantiles of measured minus true for each class
of local contrast, over calls of the half `tune` under noise and echo. --check prints instead, on other calls
of the same half, how often the printed interval holds the true edge, with and without the edges that do not
exist, and how wide it is.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from accuracy import WORKERS, Task, heard_calls
from hotato.benchmark.edges import paired
from hotato.benchmark.truth import truth_of
from hotato.stats import quantile
from hotato.timing import Activity, Edge, Span, offset_edge, onset_edge
from hotato.timing.activity import ROBUST
from hotato.timing.edge_errors import (
    EDGE_ERRORS,
    OFFSET,
    ONSET,
    contrast_db,
    uncertain_offset,
    uncertain_onset,
)
from provenance import print_head

FIT, CHECK = range(16), range(16, 24)
CONDITIONS = (
    *("clean", "hum", "white20", "white12", "white8", "babble20", "babble15", "babble12"),
    *(
        "street20",
        "street12",
        "street8",
        "combo",
        "noise-step",
        "echo-12",
        "echo-12-noise-mulaw",
        "hold-music",
    ),
)
SIDES = ("onset", "offset")
LOUD_DB, QUIET_TAIL, LOUD_TAIL = 20.0, 0.01, 0.025
"""Below this contrast the outer hundredth is left out on either side, above it the outer fortieth."""
_MS = 1000.0
WIDTH = 20


@dataclass(frozen=True)
class Found:
    """One measured edge: where from, contrast, interval, true time where there is one, and doubts."""

    condition: str
    side: str
    contrast_db: float
    edge: Edge
    true_sec: float | None
    channel_doubted: bool
    uncertain: bool

    @property
    def held(self) -> bool:
        """Whether the interval holds the true edge."""
        return self.true_sec is not None and self.edge.lo_sec <= self.true_sec <= self.edge.hi_sec


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Measure the edges of the robust detector on the tune half.")
    parser.add_argument("--check", action="store_true", help="coverage on other calls instead of the tables")
    parser.add_argument("--calls", type=int, metavar="N", help="only the first N calls")
    given = parser.parse_args()
    print_head("tune")
    seeds = list(CHECK if given.check else FIT)[: given.calls]
    with ProcessPoolExecutor(WORKERS) as pool:
        parts = pool.map(edges_of, [Task("tune", seed, CONDITIONS, "auto") for seed in seeds])
        found = [one for part in parts for one in part]
    (print_coverage if given.check else print_quantiles)(found)
    return 0


def edges_of(task: Task) -> list[Found]:
    """Every edge of every channel that the robust detector answered, in the calls of a task."""
    found = []
    for condition, stated, heard in heard_calls(task):
        truth = truth_of(stated, True)
        for track, spans in ((heard.caller, truth.caller), (heard.agent, truth.agent)):
            if track.activity.detector == ROBUST:
                found += _of_channel(condition, track.activity, spans or ())
    return found


def _of_channel(condition: str, activity: Activity, spans: Sequence[Span]) -> Iterator[Found]:
    runs = activity.trimmed_runs
    onsets = [
        (onset_edge(activity, run.first), run.first, uncertain_onset(activity, run.first)) for run in runs
    ]
    offsets = [
        (offset_edge(activity, run.stop), run.stop - 1, uncertain_offset(activity, run.stop)) for run in runs
    ]
    sides = (
        ("onset", ONSET, [span.start_sec for span in spans], onsets),
        ("offset", OFFSET, [span.end_sec for span in spans], offsets),
    )
    for name, side, true, measured in sides:
        known = {edge.sec: (frame, reason) for edge, frame, reason in measured}
        for true_sec, edge in paired(true, [edge for edge, *_ in measured]):
            if edge is None:
                continue
            frame, reason = known[edge.sec]
            contrast = contrast_db(activity, frame, side)
            if contrast is not None:  # an end of the recording is no edge of a sound
                doubted = bool(activity.doubts)
                yield Found(condition, name, contrast, edge, true_sec, doubted, reason is not None)


def print_quantiles(found: Sequence[Found]) -> None:
    """The error of edges that exist, by class of contrast: what the table of the package holds."""
    limits = EDGE_ERRORS.limits_db
    print(f"{'edge':8}{'contrast dB':>14}{'edges':>8}{'low ms':>9}{'median':>9}{'high ms':>9}{'extra':>8}")
    for side in SIDES:
        for index, (low, high) in enumerate(zip((None, *limits), (*limits, None), strict=True)):
            ours = [
                one for one in found if one.side == side and bisect_right(limits, one.contrast_db) == index
            ]
            errors = [_MS * (one.edge.sec - one.true_sec) for one in ours if one.true_sec is not None]
            if not errors:
                continue
            tail = LOUD_TAIL if low is not None and low >= LOUD_DB else QUIET_TAIL
            cells = (quantile(errors, tail), statistics.median(errors), quantile(errors, 1.0 - tail))
            name = f"{'' if low is None else f'{low:g}'} .. {'' if high is None else f'{high:g}'}"
            words = "".join(f"{cell:9.0f}" for cell in cells)
            print(f"{side:8}{name:>14}{len(errors):8}{words}{1.0 - len(errors) / len(ours):8.3f}")


def print_coverage(found: Sequence[Found]) -> None:
    """How often the intervals hold the truth, by condition, and how wide they are."""
    head = (
        "edge",
        "condition",
        "edges",
        "matched held",
        "all held",
        "or in doubt",
        "width",
        "p90",
        "uncertain",
    )
    print("".join(f"{cell:>{WIDTH}}" for cell in head))
    for side in SIDES:
        for condition in (*CONDITIONS, "all"):
            ours = [one for one in found if one.side == side and condition in (one.condition, "all")]
            if ours:
                print("".join(f"{cell:>{WIDTH}}" for cell in (side, condition, *_coverage(ours))))
    _print_uncertain(found)


def _coverage(ours: Sequence[Found]) -> tuple[str, ...]:
    matched = [one for one in ours if one.true_sec is not None]
    held = sum(one.held for one in ours)
    doubted = sum(not one.held and (one.channel_doubted or one.uncertain) for one in ours)
    widths = [_MS * (one.edge.hi_sec - one.edge.lo_sec) for one in ours]
    return (
        str(len(ours)),
        f"{held / len(matched):.3f}" if matched else "-",
        f"{held / len(ours):.3f}",
        f"{(held + doubted) / len(ours):.3f}",
        f"{statistics.median(widths):.0f}",
        f"{quantile(widths, 0.9):.0f}",
        f"{sum(one.uncertain for one in ours) / len(ours):.3f}",
    )


def _print_uncertain(found: Sequence[Found]) -> None:
    """What the doubt about an edge is worth."""
    extra = sum(one.true_sec is None for one in found)
    doubted = sum(one.uncertain for one in found)
    both = sum(one.uncertain and one.true_sec is None for one in found)
    print(f"\nuncertain edges: {doubted} of {len(found)}")
    print(f"edges that belong to no true one: {extra}, of those uncertain: {both}")


if __name__ == "__main__":
    sys.exit(main())
