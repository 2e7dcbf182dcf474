"""Placement of markers and ticks, and how times are said."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.find.records import Incident
from hotato.report.markers import place
from hotato.report.svg import Scale, time_ticks
from hotato.report.timefmt import clock, length, shown

NARROWEST_PX = 300
BADGE_PX = 22


@settings(max_examples=60, deadline=None)
@given(times=st.lists(st.floats(0, 600), min_size=1, max_size=40))
def test_no_two_numbers_cover_each_other_on_a_phone(
    make_incident: Callable[..., Incident], times: list[float]
) -> None:
    incidents = [make_incident(rank, t, t + 1) for rank, t in enumerate(times, 1)]
    lane = place(incidents, Scale(0.0, 600.0))
    assert {marker.rank for marker in lane.markers} == set(range(1, len(times) + 1))
    for a, b in combinations(lane.markers, 2):
        across = abs(a.x - b.x) / 100 * NARROWEST_PX
        assert across >= BADGE_PX - 0.1 or abs(a.y - b.y) >= BADGE_PX
    for marker in lane.markers:
        assert 0 <= marker.x <= 100
        assert marker.at == pytest.approx(marker.start_sec / 6, abs=1e-3)


def test_a_marker_with_room_stands_over_its_time(make_incident: Callable[..., Incident]) -> None:
    lane = place([make_incident(1, 10.0, 11.0), make_incident(2, 50.0, 51.0)], Scale(0.0, 100.0))
    assert [(m.x, m.at) for m in lane.markers] == [(10.0, 10.0), (50.0, 50.0)]
    assert lane.height == 26


@settings(max_examples=80, deadline=None)
@given(start=st.floats(0, 10_000), span=st.floats(0.01, 20_000))
def test_ticks_are_few_inside_and_evenly_spaced(start: float, span: float) -> None:
    ticks = time_ticks(Scale(start, start + span))
    assert len(ticks) <= 11
    assert all(0 <= tick.x < 97 for tick in ticks)
    gaps = [b.x - a.x for a, b in pairwise(ticks)]
    assert all(gap == pytest.approx(gaps[0], abs=0.01) for gap in gaps)


@pytest.mark.parametrize(
    ("sec", "digits", "said"),
    [
        (0.0, 1, "0:00.0"),
        (19.4, 1, "0:19.4"),
        (59.96, 1, "1:00.0"),
        (3599.99, 1, "1:00:00.0"),
        (3723.45, 2, "1:02:03.45"),
        (65.0, 0, "1:05"),
        (-1.0, 1, "0:00.0"),
    ],
)
def test_a_time_is_said_in_minutes_and_seconds(sec: float, digits: int, said: str) -> None:
    assert clock(sec, digits) == said


def test_a_long_talk_is_said_in_minutes() -> None:
    assert (length(7.04), length(1018.6), length(3600.0)) == ("7.0 s", "16:59 min", "1:00:00 h")


@given(text=st.text(max_size=400))
def test_shown_text_is_one_short_line_without_controls(text: str) -> None:
    import unicodedata

    said = shown(text, 60)
    assert not any(unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp", "Cs"} for char in said)
    said.encode()
    assert len(said) <= 60 * 10
