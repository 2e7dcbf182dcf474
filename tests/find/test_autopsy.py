"""Autopsy: which moments are incidents, how bad, and in which words."""

from __future__ import annotations

import json
import re
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotato.canonical import to_json
from hotato.find import CRITICAL, WARNING, Autopsy, autopsy, autopsy_json, stored_envelope
from hotato.find.wording import clock
from hotato.listen import hear, tell_apart
from hotato.stacks import ChannelMap, channel_map

WHERE = {"report_path": "out/a.html", "envelope_path": "out/a.json"}


def seen(opened: Autopsy) -> list[tuple[str, str]]:
    return [(incident.severity, incident.kind) for incident in opened.incidents]


@pytest.mark.parametrize(
    ("caller", "agent", "expected"),
    [
        # the agent talks over the caller for 1.5 s
        ([(3.0, 6.0)], [(0.5, 4.5), (6.6, 9.0)], [(CRITICAL, "BARGE-IN")]),
        # it gives way after 0.4 s, as it should
        ([(3.0, 6.0)], [(0.5, 3.4), (6.6, 9.0)], []),
        # a short sound that the agent rightly talks through, and one after which it ends much later
        ([(3.0, 3.35)], [(0.5, 9.0)], []),
        ([(3.0, 3.5)], [(0.5, 4.8), (5.5, 9.0)], []),
        # three of them, a second apart, are not one long overlap
        ([(3.0, 3.5), (4.4, 4.9), (5.8, 6.3)], [(0.5, 9.0)], []),
        # a short sound at which the agent stops, during it or just after it
        ([(3.0, 3.4)], [(0.5, 3.2), (5.0, 9.0)], [(WARNING, "BARGE-IN")]),
        ([(3.0, 3.4)], [(0.5, 3.6), (5.0, 9.0)], [(WARNING, "BARGE-IN")]),
        # a pause of 0.4 s in its own turn is no stop, wherever the sound falls
        ([(3.0, 3.4)], [(0.5, 3.2), (3.6, 9.0)], []),
        ([(3.25, 3.9)], [(0.5, 3.1), (3.5, 9.0)], []),
        # a sound of 0.9 s is longer than a backchannel and still no long overlap
        ([(3.0, 3.9)], [(0.5, 9.0)], []),
        ([(3.0, 4.2)], [(0.5, 9.0)], [(CRITICAL, "BARGE-IN")]),
        # an ordinary change of speaker
        ([(0.2, 0.4), (3.0, 4.0)], [(0.6, 1.5), (3.85, 5.0)], []),
        # the agent starts over the caller
        ([(0.5, 1.0), (3.0, 6.0)], [(1.3, 2.5), (5.5, 7.0)], [(WARNING, "TALK-OVER")]),
        ([(0.5, 1.0), (3.0, 6.5)], [(1.3, 2.5), (5.0, 7.0)], [(CRITICAL, "TALK-OVER")]),
        # silences after the caller
        ([(0.5, 1.5)], [(4.5, 6.0)], [(WARNING, "LATENCY SPIKE")]),
        ([(0.5, 1.5)], [(7.5, 9.0)], [(CRITICAL, "DEAD AIR")]),
        ([(0.5, 1.5), (4.2, 4.6)], [(5.0, 6.0)], [(WARNING, "LATENCY SPIKE")]),
        ([(0.5, 1.5), (5.2, 5.6)], [(6.0, 7.0)], [(WARNING, "UNANSWERED TURN")]),
        ([(0.5, 1.5), (7.2, 7.6)], [(8.0, 9.0)], [(CRITICAL, "UNANSWERED TURN")]),
        # the end of the recording is not dead air, however long the silence is
        ([(0.5, 1.5)], [(0.1, 0.3)], [(WARNING, "UNANSWERED TURN")]),
        ([(7.0, 7.8)], [(0.1, 6.5)], []),
        # the agent falls silent in its own turn
        ([(0.2, 0.5)], [(0.8, 2.0), (3.5, 5.0)], [(WARNING, "DOUBLE REPLY")]),
        ([(0.2, 0.5)], [(0.8, 2.0), (4.5, 5.0)], [(WARNING, "DEAD AIR")]),
        ([(0.2, 0.5)], [(0.8, 2.0), (7.5, 9.0)], [(CRITICAL, "DEAD AIR")]),
        ([(0.2, 0.5), (8.0, 8.5)], [(0.8, 2.0), (8.8, 9.5)], [(CRITICAL, "DEAD AIR")]),
        # a caller who thinks and then speaks at length, and one who answers at once
        ([(0.2, 0.5), (4.0, 7.0)], [(0.8, 2.0), (7.3, 9.0)], []),
        ([(0.2, 0.5), (7.3, 9.3)], [(0.8, 2.0), (9.5, 9.8)], [(WARNING, "DEAD AIR")]),
        # an agent that gives way to a sound and is not heard again
        ([(0.1, 0.3), (2.0, 2.3)], [(0.6, 2.4)], [(WARNING, "UNANSWERED TURN"), (WARNING, "BARGE-IN")]),
        # a call as it should be
        ([(0.5, 1.5), (4.0, 5.0)], [(2.0, 3.7), (5.4, 7.0)], []),
    ],
)
def test_moments_are_graded_by_what_was_measured(open_call, caller, agent, expected) -> None:
    assert seen(open_call(caller, agent, 10.0)) == expected


@pytest.mark.parametrize(
    ("caller", "agent", "expected"),
    [
        # both also are a barge-in or a talk-over
        ([(0.2, 0.8), (3.0, 3.8)], [(1.1, 2.0), (3.1, 4.4)], (WARNING, "DUAL START")),
        ([(0.2, 1.8), (4.0, 5.3)], [(2.1, 3.2), (4.1, 6.9)], (CRITICAL, "DUAL START")),
        ([(1.0, 1.6)], [(1.1, 3.0)], (WARNING, "FIRST-TURN OVERLAP")),
    ],
)
def test_one_moment_is_one_incident(open_call, caller, agent, expected) -> None:
    opened = open_call(caller, agent, 7.0)
    assert seen(opened) == [expected]
    assert any(label == "also" for label, _ in opened.incidents[0].facts)


def test_a_caller_who_begins_in_the_greeting_collides_with_it(open_call) -> None:
    assert seen(open_call([(1.4, 2.0)], [(1.0, 3.0)], 7.0)) == [(WARNING, "FIRST-TURN OVERLAP")]


@pytest.mark.parametrize(
    ("agent", "resumed", "said"),
    [
        ([(0.5, 3.2)], "never", "and did not come back"),
        ([(0.5, 3.2), (4.0, 4.8)], "after 0.80 s", "and spoke again after 0.80 s"),
        (
            [(0.5, 3.2), (4.0, 6.5)],
            "after 0.80 s, with a turn as long as a restart",
            "and spoke again after 0.80 s",
        ),
    ],
)
def test_a_stop_for_a_short_sound_says_how_long_the_sound_was_and_what_came_after(
    open_call, agent, resumed, said
) -> None:
    opened = open_call([(3.0, 3.4)], agent, 6.6)
    stop = next(i for i in opened.incidents if i.kind_key == "barge-in")
    assert (stop.title, stop.severity) == ("Agent stopped for a short sound", WARNING)
    facts = dict(stop.facts)
    assert _figure(facts["caller's sound"]) == pytest.approx(0.4, abs=0.021)
    assert (
        facts["resumed"].partition(" s")[2] == resumed.partition(" s")[2] and said.split()[1] in stop.sentence
    )
    if resumed != "never":
        assert _figure(facts["resumed"]) == pytest.approx(0.8, abs=0.021)
    assert "yielded" not in facts


def _figure(text: str) -> float:
    found = re.search(r"\d+\.\d+", text)
    assert found is not None, text
    return float(found[0])


def test_what_was_as_it_should_be_is_counted(open_call) -> None:
    caller = [(3.0, 5.0), (9.0, 9.4), (13.0, 13.4)]
    agent = [(0.5, 3.4), (5.5, 12.0)]
    fine = open_call(caller[:2], agent, 14.0)
    assert fine.sentence == (
        "No incident found. The agent gave way promptly once and talked through 1 short sound."
    )
    broken = open_call(caller, agent, 18.0)
    assert seen(broken) == [(WARNING, "UNANSWERED TURN")]
    assert broken.note.endswith("The agent gave way promptly once and talked through 1 short sound.")


def test_resuming_into_the_caller_is_told(open_call) -> None:
    opened = open_call([(2.0, 3.5), (3.9, 5.0)], [(0.5, 2.4), (3.2, 3.5), (4.2, 4.4)], 7.0)
    assert sorted(seen(opened)) == [(WARNING, "RESUME INTO CALLER")]
    resumed = next(i for i in opened.incidents if i.kind_key == "resume-into-caller")
    assert ("fragments", "2") in resumed.facts and "2 times" in resumed.sentence


def test_incidents_stand_worst_first_and_carry_their_place(open_call) -> None:
    opened = open_call([(0.3, 1.5), (5.0, 7.5)], [(1.8, 3.0), (4.2, 7.0), (13.0, 14.5)], 15.0)
    assert [i.rank for i in opened.incidents] == list(range(1, len(opened.incidents) + 1))
    assert [i.id for i in opened.incidents] == [f"{opened.id}#{i.rank}" for i in opened.incidents]
    severities = [i.severity for i in opened.incidents]
    assert severities == sorted(severities) and opened.critical == 2


def test_the_answer_tells_the_two_worst_in_the_order_of_the_call(open_call) -> None:
    opened = open_call([(0.3, 0.8), (5.0, 7.5)], [(1.0, 7.0), (13.5, 14.0)], 15.0)
    assert opened.sentence == (
        "At 0:04.99 the caller interrupted and the agent kept talking for 2.01 s. "
        "Then nobody spoke for 5.99 s before the agent answered."
    )
    assert opened.sentence.count(". ") == 1


def test_a_sound_call_says_so_and_a_silent_channel_says_what_was_not_judged(open_call) -> None:
    fine = open_call([(0.5, 1.5)], [(1.9, 4.0)], 5.0)
    assert (fine.sentence, fine.incidents) == ("No incident found.", ())
    mute = open_call([], [(1.9, 4.0)], 5.0)
    assert mute.sentence == "The caller's channel (0) holds no sound, so turn-taking could not be judged."
    assert mute.unjudged is not None and mute.unjudged.startswith(
        "the caller's channel (0) holds no sound; check"
    )
    assert fine.unjudged is None
    assert "not_scorable" in {finding.code for finding in mute.health}


def test_numbers_come_with_their_interval_and_the_documented_value(open_call) -> None:
    incident = open_call([(3.0, 6.0)], [(0.5, 4.5)], 7.0).incidents[0]
    headline = incident.headline
    assert headline is not None
    assert headline.lo_sec <= 1.5 <= headline.hi_sec
    assert headline.documented_sec == incident.measurements["overlap_sec"] == pytest.approx(1.65, abs=0.021)
    assert incident.bound_sec == 1.0 and not incident.boundary_sensitive
    facts = dict(incident.facts)
    assert facts["went quiet"].startswith("after 1.5") and "limit 1.00 s" in facts["went quiet"]
    assert facts["resumed"] == "never"
    assert "1.6" in facts["documented value"]


def test_a_number_that_only_the_hangover_lifts_over_the_limit_is_below_it(open_call) -> None:
    assert seen(open_call([(3.0, 6.0)], [(0.5, 3.92)], 7.0)) == []  # documented: 1.07 s
    silence = open_call([(0.5, 1.5)], [(6.58, 8.0)], 9.0).incidents[0]  # documented: 4.93 s
    assert (silence.kind, silence.severity, silence.boundary_sensitive) == ("DEAD AIR", CRITICAL, False)
    assert silence.measurements["gap_sec"] == pytest.approx(4.93, abs=0.021)


@pytest.mark.parametrize(
    ("caller", "agent"),
    [
        ([(3.0, 6.0)], [(0.5, 4.0)]),  # 1.00 s of overlap
        ([(0.5, 1.5)], [(6.5, 8.0)]),  # 5.00 s of silence after the caller
        ([(0.2, 0.5)], [(0.8, 1.5), (6.5, 8.0)]),  # and in the agent's own turn
    ],
)
def test_a_value_whose_interval_holds_the_limit_is_too_close_to_call(open_call, caller, agent) -> None:
    for early in (-0.01, 0.0, 0.01):
        shifted = [
            *agent[:-1],
            (agent[-1][0] + early * (len(agent) > 1 or agent[0][0] > 1), agent[-1][1] + early),
        ]
        incident = open_call(caller, shifted, 9.0).incidents[0]
        headline, bound = incident.headline, incident.bound_sec
        assert headline is not None and bound is not None and headline.crosses(bound)
        assert incident.severity == WARNING and incident.boundary_sensitive
        label, text = incident.facts[0]
        assert label == "limit" and text.startswith("too close to call: ")


def test_no_real_short_call_has_a_critical_backchannel(shared_data: Path) -> None:
    for name in ("vapi/vapi-default-03-backchannel-mhm.wav", "vapi/vapi-default-04-backchannel-halt.wav"):
        opened = autopsy(tell_apart(hear(shared_data / name), channel_map()))
        assert opened.critical == 0, name
    mhm = autopsy(tell_apart(hear(shared_data / "vapi/vapi-default-03-backchannel-mhm.wav"), channel_map()))
    assert mhm.sentence == "No incident found. 1 weak sound was not held against the agent (at 0:02.00)."


def test_a_caller_left_alone_at_the_end_is_unanswered_and_not_dead_air(shared_data: Path) -> None:
    opened = autopsy(tell_apart(hear(shared_data / "vapi/vapi-default-07-correction.wav"), channel_map()))
    assert (WARNING, "UNANSWERED TURN") in seen(opened)
    assert "DEAD AIR" not in {incident.kind for incident in opened.incidents}


def test_json_has_the_documented_keys_first_and_the_same_bytes_twice(open_call) -> None:
    opened = open_call([(3.0, 6.0)], [(0.5, 4.5)], 7.0)
    first, second = (to_json(autopsy_json(opened, **WHERE)) for _ in range(2))
    assert first == second
    record = json.loads(first)
    assert list(record)[:16] == [
        *(
            "tool",
            "kind",
            "schema_version",
            "id",
            "source",
            "source_path",
            "duration_sec",
            "channels",
            "mode",
        ),
        *("note", "total_incidents", "summary", "incidents", "cost", "report_path", "envelope_path"),
    ]
    assert list(record["incidents"][0])[:10] == [
        *("t_sec", "kind_key", "severity", "measurements", "detail", "plain_english", "scan_kind", "rank"),
        *("id", "kind"),
    ]
    assert record["cost"] is None and record["source_path"] == "call.wav"


def test_the_same_bytes_under_another_name_and_folder_give_the_same_incidents(
    write_call, sound, tmp_path
) -> None:
    path = write_call(sound([(3.0, 6.0)], 7.0), sound([(0.5, 4.5)], 7.0, seed=2))
    moved = tmp_path / "elsewhere" / "call.wav"
    moved.parent.mkdir()
    moved.write_bytes(path.read_bytes())
    records = [stored_envelope(autopsy(tell_apart(hear(p), channel_map()))) for p in (path, moved)]
    assert to_json(records[0]) == to_json(records[1])
    assert str(tmp_path) not in to_json(records[0])


def test_two_equal_channels_are_never_critical_and_say_why(write_call, sound) -> None:
    both = sound([(0.5, 4.0)], 5.0)
    opened = autopsy(tell_apart(hear(write_call(both, both)), channel_map()))
    assert opened.incidents == ()
    assert "not_scorable" in {finding.code for finding in opened.health}
    reason = "both channels carry the same samples, so caller and agent cannot be told apart"
    assert opened.unjudged is not None and opened.unjudged.startswith(f"{reason}; export")
    assert opened.sentence.startswith("Both channels carry the same samples, so")


def test_two_equal_channels_are_opened_like_one(write_call, sound) -> None:
    both = sound([(0.5, 1.5), (4.5, 6.0), (12.0, 13.0)], 14.0)
    twin = autopsy(tell_apart(hear(write_call(both, both)), channel_map()))
    single = autopsy(tell_apart(hear(write_call(both, name="one.wav")), channel_map()))
    assert (twin.mode, twin.channels, twin.floor, single.channels) == ("mono", 2, None, 1)
    assert [(i.kind, i.severity, i.span, i.headline) for i in twin.incidents] == [
        (i.kind, i.severity, i.span, i.headline) for i in single.incidents
    ]
    assert [i.kind for i in twin.incidents] == ["DEAD AIR", "LATENCY SPIKE"]
    assert twin.note.startswith("Both channels carry the same samples")
    assert twin.sentence.index("same samples") < twin.sentence.index("nobody spoke")


def test_a_silent_party_is_said_before_any_incident_and_makes_none_critical(open_call) -> None:
    opened = open_call([(0.5, 1.5), (8.0, 9.0)], [], 10.0)
    assert opened.sentence.startswith(
        "The agent's channel (1) holds no sound, so turn-taking could not be judged. At"
    )
    assert opened.incidents and opened.critical == 0


def test_times_and_lengths_add_up_to_the_hundredth(open_call) -> None:
    opened = open_call(
        [(0.3, 0.84), (5.0, 7.5), (16.03, 16.4)], [(1.0, 7.02), (13.52, 14.0), (17.1, 20.0)], 21.0
    )
    assert {i.kind_key for i in opened.incidents} >= {"barge-in", "dead-air"}
    for incident in opened.incidents:
        assert incident.headline is not None
        assert incident.span.start_sec + incident.headline.sec == pytest.approx(
            incident.span.end_sec, abs=1e-6
        )
        ended = dict(incident.facts).get("ended by")
        if ended is not None and "at" in ended:
            assert ended.endswith(f"at {clock(incident.span.end_sec, 2)}")
        assert f"{incident.headline.sec:.2f} s" in incident.sentence
    worst = opened.incidents[0]
    assert f"{worst.headline.sec:.2f} s" in opened.sentence


@pytest.mark.parametrize("rate", [8000, 11025, 22050, 44100])
def test_they_add_up_at_every_sample_rate(sound, tmp_path, rate) -> None:
    caller, agent = (
        sound([(0.3, 1.8), (5.0, 7.5)], 30.0),
        sound([(0.9, 1.0), (4.9, 7.02), (13.5, 14.0)], 30.0),
    )
    path = tmp_path / "rate.wav"
    samples = np.stack([np.repeat(c, -(-rate // 8000)) for c in (caller, agent)], axis=1)
    soundfile.write(path, samples, rate, subtype="PCM_16")
    opened = autopsy(tell_apart(hear(path), channel_map()))
    assert "dead-air" in {i.kind_key for i in opened.incidents}
    for incident in opened.incidents:
        start, end = (round(100 * sec) for sec in (incident.span.start_sec, incident.span.end_sec))
        assert incident.headline is not None
        assert start + round(100 * incident.headline.sec) == end
        assert f"{incident.headline.sec:.2f} s" in incident.sentence


def test_an_overlap_that_outlasts_the_search_is_said_to_be_at_least_that_long(open_call) -> None:
    opened = open_call([(2.0, 8.0)], [(0.5, 9.0)], 10.0)
    assert "kept talking for at least 3.0" in opened.sentence or "for at least 2.99 s" in opened.sentence
    assert "at least" not in open_call([(2.0, 4.0)], [(0.5, 9.0)], 10.0).sentence


def test_every_number_of_an_incident_is_in_its_json(open_call) -> None:
    record = json.loads(
        to_json(autopsy_json(open_call([(3.0, 6.0)], [(0.5, 4.5), (6.6, 7.0)], 7.0), **WHERE))
    )
    (incident,) = record["incidents"]
    assert set(incident["measured"]) >= {"turn_overlap_sec", "after_sec", "caller_turn_sec", "resume_gap_sec"}
    for magnitude in incident["measured"].values():
        assert magnitude["lo_sec"] <= magnitude["sec"] <= magnitude["hi_sec"]
    assert incident["agent_reaction"]["after_sec"] == pytest.approx(1.65, abs=0.021)
    assert record["unjudged"] is None


@pytest.mark.parametrize(
    ("caller", "agent", "bound"),
    [
        ([(0.5, 1.5)], [(0.1, 0.3)], 3.0),
        ([(0.5, 1.5), (5.2, 5.6)], [(6.0, 7.0)], 3.0),
        ([(0.2, 0.5)], [(0.8, 2.0), (3.5, 5.0)], 0.8),
    ],
)
def test_an_incident_that_has_a_limit_shows_it(open_call, caller, agent, bound) -> None:
    incident = open_call(caller, agent, 10.0).incidents[0]
    assert incident.kind in ("UNANSWERED TURN", "DOUBLE REPLY")
    assert incident.bound_sec == bound


def test_a_click_starts_nothing_and_ends_no_silence(write_call, sound) -> None:
    def opened(*clicks: float) -> Autopsy:
        caller, agent = sound([(1.0, 2.0)], 10.0), sound([(8.5, 9.5)], 10.0, seed=2)
        for at in clicks:
            caller[round(at * 8000) : round(at * 8000) + 80] = 0.2
        return autopsy(tell_apart(hear(write_call(caller, agent)), channel_map()))

    plain, clicked = opened(), opened(0.0, 5.0)
    assert [(i.kind, i.span, i.measurements) for i in plain.incidents] == [
        (i.kind, i.span, i.measurements) for i in clicked.incidents
    ]
    assert seen(clicked) == [(CRITICAL, "DEAD AIR")]


@pytest.mark.parametrize(("gone", "incidents"), [(6.0, []), (12.0, ["UNANSWERED TURN"])])
def test_nothing_is_said_of_a_party_whose_own_file_has_ended(write_call, sound, gone, incidents) -> None:
    caller, agent = sound([(4.0, 5.0)], 12.0), sound([(0.5, 3.5)], 12.0, seed=2)
    pair = (write_call(caller, name="c.wav"), write_call(agent[: round(gone * 8000)], name="a.wav"))
    opened = autopsy(tell_apart((hear(pair[0]), hear(pair[1])), channel_map()))
    assert [incident.kind for incident in opened.incidents] == incidents
    codes = {finding.code for finding in opened.health}
    assert ("channel_ends_early" in codes) is (gone < 12.0)


def test_channel_numbers_are_those_of_the_map(write_call, sound) -> None:
    caller, agent = sound([(3.0, 6.0)], 7.0), sound([(0.5, 4.5)], 7.0, seed=2)
    straight = autopsy(tell_apart(hear(write_call(caller, agent)), channel_map()))
    crossed = autopsy(
        tell_apart(hear(write_call(agent, caller, name="x.wav")), ChannelMap(1, 0, source="flags"))
    )
    assert [i.measurements for i in straight.incidents] == [i.measurements for i in crossed.incidents]


def _spans(low: int, high: int) -> st.SearchStrategy[list[tuple[float, float]]]:
    cuts = st.lists(st.integers(low, high), max_size=12, unique=True).map(sorted)
    return cuts.map(lambda c: [(a / 100, b / 100) for a, b in zip(c[::2], c[1::2], strict=False)])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_spans(0, 1500), _spans(0, 1500))
def test_any_call_opens_with_consistent_incidents(open_call, caller, agent) -> None:
    opened = open_call(caller, agent, 15.0)
    severe = [incident.severity == CRITICAL for incident in opened.incidents]
    assert severe == sorted(severe, reverse=True)
    assert not any(incident.doubts for incident in opened.incidents if incident.severity == CRITICAL)
    assert opened.sentence.count(". ") <= 2 and opened.sentence.endswith(".")
    silences = sorted(
        i.span for i in opened.incidents if "gap_sec" in i.measurements and "reply_sec" not in i.measurements
    )
    assert all(a.end_sec <= b.start_sec for a, b in pairwise(silences))
    record = json.loads(to_json(autopsy_json(opened, **WHERE)))
    assert record["total_incidents"] == record["summary"]["critical"] + record["summary"]["warning"]
    for incident in opened.incidents:
        assert incident.sentence.endswith(".") and incident.title and incident.detail
        assert incident.headline is None or incident.headline.lo_sec <= incident.headline.hi_sec


@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.3])
def test_a_recording_of_a_few_frames_opens(open_call, seconds) -> None:
    assert open_call([(0.0, seconds)], [(0.0, seconds)], seconds).channels == 2
    assert "Neither channel holds any sound" in open_call([], [], seconds).sentence


def test_an_agent_that_comes_back_late_after_a_false_stop_is_told_so(open_call) -> None:
    opened = open_call([(2.0, 2.3)], [(0.5, 2.4), (6.4, 7.0)], 8.0)
    told = [
        re.search(r"stopped for the caller and came back after (\S+) s", i.sentence) for i in opened.incidents
    ]
    assert [float(m[1]) for m in told if m] == [pytest.approx(4.0, abs=0.011)]


def test_the_bundled_call_fails_in_the_way_it_was_made_to() -> None:
    folder = files("hotato.data") / "demo"
    truth = json.loads((folder / "cancel-call.json").read_text())
    with as_file(folder / "cancel-call.flac") as path:
        opened = autopsy(tell_apart(hear(path), channel_map()))
    assert {i.kind for i in opened.incidents if i.severity == CRITICAL} == {"BARGE-IN", "DEAD AIR"}
    barge_in = next(i for i in opened.incidents if i.kind == "BARGE-IN" and i.severity == CRITICAL)
    interruption = min(
        (u["start_sec"] for u in truth["utterances"] if u["role"] == "caller"),
        key=lambda start: abs(start - barge_in.t_sec),
    )
    assert barge_in.t_sec == pytest.approx(interruption, abs=0.03)
    assert "kept talking" in opened.sentence and "Then nobody spoke" in opened.sentence
    assert [(i.severity, i.kind, i.headline and i.headline.sec) for i in opened.incidents] == [
        (CRITICAL, "DEAD AIR", 5.79),
        (CRITICAL, "BARGE-IN", 2.62),
        (WARNING, "LATENCY SPIKE", 2.48),
    ]
    assert opened.note.endswith("The agent talked through 1 short sound.")


def test_no_incident_is_claimed_where_the_two_channels_keep_no_common_clock(write_call, sound, monkeypatch):
    from hotato.find import autopsy as room

    call = tell_apart(
        hear(write_call(sound([(1.0, 2.0)], 6.0), sound([(2.5, 4.0)], 6.0, seed=2))), channel_map()
    )
    fine = autopsy(call)
    assert fine.sentence.startswith("No incident found.") and fine.unjudged is None
    reason = "the channels do not start together; export both parties on one clock"
    monkeypatch.setitem(room.__globals__, "unjudged", lambda report: reason)
    unclear = autopsy(call)
    assert unclear.sentence.startswith(
        "The channels do not start together, so turn-taking could not be judged."
    )
    assert "No incident" not in unclear.sentence
