"""What became of an event, and that the sides are treated alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.compare import MIRRORED, RESULTS, events_of, move_words, moved
from hotato.errors import Refusal


@pytest.fixture(scope="session")
def result(made):
    """The movement between two events written by hand."""

    def between(before, after):
        (old,), (new,) = events_of(made.envelope(before)), events_of(made.envelope(after))
        return moved(old, new)

    return between


def test_every_result_of_the_taxonomy_has_its_case(made, result):
    good, late = made.event("a"), made.event("a", to_yield=2.0, talk_over=2.0)
    never = made.event("a", to_yield=None, talk_over=3.0)
    cases = {
        "fixed": (late, good),
        "regressed": (good, late),
        "improved": (never, late),
        "worse": (late, never),
        "unchanged": (late, late),
        "still_pass": (good, good),
        "not_scorable": (good, made.unjudged("a")),
    }
    assert tuple(cases) == RESULTS
    assert {name: result(*sides).result for name, sides in cases.items()} == {name: name for name in cases}


def test_two_false_stops_are_unchanged_however_long_they_took(made, result):
    early, late = (made.event("a", expect="hold", to_yield=sec, talk_over=sec) for sec in (0.2, 1.9))
    assert result(early, late).result == "unchanged"
    assert result(early, made.event("a", expect="hold", to_yield=None)).result == "fixed"


def test_an_answer_is_compared_by_its_silence(made, result):
    def late(silence):
        label = {
            "expectation": "answer",
            "expected_yield": False,
            "signals": {"answer": {"silence_sec": silence}},
        }
        base = made.event("a", to_yield=None, talk_over=0.0) | label
        return base | {"verdict": base["verdict"] | {"passed": False}}

    assert result(late(4.0), late(3.0)).result == "improved"
    assert result(late(3.0), late(4.0)).result == "worse"
    assert result(late(4.0), late(4.01)).result == "unchanged"
    assert [move.name for move in result(late(4.0), late(3.0)).moves] == ["silence"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ((1.50, 1.45, 1.55), (1.52, 1.47, 1.57), ("same", True)),
        ((1.50, 1.45, 1.55), (1.80, 1.75, 1.85), ("worse", False)),
        ((1.80, 1.75, 1.85), (1.50, 1.45, 1.55), ("better", False)),
    ],
)
def test_a_move_counts_only_where_the_intervals_part(made, result, old, new, expected):
    sides = [
        made.event("a", to_yield=None, talk_over=round(sec[0] + 0.15, 2), edges=made.edges(talk_over=sec))
        for sec in (old, new)
    ]
    move = result(*sides).moves[0]
    assert (move.direction, move.intervals_overlap) == expected
    assert move.beyond_error is not expected[1]
    assert move.delta_sec == pytest.approx(new[0] - old[0], abs=1e-9)


def test_a_documented_move_against_the_energy_edges_is_no_move(made, result):
    before = made.event("a", to_yield=None, talk_over=1.0, edges=made.edges(talk_over=(0.9, 0.9, 0.9)))
    after = made.event("a", to_yield=None, talk_over=1.2, edges=made.edges(talk_over=(0.8, 0.8, 0.8)))
    movement = result(before, after)
    assert (movement.moves[0].direction, movement.result) == ("same", "unchanged")
    assert "no move beyond the measurement error" in move_words(movement.moves[0])


@pytest.mark.parametrize(
    ("hops", "direction"), [(0, "same"), (2, "same"), (3, "worse"), (-2, "same"), (-3, "better")]
)
def test_without_intervals_two_frames_are_the_error(made, result, hops, direction):
    before = made.event("a", to_yield=None, talk_over=2.0)
    after = made.event("a", to_yield=None, talk_over=round(2.0 + hops / 100, 2))
    assert result(before, after).moves[0].direction == direction


def test_other_bounds_and_the_same_samples_are_stated(made, result):
    first, again = made.event("a", samples="x"), made.event("a", samples="y")
    assert (result(first, again).same_samples, result(first, first).same_samples) == (False, True)
    assert result(first, made.event("a")).same_samples is None
    loose = again | {"expected": made.BOUNDS | {"max_talk_over_sec": 9.0}}
    assert (result(first, loose).bounds_differ, result(first, again).bounds_differ) == (True, False)


def test_a_caller_that_is_played_again_is_no_re_score(made, result):
    def pair(agent):
        sides = [
            made.provenance(name)["sides"][0] | {"role": role}
            for role, name in (("caller", "c"), ("agent", agent))
        ]
        return made.event("a", audio_provenance=made.provenance("both" + agent) | {"sides": sides})

    assert result(pair("x"), pair("y")).same_samples is False
    assert result(pair("x"), pair("x")).same_samples is True


def test_a_block_that_is_no_provenance_says_nothing(made, result):
    bad = made.event("a", audio_provenance={"sha256": "x", "sides": []})
    assert result(bad, bad).same_samples is None


def test_two_labels_are_not_compared(made, result):
    with pytest.raises(Refusal, match="labelled yield before and hold after") as refused:
        result(made.event("a"), made.event("a", expect="hold"))
    assert refused.value.code == "labels_differ"


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_swapping_before_and_after_mirrors_the_result(made, result, data):
    before, after = data.draw(made.events()), data.draw(made.events())
    after |= {"expected_yield": before["expected_yield"]}
    there, back = result(before, after), result(after, before)
    assert back.result == MIRRORED[there.result]
    turned = {"better": "worse", "worse": "better", "same": "same"}
    assert [turned[move.direction] for move in there.moves] == [move.direction for move in back.moves]
    assert back.did_yield == there.did_yield[::-1]
