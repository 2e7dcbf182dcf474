"""The whole-call walk: documented figures on real calls, exact ones on rendered calls."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotato.canonical import to_json
from hotato.find import ScanParams, scan, scan_json
from hotato.find.records import Candidate
from hotato.listen import Heard, attend, hear
from hotato.stacks import ChannelMap, channel_map

DOCUMENTED = {
    "overlap_while_agent_talking",
    "agent_start_during_caller",
    "long_response_gap",
    "agent_stop_no_caller",
    "echo_correlated_activity",
}
HANGOVER = 0.15
FRAME = 0.0101


def only(heard: Heard, kind: str) -> list[Candidate]:
    return [candidate for candidate in scan(heard) if candidate.kind == kind]


def one(heard: Heard, kind: str) -> Candidate:
    found = only(heard, kind)
    assert len(found) == 1, [(c.t_sec, c.kind, c.durations) for c in scan(heard)]
    return found[0]


def test_every_documented_candidate_of_the_real_calls_is_found_with_its_figures(shared_data: Path) -> None:
    clips = json.loads((shared_data / "expected-1.18.json").read_text())["clips"]
    assert len(clips) == 13
    for name, figures in clips.items():
        heard = attend(hear(shared_data / name), channel_map())
        end = heard.duration_sec
        ours = [
            (c.t_sec, c.kind, _comparable(c.durations), c.agent_reaction)
            for c in scan(heard)
            if c.kind in DOCUMENTED
        ]
        theirs = [
            (c["t_sec"], c["kind"], _comparable(c["durations"]), c["agent_reaction"])
            for c in figures["scan"]
            # The documented silence after the agent's last word is the end of the file, not dead air.
            if not (c["kind"] == "agent_stop_no_caller" and _reaches(c, end))
        ]
        assert sorted(ours, key=str) == sorted(theirs, key=str), name


def _comparable(durations: dict[str, float | None]) -> dict[str, float | None]:
    return {name: value for name, value in durations.items() if name != "trailing_silence_sec"}


def _reaches(candidate: dict[str, object], end_sec: float) -> bool:
    durations = candidate["durations"]
    assert isinstance(durations, dict) and isinstance(candidate["t_sec"], float)
    return abs(candidate["t_sec"] + durations["trailing_silence_sec"] - end_sec) < FRAME


def test_a_barge_in_is_measured_from_the_caller_to_the_agents_quiet(render) -> None:
    found = one(render([(2.0, 4.5)], [(0.5, 3.2)], 6.0), "overlap_while_agent_talking")
    # A window that begins one hop before a sound still holds half of it, hence one frame at either end.
    assert found.t_sec == pytest.approx(2.0, abs=FRAME)
    assert found.durations["overlap_sec"] == pytest.approx(1.2 + HANGOVER, abs=2 * FRAME)
    assert found.agent_reaction is not None and found.agent_reaction["went_silent_within_search"] is True
    measured = found.measured["overlap_sec"]
    assert measured.lo_sec <= 1.2 <= measured.hi_sec
    assert measured.documented_sec == found.durations["overlap_sec"]
    assert measured.hi_sec - measured.lo_sec < 0.08


def test_a_first_sound_just_after_the_agent_ended_overlaps_nothing(render) -> None:
    found = one(render([(1.0, 2.5)], [(0.2, 0.8), (3.0, 6.0)], 8.0), "overlap_while_agent_talking")
    measured = found.measured["overlap_sec"]
    assert (measured.sec, measured.lo_sec, measured.hi_sec) == (0.0, 0.0, 0.0)


def test_a_caller_who_waits_for_the_agent_is_no_barge_in(render) -> None:
    assert not only(render([(3.0, 4.0)], [(0.5, 2.0)], 6.0), "overlap_while_agent_talking")


def test_an_agent_that_never_stops_is_said_to_have_not_gone_silent(render) -> None:
    found = one(render([(2.0, 2.5)], [(0.5, 8.0)], 9.0), "overlap_while_agent_talking")
    assert found.agent_reaction == {
        "went_silent_within_search": False,
        "after_sec": None,
        "search_window_sec": 3.0,
    }


def test_an_agent_that_starts_over_the_caller_is_found_with_how_long_the_caller_went_on(render) -> None:
    heard = render([(0.5, 4.0)], [(3.0, 5.0)], 6.0)
    found = one(heard, "agent_start_during_caller")
    assert found.measured["overlap_sec"].lo_sec <= 1.0 <= found.measured["overlap_sec"].hi_sec
    assert found.durations["caller_kept_talking_sec"] == pytest.approx(1.0 + HANGOVER, abs=2 * FRAME)


@pytest.mark.parametrize(
    ("caller", "ended_by"),
    [([(1.0, 2.0)], "agent"), ([(1.0, 2.0), (5.0, 5.5)], "caller")],
)
def test_a_response_gap_ends_when_either_party_makes_a_sound(render, caller, ended_by) -> None:
    found = one(
        render(caller, [(6.0, 7.0)] if ended_by == "caller" else [(5.0, 6.0)], 8.0), "long_response_gap"
    )
    assert found.evidence["ended_by"] == ended_by
    assert found.measured["gap_sec"].lo_sec <= 3.0 <= found.measured["gap_sec"].hi_sec
    assert found.durations["gap_sec"] == pytest.approx(3.0 - HANGOVER, abs=2 * FRAME)


def test_a_gap_shorter_than_the_least_is_none(render) -> None:
    heard = render([(1.0, 2.0)], [(3.5, 6.0)], 7.0)
    assert not only(heard, "long_response_gap")
    assert [c.kind for c in scan(heard, ScanParams(min_gap_sec=1.0))] == ["long_response_gap"]


def test_a_caller_whom_nobody_answers_before_the_end_is_a_gap_ended_by_the_recording(render) -> None:
    found = one(render([(1.0, 2.0)], [(0.2, 0.6)], 6.0), "long_response_gap")
    assert found.evidence["ended_by"] == "end_of_recording"
    assert found.agent_reaction == {"next_agent_onset_sec": None}


def test_an_agent_that_stops_by_itself_and_goes_on_is_found(render) -> None:
    found = one(render([(0.2, 0.5)], [(2.0, 3.0), (5.0, 6.0)], 7.0), "agent_stop_no_caller")
    assert (
        found.measured["trailing_silence_sec"].lo_sec <= 2.0 <= found.measured["trailing_silence_sec"].hi_sec
    )
    assert found.evidence["ended_by"] == "agent"


def test_the_silence_after_the_agents_last_word_is_no_candidate(render) -> None:
    assert not scan(render([(0.5, 1.0)], [(1.4, 2.4)], 9.0))


def test_an_agent_that_stops_for_a_caller_and_never_comes_back_leaves_the_turn_unanswered(render) -> None:
    heard = render([(2.0, 2.3)], [(0.5, 2.4)], 8.0)
    found = one(heard, "unanswered_turn")
    assert found.t_sec == pytest.approx(2.4 + HANGOVER, abs=2 * FRAME)
    assert found.evidence["ended_by"] == "end_of_recording"
    assert not only(render([(2.0, 2.3)], [(0.5, 2.4)], 4.0), "unanswered_turn"), "too little time is left"


def test_an_agent_that_takes_long_to_come_back_after_a_false_stop_leaves_a_gap(render) -> None:
    found = one(render([(2.0, 2.3)], [(0.5, 2.4), (6.4, 7.0)], 8.0), "long_response_gap")
    assert found.evidence["began_with"] == "agent" and found.evidence["ended_by"] == "agent"


def test_two_turns_that_begin_together_out_of_silence_are_a_dual_start(render) -> None:
    found = one(render([(0.2, 1.0), (3.0, 4.0)], [(1.3, 2.0), (3.1, 3.6)], 6.0), "dual_start")
    assert found.evidence["first"] == "caller"
    assert found.measured["lead_sec"].lo_sec <= 0.1 <= found.measured["lead_sec"].hi_sec
    assert found.measured["overlap_sec"].lo_sec <= 0.5 <= found.measured["overlap_sec"].hi_sec


@pytest.mark.parametrize("caller_start", [3.5, 3.3])
def test_starts_that_lie_apart_are_no_dual_start(render, caller_start) -> None:
    heard = render([(0.2, 1.0), (caller_start, 5.0)], [(1.3, 2.0), (3.0, 4.5)], 6.0)
    assert not only(heard, "dual_start")


def test_an_agent_that_pauses_between_two_words_makes_no_dual_start(render) -> None:
    heard = render([(0.2, 0.6), (3.05, 4.0)], [(1.3, 2.7), (3.0, 3.6)], 6.0)
    assert not only(heard, "dual_start")


def test_an_agent_that_resumes_over_a_pausing_caller_is_found_with_its_fragments(render) -> None:
    caller = [(2.0, 3.5), (3.9, 5.0)]
    agent = [(0.5, 2.4), (3.2, 3.5), (4.2, 4.4)]
    found = one(render(caller, agent, 7.0), "resume_into_caller")
    assert found.t_sec == pytest.approx(3.2, abs=FRAME)
    assert found.evidence["fragments"] == 2
    assert found.measured["overlap_sec"].lo_sec <= 0.5 <= found.measured["overlap_sec"].hi_sec


def test_an_agent_that_answers_after_the_interruption_does_not_resume_into_it(render) -> None:
    assert not only(render([(2.0, 3.5)], [(0.5, 2.4), (4.0, 6.0)], 7.0), "resume_into_caller")


def test_two_replies_to_one_turn_are_found(render) -> None:
    found = one(render([(0.5, 1.5)], [(2.0, 3.5), (5.0, 6.5)], 8.0), "double_reply")
    assert found.t_sec == pytest.approx(5.0, abs=FRAME)
    assert found.measured["gap_sec"].lo_sec <= 1.5 <= found.measured["gap_sec"].hi_sec


@pytest.mark.parametrize(
    ("caller", "agent"),
    [
        ([(0.5, 1.5), (4.0, 4.4)], [(2.0, 3.5), (5.0, 6.5)]),  # the caller spoke in between
        ([(0.5, 1.5)], [(2.0, 3.5), (3.9, 6.5)]),  # a pause inside one reply
        ([(0.5, 1.5)], [(1.0, 3.5), (5.0, 6.5)]),  # the first was no reply: it began over the caller
    ],
)
def test_what_only_resembles_two_replies_is_none(render, caller, agent) -> None:
    assert not only(render(caller, agent, 8.0), "double_reply")


def test_a_greeting_that_opens_over_the_callee_is_a_first_turn_overlap(render) -> None:
    found = one(render([(0.5, 1.5)], [(1.0, 3.0)], 4.0), "first_turn_overlap")
    assert found.evidence["first"] == "caller"
    assert found.measured["overlap_sec"].lo_sec <= 0.5 <= found.measured["overlap_sec"].hi_sec


@pytest.mark.parametrize(
    ("caller", "agent"),
    [
        ([(3.0, 4.0)], [(0.5, 3.5)]),  # an interruption late in the greeting
        ([(0.5, 1.0)], [(2.0, 3.5)]),  # no overlap
        ([(0.5, 1.0)], [(0.0, 3.5)]),  # the agent was talking before the recording began
    ],
)
def test_what_is_no_collision_of_first_turns(render, caller, agent) -> None:
    assert not only(render(caller, agent, 5.0), "first_turn_overlap")


def test_two_that_do_not_sound_together_when_the_second_begins_are_no_dual_start(render) -> None:
    heard = render([(1.55, 1.7), (2.0, 3.5)], [(1.74, 3.01)], 5.0)  # only the hangover reaches the agent
    assert not only(heard, "dual_start") and not only(heard, "first_turn_overlap")


def test_a_real_correction_is_no_dual_start(shared_data: Path) -> None:
    heard = attend(hear(shared_data / "vapi/vapi-default-07-correction.wav"), channel_map())
    assert not only(heard, "dual_start")


@pytest.mark.parametrize(("length", "click"), [(0.01, True), (0.03, True), (0.08, False)])
def test_a_sound_too_short_for_speech_is_doubted_as_a_click(render, length, click) -> None:
    heard = render([(2.0, 2.0 + length)], [(0.5, 4.0)], 6.0)
    found = one(heard, "overlap_while_agent_talking")
    assert ("click" in {reason.code for reason in found.doubts}) is click


def test_a_span_lies_at_the_raw_edges_whatever_the_hangover_adds(render) -> None:
    heard = render([(2.0, 4.5)], [(0.5, 3.2), (8.0, 9.0)], 10.0)
    for kind, start, end in (("overlap_while_agent_talking", 2.0, 3.2), ("long_response_gap", 4.5, 8.0)):
        span = one(heard, kind).span
        assert (span.start_sec, span.end_sec) == (
            pytest.approx(start, abs=0.011),
            pytest.approx(end, abs=0.011),
        )


def _random_call(data: st.DataObject) -> tuple[list[tuple[float, float]], list[tuple[float, float]], float]:
    """Spans of both parties. No sound begins within the longest echo lag: there the beginning cuts it."""
    sides = []
    for _ in range(2):
        cuts = data.draw(st.lists(st.integers(60, 900), min_size=2, max_size=10, unique=True).map(sorted))
        sides.append([(a / 100, b / 100) for a, b in zip(cuts[::2], cuts[1::2], strict=False)])
    return sides[0], sides[1], 10.0


QUICK = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(st.data())
def test_no_silence_holds_a_sound_and_no_two_share_a_frame(render, data) -> None:
    heard = render(*_random_call(data))
    sounding = heard.caller.activity.trimmed | heard.agent.activity.trimmed
    taken = sounding.copy()
    for found in scan(heard):
        if found.kind in ("long_response_gap", "agent_stop_no_caller", "unanswered_turn"):
            first, stop = (round(t * 100) for t in (found.span.start_sec, found.span.end_sec))
            assert not taken[first:stop].any(), found
            taken[first:stop] = True


@QUICK
@given(st.data())
def test_measured_values_lie_in_their_intervals_and_spans_in_the_call(render, data) -> None:
    heard = render(*_random_call(data))
    for found in scan(heard):
        assert 0 <= found.span.start_sec <= found.span.end_sec <= heard.duration_sec + FRAME
        for name, measured in found.measured.items():
            assert 0 <= measured.lo_sec <= measured.sec <= measured.hi_sec, (found.kind, name)


@QUICK
@given(st.data(), st.integers(1, 300))
def test_a_call_that_begins_later_has_the_same_moments_later(write_call, sound, data, hops) -> None:
    caller, agent, seconds = _random_call(data)
    tracks = [sound(caller, seconds), sound(agent, seconds, seed=2)]
    before = scan(attend(hear(write_call(*tracks)), channel_map()))
    late = [np.concatenate([np.zeros(hops * 80), track]) for track in tracks]  # 80 samples are one hop
    after = scan(attend(hear(write_call(*late)), channel_map()))
    assert [(c.kind, c.t_sec, c.durations) for c in before] == [
        (c.kind, round(c.t_sec - hops / 100, 3), c.durations) for c in after
    ]


@QUICK
@given(st.data())
def test_a_call_at_half_the_level_has_the_same_moments(render, data) -> None:
    call = _random_call(data)
    loud, quiet = (scan(render(*call, level=level)) for level in (0.5, 0.25))
    assert [(c.kind, c.t_sec, c.durations) for c in loud] == [(c.kind, c.t_sec, c.durations) for c in quiet]
    # 16 bits round the weaker one more coarsely, which moves what may hide at an edge by a few milliseconds.
    for before, after in zip(loud, quiet, strict=True):
        for name, measured in before.measured.items():
            assert after.measured[name].sec == measured.sec
            assert after.measured[name].lo_sec == pytest.approx(measured.lo_sec, abs=0.01)
            assert after.measured[name].hi_sec == pytest.approx(measured.hi_sec, abs=0.01)


@QUICK
@given(st.data())
def test_channels_that_change_places_with_their_numbers_change_nothing(render, data) -> None:
    call = _random_call(data)
    straight = scan(render(*call))
    crossed = scan(render(*call, channels=ChannelMap(1, 0, source="flags")))
    assert msgspec.to_builtins(straight) == msgspec.to_builtins(crossed)


def test_two_scans_give_the_same_bytes_with_the_documented_keys_first(render) -> None:
    heard = render([(2.0, 4.5)], [(0.5, 3.2)], 6.0)
    first, second = (to_json(scan_json(heard, scan(heard))) for _ in range(2))
    assert first == second
    record = json.loads(first)
    assert list(record)[:12] == [
        *("tool", "kind", "schema_version", "source", "sample_rate", "duration_sec", "hop_sec", "note"),
        *("config", "total_candidates", "candidates", "shown"),
    ]
    assert list(record["candidates"][0])[:4] == ["t_sec", "kind", "durations", "agent_reaction"]


def test_top_limits_what_is_shown_and_not_what_was_found(render) -> None:
    heard = render([(0.5, 4.0)], [(3.0, 5.0)], 6.0)
    candidates = scan(heard)
    record = scan_json(heard, candidates, top=1)
    assert (record["total_candidates"], record["shown"]) == (len(candidates), 1)
    assert len(candidates) > 1
