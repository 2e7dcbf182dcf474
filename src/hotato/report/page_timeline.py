"""One moment to scale, by itself: both channels over time, and what was measured between them."""

from __future__ import annotations

from hotato._version import __version__
from hotato.report.events import EventView
from hotato.report.render import render


def timeline_page(view: EventView, *, label: str) -> str:
    """The page of one scored moment's timeline.

    Args:
        view: the moment, with its picture.
        label: what was expected, in a word.
    """
    return render("timeline.html.j2", view=view, label=label, audio=None, player=False, version=__version__)
