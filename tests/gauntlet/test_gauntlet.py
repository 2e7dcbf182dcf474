"""The gauntlet: nothing matches that passes wrongly or cannot be judged, and a changed set is refused."""

from __future__ import annotations

import hashlib
import json
import shutil
from xml.etree import ElementTree

import pytest

from hotato import acoustics
from hotato.canonical import listing_digest, listing_digest_of
from hotato.errors import Refusal
from hotato.gauntlet import badge, plan_gauntlet, plan_text, result_text, run, run_gauntlet
from hotato.score.suite import bundled

CALL = {
    "id": "one",
    "title": "A call",
    "family": "hard-interruption",
    "condition": "clean",
    "caller_onset_sec": 2.0,
    "expected": {"yield": True, "max_time_to_yield_sec": 1.0},
    "sample_rate": 8000,
    "duration_sec": 5.0,
    "reference_render": {"caller_segments_sec": [[2.0, 3.5]], "agent_segments_sec": [[0.2, 2.4]]},
}
LATE = {"caller_segments_sec": [[2.0, 4.5]], "agent_segments_sec": [[0.2, 3.6]]}


@pytest.fixture(scope="module")
def result():
    return run_gauntlet()


@pytest.fixture
def pinned(tmp_path):
    """A set of our own with a manifest that pins it."""

    def make(*scenarios):
        files = {f"scenarios/{s['id']}.json": json.dumps(s).encode() for s in scenarios}
        audio = {f"audio/{s['id']}.example.wav": acoustics.recording(s) for s in scenarios}
        entry = {
            "version": "9",
            "scenarios": len(scenarios),
            "content_hash": f"sha256:{listing_digest(files | audio)}",
            "audio_sha256": {name: hashlib.sha256(data).hexdigest() for name, data in audio.items()},
        }
        (tmp_path / "scenarios").mkdir()
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        (tmp_path / "manifest.json").write_text(json.dumps({"sets": {"gauntlet": entry}}))
        return tmp_path

    return make


@pytest.fixture
def copied(tmp_path):
    """The bundled set, copied to where it can be changed."""
    return shutil.copytree(bundled("gauntlet"), tmp_path / "copy")


def test_every_scenario_of_the_bundled_set_matches(result):
    assert (result.total, result.matched, result.exit_code) == (24, 24, 0)
    assert (result.passed, result.must_pass, result.caught, result.must_fail) == (13, 13, 11, 11)
    assert result.not_scorable == 0
    assert sum(item.scenarios for item in result.families) == 24
    defects = {item.fails_on for item in result.scenarios if item.fails_on}
    assert defects == {"no_yield", "slow_yield", "talk_over", "late_answer", "false_stop"}


def test_the_recordings_are_the_pinned_ones(result):
    entry = json.loads((bundled("gauntlet") / "manifest.json").read_text())["sets"]["gauntlet"]
    assert {f"audio/{s.id}.example.wav": s.sha256 for s in result.scenarios} == entry["audio_sha256"]
    assert result.content_hash == entry["content_hash"]


def test_the_plan_is_what_will_be_run(result):
    plans = plan_gauntlet()
    assert [(p.id, p.expected, p.fails_on) for p in plans] == [
        (s.id, s.expected, s.fails_on) for s in result.scenarios
    ]
    assert plan_text(plans).count("must fail: ") == 11


def test_a_defect_that_passes_is_a_mismatch(pinned):
    result = run_gauntlet(pinned({**CALL, "fails_on": "slow_yield"}))
    assert (result.matched, result.exit_code, result.gauntlet) == (0, 1, "9")
    assert result.scenarios[0].verdict == "pass"
    assert "one: expected fail on slow_yield, got pass" in result_text(result)


def test_a_defect_that_fails_on_another_axis_is_a_mismatch(pinned):
    late = {**CALL, "reference_render": LATE}
    result = run_gauntlet(
        pinned({**late, "fails_on": "no_yield"}, {**late, "id": "two", "fails_on": "slow_yield"})
    )
    assert [s.matched for s in result.scenarios] == [False, True]
    assert result.scenarios[0].reason_codes == ("slow_yield",) and result.exit_code == 1


def test_a_call_that_cannot_be_judged_matches_nothing(pinned):
    silent = {"caller_segments_sec": [[2.0, 3.5]], "agent_segments_sec": [[4.0, 4.8]]}
    result = run_gauntlet(
        pinned(
            {**CALL, "reference_render": silent},
            {**CALL, "id": "two", "reference_render": silent, "fails_on": "no_yield"},
        )
    )
    assert (result.matched, result.not_scorable, result.exit_code) == (0, 2, 1)
    assert "the agent was silent" in result.scenarios[0].reasons[0]


def change(folder, name, key, value):
    path = folder / "scenarios" / name
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("fails_on", None),
        ("expected", {"yield": True, "max_time_to_yield_sec": 0.9}),
        ("sample_rate", 8000),
        ("id", "other"),
        ("title", 7),
        ("reference_render", {}),
    ],
)
def test_a_changed_scenario_is_refused(copied, key, value):
    change(copied, "gd-11-edge-bound-missed.json", key, value)
    for act in (run_gauntlet, plan_gauntlet):
        with pytest.raises(Refusal, match="a scenario says something else than was pinned") as refused:
            act(copied)
        assert refused.value.code == "gauntlet_changed"
        assert refused.value.exit_code == 2 and refused.value.remedy


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("sample_rate", 16000, "renders to other samples than were pinned"),
        ("title", 7, "a scenario cannot be read"),
        ("reference_render", {}, "describes no call"),
    ],
)
def test_a_scenario_that_was_pinned_again_has_to_render_to_its_digest(pinned, key, value, said):
    folder = pinned(CALL)
    change(folder, "one.json", key, value)
    manifest = json.loads((folder / "manifest.json").read_text())
    entry = manifest["sets"]["gauntlet"]
    text = (folder / "scenarios" / "one.json").read_bytes()
    digests = {"scenarios/one.json": hashlib.sha256(text).hexdigest(), **entry["audio_sha256"]}
    entry["content_hash"] = f"sha256:{listing_digest_of(digests)}"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(Refusal, match=said) as refused:
        run_gauntlet(folder)
    assert refused.value.code == "gauntlet_changed"


def test_another_set_that_pins_itself_does_not_pass_for_the_bundled_one(pinned, monkeypatch):
    folder = pinned(CALL)
    assert len(plan_gauntlet(folder)) == 1
    monkeypatch.setattr(run, "bundled", lambda name: folder)
    for act in (run_gauntlet, plan_gauntlet):
        with pytest.raises(Refusal, match="it is not the set of this version") as refused:
            act()
        assert refused.value.code == "gauntlet_changed"


def test_the_pins_are_those_of_the_packaged_manifest():
    entry = json.loads((bundled("gauntlet") / "manifest.json").read_text())["sets"]["gauntlet"]
    assert (entry["version"], entry["content_hash"]) == (run.GAUNTLET_VERSION, run.GAUNTLET_CONTENT)


def test_a_missing_or_an_added_scenario_is_refused(copied):
    scenario = copied / "scenarios" / "gd-11-edge-bound-missed.json"
    shutil.copy(scenario, scenario.with_name("zz.json"))
    with pytest.raises(Refusal, match="'zz' is missing or not part of it"):
        run_gauntlet(copied)
    (copied / "scenarios" / "zz.json").unlink()
    scenario.unlink()
    with pytest.raises(Refusal, match="'gd-11-edge-bound-missed' is missing"):
        plan_gauntlet(copied)


@pytest.mark.parametrize("text", ["", "{}", '{"sets": {"gauntlet": {"version": 1}}}'])
def test_a_manifest_that_is_none_is_refused(copied, text):
    (copied / "manifest.json").write_text(text)
    with pytest.raises(Refusal, match="its manifest cannot be read"):
        run_gauntlet(copied)


def test_a_missing_manifest_or_an_unreadable_scenario_is_refused(copied):
    (copied / "manifest.json").rename(copied / "elsewhere.json")
    with pytest.raises(Refusal, match="its manifest cannot be read") as refused:
        plan_gauntlet(copied)
    assert refused.value.code == "gauntlet_changed" and "install hotato again" in (refused.value.remedy or "")
    (copied / "elsewhere.json").rename(copied / "manifest.json")
    (copied / "scenarios" / "gd-11-edge-bound-missed.json").unlink()
    (copied / "scenarios" / "gd-11-edge-bound-missed.json").mkdir()
    with pytest.raises(Refusal, match="'gd-11-edge-bound-missed' cannot be read") as refused:
        plan_gauntlet(copied)
    assert refused.value.code == "gauntlet_changed"


def test_nothing_to_run_proves_nothing(tmp_path):
    entry = {
        "version": "1",
        "scenarios": 0,
        "content_hash": f"sha256:{listing_digest({})}",
        "audio_sha256": {},
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"sets": {"gauntlet": entry}}))
    with pytest.raises(Refusal):
        run_gauntlet(tmp_path)


def test_the_badge_says_what_was_shown_and_stands_alone(result):
    picture = badge(result)
    root = ElementTree.fromstring(picture)
    texts = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert texts == ["hotato gauntlet", "24/24 matched"]
    assert result.content_hash in picture and "href" not in picture and "<script" not in picture


def test_there_is_no_badge_of_a_gauntlet_that_was_not_passed(pinned):
    with pytest.raises(Refusal) as refused:
        badge(run_gauntlet(pinned(CALL, {**CALL, "id": "two", "fails_on": "slow_yield"})))
    assert refused.value.code == "gauntlet_failed"
    assert refused.value.message.startswith("1 of 2 scenarios")
