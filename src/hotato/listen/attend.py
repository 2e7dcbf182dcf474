"""Which channel is which party, and when each was active."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hotato.errors import Refusal
from hotato.listen.again import echo_doubt, listen_again, listen_again_alone, refutes_echo
from hotato.listen.records import Call, Detector, Heard, Hearing, Mixed, Samples, Track
from hotato.stacks import ChannelMap
from hotato.timing import ScoreConfig, VADParams, energy_vad, envelope_echo
from hotato.timing.health import channel_doubts, conditioned
from hotato.timing.sameness import same_sound
from hotato.timing.speech import speech_activity


def attend(
    hearing: Hearing,
    channels: ChannelMap,
    cfg: ScoreConfig | None = None,
    *,
    detector: Detector = "auto",
) -> Heard:
    """Say which channel of one recording is which party, and when each was active.

    Args:
        hearing: the recording.
        channels: which channel is whom.
        cfg: parameters.
        detector: `auto` has a channel on which the documented detector is in doubt heard by the robust one;
            `reference` leaves it in doubt.

    Raises:
        Refusal: `mono` for a single channel, `channels_unnamed` for more than two of which nobody named both
            parties' (with what each holds), `channel_out_of_range` for a number the recording does not have.
    """
    cfg = cfg or ScoreConfig()
    _require_channels(hearing, channels)
    tracks = (
        _track("caller", hearing, channels.caller, cfg.caller_vad),
        _track("agent", hearing, channels.agent, cfg.agent_vad),
    )
    pair = (min(channels.caller, channels.agent), max(channels.caller, channels.agent))
    return _heard(
        (hearing,),
        ("stereo",),
        channels,
        tracks,
        cfg=cfg,
        identical=pair in hearing.identical,
        detector=detector,
    )


def attend_pair(
    caller: Hearing, agent: Hearing, cfg: ScoreConfig | None = None, *, detector: Detector = "auto"
) -> Heard:
    """Join two single-channel recordings as caller and agent on one clock.

    Args:
        caller: the caller's own recording.
        agent: the agent's own recording.
        cfg: parameters.
        detector: see `attend`.

    Raises:
        Refusal: `not_mono` when either has several channels, `rate_mismatch` when their rates differ.
    """
    cfg = cfg or ScoreConfig()
    for role, hearing in (("caller", caller), ("agent", agent)):
        if len(hearing.levels) != 1:
            raise Refusal(
                "not_mono",
                f"the {role} recording '{hearing.recording.name}' has {len(hearing.levels)} channels",
                "pass one two-channel recording with --stereo, or two single-channel ones",
            )
    if caller.grid != agent.grid:
        raise Refusal(
            "rate_mismatch",
            f"the caller is sampled at {caller.grid.sample_rate_hz} Hz and the agent at "
            f"{agent.grid.sample_rate_hz} Hz",
            "export both at one sample rate",
        )
    one, other = caller.recording, agent.recording
    digests = ((one.pcm_sha256, other.pcm_sha256), (one.file_sha256, other.file_sha256))
    identical = any(digest and digest == twin for digest, twin in digests)
    tracks = (
        _track("caller", caller, 0, cfg.caller_vad),
        _track("agent", agent, 0, cfg.agent_vad),
    )
    channels = ChannelMap(0, 1, source="files")
    return _heard(
        (caller, agent),
        ("caller", "agent"),
        channels,
        tracks,
        cfg=cfg,
        identical=identical,
        detector=detector,
    )


def tell_apart(
    heard: Hearing | tuple[Hearing, Hearing],
    channels: ChannelMap,
    cfg: ScoreConfig | None = None,
    *,
    detector: Detector = "auto",
) -> Call:
    """The call in one recording, or in the caller's and the agent's own: with its parties, if it shows them.

    Args:
        heard: one recording, or the caller's and the agent's own, each of a single channel.
        channels: which channel is whom in a recording of several.
        cfg: parameters.
        detector: see `attend`.

    Raises:
        Refusal: see `attend` and `attend_pair`; a single channel is not refused here.
    """
    if isinstance(heard, tuple):
        return attend_pair(*heard, cfg, detector=detector)
    if len(heard.levels) > 1:
        return attend(heard, channels, cfg, detector=detector)
    track = mixed_track(heard, cfg)
    if detector == "auto" and heard.speech is None:
        track = listen_again_alone(heard, track)
    return Mixed(heard.recording, track, detector, heard.samples)


def mixed_track(hearing: Hearing, cfg: ScoreConfig | None = None, channel: int = 0) -> Track:
    """One channel as the reference hears it: both parties mixed, or a party nobody has named yet."""
    return _track("mixed", hearing, channel, (cfg or ScoreConfig()).caller_vad)


def describe_channels(hearing: Hearing) -> str:
    """What each channel holds, in a few words: for a refusal that asks for channel numbers."""
    words = []
    for number in range(len(hearing.levels)):
        track = mixed_track(hearing, channel=number)
        seconds = track.activity.active_sec
        peak = 20.0 * np.log10(max(track.levels.peak, 1e-6))
        words.append(
            f"{number}: {seconds:.1f} s of sound, peak {peak:.1f} dBFS" if seconds else f"{number}: silent"
        )
    return "; ".join(words)


def mono(name: str) -> Refusal:
    """The refusal of a single-channel recording where two parties are needed."""
    return Refusal(
        "mono",
        f"'{name}' has a single channel, so the caller and the agent cannot be told apart",
        "export a recording with the caller on one channel and the agent on the other",
    )


def _require_channels(hearing: Hearing, channels: ChannelMap) -> None:
    count, name = len(hearing.levels), hearing.recording.name
    if count == 1:
        raise mono(name)
    if count > 2 and not (channels.source == "flags" and channels.both):
        raise Refusal(
            "channels_unnamed",
            f"'{name}' has {count} channels ({describe_channels(hearing)})",
            "say which is which with --caller-channel N --agent-channel N",
        )
    for role, number in (("caller", channels.caller), ("agent", channels.agent)):
        if number >= count:
            raise Refusal(
                "channel_out_of_range",
                f"the {role} channel is {number}, and '{name}' has channels 0 to {count - 1}",
                "name a channel the recording has",
            )


def _track(role: str, hearing: Hearing, channel: int, params: VADParams) -> Track:
    recorded = hearing.levels[channel]
    levels, dc = conditioned(recorded)
    activity = energy_vad(levels.dbfs, hearing.grid, params)
    doubts = channel_doubts(levels, activity)
    if hearing.speech is not None:
        activity = speech_activity(
            activity, hearing.speech[channel].probability, hearing.speech[channel].hop_sec
        )
    return Track(role, channel, recorded, levels, replace(activity, doubts=doubts), dc)


def _heard(
    hearings: tuple[Hearing, ...],
    roles: tuple[str, ...],
    channels: ChannelMap,
    tracks: tuple[Track, Track],
    *,
    cfg: ScoreConfig,
    identical: bool,
    detector: Detector,
) -> Heard:
    caller, agent = tracks
    alike_db = None if identical else same_sound(caller.activity, agent.activity)
    # Two channels of silence are the same samples too; what is missing there is sound.
    identical = alike_db is not None or (identical and bool(caller.activity.raw.any()))
    # An offset would make any two channels look alike, so the envelopes are those that the detector saw.
    echo = envelope_echo(caller.conditioned.rms, agent.conditioned.rms, hearings[0].grid)
    refuted = echo.suspected and refutes_echo(caller, agent)
    if echo.suspected and not refuted:
        doubts = (*caller.activity.doubts, echo_doubt(echo))
        caller = replace(caller, activity=replace(caller.activity, doubts=doubts))
    if detector == "auto" and hearings[0].speech is None and not identical:
        caller, agent = listen_again(hearings, caller, agent)
    frames = max(caller.activity.frames, agent.activity.frames)
    return Heard(
        name="+".join(hearing.recording.name for hearing in hearings),
        recordings=tuple(hearing.recording for hearing in hearings),
        roles=roles,
        grid=hearings[0].grid,
        cfg=cfg,
        channels=channels,
        caller=caller.extended(frames),
        agent=agent.extended(frames),
        echo=echo,
        echo_refuted=refuted,
        identical=identical,
        backend="energy" if hearings[0].speech is None else "neural",
        detector=detector,
        samples=_joint_samples(hearings, channels),
        starts_sec=tuple(hearing.start_sec for hearing in hearings),
        alike_db=alike_db,
    )


def _joint_samples(hearings: tuple[Hearing, ...], channels: ChannelMap) -> Samples | None:
    """Caller and agent samples side by side, shape (samples, 2), where every file kept its own."""
    kept = [hearing.samples for hearing in hearings if hearing.samples is not None]
    if len(kept) != len(hearings):
        return None
    if len(kept) == 1:
        return kept[0][:, [channels.caller, channels.agent]]
    joint = np.zeros((max(len(side) for side in kept), 2), dtype=kept[0].dtype)
    for column, side in enumerate(kept):
        joint[: len(side), column] = side[:, 0]
    return joint
