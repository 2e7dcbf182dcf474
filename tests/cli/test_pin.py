"""`hotato pin`: what autopsy found becomes a contract, or a refusal that says why not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.contract.verify import verify_contracts
from hotato.report.commands import PINNABLE

ID = "apx-56f46d8efdbd"
ENVELOPE = Path("hotato-output", f"autopsy-{ID}.json")


@pytest.fixture
def opened(hotato):
    """The bundled call, opened: 1 DEAD AIR, 2 BARGE-IN, 3 LATENCY SPIKE."""
    assert hotato("autopsy", "--demo", "--no-open").code == 0


def edit(change):
    stored = json.loads(ENVELOPE.read_text())
    change(stored)
    ENVELOPE.write_text(json.dumps(stored))


def test_every_incident_becomes_the_contract_that_fails_on_it(hotato, opened):
    for rank, expect in ((1, "answer"), (2, "yield"), (3, "answer")):
        told = hotato("pin", f"{ID}#{rank}", "--format", "json")
        assert told.code == 0, told.err
        contract = told.json["contract"]
        assert contract["label"]["expected_behavior"] == expect
        assert not contract["measurement"]["passed"]
        assert contract["source"]["source_audio_sha256"].startswith(ID.removeprefix("apx-"))
    results = verify_contracts(Path("contracts")).results
    assert [one.status for one in results] == ["fail"] * 3
    assert all(one.integrity == "intact" and not one.drift for one in results)


def test_the_printed_command_is_the_command(hotato, tmp_path):
    told = hotato("autopsy", "--demo", "--no-open", "--out", "there")
    commands = [line.split("  pin     ")[1] for line in told.out.splitlines() if line.startswith("  pin")]
    assert commands == [f"hotato pin {ID}#{rank} --from there" for rank in (1, 2, 3)]
    page = Path("there", f"autopsy-{ID}.html").read_text()
    assert all(f"<code>{command.removesuffix(' --from there')}</code>" in page for command in commands)
    assert "with --from DIR where that wrote into another folder" in page
    assert hotato(*commands[1].split()[1:]).code == 0


def test_without_a_rank_it_is_the_worst_critical_incident(hotato, opened):
    assert hotato("pin", ID, "--format", "json").json["ref"] == f"{ID}#1"
    edit(lambda stored: [one.update(severity="WARNING") for one in stored["incidents"]])
    told = hotato("pin", ID, "--id", "x", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, "no_critical_incident")


def test_limit_and_label_can_be_stated(hotato, opened):
    hold = hotato("pin", f"{ID}#2", "--expect", "hold", "--id", "h", "--format", "json").json["contract"]
    assert hold["policy"]["pass_conditions"]["max_talk_over_sec"] is None
    loose = hotato("pin", f"{ID}#1", "--max-response-gap", "9", "--id", "l", "--format", "json").json[
        "contract"
    ]
    assert loose["measurement"]["passed"]
    assert hotato("pin", f"{ID}#1", "--expect", "yield").code == 2
    assert hotato("pin", f"{ID}#2", "--expect", "answer").code == 2


@pytest.mark.parametrize(
    ("ref", "code"),
    [
        ("apx-56f4", "usage_error"),
        (f"{ID}#0", "usage_error"),
        (f"{ID}#x", "usage_error"),
        (f"../{ID}", "usage_error"),
        (f"{ID}#9", "no_such_incident"),
        ("apx-000000000000#1", "not_found"),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused(hotato, opened, ref, code):
    told = hotato("pin", ref, "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, code) and not Path("contracts").exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda s: s.update(mode="mono"), "mono"),
        (lambda s: s["incidents"][0].update(kind_key="echo-suspected"), "not_pinnable"),
        (lambda s: s["incidents"][0].update(kind_key="double-reply"), "not_pinnable"),
        (lambda s: s.update(unjudged="both channels are one"), "not_pinnable"),
        (lambda s: s.update(id="apx-000000000000"), "not_an_envelope"),
        (lambda s: s["incidents"][0].update(t_sec="soon"), "not_an_envelope"),
        (lambda s: s["call"].update(backend="neural"), "not_pinnable"),
    ],
)
def test_what_no_label_fits_is_refused(hotato, opened, change, code):
    edit(change)
    told = hotato("pin", f"{ID}#1", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, code) and not Path("contracts").exists()


def test_another_or_no_recording_is_refused(hotato, opened):
    call = Path("hotato-output", "cancel-call.flac")
    samples, rate = soundfile.read(call, dtype="int16")
    soundfile.write(call, samples[:-1], rate)
    told = hotato("pin", f"{ID}#1", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, "recording_changed")
    call.unlink()
    told = hotato("pin", f"{ID}#1", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, "recording_missing") and not Path("contracts").exists()


def test_it_is_opened_as_autopsy_opened_it(hotato, opened):
    samples, rate = soundfile.read("hotato-output/cancel-call.flac", dtype="int16")
    soundfile.write("swapped.wav", samples[:, ::-1], rate)
    words = ("--caller-channel", "1", "--agent-channel", "0", "--out", "there", "--format", "json")
    found = hotato("autopsy", "swapped.wav", *words).json
    assert found["call"]["caller_channel"] == 1
    told = hotato("pin", found["id"], "--from", "there", "--format", "json")
    assert told.code == 0 and not told.json["contract"]["measurement"]["passed"]
    for name, column in (("c.wav", 0), ("a.wav", 1)):
        soundfile.write(name, samples[:, column], rate)
    pair = hotato(
        "autopsy", "--caller", "c.wav", "--agent", "a.wav", "--out", "pair", "--format", "json"
    ).json
    told = hotato("pin", pair["id"], "--from", "pair", "--format", "json")
    assert told.code == 0 and told.json["contract"]["source"]["recording_type"] == "pair"


def test_kinds_that_are_printed_are_kinds_that_are_pinned():
    from hotato.contract.incidents import OVERLAPS, SILENCES

    assert PINNABLE == OVERLAPS | SILENCES and np.all([kind.islower() for kind in PINNABLE])


def test_an_incident_of_a_recording_elsewhere_is_pinned_by_the_command_that_autopsy_prints(
    hotato, opened, tmp_path_factory
):
    elsewhere = tmp_path_factory.mktemp("calls")
    recording = Path("hotato-output", "cancel-call.flac").rename(elsewhere / "cancel-call.flac")
    printed = hotato("autopsy", recording, "--no-open").out
    commands = [line.split("  pin     ")[1] for line in printed.splitlines() if line.startswith("  pin")]
    assert commands == [f"hotato pin {ID}#{rank} --folder {elsewhere}" for rank in (1, 2, 3)]
    assert str(elsewhere) not in ENVELOPE.read_text()
    assert hotato("pin", f"{ID}#1").code == 2 and not Path("contracts").exists()
    assert hotato(*commands[0].split()[1:]).code == 0 and Path("contracts").is_dir()
