"""The commands that pages and terminals print, pasted where the recording is."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from hotato.find.records import Autopsy, Incident
from hotato.listen import Heard, attend, attend_pair, hear
from hotato.report import autopsy_page
from hotato.report.commands import (
    IF_WRONG,
    PIPED,
    WHERE,
    frames_command,
    gate_command,
    scan_command,
    where_words,
)
from hotato.stacks import ChannelMap

CALLER = [(4.0, 7.5), (11.0, 11.4)]
AGENT = [(0.4, 6.4), (9.0, 11.3)]


def pasted(command: str, folder: Path, call: Path) -> subprocess.CompletedProcess[bytes]:
    """Runs a printed command line in `folder`; `< RECORDING` is replaced by the file it stands for."""
    words, _, piped = command.partition(" < ")
    assert piped in ("", "RECORDING")
    program, *arguments = shlex.split(words)
    assert program == "hotato"
    return subprocess.run(
        [sys.executable, "-m", "hotato", *arguments],
        cwd=folder,
        input=call.read_bytes() if piped else b"",
        capture_output=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, call_writer: Callable[..., Path]) -> Path:
    """A folder with one call, in which the agent talks on for 2.4 s and later stops for a short sound."""
    folder = tmp_path_factory.mktemp("calls")
    call_writer(folder / "-a call.wav", CALLER, AGENT, 14.0)
    return folder


@pytest.fixture
def call(folder: Path) -> Heard:
    return attend(hear(folder / "-a call.wav"), ChannelMap(0, 1))


@pytest.fixture
def talked_on(make_incident: Callable[..., Incident]) -> Incident:
    return make_incident(1, 4.0, 6.4)


@pytest.fixture
def short_stop(make_incident: Callable[..., Incident]) -> Incident:
    return make_incident(
        2, 11.0, 11.3, severity="WARNING", bound_sec=None, title="Agent stopped for a short sound"
    )


def test_an_agent_that_talked_on_is_found_again_by_the_printed_run(
    folder: Path, call: Heard, make_autopsy: Callable[..., Autopsy], talked_on: Incident
) -> None:
    command = gate_command(make_autopsy(source=call.name), talked_on, call)
    assert command == "hotato run --stereo './-a call.wav' --onset 4 --expect yield --max-talk-over 1"
    done = pasted(command, folder, folder / "-a call.wav")
    assert done.returncode == 1, done.stderr
    assert b"FAIL" in done.stdout


def test_a_stop_for_a_short_sound_is_found_again_by_the_printed_run(
    folder: Path, call: Heard, make_autopsy: Callable[..., Autopsy], short_stop: Incident
) -> None:
    autopsy = make_autopsy(source=call.name, incidents=(short_stop,))
    command = gate_command(autopsy, short_stop, call)
    assert command == "hotato run --stereo './-a call.wav' --onset 11 --expect hold"
    assert pasted(command, folder, folder / "-a call.wav").returncode == 1
    assert f"Keep it as a test, {IF_WRONG}<code>" in autopsy_page(autopsy, call)


@pytest.mark.parametrize(
    "kind", ["dead-air", "talk-over", "dual-start", "first-turn-overlap", "resume-into-caller"]
)
@pytest.mark.parametrize("severity", ["CRITICAL", "WARNING"])
def test_any_other_incident_is_gated_by_the_autopsy_at_its_own_severity(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident], kind: str, severity: str
) -> None:
    incident = make_incident(1, 4.0, 6.4, kind_key=kind, severity=severity)
    command = gate_command(make_autopsy(source="c.wav"), incident, None)
    assert command == f"hotato autopsy c.wav --fail-on {severity.lower()}"


def test_a_doubted_interruption_gets_no_label(
    make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident]
) -> None:
    long = make_incident(1, 4.0, 6.4, severity="WARNING")
    close = make_incident(2, 4.0, 4.98, severity="WARNING", boundary_sensitive=True)
    for incident in (long, close):
        command = gate_command(make_autopsy(source="c.wav"), incident, None)
        assert command == "hotato autopsy c.wav --fail-on warning"


def test_standard_input_is_piped_in_again(
    folder: Path, call: Heard, make_autopsy: Callable[..., Autopsy], make_incident: Callable[..., Incident]
) -> None:
    heard = replace(
        call, recordings=(msgspec.structs.replace(call.recordings[0], name="stdin"),), name="stdin"
    )
    autopsy = make_autopsy(source="stdin")
    gap = make_incident(1, 6.4, 9.0, kind_key="latency-spike")
    command = gate_command(autopsy, gap, heard)
    assert command == "hotato autopsy - --fail-on critical < RECORDING"
    done = pasted(command, folder, folder / "-a call.wav")
    assert done.returncode in (0, 1) or "gate not decided" in str(done.stderr)
    assert where_words(autopsy, heard) == PIPED


def test_the_frames_command_writes_the_frames(
    folder: Path, call: Heard, make_autopsy: Callable[..., Autopsy]
) -> None:
    command = frames_command(make_autopsy(source=call.name), call)
    assert command == "hotato run --stereo './-a call.wav' --dump-frames frames.json --no-fail"
    done = pasted(command, folder, folder / "-a call.wav")
    assert done.returncode == 0, done.stderr
    assert (folder / "frames.json").stat().st_size > 1000


def test_two_files_and_named_channels_are_named_in_every_command(
    tmp_path: Path, call: Heard, make_autopsy: Callable[..., Autopsy], talked_on: Incident
) -> None:
    import soundfile

    for name in ("in.wav", "out.wav"):
        soundfile.write(tmp_path / name, [0.0] * 8000, 8000)
    pair = attend_pair(hear(tmp_path / "in.wav"), hear(tmp_path / "out.wav"))
    autopsy = make_autopsy(source=pair.name)
    assert "hotato run --caller in.wav --agent out.wav --onset 4" in gate_command(autopsy, talked_on, pair)
    named = replace(call, channels=ChannelMap(1, 0, source="flags"))
    assert "--caller-channel 1 --agent-channel 0" in scan_command(make_autopsy(source=call.name), named)


def test_a_page_says_once_where_its_commands_are_to_be_run(autopsy: Autopsy, heard: Heard) -> None:
    assert autopsy_page(autopsy, heard).count(WHERE) == 1
