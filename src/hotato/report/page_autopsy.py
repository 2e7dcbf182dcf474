"""One recording's autopsy as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from hotato._version import __version__
from hotato.find.records import Autopsy, Candidate
from hotato.listen import Call
from hotato.report.cards import card, key_number
from hotato.report.commands import gate_command, recording_words
from hotato.report.markers import place
from hotato.report.pictures import Canvas, Picture, whole
from hotato.report.render import data_uri, render
from hotato.report.rhythm import rhythm
from hotato.report.thresholds import thresholds
from hotato.report.timefmt import clock, length, plural, rate, shown

MAX_CARDS = 40
"""Incidents beyond this many stand in a table instead of a card."""


def autopsy_page(
    autopsy: Autopsy,
    call: Call | None,
    *,
    candidates: Sequence[Candidate] = (),
    audio: bytes | None = None,
    audio_mime: str = "audio/wav",
    canvas: Canvas | None = None,
) -> str:
    """The page of one autopsy.

    Args:
        autopsy: the incidents and the recording's health.
        call: what the pictures are drawn from; None leaves the pictures out.
        candidates: every timing moment, for their count.
        audio: the encoded recording, embedded with a player when given.
        audio_mime: media type of `audio`.
        canvas: the canvas of `call`, where it has been computed already.
    """
    if canvas is None and call is not None:
        canvas = Canvas.of(call)
    picture = None if canvas is None else whole(canvas)
    listed, rest = autopsy.incidents[:MAX_CARDS], autopsy.incidents[MAX_CARDS:]
    before, key, after = key_number(autopsy.sentence, autopsy.incidents)
    floor = autopsy.floor
    return render(
        "autopsy.html.j2",
        autopsy=autopsy,
        source=shown(autopsy.source),
        recording=recording_words(autopsy, call, "--stereo "),
        channels=f"{plural(autopsy.channels, 'channel')}, {rate(autopsy.sample_rate_hz)}",
        before=before,
        key=key,
        after=after,
        counts=counts(autopsy),
        picture=picture,
        lane=None if picture is None else place(listed, picture.scale),
        further=[] if picture is None else [picture.scale.percent(incident.t_sec) for incident in rest],
        call_words=call_words(autopsy, picture),
        cards=[card(incident, canvas, gate_command(autopsy, incident, call)) for incident in listed],
        rest=rest,
        strip=None if floor is None else rhythm(floor),
        shares=[] if floor is None else [("caller", floor.caller), ("agent", floor.agent)],
        health=autopsy.health,
        candidates=candidates,
        thresholds=[] if call is None else thresholds(call),
        player=audio is not None and picture is not None,
        audio=None if audio is None else data_uri(audio, audio_mime),
        version=__version__,
    )


def counts(autopsy: Autopsy) -> str:
    """How many incidents of which severity, in one line."""
    if not autopsy.incidents:
        return "No incidents."
    parts = [f"{autopsy.critical} critical" if autopsy.critical else "", ""]
    if autopsy.warning:
        parts[1] = plural(autopsy.warning, "warning")
    total = sum(incident.cost or 0.0 for incident in autopsy.incidents)
    priced = any(incident.cost is not None for incident in autopsy.incidents)
    cost = f" Est. cost {total:.2f} {shown(autopsy.currency or '', 12)}".rstrip() + "." if priced else ""
    return f"{', '.join(part for part in parts if part)}.{cost}"


def call_words(autopsy: Autopsy, picture: Picture | None) -> str:
    """What the picture of the whole call shows, for somebody who cannot see it."""
    if picture is None:
        return ""
    sounding = ", ".join(
        f"{lane.role} active for {length(sec)}"
        for lane, sec in zip(picture.lanes, picture.sounding_sec, strict=True)
    )
    both = f", both at once for {length(picture.overlap_sec)}" if picture.two else ""
    listed = "; ".join(
        f"{incident.rank} at {clock(incident.t_sec)}, {incident.title}"
        for incident in autopsy.incidents[:MAX_CARDS]
    )
    marked = f" Incidents: {listed}." if listed else " No incident is marked."
    return f"{clock(picture.scale.hi)} of call: {sounding}{both}.{marked}"
