"""Decoding through PyAV, the optional `media` extra: M4A, AAC, WebM, WMA, AMR and what else is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from hotato.audio import facts
from hotato.audio.limits import LIMITS
from hotato.audio.pcm import NARROW_FULL_SCALE, WIDE_FULL_SCALE, FloatScaler, Samples
from hotato.audio.probe import Probe
from hotato.audio.reblock import reblock
from hotato.audio.records import Container
from hotato.audio.signals import signals_held
from hotato.audio.sndfile import CannotDecode
from hotato.audio.source import Source, SourceFile
from hotato.errors import ExtraMissing, Refusal
from hotato.findings import Finding

_WIDE_FLOAT = ("pcm_f",)
_SAMPLE_FORMATS = frozenset({"u8", "s16", "s32", "flt", "dbl"})
_U8_ZERO = 128
_LENIENT_SINCE = 19
_BYTE_ORDER = re.compile(r"^(pcm_[suf]\d+)[lb]e$")
_STATES_DURATION = frozenset({"mov", "matroska", "asf", "flv"})


class MediaDecoder:
    """The first sound stream of a file, open in PyAV. Nothing passes through a tap."""

    tapped: range | None = None

    def __init__(self, source: Source, probe: Probe):
        self._source = source
        self._av = _import_av(source.name)
        self._bytes = SourceFile(source, probe.patch)
        self._media = self._open(probe)
        streams = [s for s in self._media.streams.audio if _is_readable(s)]
        if not streams:
            self._media.close()
            raise CannotDecode("no sound stream that can be decoded")
        self._stream = streams[0]
        context = self._stream.codec_context
        sample_format, codec = context.format.name, context.name
        self._integer_wide = sample_format.startswith("s32")
        wide = self._integer_wide or (sample_format[:3] in ("flt", "dbl") and codec.startswith(_WIDE_FLOAT))
        self.full_scale = WIDE_FULL_SCALE if wide else NARROW_FULL_SCALE
        self.scaler = FloatScaler(self.full_scale)
        self._damaged = 0
        self._gaps: list[float] = []
        self.stopped_early = False
        self.container = Container(
            container=probe.container,
            encoding=_BYTE_ORDER.sub(r"\1", codec),
            sample_rate_hz=self._stream.rate,
            channels=self._stream.channels,
            declared_frames=self._declared(probe),
            findings=probe.findings,
        )

    def chunks(self, frames: int, tap: Callable[[bytes], None] | None) -> Iterator[Samples]:
        """Samples of shape (n, channels), every array `frames` long except the last."""
        del tap
        return reblock(self._pieces(), frames)

    def frames_per_read(self) -> int:
        """How many frames make a read of the usual size."""
        return LIMITS.batch_frames

    def findings(self) -> list[Finding]:
        """What the packets and samples showed, after the last chunk."""
        found = self.scaler.findings()
        if self._damaged:
            found.append(facts.damaged_packets(self._damaged))
        if self._gaps:
            found.append(facts.timestamp_gaps(len(self._gaps), sum(self._gaps)))
        return found

    def close(self) -> None:
        """Release the library's handles."""
        self._media.close()

    def _open(self, probe: Probe) -> Any:
        try:
            # The demuxer is named: guessing would let a text file name other files to open.
            with signals_held():
                return self._av.open(self._bytes, "r", format=probe.media_format, **_lenient(self._av))
        except (self._av.FFmpegError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CannotDecode(reason.lower()) from error

    def _declared(self, probe: Probe) -> int | None:
        """The length that the header states; none where the library would only guess it from the bit rate."""
        rate_hz = self._stream.rate
        if probe.length is not None:
            return probe.declared_frames(rate_hz)
        if probe.media_format not in _STATES_DURATION:
            return None
        if self._stream.duration is not None and self._stream.time_base is not None:
            return round(Fraction(self._stream.duration * self._stream.time_base) * int(rate_hz))
        if self._media.duration is not None:
            return round(Fraction(self._media.duration, self._av.time_base) * int(rate_hz))
        return None

    def _pieces(self) -> Iterator[Samples]:
        total, expected = 0, None
        for frame in self._frames():
            if (frame.sample_rate, frame.layout.nb_channels) != (
                self.container.sample_rate_hz,
                self.container.channels,
            ):
                raise Refusal(
                    "format_changes",
                    f"'{self._source.name}' changes its rate or channel count at "
                    f"{total / self.container.sample_rate_hz:.3f} s",
                    "export the call again as one WAV file",
                )
            expected = self._note_gap(frame, expected)
            samples = self._integers(frame)
            total += len(samples)
            if len(samples):
                yield samples
        if self._bytes.failure is not None:
            raise self._bytes.failure

    def _frames(self) -> Iterator[Any]:
        """Frames in order; a container that breaks off ends them."""
        packets = self._media.demux(self._stream)
        more = True
        while more:
            with signals_held():
                frames, more = self._next_frames(packets)
            yield from frames

    def _next_frames(self, packets: Iterator[Any]) -> tuple[list[Any], bool]:
        """The frames of the next packets, and whether there may be more.

        A packet that does not decode is counted.
        """
        errors = (self._av.FFmpegError, ValueError, EOFError)
        frames: list[Any] = []
        for _ in range(LIMITS.packets_at_once):
            try:
                packet = next(packets, None)
            except errors:
                self.stopped_early = True
                return frames, False
            if packet is None:
                return frames, False
            try:
                frames += packet.decode()
            except errors:
                self._damaged += 1
        return frames, True

    def _note_gap(self, frame: Any, expected: float | None) -> float | None:
        """Compare the frame's own time with where the samples are; return where the next should be."""
        if frame.pts is None or frame.time_base is None:
            return None
        begins = float(frame.pts * frame.time_base)
        if expected is not None and begins - expected >= LIMITS.timestamp_gap_min_ms / 1_000:
            self._gaps.append(begins - expected)
        return begins + float(frame.samples / self.container.sample_rate_hz)

    def _integers(self, frame: Any) -> Samples:
        values: np.ndarray[Any, Any] = frame.to_ndarray()
        channels = self.container.channels
        values = values.T if frame.format.is_planar else values.reshape(-1, channels)
        if values.dtype.kind == "f":
            return self.scaler(values)
        if values.dtype == np.uint8:
            return (values.astype(np.int16) - _U8_ZERO) << 8
        if values.dtype == np.int32:
            return values >> 8
        return values.astype(np.int16)


def _is_readable(stream: Any) -> bool:
    """Whether a decoder is there for the stream (it has a context) and gives samples of a known kind."""
    if stream.codec_context is None or stream.codec_context.format is None:
        return False
    known = stream.codec_context.format.name.removesuffix("p") in _SAMPLE_FORMATS
    return known and bool(stream.rate) and bool(stream.channels)


def _lenient(av: Any) -> dict[str, str]:
    """What makes the decoder put up with tags that are not UTF-8; from 19 on it does so by itself."""
    return {"metadata_errors": "replace"} if int(av.__version__.partition(".")[0]) < _LENIENT_SINCE else {}


def _import_av(name: str) -> Any:
    try:
        import av
    except ImportError as error:
        raise ExtraMissing("media", f"to read '{name}'") from error
    return av
