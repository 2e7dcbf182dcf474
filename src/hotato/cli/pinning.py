"""What `contract create`, `fixture create` and their kin share: the options of a moment, as a `Pin`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.listening import require_call, take_call
from hotato.cli.provenance import stated_time
from hotato.errors import UsageError

if TYPE_CHECKING:
    from hotato.contract.pin import Pin
    from hotato.find import Picked

PRE_SEC, POST_SEC = 2.0, 6.0
EXPECTATION = click.Choice(options.EXPECTATIONS)

bound_options = options.stacked(
    click.option("--max-talk-over", type=options.seconds, help="Longest talk-over that passes (yield)."),
    click.option("--max-time-to-yield", type=options.seconds, help="Longest time to yield that passes."),
    click.option(
        "--max-response-gap",
        type=options.seconds,
        help="Longest silence before the agent's answer that passes (answer, yield).",
    ),
)
clip_options = options.stacked(
    click.option(
        "--pre", type=options.seconds, default=PRE_SEC, show_default=True, help="Seconds kept before it."
    ),
    click.option("--post", type=options.seconds, help=f"Seconds kept after it ({POST_SEC:g} if left out)."),
    click.option("--no-clip", is_flag=True, help="Keep the whole recording."),
)
profile_option = click.option(
    "--profile",
    type=click.Choice(options.PROFILES),
    help="What the verdict rests on: smoothed frames (documented) or unbiased raw edges (calibrated). A "
    "candidate's is calibrated if left out.",
)
found_profile_option = click.option(
    "--profile",
    type=click.Choice(options.PROFILES),
    help="What the verdict rests on; calibrated if left out, as found moments are graded.",
)
contracts_option = click.option(
    "--out",
    type=options.TARGET,
    default="contracts",
    show_default=True,
    metavar="DIR",
    help="Folder that gets the bundle.",
)
confirm_option = options.confirm_option
review_options = options.stacked(
    click.option("--reviewer", type=options.TEXT, metavar="NAME", help="Who labelled it."),
    click.option(
        "--i-attest-human-review", "attested", is_flag=True, help="The reviewer has listened to the moment."
    ),
)
created_option = options.created_option
folder_option = click.option(
    "--folder", type=options.FILE, metavar="DIR", help="Where the candidate's recording is."
)


def take_pin(values: dict[str, Any]) -> tuple[Pin, Picked | None]:
    """The moment that a command's parameters name: a recording or a pair with its onset, or a candidate.

    Args:
        values: the parameters; those of the moment are removed from it.

    Returns:
        The moment with its label, and the candidate that it was, where one was named.

    Raises:
        UsageError: no recording, or a recording and a candidate.
        Refusal: see `hotato.find.pick`.
    """
    from hotato.contract.pin import Pin

    ref, folder = values.pop("from_candidate", None), values.pop("folder", None)
    stated = _stated(values)
    call = take_call(values)
    if ref is not None:
        if call.given or stated["onset_sec"] is not None:
            raise UsageError(
                "a candidate and a recording of its own were named", "a candidate brings recording and onset"
            )
        maps = {
            "stack": call.stack,
            "caller_channel": call.caller_channel,
            "agent_channel": call.agent_channel,
        }
        return pin_of_candidate(ref, folder, {**stated, **maps})
    if folder is not None:
        raise UsageError("--folder was given without a candidate", "use it with --from-candidate")
    require_call(call)
    post = stated.pop("post_sec")
    pin = Pin(
        stereo=call.stereo,
        caller=call.caller,
        agent=call.agent,
        caller_channel=call.caller_channel,
        agent_channel=call.agent_channel,
        caller_start_sec=call.caller_start_sec,
        agent_start_sec=call.agent_start_sec,
        stack=call.stack,
        post_sec=POST_SEC if post is None else post,
        **stated,
    )
    return pin, None


def pin_of_candidate(ref: str, folder: str | None, stated: dict[str, Any]) -> tuple[Pin, Picked]:
    """The moment of a candidate, `FILE#N` or `FILE#CALL:N`, with a person's label on it.

    Args:
        ref: the candidate.
        folder: where its recording is, None for where the file says.
        stated: fields of `Pin` that a person stated.
    """
    from hotato.contract.picked import choose
    from hotato.find import pick

    fields = {name: value for name, value in stated.items() if name not in ("onset_sec", "expect", "id")}
    picked = pick(ref, folder=folder)
    return choose(picked, stated["expect"], id=stated["id"], **fields).pin, picked


def _stated(values: dict[str, Any]) -> dict[str, Any]:
    """The label, its bounds and what is kept, as fields of `Pin`; those that a command lacks are left out."""
    named = {
        "expect": "expect",
        "name": "id",
        "onset": "onset_sec",
        "max_talk_over": "max_talk_over_sec",
        "max_time_to_yield": "max_time_to_yield_sec",
        "max_response_gap": "max_response_gap_sec",
        "rationale": "rationale",
        "reviewer": "reviewer",
        "attested": "attested",
        "pre": "pre_sec",
        "post": "post_sec",
        "confirm_channels": "confirm_channels",
        "include_identifiers": "include_identifiers",
        "profile": "profile",
        "detector": "detector",
    }
    taken = {field: values.pop(name) for name, field in named.items() if name in values}
    taken.setdefault("onset_sec", None)
    taken["clip"] = not values.pop("no_clip", False)
    taken["created_at"] = stated_time(values.pop("created_at", None))
    return taken
