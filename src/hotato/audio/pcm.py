"""Raw sample bytes to integers at a fixed scale, with numpy.

Sources of at most 16 bits become int16 (full scale 32768), wider ones int32 at 24-bit scale (full scale
8388608): 24-bit integers are exact, 32-bit integers lose their lowest eight bits (arithmetic shift, towards
minus infinity), floats are rounded half to even. The ratio of sample to full scale is the same for the same
sound written as 16-bit, 24-bit or float.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotato.audio import facts
from hotato.audio.limits import LIMITS
from hotato.errors import Refusal
from hotato.findings import Finding

NARROW_FULL_SCALE = 1 << 15
WIDE_FULL_SCALE = 1 << 23

Samples = NDArray[np.int16] | NDArray[np.int32]
_INT16 = np.iinfo(np.int16)


class FloatScaler:
    """Floats to integers, counting what does not fit.

    Args:
        full_scale: the integer that 1.0 becomes: 32768 (clipped to int16) or 8388608 (clipped at
            `AudioLimits.float_clip_full_scale`).
    """

    def __init__(self, full_scale: int):
        self.full_scale = full_scale
        self._narrow = full_scale == NARROW_FULL_SCALE
        self._clip = 1.0 if self._narrow else LIMITS.float_clip_full_scale
        self._over = 0
        self._largest = 0.0
        self._nan = 0
        self._infinite = 0

    @property
    def non_finite(self) -> int:
        """How many NaN and infinite samples there were so far."""
        return self._nan + self._infinite

    def __call__(self, values: NDArray[np.floating[Any]]) -> Samples:
        """The samples as integers of the same shape; a sample that is not finite becomes 0."""
        peak = float(np.abs(values).max(initial=0.0))
        if not np.isfinite(peak):
            values = self._only_finite(values)
            peak = float(np.abs(values).max(initial=0.0))
        if peak > 1.0:
            self._over += int(np.count_nonzero(np.abs(values) > 1.0))
            self._largest = max(self._largest, peak)
            values = np.clip(values, -self._clip, self._clip)
        # A power of two: exact in float32 and float64, so that rint sees the true value.
        scaled = np.rint(values * values.dtype.type(self.full_scale))
        if self._narrow:
            return np.clip(scaled, _INT16.min, _INT16.max).astype(np.int16)
        return scaled.astype(np.int32)

    def findings(self) -> list[Finding]:
        """`over_full_scale` when samples beyond 1.0 were seen."""
        return [facts.over_full_scale(self._over, self._largest, self._clip)] if self._over else []

    def refuse_non_finite(self, name: str) -> None:
        """Raise `non_finite_samples` when NaN or infinite samples were seen."""
        if self.non_finite:
            raise Refusal(
                "non_finite_samples",
                f"'{name}' holds {self._nan} NaN and {self._infinite} infinite samples",
                "export the recording again as 16-bit PCM WAV",
            )

    def _only_finite(self, values: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        self._nan += int(np.count_nonzero(np.isnan(values)))
        self._infinite += int(np.count_nonzero(np.isinf(values)))
        finite: NDArray[np.floating[Any]] = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
        return finite


def full_scale_of(encoding: str) -> int:
    """Full scale of a raw encoding."""
    return NARROW_FULL_SCALE if encoding in ("pcm_u8", "pcm_s16", "mulaw", "alaw") else WIDE_FULL_SCALE


def converter(encoding: str, big_endian: bool, scaler: FloatScaler) -> Callable[[bytes], Samples]:
    """The function from sample bytes to a flat integer array, for one of the raw encodings.

    Little-endian 16-bit bytes become a view of the buffer, nothing is copied.
    """
    order = ">" if big_endian else "<"
    if encoding in ("pcm_f32", "pcm_f64"):
        stored = np.dtype(f"{order}f{4 if encoding == 'pcm_f32' else 8}")
        return lambda raw: scaler(np.frombuffer(raw, stored).astype(stored.newbyteorder("="), copy=False))
    if encoding in ("mulaw", "alaw"):
        table = _mulaw_table() if encoding == "mulaw" else _alaw_table()
        return lambda raw: table[np.frombuffer(raw, np.uint8)]
    if encoding == "pcm_s16":
        return lambda raw: np.frombuffer(raw, f"{order}i2").astype(np.int16, copy=False)
    if encoding == "pcm_s24":
        return lambda raw: _from_24_bits(raw, big_endian)
    if encoding == "pcm_s32":
        return lambda raw: np.frombuffer(raw, f"{order}i4").astype(np.int32) >> 8
    return lambda raw: (np.frombuffer(raw, np.uint8).astype(np.int16) - 128) << 8


def _from_24_bits(raw: bytes, big_endian: bool) -> NDArray[np.int32]:
    # Three bytes on top of an empty lowest one; the shift brings the sign down.
    stored = np.frombuffer(raw, np.uint8).reshape(-1, 3)
    wide = np.zeros((len(stored), 4), np.uint8)
    if big_endian:
        wide[:, :3] = stored
    else:
        wide[:, 1:] = stored
    shifted: NDArray[np.int32] = wide.view(">i4" if big_endian else "<i4").ravel().astype(np.int32) >> 8
    return shifted


def _mulaw_table() -> NDArray[np.int16]:
    """ITU-T G.711 mu-law: 14-bit values on the 16-bit scale."""
    code = ~np.arange(256, dtype=np.int32) & 0xFF
    magnitude = (((code & 0x0F) << 3) + 0x84 << ((code >> 4) & 7)) - 0x84
    return np.where(code & 0x80, -magnitude, magnitude).astype(np.int16)


def _alaw_table() -> NDArray[np.int16]:
    """ITU-T G.711 A-law: 13-bit values on the 16-bit scale."""
    code = np.arange(256, dtype=np.int32) ^ 0x55
    exponent, mantissa = (code >> 4) & 7, (code & 0x0F) << 4
    magnitude = np.where(exponent == 0, mantissa + 8, mantissa + 0x108 << np.maximum(exponent - 1, 0))
    return np.where(code & 0x80, magnitude, -magnitude).astype(np.int16)
