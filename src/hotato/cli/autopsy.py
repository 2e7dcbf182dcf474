"""`hotato autopsy`: one recording in, the incidents out."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.exporting import exported
from hotato.cli.gates import incident_gate
from hotato.cli.listening import (
    CallFiles,
    far_folder,
    hear_call,
    is_folder,
    nearby_path,
    require_parties,
    shell_loop,
    take_call,
)
from hotato.cli.naming import stem
from hotato.cli.outputs import (
    Artifact,
    may_open,
    open_page,
    path_under,
    paths_of,
    read_bytes,
    write_artifacts,
    written_lines,
)
from hotato.cli.terminal import emit, screen
from hotato.editions import json_mark, page_mark
from hotato.errors import Refusal, UsageError
from hotato.plain import portable

if TYPE_CHECKING:
    from hotato.listen import Detector

EXPORTLESS = "or leave --export out, which writes what each party did: autopsy opens the mix without it"

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
        backend: which backend listens.
        detector: `auto`, or `reference` for the documented detector whatever the recording.
    """

    cost_config: str | None
    style: str
    fail_on: str
    exports: tuple[str, ...]
    embed_audio: bool
    folder: str
    force: bool
    show: bool | None
    backend: str
    detector: Detector

    def pasted(self, call: CallFiles) -> str:
        """The call and the flags of this wish that change what is found or where it goes, for a command."""
        flags = []
        if self.backend != options.DEFAULT_BACKEND:
            flags += ["--backend", self.backend]
        if self.detector != options.DEFAULT_DETECTOR:
            flags += ["--detector", self.detector]
        if self.folder != options.OUTPUT_FOLDER:
            flags += ["--out", self.folder]
        return " ".join([call.words, *([shlex.join(flags)] if flags else [])])


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
@options.embed_option
@options.folder_option
@options.force_option
@options.open_option
@options.format_option("text", "json")
def autopsy(**values: Any) -> int:
    """Open one recording: what broke, and when.

    Prints the incidents, worst first, and writes a page and its JSON into the output folder. FILE may be any
    audio file; '-' reads standard input. Without one the bundled call is opened and left in that folder.
    """
    call = take_call(values)
    if values.pop("demo") and call.given:
        raise UsageError("--demo takes no recording", "leave one of them out")
    if call.stereo and is_folder(call.stereo):
        raise Refusal(
            "is_a_directory",
            f"'{call.stereo}' is a folder, and autopsy opens one recording at a time",
            shell_loop("autopsy", call.stereo),
        )
    wish = Wish(**values)
    if call.given:
        return _open(call, wish)
    left = path_under(wish.folder, DEMO_CALL.name)
    return _open(replace(call, stereo=str(DEMO_CALL)), wish, demo=left)


def _open(call: CallFiles, wish: Wish, demo: Path | None = None) -> int:
    """Open a call; `demo` is where the bundled one is left for the reader to go on with."""
    from hotato import find, report
    from hotato.canonical import to_json

    costs = None
    if wish.cost_config is not None:
        costs = find.cost_config(read_bytes(wish.cost_config, "cost config"))
    kept = report.MAX_EMBEDDED_BYTES if wish.embed_audio else 0
    heard = hear_call(call, backend=wish.backend, detector=wish.detector, keep_samples_bytes=kept)
    opened = find.autopsy(heard, costs)
    canvas = report.Canvas.of(heard)
    named = call if demo is None else replace(call, stereo=demo.as_posix())
    source = nearby_path(named.stereo)
    audio, mime = report.embeddable(heard) if wish.embed_audio else (None, "")
    name = stem("autopsy", opened.id, call, backend=wish.backend, detector=wish.detector)
    page, envelope = (path_under(wish.folder, name + end) for end in (".html", ".json"))
    folder = None if wish.folder == options.OUTPUT_FOLDER else wish.folder
    html = report.autopsy_page(opened, heard, canvas=canvas, audio=audio, audio_mime=mime)
    own = json_mark("autopsy", id=opened.id)
    how = find.opening(
        heard,
        [(nearby_path(path), start_sec) for path, start_sec in named.sources],
        stack=call.stack,
        backend=wish.backend,
    )
    artifacts = [
        Artifact(envelope, to_json(find.stored_envelope(opened, source_path=source, call=how)), own),
        Artifact(page, html, page_mark(f"autopsy {opened.id}")),
    ]
    further = []
    if wish.exports:
        parties = require_parties(heard, EXPORTLESS)
        further = exported(parties, opened.incidents, wish.exports, wish.folder, name)
    left = [] if demo is None else [Artifact(demo, DEMO_CALL.read_bytes())]
    write_artifacts([*artifacts, *further, *left], force=wish.force)
    if wish.style == "json":
        written = {"written": paths_of([*artifacts, *further, *left])}
        where = {"report_path": portable(page), "envelope_path": portable(envelope)}
        emit(to_json(find.autopsy_json(opened, source_path=source, call=how, **where) | written))
    else:
        text = report.autopsy_text(
            opened,
            heard,
            canvas=canvas,
            recording=wish.pasted(named),
            fail_on=None if wish.fail_on == "never" else wish.fail_on,
            embedded=wish.embed_audio,
            folder=folder,
            recordings=far_folder(named.sources),
            report_path=page.as_posix(),
            envelope_path=envelope.as_posix(),
            **screen(),
        )
        emit(text + written_lines(further) + written_lines(left, "call"))
    if may_open(wish.show, by_default=False):
        open_page(page)
    return incident_gate(opened, wish.fail_on)
