"""`hotato report`: the page of a scored recording or suite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hotato.cli import options
from hotato.cli.gates import tell_unjudged
from hotato.cli.later import later
from hotato.cli.outputs import (
    REPORT_MARKS,
    Artifact,
    may_open,
    open_page,
    read_json_object,
    require_file_name,
    write_artifacts,
    written_lines,
)
from hotato.cli.scoring import scoring_options, take_scoring
from hotato.cli.terminal import emit
from hotato.errors import EXIT_PASS, UsageError
from hotato.plain import shown

HOLDS = "The page holds the recording itself: share it as you would share the call."


@click.command()
@scoring_options
@options.suite_response_gap_option
@options.embed_option
@options.format_option("html", "md")
@click.option("--base", type=options.FILE, metavar="FILE", help="An earlier run's JSON, to compare.")
@later("trace")
@options.page_option("report")
@options.force_option
@options.open_option
@options.no_fail_option
def report(**values: Any) -> int:
    """Write the report page of a scored recording or suite.

    Exit codes are those of 'hotato run'.
    """
    scoring = take_scoring(values)
    style, embed = values["style"], values["embed_audio"]
    if embed and style != "html":
        raise UsageError("a Markdown report cannot carry audio", "leave --embed-audio out")
    target = None if values["out"] is None else require_file_name(values["out"])
    base = None if values["base"] is None else read_json_object(values["base"], "run envelope")

    from hotato import report as room
    from hotato import score

    label = None if values["base"] is None else shown(Path(values["base"]).name)
    with scoring.progress() as progress:
        arguments = scoring.arguments(progress=progress, base=base, base_label=label)
        if style == "html":
            page, envelope = room.build_report_html(embed_audio=embed, **arguments)
        else:
            page, envelope = room.build_report_md(**arguments)
    if target is None:
        target = Path(options.OUTPUT_FOLDER, f"{scoring.stem('report', envelope)}.{style}")
    written = [Artifact(target, page, mark=REPORT_MARKS[style])]
    write_artifacts(written, force=values["force"])
    emit(written_lines(written, "report") + (f"  {HOLDS}\n" if embed else ""))
    tell_unjudged(envelope)
    if may_open(values["show"], by_default=False):
        open_page(target)
    return EXIT_PASS if values["no_fail"] else int(score.process_exit_code(envelope))
