"""`hotato export`: scored events and frames as CSV, for notebooks and statistics packages."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.outputs import path_under
from hotato.cli.scoring import scoring_of, scoring_options
from hotato.cli.terminal import emit
from hotato.errors import EXIT_FAIL, EXIT_PASS


@click.command()
@scoring_options
@click.option("--max-response-gap", type=options.seconds, help="Exit 1 when the pooled p95 gap is longer.")
@click.option("--out", required=True, type=options.FILE, metavar="DIR", help="Folder for the three files.")
@options.force_option
@options.no_fail_option
def export(**values: Any) -> int:
    """Write scored events and frames as CSV.

    Scores like 'hotato run' and writes events.csv, frames.csv and envelope.json into a folder.
    """
    scoring = scoring_of(values)
    path_under(values["out"], "events.csv")

    from hotato import score as room

    written = room.run_export(out_dir=values["out"], force=values["force"], **scoring.arguments())
    envelope = written["env"]
    gaps = room.response_gaps(envelope)
    limit = values["max_response_gap"]
    late = limit is not None and gaps.p95 is not None and gaps.p95 > limit
    emit("\n".join([*(f"wrote {path}" for path in written["paths"].values()), _gap_line(gaps, limit)]))
    failed = late or room.process_exit_code(envelope) == EXIT_FAIL
    if values["no_fail"]:
        return EXIT_PASS
    return EXIT_FAIL if failed else int(room.process_exit_code(envelope))
