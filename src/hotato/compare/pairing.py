"""Which event of one run is which of another: by event id, and where that fails by scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hotato.compare.records import Pair, Pairs, Scored
from hotato.compare.taxonomy import moved
from hotato.errors import Refusal
from hotato.plain import shown

DOCUMENTED = "documented"


def pair_runs(before: Sequence[Scored], after: Sequence[Scored]) -> Pairs:
    """Two runs, event by event, whatever their order.

    Args:
        before: events of the earlier run.
        after: events of the later run.

    Raises:
        Refusal: `repeated_event`: an id stands twice on one side; `ambiguous_pair`: one scenario has several
            events that could be meant; `profiles_differ`: a pair was measured by two profiles, so that a
            difference would say nothing about the agent; `labels_differ`, see `taxonomy.moved`.
    """
    old, new = _by_event(before, "before"), _by_event(after, "after")
    shared = sorted(old.keys() & new.keys())
    pairs = [_pair(name, old.pop(name), new.pop(name)) for name in shared]
    old_scenarios, new_scenarios = _by_scenario(old.values()), _by_scenario(new.values())
    for scenario in sorted(old_scenarios.keys() & new_scenarios.keys()):
        earlier, later = old_scenarios[scenario], new_scenarios[scenario]
        if len(earlier) > 1 or len(later) > 1:
            raise Refusal(
                "ambiguous_pair",
                f"scenario '{shown(scenario)}' has {len(earlier)} events before and {len(later)} after, and "
                "none of them share an id",
                "give the events of one moment the same id",
            )
        pairs.append(_pair(scenario, old.pop(earlier[0].event_id), new.pop(later[0].event_id)))
    return Pairs(
        paired=tuple(sorted(pairs, key=lambda pair: (pair.fixture, pair.by))),
        only_before=tuple(old[name] for name in sorted(old)),
        only_after=tuple(new[name] for name in sorted(new)),
    )


def _pair(fixture: str, before: Scored, after: Scored) -> Pair:
    profiles = (before.profile or DOCUMENTED, after.profile or DOCUMENTED)
    if profiles[0] != profiles[1]:
        raise Refusal(
            "profiles_differ",
            f"event '{shown(fixture)}' of the base was measured by the {shown(profiles[0], 40)} profile and "
            f"that of this run by the {shown(profiles[1], 40)} one",
            "make both with the same --profile",
        )
    same_id = before.event_id == after.event_id
    return Pair(
        fixture=fixture,
        by="event_id" if same_id else "scenario_id",
        before=before,
        after=after,
        movement=moved(before, after),
    )


def _by_event(events: Sequence[Scored], side: str) -> dict[str, Scored]:
    counts = Counter(event.event_id for event in events)
    twice = sorted(name for name, count in counts.items() if count > 1)
    if twice:
        raise Refusal(
            "repeated_event",
            f"event '{shown(twice[0])}' stands {counts[twice[0]]} times {side}, so it is not known which is "
            "meant",
            "keep one envelope of it",
        )
    return {event.event_id: event for event in events}


def _by_scenario(events: Iterable[Scored]) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for event in events:
        if event.scenario_id is not None:
            found.setdefault(event.scenario_id, []).append(event)
    return found
