"""Where music plays: held tones for seconds on end, and what of it passes for a party.

Music is no doubt where a party stands far above it, as over a radio in the next room. Where it does not, the
stretch is named: whoever sounds there may be the music, or who sings in it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hotato.timing.activity import Activity
from hotato.timing.energy import Floats
from hotato.timing.music import MUSIC
from hotato.timing.robust.params import MusicParams
from hotato.timing.robust.partials import Counts, Partials
from hotato.timing.robust.runs import hysteresis
from hotato.timing.spans import Mask, Run, merge

_TENTHS = 10


def music_runs(partials: Partials, params: MusicParams) -> list[Run]:
    """The stretches of music, in steps of `partials`."""
    held = np.minimum(partials.held, params.most_tones)
    window, edge = (partials.steps_of(sec) for sec in (params.window_sec, params.edge_sec))
    dense = _rich(held, edge, params.least_tones)
    found = []
    for stretch in hysteresis(
        _rich(held, window, params.least_tones), _rich(held, window, params.more_tones)
    ):
        inside = np.flatnonzero(dense[stretch.first : stretch.stop])
        if len(inside):
            found.append(Run(stretch.first + int(inside[0]), stretch.first + int(inside[-1]) + 1))
    return merge(found, partials.steps_of(params.gap_sec))


def _rich(held: Counts, window: int, tones: float) -> Mask:
    """The steps in some window of this length over which that many tones are held on average."""
    covered = np.zeros(len(held) + 1, dtype=np.int32)
    if 0 < window <= len(held):
        sums = np.concatenate([np.zeros(1, np.int32), np.cumsum(held, dtype=np.int32)])
        total = sums[window:] - sums[:-window]
        first = np.flatnonzero(total * _TENTHS >= round(tones * _TENTHS) * window)
        np.add.at(covered, first, 1)
        np.add.at(covered, first + window, -1)
    return np.asarray(np.cumsum(covered)[:-1] > 0)


def music_frames(partials: Partials, reference: Activity, start: int, params: MusicParams) -> list[Run]:
    """The same in frames of the channel, grown to where the sound that they are in pauses.

    Args:
        partials: the held tones from frame `start` on.
        reference: what the documented detector heard on the channel.
        start: see above.
        params: when tones are music.
    """

    def frame(step: int) -> int:
        sec = partials.first_sec + (step - 0.5) * partials.step_sec
        return min(reference.frames, start + reference.grid.frames_of(max(0.0, sec)))

    found = (Run(frame(run.first), frame(run.stop)) for run in music_runs(partials, params))
    return merge([_grown(run, reference, params) for run in found if run.frames], 0)


def _grown(music: Run, reference: Activity, params: MusicParams) -> Run:
    """The run, carried on as long as the sounds at its ends go on without a pause."""
    reach, first, stop = reference.grid.frames_of(params.reach_sec), music.first, music.stop
    for sound in reference.runs:
        if sound.first <= music.first < sound.stop:
            first = max(sound.first, music.first - reach)
        if sound.first < music.stop <= sound.stop:
            stop = min(sound.stop, music.stop + reach)
    return Run(first, stop)


def with_music(activity: Activity, found: list[Run], params: MusicParams) -> Activity:
    """The activity with the stretches named in which music may pass for the party, no doubt for it elsewhere.

    Args:
        activity: the channel, as it was decided.
        found: where music plays, in frames.
        params: how far a party stands above it.
    """
    named = tuple(run for run in found if _passes_for_sound(activity, run, params))
    left = tuple(reason for reason in activity.doubts if reason.code != MUSIC)
    return replace(activity, music=named, doubts=left)


def _passes_for_sound(activity: Activity, stretch: Run, params: MusicParams) -> bool:
    """Whether what was taken for sound there, or else anywhere, is hardly louder than the music."""
    inside = slice(stretch.first, stretch.stop)
    level, heard = activity.dbfs[inside], activity.raw[inside]
    sounds = level[heard] if heard.any() else activity.dbfs[activity.raw]
    if not len(sounds):
        return True
    music_db, sound_db = _ranked(level, params.quiet_quantile), _ranked(sounds, params.sound_quantile)
    return round(sound_db - music_db, 2) < params.over_music_db


def _ranked(levels: Floats, share: float) -> float:
    rank = int(share * (len(levels) - 1))
    return float(np.partition(levels, rank)[rank])
