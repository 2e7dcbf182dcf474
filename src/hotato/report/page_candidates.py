"""The moments of several recordings as one self-contained HTML page, with their sound."""

from __future__ import annotations

from collections.abc import Sequence

from hotato._version import __version__
from hotato.find.sweep import Analysis
from hotato.report.moments import MomentView
from hotato.report.render import render
from hotato.report.timefmt import clock, plural, shown

_SKIPPED_CHARS = 400


def candidates_page(analysis: Analysis, views: Sequence[MomentView], *, where: str = "") -> str:
    """The page of an analysis.

    Args:
        analysis: the analysis.
        views: the moments to show.
        where: a sentence on where its commands are to be run.
    """
    return render(
        "candidates.html.j2",
        answer=_answer(analysis),
        calls=plural(len(analysis.swept), "recording"),
        note=_note(analysis, len(views)),
        views=views,
        where=where,
        more=len(analysis.found) - len(views),
        swept=[(shown(one.named.source, 80), clock(one.duration_sec), one.total) for one in analysis.swept],
        skipped=[
            (shown(one.named.source, 80), shown(one.reason, _SKIPPED_CHARS)) for one in analysis.skipped
        ],
        player=any(view.audio for view in views),
        audio=any(view.audio for view in views),
        version=__version__,
    )


def _answer(analysis: Analysis) -> str:
    if not analysis.found:
        return f"No moment to label in {plural(len(analysis.swept), 'recording')}."
    first = analysis.found[0]
    moments, calls = (
        plural(len(analysis.found), "moment"),
        plural(len(analysis.swept), "recording"),
    )
    incident = first.ranked.incident
    told = "" if incident is None else incident.sentence
    likely = told and f" Likeliest failure: {told[:1].lower()}{told[1:]}"
    return f"{moments} to label in {calls}.{likely}"


def _note(analysis: Analysis, listed: int) -> str:
    parts = ["Each is a measured moment, not a verdict: whether it was right is for a person to say."]
    if listed < len(analysis.found):
        parts.append(f"The first {listed} are shown.")
    if analysis.left_out:
        parts.append(f"{plural(analysis.left_out, 'ordinary moment')} left out.")
    return " ".join(parts)
