"""Score a recording or a suite and build its report in one go: the documented Python functions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Unpack

from hotato.canonical import write_atomic
from hotato.errors import UsageError
from hotato.report.deltas import require_run
from hotato.report.embed import MAX_EMBEDDED_BYTES, embeddable
from hotato.report.events import EventView, event_view
from hotato.report.markdown_run import run_markdown
from hotato.report.page_run import run_page
from hotato.score import Event, Keywords, Request, builtins_of, envelope_of, scored_events

FORMATS = ("html", "md")


def build_report_html(
    *,
    base: Mapping[str, Any] | None = None,
    base_label: str | None = None,
    embed_audio: bool = False,
    trace: object = None,
    assertions: object = None,
    reliability: object = None,
    **kwargs: Unpack[Keywords],
) -> tuple[str, dict[str, Any]]:
    """Score, and return the page and the envelope.

    Args:
        base: the envelope of an earlier run, to show what changed.
        base_label: what the page calls it.
        embed_audio: put the recording into the page, with a player (a single recording only).
        trace: not in this version: refused, unless None.
        assertions: likewise.
        reliability: likewise.
        **kwargs: what shall be scored, as `run_single` and `run_suite` take it.

    Raises:
        UsageError: a section that is not in this version.
        Refusal: (a `ValueError`) whatever scoring refuses, a base that is no run, a recording that is too
            long to embed, or a suite whose audio shall be embedded.
    """
    _refuse_later(trace=trace, assertions=assertions, reliability=reliability)
    if base is not None:
        require_run(base)
    request = Request(**kwargs, keep_samples_bytes=MAX_EMBEDDED_BYTES if embed_audio else 0)
    if embed_audio and request.is_suite:
        raise UsageError("only one recording can be put into a report", "leave --embed-audio out for a suite")
    events: list[Event] = []
    views: list[EventView] = []
    sound: bytes | None = None
    mime = ""
    for scored in scored_events(request):
        events.append(scored.event)
        views.append(event_view(builtins_of(scored.event), scored.heard))
        if embed_audio and scored.heard is not None:
            sound, mime = embeddable(scored.heard)
    envelope = builtins_of(envelope_of(request, events))
    page = run_page(
        envelope,
        views,
        base=base,
        base_label=base_label,
        audio=sound,
        audio_mime=mime,
    )
    return page, envelope


def _refuse_later(**sections: object) -> None:
    """Refuse the documented sections of a report that this version does not make."""
    given = [name for name, value in sections.items() if value is not None]
    if given:
        raise UsageError(
            f"{given[0]}= is not in this version: a report shows what was measured in the recording alone",
            "leave it out",
        )


def build_report_md(
    *,
    base: Mapping[str, Any] | None = None,
    base_label: str | None = None,
    trace: object = None,
    assertions: object = None,
    reliability: object = None,
    **kwargs: Unpack[Keywords],
) -> tuple[str, dict[str, Any]]:
    """Score, and return the Markdown and the envelope; arguments as in `build_report_html`."""
    _refuse_later(trace=trace, assertions=assertions, reliability=reliability)
    if base is not None:
        require_run(base)
    request = Request(**kwargs)
    events = [scored.event for scored in scored_events(request)]
    envelope = builtins_of(envelope_of(request, events))
    return run_markdown(envelope, base=base, base_label=base_label), envelope


def write_report(
    path: str | os.PathLike[str],
    fmt: str = "html",
    *,
    base: Mapping[str, Any] | None = None,
    base_label: str | None = None,
    embed_audio: bool = False,
    force: bool = False,
    trace: object = None,
    assertions: object = None,
    reliability: object = None,
    **kwargs: Unpack[Keywords],
) -> dict[str, Any]:
    """Score, write the report to `path`, and return the envelope.

    Args:
        path: the file to write.
        fmt: `html` or `md`.
        base: see `build_report_html`.
        base_label: see `build_report_html`.
        embed_audio: see `build_report_html`.
        force: replace an existing file with other content.
        trace: see `build_report_html`.
        assertions: see `build_report_html`.
        reliability: see `build_report_html`.
        **kwargs: see `build_report_html`.

    Raises:
        Refusal: (a `ValueError`) an unknown format, an unwritable file, or whatever scoring refuses.
    """
    _refuse_later(trace=trace, assertions=assertions, reliability=reliability)
    if fmt not in FORMATS:
        raise UsageError(f"unknown report format '{fmt}'", f"choose one of: {', '.join(FORMATS)}")
    if fmt == "md" and embed_audio:
        raise UsageError("a Markdown report cannot carry audio", "ask for html")
    if fmt == "md":
        text, envelope = build_report_md(base=base, base_label=base_label, **kwargs)
    else:
        text, envelope = build_report_html(
            base=base, base_label=base_label, embed_audio=embed_audio, **kwargs
        )
    write_atomic(path, text, force=force)
    return envelope
