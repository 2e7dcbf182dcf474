"""One recording, investigated: where it came from, whether a verdict may rest on it, and the moments in it
that a person may want to label, the likeliest failure first.

`#N` of the state that is kept is the Nth moment here. What an agent does right (it gives way promptly, it
talks through a short sound, it pauses for a breath) is left out unless everything is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import msgspec

from hotato.errors import EXIT_PASS, EXIT_REFUSE
from hotato.find.autopsy import incident_of
from hotato.find.graded import Graded, graded
from hotato.find.labels import OVERLAPS, Expectation, fitting_labels
from hotato.find.listing import channel_config
from hotato.find.mixed import mixed_autopsy
from hotato.find.origin import Origin
from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import Candidate, Incident, recording_id
from hotato.find.scan import NOTE, candidate_json
from hotato.listen import Call, Heard, Mixed
from hotato.trust import Acoustic, TrustReport, acoustic, examine

MODE = "contract"


@dataclass(frozen=True, eq=False)
class Ranked:
    """A candidate in the order in which a person wants to see it.

    Attributes:
        rank: its place, from 1: the N of `#N`.
        candidate: the moment.
        incident: what it amounts to, or None for a moment that is no incident.
        labels: the labels that fit, likeliest first.
        likely: it is the likeliest failure of the recording.
        ordinary: the agent did there what it should, or another candidate describes the same moment.
    """

    rank: int
    candidate: Candidate
    incident: Incident | None
    labels: tuple[Expectation, ...]
    likely: bool
    ordinary: bool


@dataclass(frozen=True, eq=False)
class Investigation:
    """What one recording gave.

    Attributes:
        call: what was heard.
        path: the recording, from the working folder.
        origin: how it arrived.
        trust: its health, for a moment to be pinned.
        sound: what its channels sound like.
        stack: the platform that was named, or None.
        min_gap_sec: shortest silence that is a candidate.
        confirmed: a person vouched for the channels.
        ranked: the candidates, likeliest failure first; none for a recording that cannot be scored.
        left_out: how many ordinary candidates are not among them.
        silences: of a recording without two parties, where they were asked for: symptoms, at most.
    """

    call: Call
    path: str
    origin: Origin
    trust: TrustReport
    sound: Acoustic
    stack: str | None
    min_gap_sec: float
    confirmed: bool
    ranked: tuple[Ranked, ...] = ()
    left_out: int = 0
    silences: tuple[Incident, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 where candidates could be looked for, 2 for a recording that cannot be scored."""
        return EXIT_PASS if self.trust.candidate_eligible else EXIT_REFUSE

    @property
    def source(self) -> str:
        """The recording's name in its folder."""
        return PurePosixPath(self.path).name


def investigate(
    call: Call,
    *,
    path: str,
    origin: Origin,
    stack: str | None = None,
    confirmed: bool = False,
    everything: bool = False,
    mono: bool = False,
    params: ScanParams | None = None,
    limits: GradeParams | None = None,
) -> Investigation:
    """Look into one recording.

    Args:
        call: what was heard.
        path: the recording as an artifact may state it, from the working folder.
        origin: how it arrived.
        stack: the platform that was named, or None.
        confirmed: a person vouches for which channel is whom.
        everything: list ordinary moments as well, after the others.
        mono: show the silences of a recording that mixes the parties; no label can be held against them.
        params: thresholds of the walk.
        limits: thresholds of the grading.
    """
    params, limits = params or ScanParams(), limits or GradeParams()
    trust = examine(call, confirmed=confirmed, mode=MODE)
    ranked: tuple[Ranked, ...] = ()
    left_out = 0
    if trust.candidate_eligible and not isinstance(call, Mixed):
        ranked = _ranked(graded(call, trust, params, limits))
        shown = tuple(one for one in ranked if everything or not one.ordinary)
        ranked, left_out = shown, len(ranked) - len(shown)
    return Investigation(
        call=call,
        path=path,
        origin=origin,
        trust=trust,
        sound=acoustic(call),
        stack=stack,
        min_gap_sec=params.min_gap_sec,
        confirmed=confirmed,
        ranked=ranked,
        left_out=left_out,
        silences=_silences(call, params, limits) if mono else (),
    )


def _silences(call: Call, params: ScanParams, limits: GradeParams) -> tuple[Incident, ...]:
    mixed = isinstance(call, Mixed) or call.identical
    return mixed_autopsy(call, params, limits).incidents if mixed else ()


def _ranked(walked: Graded) -> tuple[Ranked, ...]:
    """Incidents that a label fits, worst first; then what is no incident; then caveats; then the ordinary."""
    heard, identity = walked.heard, recording_id(walked.heard.file_sha256)
    standing = {id(one.grade.candidate): (place, one) for place, one in enumerate(walked.standing)}
    found = []
    for place, candidate in enumerate(walked.candidates):
        at, one = standing.get(id(candidate), (place, None))
        short_stop = one is not None and one.grade.short_stop
        labels = fitting_labels(candidate.kind, short_stop=short_stop)
        ordinary = one is None and _is_ordinary(candidate, walked)
        key = (ordinary, not labels, one is None, at)
        incident = None if one is None else incident_of(one, at + 1, identity, heard)
        found.append((key, candidate, incident, labels))
    found.sort(key=lambda item: item[0])
    return tuple(
        Ranked(rank, candidate, incident, labels, rank == 1 and incident is not None, key[0])
        for rank, (key, candidate, incident, labels) in enumerate(found, 1)
    )


def _is_ordinary(candidate: Candidate, walked: Graded) -> bool:
    """Whether a candidate that does not stand as an incident is nothing to label either.

    A silence below every limit is ordinary, and so is an overlap as any change of speaker has, one that the
    agent handled as it should, and one whose moment an incident describes already.
    """
    if candidate.kind not in OVERLAPS or walked.grader.grade(candidate) is not None:
        return True
    least = walked.grader.limits.least_overlap_sec
    return candidate.measured["overlap_sec"].sec < least or walked.grader.ordinary(candidate) is not None


def verdict_status(found: Investigation) -> dict[str, Any]:
    """Whether a labelled moment of the recording may carry a verdict, and why not."""
    trust = found.trust
    return {"eligible": trust.verdict_eligible, "reason": trust.verdict_ineligible_reason, "mode": MODE}


def ranked_json(one: Ranked, source: str) -> dict[str, Any]:
    """One candidate: the documented keys, then ours."""
    told = candidate_json(one.candidate)
    documented = {name: told.pop(name) for name in ("t_sec", "kind", "durations", "agent_reaction")}
    incident = one.incident
    return {
        **documented,
        "source": source,
        "rank": one.rank,
        "labels": list(one.labels),
        "most_likely_failure": one.likely,
        "ordinary": one.ordinary,
        "incident": None if incident is None else _incident_json(incident),
        **told,
    }


def _incident_json(incident: Incident) -> dict[str, Any]:
    return {
        "kind": incident.kind,
        "kind_key": incident.kind_key,
        "severity": incident.severity,
        "title": incident.title,
        "plain_english": incident.sentence,
        "headline": msgspec.to_builtins(incident.headline),
        "bound_sec": incident.bound_sec,
        "boundary_sensitive": incident.boundary_sensitive,
    }


def config_json(found: Investigation) -> dict[str, Any]:
    """The channels and the thresholds that were used."""
    call = found.call
    channels = channel_config(call.channels, found.stack) if isinstance(call, Heard) else {}
    return {
        "caller_channel": channels.pop("caller_channel", None),
        "agent_channel": channels.pop("agent_channel", None),
        "min_gap_sec": found.min_gap_sec,
        **channels,
        "channel_map_confirmed": found.trust.channel_map_confirmed,
    }


def investigation_json(
    found: Investigation, *, state_path: str, run: int | None, top: int, commands: list[dict[str, Any]]
) -> dict[str, Any]:
    """The documented JSON of an investigation; keys that the documented edition lacks come last.

    Args:
        found: the investigation.
        state_path: where its state is kept.
        run: the run's number there; None where nothing was kept.
        top: how many candidates to show, 0 for all.
        commands: what to do next about each of those, as `next` lists it.
    """
    trust = found.trust
    shown = found.ranked[:top] if top > 0 else found.ranked
    return {
        "tool": "hotato",
        "kind": "investigate",
        "schema_version": "1",
        "state_path": state_path,
        "run": run,
        "source": found.source,
        "capture_origin": msgspec.to_builtins(found.origin),
        "stack_config_snapshot": None,
        "trust": {
            "recommendation": trust.recommendation,
            "scorable": trust.scorable,
            "not_scorable_reason": trust.not_scorable_reason,
            "warnings": list(trust.warnings),
        },
        "acoustic": msgspec.to_builtins(found.sound),
        "verdict_status": verdict_status(found),
        "note": NOTE,
        "total_candidates": len(found.ranked),
        "shown": len(shown),
        "candidates": [ranked_json(one, found.source) for one in shown],
        "next": commands,
        "exit_code": found.exit_code,
        "ordinary_left_out": found.left_out,
        "next_step": trust.next_step,
        "config": config_json(found),
        "mono_silences": [
            _incident_json(one) | {"t_sec": one.t_sec, "confidence": one.confidence} for one in found.silences
        ],
    }
