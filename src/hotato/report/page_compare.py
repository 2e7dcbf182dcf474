"""Two takes of a moment, and a battery before and after a change, as self-contained pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hotato._version import __version__
from hotato.compare import move_words
from hotato.editions import Mark, page_mark
from hotato.report.events import EventView
from hotato.report.render import render
from hotato.report.text_compare import (
    ROLES,
    edges_words,
    regressions_words,
    result_words,
    spread_words,
    verdict_words,
)
from hotato.report.timefmt import shown

if TYPE_CHECKING:
    from hotato.compare import Movement, PolicyResult, TakesCompared, Verification

COMPARE_MARK: Mark = page_mark("compare")
"""How the page of two takes begins: an older one is replaced."""

VERIFY_MARK: Mark = page_mark("verify")
"""How the page of a verification begins: an older one is replaced."""

_TONES = {"pass": "pass", "fail": "fail"}


def compare_page(
    compared: TakesCompared, views: tuple[EventView, EventView], *, names: tuple[str, str]
) -> str:
    """The page of two takes: the result, what moved, and both timelines.

    Args:
        compared: what `compare.compare_takes` returned.
        views: the event of the earlier and of the later take, each with its picture.
        names: what to call the two.
    """
    takes = ((compared.before, views[0], names[0]), (compared.after, views[1], names[1]))
    return render(
        "compare.html.j2",
        result=result_words(compared.result),
        tone=_tone(compared.result),
        expect=compared.expect,
        moves=_moves(compared.movement),
        takes=[
            (side, shown(name, 60), verdict_words(take.event), view)
            for side, (take, view, name) in zip(("before", "after"), takes, strict=True)
        ],
        notes=compared.notes,
        player=False,
        audio=None,
        version=__version__,
    )


def verify_page(
    result: Verification, *, policy: PolicyResult | None = None, closed: Sequence[str] = ()
) -> str:
    """The page of a verification: the claim, the policy, both axes, the durations, every fixture.

    Args:
        result: what `compare.verify_runs` returned.
        policy: a policy that was held against it, or None.
        closed: why a gate that was asked for is closed; empty where none is.
    """
    return render(
        "verify.html.j2",
        result=result,
        gate=policy,
        closed=[shown(reason, 400) for reason in closed],
        bad=regressions_words(result),
        results=[(result_words(name), count) for name, count in result.results.items() if count],
        fixtures=[
            (
                shown(one.fixture),
                one.expect,
                result_words(one.result),
                _tone(one.result),
                _moves(one.movement),
            )
            for one in result.per_fixture
        ],
        spreads=[
            (name, side, spread_words(result.distribution[side][key]))
            for key, name in (("talk_over_sec", "talk-over"), ("seconds_to_yield", "time to yield"))
            for side in ("before", "after")
        ],
        player=False,
        audio=None,
        version=__version__,
    )


def _tone(result: str) -> str:
    return _TONES.get(ROLES.get(result, ""), "none")


def _moves(movement: Movement) -> list[tuple[str, str | None]]:
    return [(move_words(move), edges_words(move)) for move in movement.moves]
