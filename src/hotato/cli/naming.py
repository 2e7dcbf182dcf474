"""Names of the files that a command leaves: what made them, of which recording, and under which conditions.

The id of a recording is its content alone. The same recording opened under other conditions (other channels,
shifted files, another detector) has other results, so its files get a short digest of those conditions.
"""

from __future__ import annotations

import re
from typing import Any

from hotato.cli.listening import CallFiles
from hotato.cli.options import DEFAULT_BACKEND, DEFAULT_DETECTOR
from hotato.plain import as_text

DIGEST_CHARS = 6
_UNUSUAL = re.compile(r"[^A-Za-z0-9._-]+")


def stem(command: str, identity: str, call: CallFiles, **stated: Any) -> str:
    """The name of a command's files without their ending: `autopsy-apx-0123456789ab`, with `-1f2e3d` after it
    when the conditions are not the default ones.

    Args:
        command: what writes them.
        identity: the recording's id, or the suite's name.
        call: the recording and its channels.
        **stated: further conditions; None and the default detector stand for the default.
    """
    conditions = {
        **_arrangement(call),
        **{name: _plain(value) for name, value in stated.items() if value is not None},
    }
    for name, default in (("backend", DEFAULT_BACKEND), ("detector", DEFAULT_DETECTOR)):
        if conditions.get(name) == default:
            del conditions[name]
    name = f"{command}-{_UNUSUAL.sub('-', identity).strip('-.') or 'suite'}"
    if not conditions:
        return name
    from hotato.canonical import digest

    return f"{name}-{digest(conditions)[:DIGEST_CHARS]}"


def _plain(value: Any) -> Any:
    return as_text(value) if isinstance(value, str) else value


def _arrangement(call: CallFiles) -> dict[str, Any]:
    """How the call lies in its files, as far as that is not the caller first and all from the start."""
    if call.caller is not None:
        starts = {"caller_start_sec": call.caller_start_sec, "agent_start_sec": call.agent_start_sec}
        return {name: sec for name, sec in starts.items() if sec}
    channels = call.channels
    if (channels.caller, channels.agent) == (0, 1):
        return {}
    return {"caller_channel": channels.caller, "agent_channel": channels.agent}
