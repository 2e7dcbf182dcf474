"""Checking a record: whatever is changed in it or behind it is seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hotato.canonical import to_json
from hotato.errors import Refusal
from hotato.failure import check_record, read_record, record_of, verify_record

SOUND = b"the recording"


@pytest.fixture
def result() -> dict[str, Any]:
    import hashlib

    event = {
        "event_id": "b",
        "expected_yield": True,
        "verdict": {"passed": False, "did_yield": False, "talk_over_sec": 2.65},
        "audio_provenance": {"sides": [{"sha256": hashlib.sha256(SOUND).hexdigest()}]},
    }
    return {"tool": "hotato", "mode": "single", "exit_code": 1, "events": [event]}


@pytest.fixture
def document(result: dict[str, Any], tmp_path: Path) -> Path:
    path = tmp_path / "failure-record.json"
    path.write_text(to_json(record_of(result)), encoding="utf-8")
    return path


@pytest.fixture
def evidence(result: dict[str, Any], tmp_path: Path) -> Path:
    folder = tmp_path / "evidence"
    (folder / "calls").mkdir(parents=True)
    (folder / "calls" / "whatever.wav").write_bytes(SOUND)
    (folder / "run.json").write_text(json.dumps(result, indent=4), encoding="utf-8")
    return folder


def changed(change: Callable[[dict[str, Any]], None], document: Path) -> Path:
    value = json.loads(document.read_text(encoding="utf-8"))
    change(value)
    document.write_text(json.dumps(value), encoding="utf-8")
    return document


def test_a_record_and_the_files_behind_it_hold_under_any_name(document: Path, evidence: Path) -> None:
    checked = check_record(str(document), evidence)
    assert checked.checks.exit_code == 0
    files = [check for check in checked.checks.checks if check.group == "files"]
    assert [check.file for check in files] == ["calls/whatever.wav", "run.json"]


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "headline": lambda v: v.update(headline="All is well."),
    "status": lambda v: v.update(status="INCONCLUSIVE"),
    "passed": lambda v: v.update(status="PASS"),
    "lane": lambda v: v["dimensions"]["conversation"].update(status="PASS"),
    "count": lambda v: v["dimensions"]["conversation"].update(failed=0, passed=1),
    "measured": lambda v: v["evidence"][0]["measured"].update(talk_over_sec=0.1),
    "digest": lambda v: v["evidence"][0].update(digest="0" * 64),
    "recording": lambda v: v["reproduction"]["required_artifacts"][0].update(digest="0" * 64),
    "privacy": lambda v: v["privacy"].update(raw_audio_embedded=True),
    "id": lambda v: v.update(record_id="hfr-" + "0" * 64),
    "no id": lambda v: v.update(record_id=""),
    "further key": lambda v: v.update(note="fine"),
    "gate": lambda v: v["gate"].update(exit_code=0),
    "command": lambda v: v["reproduction"].update(argv=["rm", "-r", "."]),
    "version": lambda v: v["provenance"]["hotato"].update(version="9"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_record_is_seen(name: str, document: Path) -> None:
    assert check_record(str(changed(CHANGES[name], document))).checks.exit_code == 1


def test_a_record_that_was_renamed_after_a_change_still_fails_on_its_files(
    document: Path, evidence: Path
) -> None:
    from msgspec.structs import replace

    from hotato.failure import record_id

    record = read_record(str(document))
    provenance = replace(record.provenance, source_result_digest="0" * 64)
    forged = replace(record, provenance=provenance)
    forged = replace(forged, record_id=record_id(forged))
    assert verify_record(forged, evidence).exit_code == 1


def test_a_recording_that_changed_or_went_is_seen(document: Path, evidence: Path) -> None:
    call = evidence / "calls" / "whatever.wav"
    call.write_bytes(SOUND + b".")
    (check,) = [c for c in check_record(str(document), evidence).checks.checks if c.status != "pass"]
    assert check.codes == ("artifact_missing",)
    (evidence / check.id.removeprefix("recording ")).write_bytes(b"another")
    (check,) = [c for c in check_record(str(document), evidence).checks.checks if c.status != "pass"]
    assert check.codes == ("artifact_changed",)


def test_a_link_out_of_the_evidence_folder_is_not_followed(document: Path, evidence: Path) -> None:
    call = evidence / "calls" / "whatever.wav"
    call.rename(evidence.parent / "elsewhere.wav")
    call.symlink_to(evidence.parent / "elsewhere.wav")
    assert check_record(str(document), evidence).checks.exit_code == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "not_json"),
        ("[1]", "not_json"),
        ("{", "not_json"),
        ('{"kind": "a", "kind": "b"}', "repeated_key"),
        ('{"kind": "trust"}', "not_a_record"),
        ('{"kind": "hotato.failure-record.v1", "version": "2"}', "not_a_record"),
    ],
)
def test_what_cannot_be_read_is_refused(content: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Refusal) as caught:
        check_record(str(path))
    assert caught.value.code == code


def test_what_is_no_folder_is_refused(document: Path) -> None:
    with pytest.raises(Refusal) as caught:
        check_record(str(document), document)
    assert caught.value.code == "not_a_directory"
