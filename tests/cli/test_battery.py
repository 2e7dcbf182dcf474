"""`hotato battery robustness`: where the verdict of one moment flips under noise and packet loss."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato import synth


@pytest.fixture
def outcome(hotato, barge_in):
    return hotato(
        "battery", "robustness", barge_in, "--out", "made", "--expect", "yield", "--onset", "2.4",
        "--format", "json",
    )  # fmt: skip


def test_the_table_counts_what_its_cells_say(outcome):
    result = outcome.json
    counts = Counter(cell["status"] for cell in result["cells"])
    summary = result["summary"]
    assert summary["cells"] == len(result["cells"]) == 20
    assert {name: counts[name] for name in ("same", "flipped", "unscorable")} == {
        name: summary[name] for name in ("same", "flipped", "unscorable")
    }
    assert outcome.code == result["exit_code"] == (1 if summary["flipped"] else 0)
    for cell in result["cells"]:
        verdict = (cell["passed"], cell["did_yield"])
        clean = (result["clean"]["passed"], result["clean"]["did_yield"])
        expected = "unscorable" if cell["passed"] is None else "same" if verdict == clean else "flipped"
        assert cell["status"] == expected


def test_the_clean_cell_is_what_run_says(outcome, hotato, barge_in):
    run = hotato("run", barge_in, "--expect", "yield", "--onset", "2.4", "--format", "json").json
    verdict = run["events"][0]["verdict"]
    clean = outcome.json["clean"]
    assert {name: clean[name] for name in ("passed", "did_yield", "seconds_to_yield", "talk_over_sec")} == {
        name: verdict[name] for name in ("passed", "did_yield", "seconds_to_yield", "talk_over_sec")
    }
    assert clean["pcm_sha256"] == run["events"][0]["audio_provenance"]["sides"][0]["pcm_sha256"]


def test_the_first_flip_of_a_ladder_is_its_mildest_flipped_rung(outcome):
    result = outcome.json
    for family, first in result["summary"]["first_flip"].items():
        flipped = [
            c["condition"] for c in result["cells"] if (c["family"], c["status"]) == (family, "flipped")
        ]
        assert first == (flipped[0] if flipped else None)


def test_the_mildest_noise_leaves_a_clear_verdict_alone(outcome):
    mild = {c["condition"]: c["status"] for c in outcome.json["cells"]}
    assert mild["white-30"] == mild["street-30"] == mild["loss-1-concealed"] == "same"


def test_the_result_is_written_and_the_same_twice(hotato, barge_in, outcome):
    again = hotato("battery", "robustness", "--wav", barge_in, "--out", "again", "--expect", "yield",
                   "--onset", "2.4", "--format", "json")  # fmt: skip
    one, two = ({**o.json, "written": None} for o in (outcome, again))
    assert one == two
    (written,) = outcome.json["written"]
    assert json.loads(Path(written).read_text()) == {k: v for k, v in outcome.json.items() if k != "written"}


def test_another_seed_is_other_noise(outcome, hotato, barge_in):
    other = hotato("battery", "robustness", barge_in, "--out", "made", "--expect", "yield", "--onset", "2.4",
                   "--seed", "9", "--format", "json").json  # fmt: skip
    one = {c["condition"]: c["pcm_sha256"] for c in outcome.json["cells"]}
    two = {c["condition"]: c["pcm_sha256"] for c in other["cells"]}
    assert all(one[name] != two[name] for name in ("white-20", "street-8", "loss-5"))


def test_an_onset_that_was_found_holds_for_every_condition(hotato, barge_in):
    label = hotato("battery", "robustness", barge_in, "--out", "made", "--format", "json").json["label"]
    assert label["onset_stated"] is label["expect_stated"] is False
    assert label["onset_sec"] == pytest.approx(2.4, abs=0.02)


def test_the_text_names_every_condition_and_where_it_flips(hotato, barge_in):
    text = hotato("battery", "robustness", barge_in, "--out", "made", "--expect", "yield").out
    for step in synth.degradations():
        assert f"  {step.name} " in text
    assert "white noise" in text
    assert "wrote   made/robustness-" in text


def test_a_recording_of_silence_is_refused_because_nothing_can_flip(hotato, tmp_path):
    quiet = tmp_path / "quiet.wav"
    soundfile.write(quiet, np.zeros((32000, 2), np.int16), 16000)
    outcome = hotato("battery", "robustness", quiet, "--out", "made", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "clean_unscorable")
    assert not Path("made").exists()


def test_a_truncated_recording_is_never_called_clean(hotato, barge_in):
    whole = barge_in.read_bytes()
    barge_in.write_bytes(whole[:-20_000])
    words = ("battery", "robustness", barge_in, "--out", "made", "--expect", "yield", "--onset", "2.4")
    result = hotato(*words, "--format", "json").json
    assert [finding["code"] for finding in result["recording"]["findings"]] == ["truncated"]
    cells = [result["clean"], *result["cells"]]
    assert all("truncated" in cell["trust_codes"] and cell["trust"] != "clean" for cell in cells)
    assert "are missing" in hotato(*words).out


def test_a_cell_that_trust_calls_not_scorable_has_no_verdict(hotato, tmp_path, monkeypatch):
    """Under one condition the line leaves a click of the caller, and to hold against nobody is no pass."""
    from hotato.synth import battery

    monkeypatch.setattr(
        battery, "degradations", lambda: [replace(step, apply=_without_caller(step)) for step in _loss()]
    )
    rate = 16_000
    sound = np.random.default_rng(3).integers(-9000, 9000, 8 * rate)
    samples = np.zeros((8 * rate, 2), np.int16)
    samples[2 * rate : 3 * rate, 0] = sound[:rate]
    samples[rate // 2 : 4 * rate, 1] = sound[rate // 2 : 4 * rate]
    call = tmp_path / "call.wav"
    soundfile.write(call, samples, rate)
    outcome = hotato("battery", "robustness", call, "--out", "made", "--expect", "hold", "--format", "json")
    assert outcome.json["clean"]["passed"] is True
    assert {cell["trust"] for cell in outcome.json["cells"]} == {"not_scorable"}
    assert {cell["status"] for cell in outcome.json["cells"]} == {"unscorable"}
    assert {cell["passed"] for cell in outcome.json["cells"]} == {None}
    assert {cell["not_scorable_code"] for cell in outcome.json["cells"]} == {"not_scorable"}
    assert outcome.code == 2
    text = " ".join(hotato("battery", "robustness", call, "--out", "made", "--expect", "hold").out.split())
    (reason,) = {reason for cell in outcome.json["cells"] for reason in cell["reasons"]}
    assert f"loss-1, loss-3, loss-5, loss-10: no verdict, {reason}" in text


def _loss():
    return [step for step in synth.degradations() if step.family == "loss"]


def _without_caller(step):
    def apply(parent, channel, text):
        samples = step.apply(parent, channel, text).copy()
        if channel == 0:
            samples[: 2 * 16_000] = 0.0
            samples[2 * 16_000 + 160 :] = 0.0
        return samples

    return apply


def test_every_cell_says_which_detector_heard_whom(outcome, hotato, barge_in):
    for cell in (outcome.json["clean"], *outcome.json["cells"]):
        assert set(cell["detectors"]) == {"caller", "agent"}
        assert set(cell["detectors"].values()) <= {"reference", "robust"}
    assert set(outcome.json["clean"]["detectors"].values()) == {"reference"}
    text = hotato("battery", "robustness", barge_in, "--out", "made", "--expect", "yield").out
    assert "robust for" in text and max(map(len, text.splitlines())) <= 80


def test_a_single_channel_is_refused(hotato, mono):
    outcome = hotato("battery", "robustness", mono, "--out", "made", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "mono")
    assert not Path("made").exists()


@pytest.mark.parametrize("words", [[], ["call.wav", "--wav", "call.wav"]])
def test_one_recording_is_named_once(hotato, barge_in, words):
    barge_in.rename("call.wav")
    assert hotato("battery", "robustness", *words, "--out", "made").code == 2


@pytest.mark.parametrize(("same", "flipped", "code"), [(3, 0, 0), (2, 1, 1), (0, 1, 1), (0, 0, 2)])
def test_a_flip_fails_and_no_scored_condition_is_no_pass(same, flipped, code):
    assert synth.robustness_exit_code({"summary": {"same": same, "flipped": flipped}}) == code


def test_a_bound_decides_where_the_yield_moves_across_it(hotato, barge_in):
    words = ("battery", "robustness", barge_in, "--expect", "yield", "--onset", "2.4", "--out", "made")
    free = hotato(*words, "--format", "json").json
    furthest, clean = free["summary"]["furthest_yield"], free["clean"]["seconds_to_yield"]
    waits = {cell["condition"]: cell["seconds_to_yield"] for cell in free["cells"]}
    moves = {name: abs(sec - clean) for name, sec in waits.items() if sec is not None}
    assert moves[furthest["condition"]] == max(moves.values()) > 0
    assert waits[furthest["condition"]] == furthest["seconds_to_yield"]
    said = " ".join(hotato(*words).out.split())
    assert "expected yield; no bounds stated; onset 2.40 s, as stated" in said
    assert f"moves furthest to {furthest['seconds_to_yield']:.2f} s under {furthest['condition']}" in said
    assert "no verdict depends on it without a bound (--max-time-to-yield)" in said

    bound = (furthest["seconds_to_yield"] + clean) / 2
    bounded = hotato(*words, "--max-time-to-yield", f"{bound:.4f}", "--format", "json")
    flipped = [cell["condition"] for cell in bounded.json["cells"] if cell["status"] == "flipped"]
    assert furthest["condition"] in flipped and bounded.code == 1
    assert bounded.json["label"]["max_time_to_yield_sec"] == pytest.approx(bound, abs=1e-4)
    assert bounded.json["written"] != free["written"]


def test_the_profile_decides_what_the_verdict_rests_on(hotato, barge_in):
    words = ("battery", "robustness", barge_in, "--expect", "yield", "--onset", "2.4", "--out", "made")
    made = {name: hotato(*words, "--profile", name, "--format", "json").json
            for name in ("documented", "calibrated")}  # fmt: skip
    for name, result in made.items():
        run = hotato("run", barge_in, "--expect", "yield", "--onset", "2.4", "--profile", name,
                     "--format", "json").json  # fmt: skip
        assert result["label"]["profile"] == name
        assert result["clean"]["seconds_to_yield"] == run["events"][0]["verdict"]["seconds_to_yield"]
    hangover = (
        made["documented"]["clean"]["seconds_to_yield"] - made["calibrated"]["clean"]["seconds_to_yield"]
    )
    assert hangover == pytest.approx(0.15, abs=0.02)
    assert "profile calibrated" in hotato(*words, "--profile", "calibrated", "--force").out


def test_a_failure_that_holds_is_not_told_like_a_pass(hotato, barge_in):
    outcome = hotato("battery", "robustness", barge_in, "--out", "made", "--expect", "hold", "--onset", "2.4")
    said = " ".join(outcome.out.split())
    assert "The recording as it is fails: " in said and "The failure " in said and "The verdict " not in said
    result = json.loads(next(Path("made").iterdir()).read_text())
    assert result["summary"]["clean_passed"] is False


def test_a_label_that_was_not_stated_is_said_to_be_assumed(hotato, barge_in):
    said = " ".join(hotato("battery", "robustness", barge_in, "--out", "made").out.split())
    assert "no label given: yield assumed; no bounds stated; onset 2.39 s, detected" in said
