"""`hotato synth`: variants that say what they are, and are what they say."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.synth import parent as synth_parent

ALL = ["half-rate", "quieter", "white-noise", "leakage", "inverted", "swapped", "silence", "later", "clipped"]


def made(folder: Path) -> dict[str, tuple[np.ndarray, int, dict]]:
    """Every variant in a folder: samples, rate and the JSON beside it."""
    found = {}
    for sheet in sorted(folder.glob("*.json")):
        facts = json.loads(sheet.read_text())
        samples, rate = soundfile.read(sheet.with_suffix(".wav"), dtype="int16")
        found[facts["variant"]] = (samples, rate, facts)
    return found


@pytest.fixture
def variants(hotato, barge_in):
    outcome = hotato("synth", barge_in, "--out", "made", "--seed", "3")
    assert (outcome.code, outcome.err) == (0, "")
    return made(Path("made"))


@pytest.fixture
def parent(barge_in):
    return soundfile.read(barge_in, dtype="int16")[0]


def level_db(samples) -> float:
    return float(10 * np.log10(np.mean(np.asarray(samples, np.float64) ** 2)))


def test_every_variant_says_that_it_is_synthetic_and_of_what(variants, barge_in):
    digest = hashlib.sha256(barge_in.read_bytes()).hexdigest()
    assert sorted(variants) == sorted(ALL)
    for name, (samples, rate, facts) in variants.items():
        assert facts["synthetic"] is True
        assert facts["parent"] == {"name": "barge-in.wav", "sha256": digest, "findings": []}
        assert (facts["seed"], facts["recipe"]["step"]) == (3, name)
        assert facts["sha256"] == hashlib.sha256(Path("made", facts["file"]).read_bytes()).hexdigest()
        assert (facts["frames"], facts["channels"], facts["sample_rate_hz"]) == (*samples.shape, rate)


def test_the_variants_are_what_their_recipes_say(variants, parent):
    assert np.array_equal(variants["swapped"][0], parent[:, ::-1])
    assert np.array_equal(variants["inverted"][0], np.clip(-parent.astype(int), -32768, 32767))
    assert level_db(variants["quieter"][0]) - level_db(parent) == pytest.approx(-20.0, abs=0.2)
    assert np.abs(variants["clipped"][0].astype(int)).max() >= 32767
    assert variants["half-rate"][1] == 8000
    assert len(variants["half-rate"][0]) == len(parent) // 2


def test_a_silenced_stretch_is_exact_and_the_rest_untouched(variants, parent):
    samples, rate, facts = variants["silence"]
    start, stop = (round(sec * rate) for sec in facts["recipe"]["span_sec"])
    assert not samples[start:stop].any()
    assert np.array_equal(samples[:start], parent[:start])
    assert np.array_equal(samples[stop:], parent[stop:])


def test_a_later_start_says_how_far_labels_move(variants, parent):
    samples, rate, facts = variants["later"]
    late = round(facts["time_shift_sec"] * rate)
    assert late > 0
    assert not samples[:late].any()
    assert np.array_equal(samples[late:], parent)
    others = [facts["time_shift_sec"] for name, (_, _, facts) in variants.items() if name != "later"]
    assert set(others) == {0.0}


def test_leakage_is_the_other_party_late_and_quiet(variants, parent):
    samples, rate, facts = variants["leakage"]
    late = facts["recipe"]["delay_ms"] * rate // 1000
    extra = samples[:, 0].astype(float) - parent[:, 0]
    agent = parent[:-late, 1].astype(float)
    gain = float(np.dot(extra[late:], agent) / np.dot(agent, agent))
    assert 20 * np.log10(gain) == pytest.approx(-25.0, abs=0.2)
    assert not extra[:late].any()


def test_the_same_seed_gives_the_same_files_and_another_seed_others(hotato, barge_in):
    for folder, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert hotato("synth", barge_in, "--out", folder, "--seed", seed).code == 0
    files = {folder: {p.name: p.read_bytes() for p in Path(folder).iterdir()} for folder in "abc"}
    assert files["a"] == files["b"]
    noise = {f: next(v for k, v in files[f].items() if k.endswith("white-noise.wav")) for f in "ac"}
    assert noise["a"] != noise["c"]


def test_one_channel_has_no_other_to_leak_or_swap(hotato, mono):
    outcome = hotato("synth", mono, "--out", "made", "--format", "json")
    names = [sheet["variant"] for sheet in outcome.json["variants"]]
    assert names == [name for name in ALL if name not in ("leakage", "swapped")]
    assert len(outcome.json["written"]) == 2 * len(names)
    assert [one["variant"] for one in outcome.json["left_out"]] == ["leakage", "swapped"]
    text = hotato("synth", mono, "--out", "made").out
    for name in ("leakage", "swapped"):
        assert re.search(rf"^  {name} +left out: it needs two channels", text, re.M)
    assert "7 variants" in text


def test_two_channels_leave_nothing_out(hotato, barge_in):
    outcome = hotato("synth", barge_in, "--out", "made", "--format", "json")
    assert outcome.json["left_out"] == []
    assert "left out" not in hotato("synth", barge_in, "--out", "made").out


def test_a_truncated_recording_says_so_in_every_variant(hotato, barge_in):
    barge_in.write_bytes(barge_in.read_bytes()[:-20_000])
    sheets = hotato("synth", barge_in, "--out", "made", "--format", "json").json["variants"]
    assert {finding["code"] for sheet in sheets for finding in sheet["parent"]["findings"]} == {"truncated"}
    assert "are missing" in hotato("synth", barge_in, "--out", "made").out


def test_what_is_in_the_way_is_kept_and_a_refusal_leaves_nothing(hotato, barge_in, tmp_path):
    hotato("synth", barge_in, "--out", "made")
    target = next(Path("made").glob("*quieter.wav"))
    target.write_bytes(b"mine")
    assert hotato("synth", barge_in, "--out", "made").code == 2
    assert target.read_bytes() == b"mine"
    assert hotato("synth", barge_in, "--out", "made", "--force").code == 0
    text = tmp_path / "text.wav"
    text.write_text("no sound")
    assert hotato("synth", text, "--out", "none").code == 2
    assert not Path("none").exists()


def test_a_recording_too_long_to_hold_is_refused(hotato, barge_in, monkeypatch):
    monkeypatch.setattr("hotato.synth.parent.LONGEST_SAMPLES", 1000)
    outcome = hotato("synth", barge_in, "--out", "made", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "too_long")


def test_the_limit_is_the_one_in_the_pages_and_the_message(hotato, mono, monkeypatch):
    assert synth_parent.LONGEST_SAMPLES == 20 * 60 * 16000 * 2
    monkeypatch.setattr("hotato.synth.parent.LONGEST_SAMPLES", 12 * 16000 - 1)
    assert "lasts 12 s, and variants are made of at most 11 s" in hotato("synth", mono, "--out", "made").err
