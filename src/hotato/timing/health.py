"""Can the documented detector be trusted on this channel? Cheap, declared tests on the frame levels.

A doubt is a reason code with its numbers. A channel with a doubt is still measured, and no confident
CRITICAL rests on it. DC is not a doubt: it is removed, and the removal is stated.

The documented threshold assumes that the quietest frames are background, that the background stays the
same, and that sound stands well above both it and the absolute gate. Each test looks for one way in which
that fails: a hum or noise that lifts the threshold (`hum`, `low_snr`), sound that barely clears the gate
(`low_headroom`), sound on both sides of the threshold or a steady sound over it (`low_separability`), a
background that changes (`noise_step`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hotato.timing.activity import Activity, Reason
from hotato.timing.energy import Floats, Levels
from hotato.timing.hum import HumParams, mains_hum


@dataclass(frozen=True, slots=True)
class HealthParams:
    """Limits of the tests.

    Attributes:
        dc_limit: mean sample (1.0 = full scale) from which DC is removed before the detector runs.
        hum: limits of the search for mains hum.
        hum_below_floor_db: a hum further below the noise floor than this does not make the floor.
        hum_headroom_db: a hum is no doubt where loud sound still stands this far above the threshold.
        headroom_limit_db: where the absolute gate decides, loud sound stands at least this far above it.
        loud_quantile: quantile of the active levels that counts as loud.
        snr_limit_db: loud sound stands at least this far above a stationary floor.
        stationary_spread_db: the quietest frames of a stationary floor lie within this of one another.
        gate_margin_db: a threshold this far above the gate is set by the floor.
        crowded_db: on a channel that is rarely silent, loud sound stands at least this far above the floor.
        crowded_spread_db: unless some frames lie this far below the floor: real pauses, only short ones.
        near_threshold_db: width of the band under the threshold that shall be nearly empty.
        near_threshold_ratio: frames in that band over frames above it: the threshold cuts through sound.
        steady_window_sec: window in which the level of a sound is called steady.
        steady_step_sec: distance between such windows.
        steady_smooth_sec: the level is averaged over this before its changes are taken.
        steady_flux_db: mean change of a steady sound from frame to frame; speech changes faster.
        steady_active_share: share of a window that is active in a sound that never pauses.
        steady_min_sec: so much steady sound is more than a drawn-out vowel.
        step_block_sec: the background is looked at in blocks of this length.
        step_limit_db: the background has changed when it moved this far.
        step_min_blocks: stationary blocks needed before and after.
        step_consistency: share of those blocks that must lie on their own side of the change.
    """

    dc_limit: float = 0.003
    hum: HumParams = field(default_factory=HumParams)
    hum_below_floor_db: float = 6.0
    hum_headroom_db: float = 25.0
    headroom_limit_db: float = 15.0
    loud_quantile: float = 0.9
    snr_limit_db: float = 31.0
    stationary_spread_db: float = 2.0
    gate_margin_db: float = 1.0
    crowded_db: float = 25.0
    crowded_spread_db: float = 10.0
    near_threshold_db: float = 10.0
    near_threshold_ratio: float = 0.4
    steady_window_sec: float = 2.0
    steady_step_sec: float = 0.5
    steady_smooth_sec: float = 0.05
    steady_flux_db: float = 0.5
    steady_active_share: float = 0.95
    steady_min_sec: float = 1.5
    step_block_sec: float = 1.0
    step_limit_db: float = 15.0
    step_min_blocks: int = 3
    step_consistency: float = 0.9


def conditioned(levels: Levels, params: HealthParams | None = None) -> tuple[Levels, float]:
    """The levels the detector shall work on, and the DC that was removed (0.0 for none)."""
    params = params or HealthParams()
    mean = levels.mean
    return (levels.without_dc(), mean) if abs(mean) >= params.dc_limit else (levels, 0.0)


def channel_doubts(
    levels: Levels, activity: Activity, params: HealthParams | None = None
) -> tuple[Reason, ...]:
    """Reasons to doubt `activity`, in a fixed order; empty on a healthy channel and on a silent one.

    Args:
        levels: the conditioned levels of the channel.
        activity: what the documented detector made of them.
        params: limits.

    One cause is named once: a floor made of hum is not reported again as noise, and noise that explains a
    steady sound is not reported again as poor separation.
    """
    params = params or HealthParams()
    if not activity.raw.any():
        return ()
    hum = _hum(levels, activity, params)
    noise = None if hum else _low_snr(activity, params)
    step = _noise_step(activity, params)
    mixed = None if hum or noise or step else _low_separability(activity, params)
    found = (hum, _low_headroom(activity, params), noise, mixed, step)
    return tuple(doubt for doubt in found if doubt is not None)


def _hum(levels: Levels, activity: Activity, params: HealthParams) -> Reason | None:
    """A hum strong enough to set the floor, and so the threshold, close to the sound."""
    if not _floor_decides(activity, params):
        return None
    if _loud(activity, params) - activity.threshold_db >= params.hum_headroom_db:
        return None
    hum = mains_hum(levels, params.hum)
    lowest = max(
        activity.params.abs_gate_db - activity.params.rel_db,
        activity.noise_floor_db - params.hum_below_floor_db,
    )
    if hum is None or hum.level_dbfs < lowest:
        return None
    return Reason("hum", {"frequency_hz": hum.frequency_hz, "level_dbfs": round(hum.level_dbfs, 1)})


def _low_headroom(activity: Activity, params: HealthParams) -> Reason | None:
    """The absolute gate decides, and even loud sound hardly clears it: quiet parts are lost below it."""
    headroom = _loud(activity, params) - activity.threshold_db
    if _floor_decides(activity, params) or headroom >= params.headroom_limit_db:
        return None
    return Reason("low_headroom", {"headroom_db": round(headroom, 1)})


def _low_snr(activity: Activity, params: HealthParams) -> Reason | None:
    """A stationary floor sets the threshold, and loud sound stands too little above it."""
    if not _floor_decides(activity, params):
        return None
    snr = _loud(activity, params) - activity.noise_floor_db
    if min(_floor_spread(activity)) >= params.stationary_spread_db or snr >= params.snr_limit_db:
        return None
    return Reason("low_snr", {"snr_db": round(snr, 1), "noise_floor_dbfs": round(activity.noise_floor_db, 1)})


def _low_separability(activity: Activity, params: HealthParams) -> Reason | None:
    """Sound lies on both sides of the threshold, or something steady that is no speech lies above it."""
    evidence: dict[str, float] = {}
    if _floor_decides(activity, params):
        near = (activity.dbfs >= activity.threshold_db - params.near_threshold_db) & ~activity.raw
        ratio = float(np.count_nonzero(near)) / float(np.count_nonzero(activity.raw))
        if ratio >= params.near_threshold_ratio:
            evidence["near_threshold_ratio"] = round(ratio, 2)
        over_floor = _loud(activity, params) - activity.noise_floor_db
        if over_floor < params.crowded_db and _floor_spread(activity)[0] < params.crowded_spread_db:
            evidence["over_floor_db"] = round(over_floor, 1)
    steady = steady_sec(activity, params)
    if steady >= params.steady_min_sec:
        evidence["steady_sec"] = round(steady, 2)
    if not evidence:
        return None
    return Reason("low_separability", {**evidence, "threshold_dbfs": round(activity.threshold_db, 1)})


def steady_sec(activity: Activity, params: HealthParams | None = None) -> float:
    """Seconds of active sound whose level hardly changes and which never pauses: tones, music, noise.

    The measure is the mean absolute change of the smoothed level per frame over a window; speech, even
    without a pause, changes more than twice as fast as the limit.
    """
    params = params or HealthParams()
    grid = activity.grid
    smooth = grid.frames_of(params.steady_smooth_sec)
    window, step = grid.frames_of(params.steady_window_sec), grid.frames_of(params.steady_step_sec)
    if min(smooth, step) < 1 or activity.frames < window + smooth:
        return 0.0
    # The change of an average over `smooth` frames is the difference of the frames that enter and leave it.
    change = np.abs(activity.dbfs[smooth:] - activity.dbfs[:-smooth]) / smooth
    flux = _window_means(change, window)[::step]
    share = _window_means(activity.active[: len(change)].astype(np.float64), window)[::step]
    steady = (flux < params.steady_flux_db) & (share >= params.steady_active_share)
    return float(np.count_nonzero(steady)) * params.steady_step_sec


def _noise_step(activity: Activity, params: HealthParams) -> Reason | None:
    """The stationary background moves to another level and stays there.

    Only blocks whose lower half lies within the stationary spread count, so speech is no background; levels
    too low to touch the gate count as equal, so digital silence is no background either.
    """
    size = activity.grid.frames_of(params.step_block_sec)
    count = activity.frames // size if size else 0
    if count < 2 * params.step_min_blocks:
        return None
    blocks = np.sort(activity.dbfs[: count * size].reshape(count, size), axis=1)
    floors, middles = blocks[:, int(activity.params.noise_percentile * (size - 1))], blocks[:, size // 2]
    kept = np.flatnonzero(middles - floors < params.stationary_spread_db)
    if len(kept) < 2 * params.step_min_blocks:
        return None
    background = np.maximum(floors[kept], activity.params.abs_gate_db - activity.params.rel_db)
    split = best_split(background, params.step_min_blocks)
    before, after = float(np.median(background[:split])), float(np.median(background[split:]))
    side = (background > (before + after) / 2.0) == (after > before)
    agreeing = min(float(np.mean(~side[:split])), float(np.mean(side[split:])))
    # A sound in the middle of the call begins and ends; a step lasts from one end to the other.
    lasting = side[-params.step_min_blocks :].all() and not side[: params.step_min_blocks].any()
    if abs(after - before) < params.step_limit_db or agreeing < params.step_consistency or not lasting:
        return None
    at_sec = float(kept[split]) * size * activity.hop_sec
    return Reason("noise_step", {"at_sec": round(at_sec, 2), "step_db": round(after - before, 1)})


def best_split(values: Floats, margin: int) -> int:
    """Where `values` fall best into two constant parts of at least `margin` values: least squared error."""
    ahead = np.arange(margin, len(values) - margin + 1)
    sums = np.concatenate([[0.0], np.cumsum(values)])
    explained = sums[ahead] ** 2 / ahead + (sums[-1] - sums[ahead]) ** 2 / (len(values) - ahead)
    return int(ahead[np.argmax(explained)])


def _floor_decides(activity: Activity, params: HealthParams) -> bool:
    """Whether the noise floor or the cap set the threshold, and not the absolute gate."""
    return activity.threshold_db > activity.params.abs_gate_db + params.gate_margin_db


def _floor_spread(activity: Activity) -> tuple[float, float]:
    """How far below and above the noise floor the next quantiles lie, dB."""
    rank = activity.params.noise_percentile
    lower, at, upper = np.quantile(activity.dbfs, [rank / 5.0, rank, 2.0 * rank])
    return float(at - lower), float(upper - at)


def _loud(activity: Activity, params: HealthParams) -> float:
    """Level of loud sound on the channel, dBFS."""
    return float(np.quantile(activity.dbfs[activity.raw], params.loud_quantile))


def _window_means(values: Floats, window: int) -> Floats:
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray((sums[window:] - sums[:-window]) / window)
