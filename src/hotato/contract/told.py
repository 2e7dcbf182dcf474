"""What a person is told of a contract: when it was made, and when it is looked into."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec

from hotato.contract.records import Contract
from hotato.contract.words import close_words, limit_words, profiled_words, verdict_words
from hotato.report.doubts import CLOSE
from hotato.report.terminal import Terminal
from hotato.report.timefmt import seconds, shown

HOLDS_AUDIO = "The bundle holds the sound of the call: keep it where you may keep the call."
_NEW_TAKE = (
    "the same with --against NEW.wav; the onset above counts in the clip, and NEW has its own clock: the "
    "caller's sound is looked for there, or --onset states a time of NEW"
)
_LABEL = 11
_PATH_CHARS = 300
_TEXT_CHARS = 400
_COMMAND_CHARS = 800


def created_json(
    contract: Contract, directory: str, folder: str, *, kind: str = "contract-create"
) -> dict[str, Any]:
    """The JSON of a contract that was just made.

    Args:
        contract: what it states.
        directory: the bundle, from the working folder.
        folder: the folder of contracts, likewise.
        kind: what made it.
    """
    return {
        "tool": "hotato",
        "kind": kind,
        "schema_version": "1",
        "id": contract.id,
        "dir": directory,
        "contract": msgspec.to_builtins(contract),
        "next": next_commands(folder)[0],
        "next_commands": list(next_commands(folder)),
    }


def next_commands(folder: str) -> tuple[str]:
    """What to do with a contract, here and in CI: verify it."""
    return (shlex.join(("hotato", "contract", "verify", folder)),)


def created_text(
    contract: Contract,
    directory: str,
    folder: str,
    *,
    title: str = "hotato contract create",
    taken: str = "",
    incident: bool = False,
    colour: bool = False,
    width: int = 80,
    unicode: bool = True,
) -> str:
    """The same for a terminal; arguments as for `created_json` and everywhere."""
    terminal = Terminal(colour, width, unicode)
    lines = [_head(terminal, title, contract), *(_pair(terminal, "of", taken) if taken else [])]
    lines += _pair(terminal, "dir", shown(directory, _PATH_CHARS))
    lines += _measured(terminal, contract, incident=incident)
    lines += _moment(terminal, contract)
    for command in next_commands(folder):
        lines += _command(terminal, "next", command)
    lines += _pair(terminal, "ci", "runs the same; hotato init starter writes the pipeline")
    lines += terminal.wrap(HOLDS_AUDIO, "  ")
    return terminal.finish(lines)


def inspect_text(
    contract: Contract, directory: str, *, colour: bool = False, width: int = 80, unicode: bool = True
) -> str:
    """What a contract states, for a terminal; arguments as everywhere. Nothing is measured again.

    Args:
        contract: what it states.
        directory: the bundle, from the working folder.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    lines = [_head(terminal, "hotato contract inspect", contract)]
    lines += _measured(terminal, contract)
    lines += _moment(terminal, contract)
    source, identity = contract.source, contract.identity
    reviewer = f"by {shown(identity.reviewer)}" if identity.reviewer else "no reviewer was named"
    labelled = f"{reviewer}, {contract.label_authority}"
    facts = [
        ("labelled", labelled),
        ("why", shown(contract.label.rationale, _TEXT_CHARS) if contract.label.rationale else ""),
        (
            "made",
            f"{shown(contract.created_at)} by {shown(contract.created_by)}"
            if contract.created_at
            else shown(contract.created_by),
        ),
        ("source", f"{shown(source.stack)}, {source.recording_type}, sha256 {source.source_audio_sha256}"),
        ("recording", shown(source.name) if source.name else ""),
        (
            "candidate",
            ", ".join(shown(part) for part in (source.candidate_ref, source.candidate_kind) if part),
        ),
        ("audio", f"{contract.bundle['paths']['audio']}, samples sha256 {source.bundle_pcm_sha256}"),
        ("health", ", ".join([contract.trust.status, *map(shown, contract.trust.warnings)])),
        (
            "scorer",
            f"hotato {shown(contract.scorer.package_version)}, parameters {contract.scorer.config_marker}",
        ),
        ("digest", contract.attestation.canonical_digest if contract.attestation else "none"),
        ("assertions", "say-do checks travel with it" if contract.assertions is not None else ""),
    ]
    for name, text in facts:
        lines += _pair(terminal, name, text) if text else []
    lines += _command(terminal, "verify", shlex.join(("hotato", "contract", "verify", directory)))
    lines += _pair(terminal, "new take", _NEW_TAKE)
    return terminal.finish(lines)


def _head(terminal: Terminal, title: str, contract: Contract) -> str:
    said = f"  {contract.id}  expect {contract.label.expected_behavior}"
    return terminal.paint("bold", title) + terminal.plain(said)


def _pair(terminal: Terminal, name: str, text: str) -> list[str]:
    indent = " " * (2 + _LABEL)
    first, *more = terminal.wrap(text, indent, indent) or [indent]
    return [f"  {terminal.paint('soft', f'{name:<{_LABEL}}')}{first[len(indent) :]}", *more]


def _command(terminal: Terminal, name: str, command: str) -> list[str]:
    """A command on one line, however long: it shall be pasted."""
    return [
        f"  {terminal.paint('soft', f'{name:<{_LABEL}}')}{terminal.plain(shown(command, _COMMAND_CHARS))}"
    ]


def _measured(terminal: Terminal, contract: Contract, *, incident: bool = False) -> list[str]:
    found = contract.measurement
    lines = _pair(terminal, "measured", profiled_words(contract))
    lines += _pair(terminal, "verdict", verdict_words(contract, incident=incident))
    for reason in found.reasons:
        lines += _pair(terminal, "", shown(reason, _TEXT_CHARS))
    limits = limit_words(contract)
    lines += _pair(terminal, "limits", limits) if limits else []
    conditions = contract.policy.pass_conditions
    for close in close_words(found.edges, conditions, contract.label.expected_behavior):
        lines += _pair(terminal, "close", f"{CLOSE}: {close}")
    if found.doubts:
        from hotato.report.doubts import doubt_words

        for code in found.doubts:
            lines += _pair(terminal, "doubt", shown(doubt_words(code), _TEXT_CHARS))
    return lines


def _moment(terminal: Terminal, contract: Contract) -> list[str]:
    event = contract.event
    cut = "cut from" if event.clipped else "the whole of"
    words = (
        f"onset {seconds(event.onset_sec)} in the clip, {seconds(event.source_onset_sec)} in the recording; "
        f"{seconds(event.pre_sec)} before and {seconds(event.post_sec)} after it, {cut} the recording"
    )
    return _pair(terminal, "moment", words)
