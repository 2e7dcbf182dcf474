"""`hotato doctor`: score a recording, write its page, open it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from hotato.cli import options
from hotato.cli.outputs import (
    REPORT_MARKS,
    Artifact,
    may_open,
    open_page,
    require_file_name,
    with_written,
    write_artifacts,
)
from hotato.cli.scoring import BUNDLED_SUITE, Scoring, take_scoring
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS, UsageError

TOO_LONG = "The recording is too long to be put into the page, which therefore has no sound."


@click.command()
@options.call_options
@click.option("--demo", is_flag=True, help="Check hotato on the bundled suite (the default).")
@options.suite_label_options
@options.suite_response_gap_option
@options.page_option("doctor")
@options.force_option
@options.open_option
@options.format_option("text", "json")
@options.no_fail_option
def doctor(**values: Any) -> int:
    """Score a recording and open its report.

    The page of your own recording carries its audio, unless that is too long: treat the page like the
    recording. Without a recording the bundled suite is scored, which checks hotato itself.
    """
    scoring = take_scoring(values, default_suite=BUNDLED_SUITE)
    if values["demo"] and not scoring.is_suite:
        raise UsageError("--demo takes no recording", "leave one of them out")
    target = None if values["out"] is None else require_file_name(values["out"])

    from hotato import report
    from hotato import score as room
    from hotato.canonical import to_json

    with scoring.progress() as progress:
        page, envelope, embedded = _page(scoring, progress)
    if target is None:
        target = Path(options.OUTPUT_FOLDER, f"{scoring.stem('doctor', envelope)}.html")
    written = [Artifact(target, page, mark=REPORT_MARKS["html"])]
    write_artifacts(written, force=values["force"])
    opened = may_open(values["show"], by_default=True) and open_page(target)
    if values["style"] == "json":
        emit(to_json(with_written(envelope, written) | {"audio_embedded": embedded}))
    else:
        path = target.as_posix()
        told = report.doctor_text(
            envelope,
            report_path=path,
            opened=opened,
            embedded=embedded,
            no_fail=values["no_fail"],
            **screen(),
        )
        emit(told if embedded or scoring.is_suite else f"{told.rstrip()}\n{TOO_LONG}\n")
    return EXIT_PASS if values["no_fail"] else int(room.process_exit_code(envelope))


def _page(scoring: Scoring, progress: Callable[[float], None] | None) -> tuple[str, dict[str, Any], bool]:
    """The page, the envelope, and whether it holds the recording, as it does where that is short enough."""
    from hotato import report, score

    if scoring.is_suite:
        return *report.build_report_html(**scoring.arguments(progress=progress)), False
    request = scoring.request(progress=progress, keep_samples_bytes=report.MAX_EMBEDDED_BYTES)
    (scored,) = score.scored_events(request)
    heard = scored.heard
    kept = heard is not None and heard.samples is not None
    audio, mime = report.embeddable(heard) if heard is not None and kept else (None, "")
    envelope = score.builtins_of(score.envelope_of(request, [scored.event]))
    views = [report.event_view(score.builtins_of(scored.event), heard)]
    return report.run_page(envelope, views, audio=audio, audio_mime=mime), envelope, kept
