"""docs/CLI.md and the command line say the same."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from hotato.cli.app import top
from hotato.cli.catalogue import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = dict(
    re.findall(r"^## (\w+)(?: \(lab\))?\n(.*?)(?=^## |\Z)", (ROOT / "docs/CLI.md").read_text(), re.M | re.S)
)
DOCUMENTED = {name for name in COMMANDS if name != "check"}


def options(name: str) -> list[click.Option]:
    command = top.get_command(click.Context(top), name)
    assert command is not None
    inner = list(command.commands.values()) if isinstance(command, click.Group) else []
    parameters = [parameter for item in (command, *inner) for parameter in item.params]
    return [parameter for parameter in parameters if isinstance(parameter, click.Option)]


def test_every_command_has_a_section_and_no_other():
    assert set(SECTIONS) - {"Everywhere"} == DOCUMENTED


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_every_flag_is_described_with_its_choices_and_no_other(name):
    rows = re.findall(r"^\| (`--[^|]+) \| (.+) \|$", SECTIONS[name], re.M)
    described = {flag for cell, _ in rows for flag in re.findall(r"--[\w-]+", cell)}
    assert described == {flag for option in options(name) for flag in [*option.opts, *option.secondary_opts]}
    for option in options(name):
        if isinstance(option.type, click.Choice):
            cell = next(
                cell for cell, _ in rows if f"{option.opts[0]}`" in cell or f"{option.opts[0]} " in cell
            )
            assert re.findall(r"{(.+)}", cell) == ["/".join(option.type.choices)]


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_stated_defaults_are_the_defaults(name):
    for option in options(name):
        stated = re.search(rf"`{option.opts[0]}\b.*\(default ([^)]+)\) \|$", SECTIONS[name], re.M)
        if stated:
            assert stated[1] == (
                f"{option.default:g}" if isinstance(option.default, float) else str(option.default)
            )


def test_the_lab_is_marked():
    headings = re.findall(r"^## (\w+)( \(lab\))?$", (ROOT / "docs/CLI.md").read_text(), re.M)
    for name, lab in headings:
        if name in COMMANDS:
            assert bool(lab) is not COMMANDS[name].public
