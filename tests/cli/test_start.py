"""`hotato start`: the guided first run."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hotato.cli.catalogue import COMMANDS

DEMO = "contracts/demo-missed-interruption.hotato"


def names(folder: str = ".") -> set[str]:
    return {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def contents(folder: str = ".") -> dict[str, bytes]:
    return {name: Path(folder, name).read_bytes() for name in names(folder)}


def test_the_demo_pins_a_failure_that_is_verified_to_fail_and_exits_0(hotato):
    done = hotato("start", "--demo", "--format", "json")
    assert done.code == 0, done.out
    told = done.json
    assert told["contract"]["verified_fail_as_expected"] is True and told["contract"]["passed"] is False
    assert told["contract"]["expect"] == "yield" and told["contract"]["dir"] == DEMO
    assert told["contract"]["measured_timing"]["talk_over_sec"] > 2.0
    assert told["total_candidates"] == 2
    assert told["failure_record"]["record_id"].startswith("hfr-")
    assert all(Path(path).exists() for path in told["written"])
    assert set(told["written"]) >= {
        "hotato-sweep.json",
        "hotato-sweep.html",
        "hotato-no-single-threshold.svg",
        "hotato-failure-record/failure-record.json",
        DEMO,
    }


def test_nothing_is_claimed_of_the_act_that_is_missing(hotato):
    told = hotato("start", "--demo", "--format", "json").json
    assert "saydo" not in told and told["not_in_this_version"] == ["saydo"]
    assert re.search(r"saydo +.*is\s+not in this version", hotato("start", "--demo").out)


def test_every_next_command_works(hotato):
    told = hotato("start", "--demo", "--format", "json").json
    left_out = []
    for command in told["next_commands"]:
        words = shlex.split(command)
        assert words[0] == "hotato"
        if words[1] not in COMMANDS or (words[1] == "run" and "fixture" in left_out):
            left_out.append(words[1])
            continue
        done = hotato(*words[1:])
        expected = {0, 1} if words[1:3] in (["contract", "verify"], ["run", "--scenarios"]) else {0}
        assert done.code in expected, (command, done.out, done.err)
    if left_out:
        pytest.skip(f"not in this build: {', '.join(left_out)}")


def test_a_second_run_leaves_the_same_bytes(hotato):
    assert hotato("start", "--demo").code == 0
    first = contents()
    assert hotato("start", "--demo").code == 0
    assert contents() == first


def test_another_folder_holds_the_same_and_its_references_lead_there(hotato):
    assert hotato("start", "--demo").code == 0
    Path("else/where").mkdir(parents=True)
    assert hotato("start", "--demo", "--dir", "else/where").code == 0
    # A failure record says how its result is made again, and so from which folder.
    here, there = ({**contents()}, contents("else/where"))
    ours = {name for name in there if not name.startswith("hotato-failure-record/")}
    assert {name: there[name] for name in ours} == {name: here[name] for name in ours}
    assert len(ours) > 10 and there.keys() == {name for name in here if not name.startswith("else/")}
    done = hotato("investigate", "label", "else/where/hotato-sweep.json#2", "--expect", "hold")
    assert done.code == 0


@pytest.mark.parametrize(
    "path", ["hotato-sweep.json", "hotato-sweep.html", "hotato-no-single-threshold.svg", DEMO]
)
def test_somebody_elses_file_is_never_replaced_and_nothing_is_left(hotato, path):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("mine")
    done = hotato("start", "--demo", "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "exists")
    assert contents() == {path: b"mine"}


def test_somebody_elses_bundle_of_that_name_is_never_replaced(hotato):
    Path(DEMO).mkdir(parents=True)
    Path(DEMO, "contract.json").write_text("{}")
    assert hotato("start", "--demo").code == 2
    assert contents() == {f"{DEMO}/contract.json": b"{}"}


def test_the_card_and_the_page_stand_for_themselves(hotato):
    hotato("start", "--demo")
    ET.fromstring(Path("hotato-no-single-threshold.svg").read_text())
    page = Path("hotato-sweep.html").read_text()
    assert page.count("<audio") == 2 and not re.search(r'(?:src|href)="(?!data:|#)', page)


def test_no_output_says_where_it_was_made(hotato, tmp_path):
    folder = tmp_path / "absolute"
    folder.mkdir()
    done = hotato("start", "--demo", "--dir", folder, "--format", "json")
    assert done.code == 0 and str(tmp_path) not in done.out
    assert not [name for name, data in contents("absolute").items() if str(tmp_path).encode() in data]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "usage_error"),
        (("--demo", "--stereo", "call.flac"), "usage_error"),
        (("--demo", "--label", "yield"), "usage_error"),
        (("--demo", "--dir", "call.flac/below"), "not_a_directory"),
        (("call.flac", "--stereo", "call.flac"), "usage_error"),
        (("call.flac", "--label", "answer", "--onset", "1"), "no_such_moment"),
        (("--demo", "--dir", "call.flac"), "not_a_directory"),
        (("--stereo", "nowhere.wav"), "not_scorable"),
        (("--stereo", "-"), "from_standard_input"),
        (("--stereo", "."), "is_a_directory"),
        (("--stereo", "call.flac", "--onset", "3"), "usage_error"),
    ],
)
def test_what_cannot_be_started_is_refused_and_leaves_nothing(hotato, call, words, code):
    done = hotato("start", *words, "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, code)
    assert names() == {"call.flac"}


def test_a_recording_of_ones_own_gives_its_moments_and_the_commands_to_label_them(hotato, call):
    told = hotato("start", "--stereo", call.name, "--format", "json").json
    assert (told["mode"], told["contract"], told["total_candidates"]) == ("--stereo", None, 3)
    assert names() == {"call.flac", "hotato-sweep.json", "hotato-sweep.html"}
    for command in told["next_commands"]:
        assert hotato(*shlex.split(command)[1:]).code == 0, command


def test_a_label_pins_the_first_moment_that_it_fits(hotato, call):
    told = hotato("start", "--stereo", call.name, "--label", "yield", "--format", "json").json
    assert told["contract"]["expect"] == "yield" and told["contract"]["verified_fail_as_expected"]
    listed = json.loads(Path("hotato-sweep.json").read_text())["candidates"]
    first = next(one for one in listed if "yield" in one["labels"])
    assert told["contract"]["measured_timing"]["caller_onset_sec"] == first["t_sec"]


def test_a_stated_onset_pins_that_moment(hotato, call):
    words = ("start", "--stereo", call.name, "--label", "yield", "--onset", "22.3", "--format", "json")
    done = hotato(*words)
    assert done.code == 0, done.out
    assert done.json["contract"]["measured_timing"]["caller_onset_sec"] == 22.3


def test_a_single_channel_cannot_be_started_on(hotato, mono):
    done = hotato("start", "--stereo", mono.name, "--format", "json")
    assert (done.code, done.json["error_code"]) == (2, "not_scorable")
    assert names() == {"mono.wav"}


def test_a_folder_that_is_not_there_yet_is_made(hotato):
    assert hotato("start", "--demo", "--dir", "new/demo").code == 0
    assert Path("new/demo/hotato-sweep.json").is_file()


def test_the_failure_record_can_be_checked_against_what_is_beside_it(hotato):
    hotato("start", "--demo")
    record = "hotato-failure-record/failure-record.json"
    done = hotato("record", "verify", record, "--evidence-root", "hotato-failure-record")
    assert done.code == 0, done.out


@pytest.mark.parametrize("onset", [(), ("--onset", "0:25.48"), ("--onset", "25")])
def test_a_silence_is_pinned_as_an_answer(hotato, call, onset):
    done = hotato("start", call.name, "--label", "answer", *onset, "--format", "json")
    assert done.code == 0, done.out
    assert done.json["contract"]["expect"] == "answer" and done.json["contract"]["verified_fail_as_expected"]
    assert done.json["contract"]["measured_timing"]["response_gap_sec"] > 5.0
