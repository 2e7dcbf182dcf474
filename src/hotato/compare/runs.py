"""Runs as they are compared: an envelope, a file of one, or a folder of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from hotato.canonical import decode_json, listing_digest, read_small
from hotato.compare.records import Scored
from hotato.errors import Refusal
from hotato.plain import shown

LARGEST_ENVELOPE_BYTES = 1 << 26
"""A larger file is no envelope of a run."""

LARGEST_RUN_BYTES = 1 << 28
"""Most bytes of all envelopes of a folder together."""

_REMEDY = "make one with hotato run --format json"


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of a run; further keys are ignored."""

    events: tuple[Scored, ...]
    profile: str = "documented"


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """Scored events and where they come from.

    Attributes:
        name: the file or folder, as it was named.
        events: its events, each with the profile that measured it.
        sha256: of the file, or over the files of the folder (`canonical.listing_digest`).
        folder: where its recordings may lie.
    """

    name: str
    events: tuple[Scored, ...]
    sha256: str
    folder: Path


def events_of(envelope: Mapping[str, Any], what: str = "the base") -> tuple[Scored, ...]:
    """The events of an envelope, each with the profile that measured it.

    Args:
        envelope: the JSON of a run.
        what: what to call it in a refusal.

    Raises:
        Refusal: `not_an_envelope`, naming the field.
    """
    try:
        run = msgspec.convert(envelope, type=_Run)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _no_envelope(what, str(error)) from error
    profile = run.profile
    return tuple(
        event if event.profile is not None else msgspec.structs.replace(event, profile=profile)
        for event in run.events
    )


def read_run(path: str | os.PathLike[str], *, name: str | None = None) -> Run:
    """The run in an envelope file, or in all envelopes of a folder.

    Args:
        path: a JSON file of `hotato run --format json`, or a folder of such files; every `*.json` of the
            folder has to be one.
        name: what results call the run; the path as it was typed when left out.

    Raises:
        Refusal: `not_an_envelope` (also for an event without a label), `repeated_key`, `no_envelopes`,
            `too_large`, or whatever `canonical.read_small` refuses.
    """
    place = Path(path)
    typed = os.fspath(path)
    if not _is_folder(place):
        data = read_small(path, "run envelope", LARGEST_ENVELOPE_BYTES)
        return Run(name or typed, _labelled(data, typed), hashlib.sha256(data).hexdigest(), place.parent)
    names = sorted(entry.name for entry in place.iterdir() if entry.suffix == ".json")
    if not names:
        raise Refusal("no_envelopes", f"'{typed}' holds no JSON file", _REMEDY)
    contents: dict[str, bytes] = {}
    events: list[Scored] = []
    left = LARGEST_RUN_BYTES
    for entry in names:
        data = read_small(place / entry, "run envelope", min(left, LARGEST_ENVELOPE_BYTES))
        left -= len(data)
        contents[os.fsencode(entry).decode(errors="replace")] = data
        events += _labelled(data, os.path.join(typed, entry))  # noqa: PTH118 (shown as it was typed)
    return Run(name or typed, tuple(events), listing_digest(contents), place)


def _is_folder(place: Path) -> bool:
    try:
        return place.is_dir()
    except (OSError, ValueError):
        return False


def _labelled(data: bytes, name: str) -> tuple[Scored, ...]:
    """The events of an envelope that a person named; an event without a label compares with nothing."""
    what = f"'{name}'"
    try:
        value = decode_json(data, what)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_envelope(what, "it is no JSON") from error
    if not isinstance(value, dict):
        raise _no_envelope(what, "it holds no JSON object")
    events = events_of(value, what)
    bare = next((event.event_id for event in events if event.expect is None), None)
    if bare is not None:
        raise _no_envelope(what, f"its event '{shown(bare)}' states no label")
    return events


def _no_envelope(what: str, why: str) -> Refusal:
    return Refusal("not_an_envelope", f"{what} is not the JSON of a run: {shown(why, 300)}", _REMEDY)
