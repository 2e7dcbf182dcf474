"""Finding commands: help, suggestions, `hotato FILE`, the lab, completion, a fast start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotato._version import __version__
from hotato.cli import options
from hotato.cli.app import top
from hotato.cli.catalogue import COMMANDS
from hotato.report.timefmt import clock

PUBLIC = [name for name, entry in COMMANDS.items() if entry.public]
LAB = [name for name, entry in COMMANDS.items() if not entry.public]


def test_the_version_is_one_line(hotato):
    outcome = hotato("--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"hotato {__version__}\n", "")


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_lists_the_public_surface_only(hotato, words):
    outcome = hotato(*words)
    listed = {line.split()[0] for line in outcome.out.splitlines() if line.startswith("  ") and line.split()}
    assert outcome.code == 0
    assert set(PUBLIC) | {"lab"} <= listed
    assert not set(LAB) & listed


def test_the_lab_lists_the_rest(hotato):
    outcome = hotato("lab", "--help")
    listed = {line.split()[0] for line in outcome.out.splitlines() if line.startswith("  ") and line.split()}
    assert set(LAB) <= listed
    assert not set(PUBLIC) & listed


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself_in_and_outside_the_lab(hotato, name):
    plain, lab = hotato(name, "--help"), hotato("lab", name, "--help")
    assert plain.code == lab.code == 0
    assert plain.out.startswith("Usage: hotato ")
    assert plain.out.partition("\n")[2] == lab.out.partition("\n")[2]


def test_a_mistyped_command_gets_a_suggestion(hotato):
    outcome = hotato("autospy")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "hotato: there is no command 'autospy'; did you mean 'autopsy'?\n"


def test_nonsense_is_pointed_to_the_help(hotato):
    assert hotato("qqqqq").err == "hotato: there is no command 'qqqqq'; 'hotato --help' lists the commands\n"


def test_a_file_in_place_of_a_command_is_opened(hotato, call):
    assert hotato(call) == hotato("autopsy", call)


def test_a_missing_recording_in_place_of_a_command_is_not_a_mistyped_command(hotato):
    outcome = hotato("gone.wav")
    assert outcome.code == 2
    assert "gone.wav" in outcome.err
    assert "command" not in outcome.err


def test_an_unknown_flag_is_one_line_with_the_way_to_the_help(hotato):
    outcome = hotato("scan", "--stero", "x.wav")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "--stereo" in outcome.err
    assert "hotato scan --help" in outcome.err


@pytest.mark.parametrize("flag", ["--diarize", "--mono", "--transcribe"])
def test_flags_of_other_editions_are_not_swallowed(hotato, call, flag):
    assert hotato("run", call, flag, "x").code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_code_names_the_program(hotato, shell):
    outcome = hotato("completion", shell)
    assert outcome.code == 0
    assert "_HOTATO_COMPLETE" in outcome.out


def test_completion_offers_commands_and_flags():
    def offered(*words: str) -> set[str]:
        env = {
            "_HOTATO_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(["hotato", *words]),
            "COMP_CWORD": str(len(words)),
        }
        child = _python("from hotato.cli import main; raise SystemExit(main())", env)
        return {line.partition(",")[2] for line in child.splitlines()}

    assert "autopsy" in offered("aut")
    assert "--stereo" in offered("scan", "--st")
    assert offered("tr") == {"trust"}
    assert set(LAB) <= offered("")
    assert offered("lab", "ex") == {"export"}
    assert "--max-response-gap" in offered("lab", "export", "--max")
    assert "--version" in offered("--v")


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("bash", 'eval "$(hotato completion bash)"'),
        ("zsh", 'eval "$(hotato completion zsh)"'),
        ("fish", "hotato completion fish | source"),
    ],
)
def test_help_gives_the_line_for_every_shell(hotato, shell, line):
    assert f"  {line}\n" in hotato("completion", "--help").out
    assert line in (Path(__file__).resolve().parents[2] / "docs" / "CLI.md").read_text(), shell


@pytest.mark.parametrize(("columns", "widest"), [(None, 80), ("100", 100), ("60", 60), ("x", 80), ("0", 80)])
def test_columns_decide_the_width_where_nobody_looks(hotato, call, monkeypatch, columns, widest):
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    answer = hotato("autopsy", call).out.split("\n\n")[1].splitlines()
    assert widest - 16 < max(map(len, answer)) <= widest


def test_version_and_help_import_no_heavy_library():
    code = (
        "import sys; from hotato.cli import main; code = main([sys.argv[1]]);"
        "heavy = {'numpy', 'jinja2', 'rich', 'soundfile', 'av'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy or code else 0)"
    )
    for word in ("--version", "--help"):
        subprocess.run([sys.executable, "-c", code, word], check=True, stdout=subprocess.DEVNULL)


def test_python_dash_m_is_the_same_program(tmp_path: Path):
    words = [sys.executable, "-m", "hotato", "--version"]
    assert subprocess.check_output(words, text=True) == f"hotato {__version__}\n"


def _python(code: str, env: dict[str, str]) -> str:
    import os

    return subprocess.check_output([sys.executable, "-c", code], env={**os.environ, **env}, text=True)


GROUPS = {name for name in COMMANDS if isinstance(top.get_command(None, name), click.Group)}
BY_THEMSELVES = {"init", "investigate", "benchmark", "gauntlet"}


@pytest.mark.parametrize("name", sorted(GROUPS - BY_THEMSELVES))
def test_a_group_alone_names_its_commands_on_one_line(hotato, name):
    outcome = hotato(name)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    group = top.get_command(None, name)
    assert ", ".join(group.list_commands(None)) in outcome.err and len(outcome.err) < 200


@pytest.mark.parametrize(
    ("typed", "sec"),
    [("2", 2.0), ("2.5", 2.5), ("0:02.00", 2.0), ("10:46", 646.0), ("100:00", 6000.0), ("1:02:03.5", 3723.5)],
)
def test_seconds_are_read_as_they_are_printed(typed, sec):
    assert options.seconds(typed) == options.start_seconds(typed) == sec


@given(st.floats(0, 5000, allow_nan=False).map(lambda sec: round(sec, 2)))
def test_whatever_a_report_prints_is_read_back(sec):
    assert options.seconds(clock(sec, 2)) == pytest.approx(sec, abs=1e-9)


@pytest.mark.parametrize(
    "typed",
    [
        "1:75",
        "1:2",
        ":30",
        "1:",
        "-1:00",
        "1:60:00",
        "1::2",
        "1:00:00:00",
        "1:0x",
        "9999999:00",
        "1:٣٠",
        "nan:00",
    ],
)
def test_what_is_no_time_is_refused(typed):
    with pytest.raises(click.BadParameter):
        options.seconds(typed)


def test_a_time_that_is_too_late_is_refused_as_such():
    with pytest.raises(click.BadParameter, match="more than 1000000 seconds"):
        options.seconds("999:00:00")


@pytest.mark.parametrize("command", [("contract", "create"), ("fixture", "create"), ("start",)])
def test_several_recordings_of_one_moment_are_not_gone_through(hotato, command):
    outcome = hotato(*command, "a.wav", "b.wav")
    assert outcome.code == 2
    assert f"{' '.join(command)} takes one at a time; name one of them" in outcome.err
