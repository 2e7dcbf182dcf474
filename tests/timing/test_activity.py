"""The documented detector's rules on levels made by hand: floor, threshold, gate, cap, hangover."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hotato.timing import FrameGrid, VADParams, energy_vad
from hotato.timing.activity import with_hangover
from hotato.timing.spans import Run, Span, first_run, iter_runs, mask_of, merge, runs

GRID = FrameGrid(16000, 320, 160)


def levels(*pieces: tuple[int, float]) -> np.ndarray:
    return np.concatenate([np.full(count, dbfs) for count, dbfs in pieces])


def test_the_threshold_stands_above_the_noise_floor() -> None:
    activity = energy_vad(levels((50, -50.0), (50, -10.0)), GRID)
    assert (activity.noise_floor_db, activity.threshold_db) == (-50.0, -35.0)
    assert activity.raw.tolist() == [False] * 50 + [True] * 50


def test_the_floor_is_the_element_at_the_rank_of_the_percentile() -> None:
    shuffled = np.random.default_rng(0).permutation(np.linspace(-70.0, -20.0, 101))
    assert energy_vad(shuffled, GRID).noise_floor_db == pytest.approx(-65.0)
    assert energy_vad(np.array([-40.0, -30.0, -20.0]), GRID).noise_floor_db == -40.0  # int(0.1 * 2) = 0


def test_nothing_below_the_gate_is_active_however_quiet_the_floor() -> None:
    activity = energy_vad(levels((50, -120.0), (10, -60.01), (10, -60.0)), GRID)
    assert activity.threshold_db == -60.0
    assert np.flatnonzero(activity.raw).tolist() == list(range(60, 70))


def test_a_channel_that_is_rarely_silent_has_its_threshold_capped_below_its_loudest_frame() -> None:
    activity = energy_vad(
        levels((100, -20.0), (5, -10.0)), GRID
    )  # the floor lies inside the speech: -20 + 15
    assert activity.threshold_db == -32.0  # -10 - 22
    assert activity.raw.all()


def test_the_cap_does_not_rescue_a_channel_whose_loudest_frame_is_near_the_gate() -> None:
    activity = energy_vad(levels((100, -50.0), (5, -40.0)), GRID)  # the cap, -62, lies under the gate
    assert activity.threshold_db == -35.0
    assert not activity.active.any()


def test_activity_goes_on_for_the_hangover_and_a_gap_inside_it_is_bridged() -> None:
    activity = energy_vad(levels((30, -90.0), (10, -20.0), (15, -90.0), (10, -20.0), (40, -90.0)), GRID)
    assert activity.runs == [Run(30, 80)]  # 65 + 15 frames
    assert activity.trimmed_runs == [Run(30, 65)]
    assert activity.trimmed.sum() == 35
    assert activity.active_sec == pytest.approx(0.5)
    apart = energy_vad(levels((30, -90.0), (10, -20.0), (16, -90.0), (10, -20.0), (40, -90.0)), GRID)
    assert apart.runs == [Run(30, 55), Run(56, 81)]
    assert apart.trimmed_runs == [Run(30, 40), Run(56, 66)]


def test_without_a_hangover_the_frames_stand_as_they_are() -> None:
    dbfs = levels((30, -90.0), (10, -20.0), (30, -90.0))
    activity = energy_vad(dbfs, GRID, VADParams(hangover_sec=0.0))
    assert activity.active.tolist() == activity.raw.tolist()


def test_silence_and_an_empty_recording_are_never_active() -> None:
    assert not energy_vad(np.full(100, -120.0), GRID).active.any()
    empty = energy_vad(np.zeros(0), GRID)
    assert (empty.frames, empty.runs, empty.trimmed_runs, empty.threshold_db) == (0, [], [], -60.0)


def test_an_activity_grows_by_quiet_frames_and_never_shrinks() -> None:
    activity = energy_vad(levels((20, -90.0), (10, -20.0)), GRID)
    longer = activity.extended(50)
    assert longer.frames == 50
    assert longer.active[:30].tolist() == activity.active.tolist()
    assert not longer.active[30:].any()
    assert activity.extended(10) is activity


@settings(max_examples=60, deadline=None)
@given(mask=hnp.arrays(np.bool_, st.integers(0, 60)), frames=st.integers(0, 20))
def test_a_hangover_is_active_exactly_where_a_raw_frame_is_close_behind(
    mask: np.ndarray, frames: int
) -> None:
    expected = [bool(mask[max(0, k - frames) : k + 1].any()) for k in range(len(mask))]
    assert with_hangover(mask, frames).tolist() == expected


@settings(max_examples=60, deadline=None)
@given(mask=hnp.arrays(np.bool_, st.integers(0, 60)))
def test_runs_cover_the_mask_and_never_touch(mask: np.ndarray) -> None:
    found = runs(mask)
    assert mask_of(found, len(mask)).tolist() == mask.tolist()
    assert all(run.frames > 0 for run in found)
    assert all(one.stop < other.first for one, other in itertools.pairwise(found))


@settings(max_examples=60, deadline=None)
@given(mask=hnp.arrays(np.bool_, st.integers(0, 60)), gap=st.integers(0, 8))
def test_merging_closes_short_gaps_only(mask: np.ndarray, gap: int) -> None:
    merged = merge(runs(mask), gap)
    covered = mask_of(merged, len(mask))
    assert not (mask & ~covered).any()
    assert all(other.first - one.stop > gap for one, other in itertools.pairwise(merged))
    assert all(run.frames <= gap for run in runs(covered & ~mask))


@settings(max_examples=60, deadline=None)
@given(mask=hnp.arrays(np.bool_, st.integers(0, 60)), start=st.integers(0, 60), least=st.integers(1, 6))
def test_the_first_run_is_the_first_of_those_long_enough(mask: np.ndarray, start: int, least: int) -> None:
    wanted = [run for run in iter_runs(mask, start) if run.frames >= least]
    assert first_run(mask, min_frames=least, start=start) == (wanted[0] if wanted else None)
    if wanted:
        assert first_run(mask, min_frames=least, start=start, stop=wanted[0].first) is None
        assert mask[wanted[0].first : wanted[0].stop].all()


def test_a_run_under_way_counts_from_where_one_looks() -> None:
    mask = mask_of([Run(5, 20)], 30)
    assert first_run(mask, min_frames=5, start=10) == Run(10, 20)
    assert first_run(mask, min_frames=11, start=10) is None


def test_spans_intersect_half_open() -> None:
    assert Span(0.0, 1.0) & Span(0.5, 2.0) == Span(0.5, 1.0)
    assert Span(0.0, 1.0) & Span(1.0, 2.0) is None
    assert Run(3, 7).span(0.01) == Span(0.03, 0.07)
    assert Span(0.25, 1.0).duration_sec == 0.75
