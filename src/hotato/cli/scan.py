"""`hotato scan`: the turn-taking moments of a call, without a verdict."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.exporting import exported
from hotato.cli.later import later
from hotato.cli.listening import (
    hear_call,
    is_folder,
    nearby_path,
    require_call,
    require_parties,
    shell_loop,
    take_call,
)
from hotato.cli.naming import stem
from hotato.cli.outputs import Artifact, require_file_name, with_written, write_artifacts, written_lines
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS, Refusal

TOP = 10
"""How many moments are shown unless told otherwise."""

LOOK = "'hotato autopsy' can look at a single channel"


@click.command()
@options.call_options
@options.detector_options
@click.option(
    "--top", type=click.IntRange(min=0), default=TOP, show_default=True, help="Moments to show, 0 for all."
)
@click.option(
    "--min-gap", type=options.seconds, default=2.0, show_default=True, help="Shortest silence to list."
)
@click.option("--out", type=options.TARGET, metavar="FILE", help="Also write the JSON to a file.")
@later("folder_costs")
@options.export_option
@options.export_folder_option
@options.force_option
@options.format_option("text", "json")
def scan(**values: Any) -> int:
    """List the turn-taking moments of a call.

    Each is a time and its magnitudes, most salient first. Nothing is judged: label a moment to score it with
    'hotato run'.
    """
    call = take_call(values)
    require_call(call)
    _refuse_folder(call.stereo)

    from hotato import find, report
    from hotato.canonical import to_json
    from hotato.trust import examine

    params = find.ScanParams(min_gap_sec=values["min_gap"])
    listening = {name: values[name] for name in ("backend", "detector")}
    heard = require_parties(hear_call(call, **listening), LOOK)
    seen = examine(heard)
    candidates = find.scan(heard, params, doubts=find.call_doubts(heard, seen))
    result = find.scan_json(
        heard,
        candidates,
        params,
        values["top"],
        source_path=nearby_path(call.stereo),
        stack=call.stack,
        findings=seen.findings,
    )
    name = stem("scan", find.recording_id(heard.file_sha256), call, **listening)
    artifacts = exported(heard, candidates, values["exports"], values["folder"], name)
    if values["out"] is not None:
        artifacts.insert(0, Artifact(require_file_name(values["out"]), to_json(result)))
    write_artifacts(artifacts, force=values["force"])
    if values["style"] == "json":
        emit(to_json(with_written(result, artifacts)))
    else:
        text = report.scan_text(heard, candidates, top=values["top"], findings=seen.findings, **screen())
        emit(text + written_lines(artifacts))
    return EXIT_PASS


def _refuse_folder(path: str | None) -> None:
    if path is not None and is_folder(path):
        raise Refusal(
            "not_in_this_version",
            f"'{path}' is a folder, and scanning a folder is not in this version",
            f"one at a time: {shell_loop('scan', path)}",
        )
