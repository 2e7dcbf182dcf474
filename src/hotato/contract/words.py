"""What is said of a moment's numbers and of its policy, in the same words wherever a contract is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hotato.contract.records import Contract, Measurement, PassConditions
from hotato.report.timefmt import seconds
from hotato.timing import ScoreConfig

_BOUNDED = (
    ("talk_over", "talk-over", "max_talk_over_sec"),
    ("time_to_yield", "time to yield", "max_time_to_yield_sec"),
    ("silence", "silence", "max_response_gap_sec"),
    ("response_gap", "silence before the answer", "max_response_gap_sec"),
)
"""What may be bounded: its edge, its name, and the condition."""


def measured_words(found: Measurement, expected: str) -> str:
    """What was measured, on one line.

    Args:
        found: the numbers.
        expected: the label, for an answer has other numbers.
    """
    if expected == "answer":
        gap, silence = found.response_gap_sec, found.silence_sec
        if gap is not None:
            return f"silence of {seconds(gap)} until the agent answered"
        return "the agent did not answer" + ("" if silence is None else f", silence of {seconds(silence)}")
    parts = ["the agent yielded" if found.did_yield else "the agent did not yield"]
    if found.seconds_to_yield is not None:
        parts[0] += f" after {seconds(found.seconds_to_yield)}"
    parts.append(f"talk-over {seconds(found.talk_over_sec)}")
    if found.response_gap_sec is not None:
        parts.append(f"answered after {seconds(found.response_gap_sec)}")
    return ", ".join(parts)


def profiled_words(contract: Contract) -> str:
    """The same with the profile that the numbers are of."""
    said = measured_words(contract.measurement, contract.label.expected_behavior)
    return f"{said} ({contract.policy.profile} profile)"


def limit_words(contract: Contract) -> str:
    """The limits of a contract, on one line; empty for none."""
    conditions = contract.policy.pass_conditions
    named = (
        ("talk-over", conditions.max_talk_over_sec),
        ("time to yield", conditions.max_time_to_yield_sec),
        ("silence before the answer", conditions.max_response_gap_sec),
    )
    told = [f"{name} at most {seconds(limit)}" for name, limit in named if limit is not None]
    return ", ".join([*(told or unbounded_words(contract)), f"{contract.policy.profile} profile"])


def unbounded_words(contract: Contract) -> list[str]:
    """What a yield without any limit asks for; nothing for another label."""
    if contract.label.expected_behavior != "yield":
        return []
    return [f"none: any stop within {seconds(ScoreConfig().max_search_sec)} of the onset passes"]


def close_words(
    edges: Mapping[str, tuple[float, float, float]], conditions: PassConditions, expected: str
) -> tuple[str, ...]:
    """For each limit that lies inside the interval of what it bounds: both, a clause each.

    Args:
        edges: the numbers at the raw energy edges: name to (seconds, lowest, highest).
        conditions: the limits.
        expected: the label.
    """
    other = "response_gap" if expected == "answer" else "silence"
    told = []
    for edge, name, condition in _BOUNDED:
        limit = getattr(conditions, condition)
        if limit is None or edge == other or edge not in edges or expected == "hold":
            continue
        _, low, high = edges[edge]
        if low <= limit <= high:
            told.append(f"{name} {low:.2f} to {high:.2f} s at the energy edges, limit {seconds(limit)}")
    return tuple(told)


def told_figures(figures: Mapping[str, float | bool | None], expected: str | None) -> dict[str, Any]:
    """What a result shows of an event's figures: the silence of an answer, else all but the verdict."""
    if expected == "answer" and "silence_sec" in figures:
        return {"silence_sec": figures["silence_sec"], "answered": figures["response_gap_sec"] is not None}
    return {name: value for name, value in figures.items() if name != "passed"}


def verdict_words(contract: Contract, *, incident: bool = False) -> str:
    """The verdict when the contract was made, and what the contract is good for then.

    Args:
        contract: the contract.
        incident: it was made of a moment that autopsy took for a failure.
    """
    if not contract.measurement.passed:
        return "failed when it was made"
    meant = "under this policy the incident is no failure; " if incident else ""
    return f"passed when it was made: {meant}it guards against a regression"
