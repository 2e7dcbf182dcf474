"""`hotato baseline check`: a run held against a saved one, within stated tolerances."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.gate_outputs import append_step_summary, gate_files, gate_options, require_step_summary
from hotato.cli.outputs import with_written, write_artifacts, written_lines
from hotato.cli.terminal import emit, screen
from hotato.plain import portable


@click.group()
def baseline() -> None:
    """Hold a run against a saved baseline."""


@baseline.command("check")
@click.argument("tolerances", type=options.FILE)
@click.argument("saved", type=options.FILE, metavar="BASELINE")
@click.argument("candidate", type=options.FILE)
@gate_options
@options.force_option
@options.format_option("text", "json")
def check(**values: Any) -> int:
    """Fail when a duration rose by more than its tolerance.

    BASELINE and CANDIDATE are envelopes of 'hotato run --format json', or folders of such; TOLERANCES is YAML
    such as  talk_over_sec: "+10%". Exit 1 for drift, 2 where a dimension was not measured or the
    runs are not of the same events.
    """
    require_step_summary(values)

    from hotato import compare as room
    from hotato import report
    from hotato.canonical import to_json
    from hotato.score import builtins_of

    tolerances = room.read_tolerances(values["tolerances"])
    runs = room.read_run(values["saved"]), room.read_run(values["candidate"])
    names = (portable(values["saved"]), portable(values["candidate"]))
    result = room.check_baseline(tolerances, *runs, names=names)
    checks = room.baseline_checks(result)
    written = gate_files(checks, values)
    write_artifacts(written, force=values["force"])
    append_step_summary(checks, values)
    if values["style"] == "json":
        emit(to_json(with_written(builtins_of(result), written)))
    else:
        emit(report.checks_text(checks, **screen()) + written_lines(written))
    return checks.exit_code
