"""`hotato pr`: a pull request that adds contracts or fixtures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hotato.cli import options
from hotato.cli.planning import planned, yes_option
from hotato.errors import EXIT_PASS


@click.group()
def pr() -> None:
    """Open a pull request that adds contracts or fixtures."""


@pr.command("create")
@click.option(
    "--fixtures", required=True, type=options.FILE, metavar="DIR", help="A bundle, or a folder of fixtures."
)
@click.option("--repo", "repository", type=options.TEXT, metavar="OWNER/NAME", help="Where; else gh decides.")
@click.option("--title", type=options.TEXT, help="The title; left out, it names what is added.")
@click.option("--branch", type=options.TEXT, help="The new branch; left out, it names what is added.")
@click.option("--base", type=options.TEXT, help="The branch to merge into; left out, the remote's usual one.")
@click.option("--audio-is-shareable", is_flag=True, help="Everybody may hear the audio that this adds.")
@yes_option
@options.format_option("text", "json")
def create(fixtures: str, yes: bool, style: str, **values: Any) -> int:
    """Print the pull request that would be opened, or with --yes open it.

    Bundles go to tests/hotato/contracts, scenarios and clips to tests/hotato, byte for byte. The branch is
    made beside your files, which stay as they are; when anything fails it is removed again. What this
    repository tracks already is refused: push its branch and open the request. So is a repository that is not
    known to be private, because a bundle contains call audio.
    """
    from hotato import forge

    plan = forge.plan_pull(forge.PullRequest(fixtures=Path(fixtures), **values))
    facts = {"title": plan.title, "branch": plan.branch, "base": plan.base, "files": list(plan.files)}
    url = forge.run_pull(plan) if yes else None
    warning = None if values["audio_is_shareable"] else forge.AUDIO_WARNING
    planned(
        *("pr", facts, plan.commands, plan.body),
        style=style,
        done=yes,
        url=url,
        warning=warning,
        copied_into=(plan.checks + 1, plan.repository.tree),
    )
    return EXIT_PASS
