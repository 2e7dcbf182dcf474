"""The robust detector of one channel: what it hears, whose answer is taken, and how far that holds.

1. Changes of the background cut the recording into parts (`changes`).
2. Five voters look at the level over a local floor and at the two classes of levels, with and without the
   colour of the noise (`flat`), and at the contrast of the bands (`voters`); an echo of the other party
   raises what a band has to pass, and then the bands alone decide (`echo`), at once or added up (`mounting`).
3. Frames that most call sound are sound, but for what is too steady to be speech (`flux`), and the
   ends that noise hides are put back (`tails`).
4. Where the reference hears the same, stands well above its threshold and nothing was taken out, its own
   answer is kept to the frame. Else the robust one takes its place.
5. Where sound and background overlap too much for either, the doubt stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hotato.timing.activity import ROBUST, Activity, Reason, with_hangover
from hotato.timing.robust import echo as echoes
from hotato.timing.robust import voters
from hotato.timing.robust.bands import CENTI, Bands, centi
from hotato.timing.robust.changes import changes
from hotato.timing.robust.echo import EchoPath
from hotato.timing.robust.flat import flat_level
from hotato.timing.robust.flux import steady_parts
from hotato.timing.robust.mounting import mounting
from hotato.timing.robust.noise import Levels, local_floor
from hotato.timing.robust.params import EchoPathParams, NoiseParams, RobustParams
from hotato.timing.robust.rhythm import without_beats
from hotato.timing.robust.runs import tidy
from hotato.timing.robust.tails import with_tails
from hotato.timing.robust.weak import without_weak_parts
from hotato.timing.spans import Mask, mask_of, runs

LOW_HEADROOM = "low_headroom"
SHORT_RECORDING = "short_recording"
"""A doubt about a recording that the robust detector would have been needed for."""


@dataclass(frozen=True, eq=False)
class Vote:
    """What the robust detector made of a channel.

    Attributes:
        mask: frames that hold sound.
        floor: local floor of the in-band level.
        cuts: frames at which the background changes.
        rejected: frames that the voters took for sound and that are too steady for speech.
        separation_db: median contrast of sound minus a high quantile of the contrast of its background.
        snr_db: level of loud sound over the floor under it.
    """

    mask: Mask
    floor: Levels
    cuts: tuple[int, ...]
    rejected: Mask
    separation_db: float
    snr_db: float


def vote(bands: Bands, source: Bands | None, path: EchoPath | None, params: RobustParams) -> Vote:
    """What the robust detector hears on a channel.

    Args:
        bands: the channel.
        source: the channel whose echo may be on it, where there is one.
        path: that echo.
        params: all thresholds.
    """
    cuts = changes(bands.total, bands.grid, params.changes)
    gate = voters.gate(bands.total, params.votes)
    open_ = bands.total > gate
    floor = local_floor(bands.total, bands.grid, params.noise, cuts)

    floors = _band_floors(bands, source, path, cuts, params.noise, echo=params.echo)
    found = voters.contrast(bands, open_, floors, params.votes)
    flat = flat_level(bands, cuts, params.flat)
    limits = params.votes
    if path is not None:
        limits = replace(limits, contrast_lowest_share=params.echo.contrast_lowest_share)
    voted = voters.contrast_vote(found, bands, open_, limits)
    if path is not None and source is not None:
        voted |= _mounted(bands, source, path, open_, ~voted, cuts=cuts, params=params)
    else:  # to the others an echo is sound
        votes = (voted, *_level_votes(bands, floor, flat, open_, cuts=cuts, params=params))
        counted = np.sum(votes, axis=0, dtype=np.int8)
        pieces = runs(np.asarray(counted > len(votes) // 2))
        voted = mask_of(tidy(pieces, bands.grid, params.votes), bands.frames)
    rejected = steady_parts(voted, flat, bands.grid, params.flux)
    kept = runs(voted & ~rejected)
    if path is None:  # what peeks out of an echo is cut as regularly as the syllables over it
        kept = without_beats(kept, bands.grid, params.rhythm)
    kept = without_weak_parts(kept, bands.total, floor, bands.grid, params.weak)
    kept = with_tails(kept, bands.total, np.maximum(floor, gate), bands.grid, params.tails)
    mask = mask_of(tidy(kept, bands.grid, params.votes), bands.frames)
    return Vote(mask, floor, cuts, rejected, *_margins(mask, bands, floor, found, params))


def _band_floors(
    bands: Bands,
    source: Bands | None,
    path: EchoPath | None,
    cuts: tuple[int, ...],
    noise: NoiseParams,
    *,
    echo: EchoPathParams,
) -> voters.Floors:
    """What each band has to pass: its own local floor, and what the echo may reach."""

    def floor(band: int) -> Levels:
        level = local_floor(bands.levels[band], bands.grid, noise, cuts)
        level = np.maximum(level + centi(noise.band_bias_db), centi(noise.lowest_dbfs))
        if source is None or path is None:
            return level
        return np.maximum(level, echoes.reach(path, source, band, bands.frames, echo))

    return floor


def _mounted(
    bands: Bands,
    source: Bands,
    path: EchoPath,
    open_: Mask,
    quiet: Mask,
    *,
    cuts: tuple[int, ...],
    params: RobustParams,
) -> Mask:
    """The frames of speech that rises over the usual echo, by no more than the margin at any moment."""
    usual = replace(params.echo, margin_db=0.0)
    floors = _band_floors(bands, source, path, cuts, params.noise, echo=usual)
    found = voters.contrast(bands, open_, floors, replace(params.votes, contrast_smooth_frames=1))
    driving = echoes.driving(path, source, bands.frames, params.noise, params.echo)
    pieces = mounting(found, driving, quiet & ~driving, bands.grid, params.mount)
    return mask_of(pieces, bands.frames)


def _level_votes(
    bands: Bands,
    floor: Levels,
    flat: Levels,
    open_: Mask,
    *,
    cuts: tuple[int, ...],
    params: RobustParams,
) -> tuple[Mask, ...]:
    """The votes that look at one level: as it is, and without the colour of the noise."""
    grid, votes = bands.grid, params.votes
    total = bands.total.astype(np.int32)
    pale = flat + centi(params.flat.stands_at_dbfs)
    pale_floor = local_floor(pale, grid, params.noise, cuts)
    return (
        voters.local_vote(total, floor, open_, grid, votes),
        voters.mixture_vote(total, open_, grid, votes, cuts),
        voters.local_vote(pale, pale_floor, open_, grid, votes),
        voters.mixture_vote(pale, open_, grid, votes, cuts),
    )


def _margins(
    mask: Mask, bands: Bands, floor: Levels, found: voters.Contrast, params: RobustParams
) -> tuple[float, float]:
    if not mask.any():
        return 0.0, 0.0
    unit = found.unit * CENTI
    inside = found.score[mask]
    outside = found.score[~mask]
    sound = float(np.median(inside)) / unit
    background = _quantile(outside, params.decide.background_quantile) / unit if len(outside) else 0.0
    over = (bands.total - floor)[mask]
    return round(sound - background, 1), round(_quantile(over, 0.9) / CENTI, 1)


def _quantile(values: NDArray[np.int32], share: float) -> int:
    rank = int(share * (len(values) - 1))
    return int(np.partition(values, rank)[rank])


def robust_activity(
    reference: Activity, bands: Bands, source: Bands | None = None, params: RobustParams | None = None
) -> Activity:
    """The activity of a channel on which the reference is in doubt.

    Args:
        reference: what the documented detector heard, with the doubts about it.
        bands: the band levels of the channel.
        source: those of the channel whose echo may be on it, None where no echo is to be looked for.
        params: all thresholds.

    Returns:
        The reference, without its doubts, where the robust detector confirms it; its own answer where not.
        `doubts` says what of the doubt is left, `reasons` why the robust detector took over.
    """
    params = params or RobustParams()
    path = None if source is None else _echo_path(bands, source, params)
    disturbed = any(reason.code != LOW_HEADROOM for reason in reference.doubts)
    if bands.frames < bands.grid.frames_of(params.decide.least_sec):
        return _unheard(reference, bands, params) if disturbed else reference
    low_only = path is None and not disturbed
    if low_only and bands.frames < bands.grid.frames_of(params.decide.least_level_sec):
        return reference
    heard = vote(bands, source, path, params)
    if path is None and _says_nothing(heard, bands, params):
        return reference
    agreement = round(float(np.mean(heard.mask == reference.trimmed)), 3)
    left = _left(heard, params)
    taken = int(np.count_nonzero(reference.trimmed)) - int(np.count_nonzero(heard.mask))
    if path is None and left and _plausible(reference, params) and taken > np.count_nonzero(heard.mask):
        return reference  # most would go, and what remains does not stand out: neither is to be believed
    if path is None and _confirmed(reference, heard, agreement, params):
        return replace(reference, doubts=left)
    reasons = _reasons(reference, heard, path, agreement)
    floor_db = float(np.median(heard.floor)) / CENTI
    return replace(
        reference,
        dbfs=bands.total / CENTI,
        raw=heard.mask,
        active=with_hangover(heard.mask, reference.grid.frames_of(reference.params.hangover_sec)),
        threshold_db=round(floor_db + params.votes.local_low_db, 2),
        noise_floor_db=floor_db,
        detector=ROBUST,
        doubts=left,
        reasons=reasons,
    )


def _unheard(reference: Activity, bands: Bands, params: RobustParams) -> Activity:
    """The reference with one more doubt: too short for anybody else to listen."""
    evidence = {
        "duration_sec": round(bands.frames * bands.grid.hop_sec, 2),
        "least_sec": params.decide.least_sec,
    }
    return replace(reference, doubts=(*reference.doubts, Reason(SHORT_RECORDING, evidence)))


def _plausible(reference: Activity, params: RobustParams) -> bool:
    """Whether the reference can be right: it hears pauses, and sounds as long as those of speech."""
    if float(np.mean(reference.trimmed)) >= params.decide.plausible_share:
        return False
    return _median_run(reference) >= reference.grid.frames_of(params.decide.crumb_sec)


def _median_run(reference: Activity) -> float:
    """The median length of the reference's raw sounds in frames, 0 without any: noise makes crumbs."""
    lengths = [run.frames for run in runs(reference.raw)]
    return float(np.median(lengths)) if lengths else 0.0


def _says_nothing(heard: Vote, bands: Bands, params: RobustParams) -> bool:
    """An empty channel is an answer only where an echo explains what the reference heard."""
    return int(np.count_nonzero(heard.mask)) < bands.grid.frames_of(params.decide.least_sound_sec)


def _echo_path(bands: Bands, source: Bands, params: RobustParams) -> EchoPath | None:
    """The echo of `source` on a channel; a loud copy without delay is a mix of both parties and no echo.

    A faint echo shows in few bands, and only in the pauses of the receiver: then the level has to speak for
    it at the same lag.
    """
    follow = echoes.band_follow(bands, source, params.noise, params.echo)
    if not follow.sure:
        return None
    if follow.correlation < params.echo.band_limit:
        level = echoes.total_follow(bands, source, params.noise, params.echo)
        apart = abs(level.lag_frames - follow.lag_frames)
        if level.correlation < params.echo.level_limit or apart > params.echo.widened_frames:
            return None
    path = echoes.trace(bands, source, follow, params.noise, params.echo)
    mixed = path is not None and not follow.lag_frames and path.gain_db > params.echo.mixed_gain_db
    return None if mixed else path


def _confirmed(reference: Activity, heard: Vote, agreement: float, params: RobustParams) -> bool:
    """Whether both hear the same: nearly to the frame, or closely and well above the threshold."""
    # In more noise ends are hidden, and the reference knows of none.
    clear = heard.snr_db >= params.decide.clear_snr_db
    if clear and agreement >= params.decide.same_limit and _same_runs(reference.trimmed, heard.mask):
        return True
    # Music that is held for a party is dense and loud as well, but begins and ends: the background changes.
    if heard.rejected.any() or heard.cuts:
        return False
    dense = _dense(reference, params)
    if agreement < params.decide.agreement_limit:
        enough = agreement >= params.decide.dense_agreement_limit
        return enough and dense and _clears(reference, params) and _whole(reference, params)
    loud = float(np.quantile(reference.dbfs, params.decide.loud_quantile))
    if loud - reference.threshold_db >= params.decide.headroom_db:
        return True
    over_floor_db = reference.threshold_db - reference.noise_floor_db
    return dense and (over_floor_db >= params.decide.dense_over_floor_db or _clears(reference, params))


def _dense(reference: Activity, params: RobustParams) -> bool:
    """Whether there is speech nearly all the time from the first sound to the last.

    There a local floor sinks into the speech, and what is closed for what noise might hide are real pauses.
    """
    heard = runs(reference.raw)
    if not heard:
        return False
    spoken = reference.raw[heard[0].first : heard[-1].stop]
    return float(np.mean(spoken)) >= params.decide.dense_share


def _clears(reference: Activity, params: RobustParams) -> bool:
    """Whether the reference's threshold clears the background: noise that crosses it leaves crumbs."""
    over_floor_db = reference.threshold_db - reference.noise_floor_db
    if over_floor_db < params.decide.dense_clear_db:
        return False
    return _median_run(reference) >= reference.grid.frames_of(params.decide.dense_run_sec)


def _whole(reference: Activity, params: RobustParams) -> bool:
    """Whether few of the reference's raw sounds are crumbs."""
    least = reference.grid.frames_of(params.votes.least_sec)
    crumbs = [run.frames < least for run in runs(reference.raw)]
    return float(np.mean(crumbs)) <= params.decide.dense_crumb_share


def _same_runs(one: Mask, other: Mask) -> bool:
    """Whether every run of either meets one of the other: nobody hears a sound that the other does not."""
    return all(
        theirs[run.first : run.stop].any()
        for mine, theirs in ((one, other), (other, one))
        for run in runs(mine)
    )


def _left(heard: Vote, params: RobustParams) -> tuple[Reason, ...]:
    """What of the doubt is left once the robust detector has listened."""
    limits = params.decide
    if heard.mask.any() and heard.separation_db < limits.separation_limit_db:
        return (Reason("low_separability", {"separation_db": heard.separation_db}),)
    if heard.mask.any() and heard.snr_db < limits.snr_limit_db:
        return (Reason("low_snr", {"snr_db": heard.snr_db}),)
    return ()


def _reasons(reference: Activity, heard: Vote, path: EchoPath | None, agreement: float) -> tuple[Reason, ...]:
    """Why the robust detector took over, with the numbers."""
    hop_sec = reference.hop_sec
    found = [reason for reason in reference.doubts if reason.code not in ("echo_present", "noise_step")]
    if path is not None:
        lag_sec = round(path.follow.lag_frames * hop_sec, 3)
        found.append(
            Reason(
                "echo_present",
                {"correlation": path.follow.correlation, "lag_sec": lag_sec, "gain_db": path.gain_db},
            )
        )
    found += [Reason("noise_step", {"at_sec": round(cut * hop_sec, 2)}) for cut in heard.cuts]
    if heard.rejected.any():
        rejected_sec = round(float(np.count_nonzero(heard.rejected)) * hop_sec, 2)
        found.append(Reason("stationary_nonspeech", {"rejected_sec": rejected_sec}))
    found.append(Reason("reference_unreliable", {"agreement": agreement}))
    return tuple(found)
