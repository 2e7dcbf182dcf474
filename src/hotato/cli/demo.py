"""`hotato demo`: two bundled calls that an agent fails, for two opposite reasons."""

from __future__ import annotations

from pathlib import Path

import click

from hotato.cli import options
from hotato.cli.outputs import (
    REPORT_MARKS,
    SHOWN_PATH_CHARS,
    Artifact,
    may_open,
    open_page,
    require_file_name,
    with_written,
    write_artifacts,
)
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_FAIL, EXIT_PASS
from hotato.plain import shown

FUNNEL_DEMO = Path(__file__).resolve().parent.parent / "data" / "funnel-demo"
PAGE = f"{options.OUTPUT_FOLDER}/demo.html"


@click.command()
@click.option("--out", type=options.TARGET, default=PAGE, show_default=True, metavar="FILE", help="The page.")
@options.force_option
@options.open_option
@options.format_option("text", "json")
@click.option("--fail", is_flag=True, help="Exit 1, as a gate on these calls would.")
def demo(out: str, force: bool, show: bool | None, style: str, fail: bool) -> int:
    """Score two bundled calls that an agent fails.

    One misses an interruption, the other stops on a mere acknowledgement: no single sensitivity setting can
    pass both.
    """
    target = require_file_name(out)

    from hotato import report
    from hotato.canonical import to_json

    page, envelope = report.build_report_html(
        scenarios_dir=str(FUNNEL_DEMO / "scenarios"), audio_dir=str(FUNNEL_DEMO / "audio")
    )
    written = [Artifact(target, page, mark=REPORT_MARKS["html"])]
    write_artifacts(written, force=force)
    if style == "json":
        emit(to_json(with_written(envelope, written)))
    else:
        text = report.run_text(envelope, title="hotato demo: two calls that an agent fails", **screen())
        note = "" if fail else " (as a gate would exit; the demo itself exits 0)"
        emit(f"{text.rstrip()}{note}\nreport  {shown(out, SHOWN_PATH_CHARS)}")
    if may_open(show, by_default=True):
        open_page(target)
    return EXIT_FAIL if fail and envelope["exit_code"] else EXIT_PASS
