"""The git repository of the working folder: what has to be known before anything is added to it."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from hotato.errors import Refusal
from hotato.forge.tools import run, succeeds

REMOTE = "origin"
TREE = "hotato-pr"
"""The folder inside git's own where a pull request is put together: the user's files are never touched."""

_ADDRESS = re.compile(
    r"(?:(?:https|ssh|git\+ssh|ssh\+git)://(?:[^/@\s]+@)?(?P<host>[\w.-]+)(?::(?P<port>\d+))?/"
    r"|[^/@:\s]+@(?P<alias>[\w.-]+):/?)"
    r"(?P<slug>\w[\w.-]*/(?!\.+/?$)[\w.-]+?)(?:\.git)?/?",
    re.ASCII,
)
_PORTS = {"https": "443"}
"""The port that an address means without one; 22 for all others. Another one may be another server."""


@dataclass(frozen=True, slots=True)
class Repository:
    """What git says.

    Attributes:
        tree: where the pull request is put together, from the working folder.
        base: the branch that it goes to.
        start: the revision that it starts from.
        pushed_to: `HOST/OWNER/NAME` of every place that a push reaches; None for an address that is not
            understood, such as a folder, a server at a port of its own, or a group within a group.
        object_format: the hash that names content.
    """

    tree: str
    base: str
    start: str
    pushed_to: tuple[str | None, ...]
    object_format: str


def look(base: str | None) -> Repository:
    """Look at the repository of the working folder.

    Raises:
        Refusal: `not_a_repository`, `no_commits`, `dirty_index`, `unknown_base`, `no_remote`, `left_over`.
    """
    if not succeeds(["git", "rev-parse", "--is-inside-work-tree"]):
        raise Refusal("not_a_repository", "the working folder is in no git repository", "go into one")
    if not succeeds(["git", "rev-parse", "--verify", "--quiet", "HEAD"]):
        raise Refusal("no_commits", "this repository has no commit yet", "make the first one")
    if not succeeds(["git", "diff", "--cached", "--quiet"]):
        raise Refusal(
            "dirty_index",
            "changes are staged that are no part of this pull request",
            "commit them, or unstage them with git restore --staged .",
        )
    if not succeeds(["git", "remote", "get-url", REMOTE]):
        raise Refusal(
            "no_remote", f"this repository has no remote '{REMOTE}'", f"git remote add {REMOTE} URL"
        )
    common = _said(["git", "rev-parse", "--path-format=absolute", "--git-common-dir"])
    tree = Path(common) / TREE
    if os.path.lexists(tree):
        relative = os.path.relpath(tree)
        raise Refusal(
            "left_over",
            f"'{relative}' is there: another run is under way, or was ended by force",
            f"if none runs: git worktree remove --force {relative}",
        )
    name = base or _usual_base()
    return Repository(
        tree=os.path.relpath(tree),
        base=name,
        start=_start(name),
        pushed_to=tuple(_slug(url) for url in _urls()),
        object_format=_said(["git", "rev-parse", "--show-object-format"]),
    )


def require_new_branch(branch: str) -> None:
    """Refuse a branch that git cannot have, or has: here, or as far as is known, at the remote.

    Raises:
        Refusal: `bad_branch`, `branch_exists`.
    """
    if branch.startswith("-") or not succeeds(["git", "check-ref-format", f"refs/heads/{branch}"]):
        raise Refusal("bad_branch", f"'{branch}' is no name for a branch", "name another one with --branch")
    for place in (f"refs/heads/{branch}", f"refs/remotes/{REMOTE}/{branch}"):
        if succeeds(["git", "show-ref", "--verify", "--quiet", place]):
            raise Refusal(
                "branch_exists", f"the branch '{branch}' exists already", "name another one with --branch"
            )


def contents(revision: str, folder: str) -> dict[str, str]:
    """What a revision holds in a folder of the repository: the name of the content by path."""
    listed = run(["git", "ls-tree", "-r", "-z", "--full-tree", revision, "--", folder], code="git_failed")
    entries = [line.split("\t", 1) for line in listed.split("\0") if line]
    return {path: facts.split()[2] for facts, path in entries}


def tracks(path: Path) -> bool:
    """Whether git tracks anything at a path of the working folder; a path outside of it is not tracked."""
    return bool(run_or_none(["git", "ls-files", "--", os.path.relpath(path)]))


def content_name(data: bytes, object_format: str) -> str:
    """The name by which git keeps these bytes as a file's content."""
    return hashlib.new(object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _usual_base() -> str:
    head = run_or_none(["git", "symbolic-ref", "--quiet", "--short", f"refs/remotes/{REMOTE}/HEAD"])
    if head is not None:
        return head.removeprefix(f"{REMOTE}/")
    branch = run_or_none(["git", "symbolic-ref", "--quiet", "--short", "HEAD"])
    if branch is None:
        raise Refusal("unknown_base", "no branch is checked out", "name the one to merge into with --base")
    return branch


def _start(base: str) -> str:
    for place in (f"refs/remotes/{REMOTE}/{base}", f"refs/heads/{base}"):
        if succeeds(["git", "show-ref", "--verify", "--quiet", place]):
            return place
    raise Refusal("unknown_base", f"there is no branch '{base}' here", "name one with --base, or git fetch")


def _urls() -> list[str]:
    return _said(["git", "remote", "get-url", "--push", "--all", REMOTE]).splitlines()


def _slug(url: str) -> str | None:
    found = _ADDRESS.fullmatch(url)
    if found is None or found["port"] not in (None, _PORTS.get(url.partition(":")[0], "22")):
        return None
    return f"{found['host'] or found['alias']}/{found['slug']}"


def run_or_none(words: list[str]) -> str | None:
    """What a question to git answers, or None where it has no answer."""
    return _said(words) if succeeds(words) else None


def _said(words: list[str]) -> str:
    return run(words, code="git_failed").strip()
