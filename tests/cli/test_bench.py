"""`hotato bench`: a frozen battery scored, and a result verified by scoring it again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hotato.bench import suite_content_hash

from hotato.benchmark import TIERS, run_bench, verify_bench
from hotato.benchmark.frozen import content_hash
from hotato.canonical import digest
from hotato.errors import reject_overall_score

DATA = Path(__file__).resolve().parents[2] / "src" / "hotato" / "data"


@pytest.fixture
def suites(tmp_path: Path) -> Path:
    """Copies of the battery: `mine`, a set of one's own, and a `silver` that is not the frozen one."""
    for name in ("mine", "silver"):
        shutil.copytree(DATA / "battery", tmp_path / "suites" / name)
    return tmp_path / "suites"


def rewrite(path: Path, **changes: Any) -> None:
    """Change a result and give it the hash that fits."""
    changed = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({**changed, "content_hash": content_hash(changed)}))


def test_a_result_holds_counts_errors_and_cells_side_by_side(hotato):
    result = hotato("bench", "run").json
    assert result["pass_counts"] == {"scenarios": 8, "passed": 8, "failed": 0, "not_scorable": 0}
    assert result["error_stats_ms"]["time_to_yield"]["median"] == 150.0
    assert result["confusion"]["off_diagonal"] == 0
    assert (result["bench_version"], result["schema_version"], result["tier"]) == ("0.1", "1", "package")
    assert result["config"]["caller_vad"]["hangover_sec"] == 0.15
    assert (
        result["content_hash"] == f"sha256:{digest({k: v for k, v in result.items() if k != 'content_hash'})}"
    )
    reject_overall_score(result)


def test_two_runs_give_the_same_bytes_and_verify(hotato, tmp_path: Path):
    for name in ("a.json", "b.json"):
        done = hotato("bench", "run", "--out", name)
        assert (done.code, done.err) == (0, "")
        assert "8 passed, 0 failed" in done.out
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert hotato("bench", "verify", "a.json").code == 0
    assert hotato("bench", "verify", "a.json", "--format", "json").json["matches"] is True


def test_the_hash_of_a_battery_is_one_line_for_each_of_its_files():
    lines = []
    for folder, ending in (("audio", ".example.wav"), ("scenarios", ".json")):
        for path in sorted((DATA / "battery" / folder).glob(f"*{ending}")):
            lines.append(f"{folder}/{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n")
    assert len(lines) == 16
    expected = hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
    assert (
        suite_content_hash(DATA / "battery" / "scenarios", DATA / "battery" / "audio") == f"sha256:{expected}"
    )


def test_an_edited_result_is_refused(hotato, tmp_path: Path):
    hotato("bench", "run", "--out", "a.json")
    text = (tmp_path / "a.json").read_text()
    (tmp_path / "a.json").write_text(text.replace('"passed": 8', '"passed": 7'))
    done = hotato("bench", "verify", "a.json", "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "bench_edited")


def test_a_rewritten_result_is_found_by_running_again(hotato, tmp_path: Path):
    hotato("bench", "run", "--out", "a.json")
    counts = {"scenarios": 8, "passed": 7, "failed": 1, "not_scorable": 0}
    rewrite(tmp_path / "a.json", pass_counts=counts)
    done = hotato("bench", "verify", "a.json")
    assert done.code == 1
    assert "NOT the same result" in done.out
    assert verify_bench(tmp_path / "a.json").differing == ("pass_counts",)


def test_a_blended_figure_is_refused_wherever_it_stands(hotato, tmp_path: Path):
    hotato("bench", "run", "--out", "a.json")
    rewrite(tmp_path / "a.json", confusion={"correct_yield": 5, "more": [{"overall_score": 0.99}]})
    done = hotato("bench", "verify", "a.json", "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "overall_score")


def test_another_battery_withholds_the_judgement(hotato, suites: Path, tmp_path: Path):
    assert hotato("bench", "run", "--suite", "mine", "--suites-dir", suites, "--out", "a.json").code == 0
    assert hotato("bench", "verify", "a.json", "--suites-dir", suites).code == 0
    scenario = suites / "mine" / "scenarios" / "01-hard-interruption.json"
    scenario.write_text(scenario.read_text() + "\n")
    done = hotato("bench", "verify", "a.json", "--suites-dir", suites, "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "bench_battery")


def test_missing_audio_names_the_builder(hotato, suites: Path):
    (suites / "silver" / "audio" / "03-double-talk.example.wav").unlink()
    done = hotato("bench", "run", "--suite", "silver", "--suites-dir", suites, "--out", "a.json")
    assert done.code == 2
    assert "03-double-talk.example.wav" in done.err
    assert "build_suites.py" in done.err
    shutil.rmtree(suites / "silver" / "audio")
    assert "build_suites.py" in hotato("bench", "run", "--suite", "silver", "--suites-dir", suites).err
    assert not Path("a.json").exists()


@pytest.mark.parametrize("name", ["lead", "../silver", ""])
def test_an_unknown_battery_lists_the_frozen_ones(hotato, name: str):
    done = hotato("bench", "run", "--suite", name)
    assert done.code == 2
    for known in TIERS:
        assert known in done.err


@pytest.mark.parametrize("content", ["{", "[]", '{"kind": "stack-benchmark"}', '{"kind": "bench-result"}'])
def test_what_is_no_result_is_refused(hotato, tmp_path: Path, content: str):
    (tmp_path / "a.json").write_text(content)
    done = hotato("bench", "verify", "a.json")
    assert done.code == 2
    assert done.err.count("\n") == 1


def test_a_result_of_another_bench_version_is_refused(hotato, tmp_path: Path):
    hotato("bench", "run", "--out", "a.json")
    rewrite(tmp_path / "a.json", bench_version="0.2")
    assert hotato("bench", "verify", "a.json", "--format", "json").json["error_code"] == "bench_version"


def test_the_result_names_no_place(suites: Path):
    text = json.dumps(run_bench("mine", suites))
    assert str(suites) not in text
    assert str(Path.home()) not in text


def test_a_set_of_ones_own_says_that_it_is_no_frozen_battery(hotato, suites: Path, tmp_path: Path):
    told = hotato("bench", "run", "--suite", "mine", "--suites-dir", suites, "--out", "a.json")
    assert told.code == 0 and "none of the frozen batteries" in told.out
    result = json.loads((tmp_path / "a.json").read_text())
    assert (result["suite"], result["tier"], result["frozen"]) == ("mine", "own", False)
    verified = hotato("bench", "verify", "a.json", "--suites-dir", suites)
    assert verified.code == 0 and "none of the frozen batteries" in verified.out
    assert (
        hotato("bench", "verify", "a.json", "--suites-dir", suites, "--format", "json").json["frozen"]
        is False
    )
    assert hotato("bench", "run").json["frozen"] is True


def test_a_folder_with_the_name_of_a_battery_is_not_that_battery(hotato, suites: Path, tmp_path: Path):
    words = ("--suites-dir", suites, "--format", "json")
    done = hotato("bench", "run", "--suite", "silver", "--suites-dir", suites, "--out", "a.json")
    assert done.code == 2 and "build_suites.py" in done.err and not Path("a.json").exists()
    hotato("bench", "run", "--suite", "mine", "--suites-dir", suites, "--out", "a.json")
    rewrite(tmp_path / "a.json", suite="silver", tier="silver", frozen=True)
    assert hotato("bench", "verify", "a.json", *words).json["error_code"] == "battery_changed"


def test_a_changed_installation_scores_and_verifies_nothing(hotato, tmp_path: Path, monkeypatch):
    hotato("bench", "run", "--out", "a.json")
    changed = Path(shutil.copytree(DATA / "battery", tmp_path / "data" / "battery"))
    label = changed / "scenarios" / "01-hard-interruption.json"
    label.write_text(label.read_text().replace("2.4", "2.41"))
    monkeypatch.setattr("hotato.benchmark.frozen.bundled", lambda *parts: tmp_path.joinpath("data", *parts))
    assert "not the frozen one" in hotato("bench", "run").err
    assert hotato("bench", "verify", "a.json", "--format", "json").json["error_code"] == "battery_changed"


@pytest.mark.parametrize("place", ["nowhere", "a-file"])
def test_a_folder_of_suites_that_is_none_is_refused_for_every_battery(hotato, tmp_path: Path, place: str):
    (tmp_path / "a-file").write_text("")
    for suite in ("bundled", "silver", "mine"):
        done = hotato("bench", "run", "--suite", suite, "--suites-dir", place)
        assert done.code == 2 and place in done.err


@pytest.mark.parametrize("forged", ['"pass_counts": {"passed": 99},', '"confusion": {"overall_score": 1},'])
def test_a_key_that_is_stated_twice_is_refused_by_name(hotato, tmp_path: Path, forged: str):
    hotato("bench", "run", "--out", "a.json")
    text = (tmp_path / "a.json").read_text()
    (tmp_path / "a.json").write_text(text.replace("{", "{" + forged, 1))
    done = hotato("bench", "verify", "a.json", "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "repeated_key")
    assert forged.split('"')[1] in done.json["message"]


def test_a_version_of_another_type_is_shown_as_it_stands(hotato, tmp_path: Path):
    hotato("bench", "run", "--out", "a.json")
    rewrite(tmp_path / "a.json", schema_version=1)
    assert 'schema_version 1, and this hotato reads "1"' in hotato("bench", "verify", "a.json").err


def test_what_bears_the_name_of_a_recording_and_is_none_is_named(hotato, suites: Path):
    place = suites / "mine" / "audio" / "03-double-talk.example.wav"
    place.unlink()
    place.mkdir()
    assert "is a folder" in hotato("bench", "run", "--suite", "mine", "--suites-dir", suites).err
    place.rmdir()
    os.mkfifo(place)
    assert "is a pipe" in hotato("bench", "run", "--suite", "mine", "--suites-dir", suites).err
    done = hotato("run", "--scenarios", suites / "mine" / "scenarios", "--audio", suites / "mine" / "audio")
    assert done.code == 2 and "is a pipe" in done.err
