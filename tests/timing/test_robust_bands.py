"""Band levels: the same whole numbers in any order, on any rate, from blocks of any size."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.timing import FrameGrid
from hotato.timing.robust import BandMeter, Bands
from hotato.timing.robust.bands import _Basis
from hotato.timing.robust.params import BandParams

RATES = (8000, 16000, 22050, 44100, 48000)
EDGES = BandParams().edges_hz


def measured(samples: np.ndarray, rate: int, *, full_scale: int = 32768, block: int | None = None) -> Bands:
    grid = FrameGrid.from_ms(rate)
    meter = BandMeter(grid, (0,), full_scale, -(-len(samples) // grid.hop_samples))
    step = block or len(samples)
    for start in range(0, len(samples), step):
        meter.feed(samples[start : start + step, None])
    return meter.finish()[0]


def tone(hertz: float, rate: int, amplitude: float, seconds: float = 1.0) -> np.ndarray:
    time = np.arange(round(seconds * rate)) / rate
    return np.rint(amplitude * 32767 * np.sin(2 * np.pi * hertz * time)).astype(np.int16)


def exact_energies(samples: list[int], grid: FrameGrid, full_scale: int = 32768) -> list[list[int]]:
    """Band energies of every frame in Python integers, which are exact whatever their size."""
    basis = _Basis(grid, full_scale, BandParams())
    hop, size = grid.hop_samples, 2 * grid.hop_samples
    columns = basis.half.shape[1] // 2
    first = next(k for k in range(size) if k * grid.sample_rate_hz >= EDGES[0] * size) - 1
    unit = 1 << BandParams().basis_bits
    frames = -(-len(samples) // hop)
    padded = samples + [0] * ((frames + 1) * hop - len(samples))
    found = []
    for frame in range(frames):
        row = padded[frame * hop : frame * hop + size]
        parts = []
        for wave in (math.cos, math.sin):
            bins = []
            for column in range(columns):
                angle = [2.0 * math.pi / size * (n * (first + column)) for n in range(hop)]
                whole = [round(unit * wave(a)) for a in angle]
                sign = -1 if (first + column) % 2 else 1
                halves = sum(x * b for x, b in zip(row[:hop], whole, strict=True)) + sign * sum(
                    x * b for x, b in zip(row[hop:], whole, strict=True)
                )
                bins.append(halves)
            parts.append([2 * b - a - c for a, b, c in zip(bins, bins[1:], bins[2:], strict=False)])
        shrink = 2.0 ** (BandParams().spectrum_bits - math.ceil(math.log2(full_scale * size * unit)))
        small = [[round(value * shrink) for value in part] for part in parts]
        powers = [re * re + im * im for re, im in zip(*small, strict=True)]
        stops = [*basis._starts[1:], len(powers)]
        found.append([sum(powers[a:b]) for a, b in zip(basis._starts, stops, strict=True)])
    return found


@pytest.mark.parametrize("rate", [8000, 11025])
def test_band_energies_are_those_of_integer_arithmetic(rate):
    grid = FrameGrid.from_ms(rate)
    samples = np.random.default_rng(rate).integers(-32768, 32768, 5 * grid.hop_samples + 17).astype(np.int16)
    wanted = np.array(exact_energies(samples.tolist(), grid))
    bands = measured(samples, rate)
    basis = _Basis(grid, 32768, BandParams())
    levels = 10.0 * np.log10(np.maximum(wanted, 0.5)) + basis._offset_db
    assert np.array_equal(bands.levels, np.maximum(np.rint(100.0 * levels), -12000).T)


@pytest.mark.parametrize("rate", RATES)
def test_no_sum_leaves_the_range_in_which_floats_count_exactly(rate):
    for full_scale in (32768, 8388608):
        grid = FrameGrid.from_ms(rate)
        basis = _Basis(grid, full_scale, BandParams())
        largest = full_scale * np.abs(basis.half).sum(axis=0).max()
        assert 2 * 4 * largest < 2**53  # two hops, and 2 X[m] - X[m - 1] - X[m + 1]
        # Parseval: all bins of a frame hold at most size times the sum of the squared samples, 16 windowed.
        size = 2 * grid.hop_samples
        peak = full_scale * size * 2.0 ** BandParams().basis_bits * basis._shrink
        assert 6.0 * peak**2 < 2**53


@pytest.mark.parametrize("rate", RATES)
def test_a_sine_stands_in_its_band_at_its_level(rate):
    bands = measured(tone(1000.0, rate, 0.5), rate)
    inside = bands.levels[5, 2:-3]
    assert np.all(np.abs(bands.total[2:-3] + 903) <= 2)  # 20 log10(0.5) - 10 log10(2)
    assert np.all(np.abs(inside + 903) <= 120)  # a neighbouring band takes part of the main lobe
    assert bands.levels[[0, 1, 2, 9, 10], 2:-3].max() < -8000


@pytest.mark.parametrize("rate", RATES)
def test_a_constant_and_what_no_telephone_carries_are_not_there(rate):
    # The window takes a constant out but for the rounding of the basis: 2**-17 of it, over 66 bins.
    assert measured(np.full(rate, 20000, np.int16), rate).total[:-2].max() <= -9000
    low = measured(tone(50.0, rate, 0.9), rate).total[2:-3]
    assert low.max() <= -4000
    if rate >= 16000:
        assert measured(tone(6000.0, rate, 0.9), rate).total[2:-3].max() <= -8000


def test_digital_silence_is_the_lowest_level():
    bands = measured(np.zeros(8000, np.int16), 8000)
    assert bands.frames == 100
    assert np.all(bands.levels == -12000) and np.all(bands.total == -12000)


@settings(max_examples=20, deadline=None)
@given(block=st.integers(1, 3000), length=st.integers(1, 6000), seed=st.integers(0, 99))
def test_the_block_size_changes_nothing(block, length, seed):
    samples = np.random.default_rng(seed).integers(-32768, 32768, length).astype(np.int16)
    whole, cut = measured(samples, 8000), measured(samples, 8000, block=block)
    assert np.array_equal(whole.levels, cut.levels) and np.array_equal(whole.total, cut.total)
    assert whole.frames == -(-length // 80)


def test_twice_the_samples_are_six_decibels_and_wider_samples_the_same_levels():
    samples = np.random.default_rng(3).integers(-8000, 8000, 16000).astype(np.int16)
    once, twice = measured(samples, 16000), measured((2 * samples).astype(np.int16), 16000)
    assert np.abs(twice.levels - once.levels - 602).max() <= 2
    wide = measured(samples.astype(np.int32) * 256, 16000, full_scale=8388608)
    assert np.abs(wide.levels - once.levels).max() <= 1


def test_no_samples_have_no_frames():
    (bands,) = BandMeter(FrameGrid.from_ms(8000), (0,), 32768, 0).finish()
    assert bands.frames == 0 and bands.levels.shape == (11, 0)
