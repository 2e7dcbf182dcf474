"""`hotato issue`: an issue about the moments of a sweep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hotato.cli import options
from hotato.cli.planning import planned, yes_option
from hotato.errors import EXIT_PASS


@click.group()
def issue() -> None:
    """File an issue about the moments of a sweep."""


@issue.command("create")
@click.argument("sweep", type=options.FILE, metavar="SWEEP.json")
@click.option("--repo", "repository", type=options.TEXT, metavar="OWNER/NAME", help="Where; else gh decides.")
@click.option(
    "--top", type=click.IntRange(1, 100), default=5, show_default=True, help="How many moments to list."
)
@click.option("--label", "labels", type=options.TEXT, multiple=True, help="A label (repeatable).")
@click.option("--include-identifiers", is_flag=True, help="Name the recordings; else they are numbered.")
@yes_option
@options.format_option("text", "json")
def create(sweep: str, yes: bool, style: str, **values: Any) -> int:
    """Print the issue that would be filed, or with --yes file it.

    It lists what was measured, for a person to judge. gh files it, as it is set up on this machine.
    """
    from hotato import forge

    plan = forge.plan_issue(Path(sweep), **values)
    facts = {"title": plan.title, "listed": plan.listed, "total": plan.total}
    url = forge.run_issue(plan) if yes else None
    planned("issue", facts, [plan.command], plan.body, style=style, done=yes, url=url)
    return EXIT_PASS
