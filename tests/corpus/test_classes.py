"""The four classes: each says what it was made to say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from hotato.score import process_exit_code, run_suite

CLASSES = Path(__file__).resolve().parents[2] / "corpus" / "classes"
MANIFEST = json.loads((CLASSES / "manifest.json").read_text())["sets"]
FILES = {
    path.stem: (path.parents[1].name, json.loads(path.read_text()))
    for path in sorted(CLASSES.glob("*/scenarios/*.json"))
}
PACKET_SAMPLES = 160


@pytest.fixture(scope="module")
def telephone(build_classes):
    import sys

    return sys.modules["classes.telephone"]


def test_the_manifest_pins_what_the_tables_render_to(classes):
    assert {name: ran.entry for name, ran in classes.items()} == MANIFEST
    assert {name: item["scenarios"] for name, item in MANIFEST.items()} == {
        "mid-utterance-pause": 4,
        "backchannel-multilingual": 9,
        "noise-hold": 4,
        "telephony-degraded": 7,
    }


def test_the_scenario_files_are_what_the_tables_say(build_classes, callsets):
    for name, item in build_classes.SETS.items():
        texts = item.texts()
        assert [path for path, data in texts.items() if not callsets.holds(CLASSES / name / path, data)] == []
        assert len(list((CLASSES / name / "scenarios").iterdir())) == len(texts)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_call_passes_or_fails_on_its_axis(classes, name):
    group, scenario = FILES[name]
    event = classes[group].events[name]
    wanted = scenario.get("fails_on")
    assert event.get("scorable") is not False
    assert event["verdict"]["reason_codes"][:1] == ([] if wanted is None else [wanted])


def test_every_class_holds_a_defect_and_exits_1(classes):
    assert all(item["fails_on"] for item in MANIFEST.values())
    assert {process_exit_code(ran.envelope) for ran in classes.values()} == {1}


def test_a_thinking_pause_is_the_end_of_the_turn_for_the_default_setting(build_classes, tmp_path):
    item = build_classes.SETS["mid-utterance-pause"]
    for path, data in (item.texts() | item.recordings()).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    env = run_suite(scenarios_dir=tmp_path / "scenarios", audio_dir=tmp_path / "audio")
    assert {tuple(event["verdict"]["reason_codes"]) for event in env["events"]} == {("late_answer",)}


def test_the_setting_that_the_page_shows_passes_every_call(build_classes, tmp_path, monkeypatch, capsys):
    page = (CLASSES / "README.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    item = build_classes.SETS["mid-utterance-pause"]
    folder = tmp_path / "corpus" / "classes" / "mid-utterance-pause"
    for path, data in (item.texts() | item.recordings()).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert capsys.readouterr().out == "3 of 4\n"


def test_a_telephone_line_changes_no_verdict(classes, suites):
    for name, event in classes["telephony-degraded"].events.items():
        source = FILES[name][1]["source"]
        before = next(ran.events[source] for ran in suites.values() if source in ran.events)
        assert event["verdict"]["passed"] is before["verdict"]["passed"]
        assert event["verdict"]["reason_codes"] == before["verdict"]["reason_codes"]
        assert event["audio_provenance"]["sha256"] != before["audio_provenance"]["sha256"]


def test_a_lost_packet_is_silence_on_its_own_channel(telephone):
    samples = np.full((PACKET_SAMPLES * 4, 2), 7, np.int16)
    kept = telephone.without_packets(samples, PACKET_SAMPLES, {"caller": [1], "agent": [3]})
    assert kept.reshape(4, PACKET_SAMPLES, 2).any(axis=1).T.tolist() == [
        [True, False, True, True],
        [True, True, True, False],
    ]


def test_the_loss_schedule_is_fixed_and_inside_the_call(telephone):
    lost = telephone.loss_schedule(4.0, 20, 23, 7)
    assert lost == [7, 30, 53, 76, 77, 99, 122, 145, 168, 169, 191]
