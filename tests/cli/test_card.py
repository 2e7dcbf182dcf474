"""`hotato card`: a picture to standard output or to a file, of whatever the input is."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

FUNNEL = {
    "tool": "hotato",
    "funnel": {"reason": "r", "pointer": {"layer": "engagement control"}},
    "events": [
        {"expected_yield": True, "verdict": {"did_yield": False, "talk_over_sec": 2.65}},
        {"expected_yield": False, "verdict": {"did_yield": True, "seconds_to_yield": 0.34}},
    ],
}
SCAN = {
    "tool": "hotato",
    "kind": "scan",
    "source": "VAPI__secret.wav",
    "candidates": [{"t_sec": 1.5, "kind": "overlap_while_agent_talking", "durations": {"overlap_sec": 1.4}}],
}

RECAPTURE = {
    "tool": "hotato",
    "kind": "contract-recapture",
    "id": "refund-1",
    "dir": "contracts/refund-1.hotato",
    "expect": "yield",
    "passed": False,
    "reasons": ["talk-over 1.95s exceeds max 0.60s"],
    "onset": {"sec": 41.9, "source": "stated"},
    "measurement": {"did_yield": False, "seconds_to_yield": None, "talk_over_sec": 1.95},
    "exit_code": 1,
}


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    path = tmp_path / "scan.json"
    path.write_text(json.dumps(SCAN), encoding="utf-8")
    return path


def test_the_card_goes_to_standard_output_or_to_a_file(hotato: Callable[..., Any], scan: Path) -> None:
    printed = hotato("card", f"{scan}#1")
    assert (printed.code, printed.err) == (0, "")
    assert ElementTree.fromstring(printed.out).get("width") == "1200"
    written = hotato("card", f"{scan}#1", "--out", "card.svg")
    assert written.code == 0 and "card.svg" in written.out
    assert Path("card.svg").read_text(encoding="utf-8") == printed.out


def test_an_older_card_is_replaced_and_a_foreign_file_is_not(hotato: Callable[..., Any], scan: Path) -> None:
    Path("run.json").write_text(json.dumps(FUNNEL), encoding="utf-8")
    assert hotato("card", "run.json", "--out", "card.svg").code == 0
    assert hotato("card", f"{scan}#1", "--out", "card.svg").code == 0
    Path("drawing.svg").write_text("<svg/>", encoding="utf-8")
    refused = hotato("card", f"{scan}#1", "--out", "drawing.svg")
    assert refused.code == 2 and Path("drawing.svg").read_text(encoding="utf-8") == "<svg/>"
    assert hotato("card", f"{scan}#1", "--out", "drawing.svg", "--force").code == 0


def test_the_input_is_never_written_over(hotato: Callable[..., Any], scan: Path) -> None:
    refused = hotato("card", f"{scan}#1", "--out", scan, "--force")
    assert refused.code == 2 and json.loads(scan.read_text(encoding="utf-8")) == SCAN


def test_names_are_hidden_unless_asked_for(hotato: Callable[..., Any], scan: Path) -> None:
    assert "secret" not in hotato("card", f"{scan}#1").out
    assert "VAPI__secret.wav" in hotato("card", f"{scan}#1", "--include-identifiers").out


@pytest.mark.parametrize("reference", ["", "#0", "#2", "#x", "#other:1"])
def test_a_wrong_reference_is_one_line_and_leaves_nothing(
    hotato: Callable[..., Any], scan: Path, reference: str
) -> None:
    refused = hotato("card", f"{scan}{reference}", "--out", "card.svg")
    assert refused.code == 2 and refused.out == "" and refused.err.count("\n") == 1
    assert not Path("card.svg").exists()


def test_a_file_with_a_hash_in_its_name_is_a_file(hotato: Callable[..., Any]) -> None:
    Path("run#1").write_text(json.dumps(FUNNEL), encoding="utf-8")
    assert hotato("card", "run#1").code == 0


def test_a_bundle_and_a_new_recording_of_one_have_a_card_and_a_record(
    hotato: Callable[..., Any], contract: Path
) -> None:
    assert hotato("card", contract).out == hotato("card", contract / "contract.json").out != ""
    assert hotato("record", "render", contract, "--out", "record").code == 0
    record = json.loads(Path("record/failure-record.json").read_text())
    assert record["reproduction"]["argv"] == ["hotato", "contract", "verify", "bad.hotato"]
    assert record["gate"]["status"] == "FAIL" and "Contract bad failed" in record["headline"]
    Path("new.json").write_text(json.dumps(RECAPTURE))
    card = hotato("card", "new.json")
    assert card.code == 0 and "new recording of refund-1" in card.out and "1.95" in card.out
    assert hotato("record", "render", "new.json", "--out", "new").code == 0
    record = json.loads(Path("new/failure-record.json").read_text())
    assert "--against NEW --onset 41.9" in " ".join(record["reproduction"]["argv"])
    assert hotato("record", "verify", "new/failure-record.json", "--evidence-root", ".").code == 0
    Path("new.json").write_text(json.dumps(RECAPTURE | {"passed": True, "reasons": [], "exit_code": 0}))
    assert "PASSED" in hotato("card", "new.json").out
    assert hotato("record", "render", "new.json", "--out", "none").code == 2


def test_a_folder_that_is_no_bundle_is_refused(hotato: Callable[..., Any]) -> None:
    Path("x.hotato").mkdir()
    for words in (("card", "x.hotato"), ("record", "render", "x.hotato", "--out", "record")):
        refused = hotato(*words)
        assert refused.code == 2 and "is a folder and no contract" in refused.err


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """A contract that failed when it was made."""
    from hotato.contract.create import Pin, create_contract

    call = Path(str(resources.files("hotato"))) / "data/battery/audio/01-hard-interruption.example.wav"
    return create_contract(Pin(stereo=call, onset_sec=2.4, expect="hold", id="bad"), tmp_path / "c").path
