"""From the options that name a recording to what was heard in it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from hotato.cli.progress import progress_of
from hotato.errors import Refusal, UsageError
from hotato.plain import as_text
from hotato.stacks import ChannelMap, channel_map

if TYPE_CHECKING:
    from hotato.listen import Call, Detector, Heard


@dataclass(frozen=True)
class CallFiles:
    """Which file or files hold a call, and which channel is whom.

    Attributes:
        stereo: path of one recording with both parties, or None.
        caller: path of the caller's own recording, or None.
        agent: path of the agent's own recording, or None.
        caller_start_sec: when the caller's recording begins on the call's clock.
        agent_start_sec: when the agent's recording begins on the call's clock.
        stack: platform name, or None.
        caller_channel: channel number that the user gave, or None.
        agent_channel: channel number that the user gave, or None.
    """

    stereo: str | None = None
    caller: str | None = None
    agent: str | None = None
    caller_start_sec: float = 0.0
    agent_start_sec: float = 0.0
    stack: str | None = None
    caller_channel: int | None = None
    agent_channel: int | None = None

    @property
    def given(self) -> bool:
        """Whether any recording was named."""
        return self.stereo is not None or self.caller is not None

    @property
    def sources(self) -> tuple[tuple[str, float], ...]:
        """The files, the caller's first, and when each begins on the call's clock."""
        files = (
            (self.stereo, 0.0),
            (self.caller, self.caller_start_sec),
            (self.agent, self.agent_start_sec),
        )
        return tuple((path, start_sec) for path, start_sec in files if path is not None)

    @property
    def words(self) -> str:
        """The call as it was named on the command line, ready to be pasted into another one."""
        named = {
            "--caller": _pasted(self.caller),
            "--agent": _pasted(self.agent),
            "--caller-start": self.caller_start_sec or None,
            "--agent-start": self.agent_start_sec or None,
            "--stack": self.stack,
            "--caller-channel": self.caller_channel,
            "--agent-channel": self.agent_channel,
        }
        pairs = [(flag, str(value)) for flag, value in named.items() if value is not None]
        stereo = _pasted(self.stereo)
        return shlex.join([*([] if stereo is None else [stereo]), *chain.from_iterable(pairs)])

    @property
    def channels(self) -> ChannelMap:
        """The channel map of the stack and the flags."""
        return channel_map(self.stack, caller=self.caller_channel, agent=self.agent_channel)


def _pasted(path: str | None) -> str | None:
    """A path as a command line takes it: a name that begins with a dash would be read as a flag."""
    return f"./{path}" if path is not None and path.startswith("-") and path != "-" else path


def take_call(values: dict[str, Any]) -> CallFiles:
    """The call that a command's parameters name.

    Args:
        values: the parameters; those that say which recording and whose channels are removed from it.

    Raises:
        UsageError: the same thing named twice, half a pair, or a start without a pair.
    """

    def take(name: str) -> Any:
        return values.pop(name, None)

    recording, stereo = take("recording"), take("stereo")
    if recording is not None and stereo is not None:
        raise UsageError("the recording is named twice", "name it as FILE or with --stereo")
    call = CallFiles(
        stereo=stereo if recording is None else recording,
        caller=take("caller"),
        agent=take("agent"),
        caller_start_sec=take("caller_start") or 0.0,
        agent_start_sec=take("agent_start") or 0.0,
        stack=take("stack"),
        caller_channel=take("caller_channel"),
        agent_channel=take("agent_channel"),
    )
    _check(call)
    return call


def _check(call: CallFiles) -> None:
    if call.stereo is not None and (call.caller is not None or call.agent is not None):
        raise UsageError(
            "a recording of both parties and separate files were named",
            "pass one recording, or --caller and --agent",
        )
    if (call.caller is None) != (call.agent is None):
        missing = "--agent" if call.agent is None else "--caller"
        raise UsageError(f"{missing} is missing", "separate files come as a pair: --caller FILE --agent FILE")
    if call.caller is None and (call.caller_start_sec or call.agent_start_sec):
        raise UsageError("a start was given without separate files", "use it with --caller and --agent")
    if call.caller is not None and (call.caller_channel, call.agent_channel) != (None, None):
        raise UsageError(
            "channels were numbered for separate files", "each file has one channel; leave them out"
        )
    if call.caller == "-" and call.agent == "-":
        raise UsageError("standard input cannot be both parties", "name a file for one of them")


def require_call(call: CallFiles) -> None:
    """Refuse a command line that names no recording."""
    if not call.given:
        raise UsageError("no recording was named", "pass FILE, or --caller FILE --agent FILE")


def hear_call(
    call: CallFiles,
    *,
    backend: str = "energy",
    detector: Detector = "auto",
    keep_samples_bytes: int = 0,
) -> Call:
    """Decode the call's file or files, with progress on a terminal, and tell the parties apart."""
    from hotato.listen import hear, tell_apart

    channels = call.channels
    hearings = []
    for source, start_sec in call.sources:
        with progress_of(source) as progress:
            hearings.append(
                hear(
                    source,
                    start_sec=start_sec,
                    backend=backend,
                    keep_samples_bytes=keep_samples_bytes,
                    digests="file" if len(call.sources) == 1 else "all",
                    progress=progress,
                )
            )
    heard = hearings[0] if len(hearings) == 1 else (hearings[0], hearings[1])
    return tell_apart(heard, channels, detector=detector)


def require_parties(call: Call, instead: str | None = None) -> Heard:
    """Refuse a call on a single channel, or on two equal ones, where the parties have to be told apart.

    Args:
        call: what was heard.
        instead: what the reader can do with such a recording, added to the next step.
    """
    from hotato.listen import Mixed, mono

    if isinstance(call, Mixed):
        refusal = mono(call.name)
        remedies = [remedy for remedy in (refusal.remedy, instead) if remedy]
        raise Refusal(refusal.code, refusal.message, "; ".join(remedies))
    if call.identical:
        raise Refusal(
            "identical_channels",
            f"both channels of '{call.name}' carry {call.shared_sound}, so caller and agent cannot be told "
            "apart",
            "; ".join(part for part in ("export the parties before they are mixed", instead) if part),
        )
    return call


_OWN_STATE = ' --state ".hotato/${f##*/}.json"'
"""A state holds one recording's moments: each of several recordings needs its own."""


def shell_loop(command: str, folder: str | None = None) -> str:
    """The line that runs a command on several recordings, one after the other.

    Args:
        command: its name.
        folder: where they are; the working folder when left out.
    """
    files = "*.wav"
    if folder is not None:
        place = (_pasted(folder) or "").rstrip("/")
        files = f"{place and shlex.quote(place)}/*"
    own = _OWN_STATE if command == "investigate" else ""
    return f'for f in {files}; do hotato {command} "$f"{own}; done'


def nearby_path(source: str | None) -> str | None:
    """A recording's path as an artifact may state it: relative and inside the working folder, else None.

    An absolute path would say where the artifact was made.
    """
    if source is None or source == "-":
        return None
    path = PurePath(source)
    if path.is_absolute() or ".." in path.parts:
        return None
    return as_text(path.as_posix())


def far_folder(sources: Sequence[tuple[str, float]]) -> str | None:
    """The folder of the recordings as typed, where an artifact may not state it (see `nearby_path`)."""
    far = [path for path, _ in sources if path != "-" and nearby_path(path) is None]
    return os.path.dirname(far[0]) or None if far else None  # noqa: PTH120 (as it was typed)


def is_folder(path: str) -> bool:
    """Whether a path is a folder; whatever cannot be asked about is left to whoever opens it."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False
