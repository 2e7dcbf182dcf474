"""A pinned moment: what the bundle holds, what it weighs, what is refused, and that it is whole or absent."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato.acoustics import render
from hotato.canonical import to_json
from hotato.contract import layout
from hotato.contract.attest import canonical_digest
from hotato.contract.bundle import read_bundle
from hotato.contract.create import Pin, create_contract
from hotato.contract.verify import verify_contracts
from hotato.errors import Refusal, UsageError
from hotato.listen import hear

RATE = 16_000
LIMIT_BYTES = 400_000


@pytest.fixture(scope="module")
def sound() -> np.ndarray:
    """30 s: the caller interrupts at 12 s and again at 20 s; the agent talks over the first."""
    spec = {
        "caller_segments_sec": [[2.0, 4.0], [12.0, 14.5], [20.0, 21.0]],
        "agent_segments_sec": [[4.6, 8.0], [9.0, 13.8], [15.5, 20.4], [26.5, 29.0]],
        "noise_floor_dbfs": -62.0,
    }
    return render({"id": "call", "duration_sec": 30.0, "sample_rate": RATE, "reference_render": spec})


@pytest.fixture
def call(tmp_path, sound) -> Path:
    soundfile.write(tmp_path / "call.wav", sound, RATE, subtype="PCM_16")
    return tmp_path / "call.wav"


@pytest.fixture
def pin(call) -> Pin:
    return Pin(expect="yield", id="one", stereo=call, onset_sec=12.0, max_talk_over_sec=1.0)


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def refusal(pin: Pin, folder: Path) -> Refusal:
    with pytest.raises(Refusal) as refused:
        create_contract(pin, folder)
    assert not folder.exists()
    return refused.value


def test_the_clip_is_the_stretch_to_the_sample(pin, call, tmp_path):
    made = create_contract(pin, tmp_path / "out")
    clip, rate = soundfile.read(made.path / layout.AUDIO_FLAC, dtype="int16")
    whole, _ = soundfile.read(call, dtype="int16")
    assert rate == RATE and np.array_equal(clip, whole[10 * RATE : 18 * RATE])
    event = made.contract.event
    assert (event.onset_sec, event.source_onset_sec, event.pre_sec, event.post_sec) == (2.0, 12.0, 2.0, 6.0)
    assert event.clipped


def test_the_bundle_says_who_it_is(pin, call, tmp_path):
    made = create_contract(pin, tmp_path / "out")
    contract = read_bundle(made.path).contract
    assert contract == made.contract
    audio = made.path / layout.AUDIO_FLAC
    source = contract.source
    assert source.bundle_audio_sha256 == hashlib.sha256(audio.read_bytes()).hexdigest()
    assert source.bundle_pcm_sha256 == hear(audio).recording.pcm_sha256
    assert source.source_audio_sha256 == hashlib.sha256(call.read_bytes()).hexdigest()
    assert contract.attestation.canonical_digest == canonical_digest(contract)
    assert not contract.measurement.passed and contract.measurement.reason_codes == ("talk_over",)
    assert contract.fix["fix_class"] == "config"
    manifest = json.loads((made.path / layout.MANIFEST).read_text())
    members = files(made.path)
    assert set(manifest["members"]) == {name for name in members if layout.is_sealed(name)}
    listed = {layout.CONTRACT, layout.FRAMES, layout.TIMELINE, layout.TRUST, layout.CARD, layout.POLICY}
    assert listed | {layout.PROVENANCE, layout.GITHUB_ACTION, layout.JUNIT, layout.AFTER_REPORT} < set(
        members
    )
    assert (made.path / layout.TRACES).is_dir()


def test_a_verification_hears_what_was_pinned(pin, tmp_path):
    create_contract(pin, tmp_path / "out")
    create_contract(replace(pin, id="two", onset_sec=20.0, max_talk_over_sec=None), tmp_path / "out")
    silence = replace(pin, id="three", expect="answer", onset_sec=20.9, max_talk_over_sec=None)
    create_contract(replace(silence, max_response_gap_sec=3.0, post_sec=8.0), tmp_path / "out")
    results = {one.id: one for one in verify_contracts(tmp_path / "out").results}
    assert {name: one.status for name, one in results.items()} == {
        "one": "fail",
        "two": "pass",
        "three": "fail",
    }
    assert all(one.integrity == "intact" and not one.drift for one in results.values())


def test_the_same_recording_gives_the_same_bytes_wherever_it_lies(pin, call, tmp_path):
    first = files(create_contract(pin, tmp_path / "a").path)
    other = tmp_path / "elsewhere" / "other name.wav"
    other.parent.mkdir()
    shutil.copy(call, other)
    assert first == files(create_contract(replace(pin, stereo=other), tmp_path / "b").path)
    for text in first.values():
        assert b"call.wav" not in text and str(tmp_path).encode() not in text


def test_names_stand_in_it_only_when_asked_for(pin, tmp_path):
    named = replace(pin, include_identifiers=True, candidate_ref="scan.json#1", candidate_kind="x")
    hidden = create_contract(replace(named, include_identifiers=False), tmp_path / "a").contract.source
    assert (hidden.name, hidden.candidate_ref, hidden.candidate_kind) == (None, None, "x")
    shown = create_contract(named, tmp_path / "b").contract.source
    assert (shown.name, shown.candidate_ref) == ("call.wav", "scan.json#1")


def test_a_moment_of_ten_seconds_weighs_little(shared_data, tmp_path):
    for path in sorted((shared_data / "ami").glob("*take*.wav")):
        samples, rate = soundfile.read(path, dtype="int16")
        soundfile.write(tmp_path / "twice.wav", np.concatenate([samples, samples]), rate)
        pin = Pin(expect="yield", id=path.stem, stereo=tmp_path / "twice.wav", onset_sec=3.0, post_sec=8.0)
        made = create_contract(replace(pin, confirm_channels=True), tmp_path / "out")
        assert sum(map(len, files(made.path).values())) <= LIMIT_BYTES


def test_two_files_make_the_same_clip_as_one(pin, sound, tmp_path):
    for name, column in (("caller.wav", 0), ("agent.wav", 1)):
        soundfile.write(tmp_path / name, sound[:, column], RATE, subtype="PCM_16")
    pair = replace(pin, stereo=None, caller=tmp_path / "caller.wav", agent=tmp_path / "agent.wav")
    one, two = (create_contract(p, tmp_path / n).contract for p, n in ((pin, "a"), (pair, "b")))
    assert two.source.recording_type == "pair" and two.trust.channel_mapping_confirmed
    assert one.source.bundle_pcm_sha256 == two.source.bundle_pcm_sha256


def test_channels_of_a_wider_file_are_picked(pin, sound, tmp_path):
    wide = np.stack([sound[:, 1], np.zeros(len(sound), sound.dtype), sound[:, 0]], axis=1)
    soundfile.write(tmp_path / "three.wav", wide, RATE, subtype="PCM_16")
    three = replace(pin, stereo=tmp_path / "three.wav", caller_channel=2, agent_channel=0)
    one, two = (create_contract(p, tmp_path / n).contract for p, n in ((pin, "a"), (three, "b")))
    assert one.source.bundle_pcm_sha256 == two.source.bundle_pcm_sha256


@pytest.mark.parametrize(
    ("rate", "subtype", "member"),
    [
        (16_000, "PCM_24", layout.AUDIO_FLAC),
        (70_001, "PCM_16", layout.AUDIO_WAV),
        (8_000, "FLOAT", layout.AUDIO_FLAC),
    ],
)
def test_every_form_of_sample_is_kept(tmp_path, rate, subtype, member):
    spec = {"caller_segments_sec": [[2.0, 3.0]], "agent_segments_sec": [[0.5, 2.4], [4.0, 5.5]]}
    samples = render({"id": "f", "duration_sec": 6.0, "sample_rate": rate, "reference_render": spec})
    soundfile.write(tmp_path / "x.wav", samples / 32768.0, rate, subtype=subtype)
    made = create_contract(
        Pin(expect="yield", id="f", stereo=tmp_path / "x.wav", onset_sec=2.0), tmp_path / "out"
    )
    assert made.contract.source.bundle_pcm_sha256 == hear(tmp_path / "x.wav").recording.pcm_sha256
    assert (made.path / member).is_file() and not made.contract.event.clipped


def test_a_moment_that_cannot_be_judged_leaves_nothing(pin, tmp_path):
    assert refusal(replace(pin, onset_sec=2.5), tmp_path / "out").code == "agent_silent_at_onset"
    assert refusal(replace(pin, onset_sec=99.0), tmp_path / "out").code == "onset_outside_recording"
    assert refusal(replace(pin, expect="answer"), tmp_path / "out").code == "usage_error"


def test_one_channel_is_no_call_of_two(pin, sound, tmp_path):
    soundfile.write(tmp_path / "mono.wav", sound[:, 0], RATE)
    assert refusal(replace(pin, stereo=tmp_path / "mono.wav"), tmp_path / "out").code == "mono"
    soundfile.write(tmp_path / "same.wav", sound[:, [0, 0]], RATE)
    assert refusal(replace(pin, stereo=tmp_path / "same.wav"), tmp_path / "out").code == "identical_channels"


def test_a_swap_has_to_be_confirmed(pin, sound, tmp_path):
    soundfile.write(tmp_path / "swapped.wav", sound[:, ::-1], RATE, subtype="PCM_16")
    swapped = replace(
        pin, stereo=tmp_path / "swapped.wav", onset_sec=9.0, expect="hold", max_talk_over_sec=None
    )
    swapped = replace(swapped, onset_sec=12.5, expect="hold")
    refused = refusal(swapped, tmp_path / "out")
    assert refused.code == "not_verdict_eligible" and "--confirm-channels" in refused.remedy
    made = create_contract(replace(swapped, confirm_channels=True), tmp_path / "out").contract
    assert made.trust.channel_mapping_confirmed and made.trust.possible_swap


def test_a_clip_that_says_something_else_is_refused_with_both_numbers(tmp_path, sound):
    loud = sound.copy()
    bed = np.random.default_rng(1).normal(0, 120, len(loud))
    loud[:, 1] = np.clip(loud[:, 1] + bed, -32_000, 32_000)
    loud[: 9 * RATE, 1] //= 60  # the beginning is much quieter, so the whole call has a lower noise floor
    soundfile.write(tmp_path / "step.wav", loud, RATE, subtype="PCM_16")
    pin = Pin(
        expect="yield",
        id="s",
        stereo=tmp_path / "step.wav",
        onset_sec=12.0,
        detector="reference",
        max_talk_over_sec=1.0,
    )
    refused = refusal(pin, tmp_path / "out")
    assert refused.code in (
        "clip_disagrees",
        "agent_silent_at_onset",
        "low_separability",
        "not_verdict_eligible",
    )
    if refused.code == "clip_disagrees":
        assert "in the recording" in refused.message and "--no-clip" in refused.remedy


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 129, "a b", "é"])
def test_a_name_is_a_plain_file_name(pin, tmp_path, name):
    with pytest.raises(UsageError):
        create_contract(replace(pin, id=name), tmp_path / "out")


@pytest.mark.parametrize("name", ["CON", "nul.txt", "a.", "com1", "a.git."])
def test_a_name_that_some_system_cannot_take_is_refused(pin, tmp_path, name):
    with pytest.raises(UsageError, match="cannot name a contract"):
        create_contract(replace(pin, id=name), tmp_path)
    assert list(tmp_path.glob("*.hotato")) == []


def test_names_that_differ_by_case_are_one_name(pin, tmp_path):
    out = tmp_path / "out"
    create_contract(replace(pin, id="Refund"), out)
    for force in (False, True):
        with pytest.raises(Refusal, match="some systems take its name"):
            create_contract(replace(pin, id="refund"), out, force=force)


def test_only_a_bundle_is_replaced(pin, call, tmp_path):
    out = tmp_path / "out"
    create_contract(pin, out)
    with pytest.raises(Refusal) as refused:
        create_contract(pin, out)
    assert refused.value.code == "exists"
    create_contract(replace(pin, rationale="again"), out, force=True)
    assert read_bundle(out / "one.hotato").contract.label.rationale == "again"
    (out / "two.hotato").mkdir()
    (out / "two.hotato" / "notes.txt").write_text("mine")
    with pytest.raises(Refusal):
        create_contract(replace(pin, id="two"), out, force=True)
    assert (out / "two.hotato" / "notes.txt").read_text() == "mine"
    shutil.copy(call, out / "one.hotato" / "traces" / "call.wav")
    inside = replace(pin, stereo=out / "one.hotato" / "traces" / "call.wav")
    with pytest.raises(Refusal) as refused:
        create_contract(inside, out, force=True)
    assert refused.value.code == "is_an_input"


def test_a_time_is_one_or_is_refused(pin, tmp_path):
    assert create_contract(
        replace(pin, created_at="2026-01-31T12:00:00Z"), tmp_path / "a"
    ).contract.created_at
    for text in ("yesterday", "2026-01-31", "2026-01-31T12:00:00"):
        with pytest.raises(UsageError):
            create_contract(replace(pin, created_at=text), tmp_path / "b")


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_killed_at_any_moment_it_leaves_a_whole_bundle_or_none(call, tmp_path):
    words = [sys.executable, "-m", "hotato", "contract", "create", "--stereo", str(call), "--onset", "12"]
    words += ["--expect", "yield", "--id", "k", "--out", "out"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    began = time.monotonic()
    subprocess.run(words, cwd=tmp_path, env=env, check=True, capture_output=True)
    took = time.monotonic() - began
    target, whole = tmp_path / "out" / "k.hotato", files(tmp_path / "out" / "k.hotato")
    outcomes = set()
    for step in range(25):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        child = subprocess.Popen(
            words, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # Most of the points lie in the second half, where files are written.
        time.sleep(took * (0.3 + 0.8 * step / 25))
        child.send_signal(signal.SIGKILL)
        child.wait()
        outcomes.add(target.exists())
        if target.exists():
            assert files(target) == whole
    assert False in outcomes


def test_no_step_of_writing_shows_a_part_of_it(pin, tmp_path):
    """Whatever the file system is asked to do, the name is absent, or leads to the whole."""
    out, target = tmp_path / "out", tmp_path / "out" / "one.hotato"
    whole = files(create_contract(pin, tmp_path / "other").path)
    seen, watching = [], [False]

    def watch(event, args):
        if event in ("open", "os.rename", "os.mkdir", "os.chmod", "os.remove", "os.rmdir") and watching[0]:
            watching[0] = False  # looking is an event too
            seen.append(files(target) if target.exists() else None)
            watching[0] = True

    sys.addaudithook(watch)
    watching[0] = True
    create_contract(pin, out)
    watching[0] = False
    assert len(seen) > 20 and all(state in (None, whole) for state in seen)
    assert files(target) == whole


def test_a_contract_reads_back_as_it_was_written(pin, tmp_path):
    made = create_contract(pin, tmp_path / "out")
    assert (made.path / layout.CONTRACT).read_text() == to_json(made.contract)
