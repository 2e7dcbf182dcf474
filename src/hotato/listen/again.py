"""The second look: a channel on which the documented detector is in doubt is decoded once more.

Most recordings never get here. Where one does, the file is read again in blocks, and only the channels that
are needed are measured by band; memory grows with the frames, never with the samples. A channel in no doubt
whose sound goes on for longer than people speak without a pause is read again there, for music.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from hotato.listen.hear import block_frames, from_start
from hotato.listen.records import Hearing, Samples, Track
from hotato.timing import MUSIC, Activity, Echo, Reason, Run
from hotato.timing.robust import (
    BandMeter,
    Bands,
    Follow,
    PartialMeter,
    RobustParams,
    level_follow,
    music_frames,
    robust_activity,
    with_music,
)

_PARAMS = RobustParams()


def listen_again(hearings: tuple[Hearing, ...], caller: Track, agent: Track) -> tuple[Track, Track]:
    """Both tracks, with the robust detector's answer on a channel that is in doubt.

    Args:
        hearings: the recording, or the caller's and the agent's own.
        caller: the caller as the reference heard it, echo doubts included.
        agent: the agent likewise.
    """
    files = hearings if len(hearings) > 1 else hearings * 2
    caller, agent = (_suspected(file, track) for file, track in zip(files, (caller, agent), strict=True))
    echoed = _may_be_echo(caller, agent)
    sick = [track for track in (caller, agent) if track.activity.doubts or (track is caller and echoed)]
    if not sick:
        return caller, agent
    needed = (caller, agent) if caller in sick else (agent,)  # nobody asks for the bands of a sound caller
    looks = [
        _Look(file, track, track in sick)
        for file, track in zip(files, (caller, agent), strict=True)
        if track in needed
    ]
    _read(looks)
    for look in looks:
        look.find_music()  # before the bands are weighed, which takes the most memory
    source = looks[-1].bands
    decided = {look.track.role: look.decided(source if look.track is caller else None) for look in looks}
    return decided.get("caller", caller), decided["agent"]


def listen_again_alone(hearing: Hearing, track: Track) -> Track:
    """One channel by itself, where nobody knows which party it is."""
    track = _suspected(hearing, track)
    if not track.activity.doubts:
        return track
    look = _Look(hearing, track, sick=True)
    _read([look])
    look.find_music()
    return look.decided(None)


def _may_be_echo(caller: Track, agent: Track) -> bool:
    """Whether the level of the caller's channel moves as the agent's does a moment earlier."""
    follow = _follow(caller, agent)
    return follow.sure and follow.correlation >= _PARAMS.echo.level_limit


def refutes_echo(caller: Track, agent: Track) -> bool:
    """Whether the levels say that the caller's channel holds no copy of the agent, however alike they look.

    Two steady sounds have a high cosine at any lag, copy or not. A copy also moves as its source does; where
    nothing else is wrong with either channel, one whose level changes do not follow the agent's is none.

    Args:
        caller: the caller as the detector heard it, without any doubt about echo.
        agent: the agent likewise.
    """
    if caller.activity.doubts or agent.activity.doubts:
        return False  # noise and hum hide how a copy moves
    follow = _follow(caller, agent)
    return follow.sure and follow.correlation < _PARAMS.echo.level_limit


def _follow(caller: Track, agent: Track) -> Follow:
    heard, source = caller.activity, agent.activity
    return level_follow(heard.dbfs, source.dbfs, source.raw, source.grid, _PARAMS.echo)


def _suspected(hearing: Hearing, track: Track) -> Track:
    """The track, in doubt where it was in none and music is found in a sound that goes on and on."""
    activity = track.activity
    least = activity.grid.frames_of(_PARAMS.music.unbroken_sec)
    unbroken = [run for run in activity.runs if run.frames >= least]
    if activity.doubts or not unbroken:
        return track
    tones = _Tones(hearing, track.channel, unbroken)
    _read([tones])
    found = with_music(activity, tones.music(activity), _PARAMS.music).music
    if not found:
        return track
    music_sec = round(sum(run.frames for run in found) * activity.hop_sec, 2)
    return replace(track, activity=replace(activity, doubts=(Reason(MUSIC, {"music_sec": music_sec}),)))


class _Part(Protocol):
    """What takes the blocks of a second reading of its file."""

    hearing: Hearing

    def feed(self, block: Samples) -> None: ...


def _read(parts: Sequence[_Part]) -> None:
    """Read again each file that the parts are of; one that is not open any more feeds nobody."""
    for hearing in dict.fromkeys(part.hearing for part in parts):
        if hearing.replay is None:
            continue
        rate = hearing.grid.sample_rate_hz
        with hearing.replay.open() as reader:
            for block in from_start(reader.blocks(block_frames(rate)), hearing.start_sec, rate):
                for part in parts:
                    if part.hearing is hearing:
                        part.feed(block)


class _Tones:
    """The tones that are held in some stretches of a channel."""

    def __init__(self, hearing: Hearing, channel: int, stretches: Iterable[Run]):
        grid, full_scale = hearing.grid, hearing.levels[channel].full_scale
        self.hearing = hearing
        self._channel, self._hop, self._at = channel, grid.hop_samples, 0
        self._meters = [
            (run, PartialMeter(grid.sample_rate_hz, full_scale, _PARAMS.partials)) for run in stretches
        ]

    def feed(self, block: Samples) -> None:
        for run, meter in self._meters:
            first, stop = (max(0, frame * self._hop - self._at) for frame in (run.first, run.stop))
            if first < min(stop, len(block)):
                meter.feed(block[first:stop, self._channel])
        self._at += len(block)

    def music(self, reference: Activity) -> list[Run]:
        """The frames in which they are music, by what the documented detector heard around them."""
        return [
            found
            for run, meter in self._meters
            for found in music_frames(meter.finish(), reference, run.first, _PARAMS.music)
        ]


class _Look:
    """A track measured once more: its bands, and its held tones where it is in doubt."""

    def __init__(self, hearing: Hearing, track: Track, sick: bool):
        frames = hearing.levels[track.channel].frames
        full_scale = hearing.levels[track.channel].full_scale
        self.hearing, self.track, self._sick = hearing, track, sick
        self._meter = BandMeter(hearing.grid, (track.channel,), full_scale, frames, _PARAMS.bands)
        self._tones = _Tones(hearing, track.channel, [Run(0, frames)]) if sick else None
        self._music: list[Run] = []

    def feed(self, block: Samples) -> None:
        self._meter.feed(block)
        if self._tones is not None:
            self._tones.feed(block)

    @cached_property
    def bands(self) -> Bands | None:
        """The bands of the channel, None where its file is not open any more."""
        return None if self.hearing.replay is None else self._meter.finish()[0]

    def find_music(self) -> None:
        """Find where music plays, and give up the peaks that it was found by."""
        if self._tones is not None:
            self._music, self._tones = self._tones.music(self.track.activity), None

    def decided(self, source: Bands | None) -> Track:
        """The track with the answer that holds on it; `source` is the channel whose echo may be on it."""
        if not self._sick or self.bands is None:
            return self.track
        reference = self.track.activity
        activity = robust_activity(reference, self.bands, source, _PARAMS)
        track = self.track if activity is reference else replace(self.track, replaced=reference)
        return replace(track, activity=with_music(activity, self._music, _PARAMS.music))


def echo_doubt(echo: Echo) -> Reason:
    """The doubt about a caller channel that looks like a copy of the agent."""
    return Reason("echo_present", {"coherence": echo.coherence, "lag_sec": echo.lag_sec})
