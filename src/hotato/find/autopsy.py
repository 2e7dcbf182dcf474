"""One recording, opened: candidates graded into incidents, in words and numbers for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from hotato.find.costs import CostConfig
from hotato.find.dominance import Standing
from hotato.find.facts import detail, facts
from hotato.find.graded import graded
from hotato.find.health import (
    all_doubts,
    health,
    leading,
    local_doubts,
    not_judged,
    ordinary,
    part_doubts,
    reservations,
    unjudged,
)
from hotato.find.mixed import mixed_autopsy
from hotato.find.params import GradeParams, ScanParams
from hotato.find.partial import partial
from hotato.find.records import CRITICAL, WARNING, Autopsy, Incident, recording_id
from hotato.find.wording import NAMES, clause, headline, sentence, title
from hotato.listen import Call, Heard, Mixed
from hotato.timing import measure_floor
from hotato.trust import examine

UNJUDGED_NOTE = (
    "What is listed was measured on the two channels as they are; none of it is a verdict on turn-taking."
)
NOTE = "Two channels, one party each: the timing is measured. It says who sounded when, not what was meant."
COST_LABEL = "est. cost"


def autopsy(
    call: Call,
    costs: CostConfig | None = None,
    *,
    params: ScanParams | None = None,
    limits: GradeParams | None = None,
) -> Autopsy:
    """The incidents of one call, worst first.

    On a single channel that mixes both parties, or on two with one sound, only silences can be judged.

    Args:
        call: what was heard.
        costs: the user's own figures, for estimated costs.
        params: thresholds of the walk.
        limits: thresholds of the grading.
    """
    params, limits = params or ScanParams(), limits or GradeParams()
    if isinstance(call, Mixed) or call.identical:
        opened = mixed_autopsy(call, params, limits)
    else:
        opened = _two_party(call, params, limits)
    return opened if costs is None else _priced(opened, costs)


def _two_party(heard: Heard, params: ScanParams, limits: GradeParams) -> Autopsy:
    trust = examine(heard)
    walked = graded(heard, trust, params, limits)
    heard, candidates, found = walked.heard, walked.candidates, walked.standing
    identity = recording_id(heard.file_sha256)
    incidents = tuple(incident_of(one, rank, identity, heard) for rank, one in enumerate(found, 1))
    told = headline(incidents, tuple(clause(one.grade) for one in found)) if incidents else ""
    why, unread = unjudged(trust), partial(trust.findings)
    touched = local_doubts(candidates, walked.grades)
    fine, cause = "" if why else ordinary(walked.grader, candidates), leading(trust)
    aside = "; ".join(part for part in (fine, reservations(heard, candidates, trust, touched)) if part)
    closing = f" {sentence(aside)}" if aside else ""
    if not incidents and not why:
        where = " in the part that was heard" if unread else ""
        told = f"No incident found{where}.{closing}"
    elif not incidents and not cause:
        cause = not_judged(why)
    note = NOTE if why is None else UNJUDGED_NOTE
    return Autopsy(
        id=identity,
        source=heard.name,
        duration_sec=round(heard.duration_sec, 3),
        channels=sum(recording.channels for recording in heard.recordings),
        sample_rate_hz=heard.grid.sample_rate_hz,
        mode="stereo",
        sentence=f"{cause} {told}".strip(),
        incidents=incidents,
        floor=measure_floor(heard.caller.activity, heard.agent.activity),
        health=health(trust),
        note=note + (closing if incidents else ""),
        unjudged=why,
        doubts=(*all_doubts(heard, trust), *part_doubts(heard), *touched),
        partial=unread,
    )


def incident_of(found: Standing, rank: int, identity: str, heard: Heard) -> Incident:
    """A grade that stands, in words and numbers for a person.

    Args:
        found: the grade.
        rank: its place, from 1.
        identity: the recording's id.
        heard: the call.
    """
    grade, candidate = found.grade, found.grade.candidate
    return Incident(
        rank=rank,
        id=f"{identity}#{rank}",
        kind=NAMES[grade.kind_key],
        kind_key=grade.kind_key,
        severity=CRITICAL if grade.critical else WARNING,
        t_sec=candidate.t_sec,
        span=candidate.span,
        title=title(grade),
        sentence=sentence(clause(grade)),
        detail=detail(candidate),
        headline=grade.headline,
        bound_sec=grade.bound_sec,
        boundary_sensitive=grade.boundary_sensitive,
        measurements=dict(candidate.durations),
        facts=facts(found, heard),
        scan_kind=candidate.kind,
        doubts=tuple(dict.fromkeys(reason.code for reason in candidate.doubts)),
        measured=dict(candidate.measured),
        agent_reaction=candidate.agent_reaction,
    )


def _priced(opened: Autopsy, costs: CostConfig) -> Autopsy:
    """The same autopsy with an estimated cost on every incident that the user gave a figure for."""
    incidents = tuple(_priced_incident(incident, costs) for incident in opened.incidents)
    return msgspec.structs.replace(opened, incidents=incidents, currency=costs.currency)


def _priced_incident(incident: Incident, costs: CostConfig) -> Incident:
    cost = costs.per_incident.get(incident.kind_key)
    if cost is None:
        return incident
    told = (COST_LABEL, f"{cost:.2f} {costs.currency} ({incident.kind_key})")
    return msgspec.structs.replace(incident, cost=cost, facts=(*incident.facts, told))


def autopsy_json(
    opened: Autopsy,
    *,
    report_path: str,
    envelope_path: str,
    source_path: str | None = None,
    call: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The documented JSON of an autopsy; keys that the documented edition lacks come last.

    Args:
        opened: the autopsy.
        report_path: where the page was written, relative to the working folder.
        envelope_path: where the stored envelope was written, likewise.
        source_path: the recording's path as the user gave it; its base name by default.
        call: how it was opened, see `opening`.
    """
    record = stored_envelope(opened, source_path=source_path, call=call)
    for shown, incident in zip(record["incidents"], opened.incidents, strict=True):
        shown["facts"] = [list(fact) for fact in incident.facts]
        shown["cost"] = incident.cost
    added = {key: record.pop(key) for key in _ADDED}
    record |= {"cost": _total(opened), "report_path": report_path, "envelope_path": envelope_path}
    return record | added


def stored_envelope(
    opened: Autopsy, *, source_path: str | None = None, call: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What is kept beside the report, so that incidents can be pinned later: measured facts, no cost.

    Args:
        opened: the autopsy.
        source_path: the recording's path as the user gave it; its base name by default.
        call: how it was opened, see `opening`; None where nobody can open it again.
    """
    return {
        "tool": "hotato",
        "kind": "autopsy",
        "schema_version": "1",
        "id": opened.id,
        "source": opened.source,
        "source_path": source_path or opened.source,
        "duration_sec": opened.duration_sec,
        "channels": opened.channels,
        "mode": opened.mode,
        "note": opened.note,
        "total_incidents": len(opened.incidents),
        "summary": {"critical": opened.critical, "warning": opened.warning},
        "incidents": [_incident_json(incident) for incident in opened.incidents],
        "sentence": opened.sentence,
        "sample_rate_hz": opened.sample_rate_hz,
        "floor": msgspec.to_builtins(opened.floor),
        "health": msgspec.to_builtins(opened.health),
        "unjudged": opened.unjudged,
        "doubts": list(opened.doubts),
        "call": None if call is None else dict(call),
        "partial": list(opened.partial),
    }


_ADDED = ("sentence", "sample_rate_hz", "floor", "health", "unjudged", "doubts", "call", "partial")


def opening(
    call: Call,
    files: Sequence[tuple[str | None, float]],
    *,
    stack: str | None = None,
    backend: str = "energy",
) -> dict[str, Any]:
    """How a call was opened: what has to be known to open it the same way again.

    Args:
        call: the call.
        files: for each of its files the path, None where it cannot be stated, and when it begins in seconds.
        stack: the platform that was named, or None.
        backend: which backend listened.
    """
    recordings = (call.recording,) if isinstance(call, Mixed) else call.recordings
    numbers: tuple[int | None, int | None] = (None, None)
    if not isinstance(call, Mixed) and call.channels.source == "flags":
        numbers = (call.channels.caller, call.channels.agent)
    return {
        "files": [
            {"name": recording.name, "path": path, "start_sec": start_sec}
            for recording, (path, start_sec) in zip(recordings, files, strict=True)
        ],
        "caller_channel": numbers[0],
        "agent_channel": numbers[1],
        "stack": stack,
        "detector": call.detector,
        "backend": backend,
    }


def _incident_json(incident: Incident) -> dict[str, Any]:
    return {
        "t_sec": incident.t_sec,
        "kind_key": incident.kind_key,
        "severity": incident.severity,
        "measurements": dict(incident.measurements),
        "detail": incident.detail,
        "plain_english": incident.sentence,
        "scan_kind": incident.scan_kind,
        "rank": incident.rank,
        "id": incident.id,
        "kind": incident.kind,
        "title": incident.title,
        "span": msgspec.to_builtins(incident.span),
        "headline": msgspec.to_builtins(incident.headline),
        "bound_sec": incident.bound_sec,
        "boundary_sensitive": incident.boundary_sensitive,
        "doubts": list(incident.doubts),
        "confidence": incident.confidence,
        "measured": msgspec.to_builtins(incident.measured),
        "agent_reaction": incident.agent_reaction,
        "facts": [list(fact) for fact in incident.facts if fact[0] != COST_LABEL],
    }


def _total(opened: Autopsy) -> dict[str, Any] | None:
    if opened.currency is None:
        return None
    priced = [incident.cost for incident in opened.incidents if incident.cost is not None]
    return {
        "currency": opened.currency,
        "estimated_total": round(sum(priced), 2),
        "priced_incidents": len(priced),
    }
