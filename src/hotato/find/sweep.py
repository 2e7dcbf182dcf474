"""Several recordings, one ranked list: the moments of all of them, likeliest failure first.

A recording that cannot be looked into is a row with its reason; it never ends the sweep and is never left out
in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import msgspec

from hotato.errors import Refusal
from hotato.find.investigate import Investigation, Ranked, investigate, ranked_json
from hotato.find.listing import channel_config
from hotato.find.origin import origin_of
from hotato.find.params import ScanParams
from hotato.find.records import CRITICAL
from hotato.find.refs import Picked, call_ref
from hotato.find.scan import NOTE
from hotato.listen import Heard, hear, tell_apart
from hotato.stacks import ChannelMap, channel_map
from hotato.timing import ScoreConfig, Span


@dataclass(frozen=True, slots=True)
class SweepParams:
    """What is shown around a moment.

    Attributes:
        pre_sec: seconds before it.
        post_sec: seconds after it.
    """

    pre_sec: float = 2.0
    post_sec: float = 4.0


@dataclass(frozen=True, slots=True)
class Named:
    """A recording to look into.

    Attributes:
        source: its name in the folder of recordings, with forward slashes.
        path: where it is opened.
    """

    source: str
    path: str


@dataclass(frozen=True, slots=True)
class Swept:
    """A recording that was looked into.

    Attributes:
        named: the recording.
        duration_sec: its length.
        sha256: digest (hex) of its bytes.
        total: how many of its moments are listed.
    """

    named: Named
    duration_sec: float
    sha256: str
    total: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A recording that could not be looked into, and why."""

    named: Named
    reason: str


@dataclass(frozen=True, eq=False)
class Found:
    """One moment of the list.

    Attributes:
        rank: its place, from 1: the N of `#N`.
        named: its recording.
        ranked: the moment; its own `rank` is that within its recording.
        window: what is shown of the recording.
    """

    rank: int
    named: Named
    ranked: Ranked
    window: Span


@dataclass(frozen=True, eq=False)
class Analysis:
    """What several recordings gave.

    Attributes:
        folder_path: the folder of the recordings, relative to the working folder or to the file that this is
            written to.
        params: thresholds of the walk.
        shown: what is shown around a moment.
        channels: which channel was whom.
        stack: the platform that was named, or None.
        swept: the recordings that were looked into, in their order.
        skipped: the others.
        found: every moment, likeliest failure first.
        left_out: how many ordinary moments are not among them.
    """

    folder_path: str
    params: ScanParams
    shown: SweepParams
    channels: ChannelMap
    stack: str | None
    swept: tuple[Swept, ...]
    skipped: tuple[Skipped, ...]
    found: tuple[Found, ...]
    left_out: int

    def ref(self, found: Found, file: str) -> str:
        """What leads to a moment in the JSON of this, `file`: the place is that among the call's own."""
        digests = {call.named: call.sha256 for call in self.swept}
        own = [one.rank for one in self.found if digests[one.named] == digests[found.named]]
        return call_ref(file, digests[found.named], 1 + own.index(found.rank))


def sweep(
    recordings: Sequence[Named],
    folder_path: str,
    *,
    params: ScanParams | None = None,
    shown: SweepParams | None = None,
    channels: ChannelMap | None = None,
    stack: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Analysis:
    """Look into several recordings, one after the other; memory does not grow with their length.

    Args:
        recordings: in the order in which they are listed.
        folder_path: the folder of the recordings, as the result states it.
        params: thresholds of the walk.
        shown: what is shown around a moment.
        channels: which channel is whom; that of `stack` by default.
        stack: the platform that was named, or None.
        progress: called with the number of recordings done.
    """
    params, shown = params or ScanParams(), shown or SweepParams()
    channels = channels or channel_map(stack)
    swept, skipped, left_out = [], [], 0
    moments: list[tuple[Named, Ranked, float]] = []
    for done, named in enumerate(recordings, 1):
        try:
            found = _look(named, channels, stack, params)
        except Refusal as refusal:
            skipped.append(Skipped(named, str(refusal)))
        else:
            duration_sec = round(found.call.duration_sec, 3)
            swept.append(Swept(named, duration_sec, found.call.file_sha256, len(found.ranked)))
            moments += [(named, one, duration_sec) for one in found.ranked]
            left_out += found.left_out
        if progress is not None:
            progress(done)
    moments.sort(key=lambda moment: _precedence(*moment[:2]))
    return Analysis(
        folder_path=folder_path,
        params=params,
        shown=shown,
        channels=channels,
        stack=stack,
        swept=tuple(swept),
        skipped=tuple(skipped),
        found=tuple(
            Found(rank, named, one, _window(one, shown, duration_sec))
            for rank, (named, one, duration_sec) in enumerate(moments, 1)
        ),
        left_out=left_out,
    )


def _look(named: Named, channels: ChannelMap, stack: str | None, params: ScanParams) -> Investigation:
    """Look into one recording.

    Raises:
        Refusal: whatever it is refused for; `not_scorable`.
    """
    heard = tell_apart(hear(named.path, digests="file"), channels)
    origin = origin_of(named.source, heard.file_sha256)
    found = investigate(heard, path=named.source, origin=origin, stack=stack, params=params)
    if not isinstance(heard, Heard) or found.exit_code:
        reason = found.trust.not_scorable_reason or "it cannot be scored"
        raise Refusal("not_scorable", reason, found.trust.next_step)
    return found


def _precedence(named: Named, one: Ranked) -> tuple[bool, bool, bool, bool, float, str, int]:
    """As within one recording: incidents that a label fits, worst first; the rest; caveats; the ordinary."""
    incident = one.incident
    critical = incident is not None and incident.severity == CRITICAL
    salience = -one.candidate.salience
    return (one.ordinary, not one.labels, incident is None, not critical, salience, named.source, one.rank)


def _window(one: Ranked, shown: SweepParams, duration_sec: float) -> Span:
    span = one.candidate.span
    start = max(0.0, span.start_sec - shown.pre_sec)
    return Span(round(start, 3), round(min(duration_sec, span.end_sec + shown.post_sec), 3))


def analysis_json(analysis: Analysis, top: int = 0) -> dict[str, Any]:
    """The documented JSON of an analysis; keys that the documented edition lacks come last.

    Args:
        analysis: the analysis.
        top: how many moments to list, 0 for all.
    """
    shown = analysis.found[:top] if top > 0 else analysis.found
    return {
        "tool": "hotato",
        "kind": "analyze",
        "schema_version": "1",
        "folder": PurePosixPath(analysis.folder_path).name or ".",
        "folder_path": analysis.folder_path,
        "note": NOTE,
        "config": {
            "min_gap_sec": analysis.params.min_gap_sec,
            "pre_sec": analysis.shown.pre_sec,
            "post_sec": analysis.shown.post_sec,
            "search_window_sec": ScoreConfig().max_search_sec,
            **channel_config(analysis.channels, analysis.stack),
        },
        "calls_scanned": len(analysis.swept),
        "calls_skipped": len(analysis.skipped),
        "scanned": [
            {
                "source": call.named.source,
                "duration_sec": call.duration_sec,
                "total_candidates": call.total,
                "sha256": call.sha256,
            }
            for call in analysis.swept
        ],
        "skipped": [{"file": call.named.source, "reason": call.reason} for call in analysis.skipped],
        "total_candidates": len(analysis.found),
        "candidates": [_found_json(one) for one in shown],
        "shown": len(shown),
        "ordinary_left_out": analysis.left_out,
    }


def _found_json(found: Found) -> dict[str, Any]:
    told = ranked_json(found.ranked, found.named.source)
    documented = ("source", "t_sec", "kind", "salience", "durations", "agent_reaction")
    head = {name: told.pop(name) for name in documented}
    window = {"start_sec": found.window.start_sec, "end_sec": found.window.end_sec}
    return {
        **head,
        "window": window,
        **told,
        "rank": found.rank,
        "most_likely_failure": found.rank == 1 and found.ranked.incident is not None,
    }


def picked_of(analysis: Analysis, found: Found, ref_file: str) -> Picked:
    """A moment of an analysis as a reference into its JSON would lead to it.

    Args:
        analysis: the analysis.
        found: one of its moments.
        ref_file: the name of that JSON.
    """
    candidate = msgspec.to_builtins(_found_json(found))
    return _picked(analysis, found.named, analysis.ref(found, ref_file), found.rank, candidate)


def picked_at(analysis: Analysis, onset_sec: float) -> Picked:
    """A moment that a person named, in the one recording of an analysis."""
    return _picked(analysis, analysis.swept[0].named, None, 0, {"t_sec": onset_sec, "kind": None})


def _picked(
    analysis: Analysis, named: Named, ref: str | None, rank: int, candidate: dict[str, Any]
) -> Picked:
    channels = analysis.channels
    by_hand = channels.source == "flags"
    return Picked(
        ref=ref,
        recording=named.path,
        sha256=next(call.sha256 for call in analysis.swept if call.named == named),
        source=named.source,
        t_sec=candidate["t_sec"],
        kind=candidate["kind"],
        rank=rank,
        call=None,
        candidate=candidate,
        channels=(channels.caller, channels.agent) if by_hand else None,
        stack=analysis.stack,
    )
