"""Which event of one run is which of the other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.compare import events_of, pair_runs
from hotato.errors import Refusal

NAMES = ["a", "b", "c", "d", "e"]


def paired(made, before, after):
    return pair_runs(events_of(made.envelope(*before)), events_of(made.envelope(*after)))


def test_events_pair_by_id_and_then_by_scenario(made):
    before = [made.event("a"), made.event("take-1", scenario_id="s"), made.event("x")]
    after = [made.event("take-2", scenario_id="s"), made.event("a"), made.event("y")]
    pairs = paired(made, before, after)
    assert [(pair.fixture, pair.by) for pair in pairs.paired] == [("a", "event_id"), ("s", "scenario_id")]
    assert [one.event_id for one in pairs.only_before] == ["x"]
    assert [one.event_id for one in pairs.only_after] == ["y"]


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [(["a", "a"], ["a"], "repeated_event"), (["a"], ["b", "b"], "repeated_event")],
)
def test_an_id_that_stands_twice_is_refused(made, before, after, code):
    with pytest.raises(Refusal) as refused:
        paired(made, map(made.event, before), map(made.event, after))
    assert refused.value.code == code


def test_a_scenario_with_several_events_is_refused(made):
    before = [made.event(name, scenario_id="s") for name in ("a", "b")]
    with pytest.raises(Refusal, match="2 events before and 1 after") as refused:
        paired(made, before, [made.event("c", scenario_id="s")])
    assert refused.value.code == "ambiguous_pair"


def test_two_profiles_are_refused(made):
    with pytest.raises(Refusal, match="documented profile") as refused:
        paired(made, [made.event("a")], [made.event("a", profile="calibrated")])
    assert refused.value.code == "profiles_differ"


def drawn(data, made, names):
    found = [data.draw(made.events(name)) for name in names]
    return [one | {"expected_yield": True} for one in found]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_order_of_events_changes_nothing(made, data):
    names = [data.draw(st.lists(st.sampled_from(NAMES), unique=True)) for _ in range(2)]
    before, after = (drawn(data, made, side) for side in names)
    shuffled = [data.draw(st.permutations(side)) for side in (before, after)]
    assert paired(made, before, after) == paired(made, *shuffled)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_an_event_of_one_run_alone_changes_no_pair(made, data):
    before, after = (drawn(data, made, NAMES[:3]) for _ in range(2))
    alone = data.draw(made.events("alone"))
    pairs = paired(made, before, after).paired
    assert paired(made, [*before, alone], after).paired == pairs
    assert paired(made, before, [alone, *after]).paired == pairs
