"""`hotato contract verify`: kept moments measured again, or a new recording of one."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.gate_outputs import (
    append_step_summary,
    gate_files,
    gate_options,
    page_option,
    require_step_summary,
)
from hotato.cli.later import later
from hotato.cli.outputs import Artifact, require_file_name, with_written, write_artifacts, written_lines
from hotato.cli.progress import counted
from hotato.cli.terminal import emit, screen
from hotato.editions import json_mark
from hotato.errors import UsageError
from hotato.plain import portable

if TYPE_CHECKING:
    from hotato.checks import Checks
    from hotato.contract.keys import Key

_OF_A_RECAPTURE = ("onset", "caller_channel", "agent_channel", "stack", "confirm_channels", "out")

trusted_option = click.option(
    "--trusted-key",
    "trusted",
    type=options.FILE,
    multiple=True,
    metavar="FILE",
    help="A key, or a folder of keys, whose signature counts (repeatable).",
)


@click.command("verify")
@click.argument("folder", type=options.FILE, metavar="DIR")
@click.option(
    "--against", type=options.FILE, metavar="NEW", help="Judge a new recording of the moment that DIR pins."
)
@click.option("--onset", type=options.seconds, help="When the moment begins in NEW; found if left out.")
@options.channel_options
@click.option("--confirm-channels", is_flag=True, help="You vouch for which channel of NEW is whom.")
@click.option(
    "--out", type=options.TARGET, metavar="FILE", help="Also write the JSON of --against to a file."
)
@trusted_option
@click.option("--require-signed", is_flag=True, help="Fail what no trusted key has signed.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes (the cores, if left out).")
@later("said", "notify")
@page_option
@gate_options
@options.force_option
@options.format_option("text", "json")
def verify(**values: Any) -> int:
    """Measure kept moments again, and check that nobody changed them.

    DIR holds contracts (folders NAME.hotato), or is one. Exit 0 when every one passes, 1 when one does not, 2
    when there is none or one cannot be read. With --against, a new recording of the one moment is judged
    by the contract's policy; a copy of the contract's own call is refused.
    """
    _supported(values)
    require_step_summary(values)
    # The arrays are small: threads of the linear algebra library only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    trusted = _trusted(values["trusted"])
    return _new_take(values, trusted) if values["against"] is not None else _kept(values, trusted)


def _supported(values: dict[str, Any]) -> None:
    given = [name for name in _OF_A_RECAPTURE if values[name]]
    if values["against"] is None and given:
        flag = given[0].replace("_", "-")
        raise UsageError(f"--{flag} is about a new recording", "name it with --against NEW.wav")
    if values["against"] is not None and values["jobs"] is not None:
        raise UsageError(
            "--jobs is about many contracts, and --against judges one", "leave out one of the two"
        )


def _given(values: dict[str, Any]) -> tuple[str, ...]:
    """What was given behind the folder and decides the result, as words of a command line."""
    words: list[str] = []
    if values["against"] is not None:
        words += ["--against", portable(values["against"])]
    for name in ("onset", "caller_channel", "agent_channel", "stack"):
        if values[name] is not None:
            words += [f"--{name.replace('_', '-')}", str(values[name])]
    words += ["--confirm-channels"] if values["confirm_channels"] else []
    for key in values["trusted"]:
        words += ["--trusted-key", portable(key)]
    return (*words, "--require-signed") if values["require_signed"] else tuple(words)


def _trusted(named: tuple[str, ...]) -> tuple[Key, ...]:
    """The keys that the command line and the environment name."""
    from hotato.contract.keys import named_in_environment, trusted_keys

    return trusted_keys([*named, *named_in_environment()])


def _kept(values: dict[str, Any], trusted: tuple[Key, ...]) -> int:
    from hotato.contract.verify import verification_json, verify_contracts

    with counted("contracts verified") as progress:
        found = verify_contracts(
            Path(values["folder"]),
            jobs=values["jobs"],
            trusted=trusted,
            require_signed=values["require_signed"],
            progress=progress,
        )
    found = replace(found, given=_given(values))
    return _shown(values, found.checks(), verification_json(found), [])


def _new_take(values: dict[str, Any], trusted: tuple[Key, ...]) -> int:
    from hotato.canonical import to_json
    from hotato.contract.against import recapture, recapture_json

    target = None if values["out"] is None else require_file_name(values["out"])
    found = recapture(
        Path(values["folder"]),
        values["against"],
        onset_sec=values["onset"],
        caller_channel=values["caller_channel"],
        agent_channel=values["agent_channel"],
        stack=values["stack"],
        confirm_channels=values["confirm_channels"],
        trusted=trusted,
        require_signed=values["require_signed"],
    )
    found = replace(found, given=_given(values))
    result = recapture_json(found)
    mark = json_mark("contract-recapture")
    written = [] if target is None else [Artifact(target, to_json(result), mark)]
    return _shown(values, found.checks(), result, written)


def _shown(values: dict[str, Any], checks: Checks, result: dict[str, Any], written: list[Artifact]) -> int:
    """Write the files that were asked for, then print; every form is made of the same checks."""
    from hotato import report
    from hotato.canonical import to_json

    artifacts = [*written, *gate_files(checks, values)]
    write_artifacts(artifacts, force=values["force"])
    append_step_summary(checks, values)
    if values["style"] == "json":
        emit(to_json(with_written(result, artifacts)))
    else:
        emit(report.checks_text(checks, **screen()) + written_lines(artifacts))
    return checks.exit_code
