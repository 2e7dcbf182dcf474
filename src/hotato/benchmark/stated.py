"""The shape of what a scenario file states: true spans, labelled events, and how it was rendered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hotato.bounds import BOUNDS
from hotato.errors import Refusal

Seconds = Annotated[float, Meta(ge=0, le=BOUNDS.longest_sec)]
Stretch = tuple[Seconds, Seconds]

CALLER_ONSETS = ("barge_in", "backchannel", "dual_start")
"""Kinds of events at which the caller begins, so that a yield can be measured from them."""

SILENCES = ("latency", "dead_air", "self_stop")
"""Kinds of events that are a silence behind the end of a turn."""

ENDING_A_GAP = ("resume", "restart")
"""Kinds of events whose gap lies before them."""

KINDS = (*CALLER_ONSETS, "agent_over_caller", *SILENCES, *ENDING_A_GAP)
"""What an event can be; docs/BENCHMARK.md says what each is."""


class EventTruth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One labelled event of a block `truth`.

    Attributes:
        kind: one of `KINDS`.
        at_sec: the caller's onset, the agent's onset, or the end of the turn that a silence follows.
        expect: what a good agent does; None where that is no question.
        yield_sec: seconds from `at_sec` to the agent's silence; None where it never fell silent in time, and
            unset where nothing is stated, which says neither.
        talk_over_sec: seconds in which both sounded.
        gap_sec: seconds of silence.
    """

    kind: str
    at_sec: Seconds
    expect: Literal["yield", "hold"] | None = None
    yield_sec: Seconds | UnsetType | None = UNSET
    talk_over_sec: Seconds | None = None
    gap_sec: Seconds | None = None


class SpanTruth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The block `truth`: true spans, half-open, and the labelled events.

    Attributes:
        caller_spans_sec: when the caller sounds.
        agent_spans_sec: when the agent does.
        events: every event of the call.
        echo: whether the caller's channel holds a copy of the agent; None where nobody said.
    """

    caller_spans_sec: tuple[Stretch, ...] | None = None
    agent_spans_sec: tuple[Stretch, ...] | None = None
    events: tuple[EventTruth, ...] = ()
    echo: bool | None = None


class RenderTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a block `reference_render` that is truth.

    Attributes:
        caller_segments_sec: when the caller sounds.
        agent_segments_sec: when the agent does.
        echo: the copy of the agent that was put on the caller's channel; None for none.
    """

    caller_segments_sec: tuple[Stretch, ...]
    agent_segments_sec: tuple[Stretch, ...]
    echo: dict[str, Any] | None = None


class LineTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a block `condition_detail` that is truth.

    Attributes:
        echo_db: level of the agent's copy on the caller's channel; None for none, unset where nobody said.
    """

    echo_db: float | UnsetType | None = UNSET


class Stated(msgspec.Struct, frozen=True, kw_only=True):
    """What a scenario file states beyond its label; further keys are ignored.

    Attributes:
        id: the scenario.
        duration_sec: length of the call, where it is stated.
        caller_onset_sec: the labelled onset.
        category: falls in for the family.
        family: which behaviour it shows.
        condition: what the line does to it.
        split: `tune` or `held`.
        reference_render: what it was rendered from.
        condition_detail: what was drawn for that line.
        truth: its full truth.
    """

    id: str
    duration_sec: Seconds | None = None
    caller_onset_sec: Seconds | None = None
    category: str | None = None
    family: str | None = None
    condition: str = "clean"
    split: str | None = None
    reference_render: RenderTruth | None = None
    condition_detail: LineTruth | None = None
    truth: SpanTruth | None = None

    @property
    def echo(self) -> bool | None:
        """Whether the caller's channel truly holds a copy of the agent; None where the file does not tell.

        A render holds what its block lists and nothing else.
        """
        if self.truth is not None and self.truth.echo is not None:
            return self.truth.echo
        if self.condition_detail is not None and self.condition_detail.echo_db is not UNSET:
            return self.condition_detail.echo_db is not None
        return None if self.reference_render is None else self.reference_render.echo is not None


CLOSED = {"$.truth": SpanTruth, "$.truth.events[...]": EventTruth}
"""The blocks that take no further keys: a misspelled one would be a truth that nobody stated."""


def bad_scenario(name: str, what: str) -> Refusal:
    """The refusal of a scenario file."""
    return Refusal(
        "bad_scenario", f"scenario file '{Path(name).name}': {what}", "correct the file and run again"
    )
