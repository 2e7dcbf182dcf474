"""Whether one recording holds the same sound as another, whatever its format, level or place in it.

A channel's fingerprint is its level in telephone bands every 10 ms, each band clipped a fixed way below its
own loud level. Bands and clipping leave out what sample rates, codecs and noise change; a correlation that
takes the mean out of every band leaves out gain and equalisation. Only frames in which the reference sounds
are compared: who speaks when is alike in any two takes of one scenario, the rise and fall inside the speech
is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hotato.listen import Hearing
from hotato.listen.hear import block_frames
from hotato.timing import FrameGrid
from hotato.timing.robust import BandMeter, Bands
from hotato.timing.robust.bands import CENTI
from hotato.timing.robust.params import BandParams

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

HOP_SEC = 0.010
UNKNOWN = -1.0
"""The likeness where too little can be compared."""

_NO_SPREAD = 1e-6
_BLOCKS = 4
"""Parts of a reference in which a level is looked for."""


@dataclass(frozen=True, slots=True)
class LikenessParams:
    """How fingerprints are made and compared.

    Attributes:
        bands: the bands: inside what a telephone passes.
        loud_frames: the loud level of a band or a channel is that of its frame of this rank.
        depth_db: levels further than this below the loud level are clipped to it.
        active_db: the reference sounds in frames that are within this of its loud level over all bands.
        least_frames: fewer compared frames tell nothing,
        least_share: and neither do fewer than this share of those in which the reference sounds.
        peaks: shifts that are looked at closely, of each channel and each way to find them.
        around: frames to either side of such a shift that are looked at as well.
        window_frames: sounding frames, one after the other, that are compared by themselves,
        window_alike: and are the same sound where they are this much alike.
    """

    bands: BandParams = field(
        default_factory=lambda: BandParams(edges_hz=(300, 450, 600, 800, 1000, 1300, 1700, 2200, 2800, 3400))
    )
    loud_frames: int = 15
    depth_db: float = 25.0
    active_db: float = 20.0
    least_frames: int = 12
    least_share: float = 0.15
    peaks: int = 8
    around: int = 2
    window_frames: int = 25
    window_alike: float = 0.9


PARAMS = LikenessParams()


@dataclass(frozen=True, eq=False, slots=True)
class Print:
    """The fingerprint of one channel on a 10 ms grid.

    Attributes:
        levels: dB by band, shape (bands, frames).
        total: dB over all bands, shape (frames,).
    """

    levels: Floats
    total: Floats

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.total)

    def active(self, params: LikenessParams = PARAMS) -> Mask:
        """Frames in which the channel sounds."""
        return np.asarray(self.total >= _loud(self.total[None, :], params)[0] - params.active_db)


def _loud(levels: Floats, params: LikenessParams) -> Floats:
    """The loud level of each row."""
    at = max(0, levels.shape[1] - params.loud_frames)
    return np.asarray(np.partition(levels, at, axis=1)[:, at])


@dataclass(frozen=True, slots=True)
class Match:
    """How alike two recordings are at one shift.

    Attributes:
        shift: frame k of the reference against frame k + shift of the other.
        caller: correlation of the callers, `UNKNOWN` where too little can be compared.
        agent: correlation of the agents likewise.
        caller_share: share of the caller's sounding frames that lie in a stretch which is the same sound.
        agent_share: the agent's likewise.
        agent_resumes: whether the agent, after a stretch that is another sound, is the same again.
    """

    shift: int
    caller: float
    agent: float
    caller_share: float = 0.0
    agent_share: float = 0.0
    agent_resumes: bool = False


def fingerprints(hearing: Hearing, channels: tuple[int, ...], params: LikenessParams = PARAMS) -> list[Print]:
    """The fingerprints of some channels of a recording that is still open."""
    grid = FrameGrid.from_ms(hearing.grid.sample_rate_hz)
    frames = hearing.levels[channels[0]].frames
    assert hearing.replay is not None, "the recording is open"
    with hearing.replay.open() as reader:
        meter = BandMeter(grid, channels, reader.full_scale, frames, params.bands)
        for block in reader.blocks(block_frames(grid.sample_rate_hz)):
            meter.feed(block)
    return [_print(bands, params) for bands in meter.finish()]


def _print(bands: Bands, params: LikenessParams) -> Print:
    levels = _on_grid(bands.levels.astype(np.float64) / CENTI, bands.grid.hop_sec)
    total = _on_grid(bands.total.astype(np.float64)[None, :] / CENTI, bands.grid.hop_sec)[0]
    return Print(levels, total)


def _on_grid(levels: Floats, hop_sec: float) -> Floats:
    """Levels at every 10 ms, where a sample rate does not divide into such hops."""
    if hop_sec == HOP_SEC:
        return levels
    times = np.arange(int(levels.shape[1] * hop_sec / HOP_SEC)) * HOP_SEC
    own = np.arange(levels.shape[1]) * hop_sec
    return np.stack([np.interp(times, own, band) for band in levels])


def matches(
    reference: tuple[Print, Print], other: tuple[Print, Print], params: LikenessParams = PARAMS
) -> list[Match]:
    """The shifts at which a recording may hold the reference, and how alike the two are there.

    Args:
        reference: caller and agent of the recording that is looked for.
        other: caller and agent of the one that may hold it.
        params: how to compare.

    The shifts come from fast correlations of each channel, with and without clipping; at each of their peaks
    both channels are compared exactly, a little to either side.
    """
    shifts: set[int] = set()
    for mine, theirs in zip(reference, other, strict=True):
        for levels in (_clipped(theirs.levels, mine.frames, params), theirs.levels):
            shifts.update(_peaks(_curve(mine, levels, params), params) + 1 - mine.frames)
    tried = sorted(
        {int(shift) + step for shift in shifts for step in range(-params.around, params.around + 1)}
    )
    found = []
    for shift in tried:
        both = [_pair(mine, theirs, shift, params) for mine, theirs in zip(reference, other, strict=True)]
        caller, agent = (_same(pair, params) for pair in both)
        found.append(
            Match(
                shift=shift,
                caller=_correlation(both[0]),
                agent=_correlation(both[1]),
                caller_share=_share(caller),
                agent_share=_share(agent),
                agent_resumes=_resumes(agent, params),
            )
        )
    return found


def alike(reference: Print, other: Print, shift: int, params: LikenessParams = PARAMS) -> float:
    """The correlation at one shift: of the levels by band, their means taken out, over the reference's sound.

    Frames of the reference that fall outside the other are left out; `UNKNOWN` where too few are left.
    What does not vary is like nothing.
    """
    return _correlation(_pair(reference, other, shift, params))


def _pair(reference: Print, other: Print, shift: int, params: LikenessParams) -> tuple[Floats, Floats] | None:
    """The levels of both in the frames in which the reference sounds; None where too few are in both."""
    first, stop = max(0, -shift), min(reference.frames, other.frames - shift)
    sounding = reference.active(params)
    mask = sounding[first:stop]
    if stop <= first or np.count_nonzero(mask) < _least(sounding, params):
        return None
    mine, theirs = (
        np.maximum(levels, _loud(levels, params)[:, None] - params.depth_db)[:, mask]
        for levels in (reference.levels[:, first:stop], other.levels[:, first + shift : stop + shift])
    )
    return mine, theirs


def _correlation(pair: tuple[Floats, Floats] | None) -> float:
    if pair is None:
        return UNKNOWN
    mine, theirs = (kept - kept.mean(axis=1, keepdims=True) for kept in pair)
    spread = float(np.sqrt(np.sum(mine * mine) * np.sum(theirs * theirs)))
    return float(np.sum(mine * theirs)) / spread if spread > 0.0 else 0.0


def _same(pair: tuple[Floats, Floats] | None, params: LikenessParams) -> Mask:
    """The frames that lie in a window which by itself is the same sound.

    What was cut out or silenced elsewhere does not change that, as it does the correlation of the whole.
    """
    frames = 0 if pair is None else pair[0].shape[1]
    if pair is None or frames < params.window_frames:
        return np.zeros(0, np.bool_)
    mine, theirs = pair
    count = params.window_frames

    def summed(values: Floats) -> Floats:
        total = np.cumsum(np.pad(values, ((0, 0), (1, 0))), axis=1)
        return np.asarray(total[:, count:] - total[:, :-count])

    sum_mine, sum_theirs = summed(mine), summed(theirs)
    product, own, other = (
        (summed(one * two) - sum_one * sum_two / count).sum(axis=0)
        for one, two, sum_one, sum_two in (
            (mine, theirs, sum_mine, sum_theirs),
            (mine, mine, sum_mine, sum_mine),
            (theirs, theirs, sum_theirs, sum_theirs),
        )
    )
    spread = np.sqrt(np.maximum(own, 0.0) * np.maximum(other, 0.0))
    same = (spread > _NO_SPREAD * count) & (product >= params.window_alike * spread)
    return np.asarray(np.convolve(same.astype(np.float64), np.ones(count)) > 0.5)


def _share(same: Mask) -> float:
    return float(np.count_nonzero(same)) / len(same) if len(same) else 0.0


def _resumes(same: Mask, params: LikenessParams) -> bool:
    """Whether a stretch of at least a window that is not the same lies between two that are.

    Another take may begin with the same recorded sentence; it does not come back to the old one's place.
    """
    places = np.flatnonzero(same)
    return bool(len(places) and np.max(np.diff(places), initial=0) > params.window_frames)


def _least(sounding: Mask, params: LikenessParams) -> float:
    return max(params.least_frames, params.least_share * int(np.count_nonzero(sounding)))


def _peaks(curve: Floats, params: LikenessParams) -> NDArray[np.intp]:
    """Positions of the highest values that are largest near them."""
    padded = np.pad(curve, 1, constant_values=-np.inf)
    tops = np.flatnonzero((curve >= padded[:-2]) & (curve >= padded[2:]) & (curve > 0.0))
    return tops[np.argsort(-curve[tops], kind="stable")[: params.peaks]]


def _curve(reference: Print, levels: Floats, params: LikenessParams) -> Floats:
    """The correlation of the reference's sounding frames with a channel at every shift from 1 - frames on.

    All sums are correlations, made with the fast Fourier transform.
    """
    frames = levels.shape[1]
    size = 1 << (reference.frames + frames - 1).bit_length()
    sounding = reference.active(params)
    mask = sounding.astype(np.float64)
    loud = _loud(reference.levels, params)[:, None]
    masked = np.maximum(reference.levels, loud - params.depth_db) * mask
    there = np.fft.rfft(np.ones(frames), size)

    def over(template: Floats, spectrum: NDArray[np.complex128]) -> Floats:
        found = np.fft.irfft(np.conj(np.fft.rfft(template, size)) * spectrum, size)
        return np.roll(found, reference.frames - 1)[: reference.frames + frames - 1]

    count = np.rint(over(mask, there))
    safe = np.maximum(count, 1.0)
    products, mine, theirs = (np.zeros(len(count)) for _ in range(3))
    for band, own in zip(levels, masked, strict=True):
        spectrum = np.fft.rfft(band, size)
        sum_own, sum_band = over(own, there), over(mask, spectrum)
        products += over(own, spectrum) - sum_own * sum_band / safe
        mine += over(own * own, there) - sum_own * sum_own / safe
        theirs += over(mask, np.fft.rfft(band * band, size)) - sum_band * sum_band / safe
    spread = np.sqrt(np.maximum(mine, 0.0) * np.maximum(theirs, 0.0))
    known = (count >= _least(sounding, params)) & (spread > _NO_SPREAD * count)
    return np.where(known, products / np.maximum(spread, _NO_SPREAD), UNKNOWN)


def _clipped(levels: Floats, span: int, params: LikenessParams) -> Floats:
    """Levels, clipped below what is loud near them, within half of `span` frames or less.

    A loud stretch elsewhere in a long recording would bury a quiet one.
    """
    block = max(1, span // _BLOCKS)
    count = -(-levels.shape[1] // block)
    padded = np.pad(levels, ((0, 0), (0, count * block - levels.shape[1])), constant_values=-np.inf)
    blocks = padded.reshape(len(levels), count, block)
    rank = max(1, round(params.loud_frames / _BLOCKS))
    at = max(0, block - rank)
    tops = np.partition(blocks, at, axis=2)[:, :, at]
    around = np.pad(tops, ((0, 0), (1, 1)), constant_values=-np.inf)
    near = np.lib.stride_tricks.sliding_window_view(around, 3, axis=1).max(axis=2)
    floor = np.repeat(near, block, axis=1)[:, : levels.shape[1]] - params.depth_db
    return np.maximum(levels, floor)
