"""The first moments of an analysis with what a page shows of them: a picture, and for the very first a sound.

Only the recordings of those moments are opened, one at a time, once more.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from hotato.find.labels import WHEN
from hotato.find.sweep import Analysis, Found
from hotato.listen import Heard, hear, tell_apart
from hotato.report.cards import Bracket, Card, card
from hotato.report.doubts import doubt_words
from hotato.report.embed import MAX_EMBEDDED_BYTES, clip
from hotato.report.pictures import Canvas, Picture, stretch
from hotato.report.render import data_uri
from hotato.report.text_scan import joined_words, magnitudes
from hotato.report.timefmt import clock, seconds, shown


@dataclass(frozen=True, eq=False)
class MomentView:
    """One moment on a page.

    Attributes:
        found: the moment.
        source: its recording's name, safe to show.
        title: a few words.
        sentence: what was measured.
        picture: the timeline around it.
        bracket: the dimension line on it, or None.
        bound_sec: the limit it was held against, or None.
        critical: it is a CRITICAL incident.
        doubts: what weakens it, in words.
        words: what the timeline shows, in a sentence.
        audio: the sound as a data: address, or None.
        choices: pairs of when a label is right and the command that gives it.
    """

    found: Found
    source: str
    title: str
    sentence: str
    picture: Picture
    bracket: Bracket | None
    bound_sec: float | None
    critical: bool
    doubts: tuple[str, ...]
    words: str
    audio: str | None
    choices: tuple[tuple[str, str], ...]


def moment_views(
    analysis: Analysis, *, top: int, audio_top: int, ref_file: str | None = None
) -> tuple[MomentView, ...]:
    """Views of the first moments.

    Args:
        analysis: the analysis.
        top: how many, 0 for all.
        audio_top: how many of those carry their sound; a recording that is too long to be kept carries none.
        ref_file: the JSON that references lead into, for the commands; None leaves them out.
    """
    listed = analysis.found[:top] if top > 0 else analysis.found
    views: dict[int, MomentView] = {}
    for named in dict.fromkeys(one.named for one in listed):
        mine = [one for one in listed if one.named == named]
        wanted = any(one.rank <= audio_top for one in mine)
        hearing = hear(named.path, keep_samples_bytes=MAX_EMBEDDED_BYTES if wanted else 0, digests="file")
        heard = tell_apart(hearing, analysis.channels)
        assert isinstance(heard, Heard), "only recordings with two parties have moments"
        canvas = Canvas.of(heard)
        for one in mine:
            sound = clip(heard, one.window) if one.rank <= audio_top else None
            ref = None if ref_file is None else analysis.ref(one, ref_file)
            views[one.rank] = _view(one, canvas, None if sound is None else data_uri(*sound), ref)
    return tuple(views[one.rank] for one in listed)


def _view(found: Found, canvas: Canvas, audio: str | None, ref: str | None) -> MomentView:
    ranked, candidate = found.ranked, found.ranked.candidate
    drawn: Card | None = None
    if ranked.incident is not None:
        drawn = card(ranked.incident, canvas, "", found.window)
    picture = drawn.picture if drawn is not None else None
    picture = picture or stretch(canvas, found.window, bands=((candidate.span, "taken"),))
    codes = dict.fromkeys(reason.code for reason in candidate.doubts)
    return MomentView(
        found=found,
        source=shown(found.named.source, 80),
        title=ranked.incident.title if ranked.incident else candidate.kind.replace("_", " "),
        sentence=ranked.incident.sentence if ranked.incident else _figures(found),
        picture=picture,
        bracket=None if drawn is None else drawn.bracket,
        bound_sec=None if ranked.incident is None else ranked.incident.bound_sec,
        critical=drawn is not None and drawn.critical,
        doubts=tuple(doubt_words(code) for code in codes) if drawn is None else drawn.doubts,
        words=_words(picture) if drawn is None else drawn.words,
        audio=audio,
        choices=_choices(found, ref),
    )


def _figures(found: Found) -> str:
    candidate = found.ranked.candidate
    told = ", ".join(part for part in (magnitudes(candidate), joined_words(candidate)) if part)
    return told[:1].upper() + told[1:] + "."


def _words(picture: Picture) -> str:
    sounding = ", ".join(
        f"{lane.role} active {seconds(sec)}"
        for lane, sec in zip(picture.lanes, picture.sounding_sec, strict=True)
    )
    scale = picture.scale
    return f"From {clock(scale.lo)} to {clock(scale.hi)}: {sounding}."


def _choices(found: Found, ref: str | None) -> tuple[tuple[str, str], ...]:
    if ref is None:
        return ()
    return tuple((WHEN[label], promote(ref, label)) for label in found.ranked.labels)


def promote(ref: str, label: str, more: Sequence[str] = ()) -> str:
    """The command that makes a contract of a moment of a list.

    Args:
        ref: what leads to the moment.
        label: the label.
        more: further words of the command line.
    """
    return shlex.join(("hotato", "investigate", "label", ref, "--expect", label, *more))
