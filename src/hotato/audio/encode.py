"""Samples to bytes: FLAC where it can hold them, else WAV; always the same bytes for the same samples."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.audio.pcm import NARROW_FULL_SCALE, WIDE_FULL_SCALE

Ints = NDArray[np.integer[Any]]

FLAC, WAV = "flac", "wav"
_BEST = 1.0
"""The compression level of libsndfile that gives the smallest file."""

_WIDE_BITS = 8
"""How far a sample at 24-bit scale is shifted up in a 32-bit file."""

_PCM, _FLOAT = 1, 3


def lossless(samples: Ints, rate_hz: int, full_scale: int) -> tuple[bytes, str]:
    """The samples encoded so that decoding gives them back, each of them.

    Args:
        samples: shape (frames, channels), as the audio room decodes them.
        rate_hz: samples per second and channel.
        full_scale: the integer that stands for 1.0: 32768 or 8388608.

    Returns:
        The bytes and what they are: `flac`, or `wav` where FLAC does not know the rate, has too few channels,
        or where a sample goes beyond full scale (which only a file of floats can hold).
    """
    import soundfile  # loads a C library: only where something is written

    if fits(samples, full_scale):
        try:
            return flac_bytes(samples, rate_hz, full_scale), FLAC
        except soundfile.LibsndfileError:  # few rates above 65535 Hz, 8 channels
            pass
    return wav_bytes(samples, rate_hz, full_scale), WAV


def fits(samples: Ints, full_scale: int) -> bool:
    """Whether every sample lies within full scale."""
    return int(samples.max(initial=0)) < full_scale and int(samples.min(initial=0)) >= -full_scale


def flac_bytes(samples: Ints, rate_hz: int, full_scale: int = NARROW_FULL_SCALE) -> bytes:
    """A FLAC file of samples within full scale: 16 bits at full scale 32768, else 24.

    Raises:
        soundfile.LibsndfileError: a rate or a number of channels that FLAC does not know.
    """
    import soundfile

    narrow = full_scale == NARROW_FULL_SCALE
    shown = samples.astype(np.int16) if narrow else samples.astype(np.int32) << _WIDE_BITS
    buffer = io.BytesIO()
    soundfile.write(
        buffer,
        shown,
        rate_hz,
        format="FLAC",
        subtype="PCM_16" if narrow else "PCM_24",
        compression_level=_BEST,
    )
    return buffer.getvalue()


def wav_bytes(samples: Ints, rate_hz: int, full_scale: int = NARROW_FULL_SCALE) -> bytes:
    """A WAV file of the samples: 16 bits at full scale 32768, else 32; 64-bit floats where one goes beyond.

    The header is written here: a library's would state the time at which it was made.
    """
    if full_scale == NARROW_FULL_SCALE:
        tag, data = _PCM, samples.astype("<i2")
    elif fits(samples, full_scale):
        tag, data = _PCM, (samples.astype(np.int32) << _WIDE_BITS).astype("<i4")
    else:
        tag, data = _FLOAT, samples.astype("<f8") / WIDE_FULL_SCALE
    width, channels = data.dtype.itemsize, samples.shape[1]
    body = np.ascontiguousarray(data).tobytes()
    form = struct.pack(
        "<HHIIHH", tag, channels, rate_hz, rate_hz * channels * width, channels * width, 8 * width
    )
    inside = b"WAVE" + _chunk(b"fmt ", form) + _chunk(b"data", body)
    return _chunk(b"RIFF", inside)


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)
