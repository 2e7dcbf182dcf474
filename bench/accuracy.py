"""How far hotato's numbers are from the truth on natural speech: python bench/accuracy.py [--quick]

Calls are generated from corpus/natural with their true spans, sent through each condition, written to a
temporary WAV, measured and deleted again. Thresholds were tuned on the half `tune` only; `held`, with other
voices and other seeds, is for the figures that are published. The first lines say what measured and on which
calls, as digests: the same lines give the same figures. The table holds every goal beside the figure of the
documented detector and that of the first trial of a robust one; where a noise was measured at several levels,
the noise cliff follows. --json keeps all tables.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "corpus"))

import msgspec  # noqa: E402

from cliff import HEAD as CLIFF_HEAD  # noqa: E402
from cliff import CliffRow, cliff_of  # noqa: E402
from goals import Goal, goals  # noqa: E402
from hotato.acoustics import wav_bytes  # noqa: E402
from hotato.benchmark import Place, Rows, measure, stated_in, together, truth_of  # noqa: E402
from hotato.benchmark.aggregate import by, yield_verdicts  # noqa: E402
from hotato.benchmark.conditions import CLEAN, noise_of  # noqa: E402
from hotato.benchmark.run import tables  # noqa: E402
from hotato.benchmark.second import opinion  # noqa: E402
from hotato.benchmark.truth import Stated  # noqa: E402
from hotato.canonical import to_json, write_atomic  # noqa: E402
from hotato.listen import Detector, Heard, attend, hear  # noqa: E402
from hotato.score import Label, Request  # noqa: E402
from hotato.stacks import ChannelMap  # noqa: E402
from provenance import print_head  # noqa: E402
from second_opinion import HEAD as SECOND_HEAD  # noqa: E402
from second_opinion import opinion_rows  # noqa: E402
from tables import plural, print_table  # noqa: E402

WORKERS = 2
LEAST_VOICES = 2
CALLS, QUICK_CALLS, LONG_CALLS = 24, 2, 4
FIRST_SEED = {"tune": 0, "held": 5000}
LIMIT_SEC = 1.0
MIXED, LONG = "mixed", "long"

QUICK = ("clean", "hum", "white12", "babble15", "echo-12", "noise-step")
LONG_CONDITIONS = ("clean", "white12", "street12", "echo-12")
DEFAULTS = {MIXED: CALLS, LONG: LONG_CALLS}
MOST_CALLS, MOST_SEED = 100_000, 10**12


@dataclass(frozen=True)
class Task:
    """One call under every condition.

    Attributes:
        split: the half.
        seed: of the call.
        conditions: names.
        detector: `auto` or `reference`.
        family: of the call.
        backend: `energy` or `neural`.
    """

    split: str
    seed: int
    conditions: tuple[str, ...]
    detector: Detector
    family: str = MIXED
    backend: str = "energy"


def main() -> int:
    """Run the benchmark; returns 0 when every goal that was measured is met."""
    given = _arguments()
    from natural import CONDITIONS, FAMILIES, NOTES_MIX
    from natural.voices import installed

    if len(installed(given.split)) < LEAST_VOICES:
        print(
            f"accuracy: not measured, the half '{given.split}' has too few voices here; see corpus/README.md"
        )
        return 0
    asked = (("condition", given.conditions, CONDITIONS), ("family", (given.family,), FAMILIES))
    for what, names, known in asked:
        unknown = [name for name in names if name not in known]
        if unknown:
            print(f"no such {what}: {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
            return 2
    conditions = _conditions(given, CONDITIONS)
    task = Task(given.split, _first(given), conditions, given.detector, given.family)
    tasks = [replace(task, seed=task.seed + n) for n in range(_count(given))]
    measured_by, voices = print_head(given.split)
    print(_asked(task, len(tasks)), flush=True)
    began = time.perf_counter()
    rows = together(_measured(tasks))
    documented = _again(given.cliff, tasks, detector="reference")
    neural = _again(given.second_opinion, tasks, backend="neural")
    spent = time.perf_counter() - began
    print(f"{sum(call.duration_sec for call in rows.calls) / 60:.0f} min of call measured in {spent:.0f} s\n")
    lines = list(_lines(rows, goals(NOTES_MIX), conditions, comparable=given.family == MIXED))
    points = cliff_of(rows, documented)
    opinions = [] if neural is None else list(opinion_rows(rows, neural))
    print_table(HEAD, [(*line[:-1], {True: "yes", False: "NO", None: NOTHING}[line[-1]]) for line in lines])
    for head, cells in ((CLIFF_HEAD, [point.cells() for point in points]), (SECOND_HEAD, opinions)):
        if cells:
            print()
            print_table(head, cells)
    if given.json:
        stated = {
            "measured_by": asdict(measured_by),
            "voices": asdict(voices),
            **{name: getattr(task, name) for name in ("split", "family", "detector", "conditions")},
            "first_seed": task.seed,
            "calls": len(tasks),
        }
        second = {
            "second_opinion": None if neural is None else opinion(rows, neural),
            "second_opinion_by_condition": [dict(zip(SECOND_HEAD, row, strict=True)) for row in opinions],
        }
        result = stated | _kept(rows, lines, points) | second
        write_atomic(given.json, to_json(msgspec.to_builtins(result)), force=True)
    return 1 if any(met is False for *_, met in lines) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the accuracy of hotato on natural speech.")
    parser.add_argument("--split", choices=tuple(FIRST_SEED), default="held", help="which half (%(default)s)")
    parser.add_argument("--seed", type=_whole(0, MOST_SEED), metavar="N", help="seed of the first call")
    counts = f"of about a minute {CALLS}, of ten minutes {LONG_CALLS}"
    parser.add_argument("--calls", type=_whole(1, MOST_CALLS), metavar="N", help=f"how many ({counts})")
    parser.add_argument(
        "--family", default=MIXED, metavar="NAME", help="what is staged: mixed, long (ten minutes), ..."
    )
    parser.add_argument(
        "--conditions",
        type=lambda text: tuple(dict.fromkeys(text.split(","))),
        default=(),
        help="names, separated by commas",
    )
    parser.add_argument("--quick", action="store_true", help="few calls, few conditions: a first look")
    parser.add_argument("--detector", choices=("auto", "reference"), default="auto", help="which detector")
    parser.add_argument(
        "--cliff",
        action="store_true",
        help="every level of every noise and clean calls, with the documented detector alone beside ours",
    )
    parser.add_argument(
        "--second-opinion", action="store_true", help="let the neural backend hear the same calls"
    )
    parser.add_argument("--json", metavar="FILE", help="keep every table as JSON")
    return parser.parse_args()


def _whole(low: int, high: int) -> Callable[[str], int]:
    """A number of a flag, from `low` to `high`."""

    def number(text: str) -> int:
        found = int(text)
        if not low <= found <= high:
            raise argparse.ArgumentTypeError(f"{found} is not from {low} to {high}")
        return found

    return number


def _conditions(given: argparse.Namespace, known: Iterable[str]) -> tuple[str, ...]:
    """The conditions that were asked for, else those that belong to the other flags."""
    if given.conditions:
        asked: tuple[str, ...] = given.conditions
        return asked
    if given.cliff:
        return (CLEAN, *(name for name in known if noise_of(name)))
    if given.quick:
        return QUICK
    return LONG_CONDITIONS if given.family == LONG else tuple(known)


def _first(given: argparse.Namespace) -> int:
    return FIRST_SEED[given.split] if given.seed is None else given.seed


def _count(given: argparse.Namespace) -> int:
    return given.calls or (QUICK_CALLS if given.quick else DEFAULTS.get(given.family, CALLS))


def _asked(task: Task, calls: int) -> str:
    """What is measured, in one line."""
    return (
        f"{plural(calls, 'call')} of the half '{task.split}', family {task.family}, from seed {task.seed} on,"
        f" {plural(len(task.conditions), 'condition')}, detector {task.detector}"
    )


def _again(asked: bool, tasks: Sequence[Task], **other: str) -> Rows | None:
    """The same calls heard in another way, None where nobody asked."""
    return together(_measured([replace(task, **other) for task in tasks])) if asked else None


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

    clean = generate(task.split, task.seed, task.family)
    for condition in task.conditions:
        call = apply(clean, condition, task.seed)
        handle, name = tempfile.mkstemp(suffix=".wav", prefix="hotato-accuracy-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(wav_bytes(call.samples, call.sample_rate))
            heard = _heard(name, task)
        finally:
            Path(name).unlink()
        yield condition, stated_in(call.scenario, call.scenario["id"]), heard


def _heard(path: str, task: Task) -> Heard:
    if task.backend != "energy":
        return Request(stereo=path, caller_channel=0, agent_channel=1, backend=task.backend).listen()
    return attend(hear(path, digests="none"), ChannelMap(0, 1), detector=task.detector)


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
HEAD = ("measured", "reference", "trial", "goal", "ours", "met")
NOTHING = "-"


def _lines(
    rows: Rows, wanted: Iterable[Goal], conditions: Sequence[str], *, comparable: bool
) -> Iterator[Line]:
    """Every goal of which some condition was measured.

    A goal over several conditions, and the figures of others beside it, are of all of them: over a part it is
    neither met nor missed. So they are of calls of about a minute: over others (`comparable` false) the
    figures of others are left out.
    """
    for goal in wanted:
        here = [name for name in goal.conditions if name in conditions]
        if not here:
            continue
        words, met = goal.figure(_part(rows, here))
        whole = len(here) == len(goal.conditions)
        what = goal.what if whole else f"{goal.what} ({len(here)} of {len(goal.conditions)} conditions)"
        before = (goal.reference, goal.trial) if whole and comparable else (NOTHING, NOTHING)
        yield what, *before, goal.goal if whole else NOTHING, words, met if whole else None


def _kept(rows: Rows, lines: Sequence[Line], points: Sequence[CliffRow]) -> dict[str, Any]:
    """Every table of a run, for --json."""
    families = {name: yield_verdicts(part) for name, part in by(rows.verdicts, lambda row: row.kind).items()}
    return {
        "goals": [dict(zip(HEAD, line, strict=True)) for line in lines],
        "tables": tables(rows),
        "yield_verdicts_by_kind": families,
        "noise_cliff": [asdict(point) for point in points],
    }


if __name__ == "__main__":
    sys.exit(main())
