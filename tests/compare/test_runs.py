"""Envelopes as they come from files and folders."""

from __future__ import annotations

import json

import pytest

from hotato.compare import read_run
from hotato.errors import Refusal


def test_a_folder_is_all_of_its_envelopes(made, saved, tmp_path):
    saved("runs/b.json", made.event("b"))
    saved("runs/a.json", made.event("a"))
    (tmp_path / "runs" / "notes.txt").write_text("not read")
    run = read_run(tmp_path / "runs")
    assert [event.event_id for event in run.events] == ["a", "b"]
    first = run.sha256
    saved("runs/b.json", made.event("b", talk_over=0.5))
    assert read_run(tmp_path / "runs").sha256 != first


def test_the_profile_of_a_run_is_that_of_its_events(made, saved):
    path = saved("run.json", made.event("a"), made.event("b", profile="documented"), profile="calibrated")
    assert [event.profile for event in read_run(path).events] == ["calibrated", "documented"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "not_an_envelope"),
        ("[]", "not_an_envelope"),
        ("{}", "not_an_envelope"),
        ('{"events": [{"event_id": "a", "verdict": {"passed": true}}]}', "not_an_envelope"),
        ('{"events": [{"event_id": "a", "verdict": {"passed": 1}}]}', "not_an_envelope"),
        ('{"events": [], "events": []}', "repeated_key"),
        (
            '{"events": [{"event_id": "a", "expected_yield": true, "verdict": '
            '{"passed": true, "talk_over_sec": -1}}]}',
            "not_an_envelope",
        ),
        ("[" * 100_000, "not_an_envelope"),
    ],
)
def test_what_is_no_envelope_is_refused(tmp_path, content, code):
    path = tmp_path / "run.json"
    path.write_text(content)
    with pytest.raises(Refusal) as refused:
        read_run(path)
    assert refused.value.code == code and "run.json" in str(refused.value)


def test_a_folder_without_envelopes_or_with_other_json_is_refused(tmp_path):
    with pytest.raises(Refusal) as refused:
        read_run(tmp_path)
    assert refused.value.code == "no_envelopes"
    (tmp_path / "package.json").write_text(json.dumps({"name": "x"}))
    with pytest.raises(Refusal, match=r"package\.json") as refused:
        read_run(tmp_path)
    assert refused.value.code == "not_an_envelope"


def test_there_is_no_run_where_there_is_nothing(tmp_path):
    with pytest.raises(Refusal) as refused:
        read_run(tmp_path / "absent.json")
    assert refused.value.code == "not_found"
