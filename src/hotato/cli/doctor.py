"""`hotato doctor`: score a recording, write its page, open it."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.outputs import PAGE_MARK, Artifact, may_open, open_page, require_file_name, write_artifacts
from hotato.cli.scoring import BUNDLED_SUITE, take_scoring
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS, UsageError

PAGE = f"{options.OUTPUT_FOLDER}/doctor.html"


@click.command()
@options.call_options
@click.option("--demo", is_flag=True, help="Check hotato on the bundled suite (the default).")
@options.label_options
@click.option("--out", type=options.FILE, default=PAGE, show_default=True, metavar="FILE", help="The page.")
@options.force_option
@options.open_option
@options.format_option("text", "json")
@options.no_fail_option
def doctor(**values: Any) -> int:
    """Score a recording and open its report.

    The page of your own recording carries its audio: treat the page like the recording. Without a recording
    the bundled suite is scored, which checks hotato itself.
    """
    scoring = take_scoring(values, default_suite=BUNDLED_SUITE)
    if values["demo"] and not scoring.is_suite:
        raise UsageError("--demo takes no recording", "leave one of them out")
    target = require_file_name(values["out"])

    from hotato import report
    from hotato import score as room
    from hotato.canonical import to_json

    with scoring.progress() as progress:
        page, envelope = report.build_report_html(
            embed_audio=not scoring.is_suite, **scoring.arguments(progress=progress)
        )
    write_artifacts([Artifact(target, page, mark=PAGE_MARK)], force=values["force"])
    opened = may_open(values["show"], by_default=True) and open_page(target)
    if values["style"] == "json":
        emit(to_json(envelope))
    else:
        emit(
            report.doctor_text(
                envelope,
                report_path=values["out"],
                opened=opened,
                embedded=not scoring.is_suite,
                **screen(),
            )
        )
    return EXIT_PASS if values["no_fail"] else int(room.process_exit_code(envelope))
