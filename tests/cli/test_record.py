"""`hotato record`: four files for each failure, and a check that nothing of them changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FORMS = ["failure-record.html", "failure-record.json", "failure-record.md", "failure-record.svg"]


def event(name: str, passed: bool) -> dict[str, Any]:
    verdict = {"passed": passed, "did_yield": False, "talk_over_sec": 2.65}
    return {"event_id": name, "expected_yield": True, "verdict": verdict}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    events = [event("a", False), event("b", True), event("c", False)]
    value = {"tool": "hotato", "mode": "single", "exit_code": 1, "events": events}
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def test_a_record_is_written_in_four_forms_and_again_in_the_same_bytes(
    hotato: Callable[..., Any], run: Path
) -> None:
    done = hotato("record", "render", run, "--out", "rec")
    assert done.code == 0 and names("rec") == FORMS
    before = [Path("rec", name).read_bytes() for name in FORMS]
    assert hotato("record", "render", run, "--out", "rec").code == 0
    assert [Path("rec", name).read_bytes() for name in FORMS] == before


def test_all_writes_a_folder_for_each_failure_and_limit_says_what_is_left_out(
    hotato: Callable[..., Any], run: Path
) -> None:
    assert hotato("record", "render", run, "--out", "recs", "--all").code == 0
    assert len(names("recs")) == 2 and all(name.startswith("hfr-") for name in names("recs"))
    limited = hotato("record", "render", run, "--out", "one", "--all", "--limit", "1")
    assert limited.code == 0 and len(names("one")) == 1 and "1 more not written" in limited.out
    assert hotato("record", "render", run, "--out", "x", "--limit", "1").code == 2


def test_a_result_that_passed_has_no_record(hotato: Callable[..., Any]) -> None:
    value = {"tool": "hotato", "mode": "single", "exit_code": 0, "events": [event("a", True)]}
    Path("ok.json").write_text(json.dumps(value), encoding="utf-8")
    assert hotato("record", "render", "ok.json", "--out", "rec").code == 2
    every = hotato("record", "render", "ok.json", "--out", "rec", "--all")
    assert every.code == 0 and "passed" in every.out
    assert not Path("rec").exists()


def test_verify_passes_fails_and_refuses(hotato: Callable[..., Any], run: Path) -> None:
    hotato("record", "render", run, "--out", "rec")
    document = Path("rec/failure-record.json")
    assert hotato("record", "verify", document).code == 0
    assert hotato("record", "verify", document, "--evidence-root", run.parent).code == 0
    document.write_text(document.read_text(encoding="utf-8").replace("2.65", "0.65"), encoding="utf-8")
    failed = hotato("record", "verify", document, "--format", "json")
    assert failed.code == failed.json["exit_code"] == 1 and failed.json["verified"] is False
    codes = {code for check in failed.json["checks"] for code in check["codes"]}
    assert {"record_id_mismatch", "evidence_digest_mismatch"} <= codes
    document.write_text("no record", encoding="utf-8")
    assert hotato("record", "verify", document).code == 2
    assert hotato("record", "verify", "nowhere.json").code == 2


def test_the_result_is_never_written_over(hotato: Callable[..., Any], run: Path) -> None:
    source = Path("rec/failure-record.json")
    source.parent.mkdir()
    source.write_bytes(run.read_bytes())
    assert hotato("record", "render", source, "--out", "rec", "--force").code == 2
    assert source.read_bytes() == run.read_bytes()
