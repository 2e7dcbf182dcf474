"""What is known of a recording is shown by every command; what it asks its reader to pass is an option."""

from __future__ import annotations

import csv
import html
import json
import re
from pathlib import Path

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


@pytest.fixture
def cut(barge_in):
    """A recording whose header promises more than the file holds."""
    data = barge_in.read_bytes()
    return Path("cut.wav").write_bytes(data[: len(data) - 40_000]) and "cut.wav"


def test_a_missing_end_is_told_by_every_command(hotato, cut):
    words = ("--onset", "2.4", "--expect", "yield")
    told = {
        "scan": hotato("scan", cut).out,
        "run": hotato("run", cut, *words).out,
        "report": hotato("report", cut, *words, "--out", "page.html", "--no-fail").out,
        "markdown": hotato("report", cut, *words, "--format", "md", "--out", "page.md", "--no-fail").out,
        "doctor": hotato("doctor", cut, *words, "--out", "doctor.html", "--no-open").out,
    }
    hotato("export", cut, *words, "--out", "csv", "--no-fail")
    texts = {
        **{name: told[name] for name in ("scan", "run", "doctor")},
        **{name: html.unescape(Path(name).read_text()) for name in ("page.html", "page.md", "doctor.html")},
    }
    for name, text in texts.items():
        assert "are missing" in " ".join(text.split()), name
    found = hotato("scan", cut, "--format", "json").json["findings"]
    assert [finding["code"] for finding in found] == ["truncated"]
    lines = [line for line in Path("csv/events.csv").read_text().splitlines() if not line.startswith("#")]
    assert next(csv.DictReader(lines))["findings"] == "truncated"
    assert json.loads(Path("csv/envelope.json").read_text())["events"][0]["findings"]


def test_of_a_sound_file_nothing_is_told(hotato, barge_in):
    assert hotato("scan", barge_in, "--format", "json").json["findings"] == []
    assert "recording:" not in hotato("scan", barge_in).out + hotato("run", barge_in).out
