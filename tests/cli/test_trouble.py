"""Trouble from outside: bad input, full disks, closed pipes, signals, odd locales. One line, no leftovers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import wave
from pathlib import Path

import pytest

NOBODY = 65534
REFUSED = {
    "a missing file": ("gone.wav", "not_found"),
    "a folder": ("folder", "is_a_directory"),
    "a text file": ("text.wav", "not_audio"),
    "an empty file": ("empty.wav", "not_audio"),
    "random bytes": ("noise.wav", "not_audio"),
    "a header without samples": ("silent.wav", "no_samples"),
}


@pytest.fixture
def bad_inputs(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.wav").write_text("this is not a recording\n" * 20)
    (tmp_path / "empty.wav").write_bytes(b"")
    (tmp_path / "noise.wav").write_bytes(bytes(range(7, 250)) * 30)
    with wave.open(str(tmp_path / "silent.wav"), "wb") as file:
        file.setparams((2, 2, 16000, 0, "NONE", ""))
    return tmp_path


@pytest.mark.parametrize("command", ["autopsy", "scan", "trust", "run", "report"])
@pytest.mark.parametrize("kind", list(REFUSED))
def test_bad_input_is_one_line_and_leaves_nothing(hotato, bad_inputs, command, kind):
    before = sorted(bad_inputs.rglob("*"))
    outcome = hotato(command, REFUSED[kind][0])
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("hotato: ")
    assert outcome.err.count("\n") == 1
    assert str(bad_inputs) not in outcome.err
    assert sorted(bad_inputs.rglob("*")) == before


@pytest.mark.parametrize("kind", list(REFUSED))
def test_bad_input_is_one_object_for_programs(hotato, bad_inputs, kind):
    name, code = REFUSED[kind]
    outcome = hotato("autopsy", name, "--format", "json")
    assert (outcome.code, outcome.err) == (2, "")
    error = outcome.json
    assert list(error)[:6] == ["tool", "schema_version", "ok", "error_code", "message", "exit_code"]
    assert (error["tool"], error["schema_version"], error["ok"], error["exit_code"]) == (
        "hotato",
        "1",
        False,
        2,
    )
    assert error["error_code"] == code
    assert error["message"]


@pytest.mark.parametrize(
    "words", [("scan", "--format", "json"), ("scan", "--format=json", "--nope"), ("nope", "--format", "json")]
)
def test_a_usage_error_is_one_object_for_programs(hotato, words):
    outcome = hotato(*words)
    assert (outcome.code, outcome.err) == (2, "")
    assert outcome.json["error_code"] == "usage_error"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_forbidden_file_is_refused(hotato, call, tmp_path):
    assert hotato("scan", call, "--format", "json").code == 0  # whatever is imported is imported by now
    call.chmod(0)
    tmp_path.chmod(0o755)
    mine = os.geteuid()
    try:
        if mine == 0:
            os.seteuid(NOBODY)  # root may read everything
        outcome = hotato("scan", call.name, "--format", "json")
    finally:
        os.seteuid(mine)
    assert (outcome.code, outcome.err) == (2, "")
    assert outcome.json["error_code"] == "permission_denied"


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (("scan", "calls/monday/gone.wav"), "calls/monday/gone.wav"),
        (("autopsy", "./calls/gone.wav"), "./calls/gone.wav"),
        (("trust", "./calls/"), "./calls/"),
        (("run", "calls/text.txt/x.wav"), "calls/text.txt/x.wav"),
        (("autopsy", "calls/monday"), "calls/monday"),
        (("autopsy", "calls/text.txt", "--cost-config", "calls/none.json"), "calls/none.json"),
        (("report", "call.flac", "--base", "calls/none.json"), "calls/none.json"),
        (("run", "--scenarios", "calls/none", "--audio", "calls"), "calls/none"),
        (("run", "--scenarios", "calls/monday", "--audio", "calls/text.txt"), "calls/text.txt"),
        (("doctor", "calls/gone.wav"), "calls/gone.wav"),
        (("autopsy", "calls/go\x1bne.wav"), r"calls/go\x1bne.wav"),
    ],
)
def test_what_is_missing_is_named_as_it_was_typed(hotato, tmp_path, call, words, typed):
    (tmp_path / "calls" / "monday").mkdir(parents=True)
    (tmp_path / "calls" / "text.txt").write_text("no recording")
    outcome = hotato(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"'{typed}'" in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs a user who is kept out")
@pytest.mark.parametrize(
    "words", [("scan", "calls/call.flac"), ("autopsy", "call.flac", "--cost-config", "calls/costs.json")]
)
def test_what_is_forbidden_is_named_as_it_was_typed(hotato, tmp_path, call, words):
    (tmp_path / "calls").mkdir(mode=0o700)
    shutil.copy(call, "calls")
    Path("calls/costs.json").write_text('{"currency": "USD", "per_incident": {}}')
    assert hotato(*words).code == 0  # whatever is imported is imported by now
    tmp_path.chmod(0o755)
    os.seteuid(NOBODY)
    try:
        outcome = hotato(*words)
    finally:
        os.seteuid(0)
    assert outcome.code == 2
    assert f"'{words[-1]}'" in outcome.err


def test_a_single_channel_is_refused_where_parties_matter(hotato, mono):
    for command in ("scan", "run"):
        assert hotato(command, mono, "--format", "json").json["error_code"] == "mono"
    assert hotato("trust", mono).code == 2


def test_an_internal_error_names_its_type_and_the_way_to_more(hotato, call, monkeypatch):
    from hotato import find

    def broken(*words, **more):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(find, "scan", broken)
    outcome = hotato("scan", call)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "ZeroDivisionError" in outcome.err
    assert "HOTATO_DEBUG=1" in outcome.err
    assert "secret" not in outcome.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MemoryError(), "out_of_memory"),
        (OSError(28, "full"), "disk_full"),
        (OSError(13, "no"), "permission_denied"),
    ],
)
def test_trouble_of_the_machine_has_a_code_of_its_own(hotato, call, monkeypatch, error, code):
    from hotato import find

    def broken(*words, **more):
        raise error

    monkeypatch.setattr(find, "scan", broken)
    outcome = hotato("scan", call, "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, code)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("scan", "call.flac"), ("scan", "call.flac", "--format", "json")]
)
def test_a_full_standard_output_is_one_line(process, call, words):
    with Path("/dev/full").open("wb") as full:
        child = process(*words, stdout=full)
        _, err = child.communicate(timeout=60)
    assert child.returncode == 2
    assert err.count(b"\n") == 1
    assert err.startswith(b"hotato: ")


def test_a_reader_that_leaves_is_not_a_failure(process, call):
    reader, writer = os.pipe()
    os.close(reader)
    child = process("scan", "call.flac", stdout=writer)
    os.close(writer)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 141
    assert err == b""


def test_closed_streams_do_no_harm(call):
    script = f'"{sys.executable}" -m hotato scan call.flac >&- 2>&-'
    assert subprocess.run(["sh", "-c", script], check=False).returncode == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_no_file_and_exits_130(process, tmp_path, number):
    long_call(tmp_path / "long.wav", minutes=90)
    child = process("autopsy", "long.wav")
    wait_until_reading(child.pid, "long.wav")
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert (out, err) == (b"", b"hotato: interrupted\n")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["long.wav"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_renders_leaves_no_folder_when_it_is_ended(process, tmp_path, number):
    (tmp_path / "scratch").mkdir()
    child = process("gauntlet", env={"TMPDIR": str(tmp_path / "scratch")})
    for _ in range(4000):
        if any((tmp_path / "scratch").glob("hotato-*/scenarios/*")) or child.poll() is not None:
            break
        time.sleep(0.005)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"hotato: interrupted\n")
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_hangup_that_the_parent_ignores_ends_nothing(call):
    script = f"trap '' HUP; '{sys.executable}' -m hotato scan call.flac & sleep 0.4; kill -HUP $!; wait $!"
    assert subprocess.run(["sh", "-c", script], check=False, capture_output=True).returncode == 0


def test_an_unwritable_output_folder_is_one_line(hotato, call, tmp_path):
    (tmp_path / "blocked").write_text("a file")
    before = sorted(tmp_path.rglob("*"))
    outcome = hotato("autopsy", call, "--out", "blocked")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    outcome = hotato("autopsy", call, "--out", "blocked/deeper")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_leaves_no_file(hotato, call, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let its root mount")
    try:
        outcome = hotato("autopsy", call, "--out", "disk/out", "--format", "json")
        assert outcome.code == 2
        assert outcome.json["error_code"] == "disk_full"
        assert list(disk.rglob("*")) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}]
)
@pytest.mark.parametrize("words", [("scan",), ("autopsy",), ("trust",), ("scan", "--format", "json")])
def test_a_poor_locale_gets_plain_letters(process, call, env, words):
    name = "r\u00e9servation \u2013 \u6ce2.flac"
    call.rename(name)
    child = process(*words, name, env=env)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, b"")
    out.decode("ascii")


@pytest.mark.skipif(os.name != "posix", reason="names are text elsewhere")
@pytest.mark.parametrize("style", ["text", "json"])
def test_a_name_that_is_not_text_is_no_trouble(process, call, style):
    name = os.fsdecode(b"call-\xff\xfe.flac")
    call.rename(name)
    child = process("autopsy", name, "--format", style)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, b"")
    if style == "json":
        json.loads(out)


def long_call(path: Path, minutes: int) -> None:
    """A stereo recording that takes a while to read: one loud minute, repeated."""
    import numpy as np

    minute = np.random.default_rng(3).integers(-8000, 8000, (60 * 16000, 2), dtype=np.int16).tobytes()
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, 16000, 0, "NONE", ""))
        for _ in range(minutes):
            file.writeframesraw(minute)


def wait_until_reading(pid: int, name: str) -> None:
    """Wait until the child has the file open, so that the signal meets it at work."""
    folder = Path(f"/proc/{pid}/fd")
    if not folder.exists():
        time.sleep(1.0)
        return
    for _ in range(2000):
        try:
            if any(link.readlink().name == name for link in folder.iterdir()):
                return
        except OSError:
            pass
        time.sleep(0.005)
    raise AssertionError("the child never opened the file")
