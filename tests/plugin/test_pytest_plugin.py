"""The plugin in projects of its own, each run by a real pytest in a child process."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import pytest

BATTERY = Path(str(resources.files("hotato"))) / "data" / "battery"
CALL = "01-hard-interruption"
PASSES = "def test_it():\n    pass\n"
FAILS = "def test_it():\n    assert 1 == 2\n"


@dataclass(frozen=True)
class Session:
    """What a session of pytest left behind."""

    code: int
    out: str

    @property
    def gate(self) -> str:
        """What the gate printed."""
        found = re.search(r"^=+ hotato suite =+\n(.*?)(?=^=|\Z)", self.out, re.M | re.S)
        return found[1].strip() + "\n" if found else ""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Session]:
    """Run pytest in a folder of its own, with this plugin and xdist and no other."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")

    def run(*words: str, test: str | None = None) -> Session:
        if test is not None:
            Path("test_project.py").write_text(test)
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "100"}
        environment.pop("PYTEST_ADDOPTS", None)
        plugins = ["-p", "hotato.pytest_plugin", "-p", "xdist.plugin", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *plugins, *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return Session(done.returncode, done.stdout + done.stderr)

    return run


@pytest.fixture
def battery(tmp_path: Path) -> Callable[..., tuple[str, ...]]:
    """A battery of one labelled call; a bound of next to nothing makes it fail."""

    def write(*, fails: bool = False, audio: bool = True) -> tuple[str, ...]:
        for part in ("scenarios", "audio"):
            (tmp_path / "mine" / part).mkdir(parents=True, exist_ok=True)
        text = (BATTERY / "scenarios" / f"{CALL}.json").read_text()
        if fails:
            text = re.sub(r'"max_time_to_yield_sec": [\d.]+', '"max_time_to_yield_sec": 0.01', text)
        (tmp_path / "mine" / "scenarios" / f"{CALL}.json").write_text(text)
        if audio:
            shutil.copy(BATTERY / "audio" / f"{CALL}.example.wav", tmp_path / "mine" / "audio")
        folders = ("--hotato-suite-scenarios", "mine/scenarios", "--hotato-suite-audio", "mine/audio")
        return ("--hotato-suite", *folders)

    return write


def test_a_project_that_uses_none_of_it_sees_none_of_it(project):
    heavy = "{'numpy', 'msgspec', 'soundfile', 'click'}"
    test = f"import sys\ndef test_it():\n    assert not {heavy} & set(sys.modules)\n"
    session = project(test=test)
    assert session.code == 0 and "hotato" not in session.out.replace("hotato.pytest_plugin", "")


def test_the_entry_point_names_the_plugin():
    from importlib.metadata import entry_points

    found = [point for point in entry_points(group="pytest11") if point.name == "hotato"]
    if not found:
        pytest.skip("hotato was installed before it had a plugin")
    assert found[0].value == "hotato.pytest_plugin"


def test_the_fixture_scores_a_recording_and_a_suite(project, tmp_path):
    shutil.copy(BATTERY / "audio" / f"{CALL}.example.wav", tmp_path / "call.wav")
    test = """
import hotato
import pytest
from pathlib import Path

@pytest.fixture(scope="session")
def suite(hotato_score):
    return hotato_score(suite="barge-in")

def test_recording(hotato_score):
    envelope = hotato_score(stereo=Path("call.wav"), expect="yield")
    assert not hotato.failures(envelope)
    (said,) = hotato.failures(hotato_score(stereo=Path("call.wav"), expect="hold"))
    assert said.startswith("call.wav: ")
    assert hotato_score(stereo="call.wav", expect="hold")["exit_code"] == 1

def test_suite(suite):
    assert suite["summary"]["events"] == 8 and suite["exit_code"] == 0

def test_refusal(hotato_score):
    with pytest.raises(ValueError, match="none.wav"):
        hotato_score(stereo="none.wav")
"""
    assert project(test=test).code == 0


def test_the_bundled_battery_passes_its_gate(project):
    session = project("--hotato-suite", test=PASSES)
    assert session.code == 0 and session.gate == "8 of 8 passed, 0 failed\n"


def test_a_battery_of_ones_own_that_fails_fails_the_session_and_says_why(project, battery):
    session = project(*battery(fails=True), test=PASSES)
    assert session.code == 1
    counts, reason = session.gate.splitlines()
    assert counts == "0 of 1 passed, 1 failed" and reason.startswith(f"{CALL}: ") and "0.01" in reason
    assert project(*battery(), test=PASSES).code == 0


def test_nothing_that_could_be_judged_fails_the_session(project, battery):
    session = project(*battery(audio=False), test=PASSES)
    assert session.code == 1 and session.gate.startswith("0 of 1 passed, 0 failed, 1 could not be judged\n")


def test_a_battery_that_is_refused_fails_the_session(project, battery):
    words = battery()
    Path("mine/scenarios", f"{CALL}.json").unlink()
    session = project(*words, test=PASSES)
    assert session.code == 1 and session.gate.startswith("refused: ")


def test_the_gate_turns_nothing_green(project, battery):
    session = project(*battery(), test=FAILS)
    assert session.code == 1 and session.gate.startswith("1 of 1 passed")
    Path("test_project.py").unlink()
    assert project(*battery()).code == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize("fails", [False, True])
def test_with_workers_the_battery_is_scored_once(project, battery, fails):
    session = project("-n", "2", *battery(fails=fails), test=PASSES + PASSES.replace("it", "other"))
    assert session.code == int(fails) and "2 passed" in session.out
    assert session.out.count("= hotato suite =") == 1


def test_collecting_alone_scores_nothing(project, battery):
    session = project("--collect-only", *battery(fails=True), test=PASSES)
    assert session.code == 0 and session.gate.startswith("not run: ")


def test_half_a_battery_is_a_usage_error(project):
    session = project("--hotato-suite", "--hotato-suite-audio", "x", test=PASSES)
    assert session.code == pytest.ExitCode.USAGE_ERROR and "belong together" in session.out


def test_folders_of_a_battery_that_is_not_asked_for_are_a_usage_error(project, battery):
    session = project(*battery()[1:], test=PASSES)
    assert session.code == pytest.ExitCode.USAGE_ERROR and "pass --hotato-suite" in session.out


def test_the_folders_are_those_of_where_pytest_was_started(project, battery):
    words = battery()
    test = "import os\ndef test_it(tmp_path):\n    os.chdir(tmp_path)\n"
    assert project(*words, test=test).code == 0


def test_a_folder_of_that_name_that_is_no_bundle_is_an_ordinary_folder(project):
    Path("notes.hotato").mkdir()
    Path("notes.hotato/test_inside.py").write_text(PASSES)
    session = project("-v")
    assert session.code == 0 and "notes.hotato/test_inside.py::test_it PASSED" in session.out


def test_a_bundle_that_cannot_be_read_fails_without_a_traceback(project):
    _needs_verification()
    Path("broken.hotato").mkdir()
    Path("broken.hotato/contract.json").write_text("{")
    session = project("-v")
    assert session.code == 1 and "broken.hotato::broken FAILED" in session.out
    assert "Traceback" not in session.out and "pytest_plugin.py" not in session.out.split("FAILURES")[1]


@pytest.mark.parametrize("left", ["nothing", "audio", "a file"])
def test_what_is_left_of_a_bundle_fails_as_it_does_for_verify(project, left):
    if left == "a file":
        Path("x.hotato").write_text("")
    else:
        Path("x.hotato", *([left] if left == "audio" else [])).mkdir(parents=True)
    session = project(test=PASSES)
    assert session.code == 1 and "1 failed, 1 passed" in session.out and "Traceback" not in session.out


def test_the_setting_switches_contracts_off(project, tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\nhotato_contracts = false\n")
    Path("broken.hotato").mkdir()
    Path("broken.hotato/contract.json").write_text("{")
    assert project(test=PASSES).code == 0


@pytest.fixture
def contracts(tmp_path: Path) -> tuple[str, str]:
    """Two contracts of one call, one that passes and one that fails: their names."""
    _needs_verification()
    from hotato.contract.create import Pin, create_contract

    call = BATTERY / "audio" / f"{CALL}.example.wav"
    for name, expect in (("good", "yield"), ("bad", "hold")):
        pin = Pin(stereo=call, onset_sec=2.4, expect=expect, id=name, clip=False)
        create_contract(pin, tmp_path / "contracts")
    return "good", "bad"


def _needs_verification() -> None:
    if importlib.util.find_spec("hotato.contract.verify") is None:
        pytest.skip("this version verifies no contract")


def test_a_bundle_is_a_test_that_fails_with_what_was_measured(project, contracts):
    session = project("-v")
    assert session.code == 1
    assert "contracts/good.hotato::good PASSED" in session.out
    assert "contracts/bad.hotato::bad FAILED" in session.out
    shown = session.out.split("FAILURES")[1]
    assert "bad: " in shown and " s" in shown and "Traceback" not in shown and "def runtest" not in shown


def test_contracts_are_chosen_by_name_and_path_like_any_test(project, contracts):
    assert project("-k", "good").code == 0
    assert project("contracts/good.hotato").code == 0
    assert project("contracts/bad.hotato").code == 1
    assert project("-n", "2").code == 1


def test_two_bundles_of_one_id_are_no_pass(project, contracts):
    shutil.copytree("contracts/good.hotato", "contracts/twin.hotato")
    session = project("contracts/good.hotato", "contracts/twin.hotato")
    assert session.code == 1 and "2 failed" in session.out and "states the same id" in session.out


def test_contracts_that_were_set_aside_are_left_out(project, contracts):
    Path("incidents").mkdir()
    shutil.move("contracts/bad.hotato", "incidents")
    session = project("-v")
    assert session.code == 0 and "bad" not in session.out


def test_junit_holds_the_contracts(project, contracts):
    project("--junitxml", "out.xml")
    cases = {case.get("name"): case for case in ET.parse("out.xml").iter("testcase")}
    assert set(cases) == {"good", "bad"}
    assert cases["bad"].find("failure") is not None and len(cases["good"]) == 0


@pytest.mark.parametrize("name", ["BAD.HOTATO", ".bad.hotato", ".hotato"])
def test_no_spelling_of_the_name_hides_a_contract(project, contracts, tmp_path, name):
    """Whatever `hotato contract verify` would look at is a test."""
    (tmp_path / "contracts" / "bad.hotato").rename(tmp_path / "contracts" / name)
    session = project("-v")
    assert session.code == 1 and f"contracts/{name}::" in session.out


def test_a_hidden_bundle_can_be_left_out_by_name(project, contracts, tmp_path):
    (tmp_path / "contracts" / "bad.hotato").rename(tmp_path / "contracts" / ".bad.hotato")
    assert project("--ignore=contracts/.bad.hotato").code == 0
