"""Where a moment begins: a yield needs a caller, and a found moment the onset that its clock hears."""

from __future__ import annotations

import json

import pytest
import soundfile

from hotato.acoustics import render
from hotato.contract.create import Pin, create_contract
from hotato.contract.fixture import create_fixture
from hotato.contract.picked import choose
from hotato.errors import Refusal, UsageError
from hotato.find.refs import Picked
from hotato.score import run_single

RATE = 16_000
CALLER, AGENT = [[2.0, 4.0], [12.0, 14.5]], [[4.6, 8.0], [9.0, 13.8]]


@pytest.fixture
def call(tmp_path):
    spec = {"caller_segments_sec": CALLER, "agent_segments_sec": AGENT, "noise_floor_dbfs": -62.0}
    samples = render({"id": "call", "duration_sec": 20.0, "sample_rate": RATE, "reference_render": spec})
    soundfile.write(tmp_path / "call.wav", samples, RATE, subtype="PCM_16")
    return tmp_path / "call.wav"


@pytest.mark.parametrize("expect", ["yield", "hold"])
def test_a_label_without_a_caller_is_refused(call, tmp_path, expect):
    pin = Pin(expect=expect, id="nobody", stereo=call, onset_sec=6.0)
    for make in (create_contract, create_fixture):
        with pytest.raises(Refusal, match=r"onset \(6\.00 s.*nearest to it at 1\.99 s") as refused:
            make(pin, tmp_path / "out")
        assert (refused.value.code, refused.value.exit_code) == ("no_caller_at_onset", 2)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("onset_sec", "made"), [(11.4, False), (11.6, True), (12.4, True), (13.5, True)])
def test_a_stated_onset_may_be_half_a_second_off_or_inside_the_sound(call, tmp_path, onset_sec, made):
    pin = Pin(expect="yield", id="near", stereo=call, onset_sec=onset_sec, confirm_channels=True, clip=False)
    if made:
        create_contract(pin, tmp_path / "out")
        return
    with pytest.raises(Refusal, match="no caller begins"):
        create_contract(pin, tmp_path / "out")


def test_a_run_keeps_its_verdict_and_carries_the_doubt(call):
    event = run_single(stereo=call, onset_sec=6.0, expect="yield")["events"][0]
    assert "no_caller_at_onset" in event["verdict"]["doubts"]
    assert event["fix"] is None
    beside = run_single(stereo=call, onset_sec=12.0, expect="yield")["events"][0]
    assert "no_caller_at_onset" not in beside["verdict"].get("doubts", ())


def test_every_onset_that_a_person_stated_on_a_real_call_has_its_caller(shared_data, tmp_path):
    for folder in ("ami", "vapi"):
        for one in json.loads((shared_data / folder / "labels.json").read_text()):
            expect = "yield" if one["expected"]["yield"] else "hold"
            pin = Pin(
                expect=expect,
                id=one["id"],
                stereo=shared_data / folder / one["audio"],
                onset_sec=one["caller_onset_sec"],
                confirm_channels=True,
                clip=False,
            )
            try:
                create_contract(pin, tmp_path / folder)
            except Refusal as refused:
                assert refused.code != "no_caller_at_onset", one["id"]


def picked(call, kind: str, **candidate) -> Picked:
    found = {"kind": kind, **candidate}
    return Picked(
        "x.json#1", str(call), "0" * 64, call.name, found["t_sec"], kind, 1, None, found, None, None
    )


def test_found_moments_are_judged_where_they_are_graded(call):
    overlap = picked(call, "overlap_while_agent_talking", t_sec=12.0, durations={"overlap_sec": 1.95})
    for expect in ("yield", "hold"):
        assert choose(overlap, expect).pin.profile == "calibrated"
        assert choose(overlap, expect, profile="documented").pin.profile == "documented"


def test_a_silence_behind_two_ends_at_once_is_found_by_either_clock(tmp_path):
    """The caller ends 20 ms before the agent: only there the agent alone is sounding."""
    spec = {
        "caller_segments_sec": [[2.0, 2.4]],
        "agent_segments_sec": [[0.3, 2.42], [7.0, 8.0]],
        "noise_floor_dbfs": -62.0,
    }
    samples = render({"id": "both", "duration_sec": 10.0, "sample_rate": RATE, "reference_render": spec})
    soundfile.write(tmp_path / "both.wav", samples, RATE, subtype="PCM_16")
    moment = picked(
        tmp_path / "both.wav",
        "agent_stop_no_caller",
        t_sec=2.57,
        span={"start_sec": 2.42, "end_sec": 7.0},
        measured={"gap_sec": {"sec": 4.58}},
        bound_sec=3.0,
    )
    for profile in ("calibrated", "documented"):
        chosen = choose(moment, "answer", id=profile, profile=profile, confirm_channels=True)
        made = create_contract(chosen.pin, tmp_path / "out").contract
        assert made.measurement.reason_codes == ("late_answer",)
        assert made.measurement.silence_sec == pytest.approx(4.58, abs=0.2)


def test_an_agent_that_begins_over_the_caller_has_its_floor(tmp_path):
    spec = {
        "caller_segments_sec": [[2.0, 5.0]],
        "agent_segments_sec": [[3.0, 6.0]],
        "noise_floor_dbfs": -62.0,
    }
    samples = render({"id": "over", "duration_sec": 8.0, "sample_rate": RATE, "reference_render": spec})
    soundfile.write(tmp_path / "over.wav", samples, RATE, subtype="PCM_16")
    moment = picked(
        tmp_path / "over.wav", "agent_start_during_caller", t_sec=2.99, durations={"overlap_sec": 2.0}
    )
    chosen = choose(moment, "yield", id="over", confirm_channels=True)
    made = create_contract(chosen.pin, tmp_path / "out").contract
    assert made.measurement.talk_over_sec == pytest.approx(2.0, abs=0.05)
    assert not made.measurement.passed


def test_no_remedy_of_a_found_moment_names_an_onset(call, tmp_path):
    silent = picked(call, "overlap_while_agent_talking", t_sec=2.0, durations={"overlap_sec": 1.0})
    with pytest.raises(Refusal) as refused:
        create_contract(choose(silent, "yield", id="s").pin, tmp_path / "out")
    assert refused.value.code == "agent_silent_at_onset"
    assert "hotato contract create --stereo FILE --onset" in refused.value.remedy
    assert "caller_onset_sec" not in refused.value.remedy


@pytest.mark.parametrize("bound", ["max_talk_over_sec", "max_time_to_yield_sec", "max_response_gap_sec"])
def test_a_bound_that_a_hold_does_not_have_is_refused(call, tmp_path, bound):
    with pytest.raises(UsageError, match="bounds nothing of a hold"):
        create_contract(Pin(expect="hold", id="h", stereo=call, onset_sec=12.0, **{bound: 1.0}), tmp_path)
