"""The action's step, run by bash with nothing but the variables that a runner sets."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from dataclasses import dataclass
from importlib import resources
from io import StringIO
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from hotato._version import __version__
from hotato.cli.catalogue import COMMANDS
from hotato.contract.create import Pin, create_contract

ROOT = Path(__file__).resolve().parents[2]
BATTERY = Path(str(resources.files("hotato"))) / "data" / "battery"
CALL = "01-hard-interruption"
ACTION = YAML(typ="safe").load(StringIO((ROOT / "action.yml").read_text()))
(STEP,) = ACTION["runs"]["steps"]


@dataclass(frozen=True)
class Outcome:
    """What the step left behind."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of a job; `hotato` is the one under test, and `python3` writes down what it is told."""
    (tmp_path / "bin").mkdir()
    source = os.environ.get("PYTHONPATH", "")
    tools = {
        "hotato": f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -m hotato "$@"\n',
        "python3": (
            f'#!/bin/sh\necho "$*" >> "{tmp_path}/python.log"\n'
            'if [ "$1 $2" = "-m venv" ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi\n'
        ),
    }
    for name, script in tools.items():
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def step(workspace: Path, *, base: str = "", **inputs: str) -> Outcome:
    """Run the step with these inputs, and the defaults of action.yml for the others."""
    for name in ("output", "summary"):
        (workspace / name).write_text("")
    given = {name: facts["default"] for name, facts in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in {"hotato": "preinstalled", **inputs}.items()}
    environment = {
        "PATH": f"{workspace / 'bin'}:/usr/bin:/bin",
        "GITHUB_OUTPUT": str(workspace / "output"),
        "GITHUB_STEP_SUMMARY": str(workspace / "summary"),
        "RUNNER_TEMP": str(workspace),
    }
    for name, template in STEP["env"].items():
        found = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", template)
        environment[name] = given[found[1]] if found else ""
    environment |= {"BASE_REVISION": base, "ACTION_FOLDER": str(ROOT)}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEP["run"]],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (workspace / "output").read_text().splitlines()
    outputs = dict(line.split("=", 1) for line in lines)
    return Outcome(done.returncode, done.stdout + done.stderr, outputs, (workspace / "summary").read_text())


def battery(*, fails: bool = False, audio: bool = True) -> dict[str, str]:
    for part in ("scenarios", "audio"):
        Path("mine", part).mkdir(parents=True, exist_ok=True)
    text = (BATTERY / "scenarios" / f"{CALL}.json").read_text()
    if fails:
        text = re.sub(r'"max_time_to_yield_sec": [\d.]+', '"max_time_to_yield_sec": 0.01', text)
    Path("mine/scenarios", f"{CALL}.json").write_text(text)
    if audio:
        shutil.copy(BATTERY / "audio" / f"{CALL}.example.wav", "mine/audio")
    return {"scenarios": "mine/scenarios", "audio": "mine/audio"}


def recording(name: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(BATTERY / "audio" / f"{CALL}.example.wav", name)
    return name


def listening(workspace: Path) -> Path:
    """Put a hotato on the path that writes its words to a file, one a line: that file."""
    words = workspace / "words"
    (workspace / "bin" / "hotato").write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || for word; do printf "%s\\n" "$word"; done > "{words}"\n'
    )
    return words


def test_every_input_reaches_the_script_as_a_variable_and_nothing_else_does():
    assert STEP["run"] == 'bash "$ACTION_FOLDER/action/run.sh"'
    named = {match for text in STEP["env"].values() for match in re.findall(r"inputs\.([\w-]+)", text)}
    assert named == set(ACTION["inputs"])
    assert "${{" not in (ROOT / "action/run.sh").read_text()


def test_every_output_is_told_by_the_step():
    script = (ROOT / "action/run.sh").read_text()
    for name, facts in ACTION["outputs"].items():
        assert facts["value"] == f"${{{{ steps.run.outputs.{name} }}}}"
        assert f"tell {name} " in script or f"{name}:" in script


def test_the_sources_that_are_packed_hold_the_action():
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"][
        "sdist"
    ]
    assert {"/action", "/action.yml"} <= set(packed["include"])


def test_the_page_describes_every_input_and_output_and_its_examples_are_yaml():
    page = (ROOT / "docs" / "CI.md").read_text()
    cells = [
        cell for row in re.findall(r"^\| (`[^|]+) \|", page, re.M) for cell in re.findall(r"`([^`]+)`", row)
    ]
    assert {*ACTION["inputs"], *ACTION["outputs"]} <= set(cells)
    for block in re.findall(r"^```yaml\n(.*?)^```$", page, re.M | re.S):
        assert YAML(typ="safe").load(StringIO(textwrap.dedent(block)))


def test_a_comment_begins_with_the_mark_by_which_the_next_one_finds_it(workspace):
    good = Path(step(workspace, **battery()).outputs["comment"]).read_text()
    bad = Path(step(workspace, **battery(fails=True)).outputs["comment"]).read_text()
    assert good != bad and good.split("\n", 1)[0] == bad.split("\n", 1)[0]
    assert re.fullmatch("<!-- hotato checks: .+ -->", good.split("\n", 1)[0])


@pytest.mark.skipif("contract" not in COMMANDS, reason="this version has no command that verifies contracts")
@pytest.mark.parametrize(("expect", "code", "status"), [("yield", 0, "pass"), ("hold", 1, "fail")])
def test_contracts_are_verified(workspace, expect, code, status):
    call = BATTERY / "audio" / f"{CALL}.example.wav"
    create_contract(Pin(stereo=call, onset_sec=2.4, expect=expect, id="one", clip=False), Path("contracts"))
    outcome = step(workspace, contracts="contracts")
    assert (outcome.code, outcome.outputs["status"]) == (code, status), outcome.log
    assert ("one" in outcome.log) is bool(code) and "one" in outcome.summary
    assert all(Path(outcome.outputs[name]).stat().st_size for name in ("result", "junit", "sarif", "comment"))


@pytest.mark.skipif("contract" not in COMMANDS, reason="this version has no command that verifies contracts")
def test_an_empty_folder_of_contracts_is_refused(workspace):
    Path("contracts").mkdir()
    assert step(workspace, contracts="contracts").outputs["status"] == "refused"


def test_a_passing_battery(workspace):
    outcome = step(workspace, **battery())
    assert outcome.code == 0, outcome.log
    out = outcome.outputs["output"]
    assert re.fullmatch(r"\.hotato/results/run-\w{8}", out)
    assert outcome.outputs == {
        "output": out,
        "hotato-version": __version__,
        "result": f"{out}/result.json",
        "junit": f"{out}/junit.xml",
        "sarif": f"{out}/hotato.sarif",
        "comment": f"{out}/comment.md",
        "exit-code": "0",
        "status": "pass",
    }
    assert json.loads(Path(outcome.outputs["result"]).read_text())["exit_code"] == 0
    assert all(Path(outcome.outputs[name]).stat().st_size for name in ("junit", "sarif", "comment"))
    assert "hotato" in outcome.summary


def test_a_failing_battery_fails_the_step_and_tells_the_log_and_the_page_why(workspace):
    outcome = step(workspace, **battery(fails=True))
    assert (outcome.code, outcome.outputs["exit-code"], outcome.outputs["status"]) == (1, "1", "fail")
    assert CALL in outcome.log and CALL in outcome.summary
    assert "<failure" in Path(outcome.outputs["junit"]).read_text()


def test_what_cannot_be_judged_is_refused_and_no_pass(workspace):
    outcome = step(workspace, **battery(audio=False))
    assert (outcome.code, outcome.outputs["status"]) == (2, "refused")


def test_what_hotato_refuses_stands_on_the_page(workspace):
    outcome = step(workspace, scenarios="none", audio="none")
    assert (outcome.code, outcome.outputs["status"]) == (2, "refused")
    assert "none" in outcome.summary and "junit" not in outcome.outputs


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        ({}, "exactly one"),
        ({"contracts": "contracts", "autopsy": "call.wav"}, "exactly one"),
        ({"scenarios": "x"}, "belong together"),
        ({"suite": "qa.json"}, "not in this version"),
        ({"test": "qa.json"}, "not in this version"),
        ({"contracts": "/etc"}, "workspace"),
        ({"contracts": "a/../../b"}, "workspace"),
        ({"contracts": "--help"}, "hyphen"),
        ({"contracts": "a\nb"}, "control character"),
        ({"contracts": "contracts", "output": "../out"}, "workspace"),
        ({"contracts": "contracts", "output": ""}, "empty"),
        ({"contracts": "contracts", "hotato": "1.18.1"}, "another program"),
        ({"contracts": "contracts", "hotato": "latest"}, "another program"),
        ({"contracts": "contracts", "hotato": "-r x"}, "no pip requirement"),
        ({"contracts": "contracts", "hotato": ""}, "no pip requirement"),
        ({"autopsy": "call.wav", "fail_on": "always"}, "critical, warning or never"),
        ({"autopsy": "\n\n"}, "names no recording"),
        ({"autopsy": "changed"}, "no revision"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_runs(workspace, inputs, why):
    outcome = step(workspace, **inputs)
    assert (outcome.code, outcome.outputs["exit-code"], outcome.outputs["status"]) == (2, "2", "refused")
    assert why in outcome.log and why in outcome.summary


HOSTILE = [
    "$(touch hit)",
    "`touch hit`",
    "x; touch hit",
    'x" ; touch hit ; "',
    "x' ; touch hit ; '",
    "x && touch hit",
    "${IFS}",
    "*",
    "a[$(touch hit)]",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "name", ["contracts", "scenarios", "audio", "autopsy", "fail_on", "stack", "output", "hotato", "suite"]
)
def test_no_input_is_ever_run(workspace, name, text):
    listening(workspace)
    inputs = {"contracts": "c"}
    if name in {"scenarios", "audio"}:
        inputs = {"scenarios": "s", "audio": "a"}
    elif name in {"autopsy", "fail_on"}:
        inputs = {"autopsy": "call.wav"}
    step(workspace, **{**inputs, name: text})
    assert not list(workspace.rglob("hit"))


def test_an_input_is_one_word_of_the_command_line(workspace):
    words = listening(workspace)
    outcome = step(workspace, contracts="a b * $(x)")
    assert outcome.code == 0
    assert words.read_text().splitlines()[:3] == ["contract", "verify", "./a b * $(x)"]


def test_an_output_cannot_begin_another_one(workspace):
    (workspace / "bin" / "hotato").write_text('#!/bin/sh\nprintf "hotato 1\\nstatus=pass\\n"\nexit 1\n')
    outcome = step(workspace, contracts="c")
    assert outcome.outputs["status"] == "fail" and "status=pass" in outcome.outputs["hotato-version"]


@pytest.mark.parametrize(
    ("wanted", "installed"),
    [
        ("action", str(ROOT)),
        (
            "hotato @ git+https://example.test/hotato.git@v1",
            "hotato @ git+https://example.test/hotato.git@v1",
        ),
        ("./vendor/hotato.whl", "./vendor/hotato.whl"),
    ],
)
def test_hotato_comes_from_where_the_input_says(workspace, wanted, installed):
    assert step(workspace, **battery(), hotato=wanted).code == 0
    assert (workspace / "python.log").read_text().splitlines() == [
        f"-m venv {workspace}/hotato-env",
        f"-m pip install --disable-pip-version-check --quiet {installed}",
    ]


def test_an_installation_that_fails_is_refused(workspace):
    (workspace / "bin" / "python3").write_text("#!/bin/sh\nexit 1\n")
    outcome = step(workspace, **battery(), hotato="action")
    assert outcome.code == 2 and "could not be installed" in outcome.summary


def test_recordings_are_opened_and_the_worst_one_decides(workspace):
    shutil.copy(BATTERY.parent / "demo" / "cancel-call.flac", "bad call.flac")
    good = recording("good.wav")
    outcome = step(workspace, autopsy=f"bad call.flac\r\n\n{good}\n")
    assert (outcome.code, outcome.outputs["status"]) == (1, "fail")
    assert outcome.outputs["result"] == f"{outcome.outputs['output']}/autopsy"
    assert len(list(Path(outcome.outputs["result"]).glob("autopsy-*.json"))) == 2
    assert outcome.summary.count("<pre>") == 2
    assert step(workspace, autopsy="bad call.flac", fail_on="never").code == 0
    assert step(workspace, autopsy="none.wav\nbad call.flac\nnone.wav").code == 1
    assert step(workspace, autopsy="none.wav").code == 2


def git(*words: str) -> str:
    who = {f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(
        ["git", *words], env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def history(workspace) -> str:
    """A repository whose first commit holds a recording: that commit."""
    git("init", "--quiet")
    recording("old.wav")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    return git("rev-parse", "HEAD")


def commit() -> None:
    git("add", "-A", "--", ".", ":!.hotato")
    git("commit", "--quiet", "-m", "two")


def test_changed_recordings_are_those_of_this_change_and_none_of_a_contract(workspace, history):
    recording("calls/new call.wav")
    recording("calls/-rf.wav")
    call = BATTERY / "audio" / f"{CALL}.example.wav"
    create_contract(Pin(stereo=call, onset_sec=2.4, expect="hold", id="a", clip=False), Path("contracts"))
    Path("notes.txt").write_text("x")
    Path("old.wav").unlink()
    commit()
    outcome = step(workspace, autopsy="changed", base=history, fail_on="never")
    assert outcome.code == 0, outcome.log
    assert opened(outcome) == 2
    assert "new call.wav" in outcome.log and "-rf.wav" in outcome.log and "event." not in outcome.log


def opened(outcome: Outcome) -> int:
    """How many recordings were opened."""
    return len(list(Path(outcome.outputs["result"]).glob("*.txt")))


@pytest.mark.parametrize(
    "name",
    [
        "tab\there.wav",
        "line\nbreak.wav",
        "\x1b[2Jx.wav",
        "BAD.FLAC",
        "x.Mp3",
        "call.oga",
        "call.wave",
        "x.hotato/call.wav",
        "x.hotato/audio/event.wav",
        "recording",
        "call.dat",
        "call.wav ",
        "notes.txt",
        b"latin-\xe9.wav",
    ],
)
def test_no_name_hides_a_changed_recording(workspace, history, name):
    path = Path(os.fsdecode(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(BATTERY.parent / "demo" / "cancel-call.flac", path)
    commit()
    outcome = step(workspace, autopsy="changed", base=history)
    assert (outcome.code, outcome.outputs["status"], opened(outcome)) == (1, "fail", 1), outcome.log
    assert "\x1b[2J" not in outcome.log


def test_only_the_clip_of_a_bundle_that_is_whole_is_left_to_the_contracts(workspace, history):
    call = BATTERY / "audio" / f"{CALL}.example.wav"
    for name in ("whole", "changed", "more"):
        pin = Pin(stereo=call, onset_sec=2.4, expect="hold", id=name, clip=False)
        create_contract(pin, Path("contracts"))
    Path("contracts/changed.hotato/policy/verify.yaml").write_text("x")
    Path("contracts/more.hotato/traces").mkdir(exist_ok=True)
    recording("contracts/more.hotato/traces/call.wav")
    commit()
    outcome = step(workspace, autopsy="changed", base=history, fail_on="never")
    assert opened(outcome) == 2, outcome.log
    assert "hotato autopsy  event.flac" in outcome.log and "hotato autopsy  call.wav" in outcome.log


def test_a_changed_recording_that_is_a_link_is_refused(workspace, history):
    (workspace / "secret.wav").write_bytes(b"x")
    Path("call.wav").symlink_to(workspace / "secret.wav")
    Path("notes.txt").symlink_to("old.wav")
    commit()
    outcome = step(workspace, autopsy="changed", base=history)
    assert (outcome.code, outcome.outputs["status"]) == (2, "refused") and "is a link" in outcome.summary


def test_what_lay_in_the_output_folder_is_no_result(workspace):
    planted = Path(".hotato/results")
    planted.mkdir(parents=True)
    for name in ("junit.xml", "comment.md", "hotato.sarif", "result.json"):
        (planted / name).write_text("planted")
    outcome = step(workspace, scenarios="none", audio="none")
    assert outcome.code == 2 and not {"junit", "sarif", "comment"} & set(outcome.outputs)
    first, second = step(workspace, **battery()), step(workspace, **battery(fails=True))
    assert first.outputs["output"] != second.outputs["output"]
    for found in (first, second):
        texts = [Path(found.outputs[name]).read_text() for name in ("junit", "sarif", "comment", "result")]
        assert "planted" not in "".join(texts)
    assert (planted / "junit.xml").read_text() == "planted"


@pytest.mark.parametrize("link", ["out", "out/deep", "out/deep/er"])
def test_nothing_is_written_through_a_link(workspace, link):
    outside = workspace / "outside"
    (outside / "deep/er").mkdir(parents=True)
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    Path(link).symlink_to(outside)
    outcome = step(workspace, output="out/deep/er", **battery())
    assert (outcome.code, outcome.outputs["status"]) == (2, "refused") and "link" in outcome.log
    assert not [path for path in outside.rglob("*") if path.is_file()]


def test_no_changed_recording_is_a_pass_that_says_so(workspace, history):
    Path("notes.txt").write_text("x")
    commit()
    outcome = step(workspace, autopsy="changed", base=history)
    assert (outcome.code, outcome.outputs["status"]) == (
        0,
        "pass",
    ) and "no recording has changed" in outcome.summary


@pytest.mark.parametrize("base", ["0" * 40, "f" * 40, "main; touch hit", "--output=hit"])
def test_a_revision_that_is_not_here_is_refused(workspace, history, base):
    assert step(workspace, autopsy="changed", base=base).code == 2
    assert not list(workspace.rglob("hit"))


def test_a_name_cannot_put_markup_on_the_page(workspace):
    outcome = step(workspace, autopsy=recording("call.wav") + "\nnone<img src=x>.wav")
    assert "<img" not in outcome.summary and "&lt;img" in outcome.summary
