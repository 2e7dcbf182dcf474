"""Every generated configuration is read by a parser, and its commands are run step by step."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from importlib import resources
from io import StringIO
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from hotato import scaffold
from hotato._version import __version__
from hotato.cli.catalogue import COMMANDS
from hotato.contract.create import Pin, create_contract

BATTERY = Path(str(resources.files("hotato"))) / "data" / "battery"
SYSTEMS = list(scaffold.SYSTEMS)
STEPWISE = [system for system in SYSTEMS if system != "pre-commit"] + ["github"]
SOURCE = "hotato @ git+https://example.test/hotato.git@v1"
PYTHON = """#!/bin/sh
echo "$*" >> "$PYTHON_LOG"
if [ "$1 $2" = "-m venv" ]; then
  mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$(dirname "$0")/hotato" "$3/bin/hotato"
elif [ "$1 $2 $3" != "-m pip install" ]; then
  exit 9
fi
"""


def parsed(text: str):
    return YAML(typ="safe").load(StringIO(text))


def config(system: str, install: str = SOURCE) -> str:
    if system == "github":
        (file,) = [file for file in scaffold.starter("generic", install) if file.path.startswith(".github")]
        return file.text
    return scaffold.pipeline(system, install).text


def steps(system: str, text: str) -> tuple[list[str], dict[str, str]]:
    """The commands that the system would run, in order, and the variables that it would set."""
    if system == "jenkins":
        scripts = [textwrap.dedent(step) for step in re.findall(r"sh '''(.*?)'''", text, re.S)]
        return scripts, dict(re.findall(r"^ *(HOTATO_\w+) = '(.*)'$", text, re.M))
    facts = parsed(text)
    if system == "github":
        job = facts["jobs"]["contracts"]
        return [step["run"] for step in job["steps"] if "run" in step], job["env"]
    if system == "gitlab":
        return facts["hotato"]["script"], facts["hotato"]["variables"]
    if system == "azure":
        return [step["script"] for step in facts["steps"] if "script" in step], facts["variables"]
    job = facts["jobs"]["hotato"]
    return [step["run"]["command"] for step in job["steps"] if "run" in step], job["environment"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository; `python` makes an environment whose hotato is the one under test."""
    (tmp_path / "bin").mkdir()
    for name, script in (
        ("python", PYTHON),
        ("hotato", f'#!/bin/sh\nexec "{sys.executable}" -m hotato "$@"\n'),
    ):
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PYTHON_LOG", str(tmp_path / "python.log"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    subprocess.run(["git", "init", "--quiet"], check=True)
    return tmp_path


def run(project: Path, system: str, install: str = SOURCE, variables: dict | None = None) -> tuple[int, str]:
    """Run the steps as the system does: each in a new shell, until one fails."""
    scripts, stated = steps(system, config(system, install))
    assert len(scripts) == 2
    told = ""
    for script in scripts:
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            env={
                "PATH": f"{project / 'bin'}:/usr/bin:/bin",
                "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                "PYTHON_LOG": os.environ["PYTHON_LOG"],
                **stated,
                **(variables or {}),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        told += done.stdout + done.stderr
        if done.returncode:
            return done.returncode, told
    return 0, told


def fixture(folder: str, name: str = "01-hard-interruption", *, bound_sec: float | None = None) -> None:
    """A labelled moment of the bundled battery; a bound of nothing at all makes it fail."""
    for part, file in (("scenarios", f"{name}.json"), ("audio", f"{name}.example.wav")):
        Path(folder, part).mkdir(parents=True, exist_ok=True)
        shutil.copy(BATTERY / part / file, Path(folder, part, file))
    if bound_sec is not None:
        scenario = Path(folder, "scenarios", f"{name}.json")
        text, count = re.subn(
            r'"max_time_to_yield_sec": [\d.]+', f'"max_time_to_yield_sec": {bound_sec}', scenario.read_text()
        )
        assert count == 1
        scenario.write_text(text)


@pytest.mark.parametrize("system", STEPWISE)
def test_nothing_is_there_yet_and_the_pipeline_is_green(project, system):
    code, told = run(project, system)
    assert code == 0, told
    for line in ("contracts: no contract yet", "fixtures/scenarios: no fixture yet"):
        assert line in told
    assert Path("reports/hotato").is_dir() and not list(Path("reports/hotato").iterdir())


@pytest.mark.parametrize("system", STEPWISE)
def test_the_first_step_installs_what_the_file_says_into_an_environment_of_its_own(project, system):
    run(project, system)
    assert (project / "python.log").read_text().splitlines() == [
        "-m venv .hotato-env",
        f"-m pip install --disable-pip-version-check --quiet {SOURCE}",
    ]


@pytest.mark.parametrize("system", STEPWISE)
def test_a_passing_fixture_is_green_and_leaves_its_json(project, system):
    fixture("fixtures")
    code, told = run(project, system)
    assert code == 0 and "fixtures: pass\n" in told
    assert '"exit_code": 0' in Path("reports/hotato/fixtures.json").read_text()
    assert "<testcase" in Path("reports/hotato/fixtures.xml").read_text()


@pytest.mark.parametrize("system", STEPWISE)
def test_a_failing_fixture_is_red_says_why_and_leaves_its_json(project, system):
    fixture("tests/hotato", bound_sec=0.01)
    code, told = run(project, system)
    assert code == 1 and "tests-fixtures: exit 1\n" in told and "01-hard-interruption" in told
    assert '"exit_code": 1' in Path("reports/hotato/tests-fixtures.json").read_text()


@pytest.mark.skipif("contract" not in COMMANDS, reason="this version has no command that verifies contracts")
@pytest.mark.parametrize(
    ("system", "folder"),
    [*((system, "contracts") for system in STEPWISE), ("github", "tests/hotato/contracts")],
)
def test_a_contract_is_green_or_red_as_its_moment_is_and_leaves_junit(project, system, folder):
    gate = folder.replace("/hotato/", "-")
    contract(folder, "good", "yield")
    code, told = run(project, system)
    assert code == 0 and f"{gate}: pass\n" in told
    contract(folder, "bad", "hold")
    code, told = run(project, system)
    assert code == 1 and f"{gate}: exit 1\n" in told and "bad" in told
    assert "<failure" in Path(f"reports/hotato/{gate}.xml").read_text()
    assert '"exit_code": 1' in Path(f"reports/hotato/{gate}.json").read_text()


def test_no_gate_reads_a_contract_that_was_set_aside(project):
    contract("incidents", "bad", "hold")
    contract("tests/hotato/incidents", "bad", "hold")
    code, told = run(project, "github")
    assert code == 0, told


def contract(folder: str, name: str, expect: str) -> None:
    """A contract of a call whose agent yields after half a second."""
    call = BATTERY / "audio" / "01-hard-interruption.example.wav"
    create_contract(Pin(stereo=call, onset_sec=2.4, expect=expect, id=name, clip=False), Path(folder))


def test_a_failure_outweighs_what_cannot_be_judged_and_hides_no_later_gate(project):
    fixture("fixtures")
    Path("fixtures/audio/01-hard-interruption.example.wav").unlink()
    fixture("tests/hotato", bound_sec=0.01)
    code, told = run(project, "gitlab")
    assert (code, "fixtures: exit 2" in told, "tests-fixtures: exit 1" in told) == (1, True, True)


def test_what_cannot_be_judged_is_red(project):
    fixture("fixtures")
    Path("fixtures/audio/01-hard-interruption.example.wav").unlink()
    assert run(project, "github")[0] == 2


@pytest.mark.parametrize("system", STEPWISE)
def test_until_the_source_is_named_the_first_step_stops_and_says_so(project, system):
    code, told = run(project, system, scaffold.DEFAULT_INSTALL)
    assert code == 2 and "set HOTATO_INSTALL" in told
    assert not (project / "python.log").exists()


def test_another_version_than_the_pinned_one_is_refused(project):
    code, told = run(project, "azure", variables={"HOTATO_VERSION": "9.9.9"})
    assert code == 2 and f"'hotato {__version__}' was installed" in told


@pytest.mark.parametrize("system", STEPWISE)
def test_the_version_that_wrote_the_file_is_pinned(system):
    _, variables = steps(system, config(system))
    assert variables == {"HOTATO_INSTALL": SOURCE, "HOTATO_VERSION": __version__}


def test_reports_are_published_whatever_the_gates_say():
    gitlab, azure, circle, github = (
        parsed(config(name)) for name in ("gitlab", "azure", "circleci", "github")
    )
    artifacts = gitlab["hotato"]["artifacts"]
    assert (artifacts["when"], artifacts["reports"]["junit"]) == ("always", "reports/hotato/*.xml")
    tasks = {step["task"]: step.get("condition") for step in azure["steps"] if "task" in step}
    assert tasks["PublishTestResults@2"] == tasks["PublishBuildArtifacts@1"] == "always()"
    kept = [next(iter(step)) for step in circle["jobs"]["hotato"]["steps"][-2:]]
    assert kept == ["store_test_results", "store_artifacts"]
    assert circle["workflows"]["hotato"]["jobs"] == ["hotato"]
    upload = github["jobs"]["contracts"]["steps"][-1]
    assert upload["if"] == "always()" and upload["with"]["path"] == "reports/hotato"
    jenkins = config("jenkins")
    after = jenkins[jenkins.index("post {") :]
    assert re.search(r"always \{\s+junit .*\s+archiveArtifacts ", after)
    assert jenkins.count("{") == jenkins.count("}")


def test_the_workflow_needs_no_more_than_to_read():
    facts = parsed(config("github"))
    assert facts["permissions"] == {"contents": "read"}
    assert set(facts["on"]) == {"push", "pull_request", "schedule"}
    assert "${{" not in config("github")


def hooks() -> list[dict]:
    (repository,) = parsed(config("pre-commit"))["repos"]
    assert repository["repo"] == "local"
    return repository["hooks"]


def touched(hook: dict) -> bool:
    """Whether the hook runs: pre-commit leaves it out where no committed file has such a name."""
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--cached"], capture_output=True, text=True, check=True
    )
    return any(re.search(hook["files"], name) for name in listed.stdout.splitlines())


def test_the_hooks_run_only_where_something_is_pinned(project):
    scaffold.place(scaffold.starter("generic", SOURCE), Path())
    assert [hook["id"] for hook in hooks() if touched(hook)] == []
    fixture("fixtures")
    Path("tests/hotato/contracts/a.hotato").mkdir(parents=True)
    Path("tests/hotato/contracts/a.hotato/contract.json").write_text("{}")
    assert [hook["id"] for hook in hooks() if touched(hook)] == ["hotato-tests-contracts", "hotato-fixtures"]
    assert all(hook["additional_dependencies"] == [SOURCE] for hook in hooks())


@pytest.mark.parametrize(("bound_sec", "expected"), [(None, 0), (0.01, 1)])
def test_a_hook_is_as_strict_as_its_command(project, bound_sec, expected):
    fixture("fixtures", bound_sec=bound_sec)
    (hook,) = [hook for hook in hooks() if touched(hook)]
    done = subprocess.run(
        hook["entry"].split(),
        env={**os.environ, "PATH": f"{project / 'bin'}:/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == expected
