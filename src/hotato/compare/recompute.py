"""What runs state, computed again where it can be: verdicts from their numbers, digests from the audio."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

from hotato.compare.records import Provenance, Scored
from hotato.compare.taxonomy import value_of
from hotato.errors import Refusal

Agreement = Literal["agrees", "contradicts", "unknown"]
AGREES: Agreement = "agrees"
CONTRADICTS: Agreement = "contradicts"
UNKNOWN: Agreement = "unknown"

_LATE_ANSWER = "late_answer"
"""The reason code of an answer that was late or never came; see `hotato.score.parts.Verdict`."""

_SLACK_SEC = 5e-4
"""Envelopes state milliseconds, verdicts are reached on what stands behind them."""


def verdict_agrees(event: Scored) -> Agreement:
    """Whether a stated verdict follows from the stated measurements, label and bounds.

    Nothing is known where the file states no bounds, and of an answer that was not measured.
    """
    if not event.scorable:
        return AGREES if not event.verdict.passed else CONTRADICTS
    if event.expected is None or event.verdict.did_yield is None or event.expect is None:
        return UNKNOWN
    judged = _judged(event)
    if judged is None:
        return UNKNOWN
    return AGREES if judged == event.verdict.passed else CONTRADICTS


def _judged(event: Scored) -> bool | None:
    """The verdict of the numbers; None where they lie on the bound, or do not say."""
    bounds, did = event.expected, event.verdict.did_yield
    assert bounds is not None
    if event.expect == "hold":
        return not did
    if event.expect == "answer":
        return _within(value_of(event, "silence"), bounds.max_response_gap_sec)
    gap = _answered_in_time(event, bounds.max_response_gap_sec)
    if not did:
        return False
    parts = [
        _within(value_of(event, "time_to_yield"), bounds.max_time_to_yield_sec),
        _within(value_of(event, "talk_over"), bounds.max_talk_over_sec),
        gap,
    ]
    if False in parts:
        return False
    return None if None in parts else True


def _answered_in_time(event: Scored, limit_sec: float | None) -> bool | None:
    """Whether the answer to the caller's turn came in time.

    An answer that began a moment early has its gap at the energy edges only, and of one that never came the
    file states that it is late, and no number.
    """
    gap, edges = value_of(event, "response_gap"), event.edges.get("response_gap")
    if gap is None and edges is not None:
        gap = edges.sec
    if gap is None and limit_sec is not None:
        return False if _LATE_ANSWER in event.verdict.reason_codes else None
    return _within(gap, limit_sec)


def _within(value_sec: float | None, limit_sec: float | None) -> bool | None:
    if limit_sec is None:
        return True
    if value_sec is None or abs(value_sec - limit_sec) <= _SLACK_SEC:
        return None
    return value_sec <= limit_sec


@dataclass(frozen=True, slots=True)
class AudioFound:
    """How the recordings beside an envelope bear out what it states.

    Attributes:
        recomputed: events of which every file was found and has the stated samples.
        other: ids of events of which a file of that name holds other samples.
        absent: events of which a file was not found.
    """

    recomputed: int
    other: tuple[str, ...]
    absent: int


def audio_beside(events: Iterable[Scored], folder: Path) -> AudioFound:
    """Decode the recordings that lie in `folder` and compare their samples with what the events state.

    Args:
        events: events of a run; those without provenance count as absent.
        folder: where the recordings may lie, under the base name that the envelope states.
    """
    known: dict[str, str | None] = {}
    found, absent, other = 0, 0, []
    for event in events:
        provenance = event.provenance
        digests = [] if provenance is None else _digests(provenance, folder, known)
        if not digests or None in [digest for _, digest in digests]:
            absent += 1
        elif all(stated == digest for stated, digest in digests):
            found += 1
        else:
            other.append(event.event_id)
    return AudioFound(found, tuple(sorted(other)), absent)


def _digests(
    provenance: Provenance, folder: Path, known: dict[str, str | None]
) -> list[tuple[str, str | None]]:
    """The stated digest of each file beside the one of the file that lies there, None for no such file."""
    pairs = []
    for side in provenance.sides:
        if side.path not in known:
            known[side.path] = _decoded(folder, side.path)
        pairs.append((side.pcm_sha256, known[side.path]))
    return pairs


def _decoded(folder: Path, name: str) -> str | None:
    if not name or PurePath(name).name != name or "\\" in name or "\0" in name:
        return None  # a base name, never a way out of the folder
    path = folder / name
    try:
        if path.is_symlink() or not path.is_file():
            return None
    except OSError:
        return None
    from hotato.listen import hear

    try:
        return hear(path).recording.pcm_sha256
    except Refusal:
        return None
