"""A candidate run held against a saved one: how much each duration may rise."""

from __future__ import annotations

import os
import re
import statistics
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hotato.compare.pairing import pair_runs
from hotato.compare.records import Pairs
from hotato.compare.runs import Run
from hotato.compare.taxonomy import value_of
from hotato.errors import EXIT_FAIL, EXIT_PASS, Refusal
from hotato.plain import shown
from hotato.yaml_files import read_yaml

_CODE = "not_tolerances"
_REMEDY = 'write a line such as  response_gap_sec: "+10%"  or  seconds_to_yield: "+0.05"'
_FORM = re.compile(r"\+(?P<amount>[0-9]{1,6}(?:\.[0-9]{1,6})?)(?P<percent>%?)")
_DIGITS = 6
_ROUNDING_SEC = 1e-9
_MOST_INCREASE_SEC = 2.0
"""Nobody allows a pause to grow by more; whoever writes "+10" means a percentage."""

_MOST_INCREASE_PERCENT = 1000.0
_MOST_NAMED = 5

Tolerance = Annotated[str, Meta(pattern=r"^\+[0-9]{1,6}(\.[0-9]{1,6})?%?$")]

MEASURES = {
    "seconds_to_yield": "time_to_yield",
    "talk_over_sec": "talk_over",
    "response_gap_sec": "response_gap",
    "premature_start_sec": "premature_start",
}
"""The dimensions, and what each is called in an event."""


class Tolerances(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much the mean of each dimension may rise: `"+10%"` of the baseline's, or `"+0.05"` seconds."""

    seconds_to_yield: Tolerance | UnsetType = UNSET
    talk_over_sec: Tolerance | UnsetType = UNSET
    response_gap_sec: Tolerance | UnsetType = UNSET
    premature_start_sec: Tolerance | UnsetType = UNSET


class Pooled(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of a dimension over the events of a run that could be judged and have it."""

    mean_sec: float
    n: int


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """One dimension.

    Attributes:
        tolerance: as it was stated.
        tolerance_kind: `percent` or `absolute`.
        allowed_increase_sec: what it comes to.
        baseline: the saved run.
        candidate: the run that is checked.
        delta_sec: candidate minus baseline.
        within: it rose by no more than is allowed; a fall always is.
    """

    tolerance: str
    tolerance_kind: Literal["percent", "absolute"]
    allowed_increase_sec: float
    baseline: Pooled
    candidate: Pooled
    delta_sec: float
    within: bool


class BaselineCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `hotato baseline check`.

    Attributes:
        tool: always `hotato`.
        schema_version: version of this shape; only additive changes keep it.
        kind: always `hotato.baseline-check`.
        version: always 1.
        baseline_path: the saved run.
        candidate_path: the run that is checked.
        dimensions: every dimension that has a tolerance.
        drifted: those that rose by more.
        within_tolerance: there are none.
        exit_code: 0, or 1 for drift.
        note: what the check says and does not say.
        only_baseline: always empty: events that the candidate lacks are refused.
        only_candidate: always empty: events that the baseline lacks are refused.
    """

    tool: Literal["hotato"] = "hotato"
    schema_version: Literal["1"] = "1"
    kind: Literal["hotato.baseline-check"] = "hotato.baseline-check"
    version: Literal[1] = 1
    baseline_path: str
    candidate_path: str
    dimensions: dict[str, Drift]
    drifted: tuple[str, ...]
    within_tolerance: bool
    exit_code: Literal[0, 1]
    note: str
    only_baseline: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()


def read_tolerances(path: str | os.PathLike[str]) -> Tolerances:
    """The tolerances in a file.

    Raises:
        Refusal: `not_tolerances`, naming the line; or whatever `canonical.read_small` refuses.
    """
    found = read_yaml(path, "tolerance file", Tolerances, code=_CODE, remedy=_REMEDY)
    if all(getattr(found, name) is UNSET for name in MEASURES):
        raise Refusal(_CODE, f"'{os.fspath(path)}', line 1: states no tolerance", _REMEDY)
    for name in MEASURES:
        if getattr(found, name) is not UNSET:
            _require_meant(os.fspath(path), name, getattr(found, name))
    return found


def _require_meant(path: str, name: str, tolerance: str) -> None:
    """Refuse a tolerance that nothing exceeds."""
    amount, percent = _parts(tolerance)
    if percent and amount > _MOST_INCREASE_PERCENT:
        raise Refusal(
            _CODE,
            f"'{path}': {name} may rise by {amount:g}%, which no agent exceeds",
            f"allow {_MOST_INCREASE_PERCENT:g}% at most",
        )
    if not percent and amount > _MOST_INCREASE_SEC:
        raise Refusal(
            _CODE,
            f"'{path}': {name} may rise by {amount:g} seconds",
            f'did you mean "{tolerance}%"? Allow {_MOST_INCREASE_SEC:g} seconds at most',
        )


def _parts(tolerance: str) -> tuple[float, bool]:
    """The amount, and whether it is a percentage."""
    form = _FORM.fullmatch(tolerance)
    assert form is not None  # the reader let no other form through
    return float(form["amount"]), bool(form["percent"])


def check_baseline(
    tolerances: Tolerances, baseline: Run, candidate: Run, *, names: tuple[str, str] | None = None
) -> BaselineCheck:
    """Hold a run against a saved one.

    Args:
        tolerances: how much each dimension may rise.
        baseline: the saved run.
        candidate: the run that is checked.
        names: what to call the two in the result; their own names when left out.

    Raises:
        Refusal: `different_sets`: an event is in one of the runs only, or was judged in one only, so that
            their means are of different things; `no_measurements`: a side has none of a dimension that has a
            tolerance, and nothing measured is nothing passed; or what `pairing.pair_runs` refuses, such as
            two profiles.
    """
    _require_same_set(pair_runs(baseline.events, candidate.events))
    dimensions = {}
    for dimension, measure in MEASURES.items():
        tolerance = getattr(tolerances, dimension)
        if tolerance is not UNSET:
            sides = [_pooled(run, dimension, measure) for run in (baseline, candidate)]
            dimensions[dimension] = _drift(tolerance, sides[0], sides[1])
    drifted = tuple(name for name, one in dimensions.items() if not one.within)
    return BaselineCheck(
        baseline_path=names[0] if names else baseline.name,
        candidate_path=names[1] if names else candidate.name,
        dimensions=dimensions,
        drifted=drifted,
        within_tolerance=not drifted,
        exit_code=EXIT_FAIL if drifted else EXIT_PASS,  # type: ignore[arg-type]
        note=_note(dimensions),
    )


def _require_same_set(pairs: Pairs) -> None:
    judged = [(pair.fixture, pair.before.scorable, pair.after.scorable) for pair in pairs.paired]
    differ = {
        "missing from the candidate": [event.event_id for event in pairs.only_before],
        "not in the baseline": [event.event_id for event in pairs.only_after],
        "judged in the baseline only": [name for name, before, after in judged if before and not after],
        "judged in the candidate only": [name for name, before, after in judged if after and not before],
    }
    said = [f"{_named(names)} {what}" for what, names in differ.items() if names]
    if said:
        raise Refusal(
            "different_sets",
            f"the runs are of different sets of events: {'; '.join(said)}",
            "score the whole set again, or save a new baseline",
        )


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(shown(name, 60) for name in names[:_MOST_NAMED]) + more


def _pooled(run: Run, dimension: str, measure: str) -> Pooled:
    values = [value_of(event, measure) for event in run.events if event.scorable]
    known = [value for value in values if value is not None]
    if not known:
        raise Refusal(
            "no_measurements",
            f"'{run.name}' holds no event with {dimension}, so nothing can be held against its tolerance",
            "drop that tolerance, or score events that have it",
        )
    return Pooled(mean_sec=round(statistics.fmean(known), _DIGITS), n=len(known))


def _drift(tolerance: str, baseline: Pooled, candidate: Pooled) -> Drift:
    amount, percent = _parts(tolerance)
    allowed = round(baseline.mean_sec * amount / 100.0 if percent else amount, _DIGITS)
    delta = round(candidate.mean_sec - baseline.mean_sec, _DIGITS) + 0.0
    return Drift(
        tolerance=tolerance,
        tolerance_kind="percent" if percent else "absolute",
        allowed_increase_sec=allowed,
        baseline=baseline,
        candidate=candidate,
        delta_sec=delta,
        within=delta <= allowed + _ROUNDING_SEC,
    )


def _note(dimensions: dict[str, Drift]) -> str:
    parts = ["means are pooled over the events that could be judged; a fall always passes"]
    fewer = [name for name, one in dimensions.items() if one.candidate.n < one.baseline.n]
    if fewer:
        parts.append(
            f"the candidate has fewer events with {', '.join(fewer)}, and what is no longer measured is in "
            "no mean"
        )
    return "; ".join(parts)
