"""References to a moment that was found earlier: `FILE#N`, the Nth of a JSON of moments, or `FILE#CALL:N`,
the Nth of one call of it. The recording behind it is looked for on disk and must be the one that was heard.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from hotato.errors import Refusal, UsageError
from hotato.find.listing import ANALYSES, Listed, Listing, read_listing
from hotato.find.records import recording_id
from hotato.plain import shown

FORM = "write FILE#N, or FILE#CALL:N for the Nth moment of one call"

_NUMBER = re.compile(r"0*([1-9][0-9]{0,8})")
_INCIDENT = re.compile(r"apx-[0-9a-f]+#\d+")
_ID = re.compile(r"apx-[0-9a-f]{12}")
_CALLS_NAMED = 5


@dataclass(frozen=True, eq=False)
class Picked:
    """A moment that a reference leads to.

    Attributes:
        ref: the reference as it was written; None for a moment that a person named by its time.
        recording: path of the recording, to be opened from the working folder.
        sha256: digest (hex) of its bytes.
        source: the recording's name in the file, relative to the folder of its recordings.
        t_sec: when the moment is.
        kind: its kind; None for such a moment.
        rank: its place in the file, from 1; 0 for such a moment.
        call: the call that the reference names, or None.
        candidate: everything that the file says of it.
        channels: channels (caller, agent) that a person named when it was found, or None.
        stack: the platform that was named then, or None.
    """

    ref: str | None
    recording: str
    sha256: str
    source: str
    t_sec: float
    kind: str | None
    rank: int
    call: str | None
    candidate: dict[str, Any]
    channels: tuple[int, int] | None
    stack: str | None

    @property
    def shown_sec(self) -> float:
        """When the moment is, as reports show it: where it begins at the raw edges, else `t_sec`."""
        return begins_sec(self.candidate, self.t_sec)


def begins_sec(candidate: Mapping[str, Any], t_sec: float) -> float:
    """When a moment of a list begins, as reports show it: at the raw edges, else at `t_sec`."""
    span = candidate.get("span")
    start = span.get("start_sec") if isinstance(span, Mapping) else None
    if isinstance(start, bool) or not isinstance(start, int | float):
        return t_sec
    return float(start) if math.isfinite(start) and start >= 0 else t_sec


def call_ref(file: str, sha256: str, number: int) -> str:
    """The reference that a printed command names a moment by: `FILE#apx-0123456789ab:N`.

    It names the call by its content. Once FILE lists another call, the command is refused instead of leading
    to another moment; and it gives no name away.

    Args:
        file: the JSON of moments.
        sha256: digest (hex) of the recording's bytes, or its first digits.
        number: the moment's place among those of the call, from 1.
    """
    return f"{file}#{recording_id(sha256)}:{number}"


def pick(ref: str, *, folder: str | None = None) -> Picked:
    """The moment that `ref` leads to, and where its recording is.

    The recording is looked for where the file says that it was, from the working folder and from the file's
    own, then beside the file, and then from the folder above it: a state lies in `.hotato`, one below the
    folder in which it was made. Where the file states the sha256 of a recording, only that recording will
    do; without one, nothing outside those folders is opened.

    Args:
        ref: `FILE#N` or `FILE#CALL:N`; CALL is the recording's id (`apx-...`, made of its bytes), its name,
            with or without folder and ending, or the platform's id of the call.
        folder: look for the recording here, and nowhere else.

    Raises:
        UsageError: it is no reference.
        Refusal: `no_such_candidate`, `no_such_call`, `ambiguous_call`, `recording_missing`,
            `recording_changed`, `unsafe_path`; and see `read_listing`.
    """
    path, call, number = parse_ref(ref)
    listing = read_listing(path)
    ranked = list(enumerate(listing.moments, 1))
    if call is not None:
        ranked = _of_call(ranked, call, listing)
    if number > len(ranked):
        raise _no_such(number, call, len(ranked), listing)
    rank, moment = ranked[number - 1]
    recording, sha256 = _recording(moment, listing, folder)
    return Picked(
        ref=ref,
        recording=_typed(recording),
        sha256=sha256,
        source=moment.source,
        t_sec=moment.t_sec,
        kind=moment.kind,
        rank=rank,
        call=call,
        candidate=moment.record,
        channels=listing.channels,
        stack=listing.stack,
    )


def parse_ref(ref: str) -> tuple[str, str | None, int]:
    """File, call and number of a reference; the file is not opened.

    A '#' may stand in the names too: the last one that follows a file counts.

    Raises:
        UsageError: it is no reference.
    """
    splits = [(ref[: found.start()], ref[found.end() :]) for found in re.finditer("#", ref)]
    if not splits or not splits[-1][0]:
        raise UsageError(f"'{shown(ref)}' names no candidate", FORM)
    path, place = next((split for split in reversed(splits) if os.path.lexists(split[0])), splits[-1])
    if not os.path.lexists(path) and _INCIDENT.fullmatch(ref):
        raise UsageError(
            f"'{shown(ref)}' is the id of an incident, and no file", "'hotato pin' takes such ids; " + FORM
        )
    call, _, digits = place.rpartition(":")
    number = _NUMBER.fullmatch(digits)
    if number is None or (":" in place and not call):
        raise UsageError(f"'{shown(place)}' after '#' is no candidate's number, which begin at 1", FORM)
    return path, call or None, int(number[1])


def _of_call(ranked: list[tuple[int, Listed]], call: str, listing: Listing) -> list[tuple[int, Listed]]:
    """The moments of one call: by what its recording holds, its id, its path, its name, or its name without
    ending, in this order."""
    if _ID.fullmatch(call):
        fitting = [pair for pair in ranked if pair[1].sha256 and recording_id(pair[1].sha256) == call]
        if fitting:
            return fitting
    calls = {moment.call_id or moment.source: moment for _, moment in ranked}
    for names in (
        lambda moment: moment.call_id,
        lambda moment: moment.source,
        lambda moment: PurePosixPath(moment.source).name,
        lambda moment: PurePosixPath(moment.source).stem,
    ):
        fitting = [pair for pair in ranked if names(pair[1]) == call]
        if len({moment.source for _, moment in fitting}) > 1:
            raise Refusal(
                "ambiguous_call",
                f"'{call}' names several calls of '{listing.path}'",
                f"name one of them: {_some(sorted({moment.source for _, moment in fitting}))}",
            )
        if fitting:
            return fitting
    known = f"it lists moments of {_some(sorted(calls))}" if calls else "it lists no moments at all"
    if _ID.fullmatch(call):
        known += (
            "; look into the recording that you mean once more, and take the command that is printed then"
        )
    raise Refusal("no_such_call", f"'{listing.path}' lists no moment of a call '{call}'", known)


def _some(names: list[str]) -> str:
    more = len(names) - _CALLS_NAMED
    told = ", ".join(shown(name, 60) for name in names[:_CALLS_NAMED])
    return f"{told} and {more} more" if more > 0 else told


def _no_such(number: int, call: str | None, count: int, listing: Listing) -> Refusal:
    whose = "" if call is None else f" of '{call}'"
    kept = "candidate" if count == 1 else "candidates"
    remedy = f"choose #{'' if call is None else f'{call}:'}1" + (f" to {count}" if count > 1 else "")
    if not count:
        remedy = "nothing was found in that recording; look into another one"
    elif call is None and count < number <= listing.total:
        remedy = f"{listing.total} were found and {count} kept; make the file again with --top 0"
    return Refusal(
        "no_such_candidate", f"'{listing.path}' holds {count or 'no'} {kept}{whose}, so no #{number}", remedy
    )


def _typed(path: Path) -> str:
    """A path as a command takes it: a file of the name '-' is not standard input."""
    return "./-" if str(path) == "-" else str(path)


def _recording(moment: Listed, listing: Listing, folder: str | None) -> tuple[Path, str]:
    """Where the moment's recording is now, and the digest of its bytes."""
    source = PurePosixPath(moment.source)
    if source.is_absolute() or ".." in source.parts or "\0" in moment.source or not source.parts:
        raise Refusal(
            "unsafe_path",
            f"'{listing.path}' names a recording outside its folder ('{moment.source}')",
            "a reference leads only into the folder of the recordings; look for the moments again",
        )
    places = _places(source, moment, listing, folder)
    there = [path for path in places if _is_file(path)]
    if not there:
        looked = ", ".join(f"'{shown(os.fspath(path))}'" for path in dict.fromkeys(places))
        raise Refusal(
            "recording_missing",
            f"the recording '{moment.source}' of '{listing.path}' was not found; looked for {looked}",
            "name the folder that holds it with --folder DIR",
        )
    for path in there:
        digest = _sha256(path)
        if digest.startswith(moment.sha256 or ""):
            return path, digest
    raise Refusal(
        "recording_changed",
        f"'{there[0]}' is not the recording that '{listing.path}' was made from: its sha256 differs",
        "name the folder of the right one with --folder DIR, or look for the moments again",
    )


def _places(source: PurePosixPath, moment: Listed, listing: Listing, folder: str | None) -> list[Path]:
    """Where to look, in order."""
    if folder is not None:
        return [Path(folder, source), Path(folder, source.name)]
    beside, stated = Path(listing.path).parent, PurePosixPath(listing.folder)
    outside = stated.is_absolute() or ".." in stated.parts or "\0" in listing.folder
    places = [Path(stated, source), beside / stated / source] if moment.sha256 or not outside else []
    places.append(beside / source)
    if moment.sha256:
        above = beside / ".." if beside.name in ("", "..") else beside.parent
        places += [above / stated / source, above / source]
    return places if listing.kind in ANALYSES else [*places, Path(source)]


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _sha256(path: Path) -> str:
    """Digest of a recording's bytes.

    Raises:
        Refusal: `unreadable`.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        reason = (error.strerror or "input error").lower()
        raise Refusal("unreadable", f"cannot read '{path}': {reason}", "check the path") from None
