"""What a hostile or careless environment hands over: empty names, pipes, huge numbers, closed streams."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hotato.cli import main

DEEP = 100_000
SCENARIO = {"id": "a", "expected": {"yield": True}}
ODD = os.fsdecode(b"odd-\xff")


@pytest.mark.parametrize(
    "words",
    [
        ("autopsy", "--out", ""),
        ("autopsy", "--output-dir", ""),
        ("autopsy", "--cost-config", ""),
        ("autopsy", ""),
        ("autopsy", "--caller", "", "--agent", ""),
        ("scan", "--stereo", ""),
        ("scan", "call.flac", "--output-dir", "", "--export", "csv"),
        ("run", "--scenarios", "", "--audio", ""),
        ("run", "--audio", ""),
        ("run", "--suite", ""),
        ("run", "call.flac", "--dump-frames", ""),
        ("doctor", "--stereo", ""),
        ("doctor", "--out", ""),
        ("demo", "--out", ""),
        ("report", "call.flac", "--base", ""),
        ("export", "call.flac", "--out", ""),
    ],
)
def test_an_empty_value_is_no_choice(hotato, call, tmp_path, words):
    outcome = hotato(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert "empty" in outcome.err or "unknown suite ''" in outcome.err
    assert list(tmp_path.iterdir()) == [call]


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Names that must not be opened, or cannot be."""
    os.mkfifo("pipe")
    Path("zeros").symlink_to("/dev/zero")
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("pipe", "not_a_file"),
        ("zeros", "not_a_file"),
        ("socket", "not_a_file"),
        ("loop", "unreadable"),
        ("folder", "is_a_directory"),
        ("none", "not_found"),
    ],
)
@pytest.mark.parametrize("words", [("autopsy", "--cost-config"), ("report", "--base")])
def test_only_files_are_read_for_small_inputs(hotato, call, places, words, name, code):
    command, flag = words
    outcome = hotato(command, "call.flac", flag, name)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"'{name}'" in outcome.err
    if command == "autopsy":
        assert hotato(command, "call.flac", flag, name, "--format", "json").json["error_code"] == code


def suite_of(text: str) -> tuple[str, ...]:
    Path("labels").mkdir()
    Path("calls").mkdir()
    Path("labels/a.json").write_text(text)
    return ("--scenarios", "labels", "--audio", "calls")


def test_a_scenario_that_is_a_pipe_is_named(hotato):
    folders = suite_of("{}")
    Path("labels/a.json").unlink()
    os.mkfifo("labels/a.json")
    outcome = hotato("run", *folders, "--format", "json")
    assert outcome.json["error_code"] == "not_a_file"
    assert "'labels/a.json'" in outcome.json["message"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs a user who is kept out")
@pytest.mark.parametrize("folder", ["labels", "calls"])
def test_a_folder_that_may_not_be_read_is_not_an_empty_one(hotato, tmp_path, folder):
    folders = suite_of(json.dumps(SCENARIO))
    assert hotato("run", *folders).code == 2  # whatever is imported is imported by now
    tmp_path.chmod(0o755)
    Path(folder).chmod(0o700)
    os.seteuid(65534)
    try:
        outcome = hotato("run", *folders, "--format", "json")
    finally:
        os.seteuid(0)
    assert outcome.json["error_code"] == "permission_denied"
    assert f"'{folder}" in outcome.json["message"]


@pytest.mark.parametrize(
    "words",
    [
        ("run", "call.flac", "--onset", "1e308"),
        ("run", "call.flac", "--onset", "1000001"),
        ("run", "call.flac", "--max-talk-over", "1e308"),
        ("run", "call.flac", "--snr-gate-db", "1e300"),
        ("run", "call.flac", "--snr-gate-db=-201"),
        ("scan", "call.flac", "--min-gap", "1e308"),
        ("scan", "--caller", "call.flac", "--agent", "call.flac", "--caller-start", "86401"),
        ("export", "call.flac", "--out", "x", "--max-response-gap", "1e308"),
    ],
)
def test_a_number_beyond_any_call_is_a_usage_error(hotato, call, words):
    outcome = hotato(*words, "--format", "json") if words[0] != "export" else hotato(*words)
    assert outcome.code == 2
    if words[0] != "export":
        assert outcome.json["error_code"] == "usage_error"
    assert "internal" not in outcome.out + outcome.err


@pytest.mark.parametrize("words", [("--snr-gate-db", "-5"), ("--snr-gate-db=-5",), ("--snr-gate-db", "-5e0")])
def test_a_gate_below_zero_can_be_given(hotato, barge_in, words):
    outcome = hotato("run", barge_in, "--expect", "yield", *words, "--format", "json")
    assert outcome.code == 0
    assert outcome.json["events"][0]["snr_estimate"]["gate_db"] == -5.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps(SCENARIO | {"caller_onset_sec": 1e308}), "$.caller_onset_sec"),
        (json.dumps(SCENARIO | {"expected": {"yield": True, "max_talk_over_sec": 2e6}}), "max_talk_over_sec"),
        ('{"id": "a", "further": ' + "[" * DEEP + "]" * DEEP + "}", "nested"),
    ],
)
def test_one_bad_scenario_is_one_refusal(hotato, text, said):
    outcome = hotato("run", *suite_of(text))
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "a.json" in outcome.err and said in outcome.err


@pytest.mark.parametrize("value", ["[" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP])
def test_nested_costs_are_refused(hotato, call, value):
    Path("costs.json").write_text(value)
    outcome = hotato("autopsy", call, "--cost-config", "costs.json", "--format", "json")
    assert outcome.json["error_code"] == "bad_cost_config"


@pytest.mark.parametrize(
    ("event", "field"),
    [
        ({"event_id": 3, "verdict": {"passed": True}}, "$.events[0].event_id"),
        ({"event_id": "a", "verdict": {"passed": "yes"}}, "$.events[0].verdict.passed"),
        ({"event_id": "a", "verdict": {"passed": True, "talk_over_sec": {}}}, "talk_over_sec"),
        ({"event_id": "a", "verdict": {"passed": True, "seconds_to_yield": 1e300}}, "seconds_to_yield"),
    ],
)
@pytest.mark.parametrize("style", ["html", "md"])
def test_a_base_that_is_no_run_is_refused_by_its_field(hotato, barge_in, tmp_path, event, field, style):
    Path("base.json").write_text(json.dumps({"events": [event], "further": 1}))
    outcome = hotato("report", barge_in, "--base", "base.json", "--format", style)
    assert (outcome.code, outcome.out) == (2, "")
    assert "not the JSON of a run" in outcome.err and field in outcome.err
    assert not Path("hotato-output").exists()


def test_a_run_of_the_same_recording_is_a_base(hotato, barge_in):
    Path("base.json").write_text(hotato("run", barge_in, "--format", "json").out)
    assert hotato("report", barge_in, "--base", "base.json").code == 0


def test_an_interrupt_while_the_program_loads_is_one_line():
    script = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'hotato.cli.app': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from hotato.cli import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script, "--version"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"hotato: interrupted\n")


@pytest.mark.parametrize("style", ["text", "json"])
def test_an_interrupt_that_a_library_wrapped_is_one(hotato, call, monkeypatch, style):
    from hotato import find

    def broken(*words, **more):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("half loaded") from error

    monkeypatch.setattr(find, "scan", broken)
    outcome = hotato("scan", call, "--format", style)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "hotato: interrupted\n")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_no_file_takes_the_place_of_a_closed_stream(closed):
    script = (
        "import os, sys; from hotato.cli import main; main();"
        "open('seen', 'w').write(' '.join(os.readlink(f'/proc/self/fd/{n}') for n in range(3)))"
    )
    command = f'"{sys.executable}" -c "{script}" --version {closed}'
    subprocess.run(["sh", "-c", command], check=False, capture_output=True)
    seen = Path("seen").read_text().split()
    for number in range(3):
        if f"{number}<" in closed or f"{number}>" in closed:
            assert seen[number] == "/dev/null"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", [("scan", "call.flac"), ("scan", "gone.wav"), ("nope",)])
def test_full_streams_keep_the_exit_code_of_a_refusal(process, call, words):
    with Path("/dev/full").open("wb") as full:
        child = process(*words, "--format", "json", stdout=full, stderr=full)
        child.communicate(timeout=60)
        assert child.returncode == 2
        child = process(*words, "--format", "json", stdout=full)
        _, err = child.communicate(timeout=60)
    assert child.returncode == 2
    assert err.startswith(b"hotato: ") and err.count(b"\n") == 1


COMPLETION = {"_HOTATO_COMPLETE": "bash_complete", "COMP_WORDS": "hotato sc", "COMP_CWORD": "1"}


@pytest.mark.parametrize(
    "env",
    [
        {**COMPLETION, "COMP_CWORD": "x"},
        {**COMPLETION, "COMP_CWORD": ""},
        {**COMPLETION, "_HOTATO_COMPLETE": "nope"},
        {**COMPLETION, "_HOTATO_COMPLETE": "bash_nope"},
        {"_HOTATO_COMPLETE": "bash_complete"},
    ],
)
def test_a_broken_request_for_completion_is_one_line(process, env):
    out, err = (child := process(env=env)).communicate(timeout=60)
    assert (child.returncode, out, err.count(b"\n")) == (2, b"", 1)
    assert err.startswith(b"hotato: ")


def test_completion_answers_and_an_empty_request_is_none(process):
    out, err = (child := process(env=COMPLETION)).communicate(timeout=60)
    assert (child.returncode, out, err) == (0, b"plain,scan\n", b"")
    out, _ = (child := process("--version", env={"_HOTATO_COMPLETE": ""})).communicate(timeout=60)
    assert (child.returncode, out[:7]) == (0, b"hotato ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_completion_onto_a_full_device_is_one_line(process):
    with Path("/dev/full").open("wb") as full:
        _, err = (child := process(env=COMPLETION, stdout=full)).communicate(timeout=60)
    assert (child.returncode, err.count(b"\n")) == (2, 1)


@pytest.mark.parametrize("columns", ["\u00b2", "9" * 6000, "-1", "x"])
def test_a_width_that_is_no_number_is_ignored(hotato, call, monkeypatch, columns):
    plain = hotato("scan", call)
    monkeypatch.setenv("COLUMNS", columns)
    assert hotato("scan", call) == plain
    assert hotato("--help").code == 0


@pytest.mark.parametrize("columns", ["\u00b2", "\u0663", "9" * 6000])
def test_progress_ignores_a_width_that_is_no_number(monkeypatch, columns):
    from rich.console import Console

    from hotato.cli.progress import environment

    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    assert Console(_environ=environment()).size.width > 0


@pytest.mark.parametrize(
    "words",
    [
        ("scan", ODD),
        ("scan", "call.flac", "--out", ODD),
        ("autopsy", "call.flac", "--out", ODD, "--export", "rttm"),
        ("run", "call.flac", "--export", "csv", "--output-dir", ODD),
        ("run", "call.flac", "--onset", ODD),
        ("run", "--suite", ODD),
        ("run", "--scenarios", ODD, "--audio", ODD),
        ("doctor", "call.flac", "--out", ODD, "--no-open"),
        ("demo", "--out", ODD, "--no-open"),
        ("trust", ODD),
        (ODD,),
        ("--" + ODD,),
    ],
)
@pytest.mark.parametrize("style", ["text", "json"])
def test_bytes_that_are_no_text_never_crash(hotato, call, words, style):
    outcome = hotato(*words, "--format", style)
    assert outcome.code in (0, 1, 2)
    assert "internal" not in outcome.out + outcome.err
    if style == "json":
        assert isinstance(outcome.json, dict)


def test_a_base_with_an_odd_name_and_a_suite_in_an_odd_folder_are_reported(hotato, barge_in):
    Path(ODD).write_text(hotato("run", barge_in, "--format", "json").out)
    assert hotato("report", barge_in, "--base", ODD, "--out", "r.html").code == 0
    folder = Path(ODD + "-labels")
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps({"id": "barge-in", "expected": {"yield": True}}))
    assert hotato("report", "--scenarios", folder, "--audio", ".").code == 0


@pytest.mark.parametrize("command", ["report", "export"])
def test_a_recording_that_cannot_be_scored_is_told_with_the_next_step(hotato, call, command):
    words = ("--out", "out") if command == "export" else ()
    outcome = hotato(command, call, "--onset", "1000", *words)
    assert outcome.code == 2
    (line,) = outcome.err.splitlines()
    assert "behind the end of the recording" in line and "state an onset before" in line


@pytest.mark.parametrize("command", ["report", "export"])
def test_a_scored_recording_says_nothing_on_standard_error(hotato, barge_in, command):
    assert hotato(command, barge_in, "--out", "out").err == ""


@pytest.mark.parametrize(
    ("words", "wrote"),
    [
        (("autopsy", "call.flac", "--export", "csv"), 3),
        (("doctor", "call.flac", "--no-open"), 1),
        (("demo", "--no-open"), 1),
        (("scan", "call.flac"), 1),
        (("run", "call.flac", "--export", "csv", "--dump-frames"), 1),
    ],
)
def test_json_names_no_absolute_path(hotato, call, tmp_path, words, wrote):
    flag = {"run": str(tmp_path / "deep" / "f.json")}.get(words[0])
    out = [flag] if flag else ["--out", str(tmp_path / "deep" / "out")]
    folder = ["--output-dir", str(tmp_path / "deep")] if flag else []
    outcome = hotato(*words, *out, *folder, "--format", "json")
    assert str(tmp_path) not in outcome.out
    written = outcome.json["written"]
    assert len(written) >= wrote and all(Path(path).is_file() for path in written)
    if words[0] == "autopsy":
        assert outcome.json["report_path"].startswith("deep/out/autopsy-")
        assert outcome.json["envelope_path"].startswith("deep/out/autopsy-")


def test_json_of_a_folder_beside_the_working_one_leads_there(hotato, call, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    outcome = hotato("autopsy", "../call.flac", "--out", tmp_path / "there", "--format", "json")
    assert outcome.json["report_path"].startswith("../there/")
    assert Path(outcome.json["report_path"]).is_file()


@pytest.mark.parametrize("target", ["nowhere", "link"])
def test_a_link_that_leads_nowhere_is_meant_as_a_recording(hotato, target):
    Path("link").symlink_to(target)
    outcome = hotato("link")
    assert outcome.code == 2
    assert "'link'" in outcome.err and "no command" not in outcome.err


def test_a_link_that_leads_nowhere_survives_a_command_that_cannot_write_there(hotato, call, tmp_path):
    Path("out").symlink_to(tmp_path / "unmounted")
    outcome = hotato("autopsy", call, "--out", "out", "--force")
    assert outcome.code == 2
    assert Path("out").is_symlink()


@pytest.mark.parametrize("word", ["x" * 50_000, "x/" * 50_000, "--" + "y" * 50_000])
def test_a_very_long_word_is_shortened(word):
    child = subprocess.run([sys.executable, "-m", "hotato", word], capture_output=True, check=False)
    assert child.returncode == 2
    assert child.stderr.startswith(b"hotato: ") and len(child.stderr) < 2000


def test_a_rate_that_flac_cannot_hold_is_carried_as_wav(hotato):
    import numpy as np
    import soundfile

    rate = 270_144
    noise = np.random.default_rng(5).integers(-9000, 9000, (2 * rate, 2), dtype=np.int16)
    soundfile.write("fast.wav", noise, rate, subtype="PCM_16")
    for words in (("autopsy", "fast.wav", "--embed-audio"), ("doctor", "fast.wav", "--no-open")):
        assert "internal" not in hotato(*words, "--out", f"{words[0]}-out").err
    pages = [*Path("autopsy-out").glob("*.html"), Path("doctor-out")]
    assert all("data:audio/wav;base64," in page.read_text() for page in pages)


def test_one_rttm_for_one_recording_whatever_its_name(hotato, call):
    shutil.copy(call, "copy.flac")
    for name in ("call.flac", "copy.flac"):
        assert hotato("autopsy", name, "--export", "rttm").code == 0
    (rttm,) = Path("hotato-output").glob("*.rttm")
    assert {line.split()[1] for line in rttm.read_text().splitlines()} == {rttm.stem.removeprefix("autopsy-")}


def test_the_function_takes_arguments_without_touching_the_streams_of_its_program(capfd):
    assert main(["--version"]) == 0
    assert capfd.readouterr().out.startswith("hotato ")
