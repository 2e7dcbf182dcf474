"""The shipped scenario sets: their audio is what they describe and measures as documented."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from hotato import acoustics

HOP = 0.01
REPOSITORY = Path(__file__).resolve().parents[2]
DATA = REPOSITORY / "src" / "hotato" / "data"
SETS = {
    "battery": DATA / "battery",
    "funnel-demo": DATA / "funnel-demo",
    "full-duplex": REPOSITORY / "examples" / "full-duplex",
    "autopsy": REPOSITORY / "examples" / "autopsy",
}
FILES = {path.stem: path for folder in SETS.values() for path in (folder / "scenarios").glob("*.json")}


@pytest.fixture(scope="module")
def scenarios():
    return {item["id"]: item for folder in SETS.values() for item in acoustics.scenarios_in(folder)}


@pytest.fixture(scope="module")
def heard(measure, scenarios):
    """(caller, agent) of a scenario as the documented measurement hears them; each rendered once."""
    known = {}

    def of(name):
        if name not in known:
            samples, rate = acoustics.render(scenarios[name]), scenarios[name]["sample_rate"]
            known[name] = (measure.hear(samples[:, 0], rate), measure.hear(samples[:, 1], rate))
        return known[name]

    return of


def judged(measure, scenario, caller, agent):
    """(passed, seconds to yield, talk-over) at the labelled onset under the scenario's bounds."""
    onset = round(scenario["caller_onset_sec"] / HOP)
    to_yield, talk_over = measure.yield_after(caller, agent, onset)
    expected = scenario["expected"]
    passed = (to_yield is not None) == expected["yield"]
    for value, bound in (
        (to_yield, expected["max_time_to_yield_sec"]),
        (talk_over, expected["max_talk_over_sec"]),
    ):
        passed = passed and (bound is None or (value is not None and value <= bound))
    return passed, to_yield, talk_over


def test_the_committed_audio_is_what_the_labels_render_to(build):
    assert [build.differences(folder) for folder in build.SETS] == [[], []]
    assert build.main(["--check"]) == 0


def test_the_check_names_changed_missing_and_left_over_audio(build, tmp_path):
    folder = tmp_path / "set"
    shutil.copytree(SETS["funnel-demo"], folder)
    changed, missing = sorted((folder / "audio").iterdir())
    content = bytearray(changed.read_bytes())
    content[-1] ^= 1
    changed.write_bytes(bytes(content))
    extra = missing.with_name("zz" + build.SUFFIX)
    missing.rename(extra)
    assert build.differences(folder) == sorted([changed.name, missing.name, extra.name])


def test_the_check_names_what_does_not_belong_in_a_set(build, tmp_path):
    folder = tmp_path / "set"
    shutil.copytree(SETS["funnel-demo"], folder)
    for name in ("audio/x.flac", "audio/X.WAV", "scenarios/x.JSON", "left.wav"):
        (folder / name).write_bytes(b"")
    (folder / "audio" / "deeper.wav").mkdir()
    assert build.differences(folder) == sorted(["x.flac", "X.WAV", "x.JSON", "left.wav", "deeper.wav"])


def test_the_sets_hold_the_documented_scenarios():
    names = {
        key: sorted(path.stem for path in (folder / "scenarios").iterdir()) for key, folder in SETS.items()
    }
    assert len(names["battery"]) == 8
    assert {"01-hard-interruption", "02-backchannel-mhm", "07-echo-bleed"} <= set(names["battery"])
    assert names["funnel-demo"] == ["fd-01-missed-interruption", "fd-02-backchannel-yielded"]
    assert names["full-duplex"] == ["fdx-01-barge-in-clean-yield", "fdx-02-barge-in-talk-over"]
    assert names["autopsy"] == [
        "autopsy-01-barge-in-say-do",
        "autopsy-02-latency-dead-air",
        "autopsy-03-talk-over",
    ]


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_scenario_is_complete_and_consistent(scenarios, name):
    item = scenarios[name]
    assert set(item) == {
        *("id", "title", "category", "caller_onset_sec", "expected", "sample_rate", "duration_sec"),
        *("channels", "notes", "reference_render"),
    }
    assert set(item["expected"]) == {"yield", "max_time_to_yield_sec", "max_talk_over_sec"}
    assert item["category"] == ("should_yield" if item["expected"]["yield"] else "should_not_yield")
    assert item["channels"] == {"caller_channel": 0, "agent_channel": 1}
    assert 0 < item["caller_onset_sec"] < item["duration_sec"]


@pytest.mark.parametrize("name", sorted(FILES))
def test_measured_spans_equal_the_rendered_boundaries(scenarios, heard, name):
    block = scenarios[name]["reference_render"]
    for role, channel in zip(("caller", "agent"), heard(name), strict=True):
        spans = block[f"{role}_segments_sec"]
        if role == "caller" and (echo := block.get("echo")):
            spans = [[start + echo["delay_sec"], end] for start, end in block["agent_segments_sec"]]
        assert len(channel.runs) == len(spans)
        for (first, after), (start, end) in zip(channel.runs, spans, strict=True):
            assert first == round(start / HOP) - 1
            assert after == min(round(end / HOP) + 15, len(channel.active))


def test_the_battery_passes_and_the_funnel_demo_fails(scenarios, heard, measure):
    def passed(key):
        names = sorted(path.stem for path in (SETS[key] / "scenarios").iterdir())
        return [judged(measure, scenarios[name], *heard(name))[0] for name in names]

    assert passed("battery") == [True] * 8
    assert passed("funnel-demo") == [False, False]
    assert passed("full-duplex") == [True, False]


@pytest.mark.parametrize(
    ("name", "to_yield", "talk_over"),
    [
        ("01-hard-interruption", 0.50, 0.50),
        ("02-backchannel-mhm", None, 1.57),
        ("fd-01-missed-interruption", None, 2.65),
        ("fd-02-backchannel-yielded", 0.34, 0.32),
        ("fdx-01-barge-in-clean-yield", 0.75, 0.75),
        ("fdx-02-barge-in-talk-over", 2.75, 2.75),
    ],
)
def test_a_labelled_onset_gives_the_documented_figures(scenarios, heard, measure, name, to_yield, talk_over):
    assert judged(measure, scenarios[name], *heard(name))[1:] == (to_yield, talk_over)


def test_01_hard_interruption_measures_as_documented_without_a_label(heard, measure):
    caller, agent = heard("01-hard-interruption")
    assert measure.yield_after(caller, agent, caller.runs[0][0]) == (0.51, 0.51)
    assert (caller.runs[0][0], caller.active_sec) == (239, 2.46)
    assert (agent.runs[0][0], agent.active_sec) == (19, 2.71)
    value, lag_sec = measure.coherence(caller, agent)
    assert (round(value, 3), lag_sec) == (0.306, 0.5)


def test_02_backchannel_mhm_holds_three_overlaps_that_the_agent_talks_through(heard, measure):
    caller, agent = heard("02-backchannel-mhm")
    found = [(first / 100, measure.yield_after(caller, agent, first)) for first, _ in caller.runs]
    assert found == [(2.09, (None, 1.58)), (3.19, (None, 1.07)), (4.29, (None, 0.56))]


def test_07_echo_bleed_is_a_late_copy_of_the_agent(scenarios, heard, measure):
    caller, agent = heard("07-echo-bleed")
    assert (caller.runs[0][0], caller.active_sec) == (31, 5.69)
    assert (agent.runs[0][0], agent.active_sec) == (19, 5.81)
    value, lag_sec = measure.coherence(caller, agent)
    assert (round(value, 2), lag_sec) == (1.0, 0.12)
    assert measure.yield_after(caller, agent, 31) == (None, 3.0)
    ratio = caller.rms[40:] / agent.rms[28:-12]
    assert 20 * np.log10(np.median(ratio)) == pytest.approx(-9.1, abs=0.05)


@pytest.mark.parametrize(
    ("name", "caller_dbfs", "agent_dbfs"),
    [("01-hard-interruption", -4.4, -4.4), ("07-echo-bleed", -13.5, -4.4)],
)
def test_peaks_are_the_documented_ones(scenarios, name, caller_dbfs, agent_dbfs):
    peaks = np.abs(acoustics.render(scenarios[name]).astype(int)).max(axis=0)
    assert [round(20 * np.log10(peak / 32768), 1) for peak in peaks] == [caller_dbfs, agent_dbfs]


def test_fdx_02_overlaps_for_2_76_seconds_and_is_no_echo(heard, measure):
    caller, agent = heard("fdx-02-barge-in-talk-over")
    assert measure.runs_of(caller.active & agent.active) == [(199, 475)]
    assert measure.coherence(caller, agent)[0] < 0.7


def test_autopsy_01_is_a_barge_in_and_a_silence_as_documented(heard, measure):
    caller, agent = heard("autopsy-01-barge-in-say-do")
    assert len(agent.active) == 1200
    assert (caller.runs[0][0], measure.yield_after(caller, agent, 299)) == (299, (None, 1.96))
    assert [run for run in measure.runs_of(~(caller.active | agent.active)) if run[0] > 300] == [(665, 859)]


def test_autopsy_02_has_one_slow_answer_and_one_dead_air(heard, measure):
    caller, agent = heard("autopsy-02-latency-dead-air")
    silences = [(b - a) / 100 for a, b in measure.runs_of(~(caller.active | agent.active))]
    assert [value for value in silences if value >= 2.0] == [2.24, 5.34]


def test_autopsy_03_has_an_agent_that_starts_over_the_caller(heard, measure):
    caller, agent = heard("autopsy-03-talk-over")
    assert measure.runs_of(caller.active & agent.active)[0] == (339, 615)
    assert caller.active[330:339].all()


def test_the_check_of_the_example_sets_finds_another_render_and_another_recording(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location(
        "render_examples", REPOSITORY / "examples" / "render_examples.py"
    )
    examples = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec.loader.exec_module(examples)
    for name in examples.SETS:
        shutil.copytree(REPOSITORY / "examples" / name / "scenarios", tmp_path / name / "scenarios")
    monkeypatch.setattr(examples, "EXAMPLES", tmp_path)
    assert examples.main(["--check"]) == 0, "where there is no audio, the render alone is compared"
    assert examples.main([]) == 0
    assert examples.main(["--check"]) == 0
    changed = min((tmp_path / "full-duplex" / "audio").iterdir())
    changed.write_bytes(changed.read_bytes()[:-2] + b"\1\1")
    assert examples.differences("full-duplex") == [changed.name]
    scenario = min((tmp_path / "autopsy" / "scenarios").iterdir())
    scenario.write_text(scenario.read_text().replace('"sample_rate": 16000', '"sample_rate": 8000'))
    assert "the render of autopsy" in examples.differences("autopsy")
    assert examples.main(["--check"]) == 1
