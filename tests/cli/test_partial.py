"""A call of which only a part was heard, or samples are missing from it, passes no gate and says so first."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile

DEMO = Path(__file__).resolve().parents[2] / "src" / "hotato" / "data" / "demo" / "cancel-call.flac"
CLEAN_SEC = 12
"""So much of the bundled call is as it should be; what follows holds two critical incidents."""


@pytest.fixture(scope="module")
def demo() -> tuple[np.ndarray, int]:
    """The bundled call as 16-bit samples, and its rate."""
    return soundfile.read(DEMO, dtype="int16")


def _wav(samples, rate, stated=None, tail=b""):
    body = samples.astype("<i2").tobytes()
    fmt = struct.pack("<HHIIHH", 1, 2, rate, rate * 4, 4, 16)
    chunks = b"fmt " + struct.pack("<I", 16) + fmt
    chunks += b"data" + struct.pack("<I", len(body) if stated is None else stated) + body + tail
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def _stored(samples, rate, form, subtype):
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format=form, subtype=subtype)
    return file.getvalue()


def _truncated(samples, rate):
    return _wav(samples[: CLEAN_SEC * rate], rate, stated=4 * len(samples))


def _two_pieces(samples, rate):
    rest = samples[CLEAN_SEC * rate :].astype("<i2").tobytes()
    tail = b"data" + struct.pack("<I", len(rest)) + rest
    return _wav(samples[: CLEAN_SEC * rate], rate, tail=tail)


def _joined(samples, rate):
    return _wav(samples[: CLEAN_SEC * rate], rate) + _wav(samples[CLEAN_SEC * rate :], rate)


def _chained(samples, rate):
    at = CLEAN_SEC * rate
    return b"".join(_stored(part, rate, "OGG", "VORBIS") for part in (samples[:at], samples[at:]))


def _damaged(samples, rate):
    content = bytearray(_stored(samples, rate, "FLAC", "PCM_16"))
    at = len(content) // 3
    content[at : at + 3000] = bytes(3000)
    return bytes(content)


def _cut_ogg(samples, rate):
    content = _stored(samples[: CLEAN_SEC * rate], rate, "OGG", "VORBIS")
    return content[: content.rindex(b"OggS")]


PARTS = {
    "truncated": _truncated,
    "several_data_chunks": _two_pieces,
    "trailing_bytes": _joined,
    "chained_streams": _chained,
    "decode_stopped": _damaged,
    "no_end_mark": _cut_ogg,
}


@pytest.mark.parametrize("code", PARTS)
@pytest.mark.parametrize("fail_on", ["warning", "critical"])
def test_a_gate_is_not_decided_on_a_part_of_a_call(hotato, demo, tmp_path, code, fail_on):
    (tmp_path / "part").write_bytes(PARTS[code](*demo))
    outcome = hotato("autopsy", "part", "--fail-on", fail_on)
    assert outcome.code == 2
    assert "gate not decided: only part of this call was heard" in outcome.err and code in outcome.err
    assert f"--fail-on {fail_on}" in outcome.err
    assert outcome.out.splitlines()[2].startswith("Only part of this call was heard, the first 1")
    assert "No incident found in the part that was heard." in outcome.out
    assert "No incidents." not in outcome.out
    shown = hotato("autopsy", "part", "--format", "json").json
    assert code in shown["partial"] and shown["total_incidents"] == 0
    page = (tmp_path / shown["report_path"]).read_text()
    assert page.index("Only part of this call was heard") < page.index("<h1")
    assert hotato("autopsy", "part").code == 0  # without a gate it is a report


def test_the_whole_call_closes_the_gate_and_a_part_that_holds_an_incident_does_too(hotato, demo, tmp_path):
    samples, rate = demo
    (tmp_path / "whole.wav").write_bytes(_wav(samples, rate))
    whole = hotato("autopsy", "whole.wav", "--fail-on", "critical")
    assert whole.code == 1 and "Only part" not in whole.out
    (tmp_path / "most.wav").write_bytes(_wav(samples[: 33 * rate], rate, stated=4 * len(samples)))
    most = hotato("autopsy", "most.wav", "--fail-on", "critical")
    assert most.code == 1 and "gate closed" in most.err and "Only part" in most.out


@pytest.mark.parametrize("stated", [0, 0xFFFF_FFFF, 4_000])
def test_a_file_that_was_read_whole_is_no_part_of_a_call(hotato, demo, tmp_path, stated):
    samples, rate = demo
    (tmp_path / "streamed.wav").write_bytes(_wav(samples[: CLEAN_SEC * rate], rate, stated=stated))
    outcome = hotato("autopsy", "streamed.wav", "--fail-on", "warning", "--format", "json")
    assert outcome.code == 0 and outcome.json["partial"] == []
    assert {f["code"] for f in outcome.json["health"]} & {"header_size_unknown", "header_size_wrong"}


def test_an_end_that_is_too_short_to_hold_anything_is_not_missed(hotato, demo, tmp_path):
    samples, rate = demo
    part = samples[: CLEAN_SEC * rate]
    (tmp_path / "off.wav").write_bytes(_wav(part, rate, stated=4 * len(part) + 44))
    outcome = hotato("autopsy", "off.wav", "--fail-on", "warning", "--format", "json")
    assert outcome.code == 0 and outcome.json["partial"] == []
    assert "truncated" in {finding["code"] for finding in outcome.json["health"]}


def test_scan_says_which_part_was_heard(hotato, demo, tmp_path):
    (tmp_path / "cut.wav").write_bytes(_truncated(*demo))
    assert hotato("scan", "cut.wav").out.splitlines()[1].startswith("Only part of this call was heard")
    assert hotato("scan", "cut.wav", "--format", "json").json["partial"] == ["truncated"]


def test_scan_names_what_weakens_every_moment_of_a_call(hotato, demo, tmp_path):
    samples, rate = demo
    early = np.roll(samples[:, 1], -rate // 5) // 10
    soundfile.write(tmp_path / "off.wav", np.stack([samples[:, 0] + early, samples[:, 1]], axis=1), rate)
    found = hotato("scan", "off.wav", "--format", "json").json["candidates"]
    assert found and all("channel_offset" in [d["code"] for d in one["doubts"]] for one in found)


@pytest.mark.parametrize(("missing_sec", "partial"), [(4.0, []), (6.0, ["channel_ends_early"])])
def test_a_caller_who_hangs_up_during_the_goodbye_leaves_the_call_whole(
    hotato, demo, tmp_path, missing_sec, partial
):
    samples, rate = demo[0].copy(), demo[1]
    goodbye = np.concatenate([samples[: round(9.0 * rate)], samples[: round(8.0 * rate)]])
    goodbye[len(goodbye) - round(missing_sec * rate) :, 0] = 0
    soundfile.write(tmp_path / "call.wav", goodbye, rate)
    outcome = hotato("autopsy", "call.wav", "--fail-on", "critical", "--format", "json")
    assert outcome.json["partial"] == partial
    codes = [finding["code"] for finding in outcome.json["health"]]
    assert "channel_ends_early" in codes


@pytest.mark.parametrize("pair", [False, True])
@pytest.mark.parametrize(("channel", "end_sec"), [(0, 20.0), (1, 20.0)])
def test_a_silence_behind_the_end_of_a_channel_is_nobodys(hotato, demo, tmp_path, pair, channel, end_sec):
    samples, rate = demo[0].copy(), demo[1]
    end = round(end_sec * rate)
    if pair:
        sides = [samples[:end, c] if c == channel else samples[:, c] for c in (0, 1)]
        for name, side in zip(("c.wav", "a.wav"), sides, strict=True):
            soundfile.write(tmp_path / name, side, rate)
        words = ("--caller", "c.wav", "--agent", "a.wav")
    else:
        samples[end:, channel] = 0
        soundfile.write(tmp_path / "call.wav", samples, rate)
        words = ("call.wav",)
    outcome = hotato("autopsy", *words, "--fail-on", "critical", "--format", "json")
    late = [i["kind"] for i in outcome.json["incidents"] if i["span"]["end_sec"] > end_sec]
    assert late == []
    assert outcome.json["partial"] == ["channel_ends_early"]
    assert outcome.code == 2 and "channel_ends_early" in outcome.err
    text = hotato("autopsy", *words)
    assert text.out.splitlines()[2].startswith("Only part of this call was heard: the ")


def test_an_agent_whose_channel_ends_while_it_talks_has_not_yielded(hotato, demo, tmp_path):
    samples, rate = demo[0].copy(), demo[1]
    samples[24 * rate :, 1] = 0
    soundfile.write(tmp_path / "ends.wav", samples, rate)
    for expect in ("yield", "hold"):
        outcome = hotato("run", "--stereo", "ends.wav", "--onset", "22.22", "--expect", expect)
        assert outcome.code == 2 and "the agent's own recording ends at 24.00s" in outcome.out
    assert hotato("autopsy", "ends.wav", "--fail-on", "critical").code == 1  # 1.78 s were heard before that


def test_zeros_at_the_end_of_a_line_that_idles_in_zeros_are_ordinary(hotato, demo, tmp_path):
    samples, rate = demo[0].copy(), demo[1]
    quiet = np.convolve(np.abs(samples[:, 1]) > 60, np.ones(rate // 5), "same") < 1
    samples[quiet, 1] = 0
    samples[26 * rate :, 1] = 0
    soundfile.write(tmp_path / "gated.wav", samples, rate)
    outcome = hotato("autopsy", "gated.wav", "--fail-on", "critical", "--format", "json")
    assert outcome.json["partial"] == [] and outcome.code == 1
    assert "UNANSWERED TURN" in {incident["kind"] for incident in outcome.json["incidents"]}


def _with_hole(demo, tmp_path, start_sec, end_sec, channel=1):
    samples, rate = demo[0].copy(), demo[1]
    samples[round(start_sec * rate) : round(end_sec * rate), channel] = 0
    soundfile.write(tmp_path / "hole.wav", samples, rate)


def test_a_stop_that_a_drop_out_made_is_doubted_and_never_critical(hotato, demo, tmp_path):
    _with_hole(demo, tmp_path, 22.90, 23.40)
    incidents = hotato("autopsy", "hole.wav", "--format", "json").json["incidents"]
    by_kind = {incident["kind"]: incident for incident in incidents}
    assert by_kind["RESUME INTO CALLER"]["severity"] == "WARNING"
    assert by_kind["RESUME INTO CALLER"]["doubts"] == ["drop_outs"]
    assert by_kind["DEAD AIR"]["severity"] == "CRITICAL" and by_kind["DEAD AIR"]["doubts"] == []
    words = ("run", "--stereo", "hole.wav", "--onset", "22.22", "--max-time-to-yield", "1.5")
    event = hotato(*words, "--format", "json").json["events"][0]
    assert event["verdict"]["passed"] and event["verdict"]["doubts"] == ["brief_silence", "drop_outs"]
    assert "doubt: the channel falls to exact zeros here" in hotato(*words).out


def test_a_silence_that_a_drop_out_made_is_doubted_and_leaves_the_gate_open_to_nobody(hotato, demo, tmp_path):
    samples, rate = demo
    part = samples[: 24 * rate].copy()
    part[round(18.80 * rate) : round(21.20 * rate), 1] = 0
    part[22 * rate :, 0] = samples[15 * rate : 17 * rate, 0]  # nobody interrupts any more
    soundfile.write(tmp_path / "hole.wav", part, rate)
    outcome = hotato("autopsy", "hole.wav", "--fail-on", "critical", "--format", "json")
    (dead,) = [i for i in outcome.json["incidents"] if i["kind"] == "DEAD AIR"]
    assert (dead["severity"], dead["doubts"]) == ("WARNING", ["drop_outs"])
    assert outcome.code == 2 and "in doubt (drop_outs)" in outcome.err
    assert hotato("autopsy", "hole.wav", "--fail-on", "warning").code == 1


def test_a_short_drop_out_that_the_detector_bridges_changes_nothing(hotato, demo, tmp_path):
    _with_hole(demo, tmp_path, 23.00, 23.08)
    shown = hotato("autopsy", "hole.wav", "--fail-on", "critical", "--format", "json")
    assert "drop_outs" in {finding["code"] for finding in shown.json["health"]}
    assert shown.json["doubts"] == [] and shown.json["summary"]["critical"] == 2


def test_a_wrong_rate_puts_every_duration_in_doubt(hotato, demo, tmp_path):
    samples, rate = demo
    soundfile.write(tmp_path / "slow.wav", samples, rate // 2)
    outcome = hotato("autopsy", "slow.wav", "--fail-on", "critical", "--format", "json")
    assert outcome.json["summary"]["critical"] == 0 and outcome.json["doubts"] == ["rate_mislabelled"]
    assert outcome.code == 2 and "rate_mislabelled" in outcome.err
    event = hotato("run", "--stereo", "slow.wav", "--onset", "44.46", "--format", "json").json["events"][0]
    assert "rate_mislabelled" in event["verdict"]["doubts"]
    soundfile.write(tmp_path / "mixed.wav", samples.sum(axis=1).astype(np.int16), rate // 2)
    mixed = hotato("autopsy", "mixed.wav", "--format", "json").json
    assert mixed["incidents"] and mixed["summary"]["critical"] == 0
    assert all("rate_mislabelled" in incident["doubts"] for incident in mixed["incidents"])


def test_a_recording_that_carries_no_verdict_is_not_said_to_be_without_incidents(hotato, demo, tmp_path):
    samples, rate = demo
    mute = samples[: 3 * rate].copy()
    mute[:, 0] = 0
    soundfile.write(tmp_path / "mute.wav", mute, rate)
    soundfile.write(tmp_path / "mono.wav", mute[:, 1], rate)
    for name in ("mute.wav", "mono.wav"):
        shown = hotato("autopsy", name, "--format", "json").json
        text = " ".join(hotato("autopsy", name).out.split())
        page = (tmp_path / shown["report_path"]).read_text()
        assert shown["unjudged"] and shown["total_incidents"] == 0
        for told in (text, page):
            assert "No verdict on turn-taking" in told
            for claim in (
                "No incident found",
                "No incidents",
                "the timing is measured",
                ">Nothing was found against it",
            ):
                assert claim not in told, (name, claim)


@pytest.mark.parametrize("fault", ["offset", "both"])
def test_a_recording_without_a_common_clock_makes_one_statement(hotato, demo, tmp_path, fault):
    samples, rate = demo
    other = np.roll(samples[:, 1], -rate // 5) // 10 if fault == "offset" else samples[:, 1] // 2
    back = 0 if fault == "offset" else samples[:, 0] // 2
    sides = [samples[:, 0] // 2 + other // 2, samples[:, 1] // 2 + back // 2]
    soundfile.write(tmp_path / "call.wav", np.stack(sides, axis=1).astype(np.int16), rate)
    shown = hotato("autopsy", "call.wav", "--format", "json").json
    assert shown["unjudged"] is not None
    assert "none of it is a verdict on turn-taking" in shown["note"]
    text = " ".join(hotato("autopsy", "call.wav").out.split())
    assert "the timing is measured" not in text and "No incident" not in text


@pytest.mark.parametrize(("times", "severity"), [(0, "CRITICAL"), (1, "CRITICAL"), (2, "WARNING")])
def test_repeated_blocks_weaken_a_number_whose_limit_is_nearer_than_they_are_long(
    hotato, demo, tmp_path, times, severity
):
    samples, rate = demo[0].copy(), demo[1]
    length = round(0.3 * rate)
    for at_sec in (18.0, 20.0)[:times]:  # each may make what follows late by 0.6 s at most
        at = round(at_sec * rate)
        samples[at : at + length, 1] = samples[at - length : at, 1]
    soundfile.write(tmp_path / "twice.wav", samples, rate)
    shown = hotato("autopsy", "twice.wav", "--format", "json").json
    assert ("repeated_blocks" in {f["code"] for f in shown["health"]}) is (times > 0)
    (dead,) = [i for i in shown["incidents"] if i["kind"] == "DEAD AIR"]  # 5.79 s against a limit of 5.00 s
    assert dead["severity"] == severity
    assert dead["doubts"] == (["repeated_blocks"] if severity == "WARNING" else [])


@pytest.mark.parametrize("profile", ["documented", "calibrated"])
def test_an_answer_that_was_awaited_behind_the_end_of_a_channel_is_doubted(hotato, demo, tmp_path, profile):
    samples, rate = demo[0].copy(), demo[1]
    words = ("run", "--stereo", "call.wav", "--onset", "13.0", "--expect", "answer", "--profile", profile)
    for end_sec, doubted in ((None, False), (15.0, True)):
        if end_sec is not None:
            samples[round(end_sec * rate) :, 0] = 0
        soundfile.write(tmp_path / "call.wav", samples, rate)
        event = hotato(*words, "--max-response-gap", "2.0", "--format", "json").json["events"][0]
        assert event["verdict"]["reason_codes"] == ["late_answer"]
        assert ("channel_ends_early" in event["verdict"].get("doubts", [])) is doubted
