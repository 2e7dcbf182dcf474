"""`hotato baseline check`: a run within the tolerances of a saved one, or not."""

from __future__ import annotations

import pytest


@pytest.fixture
def saved(hotato, tmp_path):
    """The bundled battery, as the baseline."""
    envelope = hotato("run", "--suite", "barge-in", "--format", "json", "--no-fail").json
    (tmp_path / "baseline.json").write_text(hotato("run", "--suite", "barge-in", "--format", "json").out)
    return envelope


def candidate(saved, tmp_path, factor):
    """The same battery with every talk-over changed by a factor."""
    import json

    for event in saved["events"]:
        event["verdict"]["talk_over_sec"] *= factor
    (tmp_path / "candidate.json").write_text(json.dumps(saved))


def test_drift_beyond_the_tolerance_fails(hotato, saved, tmp_path):
    (tmp_path / "tolerances.yaml").write_text('talk_over_sec: "+10%"\nseconds_to_yield: "+0.05"\n')
    words = ("baseline", "check", "tolerances.yaml", "baseline.json", "candidate.json")
    candidate(saved, tmp_path, 1.05)
    assert hotato(*words).code == 0
    candidate(saved, tmp_path, 1.2)
    done = hotato(*words, "--format", "json", "--junit", "drift.xml")
    assert done.code == 1
    found = done.json
    assert list(found)[:11] == [
        *("tool", "schema_version", "kind", "version", "baseline_path", "candidate_path", "dimensions"),
        *("drifted", "within_tolerance", "exit_code", "note"),
    ]
    assert (found["drifted"], found["within_tolerance"]) == (["talk_over_sec"], False)
    assert (found["baseline_path"], found["candidate_path"]) == ("baseline.json", "candidate.json")
    junit = (tmp_path / "drift.xml").read_text()
    assert junit.count("<testcase") == 2 and junit.count("<failure") == 1


def test_what_was_not_measured_is_refused(hotato, saved, tmp_path):
    (tmp_path / "tolerances.yaml").write_text('response_gap_sec: "+10%"\n')
    for event in saved["events"]:
        event["signals"].pop("latency")
    candidate(saved, tmp_path, 1.0)
    done = hotato(
        "baseline", "check", "tolerances.yaml", "baseline.json", "candidate.json", "--junit", "d.xml"
    )
    assert done.code == 2 and "response_gap_sec" in done.err
    assert not (tmp_path / "d.xml").exists()


def test_an_absolute_path_is_stated_from_the_working_folder(hotato, saved, tmp_path):
    (tmp_path / "tolerances.yaml").write_text('talk_over_sec: "+10%"\n')
    candidate(saved, tmp_path, 1.0)
    paths = [tmp_path / name for name in ("tolerances.yaml", "baseline.json", "candidate.json")]
    assert hotato("baseline", "check", *paths, "--format", "json").json["baseline_path"] == "baseline.json"
