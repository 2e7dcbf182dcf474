"""The next command for a person who has read a report: it works when pasted where the recording is."""

from __future__ import annotations

import shlex

from hotato.find.records import CRITICAL, Autopsy, Incident
from hotato.listen import Call, Heard, Mixed
from hotato.report.timefmt import shown
from hotato.timing.speech import NEURAL

WHERE = (
    "Commands name the recording by its file name: run them in the folder that holds it. hotato pin reads "
    "the JSON beside this page: run it where hotato autopsy was run, with --from DIR where that wrote into "
    "another folder DIR than hotato-output."
)
"""What a page says once about its commands."""

PIPED = "RECORDING stands for the file that was read from standard input."
"""What it says instead where the file had no name."""

IF_WRONG = "if the agent should have talked on"
"""What stands beside a gate that is right only when the agent was wrong to stop."""

PINNABLE = frozenset(
    {
        "barge-in",
        "talk-over",
        "dual-start",
        "first-turn-overlap",
        "resume-into-caller",
        "dead-air",
        "latency-spike",
        "unanswered-turn",
    }
)
"""Kinds of incidents that a label can be held against."""

_STDIN, _DASH = "stdin", "-"
_COMMAND_CHARS = 400


def recording_words(autopsy: Autopsy, call: Call | None, flag: str = "") -> str:
    """How a command line names the recording: its file or files, when each begins, and its channels, where
    either was given.

    Args:
        autopsy: the autopsy of the recording.
        call: the call, where it is at hand.
        flag: what stands before a single file, such as `--stereo `.
    """
    if isinstance(call, Heard) and len(call.recordings) == 2:
        caller, agent = (_file(recording.name) for recording in call.recordings)
        starts = dict(zip(("--caller-start", "--agent-start"), call.starts_sec, strict=False))
        begun = "".join(f" {flag} {sec!r}" for flag, sec in starts.items() if sec)
        return f"--caller {caller} --agent {agent}{begun}"
    words = f"{flag}{_file(autopsy.source)}"
    if isinstance(call, Heard) and call.channels.source != "default":
        words += f" --caller-channel {call.channels.caller} --agent-channel {call.channels.agent}"
    return words


def detector_words(call: Call | None) -> str:
    """The flag that has the same detector listen, with a blank before it; empty where none was asked for."""
    if call is None:
        return ""
    if isinstance(call, Heard) and call.backend == "neural":
        return " --backend neural"
    if isinstance(call, Mixed) and call.track.activity.detector == NEURAL:
        return " --backend neural"
    return " --detector reference" if call.detector == "reference" else ""


def piped(command: str) -> str:
    """`command`, fed from a file where it reads standard input."""
    try:
        reads = _DASH in shlex.split(command)
    except ValueError:  # a name of many hundred characters was shortened inside its quotes
        return command
    return f"{command} < RECORDING" if reads else command


def gate_command(autopsy: Autopsy, incident: Incident, call: Call | None) -> str:
    """The command that fails in CI while the incident is in the recording.

    Only what `hotato run` finds again under a label gets that label: an agent that talked on over the caller,
    and one that stopped for a short sound (see `is_short_stop`). Anything else keeps the autopsy itself as
    the gate, at the incident's own severity.
    """
    label = ""
    if autopsy.mode == "stereo" and incident.kind_key == "barge-in":
        if incident.severity == CRITICAL and incident.bound_sec is not None:
            label = f"yield --max-talk-over {incident.bound_sec:g}"
        elif is_short_stop(incident):
            label = "hold"
    if label:
        onset = f"{incident.t_sec:.3f}".rstrip("0").rstrip(".")
        named = recording_words(autopsy, call, "--stereo ")
        return piped(f"hotato run {named}{detector_words(call)} --onset {onset} --expect {label}")
    return autopsy_gate(recording_words(autopsy, call) + detector_words(call), incident.severity.lower())


def pin_command(
    autopsy: Autopsy, incident: Incident, folder: str | None = None, recordings: str | None = None
) -> str:
    """The command that pins an incident as a contract; empty where none can be made of it.

    Args:
        autopsy: the autopsy that holds it.
        incident: the incident.
        folder: where the envelope was written, where that is not the usual folder.
        recordings: the folder of the recording, where that is not below the working folder.
    """
    if autopsy.mode != "stereo" or autopsy.unjudged is not None or incident.kind_key not in PINNABLE:
        return ""
    if autopsy.source == _STDIN:
        return ""  # there is no file to cut the moment from
    where = "" if folder is None else f" --from {_file(folder)}"
    where += "" if recordings is None else f" --folder {_file(recordings)}"
    return f"hotato pin {incident.id}{where}"


def kept_by(autopsy: Autopsy, incident: Incident, call: Call | None) -> str:
    """The command that keeps an incident as a test: it pins it, or where it cannot, it is a gate.

    It is for a page, which lies beside its JSON and never says in which folder; see `WHERE`.
    """
    return pin_command(autopsy, incident) or gate_command(autopsy, incident, call)


def autopsy_gate(recording: str, severity: str) -> str:
    """The autopsy as a gate that closes at `severity`, for a recording as a command line names it."""
    return piped(f"hotato autopsy {recording} --fail-on {severity}")


def is_short_stop(incident: Incident) -> bool:
    """Whether the agent gave way to a sound so short that it may only have been an acknowledgement.

    It is the one interruption that is held against no limit.
    """
    return incident.kind_key == "barge-in" and incident.severity != CRITICAL and incident.bound_sec is None


def frames_command(autopsy: Autopsy, call: Call | None) -> str | None:
    """The command that writes the frames behind the numbers; None where the parties are not told apart."""
    if autopsy.mode != "stereo" or not isinstance(call, Heard):
        return None
    named = recording_words(autopsy, call, "--stereo ") + detector_words(call)
    return piped(f"hotato run {named} --dump-frames frames.json --no-fail")


def scan_command(autopsy: Autopsy, call: Call | None) -> str:
    """The command that lists every timing moment."""
    return piped(f"hotato scan {recording_words(autopsy, call, '--stereo ')}{detector_words(call)}")


def where_words(autopsy: Autopsy, call: Call | None) -> str:
    """What a page says once about where its commands are to be run."""
    names = [recording.name for recording in call.recordings] if isinstance(call, Heard) else [autopsy.source]
    return PIPED if _STDIN in names else WHERE


def _file(name: str) -> str:
    """A file's base name as an argument: never read as an option, and `-` for standard input."""
    if name == _STDIN:
        return _DASH
    return shown(shlex.quote(f"./{name}" if name.startswith("-") else name), _COMMAND_CHARS)
