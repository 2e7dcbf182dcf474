"""A call costs what happens in it: twice the events, twice the work; rivals are found as they are defined."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hotato
from hotato.find import Candidate, GradeParams, ScanParams, autopsy
from hotato.find.dominance import standing
from hotato.find.grade import Grade, Grader
from hotato.timing import Measured, Span

PACKAGE = str(Path(hotato.__file__).parent)


def lines_run(job: Callable[[], object]) -> int:
    """How many lines of the package run, each turn of a loop counted."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        job()
    finally:
        sys.settrace(before)
    return count


def every(period: float, first: float, length: float, seconds: float) -> list[tuple[float, float]]:
    """Sounds of `length` seconds, one each `period` from `first` on."""
    count = int((seconds - first - length) / period)
    return [(round(first + n * period, 3), round(first + n * period + length, 3)) for n in range(count)]


WORST = {
    "alternating": (0.4, (0.5, 0.2), (0.7, 0.2)),
    "overlapping": (0.8, (0.5, 0.4), (0.7, 0.4)),
    "nearly always both": (0.8, (0.5, 0.4), (0.7, 0.6)),
    "three a second": (0.6, (0.5, 0.3), (0.6, 0.2)),
    "clicks": (0.8, (0.5, 0.03), (0.9, 0.03)),
}


@pytest.mark.parametrize("kind", WORST)
def test_twice_the_events_are_twice_the_work(render, kind: str) -> None:
    period, caller, agent = WORST[kind]
    work = []
    for seconds in (40.0, 80.0, 160.0):
        spans = every(period, *caller, seconds), every(period, *agent, seconds)
        heard = render(*spans, seconds, detector="reference")
        work.append(lines_run(lambda heard=heard: autopsy(heard, params=ScanParams(min_gap_sec=0.0))))
    assert work[2] - work[1] <= 2.2 * (work[1] - work[0])


def test_a_long_turn_with_many_interruptions_is_twice_the_work_too(render) -> None:
    work = []
    for seconds in (60.0, 120.0, 240.0):
        heard = render([(0.5, seconds - 0.5)], every(1.6, 0.7, 0.5, seconds), seconds)
        work.append(lines_run(lambda heard=heard: autopsy(heard)))
    assert work[2] - work[1] <= 2.2 * (work[1] - work[0])


def overlap(t_sec: float, length: float, stretch: float) -> Grade:
    candidate = Candidate(
        kind="agent_start_during_caller",
        t_sec=t_sec,
        span=Span(t_sec, t_sec + length),
        durations={"overlap_sec": length},
        measured={"overlap_sec": Measured(length, length, length, length)},
        salience=length,
        evidence={"caller_turn_start_sec": 0.0, "agent_start_sec": stretch},
    )
    grade = Grader(ScanParams(), GradeParams()).grade(candidate)
    assert grade is not None
    return grade


tenths = st.integers(0, 100).map(lambda n: n / 10)
lengths = st.integers(2, 30).map(lambda n: n / 10)


@given(st.lists(st.builds(overlap, tenths, lengths, tenths), max_size=25))
def test_a_grade_stands_where_none_before_it_is_the_same_moment(grades: list[Grade]) -> None:
    def same(one: Candidate, other: Candidate) -> bool:
        return (
            one.evidence["agent_start_sec"] == other.evidence["agent_start_sec"]
            or one.span.start_sec <= other.t_sec < one.span.end_sec
            or other.span.start_sec <= one.t_sec < other.span.end_sec
        )

    kept: list[Candidate] = []
    for grade in sorted(grades, key=lambda g: (not g.critical, -g.candidate.salience, g.candidate.t_sec)):
        if not any(same(one, grade.candidate) for one in kept):
            kept.append(grade.candidate)
    assert [found.grade.candidate for found in standing(grades, ScanParams())] == kept
