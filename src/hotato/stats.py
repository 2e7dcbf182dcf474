"""One definition for each aggregate that hotato publishes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TypedDict


class Distribution(TypedDict):
    """Summary of a set of measurements; None where the set is empty."""

    n: int
    mean: float | None
    median: float | None
    p90: float | None
    p95: float | None


class Spread(TypedDict):
    """A distribution with its ends; None where the set is empty."""

    n: int
    min: float | None
    mean: float | None
    median: float | None
    p90: float | None
    p95: float | None
    max: float | None


def quantile(values: Sequence[float], q: float) -> float:
    """The q-quantile by linear interpolation between closest ranks (position q * (n - 1), sorted).

    Raises:
        ValueError: `values` is empty or `q` lies outside 0..1.
    """
    if not values:
        raise ValueError("no quantile of nothing")
    if not 0.0 <= q <= 1.0:
        raise ValueError("a quantile lies in 0..1")
    ordered = sorted(values)
    position = q * (len(ordered) - 1)
    low = math.floor(position)
    if low + 1 >= len(ordered):
        return ordered[-1]
    return ordered[low] + (position - low) * (ordered[low + 1] - ordered[low])


def distribution(values: Sequence[float]) -> Distribution:
    """Mean, median, p90 and p95 of `values`, rounded to 3 decimals; all None when there are none."""
    if not values:
        return {"n": 0, "mean": None, "median": None, "p90": None, "p95": None}
    return {
        "n": len(values),
        "mean": round(statistics.fmean(values), 3),
        "median": round(statistics.median(values), 3),
        "p90": round(quantile(values, 0.90), 3),
        "p95": round(quantile(values, 0.95), 3),
    }


def spread(values: Sequence[float]) -> Spread:
    """`distribution` of `values` with the smallest and largest of them, rounded to 3 decimals."""
    middle = distribution(values)
    return {
        "n": middle["n"],
        "min": round(min(values), 3) if values else None,
        "mean": middle["mean"],
        "median": middle["median"],
        "p90": middle["p90"],
        "p95": middle["p95"],
        "max": round(max(values), 3) if values else None,
    }
