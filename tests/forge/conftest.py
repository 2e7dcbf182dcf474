"""A repository with a bare remote beside it, a contract in it, and a `gh` that notes what it is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from hotato.contract import layout
from hotato.contract.create import Pin, create_contract

CALL = Path(str(resources.files("hotato"))) / "data/battery/audio/01-hard-interruption.example.wav"
GH = """#!{python}
import json, os, pathlib, sys
words = sys.argv[1:]
with open(os.environ["GH_LOG"], "a") as log:
    log.write(json.dumps([words, sys.stdin.read() if "--body-file=-" in words else None]) + "\\n")
if words[:2] == ["repo", "view"]:
    answer = os.environ.get("GH_VISIBILITY", "PRIVATE")
    if answer == "fail":
        sys.exit("gh: not logged in to https://user:secret@host.test/")
    print(answer)
elif os.environ.get("GH_CREATE") == "fail":
    sys.exit("gh: cannot create")
else:
    print("https://host.test/owner/name/pull/7")
"""


SSH = """#!/bin/sh
case $2 in
  git-receive-pack*) exec git receive-pack "$REMOTE_FOLDER" ;;
  *) exec git upload-pack "$REMOTE_FOLDER" ;;
esac
"""
"""A server of one repository: what `origin` is reached by."""

ORIGIN = "git@host.test:owner/name.git"


def git(*words: str, at: Path | None = None) -> str:
    return subprocess.run(["git", *words], cwd=at, capture_output=True, text=True, check=True).stdout


@dataclass(frozen=True)
class Desk:
    """Where a person works.

    Attributes:
        repository: the working folder.
        remote: the bare repository that `origin` is.
        log: what gh was told.
    """

    repository: Path
    remote: Path
    log: Path

    def told(self) -> list[tuple[list[str], str | None]]:
        """Every command line that gh got, with the body that came with it."""
        if not self.log.exists():
            return []
        return [tuple(json.loads(line)) for line in self.log.read_text().splitlines()]

    def state(self) -> tuple[str, ...]:
        """What must not change under a person's hands: branch, index, files, branches here and there."""
        return (
            git("symbolic-ref", "HEAD"),
            git("status", "--porcelain", "--untracked-files=all"),
            git("for-each-ref"),
            git("for-each-ref", at=self.remote),
            git("worktree", "list"),
        )


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    settings = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A Person",
        "GIT_AUTHOR_EMAIL": "person@example.test",
        "GIT_COMMITTER_NAME": "A Person",
        "GIT_COMMITTER_EMAIL": "person@example.test",
        "GH_LOG": str(tmp_path / "gh.log"),
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "bin").mkdir()
    for name, script in (("gh", GH.format(python=sys.executable)), ("server", SSH)):
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    remote, repository = tmp_path / "remote.git", tmp_path / "repository"
    monkeypatch.setenv("GIT_SSH", str(tmp_path / "bin" / "server"))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    monkeypatch.setenv("REMOTE_FOLDER", str(remote))
    git("init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    git("init", "--quiet", "--initial-branch=main", str(repository))
    monkeypatch.chdir(repository)
    Path("README.md").write_text("a voice agent\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "begin")
    git("remote", "add", "origin", ORIGIN)
    git("push", "--quiet", "origin", "main")
    return Desk(repository, remote, tmp_path / "gh.log")


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bool], Path]:
    """A contract of a bundled call, made once for each name and verdict."""
    folder = tmp_path_factory.mktemp("sealed")

    @cache
    def make(name: str, passed: bool) -> Path:
        expect = "yield" if passed else "hold"  # the agent of this call yields after half a second
        pin = Pin(stereo=CALL, onset_sec=2.4, expect=expect, id=name, clip=False)
        return create_contract(pin, folder / expect).path

    return make


@pytest.fixture
def bundle(desk: Desk, sealed: Callable[[str, bool], Path]) -> Callable[..., Path]:
    """Put a bundle into the working folder; a trace in it, outside the seal, has line ends of every kind."""

    def write(name: str = "refund-1", folder: str = "contracts", passed: bool = False) -> Path:
        place = Path(shutil.copytree(sealed(name, passed), Path(folder, f"{name}{layout.SUFFIX}")))
        (place / layout.TRACES).mkdir(exist_ok=True)
        (place / layout.TRACES / "call.jsonl").write_bytes(b'{"a": 1}\r\n{"a": 2}\n\r')
        return place

    return write
