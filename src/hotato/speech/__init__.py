"""Optional learned models: is this sound speech?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class SpeechTrack:
    """Speech probability of one channel over time.

    Attributes:
        probability: 0..1 for each chunk, shape (chunks,).
        hop_sec: seconds from one chunk to the next.
    """

    probability: NDArray[np.float64]
    hop_sec: float


class SpeechMeter:
    """Runs the learned detector over blocks of all channels.

    Args:
        sample_rate_hz: rate of the blocks.
        channels: channels of each block.
        full_scale: integer that stands for 1.0.

    Raises:
        ExtraMissing: the `neural` extra is not installed.
    """

    def __init__(self, sample_rate_hz: int, channels: int, full_scale: int):
        raise NotImplementedError

    def feed(self, block: NDArray[np.integer[Any]]) -> None:
        """Take the next samples, shape (n, channels)."""
        raise NotImplementedError

    def finish(self) -> tuple[SpeechTrack, ...]:
        """The probabilities of each channel."""
        raise NotImplementedError
