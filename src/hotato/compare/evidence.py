"""How far a comparison of two runs can be relied on: a state for each thing it rests on, and the weakest one.

Nothing here is a score. Each dimension has a state, each state caps the tier, and the tier is the lowest cap:

| tier | name | what may be said |
|---|---|---|
| 1 | recomputed | the recordings were decoded again and are what the runs state |
| 2 | stated | the runs are consistent in themselves and with each other |
| 3 | asserted | something that the comparison rests on is unknown: each number stands for itself only |
| 4 | contradicted | the runs contradict themselves, or the later one is no new take |
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from hotato.compare.recompute import AGREES, CONTRADICTS, AudioFound, verdict_agrees
from hotato.compare.records import Pair, Pairs, Scored
from hotato.compare.taxonomy import agent_samples

TIER_NAMES = {1: "recomputed", 2: "stated", 3: "asserted", 4: "contradicted"}
POSITIVE_PAIRED_TIER = 2
"""The weakest tier on which anything good may be said of the change between two runs."""

POSITIVE_MEASURED_TIER = 3
"""The weakest tier on which anything good may be said of a run by itself."""

CONTRADICTED_TIER = 4
"""The tier of runs that contradict themselves or each other."""

BOUNDS_DIFFER = "bounds_differ"
"""The state in which a verdict changed hands with its bounds."""

_APART_SEC = 1.0
"""Moments of one recording that lie closer are one moment."""

CAPS: dict[str, dict[str, int]] = {
    "score_integrity": {"agrees": 1, "unknown": 3, "contradicted": 4},
    "audio_identity": {
        "recomputed": 1,
        "stated": 2,
        "missing": 3,
        "repeated_samples": 4,
        "same_samples": 4,
        "mismatch": 4,
    },
    "pairing_integrity": {"event_id": 1, "scenario_id": 2},
    "label_authority": {"stated": 1, "assumed": 3},
    "policy_integrity": {"same_bounds": 1, "unknown": 3, "bounds_differ": 3},
    "fixture_set_integrity": {"complete": 1, "incomplete": 3},
}
"""The states of every dimension that the tier rests on, and the tier that each allows at best."""

_HEADLINES = {
    1: "the recordings of both runs were decoded again and are what the runs state",
    2: "both runs are consistent; their recordings were not at hand to be decoded again",
    3: "part of what the comparison rests on is only asserted; see limited_by",
    4: "the runs contradict themselves or the later one is no new take; see limited_by",
}


class Vector(msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison rests on.

    Attributes:
        score_integrity: whether every verdict follows from the stated numbers and bounds: `agrees`,
            `unknown` (some file does not state enough), `contradicted`.
        audio_identity: `recomputed` (every recording lay beside its run and has the stated samples),
            `stated` (digests of all, different before and after), `missing` (a run does not say whose samples
            it scored), `repeated_samples` (one later recording stands for several events),
            `same_samples` (a later event was scored from samples of the agent that the earlier run holds, for
            the same event or another), `mismatch` (a recording beside its run has other samples).
        pairing_integrity: `event_id`, or `scenario_id` where any pair was made by that.
        label_authority: `stated` by a person, or `assumed` for any event.
        policy_integrity: `same_bounds`, `bounds_differ`, or `unknown` where a file states none.
        fixture_set_integrity: `complete`, or `incomplete` where an event that was judged before is missing.
        capture_origin: always `unknown`: no run says who recorded it and when in a way that can be checked.
        input_health: `doubted` where any verdict carries a doubt, `undoubted` otherwise, null where nothing
            was judged.
        channel_mapping: `confirmed` where a person vouched for every channel map, `unconfirmed` otherwise,
            null where files do not say.
    """

    score_integrity: str
    audio_identity: str
    pairing_integrity: str
    label_authority: str
    policy_integrity: str
    fixture_set_integrity: str
    capture_origin: Literal["unknown"] = "unknown"
    input_health: str | None = None
    channel_mapping: str | None = None


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension that keeps the evidence from a better tier."""

    dimension: str
    state: str | None
    cap: int


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """How far a comparison can be relied on.

    Attributes:
        schema_version: version of this block.
        vector: the state of each dimension.
        required: the dimensions that the tier rests on.
        tier: 1 to 4, the lowest cap.
        tier_name: its name.
        headline: the same in a sentence.
        limited_by: every dimension that caps the tier, the lowest cap first.
        allows_positive_paired: whether anything good may be said of the change.
        allows_positive_measured: whether anything good may be said of a run by itself.
        reused: events whose later recording is no take of their own, by id: it is one of the earlier run, or
            stands for another event as well.
    """

    schema_version: Literal["1"] = "1"
    vector: Vector
    required: tuple[str, ...] = tuple(CAPS)
    tier: int
    tier_name: str
    headline: str
    limited_by: tuple[Limit, ...]
    allows_positive_paired: bool
    allows_positive_measured: bool
    reused: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[Limit, ...]:
        """What no gate can pass on: a contradiction, or verdicts that were reached under different bounds."""
        return tuple(
            limit
            for limit in self.limited_by
            if limit.cap == CONTRADICTED_TIER or limit.state == BOUNDS_DIFFER
        )


def evidence_of(pairs: Pairs, audio: Sequence[AudioFound] = ()) -> Evidence:
    """How far the comparison of two runs can be relied on.

    Args:
        pairs: the two runs.
        audio: what was found beside each of them; empty where nobody looked.
    """
    events = [event for pair in pairs.paired for event in (pair.before, pair.after)]
    old, repeated = _old_takes(pairs), _repeated(pairs.paired)
    vector = Vector(
        score_integrity=_scores(events),
        audio_identity=_audio(pairs.paired, audio, bool(old), bool(repeated)),
        pairing_integrity="scenario_id"
        if any(pair.by == "scenario_id" for pair in pairs.paired)
        else "event_id",
        label_authority="stated" if all(event.expected_yield_explicit for event in events) else "assumed",
        policy_integrity=_bounds(pairs.paired),
        fixture_set_integrity="incomplete" if required_and_missing(pairs) else "complete",
        input_health=_health(events),
        channel_mapping=_channels(events),
    )
    limits = [
        Limit(dimension=name, state=state, cap=caps[state])
        for name, caps in CAPS.items()
        if caps[state := getattr(vector, name)] > 1
    ]
    tier = max((limit.cap for limit in limits), default=1)
    return Evidence(
        vector=vector,
        tier=tier,
        tier_name=TIER_NAMES[tier],
        headline=_HEADLINES[tier],
        limited_by=tuple(sorted(limits, key=lambda limit: (-limit.cap, limit.dimension))),
        allows_positive_paired=tier <= POSITIVE_PAIRED_TIER,
        allows_positive_measured=tier <= POSITIVE_MEASURED_TIER,
        reused=tuple(sorted(old | repeated)),
    )


def required_and_missing(pairs: Pairs) -> tuple[Scored, ...]:
    """Events that were judged before and are missing after: without them the later run is a selection."""
    return tuple(event for event in pairs.only_before if event.scorable)


def _scores(events: Sequence[Scored]) -> str:
    found = {verdict_agrees(event) for event in events}
    return "contradicted" if CONTRADICTS in found else "agrees" if found <= {AGREES} else "unknown"


def _audio(pairs: Sequence[Pair], audio: Sequence[AudioFound], old: bool, repeated: bool) -> str:
    if any(found.other for found in audio):
        return "mismatch"
    if old:
        return "same_samples"
    if repeated:
        return "repeated_samples"
    judged = [pair for pair in pairs if pair.before.scorable and pair.after.scorable]
    if not judged or None in {pair.movement.same_samples for pair in judged}:
        return "missing"
    whole = bool(audio) and all(found.recomputed and not found.absent for found in audio)
    return "recomputed" if whole else "stated"


def _old_takes(pairs: Pairs) -> set[str]:
    """Judged events whose later recording the earlier run holds, for them or for another event."""
    earlier = [*(pair.before for pair in pairs.paired), *pairs.only_before]
    known = frozenset().union(*(agent_samples(event.provenance) for event in earlier))
    later = [pair.after for pair in pairs.paired if pair.before.scorable and pair.after.scorable]
    return {event.event_id for event in later if known & agent_samples(event.provenance)}


def _repeated(pairs: Sequence[Pair]) -> set[str]:
    """Judged events whose later recording stands for another one as well.

    Several moments of one recording may be taken again in one recording: events that shared one before may
    share one after, where their moments lie apart in both.
    """
    takes: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.after.scorable:
            for digest in agent_samples(pair.after.provenance):
                takes.setdefault(digest, []).append(pair)
    shared = (pairs for pairs in takes.values() if len(pairs) > 1 and not _moments_of_one_call(pairs))
    return {pair.after.event_id for pairs in shared for pair in pairs}


def _moments_of_one_call(pairs: Sequence[Pair]) -> bool:
    shared = frozenset.intersection(*(agent_samples(pair.before.provenance) for pair in pairs))
    return bool(shared) and all(
        _apart([event.measurements.caller_onset_sec for event in side])
        for side in ([pair.before for pair in pairs], [pair.after for pair in pairs])
    )


def _apart(moments: Sequence[float | None]) -> bool:
    known = sorted(moment for moment in moments if moment is not None)
    return len(known) == len(moments) and all(b - a >= _APART_SEC for a, b in pairwise(known))


def _bounds(pairs: Sequence[Pair]) -> str:
    differ = {pair.movement.bounds_differ for pair in pairs}
    return BOUNDS_DIFFER if True in differ else "unknown" if None in differ else "same_bounds"


def _health(events: Sequence[Scored]) -> str | None:
    judged = [event for event in events if event.scorable]
    if not judged:
        return None
    return "doubted" if any(event.verdict.doubts for event in judged) else "undoubted"


def _channels(events: Sequence[Scored]) -> str | None:
    maps = [event.activity for event in events]
    if None in maps:
        return None
    return "confirmed" if all(parties and parties.confirmed for parties in maps) else "unconfirmed"
