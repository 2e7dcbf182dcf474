"""`hotato verify`: a battery before a change and after it."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.gate_outputs import (
    append_step_summary,
    gate_files,
    gate_options,
    require_gate,
    require_step_summary,
)
from hotato.cli.outputs import (
    Artifact,
    require_file_name,
    with_written,
    write_artifacts,
    written_lines,
)
from hotato.cli.terminal import emit, screen
from hotato.plain import portable

DEFAULT_MIN_N = 3
"""The same as `hotato.compare.DEFAULT_MIN_N`, which help must not load."""

min_n_option = click.option(
    "--min-n",
    type=click.IntRange(min=1),
    default=DEFAULT_MIN_N,
    show_default=True,
    help="Fewer fixtures that used to fail support no claim.",
)


@click.command()
@click.option(
    "--before",
    type=options.FILE,
    metavar="RUN",
    required=True,
    help="The envelope before, or a folder of such.",
)
@click.option(
    "--after",
    type=options.FILE,
    metavar="RUN",
    required=True,
    help="The envelope after, or a folder of such.",
)
@min_n_option
@click.option(
    "--fail-on-regression",
    is_flag=True,
    help="Exit 1 when a fixture regressed, got worse, could not be judged, or is missing, or when the "
    "evidence contradicts itself.",
)
@click.option("--policy", type=options.FILE, metavar="FILE", help="What has to improve and what must hold.")
@click.option("--out", type=options.TARGET, metavar="FILE", help="Also write a page.")
@gate_options
@options.force_option
@options.format_option("text", "json")
def verify(**values: Any) -> int:
    """Compare a battery before a change and after it.

    Both runs are envelopes of 'hotato run --format json', or folders of such. Exit 0, or 1 when a gate that
    was asked for closes: on what it asks, and on runs that contradict themselves or have different bounds.
    """
    gated = values["fail_on_regression"] or values["policy"] is not None
    require_gate(values, gated, "--fail-on-regression or --policy")
    require_step_summary(values)
    target = None if values["out"] is None else require_file_name(values["out"])

    from hotato import compare as room
    from hotato import report
    from hotato.canonical import to_json
    from hotato.score import builtins_of

    stated = None if values["policy"] is None else room.read_policy(values["policy"])
    before, after = room.read_run(values["before"]), room.read_run(values["after"])
    result = room.verify_runs(before, after, min_n=values["min_n"])
    policy = None if stated is None else room.hold_against(stated, result)
    checks = room.verify_checks(result, policy, fail_on_regression=values["fail_on_regression"])
    written = gate_files(checks, values) if gated else []
    closed = room.closed_words(checks)
    if target is not None:
        page = report.verify_page(result, policy=policy, closed=closed)
        written.append(Artifact(target, page, report.VERIFY_MARK))
    write_artifacts(written, force=values["force"])
    append_step_summary(checks, values)
    if values["style"] == "json":
        more: dict[str, Any] = {"exit_code": checks.exit_code}
        if gated:
            more["gate"] = {"passed": not closed, "closed_by": list(closed)}
        if policy is not None:
            more["policy"] = {"path": portable(values["policy"]), **builtins_of(policy)}
        emit(to_json(with_written({**builtins_of(result), **more}, written)))
    else:
        text = report.verify_text(
            result, policy=policy, gated=gated, exit_code=checks.exit_code, closed=closed, **screen()
        )
        emit(text + written_lines(written))
    return checks.exit_code
