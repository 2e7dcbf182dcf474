"""A JSON of moments read again: what a scan, an investigation, an analysis or an autopsy listed, and of which
recordings. The file counts as hostile: nothing in it is believed that is not checked here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.canonical import decode_json, read_small
from hotato.errors import Refusal
from hotato.plain import shown
from hotato.stacks import STACK_NAMES, ChannelMap

LARGEST_BYTES = 1 << 26
"""No list of moments of ours is larger."""

ANALYSES = ("analyze", "sweep")
"""Kinds of JSON that list moments of several recordings."""

_STDIN = "stdin"
_ID_PREFIX = "apx-"

Text = Annotated[str, Meta(min_length=1, max_length=4096)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{12,64}$")]
Channel = Annotated[int, Meta(ge=0, le=255)]


def channel_config(channels: ChannelMap, stack: str | None) -> dict[str, Any]:
    """What `config` of a list states of the channels, so that a reference to it hears the same parties.

    Args:
        channels: the map that was used.
        stack: the platform that was named, or None.
    """
    return {
        "caller_channel": channels.caller,
        "agent_channel": channels.agent,
        "channels_from": channels.source,
        "stack": stack,
    }


@dataclass(frozen=True, slots=True)
class Listed:
    """One moment of a list.

    Attributes:
        source: its recording, a path relative to the list's folder.
        t_sec: when it is.
        kind: its kind.
        sha256: hex digest of the recording's bytes, or the first digits of it; None where nothing is stated.
        call_id: the platform's name of the call, or None.
        record: everything that the file says of it.
    """

    source: str
    t_sec: float
    kind: str
    sha256: str | None
    call_id: str | None
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a JSON of moments lists.

    Attributes:
        path: the file, as it was named.
        kind: `scan`, `analyze`, `sweep` or `autopsy`.
        folder: where its recordings were, relative to the working folder of that time.
        moments: in the order of the file.
        total: how many were found; more than `moments` where only the first were kept.
        channels: channels (caller, agent) that a person named then, or None.
        stack: the platform that was named then, or None.
    """

    path: str
    kind: str
    folder: str
    moments: tuple[Listed, ...]
    total: int
    channels: tuple[int, int] | None
    stack: str | None


class _Moment(msgspec.Struct, frozen=True):
    t_sec: Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
    kind: Text | None = None
    kind_key: Text | None = None
    scan_kind: Text | None = None
    source: Text | None = None
    call_id: Text | None = None


class _File(msgspec.Struct, frozen=True):
    source: Text
    sha256: Digest | None = None


class _Config(msgspec.Struct, frozen=True):
    caller_channel: Channel | None = None
    agent_channel: Channel | None = None
    channels_from: str | None = None
    stack: str | None = None


class _Head(msgspec.Struct, frozen=True):
    tool: str
    kind: str
    source: Text | None = None
    source_path: Text | None = None
    folder_path: Text | None = None
    sha256: Digest | None = None
    id: Text | None = None
    config: _Config = _Config()
    scanned: tuple[_File, ...] = ()
    recordings: tuple[_File, ...] = ()
    total_candidates: Annotated[int, Meta(ge=0)] = 0
    candidates: tuple[_Moment, ...] = ()
    incidents: tuple[_Moment, ...] = ()


def read_listing(path: str) -> Listing:
    """The moments in a JSON that hotato wrote.

    Args:
        path: the file, as a person named it.

    Raises:
        Refusal: `not_found` and the like, `not_json`, `repeated_key`, `not_a_candidate_file`, `paired`,
            `from_standard_input`.
    """
    value = _object(path)
    head = _convert(path, value)
    if len(head.recordings) > 1:
        raise Refusal(
            "paired",
            f"'{path}' lists moments of a call in two files, and a reference leads to one recording",
            "name both files, with --caller FILE --agent FILE --onset SECONDS",
        )
    listing = _READERS[head.kind](path, head, value)
    if any(moment.source == _STDIN for moment in listing.moments):
        raise Refusal(
            "from_standard_input",
            f"'{path}' lists moments of a recording that was read from standard input",
            "save the recording to a file and look for its moments there",
        )
    return listing


def _object(path: str) -> dict[str, Any]:
    data = read_small(path, "file of candidates", LARGEST_BYTES)
    try:
        value = decode_json(data, f"'{path}'")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_json", f"'{path}' is not a JSON file", _MADE_BY) from None
    if not isinstance(value, dict):
        raise _foreign(path)
    return value


def _convert(path: str, value: dict[str, Any]) -> _Head:
    if value.get("tool") != "hotato" or value.get("kind") not in tuple(_READERS):
        raise _foreign(path)
    try:
        return msgspec.convert(value, _Head)
    except msgspec.ValidationError as error:
        raise Refusal(
            "not_a_candidate_file", f"'{path}' is damaged: {shown(str(error))}", "make it again"
        ) from None


def _foreign(path: str) -> Refusal:
    return Refusal("not_a_candidate_file", f"'{path}' lists no candidates", _MADE_BY)


_MADE_BY = "name what 'hotato investigate', 'hotato scan --out' or 'hotato autopsy' wrote"


def _scan(path: str, head: _Head, value: Mapping[str, Any]) -> Listing:
    source = _source(path, head)
    moments = tuple(
        Listed(source[1], one.t_sec, one.kind or "", head.sha256, one.call_id, record)
        for one, record in zip(head.candidates, value.get("candidates", ()), strict=True)
    )
    return _listing(path, head, source[0], moments)


def _analysis(path: str, head: _Head, value: Mapping[str, Any]) -> Listing:
    digests = {file.source: file.sha256 for file in head.scanned}
    fallback = head.source_path and head.source_path.rpartition("/")[2]
    moments = []
    for one, record in zip(head.candidates, value.get("candidates", ()), strict=True):
        source = one.source or fallback
        if not source:
            raise _foreign(path)
        digest = digests.get(source, head.sha256)
        moments.append(Listed(source, one.t_sec, one.kind or "", digest, one.call_id, record))
    return _listing(path, head, head.folder_path or ".", tuple(moments))


def _autopsy(path: str, head: _Head, value: Mapping[str, Any]) -> Listing:
    folder, name = _source(path, head)
    digest = head.id.removeprefix(_ID_PREFIX) if head.id and head.id.startswith(_ID_PREFIX) else None
    moments = tuple(
        Listed(name, one.t_sec, one.scan_kind or one.kind_key or "", digest, None, record)
        for one, record in zip(head.incidents, value.get("incidents", ()), strict=True)
    )
    return _listing(path, head, folder, moments, total=len(moments))


def _source(path: str, head: _Head) -> tuple[str, str]:
    """Folder and name of the one recording."""
    named = head.source_path or head.source
    if named is None:
        raise _foreign(path)
    folder, _, name = named.rpartition("/")
    return folder or ("/" if named.startswith("/") else "."), name


def _listing(
    path: str, head: _Head, folder: str, moments: tuple[Listed, ...], total: int | None = None
) -> Listing:
    config = head.config
    numbers = (config.caller_channel, config.agent_channel)
    stack = config.stack if config.stack in STACK_NAMES else None
    named = config.channels_from == "flags" or (stack is None and numbers != (0, 1))
    by_hand = named and None not in numbers
    return Listing(
        path=path,
        kind=head.kind,
        folder=folder,
        moments=moments,
        total=max(len(moments), head.total_candidates) if total is None else total,
        channels=(numbers[0] or 0, numbers[1] or 0) if by_hand else None,
        stack=stack,
    )


_READERS = {"scan": _scan, **dict.fromkeys(ANALYSES, _analysis), "autopsy": _autopsy}
