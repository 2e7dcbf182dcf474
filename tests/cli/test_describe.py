"""`hotato describe`: the tool for programs."""

from __future__ import annotations

import re
from pathlib import Path

from hotato._version import __version__
from hotato.cli.catalogue import COMMANDS


def test_it_names_every_command_with_its_flags(hotato):
    described = hotato("describe", "--format", "json").json
    assert (described["tool"], described["kind"], described["version"]) == ("hotato", "describe", __version__)
    commands = {command["name"]: command for command in described["commands"]}
    assert list(commands) == list(COMMANDS)
    flags = {flag: option for option in commands["scan"]["options"] for flag in option["flags"]}
    assert flags["--format"]["choices"] == ["text", "json"]
    assert flags["--min-gap"]["default"] == 2.0
    assert flags["--export"]["repeatable"] is True
    assert flags["--force"]["takes_value"] is False


def test_a_command_of_commands_names_them_with_their_flags(hotato):
    commands = {c["name"]: c for c in hotato("describe", "--format", "json").json["commands"]}
    (badge,) = commands["gauntlet"]["commands"]
    assert badge["name"] == "badge" and badge["summary"] == "Run the gauntlet and make a badge of it, an SVG."
    assert [option["flags"] for option in badge["options"]] == [["--out"], ["--force"]]
    assert "commands" not in commands["run"]


def test_the_text_lists_both_surfaces(hotato):
    text = hotato("describe").out
    assert all(f"  {name} " in text for name in COMMANDS)


def test_only_exit_codes_of_this_version_are_named(hotato):
    facts = hotato("describe", "--format", "json").json
    assert list(facts["exit_codes"]) == ["0", "1", "2", "130"]
    assert "exit codes: 0 pass, 1 fail, 2 refused, 130 interrupted\n" in hotato("describe").out
    page = (Path(__file__).resolve().parents[2] / "docs" / "CLI.md").read_text()
    assert re.findall(r"^\| (\d+) \|", page, re.M) == list(facts["exit_codes"])


def test_two_runs_say_the_same(hotato):
    assert hotato("describe", "--format", "json") == hotato("describe", "--format", "json")
