"""`hotato fixture`: a moment as a scenario and a clip, which a suite then judges the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import soundfile

from hotato.acoustics import render

RATE = 16_000
CREATE = ("fixture", "create", "--stereo", "talk.wav", "--out", "mine", "--id", "one")
RUN = ("run", "--scenarios", "mine/scenarios", "--audio", "mine/audio", "--format", "json")


@pytest.fixture(autouse=True)
def _call(tmp_path, _own_folder):
    spec = {
        "caller_segments_sec": [[3.0, 5.0], [10.0, 11.0]],
        "agent_segments_sec": [[0.4, 4.6], [6.0, 8.5], [13.0, 14.0]],
        "noise_floor_dbfs": -62.0,
    }
    samples = render({"id": "c", "duration_sec": 15.0, "sample_rate": RATE, "reference_render": spec})
    soundfile.write("talk.wav", samples, RATE, subtype="PCM_16")


def test_the_suite_says_what_the_fixture_said(hotato):
    made = hotato(
        *CREATE, "--onset", "3", "--expect", "yield", "--max-talk-over", "0.6", "--format", "json"
    ).json
    assert made["written"] == ["mine/scenarios/one.json", "mine/audio/one.example.wav"]
    ran = hotato(*RUN)
    (event,) = ran.json["events"]
    assert ran.code == 1 and event["verdict"] == made["event"]["verdict"]
    stated = json.loads(Path("mine/scenarios/one.json").read_text())
    assert stated == made["scenario"] and stated["provenance"]["source_onset_sec"] == 3.0
    assert "talk.wav" not in Path("mine/scenarios/one.json").read_text()


def test_an_answer_is_one_in_the_suite_too(hotato):
    words = (*CREATE, "--onset", "10.9", "--expect", "answer", "--max-response-gap", "1", "--pre", "5")
    assert hotato(*words, "--tags", "slow, tool").code == 0
    stated = json.loads(Path("mine/scenarios/one.json").read_text())
    assert stated["expected"] == {"yield": False, "answer": True, "max_response_gap_sec": 1.0}
    assert (stated["category"], stated["tags"]) == ("should_answer", ["slow", "tool"])
    assert hotato(*RUN).json["events"][0]["verdict"]["reason_codes"] == ["late_answer"]


def test_a_candidate_is_promoted(hotato):
    Path("scan.json").write_text(hotato("scan", "talk.wav", "--format", "json").out)
    kinds = [one["kind"] for one in json.loads(Path("scan.json").read_text())["candidates"]]
    ref = f"scan.json#{1 + kinds.index('overlap_while_agent_talking')}"
    assert hotato("fixture", "promote", ref, "--expect", "yield", "--id", "two", "--out", "mine").code == 0
    assert hotato(*RUN).json["events"][0]["event_id"] == "two"


def test_what_cannot_be_judged_leaves_no_file(hotato):
    told = hotato(*CREATE, "--onset", "9.5", "--expect", "yield", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, "agent_silent_at_onset") and not Path("mine").exists()
    assert hotato(*CREATE, "--onset", "3", "--expect", "yield", "--category", "should_answer").code == 2
    assert not Path("mine").exists()


def test_files_of_somebody_else_stay(hotato):
    Path("mine/audio").mkdir(parents=True)
    Path("mine/audio/one.example.wav").write_text("mine")
    assert hotato(*CREATE, "--onset", "3", "--expect", "yield").code == 2
    assert not Path("mine/scenarios").exists() and Path("mine/audio/one.example.wav").read_text() == "mine"


def test_the_recording_is_named_without_a_flag_too(hotato):
    words = ("--onset", "0:03.00", "--expect", "yield", "--id", "one")
    for command in ("fixture", "contract"):
        named = hotato(
            command, "create", "--stereo", "talk.wav", *words, "--out", "a", "--format", "json"
        ).json
        plain = hotato(command, "create", "talk.wav", *words, "--out", "b", "--format", "json").json
        key = "event" if command == "fixture" else "contract"
        assert plain[key] == named[key]
