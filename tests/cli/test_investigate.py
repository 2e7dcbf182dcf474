"""`hotato investigate` and `hotato investigate label`."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

DATA = Path(str(resources.files("hotato"))) / "data"
STATE = ".hotato/investigate-state.json"


def kept(path: str = STATE) -> dict:
    return json.loads(Path(path).read_text())


def test_a_recording_is_looked_into_and_its_moments_are_kept(hotato, call):
    done = hotato("investigate", call.name)
    assert done.code == 0
    assert "most likely failure" in done.out and "run 1" in done.out
    assert [one["rank"] for one in kept()["candidates"]] == [1, 2, 3]
    assert kept()["source_path"] == "call.flac" and kept()["folder_path"] == "."


def test_the_same_recording_gives_the_same_json_and_text(hotato, call):
    texts = {
        hotato("investigate", call.name, "--state", f"{n}.json").out.replace(f"{n}.json", "") for n in "ab"
    }
    assert len(texts) == 1
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_the_json_and_the_state_agree(hotato, call):
    told = hotato("investigate", call.name, "--format", "json", "--top", "1").json
    assert (told["run"], told["shown"], told["total_candidates"], told["exit_code"]) == (1, 1, 3, 0)
    assert told["candidates"][0] == kept()["candidates"][0]
    assert told["capture_origin"]["kind"] == "operator_asserted_local"
    assert [one["rank"] for one in told["next"]] == [1]


def test_flags_may_stand_before_the_recording_too(hotato, call):
    after = hotato("investigate", call.name, "--top", "1", "--state", "a.json")
    before = hotato("investigate", "--top", "1", "--state", "b.json", call.name)
    assert (before.code, before.out.replace("b.json", "")) == (0, after.out.replace("a.json", ""))


def test_every_printed_command_makes_a_contract(hotato, call):
    told = hotato("investigate", call.name, "--format", "json").json
    commands = [choice["command"] for one in told["next"] for choice in one["choices"]]
    assert {word for command in commands for word in ("yield", "hold", "answer") if word in command} == {
        "yield",
        "hold",
        "answer",
    }
    for command in commands:
        done = hotato(*shlex.split(command)[1:], "--format", "json")
        assert done.code == 0, (command, done.err)
        made = done.json
        assert Path(made["dir"], "contract.json").is_file()
        assert made["auto_id"] and made["id"] == made["contract"]["id"]
        assert "call" not in made["id"]


def test_a_label_sets_the_bounds_that_nobody_stated(hotato, call):
    hotato("investigate", call.name)
    barge_in = next(one for one in kept()["candidates"] if "yield" in one["labels"])
    slow = next(one for one in kept()["candidates"] if "answer" in one["labels"])
    made = hotato(
        "investigate", "label", f"{STATE}#{barge_in['rank']}", "--expect", "yield", "--format", "json"
    )
    bound = made.json["auto_talk_over_bound"]
    assert bound["max_talk_over_sec"] == 1.0 and bound["observed_overlap_sec"] > 2.0
    assert made.json["contract"]["policy"]["pass_conditions"]["max_talk_over_sec"] == 1.0
    assert made.json["contract"]["measurement"]["passed"] is False
    made = hotato("investigate", "label", f"{STATE}#{slow['rank']}", "--expect", "answer", "--format", "json")
    assert made.json["auto_talk_over_bound"] is None
    assert made.json["auto_response_gap_bound"]["max_response_gap_sec"] == slow["incident"]["bound_sec"]


def test_a_stated_bound_takes_the_place_of_ours(hotato, call):
    hotato("investigate", call.name)
    rank = next(one["rank"] for one in kept()["candidates"] if "yield" in one["labels"])
    label = ("investigate", "label", f"{STATE}#{rank}", "--expect", "yield", "--format", "json")
    made = hotato(
        *label, "--max-time-to-yield", "0.8", "--id", "mine", "--reviewer", "R", "--rationale", "why"
    ).json
    assert (made["id"], made["auto_id"], made["auto_talk_over_bound"]) == ("mine", False, None)
    conditions = made["contract"]["policy"]["pass_conditions"]
    assert (conditions["max_time_to_yield_sec"], conditions["max_talk_over_sec"]) == (0.8, None)
    assert made["contract"]["identity"]["reviewer"] == "R"
    assert made["contract"]["label"]["rationale"] == "why"
    again = hotato(*label, "--id", "mine")
    assert again.code == 2 and again.json["error_code"] == "exists"
    assert hotato(*label, "--id", "mine", "--force").code == 0


def test_a_contract_names_no_file_unless_it_is_asked_to(hotato, call):
    hotato("investigate", call.name)
    for flags, named in (((), False), (("--include-identifiers",), True)):
        done = hotato(
            "investigate", "label", f"{STATE}#2", "--expect", "yield", "--id", "x", "--force", *flags
        )
        assert done.code == 0
        text = Path("contracts/x.hotato/contract.json").read_text()
        assert ("call.flac" in text) is named


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nowhere.json#1", "--expect", "yield"), "not_found"),
        ((f"{STATE}#9", "--expect", "yield"), "no_such_candidate"),
        ((STATE, "--expect", "yield"), "usage_error"),
        ((f"{STATE}#1",), "usage_error"),
        ((f"{STATE}#1", "--expect", "stop"), "usage_error"),
        ((f"{STATE}#1", "--expect", "yield", "--created-at", "yesterday"), "usage_error"),
        ((f"{STATE}#1", "--expect", "yield", "--folder", "elsewhere"), "recording_missing"),
    ],
)
def test_a_label_that_cannot_be_given_leaves_nothing(hotato, call, words, code):
    hotato("investigate", call.name)
    done = hotato("investigate", "label", *words, "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, code)
    assert not Path("contracts").exists()


def test_a_moved_recording_is_followed_and_a_changed_one_is_not(hotato, call):
    hotato("investigate", call.name)
    Path("moved").mkdir()
    call.rename("moved/call.flac")
    label = ("investigate", "label", f"{STATE}#2", "--expect", "yield", "--format", "json")
    assert hotato(*label).json["error_code"] == "recording_missing"
    assert hotato(*label, "--folder", "moved").code == 0
    Path("moved/call.flac").write_bytes(b"another")
    assert hotato(*label, "--folder", "moved").json["error_code"] == "recording_changed"


def test_a_scan_and_an_autopsy_can_be_labelled_too(hotato, call):
    assert hotato("scan", call.name, "--out", "scan.json").code == 0
    found = json.loads(Path("scan.json").read_text())["candidates"]
    rank = next(n for n, one in enumerate(found, 1) if one["kind"] == "overlap_while_agent_talking")
    assert hotato("investigate", "label", f"scan.json#{rank}", "--expect", "yield").code == 0
    stored = hotato("autopsy", call.name, "--format", "json").json
    incident = next(one for one in stored["incidents"] if one["kind_key"] == "dead-air")
    ref = f"{stored['envelope_path']}#{incident['rank']}"
    done = hotato("investigate", "label", ref, "--expect", "answer", "--format", "json")
    assert done.code == 0, done.out
    assert done.json["auto_response_gap_bound"]["max_response_gap_sec"] == incident["bound_sec"]


@pytest.mark.parametrize("flags", [(), ("--allow-mono",)])
def test_a_single_channel_is_not_scorable_and_leaves_no_state(hotato, mono, flags):
    done = hotato("investigate", mono.name, *flags, "--format", "json")
    assert done.code == done.json["exit_code"] == 2
    assert done.json["trust"]["scorable"] is False and done.json["run"] is None
    assert done.json["candidates"] == done.json["next"] == []
    assert bool(done.json["mono_silences"]) is bool(flags)
    assert not Path(".hotato").exists()
    text = hotato("investigate", mono.name, *flags).out
    assert "NOT SCORABLE" in text and ("no label can be held" in text) is bool(flags)


def test_the_bundled_call_is_left_where_references_find_it(hotato):
    done = hotato("investigate", "--demo", "--format", "json")
    assert done.code == 0 and done.json["capture_origin"]["kind"] == "frozen_regression"
    assert Path("hotato-output/cancel-call.flac").is_file()
    assert hotato("investigate", "label", f"{STATE}#1", "--expect", "answer").code == 0
    assert hotato("investigate", "--demo").code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "usage_error"),
        (("--demo", "call.flac"), "usage_error"),
        (("call.flac", "call.flac"), "usage_error"),
        (("-",), "from_standard_input"),
        (("nowhere.wav",), "not_found"),
        ((".",), "is_a_directory"),
        (("--stack", "vapi", "--call-id", "abc"), "not_in_this_version"),
        (("call.flac", "--api-key", "secret-1234"), "not_in_this_version"),
        (("call.flac", "--transcript", "t.json"), "not_in_this_version"),
        (("call.flac", "--stack", "bland"), "usage_error"),
        (("call.flac", "--state", "call.flac"), "not_a_state"),
        (("call.flac", "--min-gap", "-1"), "usage_error"),
    ],
)
def test_what_cannot_be_looked_into_is_refused_and_leaves_no_state(hotato, call, words, code):
    done = hotato("investigate", *words, "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, code)
    assert done.json["remedy"] and "secret-1234" not in done.out + done.err
    assert not Path(".hotato").exists()


def test_a_platform_picks_the_channels_and_numbers_pick_them_for_one_without_an_order(hotato, call):
    told = hotato("investigate", call.name, "--stack", "livekit", "--format", "json").json
    assert (told["config"]["caller_channel"], told["config"]["agent_channel"]) == (1, 0)
    assert kept()["config"]["stack"] == "livekit"
    flags = ("--stack", "bland", "--caller-channel", "0", "--agent-channel", "1")
    assert hotato("investigate", call.name, *flags).code == 0


def test_times_come_from_outside_only(hotato, call, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    hotato("investigate", call.name)
    assert (kept()["created_at"], kept()["updated_at"]) == (None, None)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    hotato("investigate", call.name)
    assert kept()["updated_at"] == "1970-01-01T00:00:00Z"
    hotato("investigate", call.name, "--created-at", "2026-03-01T13:00:00+01:00")
    assert [past["at"] for past in kept()["history"]] == [
        None,
        "1970-01-01T00:00:00Z",
        "2026-03-01T12:00:00Z",
    ]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    assert hotato("investigate", call.name).code == 2


def test_no_output_says_where_it_was_made(hotato, call, tmp_path):
    told = hotato("investigate", call, "--format", "json")
    assert told.code == 0 and str(tmp_path) not in told.out
    assert str(tmp_path) not in Path(STATE).read_text()


def test_a_label_that_says_nothing_of_such_a_moment_is_refused_with_the_one_that_does(hotato, call):
    hotato("investigate", call.name)
    kinds = {one["kind"]: one["rank"] for one in kept()["candidates"]}
    for kind, expect, fitting in (
        ("long_response_gap", "hold", "expect answer"),
        ("overlap_while_agent_talking", "answer", "expect yield or expect hold"),
    ):
        refused = hotato("investigate", "label", f"{STATE}#{kinds[kind]}", "--expect", expect)
        assert refused.code == 2 and fitting in refused.err, refused.err
    assert not Path("contracts").exists()


def test_a_command_of_an_earlier_recording_is_refused_after_another_one(hotato, call):
    first = hotato("investigate", call.name, "--format", "json").json["next"][0]["command"]
    assert hotato("investigate", "--demo", "--top", "1").code == 0  # the same bytes: the same call
    assert hotato(*shlex.split(first)[1:], "--id", "same").code == 0
    other = Path(shutil.copy(DATA / "funnel-demo/audio/fd-01-missed-interruption.example.wav", "other.wav"))
    assert hotato("investigate", other).code == 0
    stale = hotato(*shlex.split(first)[1:], "--id", "stale", "--format", "json")
    assert (stale.code, stale.json["error_code"]) == (2, "no_such_call")
    assert "other.wav" in stale.json["remedy"] and not Path("contracts/stale.hotato").exists()
    assert hotato("investigate", "label", f"{STATE}#other:1", "--expect", "yield").code == 0


def test_every_output_says_which_recording_and_when(hotato, call):
    hotato("investigate", call.name)
    (moment,) = [one for one in kept()["candidates"] if "yield" in one["labels"]]
    ref, at = f"{STATE}#call:{moment['rank']}", moment["span"]["start_sec"]
    told = f"call.flac at 0:{at:.2f}"
    label = ("--expect", "yield", "--id", "one")
    commands = (
        ("investigate", "label", ref, *label),
        ("contract", "create", "--from-candidate", ref, *label, "--out", "kept"),
        ("fixture", "promote", ref, *label, "--out", "tests"),
    )
    for command in commands:
        assert told in " ".join(hotato(*command).out.split()), command
        taken = hotato(*command, "--force", "--format", "json").json["taken_from"]
        assert (taken["recording"], taken["t_sec"], taken["ref"]) == ("call.flac", at, ref)


def test_several_recordings_are_told_to_keep_a_state_each(hotato, call):
    shutil.copy(call, "second.flac")
    done = hotato("investigate", "call.flac", "second.flac", "--format", "json")
    loop = done.json["remedy"].replace("*.wav", "*.flac").replace("hotato", "$RUN", 1)
    program = f"RUN='{sys.executable} -m hotato'\n{loop}"
    assert subprocess.run(["sh", "-c", program], check=False, capture_output=True).returncode == 0
    for name in ("call", "second"):
        assert (
            hotato(
                "investigate",
                "label",
                f".hotato/{name}.flac.json#{name}:1",
                "--expect",
                "answer",
                "--id",
                name,
            ).code
            == 0
        )


def test_the_demo_says_which_file_it_left_and_a_mix_without_silence_says_so(hotato, mono):
    assert "hotato-output/cancel-call.flac" in hotato("investigate", "--demo").out
    told = hotato("investigate", mono.name, "--allow-mono", "--min-gap", "8").out
    assert "No silence of 8 s or more" in " ".join(told.split())
