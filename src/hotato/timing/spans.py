"""Spans, runs and edges: intervals in seconds, the boolean frames they come from, and how sure an end is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open interval [start, end) in seconds."""

    start_sec: float
    end_sec: float

    @property
    def duration_sec(self) -> float:
        """Length in seconds."""
        return self.end_sec - self.start_sec

    def __and__(self, other: Span) -> Span | None:
        """The part that both spans cover, or None where they do not meet."""
        start, end = max(self.start_sec, other.start_sec), min(self.end_sec, other.end_sec)
        return Span(start, end) if start < end else None


@dataclass(frozen=True, slots=True)
class Edge:
    """One end of a sound: the frame's time and the interval that holds the true one.

    Attributes:
        sec: time of the frame edge.
        lo_sec: earliest time consistent with the frames.
        hi_sec: latest time consistent with the frames.
    """

    sec: float
    lo_sec: float
    hi_sec: float

    @classmethod
    def exact(cls, sec: float) -> Edge:
        """An edge known without error, such as a time that a person stated."""
        return cls(sec, sec, sec)


@dataclass(frozen=True, slots=True)
class Run:
    """Frames [first, stop): the longest stretch of equal activity around them."""

    first: int
    stop: int

    @property
    def frames(self) -> int:
        """Length in frames."""
        return self.stop - self.first

    def span(self, hop_sec: float) -> Span:
        """The run in seconds, rounded to the millisecond."""
        return Span(round(self.first * hop_sec, 3), round(self.stop * hop_sec, 3))


def runs(mask: Mask) -> list[Run]:
    """The runs of True in `mask`, in order."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [Run(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def merge(pieces: list[Run], longest_gap: int) -> list[Run]:
    """Runs with every gap of at most `longest_gap` frames closed."""
    merged: list[Run] = []
    for piece in pieces:
        if merged and piece.first - merged[-1].stop <= longest_gap:
            merged[-1] = Run(merged[-1].first, piece.stop)
        else:
            merged.append(piece)
    return merged


def mask_of(pieces: list[Run], frames: int) -> Mask:
    """The boolean frames that `pieces` cover."""
    mask = np.zeros(frames, dtype=np.bool_)
    for piece in pieces:
        mask[piece.first : piece.stop] = True
    return mask


def first_run(mask: Mask, *, min_frames: int, start: int = 0, stop: int | None = None) -> Run | None:
    """The first run of at least `min_frames` True frames that begins in [start, stop); None if there is none.

    A run that is already under way at `start` counts from `start`.
    """
    for piece in iter_runs(mask, start):
        if stop is not None and piece.first >= stop:
            return None
        if piece.frames >= min_frames:
            return piece
    return None


def iter_runs(mask: Mask, start: int = 0) -> Iterator[Run]:
    """The runs of True in mask[start:], in frames of the whole mask."""
    for piece in runs(mask[start:]):
        yield Run(piece.first + start, piece.stop + start)
