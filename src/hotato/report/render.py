"""Templates to one self-contained HTML file: no request, no script unless audio is embedded.

The style sheet and the script are the only inline code, and the page's own policy admits them by hash, so a
name or a text that slipped through escaping could neither load nor run anything.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotato.report import timefmt, words
from hotato.report.doubts import close_call, doubt_words, doubts_of

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

HOLDS = "This page holds the recording itself: share it as you would share the call."
"""What a page with embedded audio says first."""


def render(template: str, **values: Any) -> str:
    """The page of `template`; values are escaped, the policy covers exactly what the page carries.

    Args:
        template: file name in the package's templates folder.
        **values: what the template names; `player` (bool) adds the script.
    """
    style, script = _asset("theme.css"), _asset("player.js") if values.get("player") else ""
    policy = [
        "default-src 'none'",
        f"style-src '{_hash(style)}'",
        "img-src data:",
        *(["media-src data:", f"script-src '{_hash(script)}'"] if script else []),
        "base-uri 'none'",
        "form-action 'none'",
    ]
    from markupsafe import Markup

    return (
        _environment()
        .get_template(template)
        .render(style=Markup(style), script=Markup(script), policy="; ".join(policy), **values)
    )


def render_svg(template: str, **values: Any) -> str:
    """The picture of `template`; values are escaped, and no style sheet or script is in it.

    Args:
        template: file name in the package's templates folder.
        **values: what the template names; `mark` is the comment that says what wrote it.
    """
    from markupsafe import Markup

    mark = Markup(values.pop("mark"))
    return _environment().get_template(template).render(mark=mark, **values) + "\n"


def data_uri(data: bytes, mime: str) -> str:
    """`data` as a data: address."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from hotato.report.compiled import CompiledTemplates

    environment = Environment(
        loader=PackageLoader("hotato.report", "templates"),
        bytecode_cache=CompiledTemplates(Path(__file__).with_name("templates") / "__pycache__"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        clock=timefmt.clock,
        seconds=timefmt.seconds,
        signed=lambda sec: words.minus(timefmt.signed_seconds(sec)),
        minus=words.minus,
        explained=words.explained,
        interval=timefmt.interval,
        shown=timefmt.shown,
        plural=timefmt.plural,
        length=timefmt.length,
    )
    environment.filters.update(close_call=close_call, doubts_of=doubts_of)
    environment.globals.update(rows=_rows, doubt_words=doubt_words, holds=HOLDS)
    return environment


def _rows(rows: Sequence[Sequence[str]]) -> Markup:
    """Table rows of numbers, joined here because a template loop over thousands of frames is slow."""
    from markupsafe import Markup

    cell, end = Markup('</td><td class="n">'), Markup("</td></tr>")
    return Markup("\n").join(Markup('<tr><td class="n">') + cell.join(row) + end for row in rows)


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    return resources.files("hotato.report").joinpath("templates", name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
