"""`hotato run`: score a labelled moment, or a suite of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.exporting import exported
from hotato.cli.gate_outputs import (
    append_step_summary,
    gate_files,
    gate_options,
    require_step_summary,
)
from hotato.cli.gates import tell_unjudged
from hotato.cli.later import later
from hotato.cli.naming import stem
from hotato.cli.outputs import Artifact, require_file_name, with_written, write_artifacts, written_lines
from hotato.cli.paths import STANDARD_OUTPUT, TargetPath
from hotato.cli.scoring import Scoring, scoring_options, take_scoring
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS, UsageError
from hotato.timing.snr import DEFAULT_GATE_DB

if TYPE_CHECKING:
    from hotato.listen import Heard

GATE_FLAG = "--snr-gate-db"
_NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


class _Run(click.Command):
    """A click command that takes a negative number for `--snr-gate-db`, whose value may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with such a number joined to its flag by a blank: else it is read as a flag."""
        end = args.index("--") if "--" in args else len(args)
        joined: list[str] = []
        for word in args[:end]:
            if joined and joined[-1] == GATE_FLAG and _NEGATIVE.fullmatch(word):
                joined[-1] = f"{GATE_FLAG}= {word}"
            else:
                joined.append(word.replace("=-", "= -", 1) if word.startswith(f"{GATE_FLAG}=-") else word)
        return super().parse_args(ctx, [*joined, *args[end:]])


@click.command(cls=_Run)
@scoring_options
@options.suite_response_gap_option
@options.detector_options
@click.option(
    GATE_FLAG,
    type=options.decibel,
    is_flag=False,
    flag_value=DEFAULT_GATE_DB,
    metavar="[DB]",
    help=f"Do not judge below this signal-to-noise ratio (alone: {DEFAULT_GATE_DB:g}).",
)
@click.option("--echo-gate", is_flag=True, help="Do not score a yield that echo may explain.")
@click.option("--confirm-channels", is_flag=True, help="You have checked which channel is whom.")
@click.option(
    "--dump-frames",
    type=TargetPath(stream=True),
    is_flag=False,
    flag_value=STANDARD_OUTPUT,
    metavar="[FILE]",
    help="Print every frame behind the numbers as JSON (alone), or write them to a .json or .jsonl file.",
)
@later("mono", "diarize", "speakers", "transcribe")
@options.export_option
@options.export_folder_option
@gate_options
@options.force_option
@options.format_option("text", "json")
@options.no_fail_option
def run(**values: Any) -> int:
    """Score a labelled moment, or a suite of them.

    With --expect yield a good agent stops for the caller; with --expect hold it talks on through a short
    acknowledgement; with --expect answer it sounds again within --max-response-gap.

    Exit 0 when every event passes, 1 when one fails, 2 when it cannot be scored.
    """
    scoring = take_scoring(values)
    _one_recording(scoring, values)
    require_step_summary(values)

    from hotato import report, score
    from hotato.canonical import to_json

    gates = {name: values[name] for name in ("snr_gate_db", "echo_gate", "confirm_channels")}
    with scoring.progress() as progress:
        request = scoring.request(progress=progress, **gates, **_detector(values))
        if values["dump_frames"] == STANDARD_OUTPUT:
            emit(to_json(score.frame_dump(request.listen(), scoring.onset_sec, request.label().profile)))
            return EXIT_PASS
        events = list(score.scored_events(request))
    envelope = score.builtins_of(score.envelope_of(request, [scored.event for scored in events]))
    files = []
    if events and events[0].heard is not None:
        files = _files(events[0].heard, scoring, values, envelope["profile"])
    checks = score.run_checks(envelope)
    files += gate_files(checks, values)
    write_artifacts(files, force=values["force"])
    append_step_summary(checks, values)
    if values["style"] == "json":
        emit(to_json(with_written(envelope, files)))
    else:
        emit(report.run_text(envelope, no_fail=values["no_fail"], **screen()) + written_lines(files))
    tell_unjudged(envelope)
    return EXIT_PASS if values["no_fail"] else score.process_exit_code(envelope)


def _one_recording(scoring: Scoring, values: dict[str, Any]) -> None:
    """Refuse what only makes sense for one recording when a suite is scored."""
    if not scoring.is_suite:
        return
    if values["backend"] == "neural":
        raise UsageError("a suite is always scored by the energy detector", "leave --backend out")
    for name, flag in (("dump_frames", "--dump-frames"), ("exports", "--export")):
        if values[name]:
            raise UsageError(f"{flag} writes one recording", "name it as FILE")


def _detector(values: dict[str, Any]) -> dict[str, Any]:
    backend = {} if values["backend"] == "energy" else {"backend": values["backend"]}
    return {**backend, "detector": values["detector"]}


def _files(heard: Heard, scoring: Scoring, values: dict[str, Any], profile: str) -> list[Artifact]:
    """What `--export` and `--dump-frames FILE` ask to be written about one recording."""
    from hotato import find, score
    from hotato.canonical import to_json

    files = []
    if values["exports"]:
        identity = find.recording_id(heard.file_sha256)
        name = stem("run", identity, scoring.call, backend=values["backend"], detector=values["detector"])
        files += exported(heard, find.scan(heard), values["exports"], values["folder"], name)
    if values["dump_frames"]:
        target = require_file_name(values["dump_frames"])
        dump = score.frame_dump(heard, scoring.onset_sec, profile)
        files.append(
            Artifact(target, score.frames_jsonl(dump) if target.suffix == ".jsonl" else to_json(dump))
        )
    return files
