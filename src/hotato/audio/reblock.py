"""Arrays of any length in, arrays of one length out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.audio.pcm import Samples


def reblock(pieces: Iterable[Samples], frames: int) -> Iterator[Samples]:
    """The same samples in order, every array exactly `frames` long except the last, none empty."""
    held: list[Samples] = []
    count = 0
    for piece in pieces:
        start = 0
        while count + len(piece) - start >= frames:
            end = start + frames - count
            held.append(piece[start:end])
            yield _joined(held)
            held, count, start = [], 0, end
        if start < len(piece):
            held.append(piece[start:])
            count += len(piece) - start
    if held:
        yield _joined(held)


def _joined(held: list[NDArray[Any]]) -> Samples:
    joined: Samples = np.ascontiguousarray(held[0]) if len(held) == 1 else np.concatenate(held)
    return joined
