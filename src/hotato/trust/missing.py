"""Where a call does not hold what a party did: a silence or a stop measured there need not be its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hotato.listen import Call, Heard, Track
from hotato.timing import Reason
from hotato.trust.causes_continuity import FlowParams, drop_outs, end_of, repeats

DROP_OUTS = "drop_outs"
ENDS_EARLY = "channel_ends_early"
REPEATED = "repeated_blocks"
MISSING = (DROP_OUTS, ENDS_EARLY, REPEATED)
"""Codes of findings that break a number only where it lies."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Frames [first, stop) in which a number is not to be relied on, and why.

    Attributes:
        code: the finding that says so.
        role: whose channel it is.
        first: the first frame.
        stop: one past the last.
        late_sec: by how much at most times in it are late.
    """

    code: str
    role: str
    first: int
    stop: int
    late_sec: float = 0.0


def missing_parts(call: Call, params: FlowParams | None = None) -> tuple[Missing, ...]:
    """Every part of a call that breaks the numbers measured in it, party by party.

    - a drop-out that the activity does not bridge: a shorter one changes no silence and no stop;
    - what comes after a party's own end: nothing is known of it there;
    - what comes after a block that is played twice: times there are late, by at most what was played.

    Args:
        call: what was heard.
        params: limits of the tests of continuity.
    """
    params = params or FlowParams()
    if not isinstance(call, Heard):
        return tuple(parts_of(call.track, None, params))
    pairs = ((call.caller, call.agent), (call.agent, call.caller))
    return tuple(part for track, other in pairs for part in parts_of(track, other, params))


def recorded_frames(heard: Heard, role: str, params: FlowParams | None = None) -> int:
    """Frames of the call up to which the `caller` or the `agent` was recorded."""
    tracks = {track.role: track for track in (heard.caller, heard.agent)}
    other = heard.agent if role == "caller" else heard.caller
    return end_of(tracks[role], other, params or FlowParams())


def missing_reasons(parts: Iterable[Missing], first: int, stop: int, slack: int = 0) -> tuple[Reason, ...]:
    """Why a moment that frames [first, stop) decide is in doubt, each code once.

    Args:
        parts: the missing parts of the call.
        first: the first frame that matters.
        stop: one past the last.
        slack: a drop-out this many frames away still has sound beside it that made the edge.
    """
    late_sec: dict[str, float] = {}
    for part in parts:
        near = slack if part.code == DROP_OUTS else 0
        if part.first < stop + near and part.stop > first - near:
            late_sec[part.code] = late_sec.get(part.code, 0.0) + part.late_sec
    return tuple(
        Reason(code, {"late_sec": round(late, 3)} if late else {}) for code, late in late_sec.items()
    )


def harmless(reason: Reason, slack_sec: float) -> bool:
    """Whether a doubt cannot move a number that lies this far from its limit to the other side."""
    return reason.code == REPEATED and reason.evidence["late_sec"] < slack_sec


def parts_of(track: Track, other: Track | None, params: FlowParams) -> Iterator[Missing]:
    """The same for one channel; `other` says whether the call went on where this one ended."""
    frames, sounding = track.reference.frames, track.activity.trimmed
    for gap in drop_outs(track, params):
        if not sounding[gap.first : gap.stop].all():
            yield Missing(DROP_OUTS, track.role, gap.first, gap.stop)
    end = end_of(track, other, params)
    if end < frames:
        yield Missing(ENDS_EARLY, track.role, end, frames)
    for piece in repeats(track, params):
        late_sec = piece.frames * track.reference.hop_sec
        yield Missing(REPEATED, track.role, piece.first, frames, late_sec)
