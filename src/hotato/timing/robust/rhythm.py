"""Beats of music: short sounds that begin again and again after exactly the same time, as no speaker does."""

from __future__ import annotations

from hotato.timing.grid import FrameGrid
from hotato.timing.robust.params import RhythmParams
from hotato.timing.spans import Run


def without_beats(pieces: list[Run], grid: FrameGrid, params: RhythmParams) -> list[Run]:
    """The runs that are no beats: a beat is one of several short runs in a row at equal distances.

    Args:
        pieces: runs of sound, in order.
        grid: the frame grid.
        params: what makes a rhythm.
    """
    longest, jitter = grid.frames_of(params.longest_sec), grid.frames_of(params.jitter_sec)
    beats: set[int] = set()
    row: list[int] = []
    for index, piece in enumerate(pieces):
        if piece.frames > longest:
            row = []
            continue
        if len(row) >= 2:
            last, before = pieces[row[-1]].first, pieces[row[-2]].first
            if abs((piece.first - last) - (last - before)) > jitter:
                row = row[-1:]
        row.append(index)
        if len(row) >= params.least_beats:
            beats.update(row)
    return [piece for index, piece in enumerate(pieces) if index not in beats]
