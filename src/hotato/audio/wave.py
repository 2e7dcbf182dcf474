"""Decoding of raw encodings (the RIFF family, AU), straight from the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hotato.audio.limits import LIMITS
from hotato.audio.pcm import FloatScaler, Samples, converter, full_scale_of
from hotato.audio.records import Container
from hotato.audio.source import Source
from hotato.audio.wave_format import RawLayout
from hotato.findings import Finding


class WaveDecoder:
    """Reads the sample bytes in order, every byte once.

    Attributes:
        tapped: the offsets of the file whose bytes pass through `chunks` and its tap.
    """

    stopped_early = False

    def __init__(self, source: Source, layout: RawLayout):
        form = layout.format
        assert form.encoding is not None
        self._source = source
        self._frame_bytes = form.frame_bytes
        self.full_scale = full_scale_of(form.encoding)
        self.scaler = FloatScaler(self.full_scale)
        self._convert = converter(form.encoding, layout.big_endian, self.scaler)
        self.tapped: range | None = range(layout.data_start, layout.data_start + layout.data_bytes)
        self.container = Container(
            container=layout.container,
            encoding=form.encoding,
            sample_rate_hz=form.sample_rate_hz,
            channels=form.channels,
            declared_frames=None
            if layout.declared_bytes is None
            else layout.declared_bytes // form.frame_bytes,
            findings=layout.findings,
        )

    def chunks(self, frames: int, tap: Callable[[bytes], None] | None) -> Iterator[Samples]:
        """Samples of shape (n, channels), every array `frames` long except the last."""
        assert self.tapped is not None
        step = frames * self._frame_bytes
        for start in range(self.tapped.start, self.tapped.stop, step):
            raw = self._source.read_at(start, min(step, self.tapped.stop - start))
            if tap is not None:
                tap(raw)
            yield self._convert(raw).reshape(-1, self.container.channels)

    def frames_per_read(self) -> int:
        """How many frames make a read of the usual size."""
        return max(1, LIMITS.read_bytes // self._frame_bytes)

    def findings(self) -> list[Finding]:
        """What the samples showed, after the last chunk."""
        return self.scaler.findings()

    def close(self) -> None:
        """Nothing of its own to release."""
