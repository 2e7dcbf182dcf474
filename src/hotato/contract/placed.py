"""Where a contract's moment lies in a new recording: where the caller's sound is, or where a person says."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from hotato.contract.likeness import HOP_SEC, Match
from hotato.contract.records import Contract
from hotato.errors import Refusal


@dataclass(frozen=True, slots=True)
class RecaptureParams:
    """When two recordings are one call, and when the caller's sound was found in another one.

    Measured in `bench/recapture.py`; docs/RECAPTURE.md states the figures.

    Attributes:
        same_agent: agents at least this much alike, at a shift where the callers are alike, are one call.
        same_caller: callers at least this much alike for that.
        same_alone: agents this much alike are one call where too little of the caller is there to compare.
        same_share: so are agents of whose speech this share is the same sound stretch by stretch, whatever
            was silenced or cut out elsewhere, and agents who are the same again after a stretch that is not,
        caller_share: at a shift where the callers are alike, or this share of the caller is the same.
        found: the caller's sound is found where it is at least this much alike,
        lead: and by this much more than anywhere else.
        elsewhere_sec: shifts further apart than this are elsewhere.
        near_sec: a stated onset is refused where it lies further than this from every place in which the
            caller's sound was found.
    """

    same_agent: float = 0.7
    same_caller: float = 0.6
    same_alone: float = 0.85
    same_share: float = 0.5
    caller_share: float = 0.3
    found: float = 0.7
    lead: float = 0.1
    elsewhere_sec: float = 0.3
    near_sec: float = 0.5


PARAMS = RecaptureParams()


class Onset(msgspec.Struct, frozen=True, kw_only=True):
    """Where the moment lies in the new recording.

    Attributes:
        sec: the onset.
        source: `found` by the caller's sound, or `stated`.
        likeness: how alike the callers are where they are most.
        elsewhere: how alike they are at best anywhere else, None for nowhere.
        found_sec: where the caller's sound was found; None where it was not.
    """

    sec: float
    source: str
    likeness: float | None
    elsewhere: float | None
    found_sec: float | None


def placed(
    contract: Contract, alike: list[Match], stated_sec: float | None, params: RecaptureParams
) -> Onset:
    """Where the moment lies.

    Raises:
        Refusal: `onset_not_found`, `onset_ambiguous`: nobody stated it and the caller's sound does not tell;
            `onset_elsewhere`: it was stated away from where the caller's sound is.
    """
    best = max(alike, key=lambda match: match.caller, default=None)
    likeness = None if best is None else best.caller
    far = params.elsewhere_sec / HOP_SEC
    others = [match.caller for match in alike if best is not None and abs(match.shift - best.shift) > far]
    elsewhere = max(others, default=None)
    sec = None if best is None else round(contract.event.onset_sec + best.shift * HOP_SEC, 3)
    found = sec is not None and sec >= 0.0 and likeness is not None and likeness >= params.found
    alone = elsewhere is None or (likeness or 0.0) - elsewhere >= params.lead
    if stated_sec is None:
        _require_found(found, alone, likeness, elsewhere)
    elif found:
        _require_near(contract, alike, stated_sec, params)
    at = stated_sec if stated_sec is not None else sec
    assert at is not None, "found, or stated"
    return Onset(
        sec=at,
        source="found" if stated_sec is None else "stated",
        likeness=None if likeness is None else round(likeness, 3),
        elsewhere=None if elsewhere is None else round(elsewhere, 3),
        found_sec=sec if found and alone else None,
    )


def _require_near(contract: Contract, alike: list[Match], stated_sec: float, params: RecaptureParams) -> None:
    """Refuse an onset away from where the caller's sound is: another moment of the new recording is judged
    there than the one that was pinned."""
    places = [
        round(contract.event.onset_sec + match.shift * HOP_SEC, 3)
        for match in sorted(alike, key=lambda match: -match.caller)
        if match.caller >= params.found
    ]
    if any(abs(place - stated_sec) <= params.near_sec for place in places):
        return
    raise Refusal(
        "onset_elsewhere",
        f"the stated onset is {stated_sec:.2f} s, and the caller's sound of the contract is at "
        f"{places[0]:.2f} s of the new recording",
        f"leave --onset out, or state it within {params.near_sec:g} s of that; it counts from the beginning "
        "of the new recording",
    )


def _require_found(found: bool, alone: bool, likeness: float | None, elsewhere: float | None) -> None:
    state = "state when the caller begins (--onset SECONDS)"
    if not found:
        at_best = "nowhere" if likeness is None else f"at best {likeness:.2f} alike"
        raise Refusal(
            "onset_not_found",
            f"the caller's sound of the contract is not in the new recording ({at_best})",
            f"{state}; a person who says it again says it otherwise",
        )
    if not alone:
        raise Refusal(
            "onset_ambiguous",
            f"the caller's sound of the contract fits two places of the new recording ({likeness:.2f} and "
            f"{elsewhere:.2f} alike)",
            state,
        )
