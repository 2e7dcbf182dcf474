"""The compiled loop over 16-bit samples, where the installation has one.

`hatch_build.py` compiles `kernel.c` when hotato is installed and a C compiler is at hand. Its sums equal
those of `hop_sums` to the last bit, so that nothing but time depends on which of them ran.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hotato.timing.grid import FrameGrid
from hotato.timing.hop_sums import HopSums, Samples, clipped_of, kept_in_32_bits, largest_of

LIBRARY = Path(__file__).with_name("_kernel.so")
_FULL_SCALE = 32768


@cache
def compiled() -> Any | None:
    """The compiled function, None where there is none that this version could use."""
    try:
        function = ctypes.CDLL(str(LIBRARY)).hotato_hop_sums_1
    except (OSError, AttributeError):  # not compiled, for another machine, or by another version
        return None
    function.restype = None
    function.argtypes = [ctypes.c_void_p, *[ctypes.c_size_t] * 4, *[ctypes.c_void_p] * 3]
    return function


class Kernel:
    """Sums blocks of interleaved int16 samples in one walk over them.

    Args:
        grid: the frame grid; see `fits`.
        channels: how many channels a block has.

    Raises:
        ValueError: the frames do not fit it, or nothing is compiled.
    """

    def __init__(self, grid: FrameGrid, channels: int):
        function = compiled()
        if function is None or not _whole(grid):
            raise ValueError("there is no compiled loop for these frames")
        self._function = function
        self._grid = grid
        self._channels = channels
        self._no_tails = np.zeros((channels, 0))

    def sums(self, block: Samples) -> HopSums:
        """Reduce a whole number of hops, shape (hops * hop, channels)."""
        samples = np.ascontiguousarray(block, dtype=np.int16)
        channels, parts = self._channels, self._grid.subblocks_per_hop
        if samples.ndim != 2 or samples.shape[1] != channels or len(samples) % self._grid.hop_samples:
            raise ValueError("a block is a whole number of hops of every channel")
        hops = len(samples) // self._grid.hop_samples
        squares = np.empty((channels, hops))
        low = np.empty((channels, hops * parts), dtype=np.int32)
        extremes = np.zeros((channels, 2), dtype=np.int16)
        part = self._grid.hop_samples // parts
        results = (array.ctypes.data for array in (squares, low, extremes))
        self._function(samples.ctypes.data, channels, hops, parts, part, *results)
        largest = largest_of(extremes[:, 0], extremes[:, 1])
        return HopSums(
            squares=squares,
            low=low,
            square_tails=self._no_tails,
            sum_tails=self._no_tails,
            largest=largest,
            clipped=clipped_of(samples, largest, _FULL_SCALE),
        )


def fits(grid: FrameGrid, full_scale: int) -> bool:
    """Whether the compiled loop can sum these frames of samples of this width."""
    return full_scale == _FULL_SCALE and _whole(grid) and compiled() is not None


def _whole(grid: FrameGrid) -> bool:
    return not grid.window_samples % grid.hop_samples and kept_in_32_bits(grid)
