"""`hotato contract create` and `contract inspect`: where a moment comes from, and what is printed of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.acoustics import render

RATE = 16_000


@pytest.fixture
def call(tmp_path: Path) -> Path:
    spec = {
        "caller_segments_sec": [[3.0, 5.0], [10.0, 11.0]],
        "agent_segments_sec": [[0.4, 4.6], [6.0, 8.5]],
        "noise_floor_dbfs": -62.0,
    }
    samples = render({"id": "c", "duration_sec": 14.0, "sample_rate": RATE, "reference_render": spec})
    soundfile.write(tmp_path / "talk.wav", samples, RATE, subtype="PCM_16")
    return tmp_path / "talk.wav"


CREATE = ("contract", "create", "--expect", "yield", "--out", "contracts")


def test_text_says_what_was_measured_and_what_next(hotato, call):
    told = hotato(*CREATE, "--stereo", "talk.wav", "--onset", "3", "--id", "one", "--max-talk-over", "0.6")
    assert told.code == 0 and told.err == ""
    assert "the agent yielded after 1.7" in told.out and "failed when it was made" in told.out
    assert "hotato contract verify contracts" in told.out
    shown = hotato("contract", "inspect", "contracts/one.hotato")
    assert shown.code == 0 and "expect yield" in shown.out and "talk-over at most 0.60 s" in shown.out


def test_json_is_the_contract(hotato, call):
    told = hotato(*CREATE, "--stereo", "talk.wav", "--onset", "3", "--id", "one", "--format", "json").json
    stated = json.loads(Path("contracts/one.hotato/contract.json").read_text())
    assert (told["kind"], told["id"], told["dir"]) == ("contract-create", "one", "contracts/one.hotato")
    assert told["contract"] == stated
    inspected = hotato("contract", "inspect", "contracts/one.hotato/contract.json", "--format", "json")
    assert inspected.out == Path("contracts/one.hotato/contract.json").read_text()


def test_a_candidate_brings_recording_and_onset(hotato, call):
    Path("scan.json").write_text(hotato("scan", "talk.wav", "--format", "json").out)
    moments = json.loads(Path("scan.json").read_text())["candidates"]
    rank = 1 + [m["kind"] for m in moments].index("overlap_while_agent_talking")
    told = hotato(*CREATE, "--from-candidate", f"scan.json#{rank}", "--id", "one", "--format", "json")
    assert told.code == 0, told.err
    contract = told.json["contract"]
    assert contract["source"]["candidate_kind"] == "overlap_while_agent_talking"
    assert contract["source"]["candidate_ref"] is None
    assert contract["event"]["source_onset_sec"] == pytest.approx(3.0, abs=0.03)
    again = hotato(*CREATE, "--from-candidate", "scan.json#1", "--stereo", "talk.wav", "--id", "two")
    assert again.code == 2 and not Path("contracts/two.hotato").exists()
    assert hotato(*CREATE, "--from-candidate", "scan.json#99", "--id", "two").code == 2


def test_an_answer_needs_its_limit(hotato, call):
    words = (
        "contract",
        "create",
        "--stereo",
        "talk.wav",
        "--onset",
        "4.9",
        "--expect",
        "answer",
        "--id",
        "a",
    )
    told = hotato(*words, "--out", "contracts")
    assert told.code == 2 and "--max-response-gap" in told.err and not Path("contracts").exists()
    made = hotato(*words, "--out", "contracts", "--max-response-gap", "0.5", "--format", "json").json
    found = made["contract"]["measurement"]
    assert not found["passed"] and found["response_gap_sec"] == pytest.approx(0.84, abs=0.03)
    assert made["contract"]["policy"]["pass_conditions"] == {
        "yield": False,
        "max_talk_over_sec": None,
        "max_time_to_yield_sec": None,
        "max_response_gap_sec": 0.5,
    }


@pytest.mark.parametrize(
    "flags", [("--mono", "talk.wav"), ("--diarize",), ("--diarizer", "x"), ("--egress-opt-in",)]
)
def test_a_mixed_channel_is_refused_with_the_reason(hotato, call, flags):
    told = hotato(*CREATE, *flags, "--id", "one", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, "not_in_this_version")
    assert "guess" in told.json["message"] and not Path("contracts").exists()


def test_a_single_channel_is_refused(hotato, tmp_path):
    soundfile.write("mono.wav", np.zeros(RATE, dtype=np.int16), RATE)
    told = hotato(*CREATE, "--stereo", "mono.wav", "--onset", "0.5", "--id", "one", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, "mono") and not Path("contracts").exists()


def test_the_time_is_that_of_whoever_makes_it(hotato, call, monkeypatch):
    words = (*CREATE, "--stereo", "talk.wav", "--onset", "3", "--format", "json", "--id")
    assert hotato(*words, "a").json["contract"]["created_at"] is None
    stated = hotato(*words, "b", "--created-at", "2026-01-31T12:00:00+01:00").json
    assert stated["contract"]["created_at"] == "2026-01-31T11:00:00Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert hotato(*words, "c").json["contract"]["created_at"] == "1970-01-01T00:00:00Z"
    assert hotato(*words, "d", "--created-at", "noon").code == 2


def test_a_reviewer_who_attests_is_named(hotato, call):
    words = (*CREATE, "--stereo", "talk.wav", "--onset", "3", "--id", "one", "--i-attest-human-review")
    assert hotato(*words).code == 2
    made = hotato(*words, "--reviewer", "sam", "--format", "json").json["contract"]
    assert (made["label_authority"], made["identity"]) == ("attested", {"reviewer": "sam", "attested": True})
