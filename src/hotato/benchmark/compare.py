"""Results of one battery on several platforms, side by side: measurements and differences, no ranking."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.canonical import decode_json, read_small
from hotato.editions import markdown_mark
from hotato.errors import Refusal, UsageError, reject_overall_score
from hotato.plain import escaped, markdown_text, shown
from hotato.report.doubts import doubt_words
from hotato.score.request import DOCUMENTED, Source
from hotato.stats import quantile

STACK_BENCHMARK = "stack-benchmark"
COMPARISON = "stack-benchmark-comparison"
TITLE = "hotato benchmark comparison"
COMPARISON_MARK = markdown_mark(TITLE, "benchmark compare")
"""How the Markdown of a comparison begins."""

MEASURES = ("talk_over_sec", "seconds_to_yield")
OF_THE_LIMIT = frozenset({"hangover_decides"})
"""Doubts about which side of a limit a value is on, not about the value."""
_MAX_RESULT_BYTES = 1 << 26
_LEAST_INPUTS = 2
_MOST_NAMED = 3
_MOST_DOUBT_CHARS = 200
_REMEDY = "pass files that 'hotato benchmark --out FILE' wrote"


Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]


class _Verdict(msgspec.Struct, frozen=True):
    """The part of a verdict that is compared."""

    passed: bool
    did_yield: bool
    seconds_to_yield: Seconds | None
    talk_over_sec: Seconds
    doubts: tuple[str, ...] = ()

    @property
    def measured(self) -> bool:
        """Whether no doubt lies on what was measured."""
        return OF_THE_LIMIT.issuperset(self.doubts)


class _Measurements(msgspec.Struct, frozen=True):
    """The part of the measurements that belongs to the label."""

    onset_requested_sec: Seconds | None = None


class _Event(msgspec.Struct, frozen=True):
    """The part of an event that is compared."""

    scenario_id: str
    expected_yield: bool
    verdict: _Verdict
    expected: dict[str, Seconds | None] = {}
    measurements: _Measurements = _Measurements()
    profile: str = DOCUMENTED
    scorable: bool = True


class _Result(msgspec.Struct, frozen=True):
    """The part of a result that is compared."""

    kind: str
    stack: str
    events: tuple[_Event, ...]
    config: dict[str, Any]
    parameters: dict[str, Any] = {}


def load_result(path: Source) -> dict[str, Any]:
    """A result from its file.

    Raises:
        Refusal: no JSON, a key that is stated twice, no result of `hotato benchmark`, a scenario that stands
            in it twice, a number that no call can have, or a blended figure.
    """
    data = read_small(path, "benchmark result", _MAX_RESULT_BYTES)
    try:
        result = decode_json(data, f"'{path}'")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("not_a_benchmark_result", f"'{path}' is no benchmark result", _REMEDY) from error
    _result_of(os.fspath(path), result)
    reject_overall_score(result, f"'{path}'")
    loaded: dict[str, Any] = result
    return loaded


def _result_of(name: str, result: Any) -> _Result:
    """The part of a result that is compared, checked.

    Raises:
        Refusal: `not_a_benchmark_result`.
    """
    kind = result.get("kind") if isinstance(result, dict) else None
    if isinstance(kind, str) and kind != STACK_BENCHMARK:
        raise Refusal("not_a_benchmark_result", f"'{name}' is a {kind}, no benchmark result", _REMEDY)
    try:
        shape = msgspec.convert(result, _Result)
    except msgspec.ValidationError as error:
        what = f"'{name}' is no benchmark result: {error}"
        raise Refusal("not_a_benchmark_result", what, _REMEDY) from error
    counts = Counter(event.scenario_id for event in shape.events)
    twice = [scenario for scenario, count in counts.items() if count > 1]
    if twice:
        what = f"'{name}' holds the scenario '{shown(twice[0])}' {counts[twice[0]]} times"
        raise Refusal("not_a_benchmark_result", what, _REMEDY)
    return shape


def compare_results(inputs: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Results side by side, over the scenarios that every one of them scored under the same label.

    Args:
        inputs: at least two pairs of a name (the file) and a result.

    Returns:
        `inputs`, `compared` (ids), `skipped` (with the reason), `per_scenario` and `medians`. A `delta` is a
        value minus that of the first input.

    Raises:
        UsageError: fewer than two results.
        Refusal: no scenario that all of them scored, or what `load_result` refuses.
    """
    if len(inputs) < _LEAST_INPUTS:
        raise UsageError("a comparison needs two results", _REMEDY)
    results = [_result_of(name, dict(result)) for name, result in inputs]
    judged = [{e.scenario_id: e for e in result.events if e.scorable} for result in results]
    everything = sorted({event.scenario_id for result in results for event in result.events})
    compared, skipped = [], []
    for scenario in everything:
        missing = [name for (name, _), events in zip(inputs, judged, strict=True) if scenario not in events]
        unlike = _unlike([events[scenario] for events in judged if scenario in events])
        if missing:
            skipped.append({"scenario_id": scenario, "why": "not scored", "missing_from": missing})
        elif unlike:
            why = f"labels differ in {', '.join(unlike)}"
            skipped.append({"scenario_id": scenario, "why": why, "missing_from": []})
        else:
            compared.append(scenario)
    if not compared:
        raise Refusal("nothing_to_compare", *_nothing(inputs, results, skipped))
    return {
        "tool": "hotato",
        "kind": COMPARISON,
        "schema_version": "1",
        "inputs": [
            {"path": name, "stack": result.stack, "scored": len(events)}
            for (name, _), result, events in zip(inputs, results, judged, strict=True)
        ],
        "same_thresholds": _same_thresholds(results),
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
        "by_label": {
            label: _medians([[events[scenario].verdict for scenario in part] for events in judged])
            for label, part in _labelled(judged[0], compared).items()
        },
    }


def _same_thresholds(results: Sequence[_Result]) -> bool:
    """Whether all were measured alike; a result that does not state its parameters is taken at its config."""
    stated = [result.parameters for result in results if result.parameters]
    alike = all(result.config == results[0].config for result in results)
    return alike and all(parameters == stated[0] for parameters in stated)


def _labelled(events: Mapping[str, _Event], compared: Sequence[str]) -> dict[str, list[str]]:
    """The compared scenarios under each label that occurs: what counts as good differs."""
    found: dict[str, list[str]] = {}
    for scenario in compared:
        found.setdefault("yield" if events[scenario].expected_yield else "hold", []).append(scenario)
    return dict(sorted(found.items(), reverse=True))


def _nothing(
    inputs: Sequence[tuple[str, Mapping[str, Any]]],
    results: Sequence[_Result],
    skipped: Sequence[Mapping[str, Any]],
) -> tuple[str, str]:
    """Why nothing can be compared, and what to do: other scenarios, none scored, or other labels."""
    held = [{event.scenario_id for event in result.events} for result in results]
    if not set.intersection(*held):
        told = "; ".join(
            f"'{name}' holds {shown(min(ids))}{f' and {len(ids) - 1} more' if len(ids) > 1 else ''}"
            if ids
            else f"'{name}' holds none"
            for (name, _), ids in zip(inputs, held, strict=True)
        )
        return f"the results share no scenario: {told}", "score the same battery on every platform"
    shared = [one for one in skipped if all(one["scenario_id"] in ids for ids in held)]
    told = "; ".join(f"{shown(one['scenario_id'])}: {one['why']}" for one in shared[:_MOST_NAMED])
    more = f"; and {len(shared) - _MOST_NAMED} more" if len(shared) > _MOST_NAMED else ""
    return (
        f"no scenario was scored alike in every result ({told}{more})",
        "score every platform against the same labels, with recordings that can be judged",
    )


def render_comparison_md(comparison: Mapping[str, Any]) -> str:
    """A comparison as Markdown tables."""
    inputs = comparison["inputs"]
    names = [f"{markdown_text(one['stack'])} ({markdown_text(one['path'])})" for one in inputs]
    lines = [
        COMPARISON_MARK,
        *[
            f"{number}. {name}: {one['scored']} scored"
            for number, (name, one) in enumerate(zip(names, inputs, strict=True), 1)
        ],
        "",
        "Differences in parentheses are against the first, where neither value is in doubt. These are "
        "measurements of the recordings that were captured; they rank nobody.",
        "",
    ]
    if not comparison["same_thresholds"]:
        lines += ["The results were scored under different thresholds; see `config` of each.", ""]
    columns = [str(number) for number in range(1, len(inputs) + 1)]
    head = [
        "scenario",
        "label",
        *(f"{what} {c}" for c in columns for what in ("verdict", "yielded", "talk-over", "to yield")),
    ]
    rows = [
        [
            markdown_text(one["scenario_id"]),
            "yield" if one["expected_yield"] else "hold",
            *(cell for result in one["results"] for cell in _cells(result, one["results"][0])),
        ]
        for one in comparison["per_scenario"]
    ]
    for label, medians in comparison["by_label"].items():
        rows.append(
            [f"median of {label} labels", label, *(c for m in medians for c in _middle(m, medians[0], label))]
        )
    lines += [_line(head), _line(["---", "---", *["---:"] * (len(head) - 2)]), *map(_line, rows)]
    lines += _doubted(comparison, names)
    for one in comparison["skipped"]:
        missing = ", ".join(markdown_text(name) for name in one["missing_from"])
        why = escaped(one["why"]) + (f": {missing}" if missing else "")
        lines += ["", f"Skipped {markdown_text(one['scenario_id'])}, {why}."]
    return "\n".join(lines) + "\n"


def _unlike(events: Sequence[_Event]) -> list[str]:
    """In what the labels of one scenario differ; nothing where they are the same."""
    stated = [
        {
            "expectation": event.expected_yield,
            "onset": event.measurements.onset_requested_sec,
            "bounds": {name: sec for name, sec in event.expected.items() if sec is not None},
            "profile": event.profile,
        }
        for event in events
    ]
    return [part for part in stated[0] if any(one[part] != stated[0][part] for one in stated)]


def _side_by_side(verdicts: Sequence[_Verdict]) -> list[dict[str, Any]]:
    first = verdicts[0]
    return [
        {
            "yielded": verdict.did_yield,
            "passed": verdict.passed,
            "doubts": verdict.doubts,
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
                "passed": sum(verdict.passed for verdict in verdicts),
                "in_doubt": sum(bool(verdict.doubts) for verdict in verdicts),
                "unsure": sum(not verdict.measured for verdict in verdicts),
                **middle,
                "delta": {key: _minus(middle[key], first[key]) for key in MEASURES},
            }
        )
    return found


def _minus(value: float | None, first: float | None) -> float | None:
    return None if value is None or first is None else round(value - first, 3) + 0.0


def _cells(result: Mapping[str, Any], first: Mapping[str, Any]) -> list[str]:
    verdict = "pass" if result["passed"] else "**fail**"
    sure = all(OF_THE_LIMIT.issuperset(one["doubts"]) for one in (result, first))
    return [
        f"{verdict}, in doubt" if result["doubts"] else verdict,
        "yes" if result["yielded"] else "no",
        *(_with_delta(result, key, sure=sure) for key in MEASURES),
    ]


def _middle(medians: Mapping[str, Any], first: Mapping[str, Any], label: str) -> list[str]:
    """One label's counts and medians; a stop on a hold label is a failure, and no time to compare."""
    verdict = f"{medians['passed']} of {medians['n']} pass"
    sure = not (medians["unsure"] or first["unsure"])
    return [
        f"{verdict}, {medians['in_doubt']} in doubt" if medians["in_doubt"] else verdict,
        f"{medians['yielded']} of {medians['n']}",
        _with_delta(medians, "talk_over_sec", sure=sure),
        _with_delta(medians, "seconds_to_yield", sure=sure) if label == "yield" else "-",
    ]


def _doubted(comparison: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Why verdicts are in doubt, a paragraph for each."""
    return [
        line
        for one in comparison["per_scenario"]
        for name, result in zip(names, one["results"], strict=True)
        if result["doubts"]
        for line in (
            "",
            f"In doubt: {markdown_text(one['scenario_id'])}, {name}: "
            f"{'; '.join(_doubt(code) for code in result['doubts'])}.",
        )
    ]


def _doubt(code: str) -> str:
    return escaped(shown(doubt_words(code), _MOST_DOUBT_CHARS))


def _with_delta(result: Mapping[str, Any], key: str, *, sure: bool) -> str:
    value, delta = result[key], result["delta"][key]
    if value is None:
        return "-"
    return f"{value:.2f} s ({delta:+.2f})" if sure and delta is not None else f"{value:.2f} s"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
