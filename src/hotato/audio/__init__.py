"""Bytes to samples: open a recording in any format that phone systems write, and tell the truth about it.

    with open_recording("call.wav") as reader:
        for block in reader.blocks(48_000):   # (frames, channels) int16 or int32
            ...
        recording = reader.recording()        # digests, counted frames, findings

The room never decides anything: a disagreement between header and body is a finding, not a verdict.
"""

from hotato.audio.decode import Digests, Reader, Replay, open_recording
from hotato.audio.records import Container, Recording

__all__ = ["Container", "Digests", "Reader", "Recording", "Replay", "open_recording"]
