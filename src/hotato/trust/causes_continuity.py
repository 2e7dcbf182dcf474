"""Causes in the flow of one channel: zeros inside speech, repeats, an early end, a change of gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hotato.findings import Finding
from hotato.listen import Track
from hotato.timing import Run, runs
from hotato.timing.health import best_split
from hotato.timing.spans import merge
from hotato.trust.wording import channel_of, times

Mask = NDArray[np.bool_]


_MIX = 0x9E3779B1  # an odd constant without structure, so that different hops get different keys


@dataclass(frozen=True, slots=True)
class FlowParams:
    """Limits of the tests of continuity.

    Attributes:
        floor_zero_share: a channel idles in digital silence when this share of its quiet hops is zero.
        floor_min_sec: background needed to say how a channel idles.
        drop_near_sec: sound must lie this close on both sides of a drop-out.
        drop_min_hops: shortest run of zero hops that is a drop-out.
        end_min_sec: a channel that is zero for at least this long at the end has ended early.
        repeat_longest_sec: longest block whose repetition is looked for.
        repeat_shortest_sec: shortest block.
        repeat_most: so many repetitions in a row are a fault; more are a periodic sound.
        repeat_sounding: share of a repeated block that must be sound.
        gain_step_db: a lasting change of the speech level of at least this much.
        gain_min_sec: speech needed before and after it.
        gain_min_runs: stretches of speech needed before and after it.
        gain_consistency: share of the stretches that must lie on their own side of the change.
        gain_run_sec: shorter stretches of speech are not looked at.
    """

    floor_zero_share: float = 0.1
    floor_min_sec: float = 1.0
    drop_near_sec: float = 0.05
    drop_min_hops: int = 1
    end_min_sec: float = 1.0
    repeat_longest_sec: float = 0.5
    repeat_shortest_sec: float = 0.02
    repeat_most: int = 4
    repeat_sounding: float = 0.5
    gain_step_db: float = 10.0
    gain_min_sec: float = 2.0
    gain_min_runs: int = 3
    gain_consistency: float = 0.9
    gain_run_sec: float = 0.1


def flow_causes(track: Track, other: Track | None, params: FlowParams) -> list[Finding]:
    """What interrupts one channel; `other` says whether the call went on where this one ended."""
    found = [
        _ends_early(track, other, params),
        _drop_outs(track, params),
        _repeats(track, params),
        _level_step(track, params),
    ]
    return [finding for finding in found if finding is not None]


def _zero_hops(track: Track) -> Mask:
    """Hops without any sound at all; those behind the end of a shorter file are among them."""
    zero = np.ones(track.reference.frames, dtype=np.bool_)
    zero[: track.levels.frames] = track.levels.hop_squares == 0
    return zero


def _idles_in_zeros(track: Track, zero: Mask, gaps: list[Run], end: int, params: FlowParams) -> bool:
    """Whether the channel's own background is digital silence, or too short to say that it is not.

    `gaps` are the stretches in question, and `end` is where the channel ends; neither says how it idles.
    """
    background = ~track.reference.active[:end]
    for gap in gaps:
        background[gap.first : gap.stop] = False
    if np.count_nonzero(background) < track.reference.grid.frames_of(params.floor_min_sec):
        return True
    return float(np.mean(zero[:end][background])) >= params.floor_zero_share


def end_of(track: Track, other: Track | None, params: FlowParams) -> int:
    """Frames of the call that were recorded of a party: all of them, or up to where it ends early.

    Its own file ends before the other's, or its channel falls to exact zeros for good, having had a
    background before, while `other` goes on.
    """
    grid, own = track.reference.grid, track.levels.frames
    least, zero = grid.frames_of(params.end_min_sec), _zero_hops(track)
    if len(zero) - own >= least:
        return own
    sounding = np.flatnonzero(~zero)
    if other is None or not len(sounding):
        return len(zero)
    end = int(sounding[-1]) + 1
    goes_on = bool(np.any(other.activity.raw[end:]))
    early = len(zero) - end >= least and goes_on and not _idles_in_zeros(track, zero, [], end, params)
    return end if early else len(zero)


def _ends_early(track: Track, other: Track | None, params: FlowParams) -> Finding | None:
    end, hop_sec = end_of(track, other, params), track.reference.hop_sec
    missing_sec = (track.reference.frames - end) * hop_sec
    if not missing_sec:
        return None
    if end == track.levels.frames:
        what, before = f"the {track.role}'s file", "the other party's"
        remedy = "export both parties over the whole call; nothing is known of this party after that time"
    else:
        what, before = channel_of(track), "the recording does, while the other party goes on"
        remedy = "export the call again; do not count the missing part as silence of that party"
    return Finding(
        code="channel_ends_early",
        sentence=f"{what} ends at {end * hop_sec:.2f} s, {missing_sec:.2f} s before {before}",
        evidence={
            "channel": track.channel,
            "party": track.role,
            "at_sec": round(end * hop_sec, 2),
            "missing_sec": round(missing_sec, 2),
        },
        remedy=remedy,
    )


def drop_outs(track: Track, params: FlowParams) -> list[Run]:
    """Runs of zero hops with sound right before and right after, on a channel that never idles in zeros."""
    zero = _zero_hops(track)
    near = track.reference.grid.frames_of(params.drop_near_sec)
    raw = track.reference.raw
    gaps = [
        gap
        for gap in runs(zero)
        if gap.frames >= params.drop_min_hops
        and raw[max(0, gap.first - near) : gap.first].any()
        and raw[gap.stop : gap.stop + near].any()
    ]
    return [] if not gaps or _idles_in_zeros(track, zero, gaps, len(zero), params) else gaps


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _drop_outs(track: Track, params: FlowParams) -> Finding | None:
    gaps = drop_outs(track, params)
    if not gaps:
        return None
    spans = _seconds(gaps, track.reference.hop_sec)
    lost = sum(end - start for start, end in spans)
    return Finding(
        code="drop_outs",
        sentence=f"{channel_of(track)} falls to exact zeros inside sound {_times(len(spans))} "
        f"({lost:.2f} s in all): at {times(spans)}",
        evidence={
            "channel": track.channel,
            "count": len(spans),
            "lost_sec": round(lost, 2),
            "spans_sec": spans,
        },
        remedy="look for lost packets or a starved buffer; a pause at these times is not the party's",
    )


def _seconds(pieces: list[Run], hop_sec: float) -> list[list[float]]:
    return [[round(piece.first * hop_sec, 2), round(piece.stop * hop_sec, 2)] for piece in pieces]


def repeats(track: Track, params: FlowParams) -> list[Run]:
    """A block of a whole number of hops that comes twice in a row, wherever it begins.

    A block of L hops that repeats at once makes L - 1 or L hops equal to the ones L hops later: same
    peak, same partial sums. More hops than a few repetitions can make are a periodic sound, such as a
    dial tone.
    """
    grid = track.reference.grid
    if not _any_hop_twice(track, grid.frames_of(params.repeat_longest_sec)):
        return []
    found: list[Run] = []
    periodic = np.zeros(track.levels.frames, dtype=np.bool_)
    shortest = grid.frames_of(params.repeat_shortest_sec)
    for lag in range(1, min(grid.frames_of(params.repeat_longest_sec), track.levels.frames - 1) + 1):
        for piece in runs(_equal_hops(track, lag)):
            whole = Run(piece.first, piece.stop + lag)
            if piece.frames > params.repeat_most * lag:
                periodic[whole.first : whole.stop] = True
            elif lag >= shortest and piece.frames >= lag - 1 and _sounds(track, piece, params):
                found.append(whole)
    # A long repeat also shows at multiples of its length, and a periodic sound at multiples of its period.
    pieces = merge(sorted(found, key=lambda piece: piece.first), 0)
    return [piece for piece in pieces if not periodic[piece.first : piece.stop].any()]


def _repeats(track: Track, params: FlowParams) -> Finding | None:
    found = repeats(track, params)
    if not found:
        return None
    spans = _seconds(found, track.reference.hop_sec)
    return Finding(
        code="repeated_blocks",
        sentence=f"{channel_of(track)} plays a block of samples again right after itself "
        f"{_times(len(spans))}: at {times(spans)}",
        evidence={"channel": track.channel, "count": len(spans), "spans_sec": spans},
        remedy="look for concealed packet loss or a buffer that was written twice; times after it are late",
    )


def _any_hop_twice(track: Track, longest_lag: int) -> bool:
    """Whether two sounding hops that near can be equal at all: one sort, not a comparison at every lag."""
    squares = track.levels.hop_squares.astype(np.int64)
    parts = track.levels.low_track.reshape(len(squares), -1)
    mix = np.ones(parts.shape[1], dtype=np.int64) * _MIX
    sounding = track.reference.active[: len(squares)] & (squares > 0)
    # Each number holds a key above its hop, so that a plain sort orders both. What overflows is harmless:
    # equal hops have equal keys, and unequal ones with equal keys only cost time.
    hops, width = np.flatnonzero(sounding), len(squares).bit_length()
    keyed = np.sort(((squares + parts @ np.cumprod(mix))[hops] << width) | hops)
    equal = keyed[1:] >> width == keyed[:-1] >> width
    return bool((equal & (np.diff(keyed & ((1 << width) - 1)) <= longest_lag)).any())


def _equal_hops(track: Track, lag: int) -> Mask:
    """Active hops (pauses bridged) that equal the hop `lag` later in their energy and their partial sums."""
    squares = track.levels.hop_squares.astype(np.int64)
    parts = track.levels.low_track.reshape(len(squares), -1)
    sounding = track.reference.active[: len(squares)] & (squares > 0)
    same = sounding[:-lag] & (squares[:-lag] == squares[lag:])
    hits = np.flatnonzero(same)
    same[hits] = (parts[hits] == parts[hits + lag]).all(axis=1)
    return np.asarray(same)


def _sounds(track: Track, piece: Run, params: FlowParams) -> bool:
    """Whether most of a piece is sound; background equals itself by chance."""
    return float(np.mean(track.reference.raw[piece.first : piece.stop])) >= params.repeat_sounding


def _level_step(track: Track, params: FlowParams) -> Finding | None:
    """The level of speech, stretch by stretch, falls into two parts that differ by a lasting step."""
    activity = track.reference
    stretches = [
        run for run in activity.trimmed_runs if run.frames >= activity.grid.frames_of(params.gain_run_sec)
    ]
    least = params.gain_min_runs
    if len(stretches) < 2 * least:
        return None
    levels = _run_levels(track, stretches)
    lengths = np.array([run.frames for run in stretches]) * activity.hop_sec
    split = best_split(levels, least)
    before, after = float(np.median(levels[:split])), float(np.median(levels[split:]))
    middle, up = (before + after) / 2.0, after > before
    agreeing = min(
        float(np.mean((levels[:split] < middle) == up)), float(np.mean((levels[split:] > middle) == up))
    )
    enough = min(float(lengths[:split].sum()), float(lengths[split:].sum())) >= params.gain_min_sec
    if abs(after - before) < params.gain_step_db or agreeing < params.gain_consistency or not enough:
        return None
    at_sec = stretches[split].first * activity.hop_sec
    return Finding(
        code="level_step",
        sentence=f"{channel_of(track)} changes its speech level by {after - before:+.1f} dB at "
        f"{at_sec:.2f} s and keeps it",
        evidence={"channel": track.channel, "at_sec": round(at_sec, 2), "step_db": round(after - before, 1)},
        remedy="look for a gain change or another microphone; levels before and after do not compare",
    )


def _run_levels(track: Track, stretches: list[Run]) -> NDArray[np.float64]:
    """Level of the mean power of each stretch, dB."""
    power = np.concatenate([[0.0], np.cumsum(10.0 ** (track.reference.dbfs / 10.0))])
    first = np.array([run.first for run in stretches])
    stop = np.array([run.stop for run in stretches])
    return np.asarray(10.0 * np.log10((power[stop] - power[first]) / (stop - first)))
