"""The recording inside a page: kept while it is decoded once, encoded small, refused when it is too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotato.errors import Refusal

if TYPE_CHECKING:
    from hotato.listen import Hearing

LARGEST_EMBEDDED_BYTES = 64 << 20
"""Decoded samples that may be kept for a page: about half an hour of 16 kHz stereo."""


def kept_bytes(embed: bool) -> int:
    """How many bytes of samples `hear` shall keep."""
    return LARGEST_EMBEDDED_BYTES if embed else 0


def embedded_audio(hearing: Hearing) -> bytes:
    """The recording's samples, encoded for a page.

    Raises:
        Refusal: `too_large_to_embed`.
    """
    from hotato.report import wav_bytes

    if hearing.samples is None:
        raise Refusal(
            "too_large_to_embed",
            f"'{hearing.recording.name}' is too long to put into a page",
            "leave --embed-audio out, or cut the recording",
        )
    return wav_bytes(hearing.samples, hearing.grid.sample_rate_hz)
