"""`hotato start`: the guided first run, on bundled calls or on a recording of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hotato.cli import options
from hotato.cli.listening import is_folder, take_call
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS, Refusal, UsageError
from hotato.plain import portable

OWN_FLAGS = ("label", "onset", "caller_channel", "agent_channel", "confirm_channels")


@click.command()
@options.recording_argument
@click.option("--demo", is_flag=True, help="Go through it on two bundled calls.")
@click.option("--stereo", type=options.FILE, metavar="FILE", help="Go through it on a recording of yours.")
@click.option(
    "--dir",
    "folder",
    type=options.TARGET,
    default=".",
    show_default=True,
    metavar="DIR",
    help="Folder for what is written.",
)
@click.option(
    "--label", type=click.Choice(options.EXPECTATIONS), help="Your judgment of the moment, which pins it."
)
@click.option("--onset", type=options.seconds, help="When the moment is; found if left out.")
@click.option("--caller-channel", type=options.CHANNEL, metavar="N", help="The caller's channel, from 0.")
@click.option("--agent-channel", type=options.CHANNEL, metavar="N", help="The agent's channel, from 0.")
@options.confirm_option
@options.format_option("text", "json")
def start(**values: Any) -> int:
    """Go once through the whole loop: find a failure, pin it, verify it.

    Writes a ranked list of moments with its page, and a contract of one of them. Exit 0 when the run is done,
    although the contract of the demo fails: it pins a failure.
    """
    values["stereo"] = take_call({name: values.pop(name) for name in ("recording", "stereo")}).stereo
    given = [name for name in OWN_FLAGS if values[name] not in (None, False)]
    if values["demo"] and (values["stereo"] is not None or given):
        flag = "FILE" if values["stereo"] is not None else f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{flag} is for a recording of yours; --demo takes none", "leave one of them out")
    if not values["demo"] and values["stereo"] is None:
        raise UsageError("nothing to start with was named", "pass --demo, or FILE")

    from hotato import guide
    from hotato.canonical import to_json

    folder = Path(portable(values["folder"]))
    run = guide.first_run_on_demo(folder) if values["demo"] else _own(values, folder)
    if values["style"] == "json":
        emit(to_json(guide.first_run_json(run)))
    else:
        emit(guide.first_run_text(run, **screen()))
    return EXIT_PASS


def _own(values: dict[str, Any], folder: Path) -> Any:
    from hotato import guide

    recording = values["stereo"]
    if recording == "-":
        raise Refusal(
            "from_standard_input", "a first run goes back to its recording", "save it to a file and name that"
        )
    if is_folder(recording):
        raise Refusal("is_a_directory", f"'{recording}' is a folder", "name one recording")
    return guide.first_run_on_own(
        recording,
        folder,
        label=values["label"],
        onset_sec=values["onset"],
        confirmed=values["confirm_channels"],
        caller_channel=values["caller_channel"],
        agent_channel=values["agent_channel"],
    )
