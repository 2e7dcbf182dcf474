"""What was heard: of a file before anybody says which channel is whom, and of a call after."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hotato.audio import Recording, Replay
from hotato.findings import Finding
from hotato.stacks import ChannelMap
from hotato.timing import Activity, Echo, FrameGrid, Levels, ScoreConfig

if TYPE_CHECKING:
    from hotato.speech import SpeechTrack

Samples = NDArray[np.integer[Any]]
Detector = Literal["auto", "reference"]
"""Who decides what is sound: the documented detector wherever it is in no doubt, or always."""


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
        replay: the file, still open, for a second look at a channel in doubt.
    """

    recording: Recording
    grid: FrameGrid
    levels: tuple[Levels, ...]
    identical: frozenset[tuple[int, int]] = frozenset()
    start_sec: float = 0.0
    speech: tuple[SpeechTrack, ...] | None = None
    samples: Samples | None = None
    replay: Replay | None = None


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
        replaced: what the documented detector heard, where another one's answer took its place.
    """

    role: str
    channel: int
    levels: Levels
    conditioned: Levels
    activity: Activity
    dc_removed: float = 0.0
    replaced: Activity | None = None

    @property
    def reference(self) -> Activity:
        """What the documented detector heard, in doubt or not: facts of the signal rest on it."""
        return self.activity if self.replaced is None else self.replaced

    def extended(self, frames: int) -> Track:
        """The same track on a longer call: quiet frames are added up to `frames`."""
        replaced = None if self.replaced is None else self.replaced.extended(frames)
        return replace(self, activity=self.activity.extended(frames), replaced=replaced)


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
        echo_refuted: it does look like one, and its level does not move as a copy's would.
        identical: the two channels carry one sound: the same samples, or the same but for level and sign.
        backend: `energy` or `neural`.
        detector: `auto`, or `reference` where the documented detector was asked for.
        samples: decoded samples, caller and agent side by side, where they were asked for and kept.
        starts_sec: when each of the files begins on the call's clock.
        alike_db: level of the caller's channel over the agent's where both carry one sound and the samples
            differ; None where they do not differ, and where the channels are not `identical`.
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
    detector: Detector = "auto"
    samples: Samples | None = None
    starts_sec: tuple[float, ...] = ()
    alike_db: float | None = None
    echo_refuted: bool = False

    @property
    def frames(self) -> int:
        """Frames of the call: those of the longer track."""
        return self.caller.activity.frames

    @property
    def echo_suspected(self) -> bool:
        """Whether the caller channel looks like a delayed copy of the agent, and nothing refutes it."""
        return self.echo.suspected and not self.echo_refuted

    @property
    def above_echo(self) -> bool:
        """Whether the agent's echo on the caller's channel is known and the caller was heard above it."""
        heard = self.caller.activity
        return not heard.doubts and any(reason.code == "echo_present" for reason in heard.reasons)

    @property
    def only_echo(self) -> bool:
        """Whether the caller's channel holds sound, and the agent's echo explains all of it."""
        heard = self.caller.activity
        echo = any(reason.code == "echo_present" for reason in heard.reasons)
        return echo and not heard.raw.any() and bool(self.caller.reference.raw.any())

    @property
    def shared_sound(self) -> str:
        """What both channels carry where they are `identical`, in words."""
        if self.alike_db is None:
            return "the same samples"
        apart = f" ({abs(self.alike_db):.1f} dB apart)" if self.alike_db else ""
        return f"the same sound{apart}"

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
        detector: `auto`, or `reference` where the documented detector was asked for.
        samples: decoded samples, shape (frames, 1), where they were asked for and kept.
    """

    recording: Recording
    track: Track
    detector: Detector = "auto"
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
