"""One call against its truth: on exact edges, every error is the size that the method gives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hotato.benchmark import PARAMS, Rows
from hotato.benchmark.edges import paired
from hotato.timing import Edge, ScoreConfig, VADParams

HOP, HANGOVER = 0.010, 0.150
CALLER, AGENT = [[2.003, 4.007]], [[0.5, 2.604], [5.111, 6.5]]
BARE = ScoreConfig(caller_vad=VADParams(hangover_sec=0.0), agent_vad=VADParams(hangover_sec=0.0))

Measured = Callable[..., Rows]


def scenario(**stated: Any) -> dict[str, Any]:
    return {"id": "one", "expected": {"yield": True}, "duration_sec": 8.0, **stated}


def rendered() -> dict[str, Any]:
    render = {"caller_segments_sec": CALLER, "agent_segments_sec": AGENT}
    return scenario(caller_onset_sec=CALLER[0][0], reference_render=render)


def spans(caller: Any, agent: Any, *events: dict[str, Any]) -> dict[str, Any]:
    return scenario(truth={"caller_spans_sec": caller, "agent_spans_sec": agent, "events": list(events)})


def errors(rows: Rows) -> dict[str, tuple[float, float]]:
    """Documented and raw-edge error in seconds, by signal."""
    found = {}
    for row in rows.errors:
        assert row.documented_sec is not None
        assert row.edges_sec is not None
        found[row.signal] = (row.documented_sec - row.true_sec, row.edges_sec - row.true_sec)
    return found


def test_the_errors_are_one_hop_and_the_hangover(measured: Measured):
    found = errors(measured(CALLER, AGENT, rendered()))
    assert -2 * HOP <= found["caller_onset"][0] <= 0
    for signal in ("time_to_yield", "talk_over"):
        assert found[signal][0] == pytest.approx(HANGOVER, abs=HOP + 0.001)
        assert abs(found[signal][1]) <= HOP + 0.001
    assert found["response_gap"][0] == pytest.approx(-HANGOVER, abs=2 * HOP + 0.001)


def test_without_a_hangover_everything_is_within_a_hop_on_the_grid(measured: Measured):
    caller, agent = [[2.0, 4.0]], [[0.5, 2.6], [5.1, 6.5]]
    stated = scenario(
        caller_onset_sec=2.0, reference_render={"caller_segments_sec": caller, "agent_segments_sec": agent}
    )
    for documented, edges in errors(measured(caller, agent, stated, cfg=BARE)).values():
        assert abs(documented) <= HOP + 1e-9
        assert abs(edges) <= HOP + 1e-9


def test_the_intervals_hold_the_truth_wherever_the_edge_falls_in_a_frame(measured: Measured):
    for shift in (0.0, 0.0031, 0.0067, 0.0099):
        caller, agent = [[2.0 + shift, 4.0]], [[0.5, 2.6 + shift], [5.1, 6.5]]
        render = {"caller_segments_sec": caller, "agent_segments_sec": agent}
        rows = measured(caller, agent, scenario(caller_onset_sec=2.0 + shift, reference_render=render))
        for row in rows.errors:
            assert row.lo_sec is not None
            assert row.lo_sec - PARAMS.rounding_sec <= row.true_sec <= row.hi_sec + PARAMS.rounding_sec, row


def test_a_signal_without_a_truth_has_no_row(measured: Measured):
    rows = measured(CALLER, AGENT, scenario(caller_onset_sec=2.003))
    assert [row.signal for row in rows.errors] == ["caller_onset"]
    assert rows.verdicts[0].truly_within is None
    assert rows.verdicts[0].wrong("documented") is None
    assert rows.edges == rows.events == rows.incidents == ()


def test_a_truth_that_is_not_measured_is_missing_and_no_zero(measured: Measured):
    rows = measured([], AGENT, rendered())
    assert {(row.signal, row.documented_sec) for row in rows.errors} >= {("caller_onset", None)}


def test_a_barge_in_is_found_and_its_verdict_right(measured: Measured):
    event = {"kind": "barge_in", "at_sec": 2.0, "expect": "yield", "yield_sec": 0.6, "talk_over_sec": 0.6}
    rows = measured([[2.0, 4.0]], [[0.5, 2.6]], spans([[2.0, 4.0]], [[0.5, 2.6]], event))
    assert [row.found for row in rows.events] == [True]
    assert rows.verdicts[0].found is True
    assert rows.verdicts[0].wrong("documented") is False


def test_a_barge_in_that_nobody_hears_is_missed_and_its_verdict_wrong(measured: Measured):
    event = {"kind": "barge_in", "at_sec": 2.0, "expect": "yield", "yield_sec": 0.6, "talk_over_sec": 0.6}
    rows = measured([], [[0.5, 2.6]], spans([[2.0, 4.0]], [[0.5, 2.6]], event))
    assert [row.found for row in rows.events] == [False]
    assert rows.verdicts[0].wrong("documented") is True
    assert "no_caller_speech" in rows.verdicts[0].doubts
    assert {row.sec for row in rows.edges if row.party == "caller"} == {None}
    assert {row.reading for row in rows.edges} == {"edges", "calibrated"}


def test_the_hangover_alone_makes_a_verdict_wrong_and_the_raw_edges_right(measured: Measured):
    event = {"kind": "barge_in", "at_sec": 2.0, "expect": "yield", "yield_sec": 0.9, "talk_over_sec": 0.9}
    rows = measured([[2.0, 4.0]], [[0.5, 2.9]], spans([[2.0, 4.0]], [[0.5, 2.9]], event))
    (verdict,) = rows.verdicts
    found = [verdict.wrong(reading) for reading in ("documented", "edges", "calibrated")]
    assert found == [True, False, False]


def test_an_incident_that_the_spans_do_not_hold_is_false(measured: Measured):
    caller, agent = [[2.0, 4.5]], [[0.5, 6.0]]
    (real,) = measured(caller, agent, spans(caller, agent)).incidents
    assert (real.kind_key, real.severity, real.real) == ("barge-in", "CRITICAL", True)
    (false,) = measured(caller, agent, spans([], agent)).incidents
    assert false.real is False


def test_an_echo_warning_is_false_where_the_line_has_no_echo(measured: Measured):
    caller, agent = [], [[0.5, 6.0]]
    echoed = {"echo": {"delay_sec": 0.12, "gain_db": -6.0}}
    (warned,) = measured(caller, agent, spans(caller, agent), line=echoed).incidents
    assert (warned.kind_key, warned.real) == ("echo-suspected", None), "nobody said"
    for truth in (True, False):
        stated = spans(caller, agent)
        stated["truth"]["echo"] = truth
        (warned,) = measured(caller, agent, stated, line=echoed).incidents
        assert warned.real is truth


def test_a_talk_over_beyond_the_limit_is_raised_and_critical_and_a_short_one_is_no_case_of_it(
    measured: Measured,
):
    def event(yield_sec: float | None, over: float) -> dict[str, Any]:
        return {"kind": "barge_in", "at_sec": 2.0, "yield_sec": yield_sec, "talk_over_sec": over}

    caller, long, short = [[2.0, 4.5]], [[0.5, 6.0]], [[0.5, 2.6]]
    (row,) = measured(caller, long, spans(caller, long, event(None, 2.5))).events
    assert (row.over_limit, row.raised, row.critical) == (True, True, True)
    (row,) = measured(caller, short, spans(caller, short, event(0.6, 0.6))).events
    assert (row.over_limit, row.raised, row.critical) == (False, False, False)
    (row,) = measured([], long, spans(caller, long, event(None, 2.5))).events
    assert (row.over_limit, row.raised, row.critical) == (True, False, False)


def test_overlaps_of_several_caller_turns_are_no_long_one(measured: Measured):
    caller, agent = [[2.0, 2.5], [3.2, 3.7], [4.4, 4.9]], [[0.5, 6.0]]
    event = {"kind": "barge_in", "at_sec": 2.0, "yield_sec": None, "talk_over_sec": 1.3}
    (row,) = measured(caller, agent, spans(caller, agent, event)).events
    assert row.over_limit is False


def test_a_silence_beyond_the_limit_is_raised(measured: Measured):
    caller, agent = [[1.0, 2.0]], [[0.2, 0.8], [8.0, 9.5]]
    event = {"kind": "latency", "at_sec": 2.0, "gap_sec": 6.0}
    rows = measured(caller, agent, spans(caller, agent, event) | {"duration_sec": 10.0}, seconds=10.0)
    assert [(row.over_limit, row.raised, row.critical) for row in rows.events] == [(True, True, True)]


def test_a_resume_is_found_by_the_score_of_the_interruption_before_it(measured: Measured):
    caller, agent = [[2.0, 4.5]], [[0.5, 2.6], [3.4, 6.0]]
    barge_in = {"kind": "barge_in", "at_sec": 2.0, "expect": "yield", "yield_sec": 0.6, "talk_over_sec": 0.6}
    back = {"kind": "resume", "at_sec": 3.4, "gap_sec": 0.8}
    again = {"kind": "restart", "at_sec": 3.4, "gap_sec": 0.8}
    rows = measured(caller, agent, spans(caller, agent, barge_in, back, again))
    assert {row.kind: row.found for row in rows.events} == {"barge_in": True, "resume": True, "restart": True}
    short = [[0.5, 2.6], [3.4, 4.0]]
    rows = measured(caller, short, spans(caller, short, barge_in, back, again))
    assert {row.kind: row.found for row in rows.events} == {
        "barge_in": True,
        "resume": True,
        "restart": False,
    }


def test_a_silence_is_real_when_nobody_sounds_for_as_long(measured: Measured):
    caller, agent = [[1.0, 2.0]], [[0.2, 0.8], [8.0, 9.5]]
    longer = {"duration_sec": 10.0}
    rows = measured(caller, agent, spans(caller, agent) | longer, seconds=10.0)
    assert [(row.kind_key, row.real) for row in rows.incidents] == [("dead-air", True)]
    rows = measured(caller, agent, spans(caller, [*agent, [4.0, 6.0]]) | longer, seconds=10.0)
    assert [(row.kind_key, row.real) for row in rows.incidents] == [("dead-air", False)]


def test_a_silence_too_short_to_be_listed_is_no_event_to_find(measured: Measured):
    caller, agent = [[1.0, 2.0]], [[0.2, 0.8], [3.0, 4.5]]
    event = {"kind": "latency", "at_sec": 2.0, "gap_sec": 1.0}
    rows = measured(caller, agent, spans(caller, agent, event))
    assert rows.events == ()
    (row,) = (row for row in rows.errors if row.signal == "response_gap")
    assert row.documented_sec == pytest.approx(1.0 - HANGOVER, abs=HOP + 0.001)


def test_edges_pair_with_their_nearest_and_the_rest_is_missing_or_extra():
    edges = [Edge.exact(at) for at in (1.02, 1.25, 5.0)]
    assert [(true, None if edge is None else edge.sec) for true, edge in paired([1.0, 3.0, 5.3], edges)] == [
        (1.0, 1.02),
        (3.0, None),
        (5.3, 5.0),
        (None, 1.25),
    ]
