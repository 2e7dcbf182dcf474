"""`hotato init`: put hotato into a repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.terminal import emit
from hotato.errors import EXIT_PASS, Refusal, UsageError
from hotato.plain import portable
from hotato.stacks import STACK_NAMES

if TYPE_CHECKING:
    from hotato.scaffold import Detection, OtherValue, Placed, ScaffoldFile

HERE = "."
SYSTEM_NAMES = ("gitlab", "jenkins", "azure", "circleci", "pre-commit")
_out = click.option(
    "--out", type=options.TARGET, default=HERE, show_default=True, metavar="DIR", help="The repository."
)
_install = click.option(
    "--install",
    type=options.TEXT,
    metavar="SPEC",
    help="Where the pipeline gets hotato from: a pip requirement; left out, one to be replaced.",
)
_force = click.option("--force", is_flag=True, help="Also replace files that are there.")


class _Init(click.Group):
    """The group, which knows the name of a command that is still to come."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` name."""
        if args[0] == "webhook":
            raise Refusal(
                "not_in_this_version",
                "'init webhook' is not in this version",
                "download recordings yourself and run hotato autopsy, or hotato scan, on them",
            )
        return super().resolve_command(ctx, args)


@click.group(cls=_Init, invoke_without_command=True)
@click.option("--auto", is_flag=True, help="See which platform the repository uses, and write its starter.")
@click.option(
    "--stack", type=click.Choice(STACK_NAMES), help="The platform of the calls, whatever --auto sees."
)
@click.option("--agents", is_flag=True, help="Write notes for coding agents into AGENTS.md.")
@_out
@_install
@_force
@options.format_option("text", "json")
@click.pass_context
def init(ctx: click.Context, /, **values: Any) -> int | None:
    """Put hotato into a repository.

    Writes only what is absent, all of it or nothing, and lists what was written and what was kept.
    """
    if ctx.invoked_subcommand is not None:
        options.refuse_flags_before_subcommand(ctx)
        return None
    if not values["auto"] and not values["agents"]:
        raise UsageError(
            "nothing was asked for", "pass --auto or --agents, or one of: starter, ci (hotato init --help)"
        )
    if values["stack"] is not None and not values["auto"]:
        raise UsageError("--stack was given without --auto", "pass --auto, or use hotato init starter")

    from hotato import scaffold

    folder = Path(values["out"])
    seen, placed, kept = None, [], _Kept()
    if values["auto"]:
        seen = scaffold.detect_stack(folder, values["stack"])
        files = scaffold.starter(seen.stack, _requirement(values["install"]))
        placed.append(scaffold.place(files, folder, force=values["force"]))
        kept = _kept(files, placed[0], folder, seen.stack, values["install"])
    if values["agents"]:
        placed.append(scaffold.agent_notes(folder))
    _tell("auto" if values["auto"] else "agents", placed, values, seen, kept)
    return EXIT_PASS


@init.command("starter")
@click.option("--stack", type=click.Choice(STACK_NAMES), required=True, help="The platform of the calls.")
@_out
@_install
@_force
@options.format_option("text", "json")
def starter(**values: Any) -> int:
    """Write a pipeline, folders for contracts and fixtures, and a page that explains them."""
    from hotato import scaffold

    files = scaffold.starter(values["stack"], _requirement(values["install"]))
    folder = Path(values["out"])
    placed = scaffold.place(files, folder, force=values["force"])
    _tell("starter", [placed], values, other=_kept(files, placed, folder, values["stack"], values["install"]))
    return EXIT_PASS


@init.command("ci")
@click.option("--system", type=click.Choice(SYSTEM_NAMES), required=True, help="What reads the file.")
@_out
@_install
@_force
@options.format_option("text", "json")
def pipeline(**values: Any) -> int:
    """Write the configuration that a CI system reads.

    A configuration that is there is never changed without --force.
    """
    from hotato import scaffold

    file = scaffold.pipeline(values["system"], _requirement(values["install"]))
    target = Path(values["out"]) / file.path
    placed = scaffold.place([file], Path(values["out"]), force=values["force"])
    if placed.kept and target.read_bytes() != file.text.encode():
        raise Refusal(
            "exists",
            f"'{target}' exists with other content",
            "copy what you need from one made with --out elsewhere, or pass --force",
        )
    _tell("ci", [placed], values)
    return EXIT_PASS


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was kept and says something else than a person asked for."""

    values: tuple[OtherValue, ...] = ()
    unignored: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        return {
            "other_values": [
                {"path": one.path, "name": one.name, "holds": one.holds, "asked": one.asked}
                for one in self.values
            ],
            "missing_ignores": list(self.unignored),
        }

    def lines(self) -> list[str]:
        told = [f"  holds   {one.path}: {one.name} {one.holds}, not {one.asked}" for one in self.values]
        return told + [f"  lacks   .gitignore: {line}" for line in self.unignored]

    def steps(self) -> list[str]:
        told = []
        if self.values:
            told.append("change what the kept files hold (lines above), or pass --force to replace them")
        if self.unignored:
            told.append("add the lines that .gitignore lacks (above): they keep recordings and results out")
        return told


def _kept(
    files: Sequence[ScaffoldFile], placed: Placed, folder: Path, stack: str, install: str | None
) -> _Kept:
    from hotato import scaffold

    asked = {scaffold.STACK: stack, **({} if install is None else {scaffold.INSTALL: install})}
    return _Kept(
        scaffold.other_values(placed, folder, asked), scaffold.missing_ignores(placed, folder, files)
    )


def _requirement(typed: str | None) -> str:
    from hotato import scaffold

    return scaffold.DEFAULT_INSTALL if typed is None else scaffold.require_requirement(typed)


def _tell(
    what: str,
    placed: list[Placed],
    values: dict[str, Any],
    seen: Detection | None = None,
    other: _Kept | None = None,
) -> None:
    """Print what was written and kept, and the next step."""
    from hotato.canonical import to_json

    folder = Path(values["out"])
    written = [portable(folder / path) for item in placed for path in item.written]
    kept = [portable(folder / path) for item in placed for path in item.kept]
    other = other or _Kept()
    steps = [*other.steps(), *_next_steps(what, values, written)]
    if values["style"] == "json":
        facts = {"tool": "hotato", "kind": "init", "schema_version": "1", "what": what}
        told = {"written": written, "kept": kept, "next_steps": steps}
        emit(to_json({**facts, **_seen(seen), **told, **other.json()}))
        return
    lines = [f"  saw     {item['package']} in {item['file']}" for item in _seen(seen).get("saw", [])]
    if seen is not None:
        lines += [f"  unread  {line}" for line in seen.unread] + [f"  stack   {seen.stack}"]
    lines += [f"  wrote   {path}" for path in written] + [f"  kept    {path}" for path in kept]
    lines += other.lines()
    emit("\n".join([f"hotato init {what}", *lines, *(f"next: {step}" for step in steps)]))


def _seen(seen: Detection | None) -> dict[str, Any]:
    if seen is None:
        return {}
    saw = [{"stack": item.stack, "package": item.package, "file": item.file} for item in seen.sightings]
    return {"stack": seen.stack, "saw": saw, "unread": list(seen.unread)}


def _next_steps(what: str, values: dict[str, Any], written: list[str]) -> list[str]:
    if what == "agents":
        return []
    steps = []
    if values["install"] is None and written:
        name = "the hook's dependency" if values.get("system") == "pre-commit" else "HOTATO_INSTALL"
        steps.append(f"replace the value of {name}: it says where CI gets hotato from")
    if what != "ci":
        steps.append(f"read {portable(Path(values['out']) / 'HOTATO.md')}")
    return steps
