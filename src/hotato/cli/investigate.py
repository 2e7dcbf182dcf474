"""`hotato investigate`: one recording in, the moments worth a label out; `label` makes a contract of one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.groups import CommandWithCommands
from hotato.cli.later import later
from hotato.cli.listening import CallFiles, hear_call, is_folder, shell_loop, take_call
from hotato.cli.outputs import Artifact, path_under, require_file_name, write_artifacts
from hotato.cli.pinning import contracts_option, found_profile_option
from hotato.cli.provenance import stated_time
from hotato.cli.terminal import emit, screen
from hotato.errors import EXIT_PASS, Refusal, UsageError
from hotato.plain import portable
from hotato.stacks import STACK_NAMES, UNMAPPED_STACKS

if TYPE_CHECKING:
    from hotato.find import Investigation

TOP = 10
"""How many candidates are shown unless told otherwise."""

STATE = ".hotato/investigate-state.json"

channel_options = options.stacked(
    click.option(
        "--stack",
        type=click.Choice([*STACK_NAMES, *UNMAPPED_STACKS], case_sensitive=False),
        help="The platform that recorded the call: picks which channel is whom.",
    ),
    click.option("--caller-channel", type=options.CHANNEL, metavar="N", help="The caller's channel, from 0."),
    click.option("--agent-channel", type=options.CHANNEL, metavar="N", help="The agent's channel, from 0."),
)


@click.group(cls=CommandWithCommands, invoke_without_command=True)
@options.recording_argument
@click.option("--demo", is_flag=True, help="Look into the bundled call.")
@channel_options
@options.confirm_option
@click.option("--allow-mono", is_flag=True, help="Show what a single channel can show: its silences.")
@click.option(
    "--min-gap", type=options.seconds, default=2.0, show_default=True, help="Shortest silence to list."
)
@click.option(
    "--top", type=click.IntRange(min=0), default=TOP, show_default=True, help="Candidates to show, 0 for all."
)
@click.option("--all", "everything", is_flag=True, help="Show all, and what the agent did right.")
@click.option(
    "--state",
    type=options.TARGET,
    default=STATE,
    show_default=True,
    metavar="FILE",
    help="Where the candidates are kept, for FILE#N.",
)
@options.created_option
@later("pull", "transcript")
@options.format_option("text", "json")
@click.pass_context
def investigate(ctx: click.Context, /, **values: Any) -> int:
    """Look into one recording: the moments in it that deserve a label, likeliest failure first.

    Says where the recording came from and whether a verdict may rest on it, and keeps the moments so that
    'hotato investigate label FILE#N --expect ...' turns one into a contract. Exit 2 when it cannot be scored.
    """
    if ctx.invoked_subcommand is not None:
        return EXIT_PASS
    call, demo = _named(values)
    at = stated_time(values["created_at"])
    state = require_file_name(values["state"])

    from hotato import find

    find.require_usable(state)
    found = _look(call, values, demo)
    top = 0 if values["everything"] else values["top"]
    if found.exit_code:
        _tell(found, values, top, run=None)
        return found.exit_code
    if demo is not None:
        write_artifacts([Artifact(demo, _demo_call().read_bytes())])
    _tell(found, values, top, run=find.keep(found, state, at=at))
    return EXIT_PASS


def _named(values: dict[str, Any]) -> tuple[CallFiles, Path | None]:
    """The recording, and where the bundled one is left if it is that."""
    demo = values["demo"]
    chosen = {name: values[name] for name in ("recording", "caller_channel", "agent_channel")}
    call = take_call({**chosen, "stack": _mapped(values)})
    if demo:
        if call.given:
            raise UsageError("--demo takes no recording", "leave one of them out")
        left = path_under(options.OUTPUT_FOLDER, _demo_call().name)
        return replace(call, stereo=left.as_posix()), left
    if call.stereo is None:
        raise UsageError("no recording was named", "pass FILE, or --demo")
    if call.stereo == "-":
        raise Refusal(
            "from_standard_input",
            "a reference to a moment leads to a file, and standard input is none",
            "save the recording to a file and name that",
        )
    if is_folder(call.stereo):
        raise Refusal(
            "is_a_directory",
            f"'{call.stereo}' is a folder, and investigate looks into one recording at a time",
            shell_loop("investigate", call.stereo),
        )
    return call, None


def _mapped(values: dict[str, Any]) -> str | None:
    """The platform that was named, where its channel order is known."""
    stack: str | None = values["stack"]
    if stack not in UNMAPPED_STACKS:
        return stack
    if None in (values["caller_channel"], values["agent_channel"]):
        raise UsageError(
            f"the channel order of {stack} is not known here",
            "say which is whom with --caller-channel N --agent-channel N",
        )
    return None


def _demo_call() -> Path:
    from hotato.cli.autopsy import DEMO_CALL

    return DEMO_CALL


def _look(call: CallFiles, values: dict[str, Any], demo: Path | None) -> Investigation:
    from hotato import find

    heard = hear_call(call if demo is None else replace(call, stereo=str(_demo_call())))
    path = portable(call.stereo or "")
    return find.investigate(
        heard,
        path=path,
        origin=find.origin_of(path, heard.file_sha256, bundled=demo is not None),
        stack=call.stack,
        confirmed=values["confirm_channels"],
        everything=values["everything"],
        mono=values["allow_mono"],
        params=find.ScanParams(min_gap_sec=values["min_gap"]),
    )


def _tell(found: Investigation, values: dict[str, Any], top: int, run: int | None) -> None:
    from hotato import find, report
    from hotato.canonical import to_json

    state = portable(values["state"])
    shown = found.ranked[:top] if top > 0 else found.ranked
    commands = report.label_commands(found, shown, state)
    if values["style"] == "json":
        emit(to_json(find.investigation_json(found, state_path=state, run=run, top=top, commands=commands)))
        return
    told = report.investigation_text(
        found,
        state_path=state,
        run=run,
        top=top,
        commands=commands,
        mono=values["allow_mono"],
        left=found.path if values["demo"] and run is not None else None,
        **screen(),
    )
    emit(told)


@investigate.command("label")
@click.argument("ref", type=options.TEXT, metavar="FILE#N")
@click.option(
    "--expect",
    type=click.Choice(["yield", "hold", "answer"]),
    required=True,
    help="What a good agent does at that moment.",
)
@click.option("--id", "name", type=options.TEXT, help="Name of the contract (made here if left out).")
@contracts_option
@click.option("--folder", type=options.FILE, metavar="DIR", help="Where the recording is now.")
@channel_options
@options.confirm_option
@click.option("--max-talk-over", type=options.seconds, help="Longest talk-over that passes.")
@click.option("--max-time-to-yield", type=options.seconds, help="Longest time to yield that passes.")
@click.option("--max-response-gap", type=options.seconds, help="Longest silence before an answer.")
@found_profile_option
@click.option("--rationale", type=options.TEXT, help="Why, in your words.")
@click.option("--reviewer", type=options.TEXT, help="Who says so.")
@click.option("--pre", type=options.seconds, help="Seconds kept before it (2, or as needed).")
@click.option("--post", type=options.seconds, help="Seconds kept after it (6, or as needed).")
@click.option("--no-clip", is_flag=True, help="Keep the whole recording.")
@click.option("--include-identifiers", is_flag=True, help="Write file names into the contract.")
@options.created_option
@options.force_option
@options.format_option("text", "json")
def label(ref: str, **values: Any) -> int:
    """Turn a candidate into a contract: your label on a measured moment.

    FILE#N is the Nth candidate of an investigation, a scan, an analysis or an autopsy; FILE#CALL:N the Nth of
    one call. Exit 0 when the contract was written, whether or not the moment passes it.
    """
    from hotato import find
    from hotato.canonical import to_json
    from hotato.contract.create import create_contract
    from hotato.contract.labelled import Made
    from hotato.contract.picked import choose

    values["stack"] = _mapped(values)
    picked = find.pick(ref, folder=values["folder"])
    chosen = choose(
        picked,
        values["expect"],
        id=values["name"],
        post_sec=values["post"],
        pre_sec=values["pre"],
        clip=not values["no_clip"],
        created_at=stated_time(values["created_at"]),
        **{field: values[name] for name, field in _PASSED.items()},
    )
    created = create_contract(chosen.pin, Path(values["out"]), force=values["force"])
    made = Made(
        picked,
        chosen,
        created.contract,
        directory=portable(created.path),
        folder=portable(values["out"]),
        origin=find.origin_of(portable(picked.recording), picked.sha256),
    )
    emit(to_json(made.json()) if values["style"] == "json" else made.text(**screen()))
    return EXIT_PASS


_PASSED = {
    **{name: name for name in ("stack", "caller_channel", "agent_channel", "confirm_channels")},
    **{name: f"{name}_sec" for name in ("max_talk_over", "max_time_to_yield", "max_response_gap")},
    **{name: name for name in ("profile", "rationale", "reviewer", "include_identifiers")},
}
"""Options that are fields of a `Pin`, and which."""
