"""`hotato pin`: an incident that autopsy found, pinned as a contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hotato.cli import options, pinning
from hotato.cli.provenance import stated_time
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS
from hotato.plain import portable


@click.command()
@click.argument("ref", metavar="REF")
@click.option(
    "--from",
    "source",
    type=options.FILE,
    default=options.OUTPUT_FOLDER,
    show_default=True,
    metavar="DIR",
    help="Where autopsy left its envelope.",
)
@click.option(
    "--folder",
    type=options.FILE,
    metavar="DIR",
    help="The folder of the recording, where it is not below this one.",
)
@pinning.contracts_option
@click.option("--expect", type=pinning.EXPECTATION, help="The label; the incident's own if left out.")
@click.option(
    "--id", "name", type=options.TEXT, metavar="NAME", help="Name of the contract; made of REF if left out."
)
@click.option("--max-talk-over", type=options.seconds, help="Another limit than the incident was held to.")
@click.option("--max-response-gap", type=options.seconds, help="Another limit than the incident was held to.")
@pinning.found_profile_option
@click.option("--reviewer", type=options.TEXT, metavar="NAME", help="Who labelled it.")
@pinning.confirm_option
@click.option("--include-identifiers", is_flag=True, help="Write names of files and candidates into it.")
@pinning.created_option
@options.force_option
@options.format_option("text", "json")
def pin(ref: str, **values: Any) -> int:
    """Pin an incident that autopsy found as a contract.

    REF is apx-ID#N, or apx-ID for the worst critical incident. An interruption that the agent talked over
    becomes a yield, a stop for a short sound a hold, a silence an answer. Exit 0 when the bundle was written.
    """
    from hotato.canonical import to_json
    from hotato.contract.create import create_contract
    from hotato.contract.incidents import pin_of
    from hotato.contract.told import created_json, created_text

    found = pin_of(
        ref,
        folder=values["source"],
        recordings=values["folder"],
        expect=values["expect"],
        id=values["name"],
        max_talk_over_sec=values["max_talk_over"],
        max_response_gap_sec=values["max_response_gap"],
        profile=values["profile"],
        reviewer=values["reviewer"],
        confirm_channels=values["confirm_channels"] or None,
        include_identifiers=values["include_identifiers"] or None,
        created_at=stated_time(values["created_at"]),
    )
    created = create_contract(found.pin, Path(values["out"]), force=values["force"])
    where = (portable(created.path), portable(values["out"]))
    if values["style"] == "json":
        result = created_json(created.contract, *where, kind="pin")
        emit(to_json({**result, "ref": found.ref, "incident": found.kind}))
    else:
        title = f"hotato pin {found.ref}"
        emit(created_text(created.contract, *where, title=title, incident=True, **screen()))
    return EXIT_PASS
