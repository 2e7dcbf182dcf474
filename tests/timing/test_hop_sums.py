"""Hop sums are exact, and the compiled loop and numpy give the same bits."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hotato.timing import FrameGrid
from hotato.timing.hop_sums import Bench, HopSums
from hotato.timing.kernel import Kernel, compiled, fits

GRIDS = [FrameGrid.from_ms(8000), FrameGrid(1000, 20, 10), FrameGrid(1000, 6, 3), FrameGrid(1000, 7, 7)]
needs_kernel = pytest.mark.skipif(compiled() is None, reason="kernel.c was not compiled: no C compiler")

extremes = st.sampled_from([-32768, -32767, 0, 32767])


def as_lists(sums: HopSums) -> dict[str, list[object]]:
    names = ("squares", "low", "square_tails", "sum_tails", "largest", "clipped")
    return {name: getattr(sums, name).tolist() for name in names}


@st.composite
def blocks(draw: st.DrawFn) -> tuple[FrameGrid, np.ndarray]:
    grid = draw(st.sampled_from(GRIDS))
    shape = (draw(st.integers(0, 9)) * grid.hop_samples, draw(st.integers(1, 5)))
    return grid, draw(hnp.arrays(np.int16, shape, elements=st.integers(-32768, 32767) | extremes))


@needs_kernel
@settings(max_examples=150, deadline=None)
@given(blocks())
def test_the_compiled_loop_gives_the_bits_of_numpy(case: tuple[FrameGrid, np.ndarray]) -> None:
    grid, block = case
    channels = block.shape[1]
    compiled_sums, plain = Kernel(grid, channels).sums(block), Bench(grid, channels, 32768).sums(block)
    assert as_lists(compiled_sums) == as_lists(plain)
    for name in ("squares", "low", "square_tails", "sum_tails", "largest", "clipped"):
        assert getattr(compiled_sums, name).dtype == getattr(plain, name).dtype


@pytest.mark.parametrize("summing", ["numpy", pytest.param("compiled", marks=needs_kernel)])
def test_long_blocks_of_full_scale_are_summed_exactly(summing: str) -> None:
    grid = FrameGrid.from_ms(192_000)
    hops = 60  # more numbers than numpy takes at a time
    block = np.full((hops * grid.hop_samples, 2), -32768, dtype=np.int16)
    block[:, 1] = 32767
    sums = (Kernel(grid, 2) if summing == "compiled" else Bench(grid, 2, 32768)).sums(block)
    hop, part = grid.hop_samples, grid.hop_samples // grid.subblocks_per_hop
    assert sums.squares.tolist() == [[float(hop * 32768**2)] * hops, [float(hop * 32767**2)] * hops]
    assert set(sums.low[0].tolist()) == {-32768 * part}
    assert set(sums.low[1].tolist()) == {32767 * part}
    assert sums.largest.tolist() == [32768, 32767]
    assert sums.clipped.tolist() == [len(block)] * 2


def test_sums_of_hops_of_many_seconds_are_exact_too() -> None:
    grid = FrameGrid(
        192_000, 1 << 19, 1 << 19
    )  # sub-blocks of 2**17 samples, whose sums need more than 32 bits
    assert not fits(grid, 32768)
    sums = Bench(grid, 1, 32768).sums(np.full((grid.hop_samples, 1), -32768, dtype=np.int16))
    assert sums.low.tolist() == [[-32768 * (1 << 17)] * 4]


@needs_kernel
def test_a_view_that_is_not_contiguous_is_summed_as_it_reads() -> None:
    grid = FrameGrid.from_ms(8000)
    wide = np.random.default_rng(3).integers(-900, 900, (grid.hop_samples * 8, 6)).astype(np.int16)
    view = wide[:, ::3]
    assert as_lists(Kernel(grid, 2).sums(view)) == as_lists(Kernel(grid, 2).sums(view.copy()))


@needs_kernel
def test_the_compiled_loop_refuses_what_it_would_read_beyond() -> None:
    kernel = Kernel(FrameGrid.from_ms(8000), 2)
    for shape in ((81, 2), (80, 3), (80,)):
        with pytest.raises(ValueError, match="whole number of hops"):
            kernel.sums(np.zeros(shape, dtype=np.int16))


def test_windows_that_end_inside_a_hop_and_wide_samples_are_left_to_numpy() -> None:
    ragged = FrameGrid.from_ms(22050)  # window 441, hop 220
    assert not fits(ragged, 32768)
    assert not fits(FrameGrid.from_ms(16000), 8388608)
    with pytest.raises(ValueError, match="no compiled loop"):
        Kernel(ragged, 1)


def test_where_a_compiler_is_at_hand_the_loop_compiles_without_a_warning(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    source = Path(__file__).parents[2] / "src/hotato/timing/kernel.c"
    command = [
        compiler,
        "-O3",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-std=c99",
        "-fPIC",
        "-shared",
    ]
    made = subprocess.run(
        [*command, "-o", str(tmp_path / "k.so"), str(source)], capture_output=True, text=True, check=False
    )
    assert (made.returncode, made.stderr) == (0, "")
