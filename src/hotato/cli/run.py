"""`hotato run`: score a labelled moment, or a suite of them."""

from __future__ import annotations

from typing import Any

import click

from hotato.cli import options
from hotato.cli.exporting import exported
from hotato.cli.listening import as_one, hear_call
from hotato.cli.outputs import write_artifacts
from hotato.cli.scoring import Scoring, score, scoring_of, scoring_options
from hotato.cli.terminal import emit, terminal
from hotato.errors import EXIT_PASS, UsageError

SNR_GATE_DB = 22.0
"""The bare `--snr-gate-db`: the detector's dynamic margin, below which its threshold sits inside the sound."""


@click.command()
@scoring_options
@options.detector_options
@click.option(
    "--snr-gate-db",
    type=options.decibel,
    is_flag=False,
    flag_value=SNR_GATE_DB,
    metavar="DB",
    help=f"Refuse to score below this signal-to-noise ratio (alone: {SNR_GATE_DB:g}).",
)
@click.option("--echo-gate", is_flag=True, help="Do not score a yield that echo may explain.")
@click.option("--confirm-channels", is_flag=True, help="You have checked which channel is whom.")
@click.option("--dump-frames", is_flag=True, help="Print every frame behind the numbers, as JSON.")
@options.export_option
@options.export_folder_option
@options.force_option
@options.format_option("text", "json")
@options.no_fail_option
def run(**values: Any) -> int:
    """Score a labelled moment, or a suite of them.

    With --expect yield a good agent stops for the caller; with --expect hold it talks on through a short
    acknowledgement. Exit 0 when every event passes, 1 when one fails, 2 when it cannot be scored.
    """
    scoring = scoring_of(values)
    if values["dump_frames"]:
        return _dump(scoring)

    from hotato import report
    from hotato import score as room
    from hotato.canonical import to_json

    _export(scoring, values)
    envelope = score(scoring, **_gates(scoring, values))
    if values["style"] == "json":
        emit(to_json(envelope))
    else:
        screen = terminal()
        emit(report.run_text(envelope, colour=screen.colour, width=screen.width, unicode=screen.unicode))
    code = room.process_exit_code(envelope)
    return EXIT_PASS if values["no_fail"] else code


def _gates(scoring: Scoring, values: dict[str, Any]) -> dict[str, Any]:
    gates: dict[str, Any] = {"echo_gate": values["echo_gate"]}
    if scoring.is_suite:
        for name, flag in (("snr_gate_db", "--snr-gate-db"), ("confirm_channels", "--confirm-channels")):
            if values[name]:
                raise UsageError(f"{flag} is about one recording", "leave it out for a suite")
        return gates
    return gates | {name: values[name] for name in ("snr_gate_db", "confirm_channels", "backend")}


def _dump(scoring: Scoring) -> int:
    from hotato import score as room
    from hotato.canonical import to_json

    if scoring.is_suite:
        raise UsageError("--dump-frames dumps one recording", "name it as FILE")
    arguments = scoring.arguments()
    for name in ("expect", "max_talk_over_sec", "max_time_to_yield_sec"):
        del arguments[name]
    emit(to_json(room.dump_frames_for_input(**arguments)))
    return EXIT_PASS


def _export(scoring: Scoring, values: dict[str, Any]) -> None:
    if not values["exports"]:
        return
    if scoring.is_suite:
        raise UsageError("--export writes one recording", "name it as FILE")
    from hotato import find
    from hotato.listen import attend

    heard = attend(*as_one(hear_call(scoring.call, backend=values["backend"]), scoring.call.channels))
    write_artifacts(
        exported(heard, find.scan(heard), values["exports"], values["folder"]), force=values["force"]
    )
