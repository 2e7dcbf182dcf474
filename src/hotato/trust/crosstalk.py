"""Does one channel carry a copy of the other, how loud, and how late?

The whole-call coherence of the envelopes is diluted by everything else that happens in a call. A copy shows
better in the level of single frames: wherever the source sounds, the receiver stands a constant number of
decibels below it, one delay later, whatever the level of the source is. A noise floor does not: there the
ratio is constant only while the source is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hotato.listen import Track
from hotato.timing import Activity
from hotato.trust.wording import channel_of

Frames = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CopyParams:
    """Limits of the search for copies.

    Attributes:
        max_lag_sec: longest delay that is looked at.
        tolerance_db: a frame fits a copy when its ratio lies within this of the usual one.
        loudest_db: a copy is at most this much louder than its source.
        quietest_db: and at most this much quieter.
        max_frames: so many of the source's active frames are looked at, evenly spread.
        min_frames: a source with fewer active frames says nothing.
        min_share: share of the source's frames that must fit.
        min_contrast: that share over its median at all delays: a copy has one delay.
        min_span_db: source levels of the fitting frames must spread this far (10th to 90th percentile).
        flag_db: a copy at or above this level counts as the other party's activity.
        mutual_lag_sec: copies both ways within this delay are one mixed signal, not echoes.
        mutual_db: and both at or above this level.
        explained_db: frames this close to a copy's level are left out when the other way is looked at.
        offset_lag_sec: longest offset between the channels that is looked for, either way.
        offset_windows: so many windows of the call are looked at, evenly spread.
        offset_window_sec: their length.
        offset_min_sec: an offset or a change of delay below this is not reported.
    """

    max_lag_sec: float = 0.5
    tolerance_db: float = 1.5
    loudest_db: float = 3.0
    quietest_db: float = -60.0
    max_frames: int = 6000
    min_frames: int = 50
    min_share: float = 0.35
    min_contrast: float = 3.0
    min_span_db: float = 6.0
    flag_db: float = -40.0
    mutual_lag_sec: float = 0.02
    mutual_db: float = -20.0
    explained_db: float = 3.0
    offset_lag_sec: float = 1.0
    offset_windows: int = 24
    offset_window_sec: float = 10.0
    offset_min_sec: float = 0.03


@dataclass(frozen=True, slots=True)
class Copy:
    """A delayed copy of one channel on another.

    Attributes:
        lag_sec: how much later the copy is; negative where it comes before its source.
        level_db: level of the copy relative to its source.
        share: share of the source's frames that fit it.
    """

    lag_sec: float
    level_db: float
    share: float


@dataclass(frozen=True, slots=True)
class Leakage:
    """A copy of one party on the other's channel.

    Attributes:
        copy: the copy.
        source: the role whose sound it is.
        receiver: the role on whose channel it is.
        flagged: loud enough to count as the receiver's activity.
    """

    copy: Copy
    source: str
    receiver: str
    flagged: bool

    @property
    def direction(self) -> str:
        """`agent->caller` or `caller->agent`, source first."""
        return f"{self.source}->{self.receiver}"


def find_copy(
    source: Activity, receiver: Activity, frames: Frames, lags: Frames, params: CopyParams
) -> Copy | None:
    """The copy of `source` on `receiver` at one of `lags`, or None.

    Args:
        source: the channel whose sound may be copied.
        receiver: the channel that may carry the copy.
        frames: frames of the source to look at; its active ones.
        lags: delays in frames, any sign, ascending.
        params: limits.

    At each delay the level ratios of all frames go into a histogram of 1 dB; the fullest three neighbouring
    bins are the candidate level.
    """
    count = min(source.frames, receiver.frames)
    frames = frames[(frames + lags[0] >= 0) & (frames + lags[-1] < count)]
    if len(frames) < params.min_frames:
        return None
    frames = frames[np.linspace(0, len(frames) - 1, min(len(frames), params.max_frames)).astype(np.intp)]
    levels = source.dbfs[frames]
    ratios = receiver.dbfs[frames + lags[:, None]] - levels
    shares, modes = _fullest(ratios, params)
    best = int(np.argmax(shares))
    fits = np.abs(ratios[best] - modes[best]) <= params.tolerance_db
    # np.median would load numpy.ma, which costs every start.
    if shares[best] < max(params.min_share, params.min_contrast * float(np.quantile(shares, 0.5))):
        return None
    low, high = np.quantile(levels[fits], [0.1, 0.9])
    if high - low < params.min_span_db:
        return None
    lag_sec = float(lags[best]) * source.hop_sec
    return Copy(
        round(lag_sec, 3),
        round(float(np.quantile(ratios[best][fits], 0.5)), 1) + 0.0,
        round(float(shares[best]), 3),
    )


def _fullest(ratios: Floats, params: CopyParams) -> tuple[Floats, Floats]:
    """For each delay (row): the share of frames around the most usual ratio, and that ratio."""
    bins = int(params.loudest_db - params.quietest_db) + 1
    usable = (ratios >= params.quietest_db) & (ratios <= params.loudest_db)
    # What is not usable goes into a bin of its own behind the others: far cheaper than to pick the rest.
    index = np.where(usable, np.rint(ratios - params.quietest_db), bins).astype(np.intp)
    index += np.arange(len(ratios))[:, None] * (bins + 1)
    counts = np.bincount(index.ravel(), minlength=len(ratios) * (bins + 1)).reshape(len(ratios), -1)[:, :bins]
    padded = np.pad(counts, ((0, 0), (1, 1)))
    near = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    top = np.argmax(near, axis=1)
    shares = near[np.arange(len(near)), top] / ratios.shape[1]
    return np.asarray(shares), np.asarray(top + params.quietest_db)


def copies_between(caller: Track, agent: Track, params: CopyParams) -> tuple[Copy | None, Copy | None]:
    """The agent's copy on the caller channel and the caller's on the agent channel.

    Where one way carries a copy, the frames that it explains are not taken for a source the other way.
    """
    lags = np.arange(caller.reference.grid.frames_of(params.max_lag_sec) + 1)
    to_caller = _one_way(agent.reference, caller.reference, lags, None, params)
    to_agent = _one_way(caller.reference, agent.reference, lags, None, params)
    if to_caller is not None and to_agent is None:
        to_agent = _one_way(caller.reference, agent.reference, lags, to_caller, params)
    elif to_agent is not None and to_caller is None:
        to_caller = _one_way(agent.reference, caller.reference, lags, to_agent, params)
    return to_caller, to_agent


def _one_way(
    source: Activity, receiver: Activity, lags: Frames, explained: Copy | None, params: CopyParams
) -> Copy | None:
    mask = source.raw.copy()
    if explained is not None:
        # `explained` is the receiver's copy on the source; those frames are not the source's own sound.
        lag = round(explained.lag_sec / source.hop_sec)
        count = min(source.frames, receiver.frames)
        ratio = source.dbfs[lag:count] - receiver.dbfs[: count - lag]
        mask[lag:count] &= np.abs(ratio - explained.level_db) > params.explained_db
    return find_copy(source, receiver, np.flatnonzero(mask), lags, params)


def leakages_of(
    caller: Track, agent: Track, copies: tuple[Copy | None, Copy | None], params: CopyParams
) -> tuple[Leakage, ...]:
    """The copies, louder one first, each flagged by the fixed limit or by the receiver's own threshold.

    The second matters for a loud source: a copy below the limit still turns the receiver active when its
    frames reach the receiver's threshold.
    """
    found = []
    for copy, source, receiver in ((copies[0], agent, caller), (copies[1], caller, agent)):
        if copy is not None:
            loud = float(np.quantile(source.reference.dbfs[source.reference.raw], 0.9))
            reaches = loud + copy.level_db >= receiver.reference.threshold_db
            flagged = copy.level_db >= params.flag_db or reaches
            found.append(Leakage(copy, source.role, receiver.role, flagged))
    return tuple(sorted(found, key=lambda leakage: -leakage.copy.level_db))


def mixed_both_ways(copies: tuple[Copy | None, Copy | None], params: CopyParams) -> bool:
    """Whether each channel carries the other party loudly and without delay: two mixes, not two parties."""
    to_caller, to_agent = copies
    return (
        to_caller is not None
        and to_agent is not None
        and max(to_caller.lag_sec, to_agent.lag_sec) <= params.mutual_lag_sec
        and min(to_caller.level_db, to_agent.level_db) >= params.mutual_db
    )


def lag_track(source: Track, receiver: Track, params: CopyParams) -> list[tuple[float, Copy]]:
    """The copy of `source` on `receiver` in windows spread over the call: (middle of the window, copy)."""
    grid = source.reference.grid
    longest, size = grid.frames_of(params.offset_lag_sec), grid.frames_of(params.offset_window_sec)
    lags = np.arange(-longest, longest + 1)
    active = np.flatnonzero(source.reference.raw)
    last = max(0, source.reference.frames - size)
    windows = min(params.offset_windows, -(-source.reference.frames // max(1, size)))
    track = []
    for first in np.unique(np.linspace(0, last, windows).astype(np.intp)):
        inside = active[np.searchsorted(active, first) : np.searchsorted(active, first + size)]
        copy = find_copy(source.reference, receiver.reference, inside, lags, params)
        if copy is not None:
            track.append((round(float(first + size / 2) * grid.hop_sec, 2), copy))
    return track


def describe_leakage(leakage: Leakage, caller: Track, agent: Track) -> str:
    """The leak in one sentence."""
    receiver = caller if leakage.receiver == "caller" else agent
    return (
        f"{channel_of(receiver)} carries a steady copy of the {leakage.source}, {leakage.copy.level_db:.1f} "
        f"dB relative to its source and {leakage.copy.lag_sec:.2f} s later"
    )
