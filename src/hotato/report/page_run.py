"""A scored run as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hotato._version import __version__
from hotato.report.charts import charts
from hotato.report.deltas import deltas
from hotato.report.events import EventView
from hotato.report.render import data_uri, render
from hotato.report.text_run import summary_parts
from hotato.report.timefmt import plural, seconds, shown


def run_page(
    envelope: Mapping[str, Any],
    views: Sequence[EventView],
    *,
    base: Mapping[str, Any] | None = None,
    base_label: str | None = None,
    audio: bytes | None = None,
    audio_mime: str = "audio/wav",
) -> str:
    """The page of one run.

    Args:
        envelope: the scored envelope.
        views: one for each of its events, in order.
        base: the envelope of an earlier run to compare with.
        base_label: what the page calls it.
        audio: the encoded recording of the first event, embedded with a player when given.
        audio_mime: media type of `audio`.
    """
    return render(
        "run.html.j2",
        envelope=envelope,
        views=views,
        name=shown(str(envelope.get("suite") or (views[0].name if views else "no event"))),
        answer=answer(envelope),
        summary=summary_parts(envelope),
        charts=charts(envelope),
        deltas=() if base is None else deltas(base, envelope),
        base_label=shown(base_label or "the earlier run"),
        player=audio is not None,
        audio=None if audio is None else data_uri(audio, audio_mime),
        version=__version__,
    )


def answer(envelope: Mapping[str, Any]) -> tuple[str, str, str]:
    """The run in one sentence, as (before, emphasised, after)."""
    summary = envelope["summary"]
    failed, skipped = summary["failed"], summary.get("not_scorable") or 0
    judged = summary["events"] - skipped
    rest = f" {plural(skipped, 'event')} could not be judged." if skipped else ""
    if not judged:
        return f"Nothing could be judged: {plural(skipped, 'event')} not scorable.", "", ""
    event = envelope["events"][0]
    if envelope["mode"] == "single" and not event["expected_yield_explicit"]:
        return _unlabelled(event)
    if not failed:
        subject = "The event" if judged == 1 else f"All {judged} events"
        return f"{subject} behaved as labelled.{rest}", "", ""
    if judged == 1:
        return "The event ", "did not behave as labelled", f".{rest}"
    return "", f"{failed} of {judged} events", f" did not behave as labelled.{rest}"


def _unlabelled(event: Mapping[str, Any]) -> tuple[str, str, str]:
    """What was measured of a moment that nobody labelled; whether it was right is not for us to say."""
    verdict = event["verdict"]
    bounded = any(limit is not None for limit in event["expected"].values())
    assumed = " Nobody labelled the moment: a yield was assumed"
    if not verdict["passed"]:
        # What is emphasised does not wrap, and the reasons are long.
        return f"The agent {'; it '.join(verdict['reasons'])}.{assumed}.", "", ""
    told = f"The agent went quiet {seconds(verdict['seconds_to_yield'])} after the caller began"
    if bounded:
        return f"{told}, within the bounds given.{assumed}.", "", ""
    return f"{told}.{assumed}, with no bound.", "", ""
