"""One pass from a recording to what was heard.

The only place that joins audio and timing. `hear` decodes a file once and keeps, for every channel, its
frame levels; `attend` decides which channel is which party and when each was active. Everything after
(trust, find, score, report) reads what these two return.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hotato.audio import Recording, open_recording
from hotato.errors import Refusal, UsageError
from hotato.findings import Finding
from hotato.stacks import ChannelMap
from hotato.timing.activity import Activity, Reason, energy_vad
from hotato.timing.config import ScoreConfig, VADParams
from hotato.timing.echo import Echo, envelope_echo
from hotato.timing.energy import EnergyMeter, Levels
from hotato.timing.grid import FrameGrid
from hotato.timing.health import channel_doubts, conditioned
from hotato.timing.speech import speech_activity

if TYPE_CHECKING:
    from hotato.speech import SpeechMeter, SpeechTrack

Samples = NDArray[np.integer[Any]]
Progress = Callable[[float], None]

_BLOCK_SEC = 4.0


@dataclass(frozen=True, eq=False)
class Hearing:
    """What one pass over one file gave, before anybody says which channel is whom.

    Attributes:
        recording: the file: format, digests, findings.
        grid: the frame grid of all channels.
        levels: one `Levels` for each channel, in file order.
        identical: pairs of channels whose every sample is equal.
        start_sec: when the file begins on the call's clock.
        speech: the learned detector's speech probabilities for each channel, where it was asked for.
        samples: the decoded samples, shape (frames, channels), where they were asked for and fit the limit.
    """

    recording: Recording
    grid: FrameGrid
    levels: tuple[Levels, ...]
    identical: frozenset[tuple[int, int]] = frozenset()
    start_sec: float = 0.0
    speech: tuple[SpeechTrack, ...] | None = None
    samples: Samples | None = None


@dataclass(frozen=True, eq=False)
class Track:
    """One party of the call.

    Attributes:
        role: `caller` or `agent` (or `mixed` where a single channel holds both).
        channel: channel number in the file.
        levels: the channel's frame levels as recorded.
        conditioned: the same as the detector saw them, without DC; `levels` itself where there was none.
        activity: when the channel was active, and how far that can be trusted.
        dc_removed: the mean that was subtracted before the detector ran (1.0 = full scale), 0.0 for none.
    """

    role: str
    channel: int
    levels: Levels
    conditioned: Levels
    activity: Activity
    dc_removed: float = 0.0


@dataclass(frozen=True, eq=False)
class Heard:
    """A call with both parties told apart.

    Attributes:
        name: base name of the recording (both names, joined by "+", for two files).
        recordings: the files, caller's first where there are two.
        roles: the role of each file: `stereo`, or `caller` and `agent`.
        grid: the frame grid.
        cfg: the parameters used.
        channels: the channel map and who stated it.
        caller: the caller's track.
        agent: the agent's track.
        echo: how far the caller channel looks like a delayed copy of the agent.
        identical: the two channels carry exactly the same samples.
        backend: `energy` or `neural`.
        samples: decoded samples, caller and agent side by side, where they were asked for and kept.
    """

    name: str
    recordings: tuple[Recording, ...]
    roles: tuple[str, ...]
    grid: FrameGrid
    cfg: ScoreConfig
    channels: ChannelMap
    caller: Track
    agent: Track
    echo: Echo
    identical: bool
    backend: str = "energy"
    samples: Samples | None = None

    @property
    def frames(self) -> int:
        """Frames of the call: those of the longer track."""
        return self.caller.activity.frames

    @property
    def duration_sec(self) -> float:
        """Length of the call in seconds."""
        tracks = (self.caller, self.agent)
        return max(track.levels.samples for track in tracks) / self.grid.sample_rate_hz

    @property
    def file_sha256(self) -> str:
        """Identity of the call's bytes (hex): its file's sha256, or one over those of caller and agent."""
        digests = [recording.file_sha256 for recording in self.recordings]
        if len(digests) == 1 or not all(digests):
            return digests[0]
        return hashlib.sha256("".join(digests).encode()).hexdigest()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Facts of all files, in order."""
        return tuple(finding for recording in self.recordings for finding in recording.findings)


@dataclass(frozen=True, eq=False)
class Mixed:
    """A call on a single channel: both parties in one sound, so nobody is told apart.

    Attributes:
        recording: the file.
        track: its one channel.
        samples: decoded samples, shape (frames, 1), where they were asked for and kept.
    """

    recording: Recording
    track: Track
    samples: Samples | None = None

    @property
    def name(self) -> str:
        """Base name of the recording."""
        return self.recording.name

    @property
    def grid(self) -> FrameGrid:
        """The frame grid."""
        return self.track.levels.grid

    @property
    def duration_sec(self) -> float:
        """Length of the call in seconds."""
        return self.track.levels.samples / self.grid.sample_rate_hz

    @property
    def file_sha256(self) -> str:
        """Identity of the call's bytes (hex)."""
        return self.recording.file_sha256

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Facts of the file."""
        return self.recording.findings


Call = Heard | Mixed
"""What can be heard of a call: two parties, or a mix of both."""


def hear(
    source: str | os.PathLike[str],
    cfg: ScoreConfig | None = None,
    *,
    start_sec: float = 0.0,
    backend: str = "energy",
    keep_samples_bytes: int = 0,
    digests: bool = True,
    progress: Progress | None = None,
) -> Hearing:
    """Decode `source` once and measure every channel of it.

    Args:
        source: path of a recording, or "-" for standard input.
        cfg: parameters; only the framing matters here.
        start_sec: when the file begins on the call's clock; silence is put in front of it.
        backend: `energy`, or `neural` to have the learned detector listen along.
        keep_samples_bytes: keep the decoded samples when they take at most this many bytes.
        digests: whether to compute the file's and the samples' sha256.
        progress: called with the seconds decoded so far.

    Raises:
        Refusal: whatever the audio room refuses, or the `neural` extra is missing.
    """
    cfg = cfg or ScoreConfig()
    with open_recording(source, digests=digests) as reader:
        rate, channels = reader.container.sample_rate_hz, reader.container.channels
        grid = FrameGrid.from_ms(rate, frame_ms=cfg.frame_ms, hop_ms=cfg.hop_ms)
        meter = EnergyMeter(grid, channels, reader.full_scale)
        twins = _Twins(channels)
        kept = _Kept(keep_samples_bytes)
        consumers: list[_Consumer] = [meter, twins, kept]
        speech = _speech_meter(rate, channels, reader.full_scale) if backend == "neural" else None
        if speech is not None:
            consumers.append(speech)
        decoded = 0
        for block in _from_start(reader.blocks(max(1, round(_BLOCK_SEC * rate))), start_sec, rate):
            for consumer in consumers:
                consumer.feed(block)
            decoded += len(block)
            if progress is not None:
                progress(decoded / rate)
        return Hearing(
            recording=reader.recording(),
            grid=grid,
            levels=meter.finish(),
            identical=twins.pairs(),
            start_sec=start_sec,
            speech=None if speech is None else speech.finish(),
            samples=kept.samples(),
        )


def attend(hearing: Hearing, channels: ChannelMap, cfg: ScoreConfig | None = None) -> Heard:
    """Say which channel of one recording is which party, and when each was active.

    Raises:
        Refusal: `mono` for a single channel, `channels_unnamed` for more than two that nobody named (with
            what each holds), `channel_out_of_range` for a number the recording does not have.
    """
    cfg = cfg or ScoreConfig()
    _require_channels(hearing, channels)
    tracks = (
        _track("caller", hearing, channels.caller, cfg.caller_vad),
        _track("agent", hearing, channels.agent, cfg.agent_vad),
    )
    pair = (min(channels.caller, channels.agent), max(channels.caller, channels.agent))
    return _heard((hearing,), ("stereo",), channels, tracks, cfg=cfg, identical=pair in hearing.identical)


def attend_pair(caller: Hearing, agent: Hearing, cfg: ScoreConfig | None = None) -> Heard:
    """Join two single-channel recordings as caller and agent on one clock.

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
    identical = (
        bool(caller.recording.pcm_sha256) and caller.recording.pcm_sha256 == agent.recording.pcm_sha256
    )
    tracks = (
        _track("caller", caller, 0, cfg.caller_vad),
        _track("agent", agent, 0, cfg.agent_vad),
    )
    channels = ChannelMap(0, 1, source="files")
    return _heard((caller, agent), ("caller", "agent"), channels, tracks, cfg=cfg, identical=identical)


def tell_apart(
    heard: Hearing | tuple[Hearing, Hearing], channels: ChannelMap, cfg: ScoreConfig | None = None
) -> Call:
    """The call in one recording, or in the caller's and the agent's own: with its parties, if it shows them.

    Args:
        heard: one recording, or the caller's and the agent's own, each of a single channel.
        channels: which channel is whom in a recording of several.
        cfg: parameters.

    Raises:
        Refusal: see `attend` and `attend_pair`; a single channel is not refused here.
    """
    if isinstance(heard, tuple):
        return attend_pair(*heard, cfg)
    if len(heard.levels) > 1:
        return attend(heard, channels, cfg)
    return Mixed(heard.recording, mixed_track(heard, cfg), heard.samples)


def mixed_track(hearing: Hearing, cfg: ScoreConfig | None = None, channel: int = 0) -> Track:
    """One channel as a track of its own: both parties mixed, or a party nobody has named yet."""
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
    if count > 2 and channels.source != "flags":
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
) -> Heard:
    caller, agent = tracks
    frames = max(caller.activity.frames, agent.activity.frames)
    # An offset would make any two channels look alike, so the envelopes are those that the detector saw.
    echo = envelope_echo(caller.conditioned.rms, agent.conditioned.rms, hearings[0].grid)
    heard_caller = caller.activity.extended(frames)
    if echo.suspected:
        doubt = Reason("echo_present", {"coherence": echo.coherence, "lag_sec": echo.lag_sec})
        heard_caller = replace(heard_caller, doubts=(*heard_caller.doubts, doubt))
    return Heard(
        name="+".join(hearing.recording.name for hearing in hearings),
        recordings=tuple(hearing.recording for hearing in hearings),
        roles=roles,
        grid=hearings[0].grid,
        cfg=cfg,
        channels=channels,
        caller=replace(caller, activity=heard_caller),
        agent=replace(agent, activity=agent.activity.extended(frames)),
        echo=echo,
        identical=identical,
        backend="energy" if hearings[0].speech is None else "neural",
        samples=_joint_samples(hearings, channels),
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


def _from_start(blocks: Iterator[Samples], start_sec: float, rate: int) -> Iterator[Samples]:
    """The blocks with the silence before the file's start on the call's clock in front."""
    missing = round(start_sec * rate)
    if missing < 0:
        raise UsageError(f"a recording cannot start at {start_sec} s", "give a start of 0 or more seconds")
    step = max(1, round(_BLOCK_SEC * rate))
    for block in blocks:
        while missing:
            now = min(missing, step)
            yield np.zeros((now, block.shape[1]), dtype=block.dtype)
            missing -= now
        yield block


def _speech_meter(rate: int, channels: int, full_scale: int) -> SpeechMeter:
    from hotato.speech import SpeechMeter  # a model behind an extra: only on demand

    return SpeechMeter(rate, channels, full_scale)


class _Consumer(Protocol):
    def feed(self, block: Samples) -> None: ...


class _Twins:
    """Finds channels that carry exactly the same samples, at the cost of a comparison until they differ."""

    def __init__(self, channels: int):
        self._open = {(a, b) for a in range(channels) for b in range(a + 1, channels)}

    def feed(self, block: Samples) -> None:
        self._open = {(a, b) for a, b in self._open if np.array_equal(block[:, a], block[:, b])}

    def pairs(self) -> frozenset[tuple[int, int]]:
        return frozenset(self._open)


class _Kept:
    """Keeps the samples of a recording that is small enough."""

    def __init__(self, limit_bytes: int):
        self._left = limit_bytes
        self._blocks: list[Samples] = []

    def feed(self, block: Samples) -> None:
        self._left -= block.nbytes
        if self._left < 0:
            self._blocks = []
        else:
            self._blocks.append(block.copy())

    def samples(self) -> Samples | None:
        return np.concatenate(self._blocks) if self._blocks and self._left >= 0 else None
