"""Echo: is the caller channel a delayed, scaled copy of the agent's own envelope? (METHODOLOGY, step 7)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.timing.energy import Floats
from hotato.timing.grid import FrameGrid


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
    best, best_lag = 0.0, 0
    frames = min(len(of), len(source))
    of_energy = np.concatenate([[0.0], np.cumsum(np.square(of[:frames]))])
    source_energy = np.concatenate([[0.0], np.cumsum(np.square(source[:frames]))])
    for lag in range(grid.frames_of(params.max_lag_sec) + 1):
        common = frames - lag
        if common < params.min_overlap_frames:
            break
        norm = (of_energy[frames] - of_energy[lag]) * source_energy[common]
        if norm <= 0.0:
            continue
        cosine = float(np.dot(of[lag:frames], source[:common])) / float(np.sqrt(norm))
        if cosine > best:
            best, best_lag = cosine, lag
    return Echo(round(best, 3), round(best_lag * grid.hop_sec, 3), best >= params.coherence_threshold)
