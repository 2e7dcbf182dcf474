"""`hotato card`: one measured moment as a picture for a pull request or an issue."""

from __future__ import annotations

import os
from pathlib import Path

import click

from hotato.cli import options
from hotato.cli.outputs import (
    Artifact,
    read_result,
    refuse_source,
    require_file_name,
    write_artifacts,
    written_lines,
)
from hotato.cli.terminal import emit
from hotato.errors import EXIT_PASS


@click.command()
@click.argument("moment", type=options.TEXT, metavar="INPUT[#REF]")
@click.option("--out", type=options.TARGET, metavar="FILE", help="The SVG file; printed if left out.")
@click.option(
    "--include-identifiers",
    is_flag=True,
    help="Show names of recordings, candidates and fixtures.",
)
@options.force_option
def card(moment: str, out: str | None, include_identifiers: bool, force: bool) -> int:
    """Draw the card of a result.

    INPUT is a contract, or JSON that hotato wrote, and decides which card it is; REF is the number of a
    moment that it lists. Without --out the SVG is printed. A contract that is not what it was sealed as is
    refused.
    """
    target = None if out is None else require_file_name(out)

    from hotato import report
    from hotato.contract.integrity import in_bundle
    from hotato.contract.records import KIND
    from hotato.find.refs import parse_ref

    whole = os.path.lexists(moment)
    path, call, number = (moment, None, None) if whole else parse_ref(moment)
    result = read_result(path)
    sealed = result.get("kind") != KIND or in_bundle(Path(path))
    picture = report.result_card(
        result, number, call=call, include_identifiers=include_identifiers, sealed=sealed
    )
    if target is None:
        emit(picture)
        return EXIT_PASS
    refuse_source(Path(path), target)
    written = [Artifact(target, picture, mark=report.CARD_MARK)]
    write_artifacts(written, force=force)
    emit(written_lines(written))
    return EXIT_PASS
