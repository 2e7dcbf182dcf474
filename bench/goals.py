"""The goals of the measurement on natural speech, and the figure that each is held against.

A goal stands beside the figure of the documented detector ("reference") and that of the first trial of a
robust one ("trial"), both measured on other calls of the same kind. A figure is made from the rows of the
goal's conditions alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from hotato.benchmark import Rows
from hotato.benchmark.aggregate import (
    READINGS,
    ErrorStats,
    edge_coverage,
    edge_stats,
    false_rate,
    recall,
    signal_stats,
    yield_verdicts,
)
from hotato.benchmark.records import EdgeRow

Figure = tuple[str, bool | None]
"""A figure in words, and whether it meets its goal; None where nothing was measured."""

STEADY = (
    *("clean", "dc", "hum", "mulaw", "alaw", "opus", "mp3", "gain-30", "gain-40", "gain+12", "clip"),
    *("echo-6", "echo-12", "echo-20", "echo-40"),
)
NOISY = ("white20", "white15", "white12", "white8", "street20", "street15", "street12", "street8")
QUIET_LINES = ("clean", "dc", "mulaw", "alaw", "echo-6", "echo-12", "echo-20", "echo-40")
LOUD_LINES = ("hum", "hold-music", "white12", "street12")
_KIND = "barge_in"


@dataclass(frozen=True)
class Goal:
    """One line of the table.

    Attributes:
        what: what is measured.
        conditions: over which; the goal is left out where none of them was run.
        reference: the figure of the documented detector, in words.
        trial: that of the trial.
        goal: in words.
        figure: makes the figure from the rows of the conditions.
    """

    what: str
    conditions: tuple[str, ...]
    reference: str
    trial: str
    goal: str
    figure: Callable[[Rows], Figure]


def goals(mix: tuple[str, ...]) -> Iterable[Goal]:
    """Every goal, in the order of the table.

    Args:
        mix: the conditions over which the trial counted wrong yield verdicts.
    """
    wrong = "wrong yield verdicts"
    for reading in READINGS:
        trial = "-" if reading == "documented" else "11 %"
        figure = partial(_wrong, reading=reading, most=0.08)
        yield Goal(f"{wrong}, {reading}", mix, "57 %", trial, "<= 8 %", figure)
    coded = partial(_coded, reading="calibrated", least=0.95)
    yield Goal("of those, with any reason code", mix, "-", "-", ">= 95 %", coded)
    yield from _recalls(STEADY, ".05 to 1", ".99 to 1", 0.99)
    yield from _recalls(NOISY, "0 to .99", ".93 to .99", 0.95)
    yield from _recalls(("babble15",), ".40", ".92", 0.95)
    yield from _recalls(("babble12",), "0", ".78", 0.85)
    yield from _recalls(("noise-step",), ".49", ".84", 0.95)
    yield from _criticals(QUIET_LINES, "up to 360", "0 to 2", 0.5)
    yield from _criticals(LOUD_LINES, "up to 240", "8 to 18", 3.0)
    for side, before in (("onset", "12 / 16 ms"), ("offset", "3 / 7 ms")):
        figure = partial(_edge, side=side, median_ms=4.0, p90_ms=8.0)
        yield Goal(f"{side} edge, median / p90", ("clean",), before, "4 / 8 ms", "<= 4 / 8 ms", figure)
    figure = partial(_yield_time, median_ms=8.0, p90_ms=18.0)
    yield Goal("yield time, median / p90", ("clean",), "13 / 22 ms", "-", "<= 8 / 18 ms", figure)
    covers = "interval holds the edge"
    clean = partial(_coverage, least=0.95)
    yield Goal(f"{covers}, clean", ("clean",), "-", ".97", ">= .95 or flagged", clean)
    for name in ("white20", "white12", "babble15", "street12"):
        noisy = partial(_coverage, least=0.90)
        yield Goal(f"{covers}, {name}", (name,), "-", ".55 to .84", ">= .90 or flagged", noisy)


def _recalls(names: Iterable[str], reference: str, trial: str, least: float) -> Iterable[Goal]:
    for name in names:
        figure = partial(_recall, least=least)
        yield Goal(f"barge-in recall, {name}", (name,), reference, trial, f">= {least:g}", figure)


def _criticals(names: Iterable[str], reference: str, trial: str, most: float) -> Iterable[Goal]:
    for name in names:
        figure = partial(_critical, most=most)
        what = f"false criticals an hour, {name}"
        yield Goal(what, (name,), reference, trial, f"<= {most:g}", figure)


def _wrong(rows: Rows, *, reading: str, most: float) -> Figure:
    judged = yield_verdicts(row for row in rows.verdicts if row.kind == _KIND)
    if not judged.n:
        return "-", None
    wrong = getattr(judged, f"wrong_{reading}")
    return f"{100 * wrong / judged.n:.1f} % of {judged.n}", wrong / judged.n <= most


def _coded(rows: Rows, *, reading: str, least: float) -> Figure:
    judged = yield_verdicts(row for row in rows.verdicts if row.kind == _KIND)
    wrong, coded, doubted = (getattr(judged, f"{name}_{reading}") for name in ("wrong", "coded", "doubted"))
    if not judged.n:
        return "-", None
    if not wrong:
        return "none", True
    words = f"{100 * coded / wrong:.1f} % of {wrong}, in doubt {100 * doubted / wrong:.1f} %"
    return words, coded / wrong >= least


def _recall(rows: Rows, *, least: float) -> Figure:
    found = recall(row for row in rows.events if row.kind == _KIND)
    if found.recall is None:
        return "-", None
    return f"{found.recall:.3f} of {found.n}", found.recall >= least


def _critical(rows: Rows, *, most: float) -> Figure:
    rate = false_rate(rows.incidents, rows.calls).false_critical_per_hour
    return ("-", None) if rate is None else (f"{rate:.1f}", rate <= most)


def _read(rows: Rows, reading: str) -> list[EdgeRow]:
    """The edges of one reading."""
    return [row for row in rows.edges if row.reading == reading]


def _edge(rows: Rows, *, side: str, median_ms: float, p90_ms: float) -> Figure:
    return _spread(edge_stats(_read(rows, "calibrated"), side), median_ms, p90_ms)


def _yield_time(rows: Rows, *, median_ms: float, p90_ms: float) -> Figure:
    return _spread(signal_stats(rows.errors, "time_to_yield", "calibrated"), median_ms, p90_ms)


def _spread(stats: ErrorStats, median_ms: float, p90_ms: float) -> Figure:
    if stats.median_ms is None or stats.p90_ms is None or stats.bias_ms is None:
        return "-", None
    met = stats.median_ms <= median_ms and stats.p90_ms <= p90_ms
    return f"{stats.median_ms:.1f} / {stats.p90_ms:.1f} ms, bias {stats.bias_ms:+.1f}", met


def _coverage(rows: Rows, *, least: float) -> Figure:
    sides = [edge_coverage(_read(rows, "edges"), side) for side in ("onset", "offset")]
    n, covered, coded, doubted = (
        sum(getattr(side, name) for side in sides) for name in ("n", "covered", "coded", "doubted")
    )
    if not n:
        return "-", None
    width = max(side.width_median_ms or 0.0 for side in sides)
    flagged = f"or in doubt {(covered + doubted) / n:.3f}, or any code {(covered + coded) / n:.3f}"
    words = f"{covered / n:.3f}, {flagged}; {width:.0f} ms wide"
    return words, (covered + coded) / n >= least
