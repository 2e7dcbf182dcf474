"""The next command for a person who has read a report, ready to copy."""

from __future__ import annotations

import shlex

from hotato.find.records import Autopsy, Incident
from hotato.listen import Call, Heard
from hotato.report.timefmt import shown

_LABELLED = frozenset({"barge-in", "first-turn-overlap", "dual-start", "resume-into-caller"})
"""Kinds that are a caller onset over the agent, which a yield label can be put to."""


def recording_words(autopsy: Autopsy, call: Call | None, flag: str = "") -> str:
    """How a command line names the recording: its file or files, and its channels where they were given.

    Args:
        autopsy: the autopsy of the recording.
        call: the call, where it is at hand.
        flag: what stands before a single file, such as `--stereo `.
    """
    names = [shown(shlex.quote(autopsy.source))]
    if isinstance(call, Heard) and len(call.recordings) == 2:
        caller, agent = (shown(shlex.quote(recording.name)) for recording in call.recordings)
        return f"--caller {caller} --agent {agent}"
    words = f"{flag}{names[0]}"
    if isinstance(call, Heard) and call.channels.source != "default":
        words += f" --caller-channel {call.channels.caller} --agent-channel {call.channels.agent}"
    return words


def gate_command(autopsy: Autopsy, incident: Incident, call: Call | None) -> str:
    """The command that fails in CI while the incident is in the recording.

    A moment in which the agent should have given way is scored with that label; any other keeps the autopsy
    itself as the gate.
    """
    if incident.kind_key in _LABELLED and incident.bound_sec is not None and autopsy.mode == "stereo":
        onset = f"{incident.t_sec:.3f}".rstrip("0").rstrip(".")
        return (
            f"hotato run {recording_words(autopsy, call, '--stereo ')} --onset {onset} --expect yield "
            f"--max-talk-over {incident.bound_sec:g}"
        )
    severity = incident.severity.lower()
    return f"hotato autopsy {recording_words(autopsy, call)} --fail-on {severity}"
