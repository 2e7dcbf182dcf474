"""Decoding through libsndfile: FLAC, Ogg, MP3, AIFF, AU, CAF, NIST, VOC and the ADPCM kinds of WAV.

Read forward only. Seeking in Opus and in damaged files lands elsewhere than asked, so the library is told
that the file cannot seek.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from hotato.audio.limits import LIMITS
from hotato.audio.pcm import NARROW_FULL_SCALE, WIDE_FULL_SCALE, FloatScaler, Samples
from hotato.audio.probe import Probe
from hotato.audio.reblock import reblock
from hotato.audio.records import Container
from hotato.audio.source import Source
from hotato.findings import Finding

_ENCODINGS = {
    "PCM_S8": "pcm_s8",
    "PCM_U8": "pcm_u8",
    "PCM_16": "pcm_s16",
    "PCM_24": "pcm_s24",
    "PCM_32": "pcm_s32",
    "FLOAT": "pcm_f32",
    "DOUBLE": "pcm_f64",
    "ULAW": "mulaw",
    "ALAW": "alaw",
    "MPEG_LAYER_I": "mp1",
    "MPEG_LAYER_II": "mp2",
    "MPEG_LAYER_III": "mp3",
}
_WIDE = frozenset({"PCM_24", "PCM_32", "ALAC_20", "ALAC_24", "ALAC_32"})
_FLOAT = frozenset({"FLOAT", "DOUBLE"})
# Decoders that compute in float: asked for int16 they would wrap around beyond full scale.
_LOSSY = frozenset({"VORBIS", "OPUS", "MPEG_LAYER_I", "MPEG_LAYER_II", "MPEG_LAYER_III"})


class CannotDecode(Exception):
    """A decoder does not know this file. Stays inside the room: another decoder or a refusal follows."""


class SndfileDecoder:
    """A file open in libsndfile. It reads by itself, so nothing passes through a tap."""

    tapped: range | None = None

    def __init__(self, source: Source, probe: Probe):
        self._source = source
        self._file = _open(source)
        subtype: str = self._file.subtype
        wide = subtype in _WIDE or subtype in _FLOAT
        self.full_scale = WIDE_FULL_SCALE if wide else NARROW_FULL_SCALE
        self.scaler = FloatScaler(self.full_scale)
        self._dtype = "int16"
        if subtype in _LOSSY:
            self._dtype = "float32"
        elif subtype in _FLOAT:
            self._dtype = "float64"
        elif wide:
            self._dtype = "int32"
        self._stopped = False
        self.container = Container(
            container=probe.container,
            encoding=_encoding(probe, subtype),
            sample_rate_hz=self._file.samplerate,
            channels=self._file.channels,
            declared_frames=probe.declared_frames(self._file.samplerate),
            findings=probe.findings,
        )

    def chunks(self, frames: int, tap: Callable[[bytes], None] | None) -> Iterator[Samples]:
        """Samples of shape (n, channels), every array `frames` long except the last."""
        del tap
        return reblock(self._pieces(min(frames, LIMITS.batch_frames)), frames)

    def frames_per_read(self) -> int:
        """How many frames make a read of the usual size."""
        return LIMITS.batch_frames

    def findings(self) -> list[Finding]:
        """What the samples showed, after the last chunk."""
        return self.scaler.findings()

    @property
    def stopped_early(self) -> bool:
        """Whether the library gave up, or gave more than such a file can hold."""
        return self._stopped

    def close(self) -> None:
        """Release the library's handle."""
        self._file.close()

    def _pieces(self, frames: int) -> Iterator[Samples]:
        import soundfile

        bound = LIMITS.frames_per_byte_max * self._source.size
        total = 0
        while True:
            try:
                piece = self._file.read(frames, dtype=self._dtype, always_2d=True)
            except soundfile.LibsndfileError:
                self._stopped = True
                return
            if not len(piece):
                return
            total += len(piece)
            if total > bound:
                self._stopped = True
                return
            if self._dtype == "int32":
                piece >>= 8
            yield self.scaler(piece) if self._dtype.startswith("float") else piece


def _open(source: Source) -> Any:
    import soundfile

    class _ForwardOnly(soundfile.SoundFile):  # type: ignore[misc]
        def seekable(self) -> bool:
            return False

    # libsndfile takes the descriptor's position for the start of the file. Nothing else uses the position.
    os.lseek(source.descriptor, 0, os.SEEK_SET)
    try:
        return _ForwardOnly(source.descriptor, closefd=False)
    except soundfile.LibsndfileError as error:
        raise CannotDecode(error.error_string) from error


def _encoding(probe: Probe, subtype: str) -> str:
    if probe.container == "flac":
        return "flac"
    return _ENCODINGS.get(subtype, subtype.lower())
