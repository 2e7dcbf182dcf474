"""`hotato battery`: one recording under many conditions."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.listening import CallFiles
from hotato.cli.naming import stem
from hotato.cli.outputs import Artifact, path_under, with_written, write_artifacts, written_lines
from hotato.cli.progress import progress_of
from hotato.cli.terminal import emit, screen
from hotato.errors import UsageError


@click.group()
def battery() -> None:
    """Put one recording through a battery of conditions."""


@battery.command()
@click.argument("recording", required=False, type=options.FILE, metavar="[FILE]")
@click.option("--wav", type=options.FILE, metavar="FILE", help="The recording, with both parties.")
@click.option("--out", required=True, type=options.TARGET, metavar="DIR", help="Folder for the result.")
@options.seed_option
@click.option("--onset", type=options.seconds, help="When the caller begins to speak; found if left out.")
@click.option("--expect", type=click.Choice(["yield", "hold"]), help="What a good agent does at that moment.")
@options.yield_bound_options
@options.verdict_profile_option
@options.channel_options
@options.force_option
@options.format_option("text", "json")
def robustness(**values: Any) -> int:
    """Say under how much noise and packet loss a verdict holds.

    Scores one labelled moment on the recording, then under noise and packet loss of rising severity. Exit 0
    when no verdict flips against the clean one, be it a pass or a failure, 1 when one does, 2 when the
    recording cannot be scored, or under no condition. A condition that cannot be scored is no pass.
    """
    if (values["recording"] is None) == (values["wav"] is None):
        raise UsageError("name one recording", "pass FILE, or --wav FILE")
    source = values["recording"] or values["wav"]
    path_under(values["out"], "robustness.json")

    from hotato import report
    from hotato import synth as room
    from hotato.canonical import to_json
    from hotato.find import recording_id

    names = ("stack", "caller_channel", "agent_channel")
    label = ("onset_sec", "expect", "max_time_to_yield_sec", "max_talk_over_sec", "profile")
    question = room.Question(**{name: values[name.removesuffix("_sec")] for name in (*label, *names)})
    with progress_of(source) as progress:
        parent = room.read_parent(source, progress)
    result = room.robustness(parent, values["seed"], question)
    call = CallFiles(stereo=source, **{name: values[name] for name in names})
    stated = {name: getattr(question, name) for name in label}
    name = stem("robustness", recording_id(parent.sha256), call, **stated, seed=values["seed"] or None)
    files = [Artifact(path_under(values["out"], f"{name}.json"), to_json(result))]
    write_artifacts(files, force=values["force"])
    if values["style"] == "json":
        emit(to_json(with_written(result, files)))
    else:
        emit(report.robustness_text(result, **screen()) + written_lines(files))
    exit_code: int = result["exit_code"]
    return exit_code
