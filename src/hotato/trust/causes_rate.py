"""Was the recording written with the wrong sample rate?

A declared rate below the true one plays speech slowly. Frame levels show it in one place: the level of speech
rises and falls about four times a second, and half the rate halves that. Pitch and bandwidth would say more,
but frame levels do not hold them. So only speech slowed down to about a half is seen, and only where every
party speaks long enough; speech that is too fast cannot be told from a brisk speaker this way. A file whose
length disagrees with its header is a fact of the audio room.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.findings import Finding
from hotato.listen import Track


@dataclass(frozen=True, slots=True)
class RateParams:
    """Limits of the test.

    Attributes:
        window_sec: length of one modulation spectrum.
        step_sec: distance between them.
        active_share: share of a window that must be active.
        min_windows: windows needed on every channel.
        low_hz: lower end of the modulation band.
        high_hz: upper end.
        slow_hz: a modulation centroid below this on every channel is too slow.
    """

    window_sec: float = 2.56
    step_sec: float = 0.64
    active_share: float = 0.5
    min_windows: int = 15
    low_hz: float = 1.0
    high_hz: float = 20.0
    slow_hz: float = 3.4


def modulation_hz(track: Track, params: RateParams) -> float | None:
    """Centroid of the modulation spectrum of a channel's speech in hertz; None where there is too little.

    The spectrum is that of the square root of the frame RMS, Hann-windowed, each window normalised to unit
    power.
    """
    grid = track.reference.grid
    size, step = grid.frames_of(params.window_sec), max(1, grid.frames_of(params.step_sec))
    if track.reference.frames < size or size < 2:
        return None
    spoken = np.concatenate([[0], np.cumsum(track.reference.raw)])
    starts = np.arange(0, track.reference.frames - size + 1, step)
    starts = starts[(spoken[starts + size] - spoken[starts]) >= params.active_share * size]
    if len(starts) < params.min_windows:
        return None
    envelope = np.lib.stride_tricks.sliding_window_view(10.0 ** (track.reference.dbfs / 40.0), size)[starts]
    centred = (envelope - envelope.mean(axis=1, keepdims=True)) * np.hanning(size)
    power = np.abs(np.fft.rfft(centred, axis=1)) ** 2
    hertz = np.fft.rfftfreq(size, grid.hop_sec)
    band = (hertz >= params.low_hz) & (hertz <= params.high_hz)
    mean = (power / power.sum(axis=1, keepdims=True)).mean(axis=0)[band]
    return float((mean * hertz[band]).sum() / mean.sum())


def rate_cause(tracks: tuple[Track, ...], params: RateParams) -> Finding | None:
    """Speech on every channel that rises and falls too slowly for the declared rate."""
    centroids: list[float] = []
    for track in tracks:
        hertz = modulation_hz(track, params)
        if hertz is None or hertz >= params.slow_hz:
            return None  # one channel that is not slow settles it
        centroids.append(hertz)
    rate = tracks[0].reference.grid.sample_rate_hz
    shown = " and ".join(f"{hertz:.1f}" for hertz in centroids)
    return Finding(
        code="rate_mislabelled",
        sentence=f"speech rises and falls only {shown} times a second; the true sample rate may be higher "
        f"than the declared {rate} Hz",
        evidence={"declared_rate_hz": rate, "modulation_hz": [round(hertz, 2) for hertz in centroids]},
        remedy="listen for a voice that is slow and deep; if so, write the true rate into the header",
    )
