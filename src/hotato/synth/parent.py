"""The recording that variants are made of, as integers in memory."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from hotato.acoustics import UNIT, Ints, divided
from hotato.errors import Refusal
from hotato.listen import Hearing, Progress, hear, mixed_track
from hotato.timing.spans import iter_runs

LONGEST_SAMPLES = 40_000_000
"""Samples of all channels together: 20 minutes of stereo at 16 kHz. Every variant is held in memory whole."""

_WIDEST_SAMPLE_BYTES = 4

SampleSpan = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Parent:
    """A decoded recording at 16-bit scale.

    Attributes:
        name: base name of the file.
        sha256: of the file's bytes (hex).
        sample_rate_hz: in hertz.
        channels: one integer array per channel, all of one length; full scale is `UNIT`.
        spans: where each channel was heard to sound, as half-open sample spans without hangover.
    """

    name: str
    sha256: str
    sample_rate_hz: int
    channels: tuple[Ints, ...]
    spans: tuple[tuple[SampleSpan, ...], ...]

    @property
    def frames(self) -> int:
        """Samples per channel."""
        return len(self.channels[0])


def read_parent(source: str | os.PathLike[str], progress: Progress | None = None) -> Parent:
    """Decode a recording whole. Samples wider than 16 bits are rounded to 16.

    Raises:
        Refusal: `too_long` beyond `LONGEST_SAMPLES`, and whatever the recording is refused for.
    """
    heard = hear(source, keep_samples_bytes=LONGEST_SAMPLES * _WIDEST_SAMPLE_BYTES, progress=progress)
    recording = heard.recording
    if heard.samples is None or heard.samples.size > LONGEST_SAMPLES:
        minutes = LONGEST_SAMPLES / recording.channels / recording.sample_rate_hz / 60.0
        raise Refusal(
            "too_long",
            f"'{recording.name}' lasts {recording.duration_sec / 60.0:.1f} minutes, and variants are made of "
            f"at most {minutes:.0f} at its rate and channels",
            "cut out the part around the moment in question",
        )
    step = recording.full_scale // UNIT
    samples = heard.samples.astype(np.int64)
    channels = tuple(np.clip(divided(samples[:, n], step), -UNIT, UNIT - 1) for n in range(samples.shape[1]))
    spans = tuple(_spans(heard, n, len(samples)) for n in range(len(channels)))
    return Parent(recording.name, recording.file_sha256, recording.sample_rate_hz, channels, spans)


def _spans(heard: Hearing, channel: int, end: int) -> tuple[SampleSpan, ...]:
    activity, hop = mixed_track(heard, channel=channel).activity, heard.grid.hop_samples
    found = [(run.first * hop, min(run.stop * hop, end)) for run in iter_runs(activity.trimmed)]
    return tuple((start, stop) for start, stop in found if start < stop)
