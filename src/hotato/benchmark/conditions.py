"""What the name of a condition says about noise: `white12` is white noise 12 dB below the speech."""

from __future__ import annotations

import re

NOISES = ("uniform", "white", "babble", "street", "hum")
"""Noises whose level a condition's name gives in dB of SNR."""

CLEAN = "clean"
_NOISY = re.compile(rf"({'|'.join(NOISES)})[-_]?(\d+)(?:db)?")


def noise_of(condition: str) -> tuple[str, int] | None:
    """The noise of a condition and its SNR in dB, or None where its name states none."""
    match = _NOISY.fullmatch(condition)
    return None if match is None else (match[1], int(match[2]))


def condition_order(condition: str) -> tuple[int, str, int]:
    """A sorting key: clean first, then by name, noises from little to much."""
    noise = noise_of(condition)
    if noise is not None:
        return 1, noise[0], -noise[1]
    return int(condition != CLEAN), condition, 0
