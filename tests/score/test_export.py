"""The frame dump, its JSON lines, and the flat files."""

from __future__ import annotations

import csv
import json

import pytest

from hotato.errors import Refusal
from hotato.score import (
    EVENT_COLUMNS,
    FRAME_COLUMNS,
    describe,
    dump_frames_for_input,
    frames_jsonl,
    run_export,
    run_single,
)


@pytest.fixture
def call(render):
    return render("call.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4), (4.5, 6.0)])


def rows_of(path):
    lines = [line for line in path.read_text().splitlines(keepends=True) if not line.startswith("#")]
    return list(csv.DictReader(lines))


def test_every_active_flag_follows_from_level_threshold_and_hangover(call):
    dump = dump_frames_for_input(stereo=call)
    held = 0
    for row in dump["frames"]:
        loud = row["agent_dbfs"] >= row["agent_threshold_db"]
        held = 16 if loud else max(0, held - 1)
        assert row["agent_active"] == (held > 0)
    assert len(dump["frames"]) == 600 and dump["frames"][123]["t_sec"] == 1.23


def test_the_dump_agrees_with_the_documented_thresholds(shared_data):
    clips = json.loads((shared_data / "expected-1.18.json").read_text())["clips"]
    for clip, expected in list(clips.items())[:4]:
        dump, vad = dump_frames_for_input(stereo=shared_data / clip), expected["vad"]
        assert len(dump["frames"]) == vad["frames"]
        for party in ("caller", "agent"):
            for number in (f"{party}_threshold_db", f"{party}_noise_floor_db"):
                assert dump["frames"][0][number] == vad[number]
            assert sum(row[f"{party}_active"] for row in dump["frames"]) == vad["active_frames"][party]


def test_the_dump_as_lines_begins_with_what_it_is_about(call):
    dump = dump_frames_for_input(stereo=call, onset_sec=2.0)
    first, *rest = [json.loads(line) for line in frames_jsonl(dump).splitlines()]
    assert first["_meta"] is True and first["source"] == "call.wav" and first["caller_onset_sec"] == 2.0
    assert rest == dump["frames"] and first["config"]["agent_vad"]["hangover_sec"] == 0.15


def test_an_export_holds_the_numbers_of_the_envelope(call, tmp_path):
    manifest = run_export(out_dir=tmp_path / "out", stereo=call, onset_sec=2.0, expect="yield")
    (event,) = rows_of(tmp_path / "out" / "events.csv")
    frames = rows_of(tmp_path / "out" / "frames.csv")
    env = json.loads((tmp_path / "out" / "envelope.json").read_text())
    assert env == manifest["env"] == run_single(stereo=call, onset_sec=2.0, expect="yield")
    assert tuple(event) == EVENT_COLUMNS and tuple(frames[0]) == FRAME_COLUMNS
    assert float(event["seconds_to_yield"]) == env["events"][0]["verdict"]["seconds_to_yield"] == 0.55
    assert float(event["time_to_yield_edge_sec"]) == 0.4
    assert event["passed"] == "true" and event["not_scorable_reason"] == "" and event["scorable"] == "true"
    assert manifest["events_rows"] == 1 and manifest["frames_rows"] == len(frames) == 600
    assert sorted(manifest["paths"]) == ["envelope", "events", "frames"]


def test_the_gate_on_the_response_gap_changes_the_exit_and_no_file(call, tmp_path):
    plain = run_export(out_dir=tmp_path / "plain", stereo=call, onset_sec=2.0)
    gated = run_export(out_dir=tmp_path / "gated", stereo=call, onset_sec=2.0, max_response_gap_sec=0.5)
    assert plain["exit_code"] == 0 and gated["exit_code"] == 1 and gated["response_gap_exceeded"]
    assert gated["response_gap"]["p95"] == plain["response_gap"]["p95"] > 0.5
    for name in ("events.csv", "frames.csv", "envelope.json"):
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "gated" / name).read_bytes()


def test_the_gap_of_an_event_that_cannot_be_judged_is_in_no_distribution(call, tmp_path):
    judged = run_export(out_dir=tmp_path / "judged", stereo=call, onset_sec=2.0)
    unjudged = run_export(out_dir=tmp_path / "unjudged", stereo=call, onset_sec=2.8, max_response_gap_sec=0.1)
    assert unjudged["env"]["events"][0]["scorable"] is False
    assert unjudged["env"]["events"][0]["signals"]["latency"]["response_gap_sec"] is not None
    assert judged["response_gap"]["n"] == 1 and unjudged["response_gap"]["n"] == 0
    assert not unjudged["response_gap_exceeded"]


def test_an_export_replaces_other_content_only_when_told_to(call, tmp_path):
    run_export(out_dir=tmp_path / "out", stereo=call, onset_sec=2.0)
    run_export(out_dir=tmp_path / "out", stereo=call, onset_sec=2.0)
    with pytest.raises(Refusal, match="exists"):
        run_export(out_dir=tmp_path / "out", stereo=call, onset_sec=2.1)
    run_export(out_dir=tmp_path / "out", stereo=call, onset_sec=2.1, force=True)


def test_a_refused_export_leaves_nothing(tmp_path):
    with pytest.raises(Refusal):
        run_export(out_dir=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_description_names_limits_exits_and_schemas():
    about = describe()
    assert about["limits"]["accuracy_claim"] is None and about["offline"] is True
    assert "envelope.v1.json" in about["schemas"] and {"0", "1", "2"} <= set(about["exit_codes"])
    assert json.dumps(about) == json.dumps(describe())


def test_a_title_that_looks_like_a_formula_is_text_in_a_table(render, tmp_path):
    render("audio/a.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    (tmp_path / "labels").mkdir()
    titles = ["=cmd|'calc'!A0", "+1", "-1", "@x", "\t=1", "\r=1", "a\u202eb\x1b", "plain"]
    for title in titles:
        label = {"id": "a", "title": title, "expected": {"yield": True}}
        (tmp_path / "labels" / "a.json").write_text(json.dumps(label))
        run_export(
            out_dir=tmp_path / "out",
            scenarios_dir=tmp_path / "labels",
            audio_dir=tmp_path / "audio",
            force=True,
        )
        (event,) = rows_of(tmp_path / "out" / "events.csv")
        cell = event["title"]
        assert cell[0] not in "=+-@\t\r" and cell.isprintable()
        assert cell.startswith("'") == (title[0] in "=+-@\t\r")
        assert (cell == title) == (title == "plain")


def test_an_export_is_written_whole_or_not_at_all(call, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "envelope.json").write_text("mine")
    with pytest.raises(Refusal, match="exists"):
        run_export(out_dir=folder, stereo=call, onset_sec=2.0)
    assert [path.name for path in folder.iterdir()] == ["envelope.json"]
    (folder / "envelope.json").unlink()
    (folder / "envelope.json").symlink_to(tmp_path / "unmounted")
    with pytest.raises(Refusal):
        run_export(out_dir=folder, stereo=call, onset_sec=2.0, force=True)
    assert [path.name for path in folder.iterdir()] == ["envelope.json"]


@pytest.mark.parametrize(
    "bad",
    [
        {"onset_sec": 1e308},
        {"onset_sec": 10**400},
        {"onset_sec": "2"},
        {"max_talk_over_sec": 1e6 + 1},
        {"max_time_to_yield_sec": float("nan")},
        {"snr_gate_db": -201.0},
        {"caller_start_sec": 1e308},
    ],
)
def test_a_number_beyond_any_call_is_refused(call, bad):
    with pytest.raises(Refusal, match=r"give a number|give one"):
        run_single(stereo=call, **bad)
