"""Autopsy: which moments are incidents, how bad, and in which words."""

from __future__ import annotations

import json
import re
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotato.canonical import to_json
from hotato.find import CRITICAL, WARNING, Autopsy, autopsy, autopsy_json, stored_envelope
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
        # it stops after 0.4 s
        ([(3.0, 6.0)], [(0.5, 3.4), (6.6, 9.0)], [(WARNING, "BARGE-IN")]),
        # a short sound that the agent rightly talks through: long after, but no long overlap
        ([(3.0, 3.35)], [(0.5, 9.0)], [(WARNING, "BARGE-IN")]),
        # three of them, a second apart, are not one long overlap
        ([(3.0, 3.5), (4.4, 4.9), (5.8, 6.3)], [(0.5, 9.0)], [(WARNING, "BARGE-IN")] * 3),
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
        ([(1.4, 2.0)], [(1.0, 3.0)], (WARNING, "FIRST-TURN OVERLAP")),
        ([(1.0, 1.6)], [(1.1, 3.0)], (WARNING, "FIRST-TURN OVERLAP")),
    ],
)
def test_one_moment_is_one_incident(open_call, caller, agent, expected) -> None:
    opened = open_call(caller, agent, 7.0)
    assert seen(opened) == [expected]
    assert any(label == "also" for label, _ in opened.incidents[0].facts)


def test_resuming_into_the_caller_is_told_beside_the_interruption_that_came_before(open_call) -> None:
    opened = open_call([(2.0, 3.5), (3.9, 5.0)], [(0.5, 2.4), (3.2, 3.5), (4.2, 4.4)], 7.0)
    assert sorted(seen(opened)) == [(WARNING, "BARGE-IN"), (WARNING, "RESUME INTO CALLER")]
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
        "At 0:05.0 the caller interrupted and the agent kept talking for 2.01 s. "
        "Then nobody spoke for 5.99 s before the agent answered."
    )
    assert opened.sentence.count(". ") == 1


def test_a_sound_call_says_so_and_a_silent_channel_says_what_was_not_judged(open_call) -> None:
    fine = open_call([(0.5, 1.5)], [(1.9, 4.0)], 5.0)
    assert (fine.sentence, fine.incidents) == ("No incident found.", ())
    mute = open_call([], [(1.9, 4.0)], 5.0)
    assert mute.sentence.startswith("No incident found. The caller channel carries no sound")
    assert "not_scorable" in {finding.code for finding in mute.health}


def test_numbers_come_with_their_interval_and_the_documented_value(open_call) -> None:
    incident = open_call([(3.0, 6.0)], [(0.5, 4.5)], 7.0).incidents[0]
    headline = incident.headline
    assert headline is not None
    assert headline.lo_sec <= 1.5 <= headline.hi_sec
    assert headline.documented_sec == incident.measurements["overlap_sec"] == pytest.approx(1.65, abs=0.021)
    assert incident.bound_sec == 1.0 and not incident.boundary_sensitive
    facts = dict(incident.facts)
    assert facts["yielded"].startswith("after 1.5") and "limit 1.00 s" in facts["yielded"]
    assert facts["resumed"] == "never"
    assert "1.6" in facts["documented value"]


def test_a_number_that_only_the_hangover_lifts_over_the_limit_is_boundary_sensitive(open_call) -> None:
    incident = open_call([(3.0, 6.0)], [(0.5, 3.92)], 7.0).incidents[0]
    assert incident.severity == CRITICAL and incident.boundary_sensitive
    assert "limit" in dict(incident.facts)


def test_no_real_short_call_has_a_critical_backchannel(shared_data: Path) -> None:
    for name in ("vapi/vapi-default-03-backchannel-mhm.wav", "vapi/vapi-default-04-backchannel-halt.wav"):
        opened = autopsy(tell_apart(hear(shared_data / name), channel_map()))
        assert opened.critical == 0, name
    mhm = autopsy(tell_apart(hear(shared_data / "vapi/vapi-default-03-backchannel-mhm.wav"), channel_map()))
    assert mhm.sentence == "No incident found. 1 weak sound was not held against the agent."


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
    assert opened.critical == 0
    assert "not_scorable" in {finding.code for finding in opened.health}
    assert all("channels_identical" in incident.doubts for incident in opened.incidents)


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
    assert opened.sentence.count(". ") <= 1 and opened.sentence.endswith(".")
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
    assert open_call([(0.0, seconds)], [(0.0, seconds)], seconds).mode == "stereo"
    assert "could not be judged" in open_call([], [], seconds).sentence


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
