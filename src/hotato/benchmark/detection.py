"""What autopsy and scan find against the truth: events found or missed, incidents real or false.

An event is found when a candidate of a fitting kind begins within the match tolerance of it, and raised when
an incident of a fitting kind does, or is under way there. An incident is real when the truth holds what it
says: for an overlap that both parties sounded together, up to its limit where it is CRITICAL; for a silence
that nobody sounded for as long; for an echo that the line has one. What the truth cannot tell is neither real
nor false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UnsetType

from hotato.benchmark.params import PARAMS
from hotato.benchmark.records import EventRow, IncidentRow
from hotato.benchmark.spans import joint_sec, longest_silence_sec
from hotato.benchmark.stated import CALLER_ONSETS, ENDING_A_GAP, SILENCES
from hotato.benchmark.truth import Moment, Truth
from hotato.find import CRITICAL, Autopsy, Candidate, GradeParams, Incident, ScanParams
from hotato.score import Event
from hotato.timing import Span

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
"""Which kinds of candidates show which kind of event; of others scan has no candidate."""

_OVERLAPS = ("barge-in", "talk-over", "dual-start", "first-turn-overlap", "resume-into-caller")
_GAPS = ("dead-air", "latency-spike", "unanswered-turn", "double-reply")
_ECHO = "echo-suspected"
_NOBODY = "echo_explained"

Scored = Sequence[tuple[Moment, Event]]
"""Moments with what was measured of them, their onset given."""


def onsets_found(found: Sequence[Candidate]) -> list[float]:
    """Times at which a caller was found to come in over the agent; an explained echo is nobody's."""
    return [
        candidate.t_sec
        for candidate in found
        if candidate.kind in _INTERRUPTIONS and all(reason.code != _NOBODY for reason in candidate.doubts)
    ]


def event_rows(
    truth: Truth, found: Sequence[Candidate], opened: Autopsy, scored: Scored, keys: dict[str, str]
) -> Iterator[EventRow]:
    """Every event that can be found, whether it was, and whether autopsy raises it.

    A silence shorter than the least that scan lists is no event to find. A resume and a restart have no
    candidate of their own: what the score of the interruption before them says is held against them.

    Args:
        truth: the events.
        found: the candidates of the call.
        opened: its incidents.
        scored: its interruptions as they were measured with their onset given.
        keys: where the call stands in the tables.
    """
    for moment in truth.moments:
        kinds = FITTING.get(moment.kind)
        at_sec = round(moment.at_sec, 4)
        if moment.kind in ENDING_A_GAP:
            seen = any(_comes_back(*one, moment) for one in scored)
            yield EventRow(
                **keys,
                kind=moment.kind,
                at_sec=at_sec,
                found=seen,
                over_limit=None,
                raised=False,
                critical=False,
            )
        elif kinds is not None and not _too_short(moment, kinds):
            raised = [incident for incident in opened.incidents if _raises(incident, moment)]
            yield EventRow(
                **keys,
                kind=moment.kind,
                at_sec=at_sec,
                found=any(_begins_at(candidate, moment.at_sec, kinds) for candidate in found),
                over_limit=_over_limit(moment, truth),
                raised=bool(raised),
                critical=any(incident.severity == CRITICAL for incident in raised),
            )


def _comes_back(moment: Moment, event: Event, back: Moment) -> bool:
    """Whether a scored interruption says that the agent spoke again when `back` says it did."""
    resume, took = event.signals.resume, event.verdict.seconds_to_yield
    if isinstance(resume, UnsetType) or resume.resume_gap_sec is None or took is None:
        return False
    at_sec = (moment.onset_sec or 0.0) + took + resume.resume_gap_sec
    again = resume.restart_suspected or back.kind != "restart"
    return again and abs(at_sec - back.at_sec) <= PARAMS.event_sec


def _raises(incident: Incident, moment: Moment) -> bool:
    if incident.kind_key not in (_GAPS if moment.kind in SILENCES else _OVERLAPS):
        return False
    begins = min(incident.t_sec, incident.span.start_sec) - PARAMS.event_sec
    return begins <= moment.at_sec < max(incident.span.end_sec, begins + 2 * PARAMS.event_sec)


def _over_limit(moment: Moment, truth: Truth) -> bool | None:
    """Whether the truth lies beyond the limit of autopsy; an interruption counts within one caller turn."""
    limits = GradeParams()
    if moment.kind in SILENCES:
        return None if moment.gap_sec is None else moment.gap_sec >= limits.dead_air_sec
    over = moment.talk_over_sec
    if moment.kind in CALLER_ONSETS and truth.caller is not None and truth.agent is not None:
        until = _turn_end(truth.caller, moment.at_sec)
        over = joint_sec(truth.caller, truth.agent, moment.at_sec, until)
    return None if over is None else over > limits.overlap_limit_sec


def _turn_end(caller: Sequence[Span], at_sec: float) -> float:
    """End of the caller's turn in progress: a pause shorter than that of a turn does not end it."""
    end = at_sec
    for span in sorted(caller):
        near = span.start_sec - end < ScanParams().turn_pause_sec
        if span.end_sec > end and near:
            end = span.end_sec
    return end


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
    if incident.kind_key == _ECHO:
        return truth.echo
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
