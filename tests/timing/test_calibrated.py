"""The calibrated profile on sample-exact edges: what it says is near the truth and knows no hangover."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.timing import (
    CALIBRATION,
    Activity,
    CalibratedTiming,
    Calibration,
    EnergyMeter,
    FrameGrid,
    ScoreConfig,
    VADParams,
    energy_vad,
    measure_calibrated,
    measure_event,
)
from hotato.timing.calibration import Sounds

RATE = 16_000
HOP_SEC = 0.01
SAMPLES = 8 * RATE
CFG = ScoreConfig()
GRID = FrameGrid.from_ms(RATE)

Stretches = list[tuple[float, float]]


def activities(caller: Stretches, agent: Stretches, **vad: float) -> tuple[Activity, Activity]:
    """Both channels; every sample of a stretch (in seconds) has the same magnitude."""
    signs = np.random.default_rng(11).choice([-9830, 9830], size=(SAMPLES, 2))
    data = np.zeros((SAMPLES, 2), dtype=np.int16)
    for column, stretches in enumerate((caller, agent)):
        for start, stop in stretches:
            part = slice(round(start * RATE), round(stop * RATE))
            data[part, column] = signs[part, column]
    meter = EnergyMeter(GRID, 2, 32768)
    meter.feed(data)
    one, other = (energy_vad(levels.dbfs, GRID, VADParams(**vad)) for levels in meter.finish())
    return one, other


def measured(caller: Stretches, agent: Stretches, onset_sec: float | None = None) -> CalibratedTiming:
    timing = measure_calibrated(*activities(caller, agent), onset_sec, CFG)
    assert timing is not None
    return timing


def seconds(low: float, high: float) -> st.SearchStrategy[float]:
    return st.integers(round(low * RATE), round(high * RATE)).map(lambda sample: sample / RATE)


@settings(max_examples=40, deadline=None)
@given(start=seconds(1.0, 2.0), length=seconds(0.2, 1.0))
def test_a_step_is_found_within_the_frame_that_holds_it(start: float, length: float) -> None:
    caller, _ = activities([(start, start + length)], [])
    sounds = Sounds(caller)
    (run,) = sounds.runs
    # The first raw frame is the first whose 20 ms hold the first sample, the last one begins before the end.
    assert -0.008 - 1e-9 < sounds.begin_sec(run) - start <= 0.002 + 1e-9
    # An end lies in the hop that the next frame does not cover, or in that of the next one if it is audible.
    assert -0.004 - 1e-9 <= sounds.stop_sec(run) - (start + length) < 0.006 + 1e-9
    for edge in (sounds.begin(run), sounds.stop(run)):
        assert edge.lo_sec <= edge.sec <= edge.hi_sec


@settings(max_examples=40, deadline=None)
@given(
    onset=seconds(1.5, 2.0),
    stop=seconds(2.1, 3.2),
    turn_end=seconds(3.4, 3.8),
    answer=seconds(4.1, 5.0),
    stated=st.booleans(),
)
def test_every_duration_is_that_of_the_truth_to_a_frame(
    onset: float, stop: float, turn_end: float, answer: float, stated: bool
) -> None:
    timing = measured([(onset, turn_end)], [(0.2, stop), (answer, 6.0)], onset if stated else None)
    assert timing.agent_talking_at_onset
    assert timing.time_to_yield_sec == pytest.approx(stop - onset, abs=0.0181)
    assert timing.talk_over_sec == pytest.approx(stop - onset, abs=0.0181)
    assert timing.response_gap_sec == pytest.approx(answer - turn_end, abs=0.0181)
    assert timing.premature_start_sec == 0.0
    assert timing.onset_sec == pytest.approx(onset, abs=0.0081)
    truth = {"time_to_yield": stop - onset, "response_gap": answer - turn_end, "onset": onset}
    for name, true_sec in truth.items():
        value = timing.edges[name]
        assert value.lo_sec <= value.sec <= value.hi_sec
        assert value.lo_sec - 5e-4 <= true_sec <= value.hi_sec + 5e-4


spans = st.lists(st.tuples(seconds(0.0, 6.5), seconds(0.02, 1.2)), max_size=6).map(
    lambda pairs: [(start, start + length) for start, length in pairs]
)


@settings(max_examples=60, deadline=None)
@given(
    caller=spans,
    agent=spans,
    onset=st.none() | seconds(0.0, 8.0),
    hangover_sec=st.sampled_from([0.0, 0.05, 0.15, 0.3, 0.6]),
)
def test_no_calibrated_value_depends_on_the_hangover(
    caller: Stretches, agent: Stretches, onset: float | None, hangover_sec: float
) -> None:
    plain = measure_calibrated(*activities(caller, agent), onset, CFG)
    other = measure_calibrated(*activities(caller, agent, hangover_sec=hangover_sec), onset, CFG)
    assert plain == other


@settings(max_examples=40, deadline=None)
@given(caller=spans, agent=spans, onset=seconds(0.0, 8.0))
def test_what_is_measured_is_consistent(caller: Stretches, agent: Stretches, onset: float) -> None:
    timing = measured(caller, agent, onset)
    assert 0.0 <= timing.talk_over_sec <= CFG.max_search_sec
    if timing.time_to_yield_sec is not None:
        assert 0.0 <= timing.time_to_yield_sec <= CFG.max_search_sec
        assert timing.talk_over_sec <= timing.time_to_yield_sec + 1e-9
    assert timing.did_yield == (timing.resume is not None)
    assert timing.premature == bool(timing.premature_start_sec)
    assert not (timing.premature and timing.response_gap_sec is not None)
    for value in timing.edges.values():
        assert 0.0 <= value.lo_sec <= value.sec <= value.hi_sec


@pytest.mark.parametrize(("pause_sec", "yields"), [(0.10, False), (0.17, False), (0.25, True)])
def test_a_pause_of_the_agent_is_a_yield_from_the_hold_time_on(pause_sec: float, yields: bool) -> None:
    caller, agent = [(2.0, 3.5)], [(0.2, 2.6), (2.6 + pause_sec, 5.5)]
    assert measured(caller, agent).did_yield is yields
    # With the hangover the same pause would have to be 0.15 s longer.
    documented = measure_event(*activities(caller, agent), round(2.0 / HOP_SEC), CFG)
    assert not documented.did_yield


def test_a_pause_shorter_than_the_bridge_belongs_to_the_talk_over() -> None:
    timing = measured([(2.0, 4.0)], [(0.2, 2.4), (2.5, 3.0)])
    assert timing.talk_over_sec == pytest.approx(1.0, abs=0.0181)
    longer = measured([(2.0, 4.0)], [(0.2, 2.4), (2.57, 3.0)])
    assert longer.talk_over_sec == pytest.approx(0.83, abs=0.03)


def test_an_early_answer_is_premature_and_has_no_gap() -> None:
    timing = measured([(2.0, 4.0)], [(0.2, 2.5), (3.7, 5.0)])
    assert timing.response_gap_sec is None
    assert timing.premature_start_sec == pytest.approx(0.3, abs=0.0181)


def test_an_agent_that_is_silent_at_the_onset_has_no_floor_and_yields_at_once() -> None:
    timing = measured([(2.0, 4.0)], [(0.2, 1.2)])
    assert not timing.agent_talking_at_onset
    assert (timing.time_to_yield_sec, timing.talk_over_sec) == (0.0, 0.0)


def test_the_agent_still_has_the_floor_in_a_pause_that_the_hangover_would_bridge() -> None:
    assert measured([(2.0, 4.0)], [(0.2, 1.8), (2.2, 3.0)]).agent_talking_at_onset


def test_the_end_of_the_recording_is_no_yield_unless_the_silence_before_it_is_long_enough() -> None:
    assert not measured([(6.0, 8.0)], [(0.2, 7.9)]).did_yield
    assert measured([(6.0, 8.0)], [(0.2, 7.75)]).did_yield


def test_a_sound_at_either_end_of_the_recording_is_not_moved_beyond_it() -> None:
    caller, _ = activities([(0.0, 8.0)], [])
    sounds = Sounds(caller)
    (run,) = sounds.runs
    assert (sounds.begin_sec(run), sounds.stop_sec(run)) == (0.0, 8.0)


def test_a_resume_is_counted_from_the_true_stop() -> None:
    timing = measured([(2.0, 3.0)], [(0.2, 2.5), (4.0, 7.0)])
    assert timing.resume is not None and timing.resume.resumed and timing.resume.restart_suspected
    assert timing.resume.gap_sec == pytest.approx(1.5, abs=0.0181)


def test_a_click_is_no_onset_and_silence_has_none() -> None:
    click = activities([(1.0, 1.001), (3.0, 4.0)], [(0.2, 5.0)])
    timing = measure_calibrated(*click, None, CFG)
    assert timing is not None and timing.onset_sec == pytest.approx(3.0, abs=0.0081)
    assert measure_calibrated(*activities([], [(0.2, 5.0)]), None, CFG) is None


def test_the_bias_is_that_of_the_detector_that_found_the_edge() -> None:
    caller, _ = activities([(2.0, 3.0)], [])
    robust = Sounds(replace(caller, detector="robust"))
    plain = Sounds(caller)
    moved_ms = 1000 * (robust.begin_sec(robust.runs[0]) - plain.begin_sec(plain.runs[0]))
    assert moved_ms == pytest.approx(CALIBRATION.robust_onset_ms - CALIBRATION.onset_ms)
    moved_ms = 1000 * (robust.stop_sec(robust.runs[0]) - plain.stop_sec(plain.runs[0]))
    assert moved_ms == pytest.approx(CALIBRATION.robust_offset_ms - CALIBRATION.offset_ms)


def test_without_a_bias_the_edges_are_the_raw_ones() -> None:
    caller, _ = activities([(2.0, 3.0)], [])
    none = Calibration(onset_ms=0.0, offset_ms=0.0, audible_ms=0.0)
    (run,) = Sounds(caller, none).runs
    assert Sounds(caller, none).begin_sec(run) == pytest.approx(run.first * HOP_SEC)
    assert Sounds(caller, none).stop_sec(run) == pytest.approx(run.stop * HOP_SEC)
