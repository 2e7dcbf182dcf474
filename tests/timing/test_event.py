"""One event on masks made by hand: yield, talk-over, turn end, response; and both ends of a recording."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hotato.timing import (
    Activity,
    EventTiming,
    FrameGrid,
    ScoreConfig,
    VADParams,
    detect_onset,
    measure_event,
)
from hotato.timing.energy import to_dbfs
from hotato.timing.event import find_response, find_turn_end, find_yield, talking_at
from hotato.timing.resume import measure_resume
from hotato.timing.spans import Run, mask_of

GRID = FrameGrid(16000, 320, 160)
CFG = ScoreConfig()


def mask(*spans: tuple[int, int], frames: int = 1000) -> np.ndarray:
    return mask_of([Run(first, stop) for first, stop in spans], frames)


def active(*spans: tuple[int, int], frames: int = 1000) -> Activity:
    frames_active = mask(*spans, frames=frames)
    dbfs = to_dbfs(np.where(frames_active, 0.1, 0.0))
    return Activity(
        GRID, dbfs, frames_active, frames_active, -60.0, -120.0, params=VADParams(hangover_sec=0.0)
    )


def event(caller: Activity, agent: Activity, onset: int, cfg: ScoreConfig = CFG) -> EventTiming:
    return measure_event(caller, agent, onset, cfg)


def test_an_agent_that_stops_for_the_caller_yields_and_the_talk_over_is_the_time_both_spoke() -> None:
    timing = event(active((240, 400)), active((100, 290), (450, 600)), 240)
    assert timing.agent_talking_at_onset
    assert (timing.did_yield, timing.yield_frame, timing.time_to_yield_sec) == (True, 290, 0.5)
    assert (timing.talk_over_sec, timing.search_stop_frame) == (0.5, 290)
    assert (timing.turn_end_frame, timing.response_frame) == (400, 450)
    assert (timing.response_gap_sec, timing.premature_start_sec) == (0.5, 0.0)
    assert timing.onset_sec == pytest.approx(2.4)


def test_an_agent_that_never_stops_is_measured_to_the_end_of_the_search() -> None:
    timing = event(active((200, 700)), active((0, 1000)), 200)
    assert (timing.did_yield, timing.time_to_yield_sec, timing.search_stop_frame) == (False, None, 500)
    assert timing.talk_over_sec == 3.0
    assert (timing.response_frame, timing.response_gap_sec, timing.premature_start_sec) == (None, None, None)


@pytest.mark.parametrize(("pause", "expected"), [(19, 300), (20, 250)])
def test_a_pause_is_a_yield_from_200_ms_on(pause: int, expected: int) -> None:
    agent = mask((0, 250), (250 + pause, 300))
    assert find_yield(mask((200, 400)), agent, 200, CFG, GRID) == expected


@pytest.mark.parametrize(
    ("caller", "expected"), [((200, 250), None), ((200, 251), 300), ((350, 400), 300), ((351, 400), None)]
)
def test_a_yield_needs_the_caller_within_half_a_second(caller: tuple[int, int], expected: int | None) -> None:
    assert find_yield(mask(caller), mask((0, 300)), 200, CFG, GRID) == expected


@pytest.mark.parametrize(("stop", "expected"), [(499, 499), (500, None)])
def test_a_yield_begins_inside_the_search_window(stop: int, expected: int | None) -> None:
    assert find_yield(mask((200, 600)), mask((0, stop)), 200, CFG, GRID) == expected


def test_a_silence_cut_short_by_the_end_of_the_recording_is_no_yield() -> None:
    assert find_yield(mask((200, 400), frames=319), mask((0, 300), frames=319), 200, CFG, GRID) is None
    assert find_yield(mask((200, 400), frames=320), mask((0, 300), frames=320), 200, CFG, GRID) == 300


def test_an_agent_already_quiet_has_its_silence_begin_at_the_onset() -> None:
    timing = event(active((200, 300)), active((0, 100)), 200)
    assert (timing.agent_talking_at_onset, timing.yield_frame, timing.talk_over_sec) == (False, 200, 0.0)


@pytest.mark.parametrize(("last", "talking"), [(190, False), (191, True), (201, True)])
def test_the_agent_talks_at_the_onset_if_active_in_the_tenth_of_a_second_before(
    last: int, talking: bool
) -> None:
    assert talking_at(mask((100, last)), 200, 10) is talking
    assert talking_at(mask((0, 1)), 0, 10) is True


def test_a_turn_ends_at_its_first_silence_of_200_ms() -> None:
    assert find_turn_end(mask((210, 300), (319, 400)), 200, 20) == 400
    assert find_turn_end(mask((210, 300), (320, 400)), 200, 20) == 300


def test_a_turn_has_no_end_when_nobody_spoke_or_the_recording_ends_first() -> None:
    assert find_turn_end(mask((0, 100)), 200, 20) is None
    assert find_turn_end(mask((210, 981)), 200, 20) is None
    assert find_turn_end(mask((210, 980)), 200, 20) == 980


def test_a_response_is_the_next_fresh_run() -> None:
    assert find_response(mask((100, 250), (300, 400)), 200) == 300
    assert find_response(mask((100, 250)), 200) is None
    assert find_response(mask((201, 250)), 200) == 201
    assert find_response(mask((200, 250)), 200) is None  # under way at the onset


@pytest.mark.parametrize(
    ("start", "premature", "lead"), [(395, False, 0.0), (394, True, 0.06), (350, True, 0.5)]
)
def test_an_answer_is_premature_beyond_50_ms_before_the_turn_end(
    start: int, premature: bool, lead: float
) -> None:
    timing = event(active((200, 400)), active((100, 250), (start, 600)), 200)
    assert (timing.premature, timing.premature_start_sec) == (premature, lead)
    assert timing.response_gap_sec == (None if premature else 0.0)


def test_an_onset_outside_the_recording_is_moved_inside() -> None:
    assert event(active((200, 300)), active((0, 1000)), 5000).onset_frame == 999
    assert event(active((200, 300)), active((0, 1000)), -3).onset_frame == 0


@pytest.mark.parametrize(("frames", "onset"), [(4, None), (5, 100)])
def test_an_onset_is_a_run_of_at_least_50_ms(frames: int, onset: int | None) -> None:
    assert detect_onset(active((100, 100 + frames)), CFG) == onset
    assert detect_onset(active(), CFG) is None


@settings(max_examples=80, deadline=None)
@given(
    caller=hnp.arrays(np.bool_, 120, elements=st.booleans()),
    agent=hnp.arrays(np.bool_, 120, elements=st.booleans()),
    onset=st.integers(0, 119),
)
def test_a_frame_by_frame_walk_finds_the_same_event(
    caller: np.ndarray, agent: np.ndarray, onset: int
) -> None:
    cfg = ScoreConfig(
        yield_hangover_sec=0.03, max_search_sec=0.4, caller_proximity_sec=0.05, turn_end_silence_sec=0.03
    )

    def quiet_from(track: np.ndarray, k: int, count: int) -> bool:
        return k + count <= len(track) and not track[k : k + count].any()

    def yields(k: int) -> bool:
        fresh = k == onset or agent[k - 1]
        return fresh and quiet_from(agent, k, 3) and bool(caller[max(0, k - 5) : k + 6].any())

    expected = next((k for k in range(onset, min(120, onset + 40)) if yields(k)), None)
    assert find_yield(caller, agent, onset, cfg, GRID) == expected
    spoken = next((k for k in range(onset, 120) if caller[k]), None)
    end = None if spoken is None else next((k for k in range(spoken, 120) if quiet_from(caller, k, 3)), None)
    assert find_turn_end(caller, onset, 3) == end
    fresh = next((k for k in range(onset + 1, 120) if agent[k] and not agent[k - 1]), None)
    assert find_response(agent, onset) == fresh


def test_an_agent_that_starts_again_within_four_seconds_has_resumed() -> None:
    resume = measure_resume(active((0, 300), (500, 650)), 300)
    assert (resume.resumed, resume.gap_sec, resume.restart_suspected) == (True, 2.0, False)
    late = measure_resume(active((0, 300), (701, 950)), 300)
    assert (late.resumed, late.gap_sec, late.restart_suspected) == (False, None, False)


@pytest.mark.parametrize(("frames", "suspected"), [(199, False), (200, True)])
def test_a_long_run_after_the_resume_looks_like_starting_over(frames: int, suspected: bool) -> None:
    resume = measure_resume(active((0, 300), (400, 420), (500, 500 + frames)), 300)
    assert (resume.gap_sec, resume.restart_suspected) == (1.0, suspected)
