"""One heard call against its truth: every number that is published comes from here.

The caller's onset is measured in detect mode: nobody tells the scorer where it is. The time to yield, the
talk-over and the response gap are measured in label mode: the onset is given, as in a labelled battery.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hotato.benchmark.detection import event_rows, incident_rows, onsets_found
from hotato.benchmark.edges import edge_rows
from hotato.benchmark.params import PARAMS
from hotato.benchmark.records import CallRow, ErrorRow, Rows, VerdictRow
from hotato.benchmark.stated import CALLER_ONSETS, Stated
from hotato.benchmark.truth import LABEL, Moment, Truth
from hotato.find import autopsy, scan
from hotato.listen import Heard
from hotato.score import Event, Gates, Label, score_event
from hotato.score.event import Identity, category_of
from hotato.score.request import CALIBRATED, DOCUMENTED
from hotato.timing.activity import ROBUST
from hotato.trust import examine

_GAP = "response_gap"  # at the raw edges there is one where the hangover alone made the answer premature
Events = tuple[Event, Event]
"""One moment by the documented profile and by the calibrated one."""

_LABELLED = (*CALLER_ONSETS, LABEL)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a call stands in the tables: its set, scenario, family and condition."""

    set_name: str
    scenario: str
    family: str
    condition: str

    @classmethod
    def of(cls, set_name: str, stated: Stated) -> Place:
        """The place of a scenario; its category falls in for the family."""
        return cls(set_name, stated.id, stated.family or stated.category or "any", stated.condition)

    def keys(self) -> dict[str, str]:
        """The same as keyword arguments of a row."""
        return {
            "set_name": self.set_name,
            "scenario": self.scenario,
            "family": self.family,
            "condition": self.condition,
        }


def measure(heard: Heard, truth: Truth, label: Label, place: Place) -> Rows:
    """Every comparison of one call with its truth.

    Args:
        heard: the call.
        truth: what is known about it.
        label: what its scenario expects; the limits of its verdicts.
        place: where it stands in the tables.
    """
    trust = examine(heard)
    found = scan(heard) if truth.complete else ()
    labelled = [(moment, _scored(heard, label, moment)) for moment in truth.moments if _measurable(moment)]
    errors = [*_onset(heard, truth, label, place)]
    for moment, events in labelled:
        errors += _signals(moment, events, place)
    onsets = onsets_found(found)
    judged = [(moment, events) for moment, events in labelled if moment.expect and moment.kind in _LABELLED]
    opened = autopsy(heard) if truth.complete else None
    keys = place.keys()
    doubts = {*(r.code for r in heard.caller.activity.doubts), *(r.code for r in heard.agent.activity.doubts)}
    return Rows(
        calls=(
            CallRow(
                **keys,
                duration_sec=round(heard.duration_sec, 3),
                warned=bool(doubts) or trust.input_health != "clean",
                refused=not trust.verdict_eligible,
                robust=any(track.activity.detector == ROBUST for track in (heard.caller, heard.agent)),
            ),
        ),
        errors=tuple(errors),
        verdicts=tuple(
            _verdict(moment, events, label, onsets if truth.complete else None, place)
            for moment, events in judged
        ),
        events=() if opened is None else tuple(event_rows(truth, found, opened, _documented(labelled), keys)),
        incidents=() if opened is None else tuple(incident_rows(truth, opened, keys)),
        edges=tuple(edge_rows(heard, truth, keys)) if truth.complete else (),
    )


def _documented(labelled: Sequence[tuple[Moment, Events]]) -> list[tuple[Moment, Event]]:
    """The interruptions among the moments, each by the documented profile."""
    return [(moment, events[0]) for moment, events in labelled if moment.kind in CALLER_ONSETS]


def _measurable(moment: Moment) -> bool:
    return moment.onset_sec is not None and (moment.kind in _LABELLED or moment.gap_sec is not None)


def _scored(heard: Heard, label: Label, moment: Moment) -> Events:
    """The moment, scored with its onset given."""
    return _events(heard, label, moment.onset_sec, moment.expect != "hold")


def _events(heard: Heard, label: Label, onset_sec: float | None, expected_yield: bool) -> Events:
    """A moment scored for its yield by both profiles: the label's bounds on that, and no other."""
    identity = Identity("measured", None, None, category_of(expected_yield), confirmed=True)
    documented = Label(
        expected_yield=expected_yield,
        onset_sec=onset_sec,
        max_time_to_yield_sec=label.max_time_to_yield_sec,
        max_talk_over_sec=label.max_talk_over_sec,
        profile=DOCUMENTED,
    )
    labels = documented, replace(documented, profile=CALIBRATED)
    first, second = (score_event(heard, one, Gates(), identity) for one in labels)
    return first, second


def _onset(heard: Heard, truth: Truth, label: Label, place: Place) -> Iterator[ErrorRow]:
    """The caller's first onset, detected."""
    at = truth.onset_sec
    if at is None:
        return
    events = _events(heard, label, None, label.expected_yield)
    values = [event.measurements.caller_onset_sec for event in events]
    yield _error("caller_onset", at, at, values, event=events[0], edge="onset", place=place)


def _signals(moment: Moment, events: Events, place: Place) -> Iterator[ErrorRow]:
    """The durations of one labelled moment that have a truth."""
    first, second = (_durations(moment, event) for event in events)
    truths = {
        "time_to_yield": moment.yield_sec,
        "talk_over": moment.talk_over_sec,
        "response_gap": moment.gap_sec,
    }
    for signal, value in first.items():
        true_sec, values = truths[signal], (value, second[signal])
        if true_sec is not None:
            yield _error(signal, moment.at_sec, true_sec, values, event=events[0], edge=signal, place=place)


def _durations(moment: Moment, event: Event) -> dict[str, float | None]:
    """What one profile measured of a moment, by signal; None for what it could not derive."""
    barge_in, latency = event.signals.barge_in, event.signals.latency
    judged = barge_in is not None and event.scorable is not False  # else its zero talk-over is no measurement
    values: dict[str, float | None] = {}
    if moment.kind in _LABELLED:
        values["time_to_yield"] = barge_in.time_to_yield_sec if barge_in and judged else None
        values["talk_over"] = barge_in.talk_over_sec if barge_in and judged else None
    if moment.kind in (LABEL, "latency"):
        values["response_gap"] = latency.response_gap_sec if latency else None
    return values


def _error(
    signal: str,
    at_sec: float,
    true_sec: float,
    values: Sequence[float | None],
    *,
    event: Event,
    edge: str,
    place: Place,
) -> ErrorRow:
    documented, calibrated = values
    edges = event.edges if isinstance(event.edges, dict) and (documented is not None or edge == _GAP) else {}
    found = edges.get(edge)
    return ErrorRow(
        **place.keys(),
        signal=signal,
        at_sec=round(at_sec, 4),
        true_sec=round(true_sec, 4),
        documented_sec=documented,
        edges_sec=None if found is None else found.sec,
        calibrated_sec=calibrated,
        lo_sec=None if found is None else found.lo_sec,
        hi_sec=None if found is None else found.hi_sec,
        doubted=bool(_doubts(event)),
        reasoned=bool(_reasons(event)),
    )


def _verdict(
    moment: Moment, events: Events, label: Label, onsets: list[float] | None, place: Place
) -> VerdictRow:
    event, calibrated = events
    edges = event.edges if isinstance(event.edges, dict) else {}
    to_yield = edges.get("time_to_yield")
    found = None
    if onsets is not None:
        found = any(abs(onset - moment.at_sec) <= PARAMS.event_sec for onset in onsets)
    return VerdictRow(
        **place.keys(),
        at_sec=round(moment.at_sec, 4),
        kind=moment.kind,
        expect=moment.expect or "yield",
        limit_sec=PARAMS.yield_limit_sec
        if label.max_time_to_yield_sec is None
        else label.max_time_to_yield_sec,
        scorable=event.scorable is not False,
        did_yield=None if event.scorable is False else event.verdict.did_yield,
        documented_sec=event.verdict.seconds_to_yield,
        edges_sec=None if to_yield is None else to_yield.sec,
        calibrated_yield=None if calibrated.scorable is False else calibrated.verdict.did_yield,
        calibrated_sec=calibrated.verdict.seconds_to_yield,
        true_yield=moment.did_yield,
        true_sec=None if moment.yield_sec is None else round(moment.yield_sec, 4),
        found=found,
        doubts=tuple(dict.fromkeys((*_judged_doubts(event), *_judged_doubts(calibrated)))),
        reasons=_reasons(event),
    )


def _judged_doubts(event: Event) -> list[str]:
    """Doubts of a verdict, and why it was not given."""
    codes = _doubts(event)
    return [*codes, event.not_scorable_code] if isinstance(event.not_scorable_code, str) else codes


def _reasons(event: Event) -> tuple[str, ...]:
    """Why the robust detector answered on a channel: the result names it, and the numbers behind it."""
    sides = (event.activity.caller, event.activity.agent) if event.activity else ()
    given = [side.reasons for side in sides if isinstance(side.reasons, tuple)]
    return tuple(dict.fromkeys(reason.code for reasons in given for reason in reasons))


def _doubts(event: Event) -> list[str]:
    """Doubts of a measurement: those of the moment and of both channels, and closeness to a bound."""
    codes = list(event.verdict.doubts) if isinstance(event.verdict.doubts, tuple) else []
    if event.activity:
        for side in (event.activity.caller, event.activity.agent):
            codes += [doubt.code for doubt in side.doubts]
    if event.measurements.boundary_sensitive or event.measurements.interval_crosses_bound:
        codes.append("boundary_sensitive")
    return codes
