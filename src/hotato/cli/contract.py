"""`hotato contract`: a labelled moment of a call as a bundle that any machine measures again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hotato.cli import contract_seal, contract_verify, options, pinning
from hotato.cli.later import later
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS
from hotato.plain import portable


@click.group()
def contract() -> None:
    """Pin a labelled moment of a call as a bundle, look into one, measure it again."""


@contract.command("create")
@options.recording_argument
@click.option(
    "--from-candidate", type=options.TEXT, metavar="FILE#N", help="A moment that was found earlier."
)
@pinning.folder_option
@options.stereo_option
@options.pair_options
@options.channel_options
@later("mono", "diarize", "speakers")
@click.option("--onset", type=options.seconds, help="When the caller begins; found if left out.")
@click.option(
    "--expect", type=pinning.EXPECTATION, required=True, help="What a good agent does at that moment."
)
@click.option("--id", "name", type=options.TEXT, required=True, metavar="NAME", help="Name of the contract.")
@click.option(
    "--out",
    type=options.TARGET,
    required=True,
    metavar="DIR",
    help="Folder that gets the bundle NAME.hotato.",
)
@pinning.bound_options
@pinning.profile_option
@click.option(
    "--detector",
    type=click.Choice([options.DEFAULT_DETECTOR, "reference"]),
    default=options.DEFAULT_DETECTOR,
    show_default=True,
    help="auto: where the documented detector (reference) is in doubt, a robust one listens.",
)
@click.option("--rationale", type=options.TEXT, metavar="TEXT", help="Why it is labelled so.")
@pinning.review_options
@pinning.clip_options
@pinning.confirm_option
@click.option("--include-identifiers", is_flag=True, help="Write names of files and candidates into it.")
@pinning.created_option
@options.force_option
@options.format_option("text", "json")
def create(**values: Any) -> int:
    """Pin a labelled moment: a bundle that is measured again for ever.

    The moment is scored from what the bundle keeps of it. What cannot be judged is refused, and nothing is
    written then. Exit 0 when the bundle was written, whether or not the moment passes.
    """
    style, force, folder = values.pop("style"), values.pop("force"), values.pop("out")
    pin, picked = pinning.take_pin(values)

    from hotato.canonical import to_json
    from hotato.contract.create import create_contract
    from hotato.contract.labelled import taken_json, taken_words
    from hotato.contract.told import created_json, created_text

    created = create_contract(pin, Path(folder), force=force)
    where = (portable(created.path), portable(folder))
    if style == "json":
        more = {} if picked is None else {"taken_from": taken_json(picked)}
        emit(to_json({**created_json(created.contract, *where), **more}))
    else:
        taken = "" if picked is None else taken_words(picked)
        emit(created_text(created.contract, *where, taken=taken, **screen()))
    return EXIT_PASS


@contract.command("inspect")
@click.argument("bundle", type=options.FILE, metavar="BUNDLE")
@options.format_option("text", "json")
def inspect(bundle: str, style: str) -> int:
    """Print what a contract states.

    BUNDLE is a folder NAME.hotato or the contract.json in it. Nothing is measured, and nothing is said of
    whether the bundle is intact: that is for 'hotato contract verify'.
    """
    from hotato.canonical import to_json
    from hotato.contract.bundle import read_bundle
    from hotato.contract.told import inspect_text

    found = read_bundle(bundle)
    where = portable(found.folder)
    emit(to_json(found.contract) if style == "json" else inspect_text(found.contract, where, **screen()))
    return EXIT_PASS


for command in (
    contract_verify.verify,
    contract_seal.sign,
    contract_seal.keygen,
    contract_seal.pack,
    contract_seal.unpack,
):
    contract.add_command(command)
