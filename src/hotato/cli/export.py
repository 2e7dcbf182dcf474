"""`hotato export`: scored events and frames as CSV, for notebooks and statistics packages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.gates import closed, tell_unjudged, undecided
from hotato.cli.outputs import SHOWN_PATH_CHARS, path_under, refuse_inputs
from hotato.cli.scoring import scoring_options, take_scoring
from hotato.cli.terminal import emit
from hotato.errors import EXIT_PASS
from hotato.plain import shown

if TYPE_CHECKING:
    from hotato.stats import Distribution


@click.command()
@scoring_options
@click.option(
    "--max-response-gap",
    type=options.seconds,
    help="Exit 1 when the pooled p95 gap is longer, 2 when none was measured; the bound of an answer label.",
)
@click.option("--out", required=True, type=options.TARGET, metavar="DIR", help="Folder for the three files.")
@options.force_option
@options.no_fail_option
def export(**values: Any) -> int:
    """Write scored events and frames as CSV.

    Scores like 'hotato run' and writes events.csv, frames.csv and envelope.json into a folder.
    """
    scoring = take_scoring(values)
    path_under(values["out"], "events.csv")

    from hotato import score

    names = astuple(score.ExportNames())
    refuse_inputs([path_under(values["out"], name) for name in names], folders=values["force"])
    limit = values["max_response_gap"]
    labelled = scoring.label["expect"] == "answer"
    with scoring.progress() as progress:
        manifest = score.run_export(
            out_dir=values["out"],
            max_response_gap_sec=limit,
            force=values["force"],
            **scoring.arguments(progress=progress),
        )
    lines = [f"wrote {shown(path, SHOWN_PATH_CHARS)}" for path in manifest["paths"].values()]
    emit("\n".join([*lines, _gap_line(manifest["response_gap"], None if labelled else limit)]))
    tell_unjudged(manifest["env"])
    if values["no_fail"]:
        return EXIT_PASS
    return _gate(manifest, None if labelled else limit) or score.process_exit_code(manifest["env"])


def _gate(manifest: Mapping[str, Any], limit: float | None) -> int:
    """What `--max-response-gap` makes of an export; without any measured gap it is not passed."""
    if limit is None:
        return EXIT_PASS
    gap, flag = manifest["response_gap"], f"--max-response-gap {limit:g}"
    if not gap["n"]:
        return undecided("no response gap could be measured", flag)
    if manifest["response_gap_exceeded"]:
        return closed(f"the p95 response gap is {gap['p95']:.2f} s", flag)
    return EXIT_PASS


def _gap_line(gap: Distribution, limit: float | None) -> str:
    if not gap["n"]:
        return "response gap: none measured on a scored event"
    numbers = ", ".join(f"{name} {gap[name]:.2f} s" for name in ("mean", "median", "p90", "p95"))
    bound = "" if limit is None else f" (p95 limit {limit:.2f} s)"
    events = "1 scored event" if gap["n"] == 1 else f"{gap['n']} scored events"
    return f"response gap over {events}: {numbers}{bound}"
