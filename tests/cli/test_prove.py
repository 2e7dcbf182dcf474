"""`hotato prove`: every lane of evidence composed into one fail-closed verdict."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

HASH = "sha256:" + "ab" * 32


@pytest.fixture
def runs(hotato, tmp_path):
    """The bundled battery, and the same with other samples and one fixture that used to fail."""
    now = hotato("run", "--suite", "barge-in", "--format", "json").json
    (tmp_path / "after.json").write_text(json.dumps(now))
    for event in now["events"]:
        for side in event["audio_provenance"]["sides"]:
            side["pcm_sha256"] = side["pcm_sha256"][::-1]
    first = next(event for event in now["events"] if event["expected_yield"])
    first["verdict"] |= {"passed": False, "did_yield": False, "seconds_to_yield": None, "talk_over_sec": 3.0}
    (tmp_path / "before.json").write_text(json.dumps(now))
    return "--before", "before.json", "--after", "after.json", "--min-n", "1"


def test_a_proof_is_written_as_json_markdown_and_page(hotato, runs, tmp_path):
    words = ("prove", *runs, "--gauntlet", "--name", "v42", "--out", "proofs/v42", "--junit", "proof.xml")
    done = hotato(*words, "--candidate-config-hash", HASH, "--provider", "vapi", "--format", "json")
    assert done.code == 0, done.out
    written = done.json.pop("written")
    assert written == [*(f"proofs/v42/proof.{ending}" for ending in ("json", "md", "html")), "proof.xml"]
    proof = json.loads((tmp_path / "proofs/v42/proof.json").read_text())
    assert proof == {key: value for key, value in done.json.items() if key != "written"}
    assert (proof["overall"], proof["claim_scope"], proof["created_at"]) == (
        "pass",
        "Candidate Revision",
        None,
    )
    assert proof["candidate"] == {"config_hash": HASH, "provider": "vapi", "deployment_id": None}
    assert [lane["lane"] for lane in proof["lanes"]] == ["before_after", "gauntlet"]
    assert (tmp_path / "proof.xml").read_text().count("<testsuite ") == 2
    assert hotato(*words).code == 0  # an older edition is replaced


def test_the_time_comes_from_outside(hotato, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert hotato("prove", "--gauntlet", "--format", "json").json["created_at"] == "1970-01-02T00:00:00Z"
    stated = hotato("prove", "--gauntlet", "--created-at", "2026-01-31T12:00:00Z", "--format", "json").json
    assert stated["created_at"] == "2026-01-31T12:00:00Z"
    assert hotato("prove", "--gauntlet", "--created-at", "yesterday").code == 2


def test_what_is_inconclusive_is_not_green(hotato, runs, tmp_path):
    words = ("prove", "--before", "after.json", "--after", "after.json", "--junit", "proof.xml")
    done = hotato(*words, "--gauntlet")
    assert done.code == 1 and "INCONCLUSIVE" in done.out and "no fresh capture" in " ".join(done.out.split())
    assert "<error" in (tmp_path / "proof.xml").read_text()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--contracts", "empty"),
        ("--contracts", "absent"),
        ("--before", "after.json"),
        ("--before", "absent.json", "--after", "after.json"),
        ("--gauntlet", "--candidate-config-hash", HASH, "--provider", "vapi"),
        ("--before", "before.json", "--after", "after.json", "--provider", "vapi"),
        ("--suite", "ci.suite.yaml", "--agent", "support"),
        ("--gauntlet", "--agent", "support"),
    ],
)
def test_a_proof_of_nothing_is_refused_and_leaves_nothing(hotato, runs, tmp_path, words):
    (tmp_path / "empty").mkdir()
    done = hotato("prove", *words, "--out", "proofs")
    assert (done.code, done.out) == (2, "") and done.err.count("\n") == 1
    assert not (tmp_path / "proofs").exists()


def test_the_failure_record_of_a_proof_says_how_to_make_it_again(hotato, tmp_path):
    from hotato.contract.create import Pin, create_contract

    call = Path(str(resources.files("hotato"))) / "data/battery/audio/01-hard-interruption.example.wav"
    create_contract(Pin(stereo=call, onset_sec=2.4, expect="hold", id="bad", clip=False), Path("contracts"))
    asked = ("--contracts", "contracts", "--gauntlet", "--name", "v42")
    made = hotato("prove", *asked, "--out", "proofs", "--junit", "proof.xml")
    assert made.code == 1
    assert json.loads(Path("proofs/proof.json").read_text())["given"] == list(asked)
    assert hotato("record", "render", "proofs/proof.json", "--out", "record").code == 0
    record = json.loads(Path("record/failure-record.json").read_text())
    assert record["reproduction"]["argv"] == ["hotato", "prove", *asked]
    again = hotato(*record["reproduction"]["argv"][1:], "--format", "json")
    proof = json.loads(Path("proofs/proof.json").read_text())
    assert again.code == 1 and again.json["content_id"] == proof["content_id"]
