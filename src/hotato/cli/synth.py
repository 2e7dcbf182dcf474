"""`hotato synth`: acoustic variants of a recording, each with the recipe that made it."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.outputs import Artifact, path_under, with_written, write_artifacts, written_lines
from hotato.cli.progress import progress_of
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS


@click.command()
@click.argument("source", type=options.FILE, metavar="SOURCE")
@click.option("--out", required=True, type=options.TARGET, metavar="DIR", help="Folder for the variants.")
@options.seed_option
@options.force_option
@options.format_option("text", "json")
def synth(**values: Any) -> int:
    """Write acoustic variants of a recording, each with its recipe.

    Half the sample rate, quieter, noise, leakage, polarity, channels swapped, a silenced stretch, a later
    start, clipping: a WAV each, and beside it a JSON that says it is synthetic, of what, and how it was made.
    Of a single channel there is no leakage and nothing to swap.
    """
    path_under(values["out"], "variant.wav")

    from hotato import report
    from hotato import synth as room
    from hotato.canonical import to_json
    from hotato.find import recording_id

    with progress_of(values["source"]) as progress:
        parent = room.read_parent(values["source"], progress)
    sheets, files = [], []
    for variant in room.variants_of(parent, values["seed"]):
        name = f"synth-{recording_id(parent.sha256)}-{values['seed']}-{variant.name}"
        wav = variant.wav()
        sheet = variant.sheet(parent, values["seed"], f"{name}.wav", wav)
        files.append(Artifact(path_under(values["out"], f"{name}.wav"), wav))
        files.append(Artifact(path_under(values["out"], f"{name}.json"), to_json(sheet)))
        sheets.append(sheet)
    left_out = [{"variant": name, "why": why} for name, why in room.left_out(parent).items()]
    write_artifacts(files, force=values["force"])
    if values["style"] == "json":
        emit(to_json(with_written({"variants": sheets, "left_out": left_out}, files)))
    else:
        emit(report.variants_text(sheets, left_out, **screen()) + written_lines(files))
    return EXIT_PASS
