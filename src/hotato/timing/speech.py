"""A learned detector's answer on the frame grid: it says "is this speech", energy says exactly where."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np

from hotato.timing.activity import Activity, with_hangover
from hotato.timing.energy import Floats
from hotato.timing.spans import Mask, Run, mask_of, merge, runs

NEURAL = "neural"


@dataclass(frozen=True, slots=True)
class SpeechParams:
    """How probabilities become activity.

    Attributes:
        enter_probability: a chunk that reaches this begins a region of speech.
        leave_probability: the region ends with the first chunk below this.
        min_silence_sec: a shorter pause between two regions is closed.
        min_speech_sec: a shorter region is dropped.
        edge_reach_sec: an edge of a region moves outwards to the energy edge by at most this.
    """

    enter_probability: float = 0.5
    leave_probability: float = 0.35
    min_silence_sec: float = 0.1
    min_speech_sec: float = 0.06
    edge_reach_sec: float = 0.2


def speech_activity(
    energy: Activity, probability: Floats, chunk_sec: float, params: SpeechParams | None = None
) -> Activity:
    """Activity of the learned detector with its edges moved to the energy edges.

    A region of speech keeps the energy runs (hangover bridges their gaps) that it touches, as far as
    `edge_reach_sec` beyond its own ends; runs that no region touches are dropped, and so is speech that never
    reaches the energy threshold. Threshold and noise floor stay those of the energy detector: a description
    of the same audio.

    Args:
        energy: the documented activity of the same channel.
        probability: speech probability of each chunk, shape (chunks,).
        chunk_sec: length of a chunk in seconds.
        params: thresholds.
    """
    params = params or SpeechParams()
    frames_of = energy.grid.frames_of
    regions = [
        Run(frames_of(region.first * chunk_sec), frames_of(region.stop * chunk_sec))
        for region in speech_regions(probability, chunk_sec, params)
    ]
    kept = _touched(regions, energy.trimmed_runs, frames_of(params.edge_reach_sec))
    heard = mask_of(kept, energy.frames)
    raw = energy.raw & heard
    active = with_hangover(raw, frames_of(energy.params.hangover_sec))
    return replace(
        energy, raw=raw, active=active, detector=NEURAL, params=replace(energy.params, backend=NEURAL)
    )


def speech_regions(probability: Floats, chunk_sec: float, params: SpeechParams | None = None) -> list[Run]:
    """Regions of speech in chunks: hysteresis first, then short pauses closed, then short regions dropped."""
    params = params or SpeechParams()
    longest_gap = int(np.ceil(params.min_silence_sec / chunk_sec)) - 1
    closed = merge(runs(_hysteresis(probability, params)), longest_gap)
    return [region for region in closed if region.frames * chunk_sec >= params.min_speech_sec]


def _hysteresis(probability: Floats, params: SpeechParams) -> Mask:
    """Chunks at `leave_probability` or above, in stretches that reach `enter_probability` - from there on."""
    mask = np.zeros(len(probability), dtype=np.bool_)
    for stretch in runs(np.asarray(probability >= params.leave_probability)):
        reached = np.flatnonzero(probability[stretch.first : stretch.stop] >= params.enter_probability)
        if len(reached):
            mask[stretch.first + int(reached[0]) : stretch.stop] = True
    return mask


def _touched(regions: list[Run], energy_runs: list[Run], reach: int) -> list[Run]:
    """The energy runs that a region touches, cut `reach` frames beyond the region's ends."""
    parts = []
    stops = [run.stop for run in energy_runs]
    for region in regions:
        for run in energy_runs[bisect_right(stops, region.first) :]:
            if run.first >= region.stop:
                break
            parts.append(Run(max(run.first, region.first - reach), min(run.stop, region.stop + reach)))
    return parts
