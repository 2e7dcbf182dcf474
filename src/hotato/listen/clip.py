"""A stretch of a call cut out to the sample: the caller's channel and the agent's, side by side.

The recording is decoded once more, in blocks, and only the stretch is kept, however long the call is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.audio.encode import flac_bytes as encode_flac
from hotato.audio.encode import lossless
from hotato.audio.encode import wav_bytes as encode_wav
from hotato.audio.pcm import WIDE_FULL_SCALE
from hotato.errors import Refusal
from hotato.listen.hear import block_frames, from_start
from hotato.listen.records import Hearing, Samples
from hotato.stacks import ChannelMap

__all__ = ["Clip", "cut", "encode_flac", "encode_wav", "lossless"]


@dataclass(frozen=True, eq=False, slots=True)
class Clip:
    """A stretch of a call.

    Attributes:
        samples: shape (samples, 2), the caller first.
        rate_hz: samples per second and channel.
        full_scale: the integer that stands for 1.0 in them: that of the wider of two files.
    """

    samples: Samples
    rate_hz: int
    full_scale: int

    def encoded(self) -> tuple[bytes, str]:
        """The stretch as a file that decodes to the same samples, and its kind: `flac` or `wav`."""
        return lossless(self.samples, self.rate_hz, self.full_scale)

    def wav(self) -> bytes:
        """The same as a WAV file."""
        return encode_wav(self.samples, self.rate_hz, self.full_scale)


def cut(hearings: tuple[Hearing, ...], channels: ChannelMap, first: int, stop: int) -> Clip:
    """Samples [first, stop) of a call, on the call's clock.

    Args:
        hearings: the recording, or the caller's and the agent's own.
        channels: which channel of one recording is whom.
        first: first sample.
        stop: one past the last sample; where a file has ended before it, silence is added.

    Raises:
        Refusal: `changed_while_read`, or a file that is not open any more.
    """
    scale = max(hearing.recording.full_scale for hearing in hearings)
    own: tuple[int, ...] = (channels.caller, channels.agent) if len(hearings) == 1 else (0,)
    wanted = [(hearing, own) for hearing in hearings]
    sides = [_stretch(hearing, columns, first, stop) for hearing, columns in wanted]
    levelled = [
        side if hearing.recording.full_scale == scale else side.astype(np.int32) * _step(hearing)
        for side, (hearing, _) in zip(sides, wanted, strict=True)
    ]
    return Clip(np.concatenate(levelled, axis=1), hearings[0].grid.sample_rate_hz, scale)


def _step(hearing: Hearing) -> int:
    """What a sample of a narrow file is multiplied by to stand at the scale of a wide one."""
    return WIDE_FULL_SCALE // hearing.recording.full_scale


def _stretch(hearing: Hearing, columns: tuple[int, ...], first: int, stop: int) -> Samples:
    if hearing.replay is None:
        raise Refusal(
            "unreadable", f"'{hearing.recording.name}' cannot be read a second time", "save it to a file"
        )
    rate, kept, at = hearing.grid.sample_rate_hz, [], 0
    with hearing.replay.open() as reader:
        dtype = np.int32 if reader.full_scale == WIDE_FULL_SCALE else np.int16
        for block in from_start(reader.blocks(block_frames(rate)), hearing.start_sec, rate):
            if at >= stop:
                break
            low, high = max(0, first - at), min(len(block), stop - at)
            if low < high:
                kept.append(block[low:high, columns].copy())
            at += len(block)
    taken = np.concatenate(kept) if kept else np.zeros((0, len(columns)), dtype)
    missing = (stop - first) - len(taken)
    return np.concatenate([taken, np.zeros((missing, len(columns)), taken.dtype)]) if missing else taken
