"""One recording's autopsy as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotato._version import __version__
from hotato.find.records import Autopsy, Candidate
from hotato.findings import Finding
from hotato.listen import Call
from hotato.report.cards import Card, card, key_number
from hotato.report.commands import frames_command, kept_by, scan_command, where_words
from hotato.report.doubts import missing_part, part_heard
from hotato.report.markers import place
from hotato.report.pictures import Canvas, Picture, whole
from hotato.report.render import data_uri, render
from hotato.report.rhythm import rhythm
from hotato.report.thresholds import listener, thresholds
from hotato.report.timefmt import clock, length, percents, plural, rate, shown
from hotato.report.words import meanings
from hotato.timing import PartyShare

_NOT_JUDGED = "Turn-taking could not be judged."
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
    canvas = None if canvas is None else canvas.for_mode(autopsy.mode)
    picture = None if canvas is None else whole(canvas)
    listed, rest = autopsy.incidents[:MAX_CARDS], autopsy.incidents[MAX_CARDS:]
    before, key, after = key_number(answer_words(autopsy), autopsy.incidents)
    judged = autopsy.unjudged is None  # no gate can be passed without a verdict
    cards = [
        card(incident, canvas, kept_by(autopsy, incident, call) if judged else "") for incident in listed
    ]
    limits = [] if call is None else thresholds(call, mixed=autopsy.mode == "mono")
    return render(
        "autopsy.html.j2",
        autopsy=autopsy,
        source=shown(autopsy.source),
        meta=meta(autopsy, call),
        unjudged=unjudged_words(autopsy),
        partial=partial_words(autopsy),
        before=before,
        key=key,
        after=after,
        counts=counts(autopsy),
        picture=picture,
        lane=None if picture is None else place(listed, picture.scale),
        further=[]
        if picture is None
        else [picture.scale.percent(incident.span.start_sec) for incident in rest],
        call_words=call_words(autopsy, picture),
        cards=cards,
        rest=rest,
        strip=None if autopsy.floor is None else rhythm(autopsy.floor),
        shares=shares(autopsy),
        health=autopsy.health,
        candidates=candidates,
        scan_command=scan_command(autopsy, call),
        frames_command=frames_command(autopsy, call),
        where=where_words(autopsy, call),
        thresholds=limits,
        words=meanings(_texts(autopsy, cards, limits)),
        player=audio is not None and picture is not None,
        audio=None if audio is None else data_uri(audio, audio_mime),
        version=__version__,
    )


def meta(autopsy: Autopsy, call: Call | None) -> list[str]:
    """What stands beside the name: length, form, a detector other than the reference, identity."""
    form = f"{plural(autopsy.channels, 'channel')}, {rate(autopsy.sample_rate_hz)}"
    detector = "" if call is None or autopsy.mode != "stereo" else listener(call)
    parts = [clock(autopsy.duration_sec), form, detector, autopsy.id]
    return [part for part in parts if part]


def unjudged_words(autopsy: Autopsy) -> str:
    """Why the recording carries no verdict, as a sentence that comes before all others; else empty."""
    if autopsy.unjudged is None:
        return ""
    return f"No verdict on turn-taking: {shown(autopsy.unjudged, 600).rstrip('.')}."


def partial_words(autopsy: Autopsy) -> str:
    """Which part of the call was heard and what is missing, as a sentence near the top; else empty."""
    return part_heard(_missing(autopsy), autopsy.duration_sec)


def _missing(autopsy: Autopsy) -> list[Finding]:
    return missing_part(autopsy.health) if autopsy.partial else []


def said_above(autopsy: Autopsy) -> tuple[str, ...]:
    """The sentences of the findings that stand at the top of a text already."""
    reason = (autopsy.unjudged or "").partition("; ")[0]
    return (*(finding.sentence for finding in _missing(autopsy)), *([reason] if reason else []))


def answer_words(autopsy: Autopsy) -> str:
    """The answer, without the reason at its head that `unjudged_words` has given already."""
    reason, sentence = (autopsy.unjudged or "").partition("; ")[0], autopsy.sentence
    if not reason or not sentence.lower().startswith(reason.lower()):
        return sentence
    return sentence[len(reason) :].partition(". ")[2] or _NOT_JUDGED


def shares(autopsy: Autopsy) -> list[tuple[str, PartyShare, str]]:
    """Each party's role, figures and share of the talk; the shares add up to 100 %."""
    floor = autopsy.floor
    if floor is None:
        return []
    parties = (("caller", floor.caller), ("agent", floor.agent))
    parts = percents([share.talk_share or 0.0 for _, share in parties])
    return [
        (role, share, "none" if share.talk_share is None else f"{part} %")
        for (role, share), part in zip(parties, parts, strict=True)
    ]


def _texts(autopsy: Autopsy, cards: list[Card], limits: list[tuple[str, str]]) -> Iterator[str]:
    """Every text of a page in which a word of the glossary may stand."""
    yield autopsy.sentence
    for one in cards:
        yield one.incident.sentence
        yield from one.doubts
        yield from (part for fact in one.facts for part in fact)
    for finding in autopsy.health:
        yield from (finding.sentence, finding.remedy or "")
    yield from (part for pair in limits for part in pair)


def counts(autopsy: Autopsy) -> str:
    """How many incidents of which severity, in one line; not "none" where that would be a verdict."""
    if not autopsy.incidents:
        return "" if autopsy.unjudged is not None or autopsy.partial else "No incidents."
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
        f"{incident.rank} at {clock(incident.span.start_sec, 2)}, {incident.title}"
        for incident in autopsy.incidents[:MAX_CARDS]
    )
    marked = f" Incidents: {listed}." if listed else " No incident is marked."
    return f"{clock(picture.scale.hi)} of call: {sounding}{both}.{marked}"
