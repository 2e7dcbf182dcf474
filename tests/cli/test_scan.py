"""`hotato scan`: moments without verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_moments_come_as_the_documented_object(hotato, call):
    result = hotato("scan", "--stereo", call, "--format", "json").json
    documented = [
        "tool",
        "kind",
        "schema_version",
        "source",
        "sample_rate",
        "duration_sec",
        "hop_sec",
        "note",
    ]
    assert list(result)[:8] == documented
    assert (result["kind"], result["source"]) == ("scan", "call.flac")
    assert result["shown"] == len(result["candidates"]) <= result["total_candidates"]
    assert all("severity" not in candidate for candidate in result["candidates"])


def test_the_recording_can_be_named_with_and_without_a_flag(hotato, call):
    assert hotato("scan", call) == hotato("scan", "--stereo", call)


def test_top_limits_what_is_shown_and_not_what_is_counted(hotato, call):
    everything = hotato("scan", call, "--top", "0", "--format", "json").json
    one = hotato("scan", call, "--top", "1", "--format", "json").json
    assert everything["shown"] == everything["total_candidates"] == one["total_candidates"] > 1
    assert one["candidates"] == everything["candidates"][:1]


def test_min_gap_decides_which_silences_are_listed(hotato, call):
    def gaps(sec: str) -> list[float]:
        found = hotato("scan", call, "--top", "0", "--min-gap", sec, "--format", "json").json["candidates"]
        return [item["durations"]["gap_sec"] for item in found if item["kind"] == "long_response_gap"]

    assert all(gap >= 1.0 for gap in gaps("1"))
    assert len(gaps("0.5")) > len(gaps("4"))


def test_out_writes_the_same_object(hotato, call):
    outcome = hotato("scan", call, "--format", "json", "--out", "deep/scan.json")
    result = outcome.json
    assert result.pop("written") == ["deep/scan.json"]
    assert json.loads(Path("deep/scan.json").read_text()) == result
    Path("deep/scan.json").write_text("mine")
    assert hotato("scan", call, "--out", "deep/scan.json").code == 2
    assert hotato("scan", call, "--out", "deep/scan.json", "--force").code == 0


def test_exports_go_to_the_output_folder(hotato, call):
    assert hotato("scan", call, "--export", "csv", "--export", "csv").code == 0
    assert [path.suffix for path in Path("hotato-output").iterdir()] == [".csv"]


def test_what_is_written_is_said(hotato, call):
    outcome = hotato("scan", call, "--export", "csv", "--export", "rttm", "--out", "moments.json")
    names = sorted(path.as_posix() for path in Path("hotato-output").iterdir())
    assert all(name.startswith("hotato-output/scan-apx-") for name in names)
    for path in ["moments.json", *names]:
        assert f"  wrote   {path}\n" in outcome.out


def test_other_conditions_do_not_overwrite_an_export(hotato, call):
    for words in [(), ("--stack", "livekit"), ("--stack", "vapi"), ("--agent-channel", "0")]:
        assert hotato("scan", call, "--export", "csv", *words).code == 0
    assert len(list(Path("hotato-output").iterdir())) == 2


def test_a_single_channel_is_pointed_to_what_can_look_at_it(hotato, mono):
    assert "hotato autopsy" in hotato("scan", mono, "--format", "json").json["remedy"]


def test_without_export_nothing_is_written(hotato, call):
    hotato("scan", call)
    assert not Path("hotato-output").exists()


def test_a_folder_is_refused_for_now(hotato, tmp_path):
    (tmp_path / "calls").mkdir()
    outcome = hotato("scan", "calls", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "not_in_this_version")
    assert outcome.json["remedy"] == 'one at a time: for f in calls/*; do hotato scan "$f"; done'


def test_no_recording_is_a_usage_error(hotato):
    assert hotato("scan", "--format", "json").json["error_code"] == "usage_error"


@pytest.mark.parametrize(
    "words", [("--min-gap", "-1"), ("--min-gap", "inf"), ("--top", "-1"), ("--top", "x")]
)
def test_numbers_out_of_range_are_refused(hotato, call, words):
    outcome = hotato("scan", call, *words)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1


def test_a_pair_gives_what_the_two_channels_give(hotato, pair, tmp_path):
    import numpy as np
    import soundfile

    caller, agent = pair
    left, rate = soundfile.read(caller, dtype="int16")
    right, _ = soundfile.read(agent, dtype="int16")
    soundfile.write(tmp_path / "both.wav", np.stack([left, right], axis=1), rate)
    apart = hotato("scan", "--caller", caller, "--agent", agent, "--format", "json", "--min-gap", "0.2").json
    together = hotato("scan", "both.wav", "--format", "json", "--min-gap", "0.2").json
    assert apart["candidates"] == together["candidates"] != []
    assert json.dumps(apart["source"]) == '"caller.wav+agent.wav"'
