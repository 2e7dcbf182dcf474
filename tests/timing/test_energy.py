"""Energies are exact: they equal sums of Python integers, whatever the block size, width or frame grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hotato.timing import EnergyMeter, FrameGrid, Levels, to_dbfs

GRIDS = [
    FrameGrid.from_ms(8000),
    FrameGrid.from_ms(22050),  # window 441, hop 220: no whole number of hops
    FrameGrid.from_ms(44100),
    FrameGrid(1000, 7, 3),
    FrameGrid(1000, 5, 5),
    FrameGrid(1000, 3, 1),
]


def measured(
    samples: np.ndarray, grid: FrameGrid, full_scale: int = 32768, block: int = 0
) -> tuple[Levels, ...]:
    meter = EnergyMeter(grid, samples.shape[1], full_scale)
    step = block or max(1, len(samples))
    for start in range(0, len(samples), step):
        meter.feed(samples[start : start + step])
    return meter.finish()


def assert_exact(levels: Levels, lane: list[int], grid: FrameGrid, full_scale: int) -> None:
    """Every figure against integers of unlimited width."""
    hop, window = grid.hop_samples, grid.window_samples
    frames = [lane[start : start + window] for start in range(0, len(lane), hop)]
    assert levels.square_sums.tolist() == [float(sum(x * x for x in frame)) for frame in frames]
    assert levels.sums.tolist() == [float(sum(frame)) for frame in frames]
    assert levels.frame_samples.tolist() == [len(frame) for frame in frames]
    hops = [lane[start : start + hop] for start in range(0, len(lane), hop)]
    assert levels.hop_squares.tolist() == [sum(x * x for x in part) for part in hops]
    assert levels.largest == max(map(abs, lane), default=0)
    padded = lane + [0] * (len(frames) * hop - len(lane))
    part = hop // grid.subblocks_per_hop
    assert levels.low_track.tolist() == [sum(padded[i : i + part]) for i in range(0, len(padded), part)]
    assert levels.clipped_samples == sum(abs(x) >= full_scale - 1 for x in lane)
    assert levels.samples == len(lane)


@pytest.mark.parametrize("full_scale", [32768, 8388608])
@pytest.mark.parametrize("grid", GRIDS, ids=lambda g: f"{g.window_samples}/{g.hop_samples}")
def test_sums_equal_those_of_unlimited_integers(grid: FrameGrid, full_scale: int) -> None:
    rng = np.random.default_rng(full_scale + grid.hop_samples)
    count = 5 * grid.window_samples + grid.hop_samples // 2 + 1
    kind = np.int16 if full_scale == 32768 else np.int32
    samples = rng.integers(-full_scale, full_scale, (count, 3)).astype(kind)
    samples[::7, 1] = -full_scale
    samples[:, 2] = full_scale - 1
    for channel, levels in enumerate(measured(samples, grid, full_scale)):
        assert_exact(levels, samples[:, channel].tolist(), grid, full_scale)


@settings(max_examples=40, deadline=None)
@given(
    samples=hnp.arrays(np.int16, st.tuples(st.integers(0, 300), st.integers(1, 3))),
    grid=st.sampled_from([FrameGrid(1000, 20, 10), FrameGrid(1000, 21, 10), FrameGrid(1000, 29, 12)]),
    block=st.integers(1, 320),
)
def test_blocks_of_any_size_give_the_same_bits(samples: np.ndarray, grid: FrameGrid, block: int) -> None:
    for channel, (whole, pieces) in enumerate(
        zip(measured(samples, grid), measured(samples, grid, block=block), strict=True)
    ):
        for name in ("square_sums", "sums", "hop_squares", "low_track"):
            one, other = getattr(whole, name), getattr(pieces, name)
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()
        assert whole.clipped_samples == pieces.clipped_samples
        assert_exact(pieces, samples[:, channel].tolist(), grid, 32768)


def test_blocks_larger_than_the_buffers_are_measured_in_parts() -> None:
    grid = FrameGrid.from_ms(48000)
    samples = np.random.default_rng(1).integers(-32768, 32768, (48000 * 5, 2)).astype(np.int16)
    for whole, pieces in zip(measured(samples, grid), measured(samples, grid, block=4801), strict=True):
        assert whole.square_sums.tobytes() == pieces.square_sums.tobytes()
        assert whole.low_track.tobytes() == pieces.low_track.tobytes()


def test_the_layout_of_a_block_in_memory_does_not_matter() -> None:
    grid = FrameGrid.from_ms(8000)
    samples = np.random.default_rng(2).integers(-32768, 32768, (8000, 2)).astype(np.int16)
    meter = EnergyMeter(grid, 2, 32768)
    meter.feed(np.asfortranarray(samples)[::1])
    assert meter.finish()[1].square_sums.tobytes() == measured(samples, grid)[1].square_sums.tobytes()


def test_the_last_frame_is_the_mean_over_the_samples_it_has() -> None:
    samples = np.full((8000 + 20, 1), 16384, dtype=np.int16)  # 20 samples into frame 100
    levels = measured(samples, FrameGrid.from_ms(8000))[0]
    assert levels.frames == 101
    assert levels.frame_samples[-3:].tolist() == [160, 100, 20]
    assert levels.rms.tolist() == [0.5] * 101
    np.testing.assert_allclose(levels.dbfs, 20 * np.log10(0.5), atol=1e-12)


def test_silence_stands_at_the_floor_and_full_scale_at_zero() -> None:
    assert to_dbfs(np.array([0.0, 1e-9, 1e-6, 0.1, 1.0])).tolist() == [-120.0, -120.0, -120.0, -20.0, 0.0]
    levels = measured(np.full((800, 1), -32768, dtype=np.int16), FrameGrid.from_ms(8000))[0]
    assert levels.dbfs.tolist() == [0.0] * 10
    assert levels.peak == 1.0
    assert levels.clipped_fraction == 1.0
    assert levels.mean == -1.0


def test_a_recording_without_samples_has_no_frames() -> None:
    levels = measured(np.zeros((0, 1), dtype=np.int16), FrameGrid.from_ms(8000))[0]
    assert (levels.frames, levels.peak, levels.clipped_fraction, levels.mean) == (0, 0.0, 0.0, 0.0)
    assert len(levels.dbfs) == 0
    assert levels.without_dc().frames == 0


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**16),
    offset=st.integers(-9000, 9000),
    grid=st.sampled_from([FrameGrid.from_ms(8000), FrameGrid.from_ms(22050)]),
)
def test_removing_dc_from_the_sums_equals_removing_it_from_the_samples(
    seed: int, offset: int, grid: FrameGrid
) -> None:
    rng = np.random.default_rng(seed)
    samples = (rng.standard_normal((grid.sample_rate_hz // 2 + 37, 1)) * 500 + offset).astype(np.int16)
    levels = measured(samples, grid)[0]
    exact = samples[:, 0].astype(np.float64) - samples.mean(dtype=np.float64)
    starts = range(0, len(exact), grid.hop_samples)
    rms = [np.sqrt(np.mean(np.square(exact[i : i + grid.window_samples]))) / 32768 for i in starts]
    np.testing.assert_allclose(levels.without_dc().rms, rms, rtol=1e-9)
    assert levels.mean == pytest.approx(samples.mean(dtype=np.float64) / 32768, rel=1e-12)


def test_dc_alone_is_silence_once_it_is_removed() -> None:
    levels = measured(np.full((8000, 1), 655, dtype=np.int16), FrameGrid.from_ms(8000))[0]
    assert levels.dbfs.min() > -35
    assert levels.without_dc().dbfs.max() == -120.0


@pytest.mark.parametrize(
    ("rate", "window", "hop"),
    [
        (8000, 160, 80),
        (11025, 220, 110),
        (16000, 320, 160),
        (22050, 441, 220),
        (44100, 882, 441),
        (48000, 960, 480),
    ],
)
def test_a_grid_has_the_nearest_whole_samples(rate: int, window: int, hop: int) -> None:
    grid = FrameGrid.from_ms(rate)
    assert (grid.window_samples, grid.hop_samples) == (window, hop)
    assert grid.hop_sec == hop / rate
    assert grid.hop_samples % grid.subblocks_per_hop == 0
    assert rate / grid.hop_samples * grid.subblocks_per_hop >= 400


@pytest.mark.parametrize(("frame_ms", "hop_ms"), [(20.0, 0.01), (5.0, 10.0)])
def test_a_grid_that_cannot_be_is_refused(frame_ms: float, hop_ms: float) -> None:
    with pytest.raises(ValueError, match="at least one"):
        FrameGrid.from_ms(8000, frame_ms=frame_ms, hop_ms=hop_ms)
