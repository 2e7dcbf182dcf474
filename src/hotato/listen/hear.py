"""The one pass over a file: decode it, and measure every channel of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hotato.audio import Digests, open_recording
from hotato.errors import UsageError
from hotato.listen.records import Hearing, Samples
from hotato.timing import EnergyMeter, FrameGrid, ScoreConfig

if TYPE_CHECKING:
    from hotato.speech import SpeechMeter

Progress = Callable[[float], None]

_BLOCK_SEC = 4.0


def hear(
    source: str | os.PathLike[str],
    cfg: ScoreConfig | None = None,
    *,
    start_sec: float = 0.0,
    backend: str = "energy",
    keep_samples_bytes: int = 0,
    digests: Digests = "all",
    progress: Progress | None = None,
) -> Hearing:
    """Decode `source` once and measure every channel of it.

    Args:
        source: path of a recording, or "-" for standard input.
        cfg: parameters; only the framing matters here.
        start_sec: when the file begins on the call's clock; silence is put in front of it.
        backend: `energy`, or `neural` to have the learned detector listen along.
        keep_samples_bytes: keep the decoded samples when they take at most this many bytes.
        digests: which sha256 to compute, see `audio.open_recording`. Two single-channel files are known to be
            the same by that of their samples.
        progress: called with the seconds decoded so far.

    Raises:
        Refusal: whatever the audio room refuses, or the `neural` extra is missing.
    """
    cfg = cfg or ScoreConfig()
    with open_recording(source, digests=digests) as reader:
        rate, channels = reader.container.sample_rate_hz, reader.container.channels
        grid = FrameGrid.from_ms(rate, frame_ms=cfg.frame_ms, hop_ms=cfg.hop_ms)
        meter = EnergyMeter(grid, channels, reader.full_scale)
        twins = _Twins(channels)
        kept = _Kept(keep_samples_bytes)
        consumers: list[_Consumer] = [meter, twins, kept]
        speech = _speech_meter(rate, channels, reader.full_scale) if backend == "neural" else None
        if speech is not None:
            consumers.append(speech)
        decoded = 0
        for block in from_start(reader.blocks(block_frames(rate)), start_sec, rate):
            for consumer in consumers:
                consumer.feed(block)
            decoded += len(block)
            if progress is not None:
                progress(decoded / rate)
        return Hearing(
            recording=reader.recording(),
            replay=reader.keep(),
            grid=grid,
            levels=meter.finish(),
            identical=twins.pairs(),
            start_sec=start_sec,
            speech=None if speech is None else speech.finish(),
            samples=kept.samples(),
        )


def block_frames(rate: int) -> int:
    """How many samples of a channel are looked at at a time."""
    return max(1, round(_BLOCK_SEC * rate))


def from_start(blocks: Iterator[Samples], start_sec: float, rate: int) -> Iterator[Samples]:
    """The blocks with the silence before the file's start on the call's clock in front."""
    missing = round(start_sec * rate)
    if missing < 0:
        raise UsageError(f"a recording cannot start at {start_sec} s", "give a start of 0 or more seconds")
    step = block_frames(rate)
    for block in blocks:
        while missing:
            now = min(missing, step)
            yield np.zeros((now, block.shape[1]), dtype=block.dtype)
            missing -= now
        yield block


def _speech_meter(rate: int, channels: int, full_scale: int) -> SpeechMeter:
    from hotato.speech import SpeechMeter  # a model behind an extra: only on demand

    return SpeechMeter(rate, channels, full_scale)


class _Consumer(Protocol):
    def feed(self, block: Samples) -> None: ...


class _Twins:
    """Finds channels that carry exactly the same samples, at the cost of a comparison until they differ.

    Channels that have been equal so far form a group; every block splits the groups further.
    """

    def __init__(self, channels: int):
        self._groups = [list(range(channels))] if channels > 1 else []

    def feed(self, block: Samples) -> None:
        self._groups = [part for group in self._groups for part in _equal(block, group) if len(part) > 1]

    def pairs(self) -> frozenset[tuple[int, int]]:
        return frozenset(pair for group in self._groups for pair in combinations(group, 2))


def _equal(block: Samples, group: list[int]) -> list[list[int]]:
    """The group, split into channels that are equal in this block."""
    parts: list[list[int]] = []
    for channel in group:
        twin = next((part for part in parts if np.array_equal(block[:, part[0]], block[:, channel])), None)
        if twin is None:
            parts.append([channel])
        else:
            twin.append(channel)
    return parts


class _Kept:
    """Keeps the samples of a recording that is small enough."""

    def __init__(self, limit_bytes: int):
        self._left = limit_bytes
        self._blocks: list[Samples] = []

    def feed(self, block: Samples) -> None:
        self._left -= block.nbytes
        if self._left < 0:
            self._blocks = []
        else:
            self._blocks.append(block.copy())

    def samples(self) -> Samples | None:
        return np.concatenate(self._blocks) if self._blocks and self._left >= 0 else None
