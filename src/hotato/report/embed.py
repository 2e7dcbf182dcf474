"""The recording itself, encoded in memory so that a page can carry it."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.errors import Refusal
from hotato.listen import Call, Heard
from hotato.timing import Span

MAX_EMBEDDED_BYTES = 64_000_000
"""Decoded samples beyond this many bytes are not embedded: half an hour of two channels at 16 kHz."""

Samples = NDArray[np.integer[Any]]
_PCM16 = 32768


def wav_bytes(samples: Samples, rate_hz: int, full_scale: int = _PCM16) -> bytes:
    """A PCM16 WAV file of `samples`, shape (frames, channels), where `full_scale` stands for 1.0."""
    return _encoded(samples, rate_hz, full_scale, "WAV")


def flac_bytes(samples: Samples, rate_hz: int, full_scale: int = _PCM16) -> bytes:
    """A 16-bit FLAC file of `samples`: the same sound in about half the bytes; browsers play it."""
    return _encoded(samples, rate_hz, full_scale, "FLAC")


def embeddable(call: Call) -> tuple[bytes, str]:
    """The kept samples of a call as (bytes, media type).

    Raises:
        Refusal: `too_long_to_embed` when the samples were not kept because there are too many.
    """
    recordings = call.recordings if isinstance(call, Heard) else (call.recording,)
    if call.samples is None:
        raise Refusal(
            "too_long_to_embed",
            f"'{call.name}' is too long to be put into the page",
            "leave --embed-audio out, or cut the recording",
        )
    scale = max(recording.full_scale for recording in recordings)
    import soundfile

    rate_hz = call.grid.sample_rate_hz
    try:
        return flac_bytes(call.samples, rate_hz, scale), "audio/flac"
    except soundfile.LibsndfileError:  # FLAC knows few rates above 65535 Hz, and 8 channels
        return wav_bytes(call.samples, rate_hz, scale), "audio/wav"


def clip(call: Heard, window: Span) -> tuple[bytes, str] | None:
    """A stretch of a call's kept samples as (bytes, media type); None where they were not kept."""
    if call.samples is None:
        return None
    rate_hz = call.grid.sample_rate_hz
    first, stop = (round(sec * rate_hz) for sec in (window.start_sec, window.end_sec))
    return embeddable(replace(call, samples=call.samples[first:stop]))


def _encoded(samples: Samples, rate_hz: int, full_scale: int, form: str) -> bytes:
    import soundfile  # loads a C library: only when a page shall carry sound

    pcm = samples if full_scale == _PCM16 else samples // (full_scale // _PCM16)
    buffer = io.BytesIO()
    soundfile.write(buffer, pcm.astype(np.int16), rate_hz, format=form, subtype="PCM_16")
    return buffer.getvalue()
