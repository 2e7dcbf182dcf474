"""The four suites: what their tables say, what their audio is, and what a run of them says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato import acoustics
from hotato.score import process_exit_code

SUITES = Path(__file__).resolve().parents[2] / "corpus" / "suites"
MANIFEST = json.loads((SUITES / "manifest.json").read_text())["sets"]
FILES = {
    path.stem: (path.parents[1].name, json.loads(path.read_text()))
    for path in sorted(SUITES.glob("*/scenarios/*.json"))
}
DEFECTS = sorted(name for name, (suite, _) in FILES.items() if suite.endswith("-defects"))
FAMILIES = {
    *("hard-interruption", "backchannel", "double-talk", "one-word", "stutter-onset"),
    *("multi-turn", "resume-reinterrupt", "latency-prompt"),
}
HANGOVER_SEC, HOP_SEC = 0.15, 0.01


def test_the_suites_have_their_documented_sizes_tiers_and_exits():
    said = {name: (item["tier"], item["scenarios"], item["expected_exit"]) for name, item in MANIFEST.items()}
    assert said == {
        "silver": ("silver", 40, 0),
        "silver-defects": ("silver", 16, 1),
        "gold": ("gold", 40, 0),
        "gold-defects": ("gold", 16, 1),
    }
    assert len(FILES) == 112
    assert all(set(MANIFEST[name]["families"]) == FAMILIES for name in ("silver", "silver-defects", "gold"))
    assert MANIFEST["silver"]["sample_rates_hz"] == [16000]
    assert MANIFEST["gold"]["sample_rates_hz"] == [8000, 16000]
    assert sum(item["fails_on"].get("late_answer", 0) for item in MANIFEST.values()) == 6
    assert sum("capture_defect" in scenario for _, scenario in FILES.values()) == 2


def test_the_manifest_pins_what_the_tables_render_to(suites):
    assert {name: ran.entry for name, ran in suites.items()} == MANIFEST


def test_the_scenario_files_are_what_the_tables_say(build_suites, callsets):
    for name, item in build_suites.SETS.items():
        texts = item.texts()
        assert all(callsets.holds(SUITES / name / path, data) for path, data in texts.items())
        assert len(list((SUITES / name / "scenarios").iterdir())) == len(texts)


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_a_run_exits_as_documented_and_judges_everything(suites, name):
    envelope = suites[name].envelope
    assert process_exit_code(envelope) == MANIFEST[name]["expected_exit"]
    passed = 0 if name.endswith("-defects") else MANIFEST[name]["scenarios"]
    assert envelope["summary"]["passed"] == passed and "not_scorable" not in envelope["summary"]


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_fails_on_the_axis_it_was_made_for(suites, name):
    suite, scenario = FILES[name]
    codes = suites[suite].events[name]["verdict"]["reason_codes"]
    assert scenario["fails_on"] in codes
    alone = scenario["fails_on"] in ("late_answer", "false_stop", "talk_over")
    assert codes == [scenario["fails_on"]] if alone else set(codes) <= {scenario["fails_on"], "talk_over"}


@pytest.mark.parametrize("suite", sorted(MANIFEST))
def test_the_energy_edges_find_the_true_times(suites, suite):
    for name, event in suites[suite].events.items():
        truth = FILES[name][1]["truth"]["events"]
        assert (truth[0]["yield_sec"] is None) is (event["verdict"]["seconds_to_yield"] is None), name
        if truth[0]["yield_sec"] is not None:
            assert event["edges"]["time_to_yield"]["sec"] == pytest.approx(truth[0]["yield_sec"], abs=0.03)
            documented = truth[0]["yield_sec"] + HANGOVER_SEC
            assert event["verdict"]["seconds_to_yield"] == pytest.approx(documented, abs=0.03)
        if len(truth) == 2 and truth[1]["gap_sec"] is not None:
            assert event["edges"]["response_gap"]["sec"] == pytest.approx(truth[1]["gap_sec"], abs=0.03)


def test_the_loudest_noise_that_must_pass_stands_23_8_db_below_the_speech(suites):
    estimates = [event["snr_estimate"] for event in suites["gold"].events.values()]
    assert min(min(e["caller_db"], e["agent_db"]) for e in estimates) == pytest.approx(23.8, abs=0.1)


@pytest.mark.parametrize("name", ["s-02-hard-middle", "g-29-echo-hard-loud", "g-11-narrow-hard"])
def test_the_stimulus_is_the_caller_alone(tmp_path, name):
    scenario = FILES[name][1]
    (tmp_path / "caller.wav").write_bytes(acoustics.stimulus(scenario))
    alone, rate = soundfile.read(tmp_path / "caller.wav", dtype="int16")
    assert (alone.ndim, rate) == (1, scenario["sample_rate"])
    call = acoustics.render(scenario)[:, 0]
    assert np.array_equal(alone, call) is ("echo" not in scenario["reference_render"])
    start, end = (round(t * rate) for t in scenario["truth"]["caller_spans_sec"][0])
    floor = np.concatenate([alone[:start], alone[end:]]).astype(int)
    assert np.abs(floor).max() < 20 < np.abs(alone[start:end].astype(int)).max()


def plan(callsets, **more):
    return callsets.Plan(**{"family": "any", "caller": [], "agent": [], "onset_sec": 2.0, **more})


def test_the_truth_closes_short_pauses_and_keeps_long_ones(callsets):
    (truth,) = [callsets.truth_of(plan(callsets, caller=[(0.0, 1.0), (1.14, 2.0), (2.15, 3.0)]))]
    assert truth["caller_spans_sec"] == [[0.0, 2.0], [2.15, 3.0]]


def test_a_segment_inside_another_does_not_end_it(callsets):
    truth = callsets.truth_of(plan(callsets, agent=[(0.2, 5.6), (2.95, 4.55)]))
    assert truth["agent_spans_sec"] == [[0.2, 5.6]]


@pytest.mark.parametrize(
    ("caller", "agent", "yielded", "both"),
    [
        ([(2.0, 4.0)], [(0.2, 2.5)], 0.5, 0.5),
        ([(2.0, 4.0)], [(0.2, 2.5), (2.68, 6.0)], None, 1.82),  # 0.18 s are no stop
        ([(2.0, 4.0)], [(0.2, 2.5), (2.7, 6.0)], 0.5, 0.5),
        ([(2.0, 2.3)], [(0.2, 2.9)], None, 0.3),  # the agent only ends its own sentence
        ([(2.0, 6.0)], [(0.2, 5.1)], None, 3.0),  # too late to be looked for
    ],
)
def test_the_truth_of_a_yield_is_the_documented_meaning_on_the_true_spans(
    callsets, caller, agent, yielded, both
):
    (event,) = callsets.truth_of(plan(callsets, caller=caller, agent=agent))["events"]
    assert (event["kind"], event["yield_sec"], event["talk_over_sec"]) == ("barge_in", yielded, both)


def test_the_truth_of_an_answer_is_counted_from_the_end_of_the_turn(callsets):
    bounds = callsets.Bounds(response_gap=1.5)
    spoken = {"caller": [(2.0, 3.0), (3.5, 4.0)], "agent": [(0.2, 2.3), (5.1, 6.0)], "bounds": bounds}
    truth = callsets.truth_of(plan(callsets, **spoken, thinking_sec=1.0))
    assert truth["events"][1] == {"kind": "latency", "at_sec": 4.0, "expect": None, "gap_sec": 1.1}
    assert callsets.truth_of(plan(callsets, **spoken))["events"][1]["at_sec"] == 3.0
    spoken["agent"] = [(0.2, 2.3)]
    assert callsets.truth_of(plan(callsets, **spoken))["events"][1]["gap_sec"] is None


@pytest.fixture
def small(callsets, build_suites, tmp_path):
    """Two scenarios of the silver suite as a set of their own, built."""
    item = callsets.CallSet(tmp_path / "small", build_suites.SETS["silver"].scenarios[:2], {"tier": "x"})
    sets, manifest = {"small": item}, tmp_path / "manifest.json"
    callsets.build(sets, manifest, "small")
    return sets, manifest, item.folder


def test_the_check_of_a_built_set_finds_nothing_with_and_without_its_audio(callsets, small):
    sets, manifest, folder = small
    assert callsets.differences(sets, manifest, "small") == []
    for path in (folder / "audio").iterdir():
        path.unlink()
    assert callsets.run_builder(sets, manifest, "small", ["--check"]) == 0


def test_the_check_names_what_is_changed_missing_or_left_over(callsets, small):
    sets, manifest, folder = small
    changed, other, *_ = sorted((folder / "audio").iterdir())
    changed.write_bytes(changed.read_bytes()[:-2] + b"\1\1")
    other.rename(folder / "audio" / "left.wav")
    gone = min((folder / "scenarios").iterdir())
    gone.unlink()
    assert callsets.differences(sets, manifest, "small") == sorted(
        [changed.name, other.name, "left.wav", gone.name]
    )
    assert callsets.run_builder(sets, manifest, "small", ["--check"]) == 1


def test_where_there_is_audio_all_of_it_has_to_be_there(callsets, small):
    sets, manifest, folder = small
    _, *others = sorted((folder / "audio").iterdir())
    for path in others:
        path.unlink()
    assert callsets.differences(sets, manifest, "small") == [path.name for path in others]


def test_the_check_names_what_does_not_belong_there(callsets, small):
    sets, manifest, folder = small
    first, second, *_ = sorted((folder / "audio").iterdir())
    second.rename(folder / "moved.wav")
    second.symlink_to(folder / "moved.wav")
    first.unlink()
    first.mkdir()
    (first / "nested.wav").write_bytes(b"")
    for name in ("audio/x.flac", "audio/X.WAV", "scenarios/x.JSON", "scenarios/notes.txt"):
        (folder / name).write_bytes(b"")
    (folder / "scenarios" / "deeper").mkdir()
    names = ["x.flac", "X.WAV", "x.JSON", "notes.txt", "deeper", "moved.wav", first.name, second.name]
    assert callsets.differences(sets, manifest, "small") == sorted(names)


def test_a_set_whose_audio_is_not_kept_has_none(callsets, small):
    sets, manifest, folder = small
    bare = {"small": replace(sets["small"], keeps_audio=False)}
    names = sorted(path.name for path in (folder / "audio").iterdir())
    assert callsets.differences(bare, manifest, "small") == names


def test_a_build_that_fails_leaves_the_scenarios_that_were_there(callsets, small, monkeypatch):
    sets, manifest, folder = small
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def full(files):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(callsets, "write_set", full)
        assert callsets.run_builder(sets, manifest, "small", []) == 2
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert callsets.run_builder(sets, manifest, "small", []) == 0


def test_a_build_removes_what_an_earlier_one_wrote_and_nothing_else(callsets, small, capsys):
    sets, manifest, folder = small
    kept, gone = (scenario["id"] for scenario in sets["small"].scenarios)
    (folder / "scenarios" / "zz.json").write_text("mine")
    fewer = {"small": replace(sets["small"], scenarios=sets["small"].scenarios[:1])}
    assert callsets.run_builder(fewer, manifest, "small", []) == 0
    assert [path.name for path in sorted((folder / "scenarios").iterdir())] == [f"{kept}.json", "zz.json"]
    assert (folder / "scenarios" / "zz.json").read_text() == "mine"
    assert not any(path.name.startswith(gone) for path in (folder / "audio").iterdir())
    assert capsys.readouterr().err == "small: left alone, not of this set: zz.json\n"
    assert callsets.differences(fewer, manifest, "small") == ["zz.json"]


def test_a_manifest_that_names_other_places_removes_nothing_there(callsets, small):
    sets, manifest, folder = small
    outside = folder.parent / "kept.example.wav"
    outside.write_bytes(b"mine")
    entries = json.loads(manifest.read_text())
    entries["sets"]["small"]["audio_sha256"]["../kept.example.wav"] = "0"
    entries["sets"]["small"]["audio_sha256"]["audio/../../kept.example.wav"] = "0"
    manifest.write_text(json.dumps(entries))
    callsets.build(sets, manifest, "small")
    assert outside.read_bytes() == b"mine"
    manifest.write_text("{broken")
    callsets.build(sets, manifest, "small")
    assert callsets.differences(sets, manifest, "small") == []


def test_the_check_needs_no_audio_to_find_another_render(callsets, small):
    sets, manifest, folder = small
    louder = [
        {**s, "reference_render": {**s["reference_render"], "gain_db": {"agent": -1.0}}}
        for s in sets["small"].scenarios
    ]
    for path in (folder / "audio").iterdir():
        path.unlink()
    other = {"small": callsets.CallSet(folder, louder, {"tier": "x"})}
    assert manifest.name in callsets.differences(other, manifest, "small")
