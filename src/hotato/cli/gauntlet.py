"""`hotato gauntlet`: the bundled stress test of the scorer, and a badge of it."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.outputs import Artifact, require_file_name, with_written, write_artifacts, written_lines
from hotato.cli.terminal import emit, screen
from hotato.editions import json_mark
from hotato.errors import EXIT_PASS, UsageError


@click.group(invoke_without_command=True)
@click.option("--list", "only_list", is_flag=True, help="List the scenarios and run none.")
@click.option("--out", type=options.TARGET, metavar="FILE", help="Also write the JSON to a file.")
@options.force_option
@options.format_option("text", "json")
@click.pass_context
def gauntlet(ctx: click.Context, /, **values: Any) -> int | None:
    """Stress-test the scorer on bundled calls.

    Hard calls have to pass and defective ones to fail on the axis they were made for. Exits 0 only when every
    one does; a set that is not the pinned one is refused.
    """
    if ctx.invoked_subcommand is not None:
        options.refuse_flags_before_subcommand(ctx)
        return None
    target = None if values["out"] is None else require_file_name(values["out"])

    from hotato import gauntlet as room
    from hotato.canonical import to_json

    if values["only_list"]:
        if target is not None:
            raise UsageError("--list runs nothing that --out could write", "leave out one of the two")
        plans = room.plan_gauntlet()
        emit(to_json(plans) if values["style"] == "json" else room.plan_text(plans, **screen()))
        return EXIT_PASS
    result = room.run_gauntlet()
    written = [] if target is None else [Artifact(target, to_json(result), mark=json_mark("gauntlet"))]
    write_artifacts(written, force=values["force"])
    if values["style"] == "json":
        from hotato.score import builtins_of

        emit(to_json(with_written(builtins_of(result), written)))
    else:
        emit(room.result_text(result, **screen()) + written_lines(written))
    return int(result.exit_code)


@gauntlet.command("badge")
@click.option("--out", type=options.TARGET, metavar="FILE", help="Write the SVG there (printed if left out).")
@options.force_option
def badge(out: str | None, force: bool) -> int:
    """Run the gauntlet and make a badge of it, an SVG.

    There is a badge only when every scenario matched.
    """
    target = None if out is None else require_file_name(out)

    from hotato import gauntlet as room

    if target is None:
        emit(room.badge(room.run_gauntlet()))
        return EXIT_PASS
    written = [Artifact(target, room.badge(room.run_gauntlet()), mark=room.BADGE_MARK)]
    write_artifacts(written, force=force)
    emit(written_lines(written))
    return EXIT_PASS
