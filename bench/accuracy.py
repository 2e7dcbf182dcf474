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
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "corpus"))

import msgspec  # noqa: E402

from goals import Goal, goals  # noqa: E402
from hotato.acoustics import wav_bytes  # noqa: E402
from hotato.benchmark import Place, Rows, measure, stated_in, together, truth_of  # noqa: E402
from hotato.benchmark.aggregate import by, yield_verdicts  # noqa: E402
from hotato.benchmark.run import tables  # noqa: E402
from hotato.benchmark.truth import Stated  # noqa: E402
from hotato.canonical import to_json, write_atomic  # noqa: E402
from hotato.listen import Heard, attend, hear  # noqa: E402
from hotato.score import Label  # noqa: E402
from hotato.stacks import ChannelMap  # noqa: E402

WORKERS = 2
LEAST_VOICES = 2
CALLS, QUICK_CALLS = 24, 2
FIRST_SEED = {"tune": 0, "held": 5000}
LIMIT_SEC = 1.0

QUICK = ("clean", "hum", "white12", "babble15", "echo-12", "noise-step")


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
    from natural import CONDITIONS, NOTES_MIX
    from natural.voices import installed

    if len(installed(given.split)) < LEAST_VOICES:
        print(
            f"accuracy: not measured, the half '{given.split}' has too few voices here; see corpus/README.md"
        )
        return 0
    unknown = [name for name in given.conditions if name not in CONDITIONS]
    if unknown:
        print(f"no such condition: {', '.join(unknown)}; there are: {', '.join(CONDITIONS)}", file=sys.stderr)
        return 2
    conditions = given.conditions or (QUICK if given.quick else tuple(CONDITIONS))
    count = given.calls or (QUICK_CALLS if given.quick else CALLS)
    first = FIRST_SEED[given.split] if given.seed is None else given.seed
    tasks = [Task(given.split, first + n, tuple(conditions), given.detector) for n in range(count)]
    began = time.perf_counter()
    rows = together(_measured(tasks))
    lines = [_line(goal, part) for goal in goals(NOTES_MIX) if (part := _part(rows, goal.conditions)).calls]
    print(
        f"{count} calls of the half '{given.split}', {len(conditions)} conditions, detector {given.detector}"
    )
    minutes = sum(call.duration_sec for call in rows.calls) / 60
    print(f"{minutes:.0f} min of call measured in {time.perf_counter() - began:.0f} s\n")
    _print(lines)
    if given.json:
        _keep(given, conditions, count, rows, lines)
    return 1 if any(met is False for *_, met in lines) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the accuracy of hotato on natural speech.")
    parser.add_argument("--split", choices=tuple(FIRST_SEED), default="held", help="which half (%(default)s)")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the first call")
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
    label = Label(max_time_to_yield_sec=LIMIT_SEC)
    parts = []
    for condition, stated, heard in heard_calls(task):
        place = Place("natural", stated.id, stated.family or "mixed", condition)
        parts.append(measure(heard, truth_of(stated, True), label, place))
    return together(parts)


def heard_calls(task: Task) -> Iterator[tuple[str, Stated, Heard]]:
    """One call under every condition of a task: the condition, what is known of it, and what was heard."""
    from natural import apply, generate

    clean = generate(task.split, task.seed)
    for condition in task.conditions:
        call = apply(clean, condition, task.seed)
        handle, name = tempfile.mkstemp(suffix=".wav", prefix="hotato-accuracy-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(wav_bytes(call.samples, call.sample_rate))
            heard = _heard(name, task.detector)
        finally:
            Path(name).unlink()
        yield condition, stated_in(call.scenario, call.scenario["id"]), heard


def _heard(path: str, detector: str) -> Heard:
    hearing = hear(path, digests="none")
    if detector == "auto":
        return attend(hearing, ChannelMap(0, 1))
    return attend(hearing, ChannelMap(0, 1), detector=detector)


def _part(rows: Rows, conditions: Sequence[str]) -> Rows:
    """The rows of some conditions."""
    wanted = frozenset(conditions)
    return Rows(
        **{
            name: tuple(row for row in getattr(rows, name) if row.condition in wanted)
            for name in ("calls", "errors", "verdicts", "events", "incidents", "edges")
        }
    )


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
