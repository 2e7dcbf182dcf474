"""Rendered bursts with sample-exact edges: the true edge lies in the interval, and the interval is narrow."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from hotato.timing import (
    Activity,
    Edge,
    EnergyMeter,
    FrameGrid,
    duration,
    energy_vad,
    offset_edge,
    onset_edge,
)

RATES = (8000, 16000, 44100, 48000)


@dataclass(frozen=True)
class Burst:
    """One sound in a few seconds of quiet: its true edges and its measured ones."""

    start_sec: float
    end_sec: float
    onset: Edge
    offset: Edge

    @property
    def held(self) -> tuple[bool, bool]:
        slack = 1e-4  # edges are rounded to a tenth of a millisecond
        return (
            self.onset.lo_sec - slack <= self.start_sec <= self.onset.hi_sec + slack,
            self.offset.lo_sec - slack <= self.end_sec <= self.offset.hi_sec + slack,
        )


def carrier(rng: np.random.Generator, count: int, rate: int) -> np.ndarray:
    """A sound of RMS 1 without pauses: white noise, a tone, or a vowel of harmonics."""
    kind = rng.integers(3)
    t = np.arange(count) / rate
    if kind == 0:
        return rng.standard_normal(count)
    if kind == 1:
        return np.sqrt(2) * np.sin(2 * np.pi * rng.uniform(200, 1500) * t + rng.uniform(0, 2 * np.pi))
    pitch = rng.uniform(90, 250)
    phases = rng.uniform(0, 2 * np.pi, 12)
    tones = sum(np.sin(2 * np.pi * pitch * (n + 1) * t + phases[n]) / (n + 1) for n in range(12))
    return tones / np.sqrt(np.mean(np.square(tones)))


def ramp(rng: np.random.Generator, count: int) -> np.ndarray:
    """A rise from nothing to 1: linear or raised cosine in amplitude."""
    x = np.arange(count) / max(1, count)
    return x if rng.integers(2) else np.sin(np.pi / 2 * x) ** 2


def render(
    rng: np.random.Generator, rate: int, *, floor_dbfs: float | None, snr_db: float, ramp_sec: float
) -> Burst:
    """A burst with random edges, its level `snr_db` above the noise (or random over digital silence)."""
    total = int(2.5 * rate)
    start = int(rng.uniform(0.6, 1.0) * rate)
    end = start + int(rng.uniform(0.25, 1.0) * rate)
    level_dbfs = rng.uniform(-40, -12) if floor_dbfs is None else floor_dbfs + snr_db
    sound = carrier(rng, end - start, rate) * 10 ** (level_dbfs / 20)
    for edge in (sound, sound[::-1]):
        count = int(rng.uniform(0, ramp_sec) * rate)
        edge[:count] *= ramp(rng, count)
    samples = np.zeros(total)
    samples[start:end] = sound
    if floor_dbfs is not None:
        samples += rng.standard_normal(total) * 10 ** (floor_dbfs / 20)
    activity = activity_of(np.clip(np.rint(samples * 32768), -32768, 32767).astype(np.int16), rate)
    runs = activity.trimmed_runs
    longest = max(runs, key=lambda run: run.frames)
    return Burst(
        start / rate, end / rate, onset_edge(activity, longest.first), offset_edge(activity, longest.stop)
    )


def activity_of(samples: np.ndarray, rate: int) -> Activity:
    grid = FrameGrid.from_ms(rate)
    meter = EnergyMeter(grid, 1, 32768)
    meter.feed(samples[:, None])
    return energy_vad(meter.finish()[0].dbfs, grid)


@pytest.mark.parametrize("rate", RATES)
def test_a_steep_edge_over_digital_silence_always_lies_in_an_interval_of_two_hops(rate: int) -> None:
    rng = np.random.default_rng(rate)
    bursts = [render(rng, rate, floor_dbfs=None, snr_db=0, ramp_sec=0.0) for _ in range(40)]
    edges = [edge for burst in bursts for edge in (burst.onset, burst.offset)]
    assert all(burst.held == (True, True) for burst in bursts)
    assert all(edge.lo_sec <= edge.sec <= edge.hi_sec for edge in edges)
    widths = np.array([edge.hi_sec - edge.lo_sec for edge in edges])
    assert np.percentile(widths, 95) <= 0.021
    assert widths.max() <= 0.025  # a window that the sound only just touches


@pytest.mark.parametrize(
    ("floor_dbfs", "snr_db", "ramp_sec", "widest_median_sec"),
    [
        (None, 0.0, 0.08, 0.022),
        (None, 0.0, 0.20, 0.030),
        (-75.0, 50.0, 0.0, 0.022),
        (-75.0, 50.0, 0.08, 0.025),
        (-65.0, 35.0, 0.0, 0.022),
        (-65.0, 35.0, 0.08, 0.032),
        (-55.0, 27.0, 0.0, 0.024),
        (-55.0, 27.0, 0.08, 0.038),
        (-55.0, 27.0, 0.20, 0.055),
    ],
)
def test_edges_in_noise_and_of_swelling_sounds_lie_in_their_intervals(
    floor_dbfs: float | None, snr_db: float, ramp_sec: float, widest_median_sec: float
) -> None:
    rng = np.random.default_rng([int(snr_db), int(ramp_sec * 1000)])
    bursts = [
        render(rng, rate, floor_dbfs=floor_dbfs, snr_db=snr_db, ramp_sec=ramp_sec)
        for rate in RATES
        for _ in range(25)
    ]
    held = np.array([burst.held for burst in bursts])
    assert held.mean() >= 0.97
    widths = [edge.hi_sec - edge.lo_sec for burst in bursts for edge in (burst.onset, burst.offset)]
    assert float(np.median(widths)) <= widest_median_sec


def test_a_sound_that_runs_from_end_to_end_has_its_edges_at_the_ends_of_the_recording() -> None:
    activity = activity_of(np.full(16000, 8000, dtype=np.int16), 16000)
    onset, offset = onset_edge(activity, 0), offset_edge(activity, activity.frames)
    assert (onset.lo_sec, onset.sec) == (0.0, 0.0)
    assert (offset.sec, offset.hi_sec) == (1.0, 1.0)


def test_an_interval_never_reaches_into_the_sound_before() -> None:
    rate, samples = 16000, np.zeros(16000, dtype=np.int16)
    samples[1600:4800] = samples[5600:9600] = 8000  # 50 ms apart, fewer than the hangover bridges
    activity = activity_of(samples, rate)
    second = onset_edge(activity, 34)
    assert activity.raw[34] and not activity.raw[33]
    assert second.lo_sec >= 0.30


def test_a_slow_swell_widens_the_interval_and_a_stated_time_has_none() -> None:
    rng = np.random.default_rng(5)
    steep = render(rng, 16000, floor_dbfs=-65.0, snr_db=30.0, ramp_sec=0.0).onset
    samples = rng.standard_normal(40000) * 10 ** (-65 / 20)
    samples[16000:32000] += (
        np.minimum(np.arange(16000) / 3200, 1) * rng.standard_normal(16000) * 10 ** (-35 / 20)
    )
    activity = activity_of(np.rint(samples * 32768).astype(np.int16), 16000)
    slow = onset_edge(activity, activity.trimmed_runs[0].first)
    assert slow.hi_sec - slow.lo_sec > steep.hi_sec - steep.lo_sec
    assert slow.lo_sec <= 1.0 <= slow.hi_sec
    assert Edge.exact(1.25) == Edge(1.25, 1.25, 1.25)


def test_a_duration_takes_the_extremes_of_both_edges_and_knows_when_a_bound_is_inside() -> None:
    measured = duration(Edge(1.0, 0.99, 1.02), Edge(2.0, 1.98, 2.01), 1.15)
    assert (measured.documented_sec, measured.sec, measured.lo_sec, measured.hi_sec) == (
        1.15,
        1.0,
        0.96,
        1.02,
    )
    assert measured.crosses(1.0) and measured.crosses(0.96) and not measured.crosses(1.03)
    backwards = duration(Edge(2.0, 1.99, 2.01), Edge(1.0, 0.99, 1.01))
    assert (backwards.documented_sec, backwards.sec, backwards.lo_sec, backwards.hi_sec) == (
        None,
        0.0,
        0.0,
        0.0,
    )


def test_an_edge_is_measured_once_and_anew_where_the_activity_changed() -> None:
    grid = FrameGrid.from_ms(8000)
    levels = np.full(100, -80.0)
    levels[40:60] = -20.0
    activity = energy_vad(levels, grid)
    assert onset_edge(activity, 40) is onset_edge(activity, 40)
    assert offset_edge(activity, 60) is offset_edge(activity, 60)
    levels = levels.copy()
    levels[38:40] = -45.0
    swelling = replace(activity, dbfs=levels)
    assert onset_edge(swelling, 40).lo_sec < onset_edge(activity, 40).lo_sec
