"""An agent that begins while the caller's turn goes on: its own premature start, no interruption."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from hotato.canonical import to_json
from hotato.contract.create import create_contract
from hotato.contract.incidents import pin_of
from hotato.find import CRITICAL, WARNING, autopsy, opening, scan, stored_envelope
from hotato.find.records import Autopsy, Incident
from hotato.listen import attend, hear, tell_apart
from hotato.stacks import channel_map

FRAME = 0.0101
HANGOVER = 0.15


def only(opened: Autopsy) -> Incident:
    told = [(i.kind, i.sentence) for i in opened.incidents]
    assert len(told) == 1, told
    return opened.incidents[0]


@pytest.mark.parametrize("into", [0.08, 0.14, 0.2, 0.25])
def test_an_agent_that_begins_in_the_callers_pause_is_blamed_for_it(open_call, into) -> None:
    pause, resumed, end = 0.35, 2.35, 4.5
    incident = only(open_call([(1.0, 2.0), (resumed, end)], [(2.0 + into, 5.5)], 7.0))
    assert (incident.kind, incident.severity) == ("TALK-OVER", CRITICAL)
    assert incident.title == "Agent started in the caller's pause"
    assert incident.t_sec == pytest.approx(2.0 + into, abs=FRAME)
    assert incident.span.start_sec == pytest.approx(2.0 + into, abs=FRAME)
    assert incident.span.end_sec == pytest.approx(end, abs=2 * FRAME)
    headline = incident.headline
    assert headline is not None and headline.lo_sec <= end - resumed <= headline.hi_sec
    lead, depth = incident.measured["premature_start_sec"], incident.measured["into_pause_sec"]
    assert lead.lo_sec <= end - 2.0 - into <= lead.hi_sec
    assert depth.lo_sec <= into <= depth.hi_sec < pause
    assert incident.sentence == (
        f"The agent began {depth.sec:.2f} s into the caller's pause and talked over them for "
        f"{headline.sec:.2f} s."
    )
    assert dict(incident.facts)["lead"] == f"{lead.sec:.2f} s before the caller's turn ended"


def test_the_walk_names_it_beside_the_documented_moment(render) -> None:
    found = {c.kind: c for c in scan(render([(1.0, 2.0), (2.4, 4.5)], [(2.2, 5.5)], 7.0))}
    assert set(found) == {"premature_start", "overlap_while_agent_talking"}
    start, documented = found["premature_start"], found["overlap_while_agent_talking"]
    assert start.t_sec == pytest.approx(2.2, abs=FRAME)
    assert documented.t_sec == pytest.approx(2.4, abs=FRAME)
    assert start.durations["overlap_sec"] == pytest.approx(2.1 + HANGOVER, abs=2 * FRAME)
    assert start.durations["premature_start_sec"] == pytest.approx(2.3 + HANGOVER, abs=2 * FRAME)


def test_a_caller_who_pauses_while_the_agent_is_talking_interrupted_it(open_call) -> None:
    incident = only(open_call([(1.5, 2.5), (2.9, 4.5)], [(0.3, 5.5)], 7.0))
    assert (incident.kind, incident.severity) == ("BARGE-IN", CRITICAL)
    assert incident.t_sec == pytest.approx(1.5, abs=FRAME)
    assert incident.sentence.startswith("The caller interrupted and the agent kept talking for")


def test_an_agent_that_pauses_inside_its_own_turn_does_not_join_the_callers(open_call) -> None:
    opened = open_call([(1.5, 2.5), (2.9, 4.5)], [(0.3, 2.2), (2.6, 5.5)], 7.0)
    assert opened.incidents and "TALK-OVER" not in {i.kind for i in opened.incidents}


def test_a_start_over_a_sound_counts_all_that_both_sound_of_the_turn(open_call) -> None:
    """The overlap with the sound under way is short; most of it follows the caller's next pause."""
    incident = only(open_call([(1.0, 2.3), (2.65, 4.5)], [(0.1, 0.6), (2.2, 5.5)], 7.0))
    assert (incident.kind, incident.severity, incident.title) == (
        "TALK-OVER",
        CRITICAL,
        "Agent started over the caller",
    )
    headline = incident.headline
    assert headline is not None and headline.lo_sec <= 0.1 + 1.85 <= headline.hi_sec
    assert incident.t_sec == pytest.approx(2.2, abs=FRAME)


@pytest.mark.parametrize(("sounded", "kind"), [(0.15, "BARGE-IN"), (0.3, "TALK-OVER")])
def test_a_breath_before_the_agent_began_is_no_turn_under_way(open_call, sounded, kind) -> None:
    caller = [(2.0, 2.0 + sounded), (2.7, 5.0)]
    incident = only(open_call(caller, [(0.1, 1.0), (2.4, 6.0)], 7.0))
    assert (incident.kind, incident.severity) == (kind, CRITICAL)


def test_who_began_first_on_the_labelled_calls(shared_data) -> None:
    """Where the label has the caller come in over a talking agent, nothing says that the agent joined."""
    seen = 0
    for folder in ("ami", "vapi"):
        for one in json.loads((shared_data / folder / "labels.json").read_text()):
            heard = attend(hear(shared_data / folder / one["audio"]), channel_map(**_named(one)))
            near = [
                c
                for c in scan(heard)
                if c.kind == "overlap_while_agent_talking" and abs(c.t_sec - one["caller_onset_sec"]) < 0.1
            ]
            seen += len(near)
            assert not any(c.evidence["agent_joined"] for c in near), one["id"]
    assert seen >= 8


def _named(label: dict[str, Any]) -> dict[str, int]:
    channels = label["channels"]
    return {"caller": channels["caller_channel"], "agent": channels["agent_channel"]}


def test_a_caller_who_acknowledges_the_answer_was_not_talked_over(open_call) -> None:
    assert not open_call([(1.0, 2.0), (2.4, 2.8)], [(2.2, 5.5)], 7.0).incidents


def test_an_agent_that_gives_the_pause_back_at_once_is_a_warning(open_call) -> None:
    incident = only(open_call([(1.0, 2.0), (2.4, 4.5)], [(2.2, 2.8), (5.0, 6.0)], 7.0))
    assert (incident.kind, incident.severity) == ("TALK-OVER", WARNING)


def test_after_a_longer_pause_it_is_a_new_turn_and_the_sentence_says_who_began_when(open_call) -> None:
    incident = only(open_call([(1.0, 2.0), (2.7, 4.5)], [(2.3, 5.5)], 7.0))
    assert (incident.kind, incident.severity) == ("BARGE-IN", CRITICAL)
    assert "interrupted" not in incident.sentence
    told = re.match(
        r"The agent began (\S+) s into a pause of (\S+) s of the caller and kept talking for (\S+) s when "
        r"the caller went on\.$",
        incident.sentence,
    )
    assert told is not None, incident.sentence
    assert [float(part) for part in told.groups()] == pytest.approx([0.3, 0.7, 1.8], abs=2 * FRAME)


def test_an_agent_that_gave_way_and_comes_back_in_a_pause_resumed_into_the_caller(open_call) -> None:
    opened = open_call([(1.5, 3.5), (3.9, 6.0)], [(0.3, 1.9), (3.7, 7.0)], 8.0)
    assert [i.kind for i in opened.incidents] == ["RESUME INTO CALLER"]


def test_an_echo_that_prolongs_the_callers_turn_is_never_critical(write_call, syllables, delayed) -> None:
    """The caller ends, the agent answers, and its echo begins before the caller's turn would have closed."""
    agent = syllables([(2.2, 8.0)], 9.0, level=0.6)
    caller = syllables([(0.5, 2.0)], 9.0, level=0.6, seed=8) + delayed(agent, 0.12, 0.2)
    opened = autopsy(tell_apart(hear(write_call(caller, agent)), channel_map(), detector="reference"))
    assert [i.kind for i in opened.incidents if "echo_explained" in i.doubts] == ["TALK-OVER"]
    assert {i.severity for i in opened.incidents} == {WARNING}


def test_its_contract_begins_with_the_agent_and_asks_it_to_yield(write_call, sound, tmp_path) -> None:
    seconds = 9.0
    path = write_call(
        sound([(1.5, 2.5), (2.9, 5.0)], seconds, level=0.3), sound([(2.7, 6.0)], seconds, seed=2)
    )
    call = tell_apart(hear(path), channel_map())
    opened = autopsy(call)
    assert only(opened).scan_kind == "premature_start"
    how = opening(call, [(str(path), 0.0)])
    envelope = stored_envelope(opened, source_path=str(path), call=how)
    (tmp_path / f"autopsy-{opened.id}.json").write_text(to_json(envelope))
    found = pin_of(f"{opened.id}#1", folder=str(tmp_path))
    assert found.pin.expect == "yield"
    assert found.pin.onset_sec == pytest.approx(2.7, abs=FRAME)
    made = create_contract(found.pin, tmp_path / "contracts").contract
    assert not made.measurement.passed
    assert made.measurement.talk_over_sec == pytest.approx(2.1, abs=0.05)
