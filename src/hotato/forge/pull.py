"""A pull request that adds contracts or fixtures, put together beside the user's files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hotato.canonical import NewFile, write_set
from hotato.errors import Refusal
from hotato.forge import cargo as hold
from hotato.forge import repository as git
from hotato.forge.cargo import Cargo
from hotato.forge.tools import first_url, require_line, require_repository, run, succeeds
from hotato.plain import portable, shown

OPEN_AUDIO = "--audio-is-shareable"
AUDIO_WARNING = (
    "this adds call audio to the repository: whoever can read the repository can hear the call, for as long "
    "as its history is kept"
)
_RED_BY_DESIGN = f"""\
A contract that failed when it was pinned is red by design: its recording never changes. From red to green:

1. Where a red check must not be merged, move it out of the gate on this branch: \
`git mv {hold.CONTRACTS}/X.hotato {hold.INCIDENTS}/` (make the folder first).
2. Fix the agent, and record the moment anew.
3. `hotato contract verify {hold.INCIDENTS}/X.hotato --against NEW.wav`
4. When that passes, make a contract of the new recording with the same label and bounds \
(`hotato contract create --stereo NEW.wav ... --out {hold.CONTRACTS}`). It takes the old one's place in the \
gate; the old one is kept in `{hold.INCIDENTS}/`, which no gate reads."""
_PATH_CHARS = 200
_PRIVATE = {"PRIVATE", "INTERNAL"}
_EXPECTED = {
    "yield": "stops for the caller",
    "hold": "talks on",
    "answer": "sounds again within the bound",
}


@dataclass(frozen=True, slots=True)
class PullRequest:
    """What is asked for.

    Attributes:
        fixtures: a bundle, a folder of bundles, or a folder with `scenarios` and `audio`.
        repository: `OWNER/NAME` that the request goes to; None for the one that gh finds.
        title: its title; None for one that names the content.
        branch: the branch that is made; None for one that names the content.
        base: the branch that it goes to; None for the remote's usual one.
        audio_is_shareable: a person vouches that everybody may hear the audio.
    """

    fixtures: Path
    repository: str | None = None
    title: str | None = None
    branch: str | None = None
    base: str | None = None
    audio_is_shareable: bool = False


@dataclass(frozen=True, slots=True)
class PullPlan:
    """What would be done.

    Attributes:
        title: the title.
        body: the text, Markdown.
        branch: the branch that is made.
        base: the branch that it goes to.
        files: content by path in the repository: what is new.
        commands: the command lines, in order; the files are copied after `checks + 1` of them.
        checks: how many of the commands only ask who can see what is pushed.
        repository: what git said.
    """

    title: str
    body: str
    branch: str
    base: str
    files: dict[str, bytes]
    commands: tuple[tuple[str, ...], ...]
    checks: int
    repository: git.Repository


def plan_pull(wanted: PullRequest) -> PullPlan:
    """Read what is added, look at the repository, and say what would be done. Nothing is changed.

    Raises:
        Refusal: what `cargo.load` and `repository.look` refuse, `tracked`, `branch_exists`, `exists`,
            `nothing_new`; `public_repository`: a push reaches an address that gh cannot be asked about.
    """
    require_repository(wanted.repository)
    load = hold.load(wanted.fixtures)
    place = git.look(wanted.base)
    _require_untracked(load)
    title = require_line(wanted.title or _usual_title(load), "title")
    branch = wanted.branch or f"hotato/{load.name}"
    git.require_new_branch(branch)
    files = _new_files(load, place)
    checks = () if wanted.audio_is_shareable else _who_can_see(wanted.repository, place)
    return PullPlan(
        title=title,
        body=_body(load),
        branch=branch,
        base=place.base,
        files=files,
        commands=checks + _steps(wanted.repository, place, branch, title),
        checks=len(checks),
        repository=place,
    )


def run_pull(plan: PullPlan) -> str | None:
    """Do what the plan says, and return the request's address where gh prints one.

    Whatever fails, the branch that was checked out still is, no file of the user has changed, and the new
    branch is gone again, here and at the remote.

    Raises:
        Refusal: `public_repository`, `tool_missing`, `git_failed`, `push_failed`, `gh_failed`,
            `bytes_changed`.
    """
    asks, (grow, add, commit, push, request, remove) = (
        plan.commands[: plan.checks],
        plan.commands[plan.checks :],
    )
    for words in asks:
        _require_private(words)
    with _undone_on_failure(plan, remove):
        run(list(grow), code="git_failed")
        tree = Path(plan.repository.tree)
        write_set([NewFile(tree / path, data, replace=True) for path, data in plan.files.items()])
        run(list(add), code="git_failed")
        _require_same_bytes(plan)
        run(list(commit), code="git_failed", remedy="tell git who you are, or see what its hooks say")
        run(list(push), code="push_failed", remedy=f"see whether '{plan.branch}' is free at the remote")
        with _unpushed_on_failure(plan):
            printed = run(list(request), text=plan.body, code="gh_failed", remedy="see gh auth status")
    succeeds(list(remove))
    return first_url(printed)


def _require_untracked(load: Cargo) -> None:
    """Refuse a second copy of what this repository tracks: it needs a push and a request, no new home."""
    for source in load.sources:
        if git.tracks(source):
            raise Refusal(
                "tracked",
                f"'{shown(portable(source), _PATH_CHARS)}' is tracked in this repository already, and this "
                f"would add a second copy under {hold.HOME}",
                "push its branch and open the request: git push -u origin HEAD, then gh pr create",
            )


def _new_files(load: Cargo, place: git.Repository) -> dict[str, bytes]:
    known = git.contents(place.start, hold.HOME)
    files = {}
    for path, data in load.files.items():
        name = git.content_name(data, place.object_format)
        if path not in known:
            files[path] = data
        elif known[path] != name:
            raise Refusal(
                "exists",
                f"'{path}' is in the branch '{place.base}' with other content",
                "give the new one another id",
            )
    if not files:
        raise Refusal(
            "nothing_new", f"the branch '{place.base}' holds all of it already", "nothing is to be done"
        )
    if hold.ATTRIBUTES not in known:
        files[hold.ATTRIBUTES] = hold.SAME_BYTES
    return dict(sorted(files.items()))


def _who_can_see(repository: str | None, place: git.Repository) -> tuple[tuple[str, ...], ...]:
    """Questions to gh about every repository that would hold the audio, each by its name.

    Without a name gh would tell of a repository of its own choice, so an address without one is refused.
    """
    named = [slug for slug in place.pushed_to if slug is not None]
    if len(named) < len(place.pushed_to):
        raise Refusal(
            "public_repository",
            f"who can see what is pushed to '{git.REMOTE}' is not known: gh cannot be asked about its "
            "address",
            f"see git remote get-url --push --all {git.REMOTE}, or pass {OPEN_AUDIO} where everybody may "
            "hear the call",
        )
    if repository is not None and not any(
        slug.endswith(f"/{repository}") or slug == repository for slug in named
    ):
        named.append(repository)
    question = ("--json=visibility", "--jq=.visibility")
    return tuple(("gh", "repo", "view", name, *question) for name in dict.fromkeys(named))


def _require_private(words: tuple[str, ...]) -> None:
    remedy = f"push to a private repository, or pass {OPEN_AUDIO} where everybody may hear the call"
    try:
        said = run(list(words), code="gh_failed").strip().upper()
    except Refusal as error:
        raise Refusal(
            "public_repository", f"who can see the repository is not known ({error.message})", remedy
        ) from error
    if said not in _PRIVATE:
        what = "is public" if said == "PUBLIC" else "is not known to be private"
        raise Refusal(
            "public_repository", f"the repository {what}, and this would publish call audio", remedy
        )


def _steps(
    repository: str | None, place: git.Repository, branch: str, title: str
) -> tuple[tuple[str, ...], ...]:
    inside = ("git", "-C", place.tree)
    reference = f"refs/heads/{branch}"
    owners = {slug.split("/")[-2] for slug in place.pushed_to if slug is not None}
    (owner,) = owners if len(owners) == 1 else (None,)
    elsewhere = repository is not None and owner is not None and repository.split("/")[-2] != owner
    return (
        ("git", "worktree", "add", "-b", branch, place.tree, place.start),
        (*inside, "add", "--force", "--", hold.HOME),
        (*inside, "commit", "--quiet", f"--message={title}"),
        # An empty lease: the push is refused where the remote has a branch of this name. It starts in the
        # folder of the user, from where the address of a remote counts.
        (
            *("git", "push", "--quiet", f"--force-with-lease={reference}:"),
            *(git.REMOTE, f"{reference}:{reference}"),
        ),
        (
            *("gh", "pr", "create", *([f"--repo={repository}"] if repository else [])),
            *(f"--head={owner}:{branch}" if elsewhere else f"--head={branch}", f"--base={place.base}"),
            *(f"--title={title}", "--body-file=-"),
        ),
        ("git", "worktree", "remove", "--force", place.tree),
    )


@contextmanager
def _undone_on_failure(plan: PullPlan, remove: tuple[str, ...]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with contextlib.suppress(Refusal):
            if Path(plan.repository.tree, ".git").exists():
                ours = git.run_or_none(["git", "-C", plan.repository.tree, "rev-parse", "HEAD"])
            else:
                ours = git.run_or_none(["git", "rev-parse", plan.repository.start])
            succeeds(list(remove))
            if ours is not None:  # a branch that somebody else moved meanwhile stays
                succeeds(["git", "update-ref", "-d", f"refs/heads/{plan.branch}", ours])
        raise


@contextmanager
def _unpushed_on_failure(plan: PullPlan) -> Iterator[None]:
    try:
        yield
    except BaseException:
        reference = f"refs/heads/{plan.branch}"
        tip = git.run_or_none(["git", "rev-parse", "--verify", reference])
        lease = f"--force-with-lease={reference}:{tip}"
        with contextlib.suppress(Refusal):
            succeeds(["git", "push", "--quiet", lease, git.REMOTE, f":{reference}"])
        raise


def _require_same_bytes(plan: PullPlan) -> None:
    """Refuse when a filter of this machine changed what is staged."""
    listed = run(
        ["git", "-C", plan.repository.tree, "ls-files", "-s", "-z", "--", hold.HOME], code="git_failed"
    )
    staged = {
        path: facts.split()[1] for facts, path in (line.split("\t", 1) for line in listed.split("\0") if line)
    }
    for path, data in plan.files.items():
        if staged.get(path) != git.content_name(data, plan.repository.object_format):
            raise Refusal(
                "bytes_changed",
                f"git would keep '{path}' with other bytes than the ones that were measured",
                f"let no filter or line-end conversion apply to {hold.HOME} (see gitattributes)",
            )


def _usual_title(load: Cargo) -> str:
    if len(load.contracts) == 1:
        return f"Add hotato contract {load.contracts[0].id}"
    if load.contracts:
        return f"Add {len(load.contracts)} hotato contracts"
    return f"Add {load.scenarios} hotato fixture{'s' if load.scenarios != 1 else ''}"


def _body(load: Cargo) -> str:
    lines = []
    if load.contracts:
        lines += ["| contract | a good agent | when it was pinned |", "|---|---|---|"]
        for contract in load.contracts:
            verdict = "passed" if contract.measurement.passed else "failed"
            lines.append(f"| {contract.id} | {_EXPECTED[contract.label.expected_behavior]} | {verdict} |")
        lines += ["", "CI verifies them with:", "", f"    hotato contract verify {hold.CONTRACTS}"]
        if not all(contract.measurement.passed for contract in load.contracts):
            lines += ["", _RED_BY_DESIGN]
    else:
        noun = "scenario" if load.scenarios == 1 else "scenarios"
        lines += [f"{load.scenarios} labelled {noun}. CI scores them with:", ""]
        lines += [f"    hotato run --scenarios {hold.HOME}/scenarios --audio {hold.HOME}/audio"]
    return "\n".join([*lines, "", f"Note: {AUDIO_WARNING}.", ""])
