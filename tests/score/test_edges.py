"""Known edges in, the documented formulas and honest intervals out."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.timing import (
    EnergyMeter,
    FrameGrid,
    ScoreConfig,
    detect_onset,
    energy_vad,
    measure_event,
)
from hotato.timing.event_edges import event_edges

RATE = 16_000
HOP, WINDOW, HANGOVER = 160, 320, 15
SAMPLES = 6 * RATE
CFG = ScoreConfig()


def activities(caller, agent, samples=SAMPLES):
    """Activity of both channels; every sample of a stretch has the same magnitude."""
    signs = np.random.default_rng(7).choice([-9830, 9830], size=(samples, 2))
    data = np.zeros((samples, 2), dtype=np.int16)
    for column, stretches in enumerate((caller, agent)):
        for first, stop in stretches:
            data[first:stop, column] = signs[first:stop, column]
    grid = FrameGrid.from_ms(RATE)
    meter = EnergyMeter(grid, 2, 32768)
    meter.feed(data)
    return tuple(energy_vad(levels.dbfs, grid) for levels in meter.finish())


def first_frame(sample):
    """The first frame whose window holds the sample."""
    return max(0, (sample - WINDOW) // HOP + 1)


def stop_frame(sample):
    """One past the last frame that begins before the sample."""
    return -(-sample // HOP)


def samples_between(low_sec, high_sec):
    """Sample numbers between two times."""
    return st.integers(round(low_sec * RATE), round(high_sec * RATE))


@settings(max_examples=60, deadline=None)
@given(
    onset=samples_between(1.5, 2.0),
    stop=samples_between(2.1, 3.2),
    turn_end=samples_between(3.3, 3.8),
    answer=samples_between(4.1, 5.0),
)
def test_exact_edges_give_the_documented_values_and_lie_in_the_intervals(onset, stop, turn_end, answer):
    caller, agent = activities([(onset, turn_end)], [(1600, stop), (answer, SAMPLES)])
    frame = detect_onset(caller, CFG)
    timing = measure_event(caller, agent, frame, CFG)
    hop = HOP / RATE
    assert frame == first_frame(onset)
    assert timing.yield_frame == stop_frame(stop) + HANGOVER
    assert timing.time_to_yield_sec == round((stop_frame(stop) + HANGOVER - frame) * hop, 3)
    assert timing.talk_over_sec == timing.time_to_yield_sec
    assert timing.response_gap_sec == round((first_frame(answer) - stop_frame(turn_end) - HANGOVER) * hop, 3)
    true = {
        "onset": onset / RATE,
        "time_to_yield": (stop - onset) / RATE,
        "talk_over": (stop - onset) / RATE,
        "response_gap": (answer - turn_end) / RATE,
    }
    edges = event_edges(timing, caller, agent)
    for name, value in true.items():
        assert edges[name].lo_sec - 5e-4 <= value <= edges[name].hi_sec + 5e-4, name
        assert abs(edges[name].sec - value) <= WINDOW / RATE + 2 * hop + 5e-4, name
        assert edges[name].hi_sec - edges[name].lo_sec <= 0.06, name


@settings(max_examples=30, deadline=None)
@given(
    label=samples_between(1.8, 2.2),
    stop=samples_between(2.4, 3.2),
    gap=st.integers(4000, 6000),
)
def test_a_stated_onset_is_exact_and_two_overlaps_add_up(label, stop, gap):
    first_stop = label + 2000
    second = first_stop + gap
    caller, agent = activities([(1000, first_stop), (second, SAMPLES - 4000)], [(0, second + stop - label)])
    frame = caller.grid.frames_of(label / RATE)
    timing = measure_event(caller, agent, frame, CFG)
    edges = event_edges(timing, caller, agent, labelled_onset_sec=label / RATE)
    assert edges["onset"].lo_sec == edges["onset"].hi_sec == round(label / RATE, 3)
    talk_over = (first_stop - label + stop - label) / RATE
    if timing.did_yield:
        assert edges["talk_over"].lo_sec - 2e-3 <= talk_over <= edges["talk_over"].hi_sec + 2e-3


@settings(max_examples=40, deadline=None)
@given(hops=st.integers(1, 200), stop=samples_between(2.1, 3.2), turn_end=samples_between(3.3, 3.8))
def test_a_shift_by_whole_hops_moves_the_onset_and_no_duration(hops, stop, turn_end):
    def measured(shift):
        caller, agent = activities(
            [(shift + 2 * RATE, shift + turn_end)],
            [(shift + 1600, shift + stop), (shift + 5 * RATE, shift + SAMPLES)],
            SAMPLES + shift,
        )
        timing = measure_event(caller, agent, detect_onset(caller, CFG), CFG)
        return timing, event_edges(timing, caller, agent)

    (still, still_edges), (moved, moved_edges) = measured(0), measured(hops * HOP)
    assert moved.onset_frame == still.onset_frame + hops
    for name in ("time_to_yield_sec", "talk_over_sec", "response_gap_sec", "premature_start_sec"):
        assert getattr(moved, name) == getattr(still, name)
    for name in ("time_to_yield", "talk_over", "response_gap"):
        assert abs(moved_edges[name].lo_sec - still_edges[name].lo_sec) <= 2e-3
        assert abs(moved_edges[name].hi_sec - still_edges[name].hi_sec) <= 2e-3


def test_an_answer_that_only_the_hangover_makes_premature_has_a_gap_at_the_raw_edges():
    caller, agent = activities([(2 * RATE, 3 * RATE)], [(1600, 35_000), (3 * RATE + 480, 5 * RATE)])
    timing = measure_event(caller, agent, 200, CFG)
    edges = event_edges(timing, caller, agent, labelled_onset_sec=2.0)
    assert timing.premature_start_sec > 0 and timing.response_gap_sec is None
    assert edges["premature_start"].sec == 0.0
    assert edges["response_gap"].lo_sec <= 0.03 <= edges["response_gap"].hi_sec


@settings(max_examples=20, deadline=None)
@given(onset=samples_between(1.5, 2.5))
def test_talk_over_up_to_the_end_of_the_search_holds_its_length_wherever_the_onset_lies(onset):
    caller, agent = activities([(1600, SAMPLES)], [(1600, SAMPLES)])
    stated_sec = onset / RATE
    timing = measure_event(caller, agent, caller.grid.frames_of(stated_sec), CFG)
    assert not timing.did_yield
    talk_over = event_edges(timing, caller, agent, labelled_onset_sec=stated_sec)["talk_over"]
    assert talk_over.lo_sec <= CFG.max_search_sec <= talk_over.hi_sec
    assert talk_over.hi_sec - talk_over.lo_sec <= 2 * HOP / RATE + 1e-9
