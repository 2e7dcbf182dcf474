"""The pytest plugin: a fixture that scores, a gate over a suite, and contracts as tests.

pytest loads it wherever hotato is installed, so it imports nothing until it is used:

- the fixture `hotato_score` takes the keywords of `run_single` or `run_suite` and returns the envelope;
- `--hotato-suite` scores a labelled battery after the tests and fails the session where an event fails;
- a folder `*.hotato` with a `contract.json` in it is a test that fails with what was measured
  (`hotato_contracts = false` in the settings switches that off, and a folder `incidents` is left out).
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hotato.checks import Checks

SUITE = "barge-in"
_SUFFIX = ".hotato"
_UNGATED = "incidents"
"""Contracts in a folder of this name are kept and not judged: they fail and wait, or were replaced."""

_MEMBERS = ("contract.json", "MANIFEST.sha256.json")
"""A folder with that suffix and one of these is a bundle, or what is left of one."""

_LONGEST = 1000
_UNDECIDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
"""What a session ends with when its tests were run; anything else was no run that a gate could add to."""

_IDS = pytest.StashKey[dict[Path, Counter[str]]]()
_LINES = pytest.StashKey[tuple[bool, list[str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the flags and the setting."""
    group = parser.getgroup("hotato", "hotato: turn-taking of voice-agent calls")
    group.addoption(
        "--hotato-suite",
        action="store_true",
        help="After the tests, score a labelled battery and fail the session where an event fails.",
    )
    group.addoption(
        "--hotato-suite-scenarios", metavar="DIR", help="Folder of scenario labels; else the bundled battery."
    )
    group.addoption("--hotato-suite-audio", metavar="DIR", help="Folder of their recordings.")
    parser.addini(
        "hotato_contracts", "Whether folders *.hotato are collected as tests.", "bool", default=True
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse half a battery, and folders of one that is not asked for, before any test runs."""
    scenarios, audio = _folders(config)
    if not config.getoption("--hotato-suite") and (scenarios is not None or audio is not None):
        raise pytest.UsageError("folders of a battery were named: pass --hotato-suite to score it")
    if (scenarios is None) != (audio is None):
        raise pytest.UsageError("--hotato-suite-scenarios and --hotato-suite-audio belong together")


@pytest.fixture(scope="session")
def hotato_score() -> Callable[..., dict[str, Any]]:
    """Score a recording (`stereo=`, or `caller=` and `agent=`) or a suite (`suite=`, `scenarios_dir=`).

    The keywords are those of `hotato.run_single` and `hotato.run_suite`; the envelope is returned. What
    cannot be read raises `hotato.errors.Refusal`, a ValueError.
    """

    def score(**keywords: Any) -> dict[str, Any]:
        from hotato import run_single, run_suite

        whole = {"suite", "scenarios_dir", "audio_dir"} & set(keywords)
        return run_suite(**keywords) if whole else run_single(**keywords)

    return score


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A bundle of a hidden name is a bundle: pytest would pass over its folder as over any hidden one."""
    if not collection_path.name.startswith(".") or not _may_be_bundle(collection_path, config):
        return None
    ignored = [Path(name).absolute() for name in config.getoption("ignore") or ()]
    return None if collection_path in ignored else False


def _may_be_bundle(path: Path, config: pytest.Config) -> bool:
    """Whether a path is one at which `hotato contract verify` would look for a contract."""
    if not path.name.casefold().endswith(_SUFFIX) or not config.getini("hotato_contracts"):
        return False
    from hotato.contract.found import is_bundle

    return path.is_dir() and is_bundle(path)


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A bundle is collected as one test, whatever else lies in it; other folders are not ours."""
    if not _may_be_bundle(path, parent.config):
        return None
    if path.parent.name == _UNGATED or not _claims_a_contract(path):
        return None
    bundle: ContractFolder = ContractFolder.from_parent(parent, path=path)
    return bundle


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of a bundle's name is a test that fails, as it is for every other gate."""
    if file_path.suffix != _SUFFIX or not parent.config.getini("hotato_contracts"):
        return None
    if file_path.parent.name == _UNGATED:
        return None
    file: ContractFile = ContractFile.from_parent(parent, path=file_path)
    return file


def _claims_a_contract(folder: Path) -> bool:
    """Whether a folder of that name is a bundle, or what is left of one, however little that is.

    One that holds tests and no contract is a folder of somebody's whose name happens to end so.
    """
    return any(os.path.lexists(folder / member) for member in _MEMBERS) or not any(folder.glob("*.py"))


if TYPE_CHECKING or hasattr(
    pytest, "Directory"
):  # pytest before 8 collects no folders, and works all the same

    class ContractFolder(pytest.Directory):
        """A bundle: a folder that holds one test and no further files to collect."""

        def collect(self) -> Iterator[ContractItem]:
            """The one test."""
            yield ContractItem.from_parent(self, name=self.path.name.removesuffix(_SUFFIX))


class ContractFile(pytest.File):
    """A file where a bundle should be."""

    def collect(self) -> Iterator[ContractItem]:
        """The one test."""
        yield ContractItem.from_parent(self, name=self.path.name.removesuffix(_SUFFIX))


class ContractItem(pytest.Item):
    """The verification of one contract."""

    def runtest(self) -> None:
        """Verify the bundle; anything but a pass is a failure.

        Raises:
            ContractFailed: with what was measured.
        """
        from hotato.contract.verify import verify_contracts

        if self.path.is_symlink() or not self.path.is_dir():
            raise ContractFailed([f"{self.path.name} is a link or a file; put the bundle's folder there"])
        verified = verify_contracts(self.path, jobs=1)
        checks = verified.checks()
        reasons = _reasons(checks)
        counts = _ids_beside(self.config, self.path.parent)
        reasons += [
            f"{one.id}: another bundle of this folder states the same id; keep one of them"
            for one in verified.results
            if counts[one.id] > 1
        ]
        if reasons or checks.exit_code:
            raise ContractFailed(reasons)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | Any:
        """What was measured, without a traceback."""
        from hotato.errors import Refusal

        if isinstance(excinfo.value, ContractFailed | Refusal):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """Where the test is, and what it is called."""
        return self.path, None, f"contract {self.name}"


def _ids_beside(config: pytest.Config, folder: Path) -> Counter[str]:
    """How many bundles of a folder state each id; read once in a session."""
    from hotato.contract.bundle import read_bundle
    from hotato.errors import Refusal

    known = config.stash.setdefault(_IDS, {})
    if folder not in known:
        known[folder] = Counter()
        for bundle in sorted(folder.glob(f"*{_SUFFIX}")):
            with contextlib.suppress(Refusal, OSError):  # its own test says what is wrong with it
                known[folder][read_bundle(bundle).contract.id] += 1
    return known[folder]


class ContractFailed(Exception):
    """A contract is no pass.

    Args:
        sentences: why, one for each reason.
    """

    def __init__(self, sentences: list[str]):
        super().__init__("\n".join(sentences) or "nothing was verified")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int | pytest.ExitCode) -> None:
    """Score the battery once, in the process that decides, and fail the session where it is no pass."""
    config = session.config
    if not config.getoption("--hotato-suite") or hasattr(config, "workerinput"):
        return
    if config.getoption("collectonly") or exitstatus not in _UNDECIDED:
        config.stash[_LINES] = (True, ["not run: the tests were not run to their end"])
        return
    passed, lines = _gate(*_folders(config))
    config.stash[_LINES] = (passed, lines)
    if not passed:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what the gate found."""
    found = config.stash.get(_LINES, None)
    if found is None:
        return
    passed, lines = found
    terminalreporter.section("hotato suite", green=passed, red=not passed)
    for line in lines:
        terminalreporter.line(line)


def _folders(config: pytest.Config) -> tuple[Path | None, Path | None]:
    """The folders of the battery, from where pytest was started: a test may have gone elsewhere."""
    start = config.invocation_params.dir
    named = (config.getoption("--hotato-suite-scenarios"), config.getoption("--hotato-suite-audio"))
    scenarios, audio = (None if name is None else start / name for name in named)
    return scenarios, audio


def _gate(scenarios: Path | None, audio: Path | None) -> tuple[bool, list[str]]:
    """Whether the battery passed, and what to say of it."""
    from hotato import run_suite
    from hotato.errors import EXIT_PASS, Refusal
    from hotato.score import run_checks

    try:
        checks = run_checks(run_suite(suite=SUITE, scenarios_dir=scenarios, audio_dir=audio))
    except Refusal as refusal:
        return False, [f"refused: {refusal}"]
    counts = f"{checks.count('pass')} of {len(checks.checks)} passed, {checks.count('fail')} failed"
    if unjudged := checks.count("error"):
        counts += f", {unjudged} could not be judged"
    return checks.exit_code == EXIT_PASS, [counts, *_reasons(checks)]


def _reasons(checks: Checks) -> list[str]:
    return [
        _sentence(check.id, check.reason, check.next_step)
        for check in checks.checks
        if check.status != "pass"
    ]


def _sentence(name: str, reason: str | None, next_step: str | None = None) -> str:
    from hotato.plain import shown

    return shown(f"{name}: {reason}" + (f"; {next_step}" if next_step else ""), _LONGEST)
