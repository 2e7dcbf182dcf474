"""`hotato export`: three files for a notebook."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


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


def test_a_closed_gate_says_so(hotato):
    words = ("export", "--suite", "barge-in", "--out", "research", "--max-response-gap", "0.001")
    outcome = hotato(*words)
    assert outcome.out
    assert re.fullmatch(
        r"hotato: gate closed: the p95 response gap is \d+\.\d\d s \(--max-response-gap 0\.001\)\n",
        outcome.err,
    )
    assert hotato(*words, "--no-fail").err == ""


def test_a_gate_on_a_gap_that_was_not_measured_stays_shut(hotato, quiet_agent):
    words = ("export", quiet_agent, "--out", "research", "--onset", "1")
    assert hotato(*words).code in (0, 1)
    outcome = hotato(*words, "--max-response-gap", "60")
    assert outcome.code == 2
    assert "response gap: none measured" in outcome.out
    assert (
        outcome.err == "hotato: gate not decided: no response gap could be measured (--max-response-gap 60)\n"
    )


@pytest.fixture
def quiet_agent(tmp_path: Path) -> Path:
    """The agent stops for the caller and never answers."""
    import numpy as np
    import soundfile

    samples = np.zeros((8 * 16000, 2), dtype=np.int16)
    noise = np.random.default_rng(7).integers(-9000, 9000, len(samples), dtype=np.int16)
    samples[16000 : 2 * 16000, 0] = noise[16000 : 2 * 16000]
    samples[:20000, 1] = noise[:20000]
    soundfile.write(tmp_path / "quiet.wav", samples, 16000, subtype="PCM_16")
    return tmp_path / "quiet.wav"


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
