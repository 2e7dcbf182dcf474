"""The second look: a channel on which the documented detector is in doubt is decoded once more.

Most recordings never get here. Where one does, the file is read again in blocks, and only the channels that
are needed are measured by band; memory grows with the frames, never with the samples.
"""

from __future__ import annotations

from dataclasses import replace

from hotato.listen.hear import block_frames, from_start
from hotato.listen.records import Hearing, Track
from hotato.timing import Echo, Reason
from hotato.timing.robust import BandMeter, Bands, RobustParams, level_follow, robust_activity

_PARAMS = RobustParams()


def listen_again(hearings: tuple[Hearing, ...], caller: Track, agent: Track) -> tuple[Track, Track]:
    """Both tracks, with the robust detector's answer on a channel that is in doubt.

    Args:
        hearings: the recording, or the caller's and the agent's own.
        caller: the caller as the reference heard it, echo doubts included.
        agent: the agent likewise.
    """
    echoed = _may_be_echo(caller, agent)
    sick = [track for track in (caller, agent) if track.activity.doubts or (track is caller and echoed)]
    if not sick:
        return caller, agent
    wanted = (caller, agent) if caller in sick else (agent,)
    bands = _bands(hearings, wanted, (caller, agent))
    if caller in sick:
        caller = _decided(caller, bands.pop("caller", None), bands.get("agent"))
    if agent in sick:
        agent = _decided(agent, bands.pop("agent", None), None)
    return caller, agent


def listen_again_alone(hearing: Hearing, track: Track) -> Track:
    """One channel by itself, where nobody knows which party it is."""
    if not track.activity.doubts:
        return track
    return _decided(track, _bands((hearing,), (track,), (track,)).get(track.role), None)


def _may_be_echo(caller: Track, agent: Track) -> bool:
    """Whether the level of the caller's channel moves as the agent's does a moment earlier."""
    follow = level_follow(
        caller.activity.dbfs, agent.activity.dbfs, agent.activity.raw, agent.activity.grid, _PARAMS.echo
    )
    return follow.sure and follow.correlation >= _PARAMS.echo.level_limit


def _decided(track: Track, bands: Bands | None, source: Bands | None) -> Track:
    if bands is None:
        return track
    activity = robust_activity(track.activity, bands, source, _PARAMS)
    return track if activity is track.activity else replace(track, activity=activity, replaced=track.activity)


def _bands(
    hearings: tuple[Hearing, ...], wanted: tuple[Track, ...], order: tuple[Track, ...]
) -> dict[str, Bands]:
    """Band levels of the wanted tracks by role; a track whose file is not open any more is left out."""
    if len(hearings) == 1:
        roles = [track.role for track in wanted]
        measured = _measure(hearings[0], tuple(track.channel for track in wanted))
        return dict(zip(roles, measured, strict=False))
    found: dict[str, Bands] = {}
    for hearing, track in zip(hearings, order, strict=True):
        if track in wanted:
            found.update(zip([track.role], _measure(hearing, (track.channel,)), strict=False))
    return found


def _measure(hearing: Hearing, channels: tuple[int, ...]) -> tuple[Bands, ...]:
    if hearing.replay is None:
        return ()
    rate = hearing.grid.sample_rate_hz
    with hearing.replay.open() as reader:
        frames = hearing.levels[channels[0]].frames
        meter = BandMeter(hearing.grid, channels, reader.full_scale, frames, _PARAMS.bands)
        for block in from_start(reader.blocks(block_frames(rate)), hearing.start_sec, rate):
            meter.feed(block)
    return meter.finish()


def echo_doubt(echo: Echo) -> Reason:
    """The doubt about a caller channel that looks like a copy of the agent."""
    return Reason("echo_present", {"coherence": echo.coherence, "lag_sec": echo.lag_sec})
