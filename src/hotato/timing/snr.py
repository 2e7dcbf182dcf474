"""Signal-to-noise ratio of a channel, for a gate in front of the verdict.

Once the noise stands less than the dynamic margin below the loudest frame, every frame is active and a
yield can no longer be seen. The estimate is for noise that does not change much during the call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.timing.activity import Activity

DEFAULT_GATE_DB = 22.0


@dataclass(frozen=True, slots=True)
class SnrParams:
    """How signal and noise are told apart.

    Attributes:
        quiet_share: share of the quietest frames that are taken as noise.
        min_quiet_frames: at least this many frames are.
        cap_db: a larger ratio is reported as this, since digital silence has no noise.
    """

    quiet_share: float = 0.02
    min_quiet_frames: int = 5
    cap_db: float = 100.0


def estimate_snr_db(activity: Activity, params: SnrParams | None = None) -> float | None:
    """Power of the loud frames over that of the quietest, in dB; None for a channel without sound.

    10 log10((S - N) / N), where N is the mean power of the quietest frames and S that of the frames above the
    middle, in dB, between N and the loudest frame. The detector's threshold plays no part: below the cliff it
    calls every frame active. Two decimals.
    """
    params = params or SnrParams()
    if not activity.raw.any():
        return None
    power = np.sort(np.power(10.0, activity.dbfs / 10.0))
    count = min(len(power), max(params.min_quiet_frames, int(params.quiet_share * len(power))))
    noise = float(power[:count].mean())
    signal = float(power[power >= np.sqrt(noise * power[-1])].mean())
    ratio = max(signal - noise, noise * 10.0 ** (-params.cap_db / 10.0)) / noise
    return round(min(params.cap_db, 10.0 * float(np.log10(ratio))), 2)
