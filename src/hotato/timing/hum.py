"""Mains hum: narrow, steady lines at 50 or 60 Hz and their harmonics in the quiet parts of a channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.timing.energy import FLOOR_DBFS, Levels

Power = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class HumParams:
    """Limits of the search.

    Attributes:
        mains_hz: the fundamentals that are looked for.
        harmonics: how many lines of each are added up, the fundamental included.
        block_sec: length of one spectrum; its bins are 1 / block_sec wide.
        max_blocks: so many of the quietest blocks are looked at.
        quiet_share: and at most this share of all blocks.
        line_bins: a line reaches this many bins to either side (the main lobe of a Hann window).
        guard_bins: bins up to this distance from a line say what surrounds it.
        prominence_db: a line stands at least this far above its surroundings.
        steady_db: the total of the lines stays within this between its 10th and 90th percentile of blocks.
    """

    mains_hz: tuple[float, ...] = (50.0, 60.0)
    harmonics: int = 3
    block_sec: float = 1.0
    max_blocks: int = 120
    quiet_share: float = 0.3
    line_bins: int = 2
    guard_bins: int = 12
    prominence_db: float = 15.0
    steady_db: float = 6.0


@dataclass(frozen=True, slots=True)
class Hum:
    """A hum: its fundamental and the RMS level of its lines, dBFS."""

    frequency_hz: float
    level_dbfs: float


def mains_hum(levels: Levels, params: HumParams | None = None) -> Hum | None:
    """The mains hum of a channel, or None.

    The low track (block sums, so a moving average decimated to a few hundred hertz) is cut into blocks of a
    whole number of mains periods; the quietest get a Hann-windowed power spectrum. Of a sine of RMS r, the
    main lobe of a Hann window holds r^2 times the sum of the squared window times half the block length.
    """
    params = params or HumParams()
    spectra = _quiet_spectra(levels, params)
    if spectra is None:
        return None
    width = spectra.shape[1]
    mean = spectra.mean(axis=0)
    rate = levels.grid.sample_rate_hz / levels.grid.hop_samples * levels.grid.subblocks_per_hop
    best: Hum | None = None
    for mains in params.mains_hz:
        total: Power = np.zeros(len(spectra))
        for harmonic in range(1, params.harmonics + 1):
            line = round(mains * harmonic * params.block_sec)
            if line + params.guard_bins >= width:
                break
            if _prominence_db(mean, line, params) < params.prominence_db:
                continue
            # The moving average over one sub-block takes a little off: its gain is a sinc.
            gain = float(np.sinc(mains * harmonic / rate)) ** 2
            total = total + _line(spectra, line, params).sum(axis=1) / gain
        if not _steady(total, params):
            continue
        level = 10.0 * float(np.log10(np.median(total)))
        if best is None or level > best.level_dbfs:
            best = Hum(mains, max(level, FLOOR_DBFS))
    return best


def _quiet_spectra(levels: Levels, params: HumParams) -> Power | None:
    """Power spectra of the quietest blocks, shape (blocks, bins); the bins of a line sum to its RMS^2."""
    grid = levels.grid
    size = round(grid.sample_rate_hz / grid.hop_samples * grid.subblocks_per_hop * params.block_sec)
    count = len(levels.low_track) // size if size else 0
    if not count:
        return None
    per_block = grid.hop_samples / grid.subblocks_per_hop * levels.full_scale
    track = levels.low_track[: count * size].reshape(count, size).astype(np.float32) / np.float32(per_block)
    track = track - track.mean(axis=1, keepdims=True)
    energy = np.einsum("bs,bs->b", track, track)
    keep = max(1, min(params.max_blocks, int(params.quiet_share * count)))
    # Blocks of digital silence say nothing about a hum elsewhere; they are passed over.
    sounding = np.flatnonzero(energy > 0.0)
    if not len(sounding):
        return None
    quiet = sounding[np.argsort(energy[sounding], kind="stable")[:keep]]
    window = np.hanning(size + 1)[:-1]
    power = np.abs(np.fft.rfft(track[quiet].astype(np.float64) * window, axis=1)) ** 2
    return np.asarray(power * (2.0 / (size * float(np.square(window).sum()))))


def _line(spectra: Power, line: int, params: HumParams) -> Power:
    return spectra[..., line - params.line_bins : line + params.line_bins + 1]


def _prominence_db(mean: Power, line: int, params: HumParams) -> float:
    """How far the strongest bin of a line stands above the median of its surroundings."""
    near = mean[max(1, line - params.guard_bins) : line + params.guard_bins + 1]
    around = np.concatenate(
        [near[: params.guard_bins - params.line_bins], near[-params.guard_bins + params.line_bins :]]
    )
    floor = max(float(np.median(around)), np.finfo(np.float64).tiny)
    return 10.0 * float(np.log10(max(float(_line(mean, line, params).max()), floor) / floor))


def _steady(total: Power, params: HumParams) -> bool:
    low, high = np.quantile(total, [0.1, 0.9])
    return bool(low > 0.0 and 10.0 * np.log10(high / low) < params.steady_db)
