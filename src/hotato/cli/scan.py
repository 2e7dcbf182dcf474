"""`hotato scan`: the turn-taking moments of a call, without a verdict."""

from __future__ import annotations

from pathlib import Path

import click

from hotato.cli import options
from hotato.cli.exporting import exported
from hotato.cli.listening import as_one, call_of, hear_call, require_call
from hotato.cli.outputs import Artifact, require_file_name, write_artifacts
from hotato.cli.terminal import emit, terminal
from hotato.errors import EXIT_PASS, Refusal

TOP = 10
"""How many moments are shown unless told otherwise."""


@click.command()
@options.call_options
@options.detector_options
@click.option("--top", type=click.IntRange(min=1), default=TOP, show_default=True, help="Moments to show.")
@click.option(
    "--min-gap", type=options.seconds, default=2.0, show_default=True, help="Shortest silence to list."
)
@click.option("--out", type=options.FILE, metavar="FILE", help="Also write the JSON to a file.")
@options.export_option
@options.export_folder_option
@options.force_option
@options.format_option("text", "json")
def scan(
    recording: str | None,
    stereo: str | None,
    caller: str | None,
    agent: str | None,
    caller_start: float,
    agent_start: float,
    stack: str | None,
    caller_channel: int | None,
    agent_channel: int | None,
    backend: str,
    detector: str,
    top: int,
    min_gap: float,
    out: str | None,
    exports: tuple[str, ...],
    folder: str,
    force: bool,
    style: str,
) -> int:
    """List the turn-taking moments of a call.

    Each is a time and its magnitudes, most salient first. Nothing is judged: label a moment to score it with
    'hotato run'.
    """
    call = call_of(
        recording,
        stereo,
        caller,
        agent,
        caller_start=caller_start,
        agent_start=agent_start,
        stack=stack,
        caller_channel=caller_channel,
        agent_channel=agent_channel,
    )
    require_call(call)
    _refuse_folder(call.stereo)

    from hotato import find, report
    from hotato.canonical import to_json
    from hotato.listen import attend

    params = find.ScanParams(min_gap_sec=min_gap)
    heard = attend(*as_one(hear_call(call, backend=backend), call.channels))
    candidates = find.scan(heard, params)
    result = to_json(find.scan_json(heard, candidates, params, top))
    artifacts = exported(heard, candidates, exports, folder)
    if out is not None:
        artifacts.insert(0, Artifact(require_file_name(out), result))
    write_artifacts(artifacts, force=force)
    if style == "json":
        emit(result)
    else:
        screen = terminal()
        emit(
            report.scan_text(
                heard, candidates, top=top, colour=screen.colour, width=screen.width, unicode=screen.unicode
            )
        )
    return EXIT_PASS


def _refuse_folder(path: str | None) -> None:
    if path is not None and Path(path).is_dir():
        raise Refusal(
            "not_in_this_version",
            f"'{Path(path).name}' is a folder, and scanning a folder is not in this version",
            "scan one recording: hotato scan FILE",
        )
