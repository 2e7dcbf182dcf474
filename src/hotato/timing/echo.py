"""Echo: is the caller channel a delayed, scaled copy of the agent's own envelope? (METHODOLOGY, step 7)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.timing.energy import Floats
from hotato.timing.grid import FrameGrid

_PIECES = 48  # multiplied at a time: so few that the library does it on one core, in one order


@dataclass(frozen=True, slots=True)
class EchoParams:
    """Thresholds of the echo check.

    Attributes:
        max_lag_sec: longest delay that is looked at.
        coherence_threshold: cosine from which the caller channel is suspected to carry the agent.
        min_overlap_frames: a lag with fewer frames in common than this is not looked at.
    """

    max_lag_sec: float = 0.5
    coherence_threshold: float = 0.7
    min_overlap_frames: int = 8


@dataclass(frozen=True, slots=True)
class Echo:
    """The best match of one channel's envelope with a delayed copy of the other's.

    Attributes:
        coherence: largest cosine similarity over all lags, 0..1, rounded to 3 decimals.
        lag_sec: the lag at which it was found.
        suspected: coherence reached the threshold.
    """

    coherence: float
    lag_sec: float
    suspected: bool


def envelope_echo(of: Floats, source: Floats, grid: FrameGrid, params: EchoParams | None = None) -> Echo:
    """The lag at which the RMS envelope `of` looks most like `source` delayed by it.

    Args:
        of: RMS envelope of the channel that may carry the copy, shape (frames,).
        source: RMS envelope of the channel that may be copied, same shape.
        grid: the frame grid of both.
        params: thresholds.

    At each lag the cosine is taken over the frames that both have: dot(of[lag:], source[:n - lag]) over the
    product of their norms. The first lag wins a tie.
    """
    params = params or EchoParams()
    frames = min(len(of), len(source))
    lags = min(grid.frames_of(params.max_lag_sec), frames - params.min_overlap_frames) + 1
    if lags < 1:
        return Echo(0.0, 0.0, False)
    of, source = of[:frames], source[:frames]
    dots = lagged_dots(of, source, lags)
    norms = np.sqrt(_energies_without(of, lags) * _energies_without(source[::-1], lags))
    cosines = np.divide(dots, norms, out=np.zeros(lags), where=norms > 0.0)
    best = int(np.argmax(cosines))
    coherence = float(cosines[best])
    return Echo(round(coherence, 3), round(best * grid.hop_sec, 3), coherence >= params.coherence_threshold)


def _energies_without(values: Floats, lags: int) -> Floats:
    """Energy of `values` without its first `lag` values, for each lag below `lags`; sums of squares only."""
    rest = values[lags:]
    return np.asarray(np.vecdot(rest, rest) + np.cumsum(np.square(values[:lags])[::-1])[::-1])


def lagged_dots(of: Floats, source: Floats, lags: int) -> Floats:
    """dot(of[lag:], source[: len - lag]) for each lag below `lags`, in one pass.

    Both are cut into pieces of `lags` frames, of `of` each with as much again behind it. The product of all
    pieces of one with all of the other holds at [i, j] what frames i of `source` and frames j of `of` have in
    common; a lag is a diagonal of it.
    """
    pieces = -(-len(of) // lags)
    padded = np.zeros((2, (pieces + 1) * lags))
    padded[0, : len(of)] = of
    padded[1, : len(source)] = source
    longer = np.lib.stride_tricks.sliding_window_view(padded[0], 2 * lags)[::lags]
    shorter = padded[1].reshape(-1, lags)
    product = np.zeros((lags, 2 * lags))
    for first in range(0, pieces, _PIECES):
        some = slice(first, min(first + _PIECES, pieces))
        product += shorter[some].T @ longer[some]
    return np.array([np.trace(product, offset=lag) for lag in range(lags)])
