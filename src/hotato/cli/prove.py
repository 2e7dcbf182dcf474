"""`hotato prove`: every lane of evidence composed into one fail-closed verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hotato.cli import options
from hotato.cli.gate_outputs import append_step_summary, gate_files, gate_options, require_step_summary
from hotato.cli.later import later
from hotato.cli.outputs import Artifact, path_under, with_written, write_artifacts, written_lines
from hotato.cli.provenance import stated_time
from hotato.cli.terminal import emit, screen
from hotato.cli.verify import DEFAULT_MIN_N, min_n_option
from hotato.errors import UsageError
from hotato.plain import portable, stated_name

if TYPE_CHECKING:
    from hotato.prove import Candidate, Judged, Proof

_FLAGS = {"trusted": "--trusted-key"}


@click.command()
@click.option("--contracts", type=options.FILE, metavar="DIR", help="Contracts to measure again.")
@click.option(
    "--trusted-key",
    "trusted",
    type=options.FILE,
    multiple=True,
    metavar="FILE",
    help="A key, or a folder of keys, whose signature on contracts counts (repeatable).",
)
@click.option("--require-signed", is_flag=True, help="Pass only what a trusted key has signed.")
@later("conversations")
@click.option("--before", type=options.FILE, metavar="RUN", help="The envelope before, or a folder of such.")
@click.option("--after", type=options.FILE, metavar="RUN", help="The envelope after, or a folder of such.")
@min_n_option
@click.option("--gauntlet", is_flag=True, help="Also stress-test the scorer on bundled calls.")
@click.option(
    "--candidate-config-hash",
    type=options.TEXT,
    metavar="HASH",
    help="Bind the later run to a revision: sha256:... of its configuration (with --provider).",
)
@click.option("--provider", type=options.TEXT, metavar="NAME", help="The platform that runs that revision.")
@click.option("--deployment-id", type=options.TEXT, metavar="ID", help="Its name there.")
@click.option("--name", type=options.TEXT, help="What to call the proof.")
@options.created_option
@click.option(
    "--out", type=options.TARGET, metavar="DIR", help="Folder for the proof: JSON, Markdown, a page."
)
@gate_options
@options.force_option
@options.format_option("text", "json")
def prove(**values: Any) -> int:
    """Compose every lane of evidence into one proof.

    Exits 0 only when every lane passes; 1 when one fails or does not carry its claim; 2 when nothing could be
    judged.
    """
    _supported(values)
    require_step_summary(values)
    created_at = stated_time(values["created_at"])

    from hotato import prove as room
    from hotato.canonical import to_json
    from hotato.score import builtins_of

    candidate = room.candidate_of(
        values["candidate_config_hash"], values["provider"], values["deployment_id"]
    )
    if candidate is not None and values["before"] is None:
        raise UsageError(
            "a candidate was named, and no run of it", "pass --before RUN --after RUN, or leave it out"
        )
    lanes = _lanes(values, candidate)
    name = values["name"] or room.DEFAULT_NAME
    proof = room.prove(lanes, name=name, candidate=candidate, created_at=created_at, given=_given(values))
    checks = room.proof_checks(proof, lanes)
    written = [*_files(proof, lanes, values["out"]), *gate_files(checks, values)]
    write_artifacts(written, force=values["force"])
    append_step_summary(checks, values)
    if values["style"] == "json":
        emit(to_json(with_written(builtins_of(proof), written)))
    else:
        emit(room.proof_text(proof, **screen()) + written_lines(written))
    return proof.exit_code


def _given(values: dict[str, Any]) -> list[str]:
    """The words that ask for the same proof again; what only says where to write is left out."""
    words: list[str] = []
    for flag in ("contracts", "trusted", "before", "after"):
        named = values[flag] or ()
        for path in (named,) if isinstance(named, str) else named:
            words += [_FLAGS.get(flag, f"--{flag}"), portable(path)]
    if values["min_n"] != DEFAULT_MIN_N:
        words += ["--min-n", str(values["min_n"])]
    words += [f"--{flag.replace('_', '-')}" for flag in ("require_signed", "gauntlet") if values[flag]]
    for flag in ("candidate_config_hash", "provider", "deployment_id", "name", "created_at"):
        words += [f"--{flag.replace('_', '-')}", values[flag]] if values[flag] is not None else []
    return words


def _supported(values: dict[str, Any]) -> None:
    """Refuse half a lane."""
    if values["require_signed"] and values["contracts"] is None:
        raise UsageError("--require-signed is about contracts", "name them with --contracts DIR")
    if (values["before"] is None) != (values["after"] is None):
        missing = "--before" if values["before"] is None else "--after"
        raise UsageError(f"{missing} is missing", "runs come as a pair: --before RUN --after RUN")


def _lanes(values: dict[str, Any], candidate: Candidate | None) -> list[Judged]:
    """Every lane that was named, in the order of a proof."""
    from hotato import compare
    from hotato import prove as room

    lanes = []
    if values["contracts"] is not None:
        from hotato.contract.keys import named_in_environment, trusted_keys

        trusted = trusted_keys([*values["trusted"], *named_in_environment()])
        signed = values["require_signed"]
        lanes.append(room.contracts_lane(Path(values["contracts"]), trusted=trusted, require_signed=signed))
    if values["before"] is not None:
        before, after = (
            compare.read_run(values[side], name=stated_name(values[side])) for side in ("before", "after")
        )
        lanes.append(room.before_after_lane(before, after, min_n=values["min_n"], candidate=candidate))
    if values["gauntlet"]:
        lanes.append(room.gauntlet_lane())
    return lanes


def _files(proof: Proof, lanes: list[Judged], folder: str | None) -> list[Artifact]:
    """What `--out` asks to be written."""
    if folder is None:
        return []
    from hotato import prove as room
    from hotato import report
    from hotato.canonical import to_json

    return [
        Artifact(path_under(folder, "proof.json"), to_json(proof), room.PROOF_MARK),
        Artifact(path_under(folder, "proof.md"), room.proof_markdown(proof), room.PROOF_MD_MARK),
        Artifact(
            path_under(folder, "proof.html"),
            report.checks_page(room.proof_checks(proof, lanes)),
            report.CHECKS_MARK,
        ),
    ]
