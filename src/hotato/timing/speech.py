"""A learned detector's answer on the frame grid: it says "is this speech", energy says exactly where."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.timing.activity import Activity
from hotato.timing.energy import Floats


@dataclass(frozen=True, slots=True)
class SpeechParams:
    """How probabilities become activity.

    Attributes:
        speech_probability: a frame whose chunk reaches this is speech.
    """

    speech_probability: float = 0.5


def speech_activity(
    energy: Activity, probability: Floats, chunk_sec: float, params: SpeechParams | None = None
) -> Activity:
    """Activity of the learned detector with its edges moved to the energy edges.

    Args:
        energy: the documented activity of the same channel.
        probability: speech probability of each chunk, shape (chunks,).
        chunk_sec: length of a chunk in seconds.
        params: thresholds.
    """
    raise NotImplementedError
