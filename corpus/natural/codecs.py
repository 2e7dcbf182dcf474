"""Lossy codecs there and back, with the codec's delay taken out, so that the truth stays where it was.

The delay is not looked up but measured, once per process: a click train goes through the codec and is
correlated with itself. What remains after removing whole samples is below one sample at 16 kHz
(`residual_samples` gives it).
"""

from __future__ import annotations

import io
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from hotato.acoustics import Dice, Ints

OPUS_RATE = 48000
OPUS_BITS_PER_SEC = 16000
MP3_BITS_PER_SEC = 32000
PROBE_SEC = 4
LONGEST_DELAY_SEC = 0.2

Codec = Callable[[Ints, int], Ints]
"""(16-bit samples of one channel, sample rate) to decoded samples, delay and length as they come."""


def opus(signal: Ints, sample_rate: int) -> Ints:
    """One channel through Opus for speech at 16 kbit/s."""
    return _aligned(_opus, signal, sample_rate)


def mp3(signal: Ints, sample_rate: int) -> Ints:
    """One channel through MP3 at 32 kbit/s."""
    return _aligned(_mp3, signal, sample_rate)


def residual_samples(codec: str, sample_rate: int = 16000) -> float:
    """What is left of the delay of "opus" or "mp3", in samples, from the parabola through the correlation."""
    through = {"opus": opus, "mp3": mp3}[codec]
    probe = _probe(sample_rate)
    return _lag(through(probe, sample_rate), probe, sample_rate)[1]


def _through_av(
    signal: Ints, sample_rate: int, codec: str, container: str, bits_per_sec: int, **options: str
) -> Ints:
    import av

    buffer = io.BytesIO()
    with av.open(buffer, "w", format=container) as out:
        stream: Any = out.add_stream(codec, rate=sample_rate, options=options)
        stream.bit_rate = bits_per_sec
        stream.layout = "mono"
        stream.format = "s16p" if codec == "libmp3lame" else "s16"
        pcm = np.clip(signal, -32768, 32767).astype(np.int16)[np.newaxis, :]
        frame = av.AudioFrame.from_ndarray(pcm, format=stream.format.name, layout="mono")
        frame.sample_rate = sample_rate
        frame.time_base = Fraction(1, sample_rate)
        frame.pts = 0
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            out.mux(packet)
    buffer.seek(0)
    with av.open(buffer, "r") as back:
        resampler = av.AudioResampler(format="s16", layout="mono")
        blocks = [b.to_ndarray().ravel() for frame in back.decode(audio=0) for b in resampler.resample(frame)]
    return np.concatenate(blocks).astype(np.int64)


def _opus(signal: Ints, sample_rate: int) -> Ints:
    import soxr

    decoded = _through_av(signal, sample_rate, "libopus", "ogg", OPUS_BITS_PER_SEC, application="voip")
    slower = np.asarray(soxr.resample(decoded.astype(np.float64), OPUS_RATE, sample_rate))
    whole: Ints = np.rint(slower).astype(np.int64)
    return whole


def _mp3(signal: Ints, sample_rate: int) -> Ints:
    return _through_av(signal, sample_rate, "libmp3lame", "mp3", MP3_BITS_PER_SEC)


def _probe(sample_rate: int) -> Ints:
    """Bursts of noise at irregular times: nothing else in it looks like one of them."""
    dice = Dice("codec delay")
    out = np.zeros(PROBE_SEC * sample_rate, np.int64)
    for second in range(PROBE_SEC):
        at = second * sample_rate + dice.between(sample_rate // 8, sample_rate // 2)
        out[at : at + sample_rate // 5] = np.convolve(dice.words(sample_rate // 5), np.ones(8) / 16, "same")
    return out


def _lag(decoded: Ints, source: Ints, sample_rate: int) -> tuple[int, float]:
    """How many samples `decoded` is late: the whole number, and the fraction beside it."""
    size = 1 << (len(decoded) + len(source)).bit_length()
    spectrum = np.fft.rfft(decoded.astype(np.float64), size) * np.conj(
        np.fft.rfft(source.astype(np.float64), size)
    )
    score = np.fft.irfft(spectrum, size)
    longest = round(LONGEST_DELAY_SEC * sample_rate)
    lags = np.concatenate([np.arange(longest), np.arange(-longest, 0)])
    best = int(lags[np.argmax(score[lags])])
    before, here, after = score[best - 1], score[best], score[best + 1]
    return best, float(0.5 * (before - after) / (before - 2 * here + after))


@cache
def _delay(codec: Codec, sample_rate: int) -> int:
    probe = _probe(sample_rate)
    return _lag(codec(probe, sample_rate), probe, sample_rate)[0]


def _aligned(codec: Codec, signal: Ints, sample_rate: int) -> Ints:
    delay = _delay(codec, sample_rate)
    decoded = codec(signal, sample_rate)
    moved = decoded[delay:] if delay >= 0 else np.concatenate([np.zeros(-delay, np.int64), decoded])
    out = np.zeros_like(signal)
    count = min(len(out), len(moved))
    out[:count] = moved[:count]
    return out
