"""Decoding through libsndfile: FLAC, Ogg, MP3, AIFF, AU, CAF, NIST, VOC and the ADPCM kinds of WAV.

Read forward only. Seeking in Opus and in damaged files lands elsewhere than asked, so the library is told
that the file cannot seek.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hotato.audio.limits import LIMITS
from hotato.audio.pcm import NARROW_FULL_SCALE, WIDE_FULL_SCALE, FloatScaler, Samples
from hotato.audio.probe import Probe
from hotato.audio.reblock import reblock
from hotato.audio.records import Container
from hotato.audio.signals import signals_held
from hotato.audio.source import Source, SourceFile
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

# Words of messages that the library writes for the programmers of its callers.
_INTERNALS = ("internal", "sf_", "psf_", "pointer", "karma", "cryptic", "bug in")

_FINE_FRAMES = 64
_STDERR_LOCK = threading.Lock()


class CannotDecode(Exception):
    """A decoder does not know this file. Stays inside the room: another decoder or a refusal follows."""


class SndfileDecoder:
    """A file open in libsndfile. It reads by itself, so nothing passes through a tap."""

    tapped: range | None = None

    def __init__(self, source: Source, probe: Probe):
        self._source = source
        self._bytes = SourceFile(source, probe.patch)
        self._noisy = probe.container == "mp3"
        with _silenced(self._noisy):
            self._file = _open(self._bytes)
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
        self._total = 0
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
        """Whether the library gave up inside the body."""
        return self._stopped

    def close(self) -> None:
        """Release the library's handle."""
        self._file.close()

    def _pieces(self, frames: int) -> Iterator[Samples]:
        """All samples. The library drops all of a read that meets damage: that part is read again, finely."""
        good = 0
        for piece in self._read(frames):
            good += len(piece)
            yield self._integers(piece)
        if not self._stopped or frames <= _FINE_FRAMES:
            return
        self._file.close()
        with _silenced(self._noisy):
            self._file = _open(self._bytes)
        self._total = 0
        if good:
            for _ in self._read(frames):
                if self._total >= good:
                    break
        yield from (self._integers(piece) for piece in self._read(_FINE_FRAMES))

    def _read(self, frames: int) -> Iterator[Any]:
        """Reads of `frames` until the end or damage."""
        import soundfile

        while True:
            try:
                with signals_held(), _silenced(self._noisy):
                    piece = self._file.read(frames, dtype=self._dtype, always_2d=True)
            except soundfile.LibsndfileError:
                self._stopped = True
                break
            if not len(piece):
                break
            self._total += len(piece)
            yield piece
        if self._bytes.failure is not None:
            raise self._bytes.failure

    def _integers(self, piece: Any) -> Samples:
        if self._dtype == "int32":
            piece >>= 8
        return self.scaler(piece) if self._dtype.startswith("float") else piece


def _open(file: SourceFile) -> Any:
    import soundfile

    class _ForwardOnly(soundfile.SoundFile):  # type: ignore[misc]
        def seekable(self) -> bool:
            return False

    file.seek(0)
    try:
        with signals_held():
            opened = _ForwardOnly(file)
    except soundfile.LibsndfileError as error:
        opened, reason = None, error.error_string
    if file.failure is not None:
        raise file.failure
    if opened is None:
        raise CannotDecode(_plain(reason))
    return opened


def _plain(reason: str) -> str:
    """Why the library gave up, for people: it names its own structures where a header makes no sense."""
    if any(word in reason.lower() for word in _INTERNALS):
        return "its header is incomplete or contradicts itself"
    return reason.removeprefix("Error : ").rstrip(".")


@contextmanager
def _silenced(noisy: bool) -> Iterator[None]:
    """Keep the MP3 decoder's own remarks about damage off standard error: the findings say it."""
    if not noisy:
        yield
        return
    with _STDERR_LOCK:
        try:
            kept = os.dup(2)
        except OSError:  # standard error is closed: nothing to keep clean
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(nowhere)


def _encoding(probe: Probe, subtype: str) -> str:
    if probe.container == "flac":
        return "flac"
    return _ENCODINGS.get(subtype, subtype.lower())
