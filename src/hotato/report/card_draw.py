"""A card to SVG, 1200 by 630: complete in itself, and the same bytes for the same card."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hotato.editions import Mark, made_by
from hotato.plain import shown
from hotato.report.card_records import Bar, Card, Claim, LaneLine, Pair, Pull, Scene
from hotato.report.render import render_svg
from hotato.report.svg_fit import fitted, lines, width

CARD_MARK: Mark = made_by("card")
"""How a card begins: an older one is replaced."""

LEFT, RIGHT, WIDTH, HEIGHT = 64, 1136, 1200, 630
"""The picture's width and height, and the margins that all text keeps."""

_TITLE_PX, _FIGURE_PX, _CAPTION_PX, _FACT_PX, _SMALL_PX = 40, 92, 21, 20, 18
_BODY_X, _FIGURE_ROOM = 488, 380
_TEXT_CHARS = 400
_AXIS_X = _BODY_X + 76
_FADE, _MARGIN, _BEFORE, _AFTER = 0.15, 0.2, 1.2, 1.2
_STEPS_SEC, _MOST_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600), 7
_SHORTEST_SEC = 0.05
_MOST_FACTS, _MOST_PAIRS = 4, 5
_LABEL_ROOM, _VALUE_ROOM = 136, 372
_WIDE_FACTS, _WIDE_ROOM = 2, 924
"""So few facts stand one below the other and have the whole width."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A bar in pixels: its solid part, and the fading parts beside it (None for none)."""

    party: str
    x: float
    width: float
    fade_in: tuple[float, float] | None
    fade_out: tuple[float, float] | None


def card_svg(card: Card) -> str:
    """The card as SVG.

    Long texts are wrapped and shortened by their measured width, hostile ones are made visible; every colour
    stands in the file, and nothing is loaded.
    """
    title = lines(_safe(card.title), _TITLE_PX, RIGHT - LEFT, 2, bold=True)
    figure, unit = _safe(card.figure), _safe(card.unit)
    figure_px = _figure_px(figure, unit)
    chip = fitted(_safe(card.chip), _SMALL_PX, 380, bold=True)
    return render_svg(
        "card.svg.j2",
        mark=CARD_MARK,
        card=card,
        kind=fitted(_safe(card.kind), _CAPTION_PX, 560),
        chip=chip,
        chip_width=round(width(chip, _SMALL_PX, bold=True)) + 28,
        title=title,
        spoken=f"{_safe(card.chip)}. {_safe(card.title)}",
        words=_words(card),
        figure=figure,
        unit=unit,
        figure_px=figure_px,
        unit_x=round(LEFT + width(figure, figure_px, bold=True) * 0.97 + 10, 1),
        caption=_caption(card),
        facts=_facts(card),
        wide=len(card.facts) <= _WIDE_FACTS,
        footer=fitted(_safe(card.footer), _SMALL_PX, RIGHT - LEFT - 110),
        body=_body(card),
    )


def _safe(text: str) -> str:
    return shown(" ".join(text.split()), _TEXT_CHARS)


def _figure_px(figure: str, unit: str) -> int:
    """The largest size at which the figure and its unit fit their column."""
    size = _FIGURE_PX
    while size > 36 and width(figure, size, bold=True) + width(unit, size * 0.42) + 10 > _FIGURE_ROOM:
        size -= 4
    return size


def _caption(card: Card) -> list[str]:
    found: list[str] = []
    for part in card.caption:
        found += lines(_safe(part), _CAPTION_PX, _FIGURE_ROOM, 2)
    return found[:5]


def _facts(card: Card) -> list[tuple[str, str]]:
    room = _WIDE_ROOM if len(card.facts) <= _WIDE_FACTS else _VALUE_ROOM
    return [
        (fitted(_safe(label), _FACT_PX, _LABEL_ROOM), fitted(_safe(text), _FACT_PX, room))
        for label, text in card.facts[:_MOST_FACTS]
    ]


def _words(card: Card) -> str:
    """What the picture shows, for whoever cannot see it."""
    parts = [card.kind, f"{card.figure} {card.unit}".strip(), *card.caption]
    parts += [f"{label}: {text}" for label, text in card.facts]
    return ". ".join(_safe(part) for part in [*parts, card.footer] if part)


def _body(card: Card) -> dict[str, Any]:
    body = card.body
    if isinstance(body, Scene):
        return {"form": "scene", **_scene(body)}
    if not body:
        return {"form": "none"}
    if isinstance(body[0], Pull):
        return {"form": "pulls", "pulls": [_pull(pull) for pull in body if isinstance(pull, Pull)]}
    if isinstance(body[0], Pair):
        return {"form": "pairs", **_pairs([pair for pair in body if isinstance(pair, Pair)])}
    if isinstance(body[0], LaneLine):
        return {"form": "lanes", "rows": [row for row in body if isinstance(row, LaneLine)]}
    return {"form": "claims", "claims": [_claim(claim) for claim in body if isinstance(claim, Claim)]}


def _scene(scene: Scene) -> dict[str, Any]:
    length = max(scene.end_sec - scene.start_sec, _SHORTEST_SEC)
    view = _view(scene, length)
    label = fitted(_safe(scene.label), _CAPTION_PX, RIGHT - _BODY_X - 20, bold=True)
    half = width(label, _CAPTION_PX, bold=True) / 2
    middle = (view.x(scene.start_sec) + view.x(scene.start_sec + length)) / 2
    return {
        "strips": [_strip(bar, view) for bar in scene.bars],
        "parties": [party for party in ("caller", "agent") if _has(scene, party)],
        "x": view.x(scene.start_sec),
        "end": view.x(scene.start_sec + length),
        "axis": (view.x(view.lo), view.x(view.hi)),
        "silent": scene.silent,
        "tone": scene.tone,
        "label": label,
        "label_x": round(min(max(middle, _BODY_X + half), RIGHT - half), 1),
        "limit": None if scene.limit_sec is None else view.x(scene.start_sec + scene.limit_sec),
        "ticks": _ticks(scene.start_sec, view),
    }


@dataclass(frozen=True, slots=True)
class _View:
    """The stretch of time that is in view."""

    lo: float
    hi: float

    def x(self, sec: float) -> float:
        """Pixels from the left; what lies beyond the view is at its edge."""
        inside = min(max(sec, self.lo), self.hi)
        return round(_AXIS_X + (RIGHT - _AXIS_X) * (inside - self.lo) / (self.hi - self.lo), 1)


def _view(scene: Scene, length: float) -> _View:
    """All that is measured and some room beside it; what lies far from the measured stretch is left out."""
    reach = max(length, scene.limit_sec or 0.0)
    start, end = scene.start_sec, scene.start_sec + reach
    begin = max(min([start, *(bar.start_sec for bar in scene.bars)]), start - _BEFORE * reach)
    stop = min(max([end, *(bar.end_sec for bar in scene.bars)]), end + _AFTER * reach)
    margin = (stop - begin) * _MARGIN
    return _View(begin - margin, stop + margin)


def _ticks(origin_sec: float, view: _View) -> list[tuple[float, str]]:
    """Round numbers of seconds from the beginning of the measured stretch."""
    lo, hi = view.lo - origin_sec, view.hi - origin_sec
    step = next((step for step in _STEPS_SEC if (hi - lo) / step <= _MOST_TICKS), hi - lo)
    first, last = math.ceil(lo / step), math.floor(hi / step)
    places = [(view.x(origin_sec + number * step), number * step) for number in range(first, last + 1)]
    return [(x, f"{sec:g} s".replace("-", "\u2212")) for x, sec in places if _AXIS_X + 14 < x < RIGHT - 20]


def _has(scene: Scene, party: str) -> bool:
    return any(bar.party in (party, "either") for bar in scene.bars) or scene.silent


def _strip(bar: Bar, view: _View) -> Strip:
    fade = (view.hi - view.lo) * _FADE
    start, end = view.x(bar.start_sec), view.x(bar.end_sec)
    before, after = view.x(bar.start_sec - fade), view.x(bar.end_sec + fade)
    return Strip(
        bar.party,
        start,
        round(max(end - start, 0.0), 1),
        (before, round(start - before, 1)) if bar.opens else None,
        (end, round(after - end, 1)) if bar.goes_on else None,
    )


def _pull(pull: Pull) -> dict[str, Any]:
    return {
        "title": fitted(_safe(pull.title), 26, 500, bold=True),
        "measured": fitted(_safe(pull.measured), _CAPTION_PX, 500),
        "needs": fitted(_safe(pull.needs), _CAPTION_PX, 440),
        "right": pull.right,
    }


def _pairs(pairs: list[Pair]) -> dict[str, Any]:
    kept = pairs[:_MOST_PAIRS]
    most = max([pair.before_sec for pair in kept] + [pair.after_sec for pair in kept] + [_SHORTEST_SEC])
    start, room = _BODY_X + 150, RIGHT - _BODY_X - 150 - 176

    def x(sec: float) -> float:
        return round(start + room * sec / most, 1)

    rows = [
        {
            "name": fitted(_safe(pair.name), _FACT_PX, 138),
            "before": x(pair.before_sec),
            "after": x(pair.after_sec),
            "text": f"{pair.before_sec:.2f} \u2192 {pair.after_sec:.2f} s",
            "passes": pair.passes,
        }
        for pair in kept
    ]
    return {"rows": rows, "start": start, "right": RIGHT, "left_out": len(pairs) - len(kept)}


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "name": fitted(_safe(claim.name), 22, 440, bold=True),
        "status": fitted(_safe(claim.status), _SMALL_PX, 150, bold=True),
        "text": lines(_safe(claim.text), _FACT_PX, 470, 4),
        "holds": claim.holds,
    }
