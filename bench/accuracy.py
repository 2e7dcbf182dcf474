"""How far hotato's numbers are from the truth on natural speech: python bench/accuracy.py [--quick]

Calls are generated from corpus/natural with their true spans, sent through each condition, written to a
temporary WAV, measured and deleted again. Thresholds were tuned on the half `tune` only; `held`, with other
voices and other seeds, is for the figures that are published. The table holds every goal beside the figure of
the documented detector and that of the first trial of a robust one; --json keeps all tables.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "corpus"))

import msgspec  # noqa: E402

from hotato.acoustics import wav_bytes  # noqa: E402
from hotato.benchmark import Place, Rows, measure, stated_in, together, truth_of  # noqa: E402
from hotato.benchmark.aggregate import (  # noqa: E402
    by,
    edge_coverage,
    edge_stats,
    false_rate,
    recall,
    signal_stats,
    yield_verdicts,
)
from hotato.benchmark.run import tables  # noqa: E402
from hotato.canonical import to_json, write_atomic  # noqa: E402
from hotato.listen import Heard, attend, hear  # noqa: E402
from hotato.score import Label  # noqa: E402
from hotato.stacks import ChannelMap  # noqa: E402

WORKERS = 2
CALLS, QUICK_CALLS = 24, 2
FIRST_SEED = {"tune": 0, "held": 1000}
LIMIT_SEC = 1.0

NOTES_MIX = (
    *("clean", "dc", "hum", "white20", "white15", "white12", "white8", "babble20", "babble15", "babble12"),
    *("babble8", "street20", "street15", "street12", "street8", "gain-30", "clip", "mulaw", "opus"),
    *("echo-12", "echo-20", "echo-12n", "noise-step", "hold-music", "combo"),
)
"""The 25 conditions over which the trial counted wrong yield verdicts."""

QUICK = ("clean", "hum", "white12", "babble15", "echo-12", "noise-step")


@dataclass(frozen=True)
class Goal:
    """One line of the table.

    Attributes:
        what: what is measured.
        reference: the figure of the documented detector, in words.
        trial: that of the trial.
        goal: in words.
        conditions: over which it is measured; it is left out where none of them was run.
        figure: makes the figure, in words, and whether the goal is met, of the rows of these conditions.
    """

    what: str
    reference: str
    trial: str
    goal: str
    conditions: tuple[str, ...]
    figure: Callable[[Rows], tuple[str, bool | None]]


@dataclass(frozen=True)
class Task:
    """One call under every condition."""

    split: str
    seed: int
    conditions: tuple[str, ...]
    detector: str


def main() -> int:
    """Run the benchmark; returns 0 when every goal that was measured is met."""
    given = _arguments()
    from natural.conditions import CONDITIONS

    unknown = [name for name in given.conditions if name not in CONDITIONS]
    if unknown:
        print(f"no such condition: {', '.join(unknown)}; there are: {', '.join(CONDITIONS)}", file=sys.stderr)
        return 2
    conditions = given.conditions or (QUICK if given.quick else tuple(CONDITIONS))
    count = given.calls or (QUICK_CALLS if given.quick else CALLS)
    first = FIRST_SEED[given.split]
    tasks = [Task(given.split, first + n, tuple(conditions), given.detector) for n in range(count)]
    began = time.perf_counter()
    rows = together(_measured(tasks))
    lines = [_line(goal, part) for goal in GOALS if (part := _part(rows, goal.conditions)).calls]
    print(
        f"{count} calls of the half '{given.split}', {len(conditions)} conditions, detector {given.detector}"
    )
    print(
        f"{time.perf_counter() - began:.0f} s, {sum(call.duration_sec for call in rows.calls) / 60:.0f} min of call\n"
    )
    _print(lines)
    if given.json:
        _keep(given, conditions, count, rows, lines)
    return 1 if any(met is False for *_, met in lines) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the accuracy of hotato on natural speech.")
    parser.add_argument("--split", choices=tuple(FIRST_SEED), default="held", help="which half (%(default)s)")
    parser.add_argument("--calls", type=int, metavar="N", help=f"calls of about a minute ({CALLS})")
    parser.add_argument(
        "--conditions",
        type=lambda text: tuple(text.split(",")),
        default=(),
        help="names, separated by commas",
    )
    parser.add_argument("--quick", action="store_true", help="few calls, few conditions: a first look")
    parser.add_argument("--detector", choices=("auto", "reference"), default="auto", help="which detector")
    parser.add_argument("--json", metavar="FILE", help="keep every table as JSON")
    return parser.parse_args()


def _measured(tasks: Sequence[Task]) -> Iterator[Rows]:
    """The rows of every task in order, from a pool; progress where somebody looks."""
    watched = sys.stderr.isatty()
    with ProcessPoolExecutor(WORKERS) as pool:
        for done, rows in enumerate(pool.map(measured, tasks), 1):
            if watched:
                print(f"\r{done} of {len(tasks)} calls", end="", file=sys.stderr, flush=True)
            yield rows
    if watched:
        print(file=sys.stderr)


def measured(task: Task) -> Rows:
    """One call under every condition of a task, measured against its truth."""
    from natural.calls import generate
    from natural.conditions import apply

    clean = generate(task.split, task.seed)
    parts = []
    for condition in task.conditions:
        call = apply(clean, condition, task.seed)
        stated = stated_in(call.scenario, call.scenario["id"])
        label = Label(max_time_to_yield_sec=LIMIT_SEC)
        handle, name = tempfile.mkstemp(suffix=".wav", prefix="hotato-accuracy-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(wav_bytes(call.samples, call.sample_rate))
            heard = _heard(name, task.detector)
        finally:
            Path(name).unlink()
        place = Place("natural", stated.id, stated.family or "mixed", condition)
        parts.append(measure(heard, truth_of(stated, True), label, place))
    return together(parts)


def _heard(path: str, detector: str) -> Heard:
    return attend(hear(path, digests="none"), ChannelMap(0, 1))


def _part(rows: Rows, conditions: Sequence[str]) -> Rows:
    """The rows of some conditions."""
    wanted = frozenset(conditions)
    return Rows(
        **{
            name: tuple(row for row in getattr(rows, name) if row.condition in wanted)
            for name in ("calls", "errors", "verdicts", "events", "incidents", "edges")
        }
    )


def _wrong(rows: Rows, *, reading: str, most: float) -> tuple[str, bool | None]:
    judged = yield_verdicts(row for row in rows.verdicts if row.kind == "barge_in")
    if not judged.n:
        return "-", None
    wrong = judged.wrong_documented if reading == "documented" else judged.wrong_edges
    return f"{100 * wrong / judged.n:.1f} % of {judged.n}", wrong / judged.n <= most


def _coded(rows: Rows, *, reading: str, least: float) -> tuple[str, bool | None]:
    judged = yield_verdicts(row for row in rows.verdicts if row.kind == "barge_in")
    wrong = judged.wrong_documented if reading == "documented" else judged.wrong_edges
    coded = judged.coded_documented if reading == "documented" else judged.coded_edges
    return (
        (f"{100 * coded / wrong:.1f} % of {wrong}", coded / wrong >= least) if wrong else ("none wrong", True)
    )


def _recall(rows: Rows, *, least: float) -> tuple[str, bool | None]:
    found = recall(row for row in rows.events if row.kind == "barge_in")
    if found.recall is None:
        return "-", None
    return f"{found.recall:.3f} of {found.n}", found.recall >= least


def _critical(rows: Rows, *, most: float) -> tuple[str, bool | None]:
    rate = false_rate(rows.incidents, rows.calls).false_critical_per_hour
    return ("-", None) if rate is None else (f"{rate:.1f} an hour", rate <= most)


def _edge(rows: Rows, *, side: str, median_ms: float, p90_ms: float) -> tuple[str, bool | None]:
    stats = edge_stats(rows.edges, side)
    if stats.median_ms is None or stats.p90_ms is None or stats.bias_ms is None:
        return "-", None
    met = stats.median_ms <= median_ms and stats.p90_ms <= p90_ms
    return f"{stats.median_ms:.1f} / {stats.p90_ms:.1f} ms, bias {stats.bias_ms:+.1f}", met


def _yield_time(rows: Rows, *, median_ms: float, p90_ms: float) -> tuple[str, bool | None]:
    stats = signal_stats(rows.errors, "time_to_yield", "edges")
    if stats.median_ms is None or stats.p90_ms is None or stats.bias_ms is None:
        return "-", None
    met = stats.median_ms <= median_ms and stats.p90_ms <= p90_ms
    return f"{stats.median_ms:.1f} / {stats.p90_ms:.1f} ms, bias {stats.bias_ms:+.1f}", met


def _coverage(rows: Rows, *, least: float) -> tuple[str, bool | None]:
    sides = [edge_coverage(rows.edges, side) for side in ("onset", "offset")]
    n, covered, coded = (sum(getattr(side, name) for side in sides) for name in ("n", "covered", "coded"))
    if not n:
        return "-", None
    width = max(side.width_median_ms or 0.0 for side in sides)
    words = f"{covered / n:.3f}, or flagged {(covered + coded) / n:.3f}; width {width:.0f} ms"
    return words, (covered + coded) / n >= least


def _each(
    what: str, names: Sequence[str], *columns: str, figure: Callable[..., tuple[str, bool | None]]
) -> list[Goal]:
    """The same goal for each of several conditions."""
    return [Goal(f"{what}, {name}", *columns, (name,), figure) for name in names]  # type: ignore[arg-type]


GOALS = [
    Goal("wrong yield verdicts, documented value", "57 %", "-", "<= 8 %", NOTES_MIX, partial(_wrong, reading="documented", most=0.08)),
    Goal("wrong yield verdicts, raw edges", "57 %", "11 %", "<= 8 %", NOTES_MIX, partial(_wrong, reading="edges", most=0.08)),
    Goal("of those, with a reason code", "-", "-", ">= 95 %", NOTES_MIX, partial(_coded, reading="edges", least=0.95)),
    *_each(
        "barge-in recall",
        ("clean", "dc", "hum", "mulaw", "alaw", "opus", "mp3", "gain-30", "gain-40", "gain+12", "clip", "echo-6", "echo-12", "echo-20", "echo-40"),
        ".05 to 1", ".99 to 1", ">= .99", figure=partial(_recall, least=0.99),
    ),
    *_each(
        "barge-in recall",
        ("white20", "white15", "white12", "white8", "street20", "street15", "street12", "street8"),
        "0 to .99", ".93 to .99", ">= .95", figure=partial(_recall, least=0.95),
    ),
    *_each("barge-in recall", ("babble15",), ".40", ".92", ">= .95", figure=partial(_recall, least=0.95)),
    *_each("barge-in recall", ("babble12",), "0", ".78", ">= .85", figure=partial(_recall, least=0.85)),
    *_each("barge-in recall", ("noise-step",), ".49", ".84", ">= .95", figure=partial(_recall, least=0.95)),
    *_each(
        "false critical incidents",
        ("clean", "dc", "mulaw", "alaw", "echo-6", "echo-12", "echo-20", "echo-40"),
        "up to 360", "0 to 2", "<= 0.5 an hour", figure=partial(_critical, most=0.5),
    ),
    *_each(
        "false critical incidents", ("hum", "hold-music", "white12", "street12"),
        "up to 240", "8 to 18", "<= 3 an hour", figure=partial(_critical, most=3.0),
    ),
    Goal("onset edge, clean: median / p90", "12 / 16 ms", "4 / 8 ms", "<= 4 / 8 ms", ("clean",), partial(_edge, side="onset", median_ms=4.0, p90_ms=8.0)),
    Goal("offset edge, clean: median / p90", "3 / 7 ms", "3 / 7 ms", "<= 4 / 8 ms", ("clean",), partial(_edge, side="offset", median_ms=4.0, p90_ms=8.0)),
    Goal("yield time, clean: median / p90", "13 / 22 ms", "-", "<= 8 / 18 ms", ("clean",), partial(_yield_time, median_ms=8.0, p90_ms=18.0)),
    Goal("interval holds the edge, clean", "-", ".97", ">= .95 or flagged", ("clean",), partial(_coverage, least=0.95)),
    *_each(
        "interval holds the edge", ("white20", "white12", "babble15", "street12"),
        "-", ".55 to .84", ">= .90 or flagged", figure=partial(_coverage, least=0.90),
    ),
]  # fmt: skip

Line = tuple[str, str, str, str, str, bool | None]


def _line(goal: Goal, rows: Rows) -> Line:
    words, met = goal.figure(rows)
    return goal.what, goal.reference, goal.trial, goal.goal, words, met


def _print(lines: Sequence[Line]) -> None:
    head = ("measured", "reference", "trial", "goal", "ours", "met")
    cells = [head, *((*line[:-1], {True: "yes", False: "NO", None: "-"}[line[-1]]) for line in lines)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _keep(
    given: argparse.Namespace, conditions: Sequence[str], count: int, rows: Rows, lines: Sequence[Line]
) -> None:
    names = ("measured", "reference", "trial", "goal", "ours", "met")
    families = {name: yield_verdicts(part) for name, part in by(rows.verdicts, lambda row: row.kind).items()}
    result = {
        "split": given.split,
        "calls": count,
        "conditions": list(conditions),
        "detector": given.detector,
        "goals": [dict(zip(names, line, strict=True)) for line in lines],
        "tables": tables(rows),
        "yield_verdicts_by_kind": families,
    }
    write_atomic(given.json, to_json(msgspec.to_builtins(result)), force=True)


if __name__ == "__main__":
    sys.exit(main())
