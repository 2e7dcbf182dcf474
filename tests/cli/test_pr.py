"""`hotato pr create`: prints, and acts only with --yes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path, monkeypatch) -> Path:
    """A repository with a remote, and fixtures beside it."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A Person")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "person@example.test")
    git("init", "--quiet", "--bare", "remote.git")
    git("init", "--quiet", "--initial-branch=main", "work")
    monkeypatch.chdir("work")
    git("commit", "--quiet", "--allow-empty", "-m", "begin")
    server = tmp_path / "server"  # what is reached by ssh is the repository beside
    server.write_text(f'#!/bin/sh\nexec git receive-pack "{tmp_path}/remote.git"\n')
    server.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(server))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    git("remote", "add", "origin", "git@host.test:owner/name.git")
    Path("mine/scenarios").mkdir(parents=True)
    Path("mine/scenarios/a.json").write_text("{}")
    return tmp_path / "work"


def test_without_yes_it_prints_every_command_and_the_warning(hotato, repository):
    outcome = hotato("pr", "create", "--fixtures", "mine", "--repo", "owner/name")
    assert (outcome.code, outcome.err) == (0, "")
    assert "nothing was run" in outcome.out and "warning: this adds call audio" in outcome.out
    assert "  gh repo view host.test/owner/name --json=visibility --jq=.visibility\n" in outcome.out
    assert "  git worktree add -b hotato/fixtures .git/hotato-pr refs/heads/main\n" in outcome.out
    assert "  # what it adds is copied into .git/hotato-pr\n  git -C .git/hotato-pr add" in outcome.out
    assert "  adds    tests/hotato/scenarios/a.json\n" in outcome.out
    assert str(repository) not in outcome.out


def test_the_printed_commands_can_be_run_by_hand(hotato, repository):
    facts = hotato("pr", "create", "--fixtures", "mine", "--format", "json").json
    grow, add, commit, push = facts["commands"][1:5]
    assert facts["copied_into"] == {"after_commands": 2, "folder": ".git/hotato-pr"}
    subprocess.run(grow, check=True, capture_output=True)
    target = Path(".git/hotato-pr/tests/hotato/scenarios/a.json")
    target.parent.mkdir(parents=True)
    target.write_text("{}")
    for words in (add, commit, push):
        subprocess.run(words, check=True, capture_output=True)
    branches = subprocess.run(
        ["git", "branch"], cwd="../remote.git", capture_output=True, text=True, check=True
    )
    assert "hotato/fixtures" in branches.stdout


def test_an_address_that_gh_cannot_be_asked_about_is_refused(hotato, repository):
    git("remote", "set-url", "--push", "origin", "git@host.test:group/subgroup/name.git")
    outcome = hotato("pr", "create", "--fixtures", "mine")
    assert (outcome.code, outcome.out) == (2, "") and "--audio-is-shareable" in outcome.err
    assert hotato("pr", "create", "--fixtures", "mine", "--audio-is-shareable").code == 0


def test_without_gh_nothing_is_pushed(hotato, repository, monkeypatch, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to("/usr/bin/git")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    outcome = hotato("pr", "create", "--fixtures", "mine", "--yes", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "public_repository")
    assert "'gh' is not installed" in outcome.json["message"]


def test_fixtures_have_to_be_named(hotato, repository):
    outcome = hotato("pr", "create")
    assert outcome.code == 2 and "--fixtures" in outcome.err
