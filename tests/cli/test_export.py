"""`hotato export`: three files for a notebook."""

from __future__ import annotations

from pathlib import Path


def test_it_writes_three_files_and_says_so(hotato, barge_in):
    outcome = hotato("export", "--stereo", barge_in, "--out", "research")
    assert outcome.code == 0
    names = ["envelope.json", "events.csv", "frames.csv"]
    assert sorted(path.name for path in Path("research").iterdir()) == names
    assert all(f"research/{name}" in outcome.out for name in names)


def test_the_envelope_is_that_of_run(hotato, barge_in):
    hotato("export", barge_in, "--out", "research")
    assert Path("research/envelope.json").read_text() == hotato("run", barge_in, "--format", "json").out


def test_the_response_gap_is_a_gate(hotato):
    words = ("export", "--suite", "barge-in", "--out", "research")
    assert hotato(*words).code == 0
    assert hotato(*words, "--max-response-gap", "0.001").code == 1
    assert hotato(*words, "--max-response-gap", "0.001", "--no-fail").code == 0
    assert hotato(*words, "--max-response-gap", "60").code == 0


def test_a_folder_must_be_named(hotato, barge_in):
    outcome = hotato("export", barge_in)
    assert outcome.code == 2
    assert "--out" in outcome.err


def test_another_folder_of_the_same_name_is_kept(hotato, barge_in):
    Path("research").mkdir()
    Path("research/events.csv").write_text("mine")
    assert hotato("export", barge_in, "--out", "research").code == 2
    assert sorted(path.name for path in Path("research").iterdir()) == ["events.csv"]
    assert Path("research/events.csv").read_text() == "mine"
