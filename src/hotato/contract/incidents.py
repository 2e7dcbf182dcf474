"""From an incident that autopsy found to what is to be pinned: the envelope it left is read, nothing is found
anew.

| incident | label | limit |
|---|---|---|
| BARGE-IN, TALK-OVER, DUAL START, FIRST-TURN OVERLAP, RESUME INTO CALLER | yield | talk-over, as graded |
| BARGE-IN at which the agent stopped for a short sound | hold | |
| DEAD AIR, LATENCY SPIKE, UNANSWERED TURN | answer | the silence, as it was graded |
| ECHO SUSPECTED, DOUBLE REPLY | none: refused | |

A person may state another label of the same row's kind, and another limit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.canonical import decode_json, read_small
from hotato.contract.pin import Pin
from hotato.contract.records import Expectation
from hotato.errors import Refusal, UsageError
from hotato.find.labels import start_of
from hotato.listen import Detector
from hotato.plain import shown
from hotato.score.request import CALIBRATED

FOLDER = "hotato-output"
"""Where autopsy leaves its envelopes."""

_REF = re.compile(r"(?P<id>apx-[0-9a-f]{12})(?:#0*(?P<rank>[1-9][0-9]{0,8}))?")
_FORM = "write apx-0123456789ab or apx-0123456789ab#1, as 'hotato autopsy' prints it"
_LARGEST_BYTES = 1 << 26
_CRITICAL = "CRITICAL"

SILENCES = frozenset({"dead-air", "latency-spike", "unanswered-turn"})
OVERLAPS = frozenset({"barge-in", "talk-over", "dual-start", "first-turn-overlap", "resume-into-caller"})
_WHY_NOT = {
    "echo-suspected": "says that the caller's channel may carry the agent, against which no label holds",
    "double-reply": "is a second answer, and there is no label for how many answers a turn may get",
}

Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
Channel = Annotated[int, Meta(ge=0, le=63)]


class _Span(msgspec.Struct, frozen=True):
    start_sec: Seconds
    end_sec: Seconds


class _Incident(msgspec.Struct, frozen=True):
    rank: int
    kind: str
    kind_key: str
    severity: str
    t_sec: Seconds
    span: _Span
    bound_sec: Seconds | None = None
    scan_kind: str | None = None
    measurements: dict[str, float | None] = {}
    measured: dict[str, Any] = {}


class _File(msgspec.Struct, frozen=True):
    name: str
    path: str | None = None
    start_sec: Seconds = 0.0


class _Call(msgspec.Struct, frozen=True):
    """How the recording was opened."""

    files: tuple[_File, ...]
    caller_channel: Channel | None = None
    agent_channel: Channel | None = None
    stack: str | None = None
    detector: Detector = "auto"
    backend: str = "energy"


class _Stored(msgspec.Struct, frozen=True):
    """What is read of an envelope."""

    tool: str
    kind: str
    id: str
    source: str
    mode: str
    incidents: tuple[_Incident, ...]
    source_path: str | None = None
    unjudged: str | None = None
    call: _Call | None = None


@dataclass(frozen=True, slots=True)
class PinParams:
    """How an incident becomes a moment.

    Attributes:
        pre_sec: seconds kept before the onset.
        post_sec: seconds kept after it, at least.
    """

    pre_sec: float = 2.0
    post_sec: float = 6.0


@dataclass(frozen=True, slots=True)
class Found:
    """An incident as it was stored.

    Attributes:
        ref: `apx-<12 hex>#<rank>`.
        kind: its name for people.
        pin: what is to be pinned.
    """

    ref: str
    kind: str
    pin: Pin


def pin_of(
    ref: str,
    *,
    folder: str | None = None,
    recordings: str | None = None,
    expect: Expectation | None = None,
    **stated: object,
) -> Found:
    """What an incident's reference asks to be pinned.

    Args:
        ref: `apx-<12 hex>#<rank>`, or without a rank the worst critical incident.
        folder: where the envelope is, `FOLDER` if left out.
        recordings: the folder that holds the recording, where it is not where autopsy opened it.
        expect: another label than the incident's own.
        **stated: fields of `Pin` that a person stated; None counts as not stated.

    Raises:
        UsageError: it is no reference, or a label that does not fit the incident.
        Refusal: `not_found`, `not_an_envelope`, `no_such_incident`, `no_critical_incident`, `mono`,
            `not_pinnable`, `recording_missing`.
    """
    found = _REF.fullmatch(ref)
    if found is None:
        raise UsageError(f"'{shown(ref)}' is no reference to an incident", _FORM)
    place = Path(folder or FOLDER)
    path = _envelope(place, found["id"])
    stored = _read(path, found["id"])
    if stored.mode != "stereo":
        raise Refusal(
            "mono",
            f"'{shown(stored.source)}' was opened as one mixed channel, on which nobody is told apart",
            "export a recording with the caller on one channel and the agent on the other, and open that one",
        )
    if stored.unjudged is not None:
        raise Refusal(
            "not_pinnable", f"the recording cannot carry a verdict: {stored.unjudged}", "record it again"
        )
    incident = _incident(stored, found["rank"], ref)
    params = PinParams()
    label = _label(incident, expect)
    name = f"{stored.id}#{incident.rank}"
    chosen = {key: value for key, value in stated.items() if value is not None}
    chosen.setdefault("id", f"{stored.id}-{incident.rank}")
    chosen.setdefault("profile", CALIBRATED)  # incidents are graded at the raw energy edges
    bounds = _bounds(incident, label, stated)
    start = start_of(msgspec.to_builtins(incident), label)
    pin = Pin(
        expect=label,
        onset_sec=start.onset_sec,
        silence_from_sec=start.silence_from_sec,
        pre_sec=params.pre_sec,
        post_sec=max(params.post_sec, start.post_sec or 0.0),
        candidate_ref=name,
        candidate_kind=incident.scan_kind,
        recording_id=stored.id,
        widen=True,
        **_recording(stored, place, recordings),  # type: ignore[arg-type]
        **bounds,  # type: ignore[arg-type]
        **{key: value for key, value in chosen.items() if key not in bounds},  # type: ignore[arg-type]
    )
    return Found(name, incident.kind, pin)


def _envelope(folder: Path, identity: str) -> Path:
    """The envelope of a recording: the one of its plain opening, else the only one of another opening."""
    plain = folder / f"autopsy-{identity}.json"
    if plain.is_file():
        return plain
    try:
        others = sorted(folder.glob(f"autopsy-{identity}-*.json"))
    except OSError:
        others = []
    if len(others) == 1:
        return others[0]
    if others:
        names = ", ".join(shown(other.name) for other in others)
        raise Refusal(
            "ambiguous", f"{identity} was opened in several ways ({names})", "keep one of them in the folder"
        )
    raise Refusal(
        "not_found",
        f"'{folder}' holds no autopsy of {identity}",
        "run hotato autopsy on the recording first, or name the folder with --from",
    )


def _read(path: Path, identity: str) -> _Stored:
    try:
        stored: _Stored = decode_json(
            read_small(path, "autopsy envelope", _LARGEST_BYTES), f"'{path}'", _Stored
        )
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _not_an_envelope(path, str(error)) from error
    if (stored.tool, stored.kind, stored.id) != ("hotato", "autopsy", identity):
        raise _not_an_envelope(path, f"it is not that of {identity}")
    return stored


def _not_an_envelope(path: Path, why: str) -> Refusal:
    return Refusal(
        "not_an_envelope",
        f"'{path}' is no autopsy envelope: {why}",
        "run hotato autopsy on the recording again",
    )


def _incident(stored: _Stored, rank: str | None, ref: str) -> _Incident:
    if rank is not None:
        for incident in stored.incidents:
            if incident.rank == int(rank):
                return incident
        raise Refusal(
            "no_such_incident",
            f"{shown(ref)}: the autopsy found {len(stored.incidents)} incidents",
            f"name one of {stored.id}#1 to #{len(stored.incidents)}" if stored.incidents else None,
        )
    critical = sorted(
        (one for one in stored.incidents if one.severity == _CRITICAL), key=lambda one: one.rank
    )
    if critical:
        return critical[0]
    remedy = f"name one, such as {stored.id}#1" if stored.incidents else None
    raise Refusal("no_critical_incident", f"{stored.id} has no critical incident", remedy)


def _label(incident: _Incident, expect: Expectation | None) -> Expectation:
    kind = incident.kind_key
    if kind in SILENCES:
        if expect not in (None, "answer"):
            raise UsageError(
                f"{shown(incident.kind)} is a silence, at which nobody held the floor for a {expect}",
                "expect answer, or leave --expect out",
            )
        return "answer"
    if kind not in OVERLAPS:
        why = _WHY_NOT.get(kind, "is of a kind that no label fits")
        raise Refusal("not_pinnable", f"{shown(incident.kind)} {why}", "pin another incident")
    if expect == "answer":
        raise UsageError(f"{shown(incident.kind)} is an overlap and no silence", "expect yield or hold")
    short_stop = kind == "barge-in" and incident.severity != _CRITICAL and incident.bound_sec is None
    return expect or ("hold" if short_stop else "yield")


def _bounds(incident: _Incident, label: Expectation, stated: dict[str, object]) -> dict[str, float]:
    """The limit that a person stated, else the one that the incident was graded against."""
    if label == "answer":
        limit = stated.get("max_response_gap_sec") or incident.bound_sec
        if not isinstance(limit, float):
            raise UsageError(f"{shown(incident.kind)} was held against no limit", "pass --max-response-gap S")
        return {"max_response_gap_sec": limit}
    limit = stated.get("max_talk_over_sec")
    if limit is None:
        limit = incident.bound_sec
    if label == "yield" and isinstance(limit, float):
        return {"max_talk_over_sec": limit}
    return {}


def _recording(stored: _Stored, folder: Path, home: str | None) -> dict[str, object]:
    """The recording's file or files, looked for where they were opened, and how they were opened."""
    call = stored.call or _Call((_File(stored.source, stored.source_path),))
    if call.backend != "energy":
        raise Refusal(
            "not_pinnable",
            f"the autopsy was made by the {shown(call.backend)} detector, and contracts are judged by energy",
            "run hotato autopsy without --backend",
        )
    paths = [_located(file, folder, home) for file in call.files]
    how: dict[str, object] = {"detector": call.detector, "stack": call.stack}
    if len(paths) == 2:
        first, second = call.files
        return how | {
            "caller": paths[0],
            "agent": paths[1],
            "caller_start_sec": first.start_sec,
            "agent_start_sec": second.start_sec,
        }
    return how | {
        "stereo": paths[0],
        "caller_channel": call.caller_channel,
        "agent_channel": call.agent_channel,
    }


def _located(file: _File, folder: Path, home: str | None) -> str:
    """The path of a recording: in the named folder, else as it was opened, here or beside the envelope."""
    base = Path(file.name).name
    if home is not None:
        tries = [Path(home, base)]
    else:
        tries = [Path(file.path)] if file.path else []
        tries += [Path(base), folder / base, folder.parent / base] if base else []
    for path in tries:
        try:
            if path.is_file():
                return path.as_posix()
        except (OSError, ValueError):
            continue
    raise Refusal(
        "recording_missing",
        f"the recording '{shown(file.path or file.name)}' is not "
        + (f"in '{shown(home)}'" if home is not None else "below this folder"),
        "name the folder that holds it with --folder DIR",
    )
