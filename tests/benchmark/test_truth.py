"""The truth of a call follows from its spans by the documented definitions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hotato.benchmark import Moment, run_benchmark, stated_in, truth_of
from hotato.benchmark.spans import joint_sec, longest_silence_sec, spans_of
from hotato.errors import Refusal
from hotato.timing import Span


def stated(caller: Any, agent: Any, onset: float | None, **more: Any) -> Any:
    render = {"caller_segments_sec": caller, "agent_segments_sec": agent}
    return stated_in(
        {"id": "x", "duration_sec": 10.0, "caller_onset_sec": onset, "reference_render": render, **more}, "x"
    )


def moment(caller: Any, agent: Any, onset: float = 2.0) -> Moment:
    (found,) = truth_of(stated(caller, agent, onset), True).moments
    return found


def test_the_yield_is_the_end_of_the_turn_in_progress():
    found = moment([[2.0, 4.0]], [[0.0, 2.6], [5.0, 6.0]])
    assert (found.did_yield, found.yield_sec, found.talk_over_sec) == (
        True,
        pytest.approx(0.6),
        pytest.approx(0.6),
    )
    assert found.gap_sec == pytest.approx(1.0)


def test_a_pause_below_the_yield_silence_is_no_yield():
    found = moment([[2.0, 4.0]], [[0.0, 2.5], [2.69, 3.4]])
    assert found.yield_sec == pytest.approx(1.4)
    assert found.talk_over_sec == pytest.approx(0.5 + 0.71)


def test_a_pause_that_the_hangover_bridges_ends_no_span():
    assert spans_of([(0.0, 1.0), (1.14, 2.0), (2.15, 3.0)]) == (Span(0.0, 2.0), Span(2.15, 3.0))


def test_a_silence_after_the_search_window_is_no_yield():
    found = moment([[2.0, 6.0]], [[0.0, 5.01]])
    assert (found.did_yield, found.yield_sec) == (False, None)
    assert found.talk_over_sec == pytest.approx(3.0)


def test_a_silence_far_from_the_caller_is_no_yield():
    assert moment([[2.0, 2.3]], [[0.0, 2.81]]).did_yield is False
    assert moment([[2.0, 2.3]], [[0.0, 2.79]]).did_yield is True


def test_an_answer_before_the_end_of_the_turn_has_no_gap():
    assert moment([[2.0, 4.0]], [[0.0, 2.6], [3.5, 6.0]]).gap_sec is None


def test_an_echo_scenario_has_a_label_and_no_truth():
    truth = truth_of(stated([], [[0.0, 6.0]], 0.3), False)
    assert truth.onset_sec is None
    assert truth.moments[0] == Moment("label", 0.3, 0.3, "hold")


def test_a_hand_label_is_a_truth_of_the_onset_alone():
    truth = truth_of(stated_in({"id": "x", "caller_onset_sec": 1.5}, "x"), True)
    assert truth.onset_sec == 1.5
    assert truth.moments[0].yield_sec is None
    assert truth.moments[0].did_yield is None


def test_a_block_of_events_is_taken_as_it_stands():
    block = {
        "caller_spans_sec": [[1.0, 2.0], [5.0, 6.0]],
        "agent_spans_sec": [[0.0, 1.5], [3.0, 4.0]],
        "events": [
            {"kind": "barge_in", "at_sec": 1.0, "expect": "yield", "yield_sec": 0.5, "talk_over_sec": 0.5},
            {"kind": "latency", "at_sec": 2.0, "gap_sec": 1.0},
            {"kind": "barge_in", "at_sec": 5.0, "expect": "yield", "yield_sec": None},
            {"kind": "barge_in", "at_sec": 5.5, "expect": "yield"},
        ],
    }
    truth = truth_of(stated_in({"id": "x", "truth": block}, "x"), True)
    barge_in, latency, never, unsaid = truth.moments
    assert (barge_in.onset_sec, barge_in.did_yield, barge_in.yield_sec) == (1.0, True, 0.5)
    assert (latency.onset_sec, latency.gap_sec) == (1.0, 1.0)  # measured from the sound before the silence
    assert (never.did_yield, never.yield_sec) == (False, None)
    assert (unsaid.did_yield, unsaid.yield_sec) == (None, None), "what is left out is no truth"
    assert truth.complete


@pytest.mark.parametrize(
    ("block", "field"),
    [
        ({"events": [{"kind": "barge_in", "at_sec": -1.0}]}, "events[0].at_sec"),
        ({"caller_spans_sec": [[1.0]]}, "caller_spans_sec[0]"),
        ({"events": [{"kind": "barge_in", "at_sec": 1.0, "expect": "maybe"}]}, "expect"),
    ],
)
def test_a_bad_truth_is_refused_by_file_and_field(block: dict[str, Any], field: str):
    with pytest.raises(Refusal) as refused:
        stated_in({"id": "x", "truth": block}, "sets/x.json")
    assert refused.value.code == "bad_scenario"
    assert "'x.json'" in refused.value.message
    assert field in refused.value.message


def test_joint_sound_and_silence_of_spans():
    caller, agent = [Span(1.0, 3.0)], [Span(0.0, 1.5), Span(2.5, 4.0)]
    assert joint_sec(caller, agent, 0.0, 9.0) == pytest.approx(1.0)
    assert joint_sec(caller, agent, 1.2, 2.6) == pytest.approx(0.4)
    assert longest_silence_sec([*caller, *agent], 0.0, 9.0) == pytest.approx(5.0)
    assert longest_silence_sec([Span(2.0, 3.0)], 0.0, 4.0) == pytest.approx(2.0)


SPANS = {"caller_spans_sec": [[2.0, 4.0]], "agent_spans_sec": [[0.5, 2.6], [4.5, 6.0]]}
RENDER = {"caller_segments_sec": [[2.0, 4.0]], "agent_segments_sec": [[0.5, 2.6]]}
EVENT = {"kind": "barge_in", "at_sec": 2.0, "expect": "yield", "yield_sec": 0.6, "talk_over_sec": 0.6}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"duration_sec": 0}, "$.duration_sec"),
        ({"caller_onset_sec": 8.5}, "$.caller_onset_sec"),
        ({"truth": {**SPANS, "caller_spans_sec": [[1.0, 1.5], [4.0, 2.0]]}}, "$.truth.caller_spans_sec[1]"),
        ({"truth": {**SPANS, "caller_spans_sec": [[2.0, 2.0]]}}, "$.truth.caller_spans_sec[0]"),
        ({"truth": {**SPANS, "agent_spans_sec": [[7.0, 9.0]]}}, "$.truth.agent_spans_sec[0]"),
        ({"truth": {"events": [EVENT, {**EVENT, "at_sec": 9.0}]}}, "$.truth.events[1].at_sec"),
        ({"truth": {"events": [{**EVENT, "yield_sec": 9999}]}}, "$.truth.events[0].yield_sec"),
        ({"truth": {"events": [{**EVENT, "talk_over_sec": 9.0}]}}, "$.truth.events[0].talk_over_sec"),
        (
            {"truth": {"events": [{"kind": "latency", "at_sec": 7.0, "gap_sec": 2.0}]}},
            "$.truth.events[0].gap_sec",
        ),
        (
            {"reference_render": {"caller_segments_sec": [[3, 2]], "agent_segments_sec": []}},
            "$.reference_render.caller_segments_sec[0]",
        ),
        (
            {"reference_render": {"caller_segments_sec": [], "agent_segments_sec": [[1, 80]]}},
            "$.reference_render.agent_segments_sec[0]",
        ),
        ({"truth": {**SPANS, "caler_spans_sec": []}}, "did you mean 'caller_spans_sec'? - `$.truth`"),
        ({"truth": {"events": [{**EVENT, "yeild_sec": 1.0}]}}, "'yeild_sec', did you mean 'yield_sec'?"),
        (
            {"truth": {"events": [{**EVENT, "kind": "bargein"}]}},
            "mean 'barge_in'? - `$.truth.events[0].kind`",
        ),
        ({"truth": {"events": [{**EVENT, "kind": "zzz"}]}}, "there are barge_in, backchannel,"),
        ({"truth": {**SPANS, "events": [{**EVENT, "at_sec": 5.0}]}}, "$.truth.events[0].at_sec"),
        ({"truth": {**SPANS, "events": [{**EVENT, "yield_sec": 0.2}]}}, "$.truth.events[0].yield_sec"),
        (
            {"truth": {**SPANS, "events": [{**EVENT, "talk_over_sec": 1.2}]}},
            "$.truth.events[0].talk_over_sec",
        ),
        (
            {"truth": {**SPANS, "events": [{"kind": "agent_over_caller", "at_sec": 3.5}]}},
            "$.truth.events[0].at_sec",
        ),
        (
            {"truth": {**SPANS, "events": [{"kind": "latency", "at_sec": 3.0, "gap_sec": 0.5}]}},
            "$.truth.events[0].at_sec",
        ),
        (
            {"truth": {**SPANS, "events": [{"kind": "latency", "at_sec": 4.0, "gap_sec": 1.5}]}},
            "$.truth.events[0].gap_sec",
        ),
        (
            {"truth": {**SPANS, "events": [{"kind": "resume", "at_sec": 4.5, "gap_sec": 2.6}]}},
            "$.truth.events[0].gap_sec",
        ),
    ],
)
def test_a_truth_that_cannot_be_true_is_refused_by_field(changes: dict[str, Any], said: str):
    possible = {
        "id": "x",
        "duration_sec": 8.0,
        "caller_onset_sec": 2.0,
        "truth": {**SPANS, "events": [EVENT]},
    }
    stated_in(possible, "x.json")
    with pytest.raises(Refusal) as refused:
        stated_in({**possible, **changes}, "x.json")
    assert refused.value.code == "bad_scenario"
    assert said in refused.value.message


@pytest.mark.parametrize(
    "event",
    [
        {**EVENT, "at_sec": 2.2, "yield_sec": 0.5, "talk_over_sec": 0.4},
        {"kind": "latency", "at_sec": 4.1, "gap_sec": 0.5},
        {"kind": "dead_air", "at_sec": 4.0, "gap_sec": 0.5},
        {"kind": "resume", "at_sec": 4.5, "gap_sec": 1.9},
    ],
)
def test_a_time_noted_by_ear_beside_its_span_contradicts_nothing(event: dict[str, Any]):
    assert stated_in({"id": "x", "duration_sec": 8.0, "truth": {**SPANS, "events": [event]}}, "x").truth


@pytest.mark.parametrize("length", [7.0, 80.0])
def test_a_length_that_is_not_the_recordings_is_refused(folder: Path, length: float):
    path = folder / "scenarios" / "rendered.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "duration_sec": length}))
    with pytest.raises(
        Refusal, match=rf"last {length:g} s, and its recording lasts 8.00 s - `\$.duration_sec`"
    ):
        run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio")


@pytest.mark.parametrize(
    ("changes", "echo"),
    [
        ({"truth": SPANS}, None),
        ({"truth": {**SPANS, "echo": False}}, False),
        ({"truth": SPANS, "condition_detail": {"echo_db": -12.0, "echo_lag_sec": 0.1}}, True),
        ({"truth": SPANS, "condition_detail": {"echo_db": None}}, False),
        ({"truth": SPANS, "condition_detail": {"snr_db": 12.0}}, None),
        ({"reference_render": RENDER}, False),
        ({"reference_render": {**RENDER, "echo": {"delay_sec": 0.1, "gain_db": -9}}}, True),
        ({}, None),
    ],
)
def test_an_echo_is_known_where_the_render_or_the_file_tells(changes: dict[str, Any], echo: bool | None):
    assert truth_of(stated_in({"id": "x", **changes}, "x"), True).echo is echo


def test_a_gap_that_ends_with_its_event_lies_before_it():
    event = {"kind": "resume", "at_sec": 7.0, "gap_sec": 2.0}
    assert stated_in({"id": "x", "duration_sec": 8.0, "truth": {"events": [event]}}, "x").truth


def test_without_a_stated_length_the_recording_bounds_the_truth(folder: Path):
    path = folder / "scenarios" / "rendered.json"
    stated = {**json.loads(path.read_text()), "truth": {"events": [{**EVENT, "yield_sec": 9.0}]}}
    del stated["duration_sec"]
    path.write_text(json.dumps(stated))
    with pytest.raises(
        Refusal, match=r"behind the end of the call \(8 s\) - `\$.truth.events\[0\].yield_sec`"
    ):
        run_benchmark(scenarios=folder / "scenarios", audio=folder / "audio")
