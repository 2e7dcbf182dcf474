"""`hotato init`: what it wrote, what it kept, and what comes next."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from hotato import scaffold
from hotato.cli.init import SYSTEM_NAMES

SOURCE = "hotato @ git+https://example.test/hotato.git@v1"


def test_a_starter_lists_what_it_wrote_and_then_what_it_kept(hotato):
    first = hotato("init", "starter", "--stack", "vapi", "--out", ".")
    assert (first.code, first.err) == (0, "")
    assert "  wrote   .github/workflows/hotato-contracts.yml\n" in first.out
    assert "next: replace the value of HOTATO_INSTALL" in first.out and "next: read HOTATO.md" in first.out
    again = hotato("init", "starter", "--stack", "vapi", "--out", ".")
    assert again.code == 0 and "wrote" not in again.out and "  kept    HOTATO.md\n" in again.out


def test_kept_files_that_hold_other_values_are_named(hotato):
    assert hotato("init", "starter", "--stack", "livekit", "--out", ".").code == 0
    quiet = hotato("init", "starter", "--stack", "livekit", "--out", ".")
    assert "holds" not in quiet.out and "lacks" not in quiet.out
    again = hotato("init", "starter", "--stack", "vapi", "--out", ".", "--install", SOURCE)
    workflow = ".github/workflows/hotato-contracts.yml"
    assert "  holds   hotato.yaml: stack livekit, not vapi\n" in again.out
    assert f"  holds   {workflow}: install {scaffold.DEFAULT_INSTALL}, not {SOURCE}\n" in again.out
    assert "or pass --force" in again.out
    facts = hotato("init", "starter", "--stack", "vapi", "--out", ".", "--format", "json").json
    assert {one["path"] for one in facts["other_values"]} == {"hotato.yaml", "HOTATO.md"}
    forced = hotato("init", "starter", "--stack", "vapi", "--out", ".", "--install", SOURCE, "--force")
    assert "holds" not in forced.out


def test_the_lines_that_a_kept_ignore_file_lacks_are_printed(hotato):
    Path(".gitignore").write_text("*.wav\nreports/\n.hotato*\n")
    outcome = hotato("init", "starter", "--stack", "vapi", "--out", ".")
    lacked = [line.split(": ")[1] for line in outcome.out.splitlines() if line.startswith("  lacks")]
    assert "*.wav" not in lacked and "/reports/*" not in lacked and "/.hotato-env/" not in lacked
    assert lacked[-1] == "/hotato-output/" and "*.flac" in lacked
    with Path(".gitignore").open("a") as file:
        file.write("\n".join(lacked))
    assert "lacks" not in hotato("init", "starter", "--stack", "vapi", "--out", ".").out


def test_json_lists_the_same(hotato):
    facts = hotato("init", "starter", "--stack", "twilio", "--out", "deep/er", "--format", "json").json
    assert (facts["tool"], facts["kind"], facts["what"], facts["kept"]) == ("hotato", "init", "starter", [])
    assert all(Path(path).is_file() for path in facts["written"])
    assert facts["written"][0] == "deep/er/HOTATO.md"


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_a_system_gets_the_one_file_that_it_reads(hotato, system):
    outcome = hotato("init", "ci", "--system", system, "--install", SOURCE)
    assert (outcome.code, outcome.err) == (0, "")
    assert SOURCE in Path(scaffold.SYSTEMS[system]).read_text()
    assert "next:" not in outcome.out
    assert hotato("init", "ci", "--system", system, "--install", SOURCE).code == 0


def test_the_systems_of_the_command_line_are_those_of_the_room():
    assert tuple(scaffold.SYSTEMS) == SYSTEM_NAMES


def test_a_configuration_that_is_there_is_replaced_by_force_only(hotato):
    Path("Jenkinsfile").write_text("ours")
    outcome = hotato("init", "ci", "--system", "jenkins", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "exists")
    assert Path("Jenkinsfile").read_text() == "ours"
    assert hotato("init", "ci", "--system", "jenkins", "--force").code == 0
    assert "pipeline {" in Path("Jenkinsfile").read_text()


def test_auto_says_what_it_saw(hotato):
    Path("requirements.txt").write_text("livekit-agents\ntwilio\n")
    Path("package.json").write_text("{")
    outcome = hotato("init", "--auto", "--agents")
    assert outcome.code == 0
    assert "  saw     livekit-agents in requirements.txt\n" in outcome.out
    assert "  unread  package.json: cannot be read\n" in outcome.out
    assert "  stack   livekit\n" in outcome.out and "  wrote   AGENTS.md\n" in outcome.out
    assert "stack: livekit\n" in Path("hotato.yaml").read_text()


def test_a_stated_platform_wins_over_what_is_seen(hotato):
    Path("requirements.txt").write_text("livekit-agents\nvapi-server-sdk\n")
    seen = hotato("init", "--auto", "--format", "json")
    assert seen.json["error_code"] == "ambiguous_stack" and "--stack" in seen.json["remedy"]
    facts = hotato("init", "--auto", "--stack", "vapi", "--format", "json").json
    assert facts["stack"] == "vapi" and "stack: vapi\n" in Path("hotato.yaml").read_text()


@pytest.mark.parametrize("flags", [(), ("--install", SOURCE)])
def test_the_line_that_says_how_it_was_made_works_when_pasted(hotato, flags):
    assert hotato("init", "--auto", "--stack", "retell", *flags).code == 0
    page = Path("HOTATO.md").read_text()
    line = next(part for part in page.split("`") if part.startswith("hotato init starter"))
    done = hotato(*shlex.split(line)[1:], "--format", "json")
    assert done.code == 0 and done.json["written"] == []
    assert "HOTATO.md" in done.json["kept"]
    Path("HOTATO.md").unlink()
    assert hotato(*shlex.split(line)[1:]).code == 0
    assert Path("HOTATO.md").read_text() == page


def test_auto_in_json(hotato):
    facts = hotato("init", "--auto", "--format", "json").json
    assert (facts["what"], facts["stack"], facts["saw"]) == ("auto", "generic", [])


def test_agents_alone_writes_one_page(hotato):
    assert hotato("init", "--agents").code == 0
    assert [path.name for path in Path().iterdir()] == ["AGENTS.md"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("init",), "usage_error"),
        (("init", "--auto", "starter", "--stack", "vapi", "--out", "."), "usage_error"),
        (("init", "starter", "--stack", "nokia", "--out", "."), "usage_error"),
        (("init", "--agents", "--stack", "vapi"), "usage_error"),
        (("init", "ci", "--system", "gitlab", "--install", "hotato==1"), "other_program"),
        (("init", "ci", "--system", "gitlab", "--install", "$(x)"), "usage_error"),
        (("init", "webhook", "--stack", "vapi", "--out", "x"), "not_in_this_version"),
    ],
)
def test_what_is_refused_writes_nothing(hotato, words, code):
    outcome = hotato(*words, "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, code)
    assert list(Path().iterdir()) == []
