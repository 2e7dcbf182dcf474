"""What is measured on one call: one frozen row for each comparison with the truth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import chain

import msgspec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Where a comparison comes from.

    Attributes:
        set_name: the set of scenarios.
        scenario: the scenario's id.
        family: which behaviour the call shows.
        condition: what the line does to it.
    """

    set_name: str
    scenario: str
    family: str
    condition: str


class ErrorRow(Row, frozen=True, kw_only=True):
    """One signal against its truth; a value that could not be derived is None.

    Attributes:
        signal: `caller_onset`, `time_to_yield`, `response_gap` or `talk_over`.
        at_sec: the moment it belongs to.
        true_sec: the truth.
        documented_sec: the documented value.
        edges_sec: the value at the raw energy edges.
        calibrated_sec: the value of the calibrated profile.
        lo_sec: smallest value that the printed interval holds.
        hi_sec: largest.
        doubted: the moment or a channel is in doubt.
        reasoned: a channel was answered by the robust detector, which says why.
    """

    signal: str
    at_sec: float
    true_sec: float
    documented_sec: float | None
    edges_sec: float | None
    calibrated_sec: float | None
    lo_sec: float | None
    hi_sec: float | None
    doubted: bool
    reasoned: bool


class VerdictRow(Row, frozen=True, kw_only=True):
    """One yield verdict against its truth.

    Attributes:
        at_sec: the labelled onset.
        kind: the kind of the event, or `label`.
        expect: `yield` or `hold`.
        limit_sec: the limit of the verdict.
        scorable: the event could be judged.
        did_yield: measured; None where it could not be judged.
        documented_sec: the documented time to yield.
        edges_sec: the same at the raw energy edges.
        calibrated_yield: whether the agent yielded by the calibrated profile; None where that judged nothing.
        calibrated_sec: the time to yield by that profile.
        true_yield: whether the agent truly yielded, None where unknown.
        true_sec: when it truly did.
        found: the onset was found without the label; None where the set does not list every event.
        doubts: codes of the doubts of the moment and of the channels, a refusal's code among them.
        reasons: codes of why the robust detector answered on a channel.
    """

    at_sec: float
    kind: str
    expect: str
    limit_sec: float
    scorable: bool
    did_yield: bool | None
    documented_sec: float | None
    edges_sec: float | None
    calibrated_yield: bool | None
    calibrated_sec: float | None
    true_yield: bool | None
    true_sec: float | None
    found: bool | None
    doubts: tuple[str, ...]
    reasons: tuple[str, ...]

    def within(self, reading: str) -> bool | None:
        """Whether the measurement says that the agent yielded within the limit; None where it says nothing.

        Args:
            reading: `documented`, `edges` or `calibrated`.
        """
        did_yield = self.calibrated_yield if reading == "calibrated" else self.did_yield
        sec: float | None = getattr(self, f"{reading}_sec")
        return None if did_yield is None else did_yield and sec is not None and sec <= self.limit_sec

    @property
    def truly_within(self) -> bool | None:
        """Whether it truly did; None where that is unknown."""
        if self.true_yield is None:
            return None
        return self.true_yield and self.true_sec is not None and self.true_sec <= self.limit_sec

    def wrong(self, reading: str) -> bool | None:
        """Whether the verdict differs from the truth, was withheld, or rests on an onset never found."""
        if self.truly_within is None:
            return None
        return self.found is False or self.within(reading) is not self.truly_within


class EventRow(Row, frozen=True, kw_only=True):
    """One labelled event: was it found, and does autopsy raise it?

    Attributes:
        kind: the kind of the event.
        at_sec: where it is.
        found: a candidate of a fitting kind begins there; for `resume` and `restart`, the score of the
            interruption before it says so.
        over_limit: it truly lies beyond the limit from which autopsy calls its kind CRITICAL; None where its
            kind has no such limit, or nothing is known of its length.
        raised: an incident of a fitting kind begins there or goes on there.
        critical: one of those is CRITICAL.
    """

    kind: str
    at_sec: float
    found: bool
    over_limit: bool | None = None
    raised: bool = False
    critical: bool = False


class IncidentRow(Row, frozen=True, kw_only=True):
    """One incident of autopsy: is it true?

    Attributes:
        kind_key: the incident's kind.
        severity: `CRITICAL` or `WARNING`.
        t_sec: where it is.
        real: the true spans hold what it says; None where they cannot tell.
        codes: reason codes it carries.
    """

    kind_key: str
    severity: str
    t_sec: float
    real: bool | None
    codes: tuple[str, ...]


class EdgeRow(Row, frozen=True, kw_only=True):
    """One measured edge against its truth.

    Attributes:
        reading: `edges` for the raw energy edge, `calibrated` for the same without its known bias.
        party: `caller` or `agent`.
        side: `onset` or `offset`.
        true_sec: the true edge, None for a measured edge that none belongs to.
        sec: the measured edge, None for a true edge that was not measured.
        lo_sec: beginning of the printed interval.
        hi_sec: its end.
        doubted: the channel or the edge itself is in doubt.
        reasoned: the channel was answered by the robust detector, which says why.
    """

    reading: str
    party: str
    side: str
    true_sec: float | None
    sec: float | None
    lo_sec: float | None
    hi_sec: float | None
    doubted: bool
    reasoned: bool


class CallRow(Row, frozen=True, kw_only=True):
    """One call as a whole.

    Attributes:
        duration_sec: its length.
        warned: trust or a detector has a doubt about it.
        refused: trust says that it cannot carry a verdict.
        robust: the robust detector answered on a channel.
    """

    duration_sec: float
    warned: bool
    refused: bool
    robust: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """Everything that was compared, in the order of the calls."""

    calls: tuple[CallRow, ...] = ()
    errors: tuple[ErrorRow, ...] = ()
    verdicts: tuple[VerdictRow, ...] = ()
    events: tuple[EventRow, ...] = ()
    incidents: tuple[IncidentRow, ...] = ()
    edges: tuple[EdgeRow, ...] = ()


def together(parts: Iterable[Rows]) -> Rows:
    """The rows of several calls as one, in their order."""
    kept = list(parts)
    names = [field.name for field in fields(Rows)]
    return Rows(**{name: tuple(chain.from_iterable(getattr(part, name) for part in kept)) for name in names})
