"""A badge of a gauntlet that was passed: one small picture, complete in itself."""

from __future__ import annotations

from hotato.editions import made_by
from hotato.errors import EXIT_PASS, Refusal
from hotato.gauntlet.records import GauntletResult

_CHAR_PX, _PADDING_PX, _HEIGHT_PX, _BASELINE_PX, _RADIUS_PX = 6.6, 8, 20, 14, 3
_NAME = "hotato gauntlet"

BADGE_MARK = made_by("gauntlet badge")
"""How a badge of ours begins."""

_PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" aria-label="{words}">
<title>{words}</title>
<desc>hotato {version}, gauntlet {gauntlet}, {content}</desc>
<clipPath id="edge"><rect width="{width}" height="{height}" rx="{radius}"/></clipPath>
<g clip-path="url(#edge)">
<rect width="{left}" height="{height}" fill="#40444b"/>
<rect x="{left}" width="{right}" height="{height}" fill="#2f6b4f"/>
</g>
<g fill="#ffffff" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11">
<text x="{padding}" y="{baseline}" textLength="{left_text}">{name}</text>
<text x="{right_at}" y="{baseline}" textLength="{right_text}">{said}</text>
</g>
</svg>
"""


def badge(result: GauntletResult) -> str:
    """The badge of a gauntlet as SVG: how many scenarios matched, of how many.

    Raises:
        Refusal: `gauntlet_failed`: there is a badge only when every scenario matched.
    """
    if result.exit_code != EXIT_PASS:
        raise Refusal(
            "gauntlet_failed",
            f"{result.matched} of {result.total} scenarios of the gauntlet matched, and a badge needs all",
            "'hotato gauntlet' shows which did not",
        )
    said = f"{result.matched}/{result.total} matched"
    left_text, right_text = round(len(_NAME) * _CHAR_PX), round(len(said) * _CHAR_PX)
    left, right = left_text + 2 * _PADDING_PX, right_text + 2 * _PADDING_PX
    return BADGE_MARK + _PICTURE.format(
        width=left + right,
        height=_HEIGHT_PX,
        radius=_RADIUS_PX,
        words=f"{_NAME}: {result.matched} of {result.total} scenarios matched",
        version=result.version,
        gauntlet=result.gauntlet,
        content=result.content_hash,
        left=left,
        right=right,
        padding=_PADDING_PX,
        baseline=_BASELINE_PX,
        left_text=left_text,
        right_text=right_text,
        right_at=left + _PADDING_PX,
        name=_NAME,
        said=said,
    )
