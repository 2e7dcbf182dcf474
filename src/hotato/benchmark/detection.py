"""What autopsy and scan find against the truth: events found or missed, incidents real or false.

An event is found when a candidate of a fitting kind begins within the match tolerance of it. An incident is
real when the true spans hold what it says: for an overlap that both parties sounded together, up to its limit
where it is CRITICAL; for a silence that nobody sounded for as long. What the spans cannot tell, such as an
echo warning, is neither real nor false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotato.benchmark.params import PARAMS
from hotato.benchmark.records import EventRow, IncidentRow
from hotato.benchmark.truth import Moment, Truth, joint_sec, longest_silence_sec
from hotato.find import CRITICAL, Autopsy, Candidate, Incident, ScanParams

_INTERRUPTIONS = ("overlap_while_agent_talking", "dual_start", "first_turn_overlap", "resume_into_caller")
_AGENT_STARTS = (
    "agent_start_during_caller",
    "premature_start",
    "dual_start",
    "first_turn_overlap",
    "resume_into_caller",
)
_SILENCES = ("long_response_gap", "unanswered_turn", "agent_stop_no_caller")

FITTING = {
    "barge_in": _INTERRUPTIONS,
    "backchannel": _INTERRUPTIONS,
    "dual_start": (*_INTERRUPTIONS, "agent_start_during_caller"),
    "agent_over_caller": _AGENT_STARTS,
    "latency": _SILENCES,
    "dead_air": _SILENCES,
    "self_stop": _SILENCES,
}
"""Which kinds of candidates show which kind of event; other events are not looked for."""

_OVERLAPS = ("barge-in", "talk-over", "dual-start", "first-turn-overlap", "resume-into-caller")
_GAPS = ("dead-air", "latency-spike", "unanswered-turn", "double-reply")
_NOBODY = "echo_explained"


def onsets_found(found: Sequence[Candidate]) -> list[float]:
    """Times at which a caller was found to come in over the agent; an explained echo is nobody's."""
    return [
        candidate.t_sec
        for candidate in found
        if candidate.kind in _INTERRUPTIONS and all(reason.code != _NOBODY for reason in candidate.doubts)
    ]


def event_rows(truth: Truth, found: Sequence[Candidate], keys: dict[str, str]) -> Iterator[EventRow]:
    """Every event that can be found, and whether it was.

    A silence shorter than the least that scan lists is no event to find.

    Args:
        truth: the events.
        found: the candidates of the call.
        keys: where the call stands in the tables.
    """
    for moment in truth.moments:
        kinds = FITTING.get(moment.kind)
        if kinds is None or _too_short(moment, kinds):
            continue
        seen = any(_begins_at(candidate, moment.at_sec, kinds) for candidate in found)
        yield EventRow(**keys, kind=moment.kind, at_sec=round(moment.at_sec, 4), found=seen)


def _too_short(moment: Moment, kinds: Sequence[str]) -> bool:
    return kinds is _SILENCES and (moment.gap_sec is None or moment.gap_sec < ScanParams().min_gap_sec)


def _begins_at(candidate: Candidate, at_sec: float, kinds: Sequence[str]) -> bool:
    if candidate.kind not in kinds or any(reason.code == _NOBODY for reason in candidate.doubts):
        return False
    begins = (candidate.t_sec, candidate.span.start_sec)
    return any(abs(begin - at_sec) <= PARAMS.event_sec for begin in begins)


def incident_rows(truth: Truth, opened: Autopsy, keys: dict[str, str]) -> Iterator[IncidentRow]:
    """Every incident, and whether the true spans hold what it says."""
    for incident in opened.incidents:
        yield IncidentRow(
            **keys,
            kind_key=incident.kind_key,
            severity=incident.severity,
            t_sec=incident.t_sec,
            real=_real(incident, truth),
            codes=incident.doubts,
        )


def _real(incident: Incident, truth: Truth) -> bool | None:
    caller, agent = truth.caller, truth.agent
    if caller is None or agent is None:
        return None
    start = incident.span.start_sec - PARAMS.event_sec
    end = incident.span.end_sec + PARAMS.event_sec
    critical = incident.severity == CRITICAL
    if incident.kind_key in _OVERLAPS:
        least = incident.bound_sec if critical and incident.bound_sec else PARAMS.least_overlap_sec
        return joint_sec(caller, agent, start, end) >= least
    if incident.kind_key in _GAPS:
        bound = incident.bound_sec or 0.0
        # Widened by the tolerance on both sides, so a silence that is not there cannot become long enough.
        least = bound if critical else bound * PARAMS.least_share
        return longest_silence_sec([*caller, *agent], max(0.0, start), end) >= least
    return None
