"""`hotato compare`: two takes of one moment under one label."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.gate_outputs import (
    append_step_summary,
    gate_files,
    gate_options,
    require_gate,
    require_step_summary,
)
from hotato.cli.gates import closed, tell_unjudged
from hotato.cli.listening import CallFiles, take_call
from hotato.cli.outputs import Artifact, require_file_name, with_written, write_artifacts, written_lines
from hotato.cli.progress import progress_of
from hotato.cli.scoring import Scoring
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_FAIL, UsageError

if TYPE_CHECKING:
    from hotato.score import ScoredEvent

_SIDES = ("before", "after")
_LABEL = {
    "max_talk_over": "max_talk_over_sec",
    "max_time_to_yield": "max_time_to_yield_sec",
    "response_gap": "max_response_gap_sec",
    "expect": "expect",
    "profile": "profile",
}


def _files(flag: str, what: str) -> options.Decorator:
    return click.option(flag, type=options.FILE, metavar="FILE", help=what)


@click.command()
@click.argument("pair", nargs=-1, type=options.FILE, metavar="[BEFORE AFTER]")
@_files("--before", "The earlier recording, with both parties.")
@_files("--after", "The later recording, with both parties.")
@_files("--before-caller", "The earlier caller alone (with --before-agent).")
@_files("--before-agent", "The earlier agent alone (with --before-caller).")
@_files("--after-caller", "The later caller alone (with --after-agent).")
@_files("--after-agent", "The later agent alone (with --after-caller).")
@click.option("--before-onset", type=options.seconds, help="The onset in the earlier take alone.")
@click.option("--after-onset", type=options.seconds, help="The onset in the later take alone.")
@options.label_options
@options.response_gap_option
@options.channel_options
@options.detector_option
@options.format_option("text", "json")
@click.option("--out", type=options.TARGET, metavar="FILE", help="Also write a page.")
@gate_options
@options.force_option
@click.option("--fail-on-worse", is_flag=True, help="Exit 1 when the later take regressed or got worse.")
def compare(**values: Any) -> int:
    """Compare two takes of one moment.

    BEFORE and AFTER have both parties; parties in files of their own are named with flags. Both takes are
    scored under one label. Exit 0, 2 when a side cannot be scored.
    """
    _take_pair(values)
    require_gate(values, values["fail_on_worse"], "--fail-on-worse")
    require_step_summary(values)
    takes = [_take(values, side) for side in _SIDES]
    target = None if values["out"] is None else require_file_name(values["out"])

    from hotato import compare as room
    from hotato import report, score
    from hotato.canonical import to_json

    scored = [_scored(take, values["detector"]) for take in takes]
    envelopes = [score.builtins_of(envelope) for envelope, _ in scored]
    compared = room.compare_takes(envelopes[0], envelopes[1])
    code = room.takes_exit_code(compared, fail_on_worse=values["fail_on_worse"])
    names = (_name(takes[0].call), _name(takes[1].call))
    checks = room.takes_checks(compared, code)
    written = gate_files(checks, values)
    if target is not None:
        views = [report.event_view(score.builtins_of(one.event), one.heard) for _, one in scored]
        page = report.compare_page(compared, (views[0], views[1]), names=names)
        written.append(Artifact(target, page, report.COMPARE_MARK))
    write_artifacts(written, force=values["force"])
    append_step_summary(checks, values)
    if values["style"] == "json":
        emit(to_json(with_written({**score.builtins_of(compared), "exit_code": code}, written)))
        for envelope in envelopes:
            tell_unjudged(envelope)
    else:
        text = report.compare_text(compared, names=names, exit_code=code, **screen())
        emit(text + written_lines(written))
    return closed(f"the later take {compared.result}", "--fail-on-worse") if code == EXIT_FAIL else code


def _take_pair(values: dict[str, Any]) -> None:
    """Put the recordings that were named without flags in their places."""
    pair: tuple[str, ...] = values.pop("pair")
    if not pair:
        return
    flags = [f"--{name.replace('_', '-')}" for name in _SIDE_FILES if values[name] is not None]
    if len(pair) != len(_SIDES):
        missing = " and ".join(f"--{side} FILE" for side in _SIDES)
        told = "1 recording was" if len(pair) == 1 else f"{len(pair)} recordings were"
        raise UsageError(
            f"compare takes two takes of a moment, and {told} named",
            f"pass BEFORE AFTER, the earlier one first, or {missing}",
        )
    if flags:
        raise UsageError(f"a take is named twice: as BEFORE AFTER and with {flags[0]}", "leave one out")
    values.update(zip(_SIDES, pair, strict=True))


_SIDE_FILES = tuple(f"{side}{part}" for side in _SIDES for part in ("", "_caller", "_agent"))
"""Options that name a file of a take."""


def _take(values: dict[str, Any], side: str) -> Scoring:
    """The recording of one side with the label of both."""
    given = {"stereo": values[side], "caller": values[f"{side}_caller"], "agent": values[f"{side}_agent"]}
    if not any(given.values()):
        raise UsageError(
            f"no recording was named for --{side}",
            f"pass --{side} FILE, or --{side}-caller and --{side}-agent",
        )
    shared = ("stack", *(() if given["caller"] else ("caller_channel", "agent_channel")))
    call = take_call({**given, **{name: values[name] for name in shared}})
    own = values[f"{side}_onset"]
    label = {key: values[name] for name, key in _LABEL.items()}
    return Scoring(call, None, None, None, {**label, "onset_sec": values["onset"] if own is None else own})


def _scored(take: Scoring, detector: str) -> tuple[Any, ScoredEvent]:
    """One side, scored: its envelope and its event with the call."""
    from hotato import score

    with progress_of(take.call.stereo or take.call.caller or "") as progress:
        request = take.request(progress=progress, detector=detector)
        (event,) = score.scored_events(request)
    return score.envelope_of(request, [event.event]), event


def _name(call: CallFiles) -> str:
    return " + ".join(PurePath(path).name for path, _ in call.sources)
