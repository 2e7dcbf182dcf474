"""A pull request is put together beside the user's files, and leaves nothing behind when it fails."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hotato import forge
from hotato.contract import layout
from hotato.contract.verify import verify_contracts
from hotato.errors import Refusal

HOME = "tests/hotato"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


def asked(fixtures: Path | str, **values) -> forge.PullRequest:
    return forge.PullRequest(fixtures=Path(fixtures), **{"repository": "owner/name", **values})


def committed(desk, path: str, branch: str = "hotato/refund-1") -> bytes:
    return subprocess.run(
        ["git", "cat-file", "blob", f"{branch}:{path}"], cwd=desk.remote, capture_output=True, check=True
    ).stdout


def refused(request: forge.PullRequest, *, run: bool = False) -> str:
    with pytest.raises(Refusal) as caught:
        plan = forge.plan_pull(request)
        if run:
            forge.run_pull(plan)
    return caught.value.code


def test_a_plan_changes_nothing_and_asks_nobody(desk, bundle):
    place = bundle()
    before = desk.state()
    plan = forge.plan_pull(asked(place))
    assert desk.state() == before and desk.told() == []
    assert plan.title == "Add hotato contract refund-1"
    assert (plan.branch, plan.base) == ("hotato/refund-1", "main")
    assert plan.commands[0][:3] == ("gh", "repo", "view")
    assert [words[0] for words in plan.commands] == ["gh", "git", "git", "git", "git", "gh", "git"]
    assert "red by design" in plan.body and "--against NEW.wav" in plan.body
    assert f"git mv {HOME}/contracts/X.hotato {HOME}/incidents/" in plan.body
    assert "red by design" not in forge.plan_pull(asked(bundle("good", passed=True))).body


@pytest.mark.parametrize("conversion", ["", "* text=auto eol=crlf\n", "*.flac filter=caps\n"])
def test_the_bundle_is_committed_byte_for_byte_whatever_git_converts(desk, bundle, conversion):
    git("config", "core.autocrlf", "true")
    git("config", "filter.caps.clean", "tr a-z A-Z")
    if conversion:
        Path(".gitattributes").write_text(conversion)
        git("add", ".gitattributes")
        git("commit", "--quiet", "-m", "convert")
        git("push", "--quiet", "origin", "main")
    Path(".git/info/exclude").write_text("*.flac\n")
    place = bundle()
    files = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    url = forge.run_pull(forge.plan_pull(asked(place)))
    assert url == "https://host.test/owner/name/pull/7"
    for path, data in files.items():
        assert committed(desk, f"{HOME}/contracts/{path.relative_to('contracts').as_posix()}") == data


def test_the_users_branch_files_and_index_stay_as_they_are(desk, bundle):
    place = bundle()
    Path("README.md").write_text("half a sentence")
    Path("tests").mkdir()
    Path("tests/untracked.txt").write_text("mine")
    before = desk.state()
    forge.run_pull(forge.plan_pull(asked(place)))
    after = desk.state()
    assert after[:2] == before[:2] and after[4] == before[4]
    assert Path("README.md").read_text() == "half a sentence"
    assert "refs/heads/hotato/refund-1" in after[2] and "refs/heads/hotato/refund-1" in after[3]
    changed = git("diff", "--name-only", "main", "hotato/refund-1").split()
    added = {path.as_posix() for path in place.rglob("*") if path.is_file()}
    assert set(changed) == {f"{HOME}/.gitattributes", *(f"{HOME}/{path}" for path in added)}


def test_a_clone_of_the_branch_verifies_as_the_bundle_did(desk, bundle, tmp_path):
    bundle("good", passed=True)
    bundle("bad")
    forge.run_pull(forge.plan_pull(asked("contracts")))
    git(
        "-c", "core.autocrlf=true", "clone", "--quiet", "-b", "hotato/contracts", str(desk.remote), "../clone"
    )
    results = verify_contracts(tmp_path / "clone" / HOME / "contracts", jobs=1).results
    assert [(result.id, result.integrity, result.status) for result in results] == [
        ("bad", "intact", "fail"),
        ("good", "intact", "pass"),
    ]


@pytest.mark.parametrize("member", [layout.AUDIO_FLAC, layout.FRAMES, layout.CONTRACT])
def test_a_bundle_that_is_not_what_it_was_sealed_as_is_refused(desk, bundle, member):
    place = bundle()
    data = (place / member).read_bytes()
    (place / member).write_bytes(
        data.replace(b'"pre_sec": ', b'"pre_sec": 1') if member == layout.CONTRACT else data + b" "
    )
    assert refused(asked(place)) == "tampered"


def test_what_the_repository_tracks_gets_no_second_copy(desk, bundle):
    place = bundle()
    bundle("other")
    git("add", "--force", str(place))
    git("commit", "--quiet", "-m", "pin")
    for source in (place, Path("contracts")):
        with pytest.raises(Refusal, match="is tracked in this repository already") as caught:
            forge.plan_pull(asked(source))
        assert caught.value.code == "tracked" and "git push" in caught.value.remedy
    assert forge.plan_pull(asked("contracts/other.hotato")).files


def test_fixtures_that_the_repository_tracks_get_no_second_copy(desk):
    Path("fixtures/scenarios").mkdir(parents=True)
    Path("fixtures/scenarios/a.json").write_text("{}")
    assert forge.plan_pull(asked("fixtures")).files
    git("add", "fixtures")
    git("commit", "--quiet", "-m", "a fixture")
    assert refused(asked("fixtures")) == "tracked"


def test_gh_gets_the_body_and_the_branches(desk, bundle):
    plan = forge.plan_pull(asked(bundle(), title="Guard the refund", branch="guard/refund", base="main"))
    forge.run_pull(plan)
    (view, _), (create, body) = desk.told()
    assert view == ["repo", "view", "host.test/owner/name", "--json=visibility", "--jq=.visibility"]
    assert create[:3] == ["pr", "create", "--repo=owner/name"]
    assert {"--head=guard/refund", "--base=main", "--title=Guard the refund"} < set(create)
    assert body == plan.body
    assert git("log", "-1", "--format=%s", "guard/refund").strip() == "Guard the refund"


@pytest.mark.parametrize("visibility", ["PUBLIC", "", "something", "fail"])
def test_a_repository_that_is_not_known_to_be_private_gets_no_audio(desk, bundle, monkeypatch, visibility):
    monkeypatch.setenv("GH_VISIBILITY", visibility)
    place = bundle()
    before = desk.state()
    assert refused(asked(place), run=True) == "public_repository"
    assert desk.state() == before
    assert all(words[:2] == ["repo", "view"] for words, _ in desk.told())


def test_a_person_may_vouch_for_the_audio(desk, bundle, monkeypatch):
    monkeypatch.setenv("GH_VISIBILITY", "PUBLIC")
    forge.run_pull(forge.plan_pull(asked(bundle(), audio_is_shareable=True)))
    assert [words[:2] for words, _ in desk.told()] == [["pr", "create"]]


def test_every_place_that_a_push_reaches_has_to_be_private(desk, bundle):
    git("remote", "set-url", "--push", "origin", "git@host.test:fork/agent.git")
    git("remote", "set-url", "--add", "--push", "origin", "https://person:token@host.test/owner/name.git")
    plan = forge.plan_pull(asked(bundle()))
    assert [words[3] for words in plan.commands if words[:3] == ("gh", "repo", "view")] == [
        "host.test/fork/agent",
        "host.test/owner/name",
    ]
    assert "token" not in str(plan.commands)


ODD = [
    "../remote.git",
    "file://host.test/owner/name.git",
    "http://host.test/owner/name.git",
    "https://host.test:8443/owner/name.git",
    "ssh://git@host.test:2222/owner/name.git",
    "https://host.test/group/subgroup/name.git",
    "git@host.test:group/subgroup/name.git",
    "https://dev.host.test/company/project/_git/name",
    "git@ssh.dev.host.test:v3/company/project/name",
    "https://host.test/owner/..",
    "host.test:owner/name",
]


@pytest.mark.parametrize("url", ODD)
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("repository", [None, "owner/name"])
def test_an_address_that_gh_cannot_be_asked_about_gets_no_audio(desk, bundle, url, beside, repository):
    git("remote", "set-url", "--push", "origin", url)
    if beside:
        git("remote", "set-url", "--add", "--push", "origin", "git@host.test:owner/name.git")
    place = bundle()
    assert refused(asked(place, repository=repository)) == "public_repository"
    assert desk.told() == []
    forge.plan_pull(asked(place, repository=repository, audio_is_shareable=True))


@pytest.mark.parametrize(
    "url",
    [
        "git@other.test:group/name.git",
        "https://other.test/group/name",
        "https://user:token@other.test:443/group/name.git/",
        "ssh://git@other.test:22/group/name.git",
    ],
)
@pytest.mark.parametrize("repository", [None, "group/name"])
def test_gh_is_asked_about_the_address_of_the_push_and_no_other(desk, bundle, url, repository):
    git("remote", "set-url", "--push", "origin", url)
    plan = forge.plan_pull(asked(bundle(), repository=repository))
    asks = [words for words in plan.commands if words[:3] == ("gh", "repo", "view")]
    assert [words[3] for words in asks] == ["other.test/group/name"]


def test_a_fork_names_its_owner(desk, bundle):
    git("remote", "set-url", "--push", "origin", "git@host.test:fork/name.git")
    plan = forge.plan_pull(asked(bundle()))
    assert any("--head=fork:hotato/refund-1" in words for words in plan.commands)


@pytest.mark.parametrize("failing", ["commit", "push", "gh"])
def test_whatever_fails_everything_is_as_before(desk, bundle, monkeypatch, failing):
    place = bundle()
    if failing == "gh":
        monkeypatch.setenv("GH_CREATE", "fail")
    else:
        where, name = {
            "commit": (desk.repository / ".git" / "hooks", "pre-commit"),
            "push": (desk.remote / "hooks", "pre-receive"),
        }[failing]
        where.mkdir(exist_ok=True)
        (where / name).write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
        (where / name).chmod(0o755)
    before = desk.state()
    codes = {"commit": "git_failed", "push": "push_failed", "gh": "gh_failed"}
    assert refused(asked(place), run=True) == codes[failing]
    assert desk.state() == before
    assert not Path(".git/hotato-pr").exists()


def test_a_branch_of_the_remote_is_never_moved(desk, bundle):
    git("push", "--quiet", "origin", "main:refs/heads/hotato/refund-1")
    git("update-ref", "-d", "refs/remotes/origin/hotato/refund-1")
    place = bundle()
    before = desk.state()
    assert refused(asked(place), run=True) == "push_failed"
    assert desk.state() == before


def test_a_conversion_that_nothing_can_switch_off_is_refused(desk, bundle):
    Path(".git/info/attributes").write_text("* text eol=crlf\n")
    place = bundle()
    before = desk.state()
    assert refused(asked(place), run=True) == "bytes_changed"
    assert desk.state() == before


def test_a_failing_tool_tells_no_secret(desk, bundle, monkeypatch):
    monkeypatch.setenv("GH_VISIBILITY", "fail")
    with pytest.raises(Refusal) as caught:
        forge.run_pull(forge.plan_pull(asked(bundle())))
    assert "not logged in" in caught.value.message and "secret" not in str(caught.value)


def test_an_existing_branch_is_refused(desk, bundle):
    git("branch", "hotato/refund-1")
    assert refused(asked(bundle())) == "branch_exists"


@pytest.mark.parametrize("branch", ["-x", "a b", "a..b", "x.lock", "a~1"])
def test_a_name_that_is_no_branch_is_refused(desk, bundle, branch):
    assert refused(asked(bundle(), branch=branch)) == "bad_branch"


def test_staged_changes_are_refused(desk, bundle):
    place = bundle()
    Path("README.md").write_text("staged")
    git("add", "README.md")
    assert refused(asked(place)) == "dirty_index"


def test_outside_of_a_repository_there_is_nothing_to_add_to(desk, bundle, tmp_path, monkeypatch):
    place = bundle().resolve()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert refused(asked(place)) == "not_a_repository"


def test_a_base_that_nobody_has_is_refused(desk, bundle):
    assert refused(asked(bundle(), base="release")) == "unknown_base"


@pytest.mark.parametrize("where", ["audio/more.flac", "evidence", "contract.json", "whole"])
def test_a_link_is_refused_wherever_it_leads(desk, bundle, where):
    place = bundle()
    if where == "whole":
        place.rename("real.hotato")
        place.symlink_to(Path("real.hotato").resolve())
    else:
        target = place / where
        if target.is_dir():
            shutil.rmtree(target)
        target.unlink(missing_ok=True)
        target.symlink_to("/etc")
    assert refused(asked(place)) == "link_in_bundle"


@pytest.mark.parametrize("name", [".git", ".gitmodules", ".GitAttributes", "a\nb", "a\u202eb"])
def test_a_name_that_means_something_to_git_or_a_terminal_is_refused(desk, bundle, name):
    place = bundle()
    (place / name).write_text("x")
    assert refused(asked(place)) == "bad_name"


def test_a_pipe_in_a_bundle_is_refused(desk, bundle):
    place = bundle()
    os.mkfifo(place / "pipe")
    assert refused(asked(place)) == "not_a_file"


def test_a_bundle_whose_folder_has_another_name_is_refused(desk, bundle):
    place = bundle()
    place.rename("contracts/other.hotato")
    assert refused(asked("contracts/other.hotato")) == "wrong_folder_name"


def test_a_contract_that_is_in_the_branch_with_other_bytes_is_refused_and_the_same_is_nothing_new(
    desk, bundle
):
    place = bundle()
    forge.run_pull(forge.plan_pull(asked(place)))
    git("push", "--quiet", "origin", "hotato/refund-1:main")
    git("fetch", "--quiet", "origin")
    assert refused(asked(place, branch="again")) == "nothing_new"
    (place / layout.TRACES / "call.jsonl").write_text("changed")
    assert refused(asked(place, branch="again")) == "exists"


def test_a_folder_of_bundles_adds_all_of_them(desk, bundle):
    bundle("one")
    bundle("two", passed=True)
    plan = forge.plan_pull(asked("contracts"))
    assert plan.title == "Add 2 hotato contracts" and plan.branch == "hotato/contracts"
    assert {path.split("/")[3] for path in plan.files if "contracts/" in path} == {"one.hotato", "two.hotato"}


def test_fixtures_go_beside_the_contracts(desk):
    for part, name in (("scenarios", "a.json"), ("audio", "a.example.wav")):
        Path("mine", part).mkdir(parents=True)
        Path("mine", part, name).write_bytes(b"{}")
    plan = forge.plan_pull(asked("mine"))
    assert list(plan.files) == [
        f"{HOME}/.gitattributes",
        f"{HOME}/audio/a.example.wav",
        f"{HOME}/scenarios/a.json",
    ]
    assert plan.title == "Add 1 hotato fixture"
    forge.run_pull(plan)
    assert committed(desk, f"{HOME}/scenarios/a.json", "hotato/fixtures") == b"{}"


@pytest.mark.parametrize("content", ["nothing", "other"])
def test_a_folder_without_either_is_refused(desk, content):
    Path("mine").mkdir()
    if content == "other":
        Path("mine/notes.txt").write_text("x")
    assert refused(asked("mine")) == "nothing_to_add"


def test_it_works_from_a_folder_of_the_repository(desk, bundle, monkeypatch):
    place = bundle().resolve()
    Path("deep/er").mkdir(parents=True)
    monkeypatch.chdir("deep/er")
    forge.run_pull(forge.plan_pull(asked(place)))
    assert (
        committed(desk, f"{HOME}/contracts/refund-1.hotato/{layout.CONTRACT}")
        == (place / layout.CONTRACT).read_bytes()
    )


def test_what_a_killed_run_left_is_named_with_its_remedy(desk, bundle):
    place = bundle()
    git("worktree", "add", "--quiet", "-b", "hotato/refund-1", ".git/hotato-pr", "main")
    with pytest.raises(Refusal) as caught:
        forge.plan_pull(asked(place))
    assert caught.value.code == "left_over"
    assert caught.value.remedy.endswith("git worktree remove --force .git/hotato-pr")


@pytest.mark.parametrize("repository", ["name", "https://host.test/a/b", "-x/y", "a/b c", "a/b/c/d"])
def test_what_names_no_repository_is_refused(desk, bundle, repository):
    assert refused(asked(bundle(), repository=repository)) == "usage_error"


def test_a_title_of_two_lines_is_refused(desk, bundle):
    assert refused(asked(bundle(), title="a\nb")) == "usage_error"
