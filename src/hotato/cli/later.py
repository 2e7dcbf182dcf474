"""Flags that are known and belong to later editions: hidden, and refused with the reason and the way without.

A flag that is not there yet is no typing error, and must not be answered with a guess at another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from hotato.cli import options
from hotato.errors import Refusal


@dataclass(frozen=True, slots=True)
class Later:
    """Flags of one job that this version does not do.

    Attributes:
        flags: each with the name of its value, empty where it takes none.
        why: the reason, as a clause.
        remedy: the way without.
    """

    flags: dict[str, str]
    why: str
    remedy: str


_A_GUESS = "who speaks on a mixed channel would be a guess, and no verdict rests on one"
_TWO_CHANNELS = "export a recording with the caller on one channel and the agent on the other"
_FROM_TIMING = "leave it out: what is measured comes from the recording alone"

LATER = {
    "mono": Later(
        {"--mono": "FILE"},
        _A_GUESS,
        _TWO_CHANNELS,
    ),
    "diarize": Later(
        {"--diarize": "", "--diarizer": "NAME", "--egress-opt-in": ""},
        _A_GUESS,
        _TWO_CHANNELS,
    ),
    "speakers": Later(
        {"--caller-speaker": "NAME", "--agent-speaker": "NAME"},
        _A_GUESS,
        _TWO_CHANNELS,
    ),
    "transcribe": Later(
        {
            "--transcribe": "",
            "--transcribe-model": "NAME",
            "--transcribe-device": "NAME",
            "--transcribe-cache-dir": "DIR",
            "--no-transcribe-cache": "",
            "--no-transcribe-store": "",
        },
        "this version recognises no words",
        _FROM_TIMING,
    ),
    "trace": Later({"--trace": "FILE"}, "this version reads no traces", _FROM_TIMING),
    "folder_costs": Later(
        {"--cost-config": "FILE"},
        "costs belong to incidents, and scan lists moments that nobody has graded",
        "price one recording with hotato autopsy --cost-config FILE",
    ),
    "said": Later(
        {"--transcript": "FILE"},
        "this version checks nothing of what was said",
        "leave it out; a contract that carries such checks never passes here",
    ),
    "notify": Later(
        {"--notify": "URL"},
        "this version opens no connection",
        "let the CI system notify: it sees the exit code and the JUnit file",
    ),
    "conversations": Later(
        {"--suite": "FILE", "--agent": "NAME"},
        "this version runs no lane of conversation tests",
        "score a labelled battery with hotato run, and pass it with --before and --after",
    ),
    "pull": Later(
        {
            "--call-id": "TEXT",
            "--api-key": "TEXT",
            "--account-sid": "TEXT",
            "--auth-token": "TEXT",
            "--model-id": "TEXT",
            "--agent-id": "TEXT",
            "--base-url": "TEXT",
        },
        "this version fetches no call from a platform",
        "download the two-channel recording and name it: hotato investigate FILE --stack NAME",
    ),
    "transcript": Later(
        {"--transcript": "FILE", "--caller-role": "TEXT", "--agent-role": "TEXT"},
        "this version reads no transcript",
        "leave it out: the moments are measured from the recording alone",
    ),
}
"""Every such flag, by its job; a command takes the jobs that it will do one day."""


def later(*jobs: str) -> options.Decorator:
    """The hidden flags of some jobs: whoever passes one is refused with `not_in_this_version`.

    Args:
        jobs: keys of `LATER`.
    """
    return options.stacked(
        *(
            click.option(
                flag,
                metavar=value or None,
                is_flag=not value,
                hidden=True,
                expose_value=False,
                callback=_refusing(flag, LATER[job]),
                help="Not in this version: refused.",
            )
            for job in jobs
            for flag, value in LATER[job].flags.items()
        )
    )


def _refusing(flag: str, job: Later) -> Callable[[click.Context, click.Parameter, Any], None]:
    def refuse(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value is not None and value is not False:
            raise Refusal("not_in_this_version", f"{flag} is not in this version: {job.why}", job.remedy)

    return refuse
