"""Flags of later editions: known, hidden, refused with the reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hotato.cli.later import LATER

COMMANDS = {
    "run": ("mono", "diarize", "speakers", "transcribe"),
    "report": ("trace",),
    "scan": ("folder_costs",),
    "trust": ("diarize",),
    "contract create": ("mono", "diarize", "speakers"),
    "contract verify": ("said", "notify"),
    "prove": ("conversations",),
    "investigate": ("pull", "transcript"),
}
FLAGS = [
    (command, flag, value)
    for command, jobs in COMMANDS.items()
    for job in jobs
    for flag, value in LATER[job].flags.items()
]


@pytest.mark.parametrize(("command", "flag", "value"), FLAGS)
def test_it_is_refused_for_what_it_is_and_nothing_is_written(hotato, call, tmp_path, command, flag, value):
    value = ["a-secret-1234"] if value else []
    told = hotato(*command.split(), flag, *value, "call.flac", "--format", "json")
    assert (told.code, told.json["error_code"]) == (2, "not_in_this_version")
    assert flag in told.json["message"] and told.json["remedy"]
    assert "secret" not in told.out + told.err
    assert [path.name for path in tmp_path.iterdir()] == ["call.flac"]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_does_not_offer_it(hotato, command):
    text = hotato(*command.split(), "--help").out
    assert not any(re.search(rf"{flag}\b", text) for name, flag, _ in FLAGS if name == command)


def test_the_table_has_no_job_that_no_command_takes():
    assert {job for jobs in COMMANDS.values() for job in jobs} == set(LATER)


@pytest.mark.parametrize("command", ["run --mono", "trust --diarizer"])
def test_a_flag_without_its_value_is_a_usage_error(hotato, command):
    told = hotato(*command.split())
    assert told.code == 2 and not Path("hotato-output").exists()
