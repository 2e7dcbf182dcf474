"""`hotato benchmark`: one battery on the captures of a platform, and results of several side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from hotato.cli import options
from hotato.cli.gates import closed, tell_unjudged, undecided
from hotato.cli.outputs import (
    Artifact,
    path_under,
    require_file_name,
    write_artifacts,
    written_lines,
)
from hotato.cli.terminal import emit, emit_error
from hotato.editions import json_mark
from hotato.errors import EXIT_PASS, UsageError
from hotato.plain import portable

GATE = "--fail-on-regression"


@click.group(invoke_without_command=True)
@options.stack_option
@click.option("--recordings", type=options.FILE, metavar="DIR", help="Its captures, named by scenario id.")
@click.option(
    "--scenarios", type=options.FILE, metavar="DIR", help="Folder of scenario labels (bundled if left out)."
)
@click.option(
    "--suffix", type=options.TEXT, metavar="TEXT", help="Ending of the recordings' names (found if left out)."
)
@click.option("--caller-channel", type=options.CHANNEL, metavar="N", help="The caller's channel, from 0.")
@click.option("--agent-channel", type=options.CHANNEL, metavar="N", help="The agent's channel, from 0.")
@click.option(
    "--out", type=options.TARGET, metavar="FILE", help="Write the result there (printed if left out)."
)
@options.verdict_profile_option
@click.option(GATE, is_flag=True, help="Exit 1 when a scored event fails.")
@options.force_option
@click.pass_context
def benchmark(ctx: click.Context, /, **values: Any) -> int:
    """Score one battery on the captures of a platform; compare results.

    Exit 0 when the battery was scored. 'hotato benchmark compare A.json B.json' puts results side by side.
    """
    if ctx.invoked_subcommand is not None:
        options.refuse_flags_before_subcommand(ctx)
        return EXIT_PASS
    if values["stack"] is None:
        raise UsageError("no platform was named", "pass --stack")
    if values["recordings"] is None:
        raise UsageError("no folder of recordings was named", "pass --recordings")
    target = None if values["out"] is None else require_file_name(values["out"])

    from hotato import benchmark as room
    from hotato.canonical import to_json

    result = room.run_stackbench(
        stack=values["stack"],
        recordings_dir=values["recordings"],
        scenarios_dir=values["scenarios"],
        suffix=values["suffix"],
        caller_channel=values["caller_channel"],
        agent_channel=values["agent_channel"],
        profile=values["profile"],
    )
    if target is None:
        emit(to_json(result))
    else:
        files = [Artifact(target, to_json(result), json_mark(room.STACK_BENCHMARK))]
        write_artifacts(files, force=values["force"])
        emit(_summary(result) + written_lines(files))
    return _gate(result) if values["fail_on_regression"] else EXIT_PASS


@benchmark.command("compare")
@click.argument("results", nargs=-1, type=options.FILE)
@options.format_option("md", "json")
@click.option(
    "--out", type=options.TARGET, metavar="FILE", help="Write the comparison there (printed if left out)."
)
@options.force_option
def compare(**values: Any) -> int:
    """Put results of one battery side by side.

    Differences are against the first RESULT. Only scenarios that every result scored are compared.
    """
    target = None if values["out"] is None else require_file_name(values["out"])

    from hotato import benchmark as room
    from hotato.canonical import to_json

    loaded = [(portable(path), room.load_result(path)) for path in values["results"]]
    comparison = room.compare_results(loaded)
    text = to_json(comparison) if values["style"] == "json" else room.render_comparison_md(comparison)
    if target is None:
        emit(text)
        return EXIT_PASS
    mark = json_mark(room.COMPARISON) if values["style"] == "json" else room.COMPARISON_MARK
    files = [Artifact(target, text, mark)]
    write_artifacts(files, force=values["force"])
    emit(written_lines(files))
    return EXIT_PASS


@benchmark.command("stimuli")
@click.option("--out", required=True, type=options.TARGET, metavar="DIR", help="Folder for the recordings.")
@options.force_option
def stimuli(out: str, force: bool) -> int:
    """Render the caller's side of every packaged scenario, to be played into calls.

    Writes ID.caller.wav for each, and prints the ids by which the captures have to be named.
    """
    path_under(out, "call.caller.wav")

    from hotato import benchmark as room

    made = list(room.stimuli())
    files = [Artifact(path_under(out, f"{one.id}.caller.wav"), one.wav) for one in made]
    write_artifacts(files, force=force)
    starts = ["silent" if one.onset_sec is None else f"from {one.onset_sec:.2f} s" for one in made]
    lines = [f"  {one.id:<22}{start}\n" for one, start in zip(made, starts, strict=True)]
    emit("".join(lines) + written_lines(files))
    return EXIT_PASS


def _summary(result: Mapping[str, Any]) -> str:
    """The counts, then by name every scenario that failed, could not be judged, or is in doubt."""
    captured, summary = result["scenarios"], result["summary"]
    lines = [
        f"{result['stack']}: {captured['captured']} of {captured['total']} scenarios captured, "
        f"{summary['passed']} passed, {summary['failed']} failed, "
        f"{summary.get('not_scorable', 0)} not scorable"
    ]
    if captured["not_captured"]:
        lines.append(f"  not captured: {', '.join(captured['not_captured'])}")
    lines += [line for event in result["events"] for line in _worth_a_look(event)]
    return "\n".join(lines) + "\n"


def _worth_a_look(event: Mapping[str, Any]) -> list[str]:
    """What a person has to know of one scenario; nothing of one that passed without a doubt."""
    from hotato.report.text_run import doubt_lines, status

    word, verdict = status(event), event["verdict"]
    doubts = [] if word == "NOT SCORABLE" else doubt_lines(event)
    if word == "PASS" and not doubts:
        return []
    why = [event.get("not_scorable_reason", "")] if word == "NOT SCORABLE" else verdict["reasons"]
    told = "; ".join(part for part in why if part)
    first = f"  {word}  {event['scenario_id']}{f': {told}' if told else ''}"
    return [first, *(f"        in doubt: {words}" for words in doubts)]


def _gate(result: Mapping[str, Any]) -> int:
    """What `--fail-on-regression` makes of a result; where nothing could be judged it is not passed."""
    summary = result["summary"]
    if summary["passed"] or summary["failed"]:
        _tell_partly(result)
    if summary["failed"]:
        events = "1 scored event" if summary["failed"] == 1 else f"{summary['failed']} scored events"
        return closed(f"{events} failed", GATE)
    if not summary["passed"]:
        tell_unjudged(result)
        return undecided("no event could be judged", GATE)
    return EXIT_PASS


def _tell_partly(result: Mapping[str, Any]) -> None:
    """Where the gate stands on a part of the scenarios only, say in one line on which."""
    captured, summary = result["scenarios"], result["summary"]
    missing, unscorable = len(captured["not_captured"]), summary.get("not_scorable", 0)
    parts = [f"{missing} not captured"] if missing else []
    parts += [f"{unscorable} not scorable"] if unscorable else []
    if parts:
        judged = summary["passed"] + summary["failed"]
        emit_error(f"only {judged} of {captured['total']} scenarios were judged: {', '.join(parts)} ({GATE})")
