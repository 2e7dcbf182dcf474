"""The recording that variants are made of, as integers in memory."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from hotato.acoustics import UNIT, Ints, divided
from hotato.errors import Refusal
from hotato.findings import Finding
from hotato.listen import Hearing, Progress, hear, mixed_track
from hotato.timing.spans import iter_runs

LONGEST_SAMPLES = 20 * 60 * 16_000 * 2
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
        findings: facts of the file, such as that it is truncated: every variant of it inherits them.
    """

    name: str
    sha256: str
    sample_rate_hz: int
    channels: tuple[Ints, ...]
    spans: tuple[tuple[SampleSpan, ...], ...]
    findings: tuple[Finding, ...] = ()

    @property
    def frames(self) -> int:
        """Samples per channel."""
        return len(self.channels[0])

    @property
    def doubtful(self) -> bool:
        """Whether the file itself asks for something to be done about it."""
        return any(finding.remedy is not None for finding in self.findings)

    def described(self) -> dict[str, Any]:
        """What a result says about the recording that it was made of."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "findings": msgspec.to_builtins(self.findings),
        }


def read_parent(source: str | os.PathLike[str], progress: Progress | None = None) -> Parent:
    """Decode a recording whole. Samples wider than 16 bits are rounded to 16.

    Raises:
        Refusal: `too_long` beyond `LONGEST_SAMPLES`, and whatever the recording is refused for.
    """
    heard = hear(source, keep_samples_bytes=LONGEST_SAMPLES * _WIDEST_SAMPLE_BYTES, progress=progress)
    recording = heard.recording
    if heard.samples is None or heard.samples.size > LONGEST_SAMPLES:
        longest_sec = LONGEST_SAMPLES // (recording.channels * recording.sample_rate_hz)
        raise Refusal(
            "too_long",
            f"'{recording.name}' lasts {math.ceil(recording.duration_sec)} s, and variants are made of "
            f"at most {longest_sec} s at its rate and channels",
            "cut out the part around the moment in question",
        )
    step = recording.full_scale // UNIT
    samples = heard.samples.astype(np.int64)
    channels = tuple(np.clip(divided(samples[:, n], step), -UNIT, UNIT - 1) for n in range(samples.shape[1]))
    spans = tuple(_spans(heard, n, len(samples)) for n in range(len(channels)))
    return Parent(
        recording.name, recording.file_sha256, recording.sample_rate_hz, channels, spans, recording.findings
    )


def _spans(heard: Hearing, channel: int, end: int) -> tuple[SampleSpan, ...]:
    activity, hop = mixed_track(heard, channel=channel).activity, heard.grid.hop_samples
    found = [(run.first * hop, min(run.stop * hop, end)) for run in iter_runs(activity.trimmed)]
    return tuple((start, stop) for start, stop in found if start < stop)
