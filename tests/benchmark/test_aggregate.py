"""Aggregates are what their definitions say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.benchmark.aggregate import (
    cliff,
    confusion,
    edge_coverage,
    error_stats,
    false_rate,
    raised,
    recall,
    signal_stats,
    yield_verdicts,
)
from hotato.benchmark.conditions import condition_order, noise_of
from hotato.benchmark.records import (
    CallRow,
    EdgeRow,
    ErrorRow,
    EventRow,
    IncidentRow,
    Rows,
    VerdictRow,
    together,
)

KEYS = {"set_name": "set", "scenario": "one", "family": "any", "condition": "clean"}


def verdict(**given: Any) -> VerdictRow:
    values: dict[str, Any] = {
        **KEYS,
        "at_sec": 1.0,
        "kind": "barge_in",
        "expect": "yield",
        "limit_sec": 1.0,
        "scorable": True,
        "did_yield": True,
        "documented_sec": 0.5,
        "edges_sec": 0.4,
        "calibrated_yield": True,
        "calibrated_sec": 0.4,
        "true_yield": True,
        "true_sec": 0.4,
        "found": None,
        "doubts": (),
        "reasons": (),
    }
    return VerdictRow(**{**values, **given})


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-2.0, 2.0), min_size=1, max_size=40))
def test_an_error_distribution_is_that_of_numpy(errors: list[float]):
    found, distances = error_stats(errors), np.abs(errors) * 1000
    assert found.n == len(errors)
    for value, expected in (
        (found.bias_ms, np.mean(errors) * 1000),
        (found.median_ms, np.median(distances)),
        (found.mean_ms, distances.mean()),
        (found.p90_ms, np.percentile(distances, 90, method="linear")),
        (found.worst_ms, distances.max()),
        (found.best_ms, distances.min()),
    ):
        assert value == pytest.approx(expected, abs=0.0051)


def test_nothing_measured_is_nothing_and_no_zero():
    found = error_stats([], missing=3)
    assert (found.n, found.missing, found.median_ms, found.bias_ms) == (0, 3, None, None)


def test_a_bias_is_positive_where_the_measurement_is_late_and_missing_ones_are_counted():
    keys = {
        **KEYS,
        "signal": "time_to_yield",
        "at_sec": 1.0,
        "lo_sec": None,
        "hi_sec": None,
        "doubted": False,
        "reasoned": False,
    }
    rows = [
        ErrorRow(**keys, true_sec=1.0, documented_sec=1.15, edges_sec=1.0, calibrated_sec=1.0),
        ErrorRow(**keys, true_sec=1.0, documented_sec=None, edges_sec=None, calibrated_sec=None),
    ]
    found = signal_stats(rows, "time_to_yield", "documented")
    assert (found.n, found.missing, found.bias_ms) == (1, 1, 150.0)


def test_the_four_cells_are_kept_apart():
    rows = [
        verdict(),
        verdict(did_yield=False),
        verdict(expect="hold"),
        verdict(expect="hold", did_yield=False),
        verdict(scorable=False, did_yield=None),
    ]
    found = confusion(rows)
    assert (found.correct_yield, found.missed_yield, found.false_yield, found.correct_hold) == (1, 1, 1, 1)
    assert (found.off_diagonal, found.not_scorable) == (2, 1)


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({}, (0, 0)),
        ({"documented_sec": 1.05, "edges_sec": 0.9, "true_sec": 0.9}, (1, 0)),
        ({"documented_sec": 1.05, "edges_sec": 0.9, "true_sec": 1.02}, (0, 1)),
        ({"did_yield": False, "documented_sec": None, "edges_sec": None}, (1, 1)),
        ({"true_yield": False, "true_sec": None}, (1, 1)),
        ({"found": False}, (1, 1)),
        ({"calibrated_yield": False, "calibrated_sec": None}, (0, 0)),
        ({"scorable": False, "did_yield": None}, (1, 1)),
    ],
)
def test_a_verdict_is_wrong_when_it_differs_is_withheld_or_rests_on_an_onset_never_found(
    given: dict[str, Any], wrong: tuple[int, int]
):
    found = yield_verdicts([verdict(**given)])
    assert (found.n, found.wrong_documented, found.wrong_edges) == (1, *wrong)


def test_an_unknown_truth_makes_no_verdict_wrong():
    assert yield_verdicts([verdict(true_yield=None, true_sec=None)]).n == 0


def test_wrong_verdicts_in_doubt_and_those_with_any_reason_code_are_counted_apart():
    doubted = verdict(found=False, doubts=("low_snr",))
    replaced = verdict(found=False, reasons=("reference_unreliable",))
    right = verdict(doubts=("low_snr",), reasons=("reference_unreliable",))
    found = yield_verdicts([doubted, replaced, verdict(found=False), right])
    assert (found.n, found.not_found, found.wrong_documented) == (4, 3, 3)
    assert (found.doubted_documented, found.coded_documented) == (1, 2)


def test_an_interval_around_an_edge_that_does_not_exist_is_uncovered():
    keys = {
        **KEYS,
        "reading": "edges",
        "party": "caller",
        "side": "onset",
        "doubted": False,
        "reasoned": False,
    }
    rows = [
        EdgeRow(**keys, true_sec=1.0, sec=1.0, lo_sec=0.99, hi_sec=1.01),
        EdgeRow(**keys, true_sec=2.0, sec=2.1, lo_sec=2.05, hi_sec=2.15),
        EdgeRow(**keys, true_sec=None, sec=3.0, lo_sec=2.99, hi_sec=3.03),
        EdgeRow(**keys, true_sec=4.0, sec=None, lo_sec=None, hi_sec=None),
    ]
    found = edge_coverage(rows, "onset")
    assert (found.n, found.covered, found.coded) == (3, 1, 0)
    assert found.share == pytest.approx(1 / 3, abs=1e-4)
    assert found.width_median_ms == pytest.approx(40.0)


def test_an_uncovered_interval_is_in_doubt_or_has_a_code_or_neither():
    keys = {**KEYS, "reading": "edges", "party": "caller", "side": "onset", "true_sec": 9.0}
    interval = {"sec": 1.0, "lo_sec": 0.99, "hi_sec": 1.01}
    flags = ((True, True), (True, False), (False, True), (False, False))
    rows = [EdgeRow(**keys, **interval, doubted=doubted, reasoned=reasoned) for doubted, reasoned in flags]
    found = edge_coverage(rows, "onset")
    assert (found.n, found.covered, found.doubted, found.coded) == (4, 0, 2, 3)
    assert (found.share_or_doubted, found.share_or_coded) == (0.5, 0.75)


def test_rates_are_for_the_time_of_all_calls():
    keys = {**KEYS, "kind_key": "barge-in", "t_sec": 1.0, "codes": ()}
    rows = [
        IncidentRow(**keys, severity="CRITICAL", real=False),
        IncidentRow(**keys, severity="WARNING", real=False),
        IncidentRow(**keys, severity="CRITICAL", real=True),
        IncidentRow(**keys, severity="WARNING", real=None),
    ]
    calls = [CallRow(**KEYS, duration_sec=90.0, warned=False, refused=False)] * 2
    found = false_rate(rows, calls)
    assert (found.n, found.unknown, found.false, found.false_critical) == (4, 1, 2, 1)
    assert found.false_per_minute == pytest.approx(2 / 3, abs=1e-4)
    assert found.false_critical_per_hour == pytest.approx(20.0)


def test_recall_is_the_share_found():
    rows = [EventRow(**KEYS, kind="barge_in", at_sec=1.0, found=found) for found in (True, True, False)]
    assert recall(rows).recall == pytest.approx(2 / 3, abs=1e-4)
    assert recall([]).recall is None


def test_only_events_beyond_the_limit_have_to_be_raised():
    rows = [
        EventRow(
            **KEYS, kind="barge_in", at_sec=1.0, found=True, over_limit=over, raised=told, critical=worst
        )
        for over, told, worst in (
            (True, True, True),
            (True, True, False),
            (True, False, False),
            (False, True, True),
            (None, True, True),
        )
    ]
    found = raised(rows)
    assert (found.n, found.raised, found.critical) == (3, 2, 1)
    assert (found.raised_share, found.critical_share) == (0.6667, 0.3333)
    assert raised([]).raised_share is None


def test_the_name_of_a_condition_tells_the_noise():
    assert noise_of("white12") == ("white", 12)
    assert noise_of("echo-12") is None
    names = ["white8", "mulaw", "white20", "clean", "babble15"]
    assert sorted(names, key=condition_order) == ["clean", "babble15", "mulaw", "white20", "white8"]


def test_the_cliff_needs_noise_and_keeps_warnings_beside_flips():
    def at(condition: str, **given: Any) -> Rows:
        keys = {**KEYS, "condition": condition}
        return Rows(
            calls=(CallRow(**keys, duration_sec=60.0, warned=condition != "clean", refused=False),),
            verdicts=(verdict(condition=condition, **given),),
        )

    assert cliff(at("clean")) == []
    points = cliff(together([at("white8", found=False, doubts=("low_snr",)), at("white20"), at("clean")]))
    assert [(p.noise, p.snr_db, p.flipped, p.coded, p.doubted, p.warned) for p in points] == [
        ("clean", None, 0, 0, 0, 0),
        ("white", 20, 0, 0, 0, 1),
        ("white", 8, 1, 1, 1, 1),
    ]
