"""What a finding or a doubt tells its reader to pass is an option of every command that shows it."""

from __future__ import annotations

import re

import click
import pytest

from hotato.cli.app import top
from hotato.report.doubts import DOUBT_WORDS

SHOWING = ("autopsy", "scan", "run", "trust", "report", "doctor", "export")


def options(command: str) -> set[str]:
    context = click.Context(top)
    found = top.get_command(context, command)
    assert found is not None
    return {
        name
        for parameter in found.params
        if not getattr(parameter, "hidden", False)
        for name in parameter.opts
    }


@pytest.mark.parametrize("command", SHOWING)
def test_the_flags_that_a_doubt_names_are_options(command):
    named = {flag for words in DOUBT_WORDS.values() for flag in re.findall(r"--[a-z][a-z-]+", words)}
    assert named and named <= options(command)
