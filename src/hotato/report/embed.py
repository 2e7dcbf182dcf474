"""The recording itself, encoded in memory so that a page can carry it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.errors import Refusal
from hotato.listen import Call, Heard
from hotato.listen.clip import encode_flac, encode_wav, lossless
from hotato.timing import Span

MAX_EMBEDDED_BYTES = 64_000_000
"""Decoded samples beyond this many bytes are not embedded: half an hour of two channels at 16 kHz."""

Samples = NDArray[np.integer[Any]]
_PCM16 = 32768


def wav_bytes(samples: Samples, rate_hz: int, full_scale: int = _PCM16) -> bytes:
    """A PCM16 WAV file of `samples`, shape (frames, channels), where `full_scale` stands for 1.0."""
    return encode_wav(_pcm16(samples, full_scale), rate_hz, _PCM16)


def flac_bytes(samples: Samples, rate_hz: int, full_scale: int = _PCM16) -> bytes:
    """A 16-bit FLAC file of `samples`: the same sound in about half the bytes; browsers play it."""
    return encode_flac(_pcm16(samples, full_scale), rate_hz, _PCM16)


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
    data, kind = lossless(_pcm16(call.samples, scale), call.grid.sample_rate_hz, _PCM16)
    return data, f"audio/{kind}"


def clip(call: Heard, window: Span) -> tuple[bytes, str] | None:
    """A stretch of a call's kept samples as (bytes, media type); None where they were not kept."""
    if call.samples is None:
        return None
    rate_hz = call.grid.sample_rate_hz
    first, stop = (round(sec * rate_hz) for sec in (window.start_sec, window.end_sec))
    return embeddable(replace(call, samples=call.samples[first:stop]))


def _pcm16(samples: Samples, full_scale: int) -> Samples:
    """The samples at 16 bits, which every browser plays."""
    return (
        samples if full_scale == _PCM16 else np.clip(samples // (full_scale // _PCM16), -_PCM16, _PCM16 - 1)
    )
