"""Results of one battery on several platforms, side by side: measurements and differences, no ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from hotato.canonical import read_small
from hotato.errors import Refusal, UsageError, reject_overall_score
from hotato.score.request import Source
from hotato.stats import quantile

KIND = "stack-benchmark"
COMPARISON = "stack-benchmark-comparison"
MEASURES = ("talk_over_sec", "seconds_to_yield")
_MAX_RESULT_BYTES = 1 << 26
_LEAST_INPUTS = 2
_REMEDY = "pass files that 'hotato benchmark --out FILE' wrote"


class _Verdict(msgspec.Struct, frozen=True):
    """The part of a verdict that is compared."""

    passed: bool
    did_yield: bool
    seconds_to_yield: float | None
    talk_over_sec: float


class _Event(msgspec.Struct, frozen=True):
    """The part of an event that is compared."""

    scenario_id: str
    expected_yield: bool
    verdict: _Verdict
    expected: dict[str, float | None] = {}
    scorable: bool = True


class _Result(msgspec.Struct, frozen=True):
    """The part of a result that is compared."""

    kind: str
    stack: str
    events: tuple[_Event, ...]
    config: dict[str, Any]


def load_result(path: Source) -> dict[str, Any]:
    """A result from its file.

    Raises:
        Refusal: no JSON, no result of `hotato benchmark`, or one with a blended figure.
    """
    data = read_small(path, "benchmark result", _MAX_RESULT_BYTES)
    try:
        result = msgspec.json.decode(data)
        shape = msgspec.convert(result, _Result)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("not_a_benchmark_result", f"'{path}' is no benchmark result", _REMEDY) from error
    if shape.kind != KIND:
        raise Refusal("not_a_benchmark_result", f"'{path}' is a {shape.kind}, no benchmark result", _REMEDY)
    reject_overall_score(result, f"'{path}'")
    loaded: dict[str, Any] = result
    return loaded


def compare_results(inputs: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Results side by side, over the scenarios that every one of them scored under the same label.

    Args:
        inputs: at least two pairs of a name (the file) and a result.

    Returns:
        `inputs`, `compared` (ids), `skipped` (with the reason), `per_scenario` and `medians`. A `delta` is a
        value minus that of the first input.

    Raises:
        UsageError: fewer than two results.
        Refusal: no scenario that all of them scored.
    """
    if len(inputs) < _LEAST_INPUTS:
        raise UsageError("a comparison needs two results", _REMEDY)
    results = [msgspec.convert(dict(result), _Result) for _, result in inputs]
    judged = [{e.scenario_id: e for e in result.events if e.scorable} for result in results]
    everything = sorted({event.scenario_id for result in results for event in result.events})
    compared, skipped = [], []
    for scenario in everything:
        missing = [name for (name, _), events in zip(inputs, judged, strict=True) if scenario not in events]
        labels = {_label(events[scenario]) for events in judged if scenario in events}
        if missing:
            skipped.append({"scenario_id": scenario, "why": "not scored", "missing_from": missing})
        elif len(labels) > 1:
            skipped.append({"scenario_id": scenario, "why": "labels differ", "missing_from": []})
        else:
            compared.append(scenario)
    if not compared:
        raise Refusal("nothing_to_compare", "no scenario was scored alike in every result", _REMEDY)
    return {
        "tool": "hotato",
        "kind": COMPARISON,
        "schema_version": "1",
        "inputs": [
            {"path": name, "stack": result.stack, "scored": len(events)}
            for (name, _), result, events in zip(inputs, results, judged, strict=True)
        ],
        "same_thresholds": all(result.config == results[0].config for result in results),
        "compared": compared,
        "skipped": skipped,
        "per_scenario": [
            {
                "scenario_id": scenario,
                "expected_yield": judged[0][scenario].expected_yield,
                "results": _side_by_side([events[scenario].verdict for events in judged]),
            }
            for scenario in compared
        ],
        "medians": _medians([[events[scenario].verdict for scenario in compared] for events in judged]),
    }


def render_comparison_md(comparison: Mapping[str, Any]) -> str:
    """A comparison as Markdown tables."""
    inputs = comparison["inputs"]
    names = [f"{one['stack']} ({one['path']})" for one in inputs]
    lines = [
        "# hotato benchmark comparison",
        "",
        *[
            f"{number}. {name}: {one['scored']} scored"
            for number, (name, one) in enumerate(zip(names, inputs, strict=True), 1)
        ],
        "",
        "Differences in parentheses are against the first. These are measurements of the recordings that "
        "were captured; they rank nobody.",
        "",
    ]
    if not comparison["same_thresholds"]:
        lines += ["The results were scored under different thresholds; see `config` of each.", ""]
    columns = [str(number) for number in range(1, len(inputs) + 1)]
    head = [
        "scenario",
        "label",
        *(f"{what} {c}" for c in columns for what in ("yielded", "talk-over", "to yield")),
    ]
    rows = [
        [
            one["scenario_id"],
            "yield" if one["expected_yield"] else "hold",
            *(cell for result in one["results"] for cell in _cells(result)),
        ]
        for one in comparison["per_scenario"]
    ]
    rows.append(
        [
            "median",
            "",
            *(
                cell
                for result in comparison["medians"]
                for cell in (
                    f"{result['yielded']} of {result['n']}",
                    *(_with_delta(result, key) for key in MEASURES),
                )
            ),
        ]
    )
    lines += [_line(head), _line(["---", "---", *["---:"] * (len(head) - 2)]), *map(_line, rows)]
    for one in comparison["skipped"]:
        where = f": {', '.join(one['missing_from'])}" if one["missing_from"] else ""
        lines += ["", f"Skipped {one['scenario_id']}, {one['why']}{where}."]
    return "\n".join(lines) + "\n"


def _label(event: _Event) -> tuple[Any, ...]:
    return event.expected_yield, tuple(sorted((k, v) for k, v in event.expected.items() if v is not None))


def _side_by_side(verdicts: Sequence[_Verdict]) -> list[dict[str, Any]]:
    first = verdicts[0]
    return [
        {
            "yielded": verdict.did_yield,
            "passed": verdict.passed,
            "talk_over_sec": verdict.talk_over_sec,
            "seconds_to_yield": verdict.seconds_to_yield,
            "delta": {key: _minus(getattr(verdict, key), getattr(first, key)) for key in MEASURES},
        }
        for verdict in verdicts
    ]


def _medians(columns: Sequence[Sequence[_Verdict]]) -> list[dict[str, Any]]:
    """Medians of each input over the compared scenarios, and how many yielded."""
    found: list[dict[str, Any]] = []
    for verdicts in columns:
        values = {
            key: [value for value in (getattr(verdict, key) for verdict in verdicts) if value is not None]
            for key in MEASURES
        }
        middle = {key: round(quantile(part, 0.5), 3) if part else None for key, part in values.items()}
        first = found[0] if found else middle
        found.append(
            {
                "n": len(verdicts),
                "yielded": sum(verdict.did_yield for verdict in verdicts),
                **middle,
                "delta": {key: _minus(middle[key], first[key]) for key in MEASURES},
            }
        )
    return found


def _minus(value: float | None, first: float | None) -> float | None:
    return None if value is None or first is None else round(value - first, 3) + 0.0


def _cells(result: Mapping[str, Any]) -> list[str]:
    return ["yes" if result["yielded"] else "no", *(_with_delta(result, key) for key in MEASURES)]


def _with_delta(result: Mapping[str, Any], key: str) -> str:
    value, delta = result[key], result["delta"][key]
    if value is None:
        return "-"
    return f"{value:.2f} s" if delta is None else f"{value:.2f} s ({delta:+.2f})"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
