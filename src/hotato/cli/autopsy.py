"""`hotato autopsy`: one recording in, the incidents out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.exporting import exported
from hotato.cli.listening import Call, hear_call, nearby_path, require_parties, take_call
from hotato.cli.outputs import Artifact, may_open, open_page, path_under, read_bytes, write_artifacts
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_FAIL, EXIT_PASS, UsageError

if TYPE_CHECKING:
    from hotato.find import Autopsy

DEMO_CALL = Path(__file__).resolve().parent.parent / "data" / "demo" / "cancel-call.flac"


@dataclass(frozen=True)
class Wish:
    """What to do with the incidents once they are found.

    Attributes:
        cost_config: path of the user's own figures, or None.
        style: `text` or `json`.
        fail_on: `never`, `critical` or `warning`.
        exports: formats to write activity and moments in.
        embed_audio: whether the page carries the recording.
        folder: where files go.
        force: whether files in the way are replaced.
        show: whether to open the page; None leaves it to the command.
    """

    cost_config: str | None
    style: str
    fail_on: str
    exports: tuple[str, ...]
    embed_audio: bool
    folder: str
    force: bool
    show: bool | None


@click.command()
@options.recording_argument
@click.option("--demo", is_flag=True, help="Open the bundled call (also when no recording is named).")
@options.pair_options
@options.channel_options
@options.detector_options
@click.option("--cost-config", type=options.FILE, metavar="FILE", help="Your own costs per incident.")
@click.option(
    "--fail-on",
    type=click.Choice(["never", "critical", "warning"]),
    default="never",
    show_default=True,
    help="Exit 1 when there is an incident of this severity or worse.",
)
@options.export_option
@click.option("--embed-audio", is_flag=True, help="Put the recording into the page, with a player.")
@options.folder_option
@options.force_option
@options.open_option
@options.format_option("text", "json")
def autopsy(**values: Any) -> int:
    """Open one recording: what broke, and when.

    Prints the incidents, worst first, and writes a page and its JSON into the output folder. FILE may be any
    audio file; '-' reads standard input.
    """
    call = take_call(values)
    if values.pop("demo") and call.given:
        raise UsageError("--demo takes no recording", "leave one of them out")
    del values["detector"]  # this version has one
    backend = values.pop("backend")
    if call.given:
        return _open(call, call.words, backend, Wish(**values))
    return _open(Call(str(DEMO_CALL)), "--demo", backend, Wish(**values))


def _open(call: Call, words: str, backend: str, wish: Wish) -> int:
    from hotato import find, report
    from hotato.canonical import to_json

    costs = None
    if wish.cost_config is not None:
        costs = find.cost_config(read_bytes(wish.cost_config, "cost config"))
    kept = report.MAX_EMBEDDED_BYTES if wish.embed_audio else 0
    heard = hear_call(call, backend=backend, keep_samples_bytes=kept)
    opened = find.autopsy(heard, costs)
    canvas = report.Canvas.of(heard)
    source = nearby_path(call.stereo)
    audio, mime = report.embeddable(heard) if wish.embed_audio else (None, "")
    page, envelope = (path_under(wish.folder, f"autopsy-{opened.id}{end}") for end in (".html", ".json"))
    where = {"report_path": page.as_posix(), "envelope_path": envelope.as_posix()}
    html = report.autopsy_page(opened, heard, canvas=canvas, audio=audio, audio_mime=mime)
    artifacts = [
        Artifact(envelope, to_json(find.stored_envelope(opened, source_path=source)), mark=opened.id),
        Artifact(page, html, mark=opened.id),
    ]
    if wish.exports:
        artifacts += exported(require_parties(heard), opened.incidents, wish.exports, wish.folder)
    write_artifacts(artifacts, force=wish.force)
    if wish.style == "json":
        emit(to_json(find.autopsy_json(opened, source_path=source, **where)))
    else:
        emit(report.autopsy_text(opened, heard, canvas=canvas, recording=words, **where, **screen()))
    if may_open(wish.show, by_default=False):
        open_page(page)
    return EXIT_FAIL if _fails(opened, wish.fail_on) else EXIT_PASS


def _fails(opened: Autopsy, fail_on: str) -> bool:
    if fail_on == "never":
        return False
    return opened.critical > 0 or (fail_on == "warning" and opened.warning > 0)
