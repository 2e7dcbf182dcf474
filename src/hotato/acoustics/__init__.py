"""Sound made on purpose: test calls whose every boundary is known to the sample.

`render` turns one scenario into samples; `speech_like` and `noise_floor` are its parts, for tests that need a
stranger call than a scenario can describe; `recording` and `stimulus` are a whole call and its caller alone
as files, and `wav_bytes` packs any samples into a canonical WAV file. The same scenario gives the same bytes
on every machine (`hotato.acoustics.dice` says why).

What spoils a call is in modules of their own, to be imported by name: `noise` (beds and their level against
speech), `line` (gain, clipping, echo, drift, half the rate), `g711` (both laws), `packets` (loss and
concealment).
"""

from hotato.acoustics.dice import UNIT, Dice, Ints, divided, factor, index, moving_sum
from hotato.acoustics.scenarios import (
    Samples,
    echo_of,
    recording,
    render,
    scenarios_in,
    stimulus,
    wav_bytes,
)
from hotato.acoustics.speechlike import SHAPE, Shape, band_noise, noise_floor, speech_like, syllables

__all__ = [
    "SHAPE",
    "UNIT",
    "Dice",
    "Ints",
    "Samples",
    "Shape",
    "band_noise",
    "divided",
    "echo_of",
    "factor",
    "index",
    "moving_sum",
    "noise_floor",
    "recording",
    "render",
    "scenarios_in",
    "speech_like",
    "stimulus",
    "syllables",
    "wav_bytes",
]
