"""The options that several commands share, spelled and explained once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from hotato.bounds import BOUNDS, within
from hotato.cli.listening import shell_loop
from hotato.cli.paths import NamedPath, TargetPath
from hotato.errors import UsageError
from hotato.plain import shown
from hotato.stacks import STACK_NAMES

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

OUTPUT_FOLDER = "hotato-output"
DEFAULT_BACKEND = "energy"
EXPECTATIONS = ("yield", "hold", "answer")
PROFILES = ("documented", "calibrated")
DEFAULT_DETECTOR = "auto"
EXPORT_FORMATS = ("textgrid", "rttm", "audacity", "csv")


_CLOCK = re.compile(
    r"(?:(?P<hours>[0-9]{1,4}):(?P<minutes>[0-5]?[0-9])|(?P<all_minutes>[0-9]{1,6}))"
    r":(?P<seconds>[0-5][0-9](?:\.[0-9]{0,12})?)"
)
"""A time as reports print it: `M:SS`, `M:SS.ss`, `H:MM:SS.ss`."""


def seconds(value: float | str) -> float:
    """Seconds from 0 to `BOUNDS.longest_sec`, as a number or as `M:SS` or `H:MM:SS`; anything else is a usage
    error that says why."""
    return _seconds_up_to(value, BOUNDS.longest_sec)


def start_seconds(value: float | str) -> float:
    """When a file begins, from 0 to `BOUNDS.latest_start_sec`, written as `seconds` are; anything else is a
    usage error."""
    return _seconds_up_to(value, BOUNDS.latest_start_sec)


def decibel(value: float | str) -> float:
    """A number within `BOUNDS.gate_db`; anything else is a usage error that says why."""
    number = _number(value)
    if not within(number, -BOUNDS.gate_db, BOUNDS.gate_db):
        raise click.BadParameter(f"{shown(str(value).strip())} is not within {BOUNDS.gate_db:.0f} dB of 0")
    return number


def _seconds_up_to(value: float | str, longest_sec: float) -> float:
    number = _clock_sec(value) if isinstance(value, str) and ":" in value else _number(value)
    if number < 0:
        raise click.BadParameter(f"{shown(str(value).strip())} is less than 0")
    if not within(number, 0.0, longest_sec):
        raise click.BadParameter(f"{shown(str(value).strip())} is more than {longest_sec:.0f} seconds")
    return number


def _clock_sec(text: str) -> float:
    """Seconds of a time with colons."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise click.BadParameter(
            f"'{shown(text.strip())}' is no time; write seconds, M:SS or H:MM:SS, such as 62.5 or 1:02.5"
        )
    whole = 3600 * int(found["hours"] or 0) + 60 * int(found["minutes"] or found["all_minutes"])
    return float(whole) + float(found["seconds"])


def _number(value: float | str) -> float:
    try:
        number = float(value)
    except ValueError:
        raise click.BadParameter(f"'{shown(str(value).strip())}' is not a number") from None
    if not math.isfinite(number):
        raise click.BadParameter(f"'{shown(str(value).strip())}' is not a finite number")
    return number


class NamedText(click.types.StringParamType):
    """A text that is not empty: a variable that a script forgot to set must not pass for a choice."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it was typed."""
        if not value:
            self.fail("the text is empty", param, ctx)
        return super().convert(value, param, ctx)


CHANNEL = click.IntRange(min=0)
TEXT = NamedText()
FILE = NamedPath(readable=False)  # whoever opens it says best what is wrong with it
TARGET = TargetPath()


def stacked(*decorators: Decorator) -> Decorator:
    """Several decorators as one, the first on top."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def format_option(*choices: str) -> Decorator:
    """`--format`, with the first choice as default; its parameter is called `style`."""
    return click.option(
        "--format",
        "style",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="How to print the result.",
    )


_LABELLING = frozenset({"start"})
"""Commands that write into one place, so that going through several recordings leaves the last."""


def _only_one(ctx: click.Context, parameter: click.Parameter, named: tuple[str, ...]) -> str | None:
    """The recording, or a refusal that says how to go through several."""
    if len(named) > 1:
        command = ctx.command_path.partition(" ")[2].removeprefix("lab ")
        one_each = " " in command or command in _LABELLING
        raise UsageError(
            f"{len(named)} recordings were named, and {command} takes one at a time",
            "name one of them" if one_each else shell_loop(command),
        )
    return named[0] if named else None


recording_argument = click.argument(
    "recording", nargs=-1, required=False, type=FILE, metavar="[FILE]", callback=_only_one
)
stereo_option = click.option(
    "--stereo", type=FILE, metavar="FILE", help="A recording with both parties; '-' reads standard input."
)
pair_options = stacked(
    click.option("--caller", type=FILE, metavar="FILE", help="The caller alone (with --agent)."),
    click.option("--agent", type=FILE, metavar="FILE", help="The agent alone (with --caller)."),
    click.option("--caller-start", type=start_seconds, default=0.0, help="When the caller's file begins."),
    click.option("--agent-start", type=start_seconds, default=0.0, help="When the agent's file begins."),
)
stack_option = click.option(
    "--stack",
    type=click.Choice(STACK_NAMES, case_sensitive=False),
    help="The platform that recorded the call: picks which channel is whom.",
)
channel_options = stacked(
    stack_option,
    click.option("--caller-channel", type=CHANNEL, metavar="N", help="The caller's channel, from 0."),
    click.option("--agent-channel", type=CHANNEL, metavar="N", help="The agent's channel, from 0."),
)
call_options = stacked(recording_argument, stereo_option, pair_options, channel_options)

detector_option = click.option(
    "--detector",
    type=click.Choice([DEFAULT_DETECTOR, "reference"]),
    default=DEFAULT_DETECTOR,
    show_default=True,
    help="auto: where the documented detector (reference) is in doubt, a robust one listens.",
)
detector_options = stacked(
    click.option(
        "--backend",
        type=click.Choice([DEFAULT_BACKEND, "neural"]),
        default=DEFAULT_BACKEND,
        show_default=True,
        help="Ask a learned model for a second opinion (needs the 'neural' extra).",
    ),
    detector_option,
)
yield_bound_options = stacked(
    click.option("--max-talk-over", type=seconds, help="Longest talk-over that passes."),
    click.option("--max-time-to-yield", type=seconds, help="Longest time to yield that passes."),
)
verdict_profile_option = click.option(
    "--profile",
    type=click.Choice(PROFILES),
    help="What the verdict rests on: smoothed frames (documented) or unbiased raw edges (calibrated).",
)
label_options = stacked(
    click.option("--onset", type=seconds, help="When the caller begins to speak; found if left out."),
    click.option("--expect", type=click.Choice(EXPECTATIONS), help="What a good agent does at that moment."),
    yield_bound_options,
    verdict_profile_option,
)
response_gap_option = click.option(
    "--max-response-gap",
    "response_gap",
    type=seconds,
    help="Longest silence before the agent's answer that passes (answer labels need it).",
)
suite_options = stacked(
    click.option("--suite", metavar="NAME", help="A bundled suite: barge-in."),
    click.option("--scenarios", type=FILE, metavar="DIR", help="Folder of scenario labels."),
    click.option("--audio", type=FILE, metavar="DIR", help="Folder of their recordings."),
)
embed_option = click.option(
    "--embed-audio",
    is_flag=True,
    help="Put the recording into the page, with a player: the page then holds the call itself.",
)
export_option = click.option(
    "--export",
    "exports",
    type=click.Choice(EXPORT_FORMATS),
    multiple=True,
    help="Also write activity and moments for Praat, speech toolkits, Audacity or a table (repeatable).",
)
folder_option = click.option(
    "--out",
    "--output-dir",
    "folder",
    type=TARGET,
    default=OUTPUT_FOLDER,
    show_default=True,
    metavar="DIR",
    help="Folder for what is written.",
)


def refuse_flags_before_subcommand(ctx: click.Context) -> None:
    """Refuse flags of a group that were given although one of its commands runs, which would not see them."""
    given = [
        parameter.opts[0]
        for parameter in ctx.command.params
        if ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    ]
    if given:
        name = ctx.invoked_subcommand
        raise UsageError(
            f"{given[0]} stands before '{name}', which does not see it", "give its flags after it"
        )


def page_option(command: str) -> Decorator:
    """`--out` of a command that writes one page, named by what it scored when left out."""
    return click.option(
        "--out",
        type=TARGET,
        metavar="FILE",
        help=f"The page ({OUTPUT_FOLDER}/{command}-ID.html if left out).",
    )


export_folder_option = click.option(
    "--output-dir",
    "folder",
    type=TARGET,
    default=OUTPUT_FOLDER,
    show_default=True,
    metavar="DIR",
    help="Folder for what --export writes.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Decides whatever is drawn: noise, delays, which packets are lost.",
)
confirm_option = click.option(
    "--confirm-channels", is_flag=True, help="You know which channel is whom, whatever it sounds like."
)
created_option = click.option(
    "--created-at",
    metavar="TIME",
    help="When this is (RFC 3339); else SOURCE_DATE_EPOCH, or nothing is stated.",
)
force_option = click.option("--force", is_flag=True, help="Replace files that are in the way.")
open_option = click.option(
    "--open/--no-open", "show", default=None, help="Open the page in a browser, or do not."
)
no_fail_option = click.option("--no-fail", is_flag=True, help="Exit 0 even when the verdict is a failure.")
