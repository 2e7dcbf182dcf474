"""Do two channels carry one sound? A single signal that was written twice, at whatever level and sign.

Two parties never stand at one constant ratio: whoever speaks is loud on the own channel. One signal does,
in every frame in which anything sounds, also after a lossy codec, a gain or an inversion made the samples
unequal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.timing.activity import Activity
from hotato.timing.spans import iter_runs


@dataclass(frozen=True, slots=True)
class SamenessParams:
    """Limits of the test. Copies of one mix had a share of 0.98 and more at these limits, after MP3, Vorbis,
    Opus, mu-law and ADPCM; real calls and calls with bleed both ways at most 0.7.

    Attributes:
        tolerance_db: a frame fits when its ratio lies within this of the usual one.
        min_share: share of the sounding frames that must fit.
        longest_apart_sec: one party may not stand apart for longer than this at a time: a sound as short as
            an onset may be would be somebody's own.
        max_gain_db: a larger difference is rather a bleed into the channel of a party that never speaks.
        min_sound_sec: less sound than this says nothing.
        min_span_db: levels of the sounding frames must spread this far (10th to 90th percentile), because
            two steady sounds keep one ratio too.
    """

    tolerance_db: float = 1.0
    min_share: float = 0.98
    longest_apart_sec: float = 0.05
    max_gain_db: float = 6.0
    min_sound_sec: float = 0.5
    min_span_db: float = 6.0


def same_sound(one: Activity, other: Activity, params: SamenessParams | None = None) -> float | None:
    """The level of `one` over `other` in dB where both channels carry a single sound, else None.

    Args:
        one: a channel's activity; frames that only the longer channel has are not looked at.
        other: the other's, on the same grid.
        params: limits.
    """
    params = params or SamenessParams()
    frames = min(one.frames, other.frames)
    sounding = one.raw[:frames] | other.raw[:frames]
    if np.count_nonzero(sounding) < max(1, one.grid.frames_of(params.min_sound_sec)):
        return None
    ratios = one.dbfs[:frames] - other.dbfs[:frames]
    gain = float(np.quantile(ratios[sounding], 0.5))  # np.median would load numpy.ma
    apart = sounding & (np.abs(ratios - gain) > params.tolerance_db)
    if abs(gain) > params.max_gain_db or np.mean(apart[sounding]) > 1.0 - params.min_share:
        return None
    low, high = np.quantile(np.maximum(one.dbfs[:frames], other.dbfs[:frames])[sounding], [0.1, 0.9])
    longest = one.grid.frames_of(params.longest_apart_sec)
    if high - low < params.min_span_db or any(run.frames > longest for run in iter_runs(apart, 0)):
        return None
    return round(gain, 1) + 0.0
