"""Turns, floor transfers and shares on calls made by hand."""

from __future__ import annotations

import numpy as np

from hotato.timing import Activity, FloorTransfer, FrameGrid, Span, Turn, measure_floor
from hotato.timing.activity import with_hangover
from hotato.timing.energy import to_dbfs
from hotato.timing.floor import FloorParams
from hotato.timing.spans import Run, mask_of

GRID = FrameGrid(16000, 320, 160)


def party(*spans: tuple[float, float], frames: int = 3000) -> Activity:
    raw = mask_of([Run(round(a * 100), round(b * 100)) for a, b in spans], frames)
    return Activity(GRID, to_dbfs(np.where(raw, 0.1, 0.0)), raw, with_hangover(raw, 15), -60.0, -120.0)


def test_a_gap_is_positive_and_an_overlap_negative() -> None:
    floor = measure_floor(party((1.0, 3.0), (7.5, 9.0)), party((3.4, 8.0)))
    assert floor.transfers == (FloorTransfer("agent", 3.4, 0.4), FloorTransfer("caller", 7.5, -0.5))


def test_a_backchannel_inside_the_other_turn_takes_no_floor() -> None:
    floor = measure_floor(party((2.0, 2.4), (6.0, 7.0)), party((1.0, 5.0)))
    assert [turn.party for turn in floor.turns] == ["agent", "caller", "caller"]
    assert floor.transfers == (FloorTransfer("caller", 6.0, 1.0),)


def test_one_party_after_a_long_pause_of_its_own_makes_no_transfer() -> None:
    floor = measure_floor(party((1.0, 2.0), (4.0, 5.0)), party())
    assert floor.transfers == ()
    assert floor.caller.turns == 2


def test_a_pause_of_up_to_half_a_second_stays_inside_a_turn_and_hangover_adds_nothing() -> None:
    floor = measure_floor(party((1.0, 2.0), (2.5, 3.0), (3.51, 4.0)), party())
    assert floor.turns == (Turn("caller", 1.0, 3.0), Turn("caller", 3.51, 4.0))
    assert floor.turns[0].duration_sec == 2.0
    wide = measure_floor(
        party((1.0, 2.0), (2.5, 3.0), (3.51, 4.0)), party(), FloorParams(turn_pause_sec=0.51)
    )
    assert wide.turns == (Turn("caller", 1.0, 4.0),)


def test_shares_add_up_and_the_longest_monologue_is_a_turn() -> None:
    floor = measure_floor(party((0.0, 1.0), (10.0, 12.0)), party((2.0, 8.0), (20.0, 21.0)))
    assert (floor.caller.talk_sec, floor.agent.talk_sec) == (3.0, 7.0)
    assert (floor.caller.talk_share, floor.agent.talk_share) == (0.3, 0.7)
    assert floor.agent.longest_monologue == Span(2.0, 8.0)
    assert floor.caller.longest_monologue == Span(10.0, 12.0)


def test_of_two_equal_monologues_the_first_is_named() -> None:
    assert measure_floor(party((1.0, 2.0), (5.0, 6.0)), party()).caller.longest_monologue == Span(1.0, 2.0)


def test_a_silent_call_has_no_turns_and_no_shares() -> None:
    floor = measure_floor(party(), party())
    assert (floor.turns, floor.transfers) == ((), ())
    assert (floor.caller.talk_share, floor.agent.talk_share) == (None, None)
    assert floor.caller.longest_monologue is None


def test_the_order_of_the_parties_does_not_depend_on_who_is_asked_first() -> None:
    caller, agent = party((1.0, 2.0), (6.0, 7.0)), party((2.3, 5.0))
    one, other = measure_floor(caller, agent), measure_floor(agent, caller)
    assert [t.offset_sec for t in one.transfers] == [t.offset_sec for t in other.transfers] == [0.3, 1.0]
