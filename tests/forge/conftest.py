"""A repository with a bare remote beside it, a contract in it, and a `gh` that notes what it is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hotato.canonical import to_json
from hotato.contract import layout, records

DIGEST = "0" * 64
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
    (tmp_path / "bin" / "gh").write_text(GH.format(python=sys.executable))
    (tmp_path / "bin" / "gh").chmod(0o755)
    remote, repository = tmp_path / "remote.git", tmp_path / "repository"
    git("init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    git("init", "--quiet", "--initial-branch=main", str(repository))
    monkeypatch.chdir(repository)
    Path("README.md").write_text("a voice agent\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "begin")
    git("remote", "add", "origin", str(remote))
    git("push", "--quiet", "origin", "main")
    return Desk(repository, remote, tmp_path / "gh.log")


def contract(name: str, *, passed: bool = False) -> records.Contract:
    """A contract that is well formed; nobody measured it."""
    return records.Contract(
        id=name,
        label=records.Label(expected_behavior="yield"),
        source=records.Source(
            recording_type="stereo",
            source_audio_sha256=DIGEST,
            bundle_audio_sha256=DIGEST,
            bundle_pcm_sha256=DIGEST,
        ),
        event=records.Moment(onset_sec=2.0, source_onset_sec=42.0, pre_sec=2.0, post_sec=6.0, clipped=True),
        measurement=records.Measurement(did_yield=passed, talk_over_sec=1.0, passed=passed),
        trust=records.Trust(status="clean", scorable=True),
        policy=records.Policy(pass_conditions=records.PassConditions(should_yield=True)),
        replay=records.Replay(
            command="hotato contract verify .", ci_command="hotato contract verify contracts"
        ),
        bundle={"paths": layout.paths(layout.AUDIO_FLAC)},
        scorer=records.Scorer(config_marker=DIGEST),
    )


@pytest.fixture
def bundle(desk: Desk) -> Callable[..., Path]:
    """Write a bundle into the working folder."""

    def write(name: str = "refund-1", folder: str = "contracts", passed: bool = False) -> Path:
        place = Path(folder, f"{name}{layout.SUFFIX}")
        (place / "audio").mkdir(parents=True)
        (place / "evidence").mkdir()
        (place / layout.CONTRACT).write_text(to_json(contract(name, passed=passed)))
        (place / layout.AUDIO_FLAC).write_bytes(bytes(range(256)) * 8 + b"\r\n\n\r")
        (place / layout.FRAMES).write_bytes(b'{"a": 1}\r\n{"a": 2}\n')
        return place

    return write
