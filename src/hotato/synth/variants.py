"""Acoustic variants of a recording: each one step away from it, each with the recipe that made it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hotato._version import __version__
from hotato.acoustics import Dice, Ints, Samples, index, line, noise, wav_bytes
from hotato.synth.parent import Parent


@dataclass(frozen=True)
class Recipe:
    """What the variants change, and by how much.

    Attributes:
        gain_db: level of the quieter variant against the parent.
        clip_gain_db: how far the clipped variant is driven over full scale.
        noise_snr_db: white noise on every channel, against what sounds on it.
        leak_db: level of every other channel on each.
        leak_ms: shortest and longest delay of that.
        silence_sec: length of the stretch that is silenced.
        onset_ms: shortest and longest silence put in front.
    """

    gain_db: float = -20.0
    clip_gain_db: float = 18.0
    noise_snr_db: float = 15.0
    leak_db: float = -25.0
    leak_ms: tuple[int, int] = (20, 120)
    silence_sec: float = 0.5
    onset_ms: tuple[int, int] = (100, 500)


RECIPE = Recipe()


@dataclass(frozen=True, eq=False)
class Variant:
    """One rendered variant.

    Attributes:
        name: of the step.
        samples: int16 of shape (frames, channels).
        sample_rate_hz: in hertz.
        recipe: what was done, with every number that was drawn.
        time_shift_sec: how much later a moment of the parent stands in it: what a label has to be moved by.
    """

    name: str
    samples: Samples
    sample_rate_hz: int
    recipe: dict[str, Any]
    time_shift_sec: float = 0.0

    def wav(self) -> bytes:
        """The variant as a WAV file."""
        return wav_bytes(self.samples, self.sample_rate_hz)

    def sheet(self, parent: Parent, seed: int, file_name: str, wav: bytes) -> dict[str, Any]:
        """The JSON beside the WAV: that it is synthetic, whose variant it is, and how it was made."""
        return {
            "tool": "hotato",
            "kind": "synthetic-variant",
            "schema_version": "1",
            "tool_version": __version__,
            "synthetic": True,
            "variant": self.name,
            "file": file_name,
            "sha256": hashlib.sha256(wav).hexdigest(),
            "parent": parent.described(),
            "seed": seed,
            "recipe": self.recipe,
            "time_shift_sec": self.time_shift_sec,
            "sample_rate_hz": self.sample_rate_hz,
            "channels": self.samples.shape[1],
            "frames": len(self.samples),
        }


@dataclass
class _Draft:
    """A variant in the making."""

    channels: list[Ints]
    rate: int
    recipe: dict[str, Any] = field(default_factory=dict)
    shift_sec: float = 0.0


_Step = Callable[[Parent, Dice, str], _Draft]


def _each(parent: Parent, step: Callable[[Ints], Ints], **recipe: Any) -> _Draft:
    return _Draft([step(channel) for channel in parent.channels], parent.sample_rate_hz, recipe)


def _resampled(parent: Parent, dice: Dice, seed: str) -> _Draft:
    draft = _each(parent, line.halved)
    draft.rate = parent.sample_rate_hz // 2
    draft.recipe = {"sample_rate_hz": draft.rate}
    return draft


def _quieter(parent: Parent, dice: Dice, seed: str) -> _Draft:
    level_db = RECIPE.gain_db
    return _each(parent, lambda channel: line.gain(channel, level_db), gain_db=level_db)


def _noisy(parent: Parent, dice: Dice, seed: str) -> _Draft:
    channels, which = [], []
    for n, (channel, spans) in enumerate(zip(parent.channels, parent.spans, strict=True)):
        if not spans:
            channels.append(channel)
            continue
        bed = noise.white(f"{seed}#{n}", parent.frames)
        channels.append(channel + noise.at_snr(bed, channel, spans, RECIPE.noise_snr_db))
        which.append(n)
    recipe = {"noise": "white", "snr_db": RECIPE.noise_snr_db, "channels": which}
    return _Draft(channels, parent.sample_rate_hz, recipe)


def _leaky(parent: Parent, dice: Dice, seed: str) -> _Draft:
    delay_ms = dice.between(*RECIPE.leak_ms)
    delay = delay_ms * parent.sample_rate_hz // 1000
    channels = []
    for n, channel in enumerate(parent.channels):
        leaks = [
            line.bleed(other, min(delay, parent.frames), RECIPE.leak_db)
            for m, other in enumerate(parent.channels)
            if m != n
        ]
        channels.append(sum(leaks, channel))
    return _Draft(channels, parent.sample_rate_hz, {"leak_db": RECIPE.leak_db, "delay_ms": delay_ms})


def _inverted(parent: Parent, dice: Dice, seed: str) -> _Draft:
    return _each(parent, lambda channel: -channel, polarity=-1)


def _swapped(parent: Parent, dice: Dice, seed: str) -> _Draft:
    order = list(range(len(parent.channels)))[::-1]
    return _Draft([parent.channels[n] for n in order], parent.sample_rate_hz, {"channel_order": order})


def _silenced(parent: Parent, dice: Dice, seed: str) -> _Draft:
    length = min(index(RECIPE.silence_sec, parent.sample_rate_hz), parent.frames)
    per_mille = dice.between(0, 1000)
    start = (parent.frames - length) * per_mille // 1000
    span = [round(at / parent.sample_rate_hz, 4) for at in (start, start + length)]
    return _each(parent, lambda channel: line.with_silence(channel, start, start + length), span_sec=span)


def _later(parent: Parent, dice: Dice, seed: str) -> _Draft:
    late_ms = dice.between(*RECIPE.onset_ms)
    late = late_ms * parent.sample_rate_hz // 1000
    draft = _each(parent, lambda channel: line.preceded(channel, late), silence_in_front_ms=late_ms)
    draft.shift_sec = round(late / parent.sample_rate_hz, 6)
    return draft


def _clipped(parent: Parent, dice: Dice, seed: str) -> _Draft:
    gain_db = RECIPE.clip_gain_db
    return _each(parent, lambda channel: line.clipped(line.gain(channel, gain_db)), gain_db=gain_db)


_STEPS: dict[str, _Step] = {
    "half-rate": _resampled,
    "quieter": _quieter,
    "white-noise": _noisy,
    "leakage": _leaky,
    "inverted": _inverted,
    "swapped": _swapped,
    "silence": _silenced,
    "later": _later,
    "clipped": _clipped,
}
_NEED_TWO = ("leakage", "swapped")
_ONE_CHANNEL = "it needs two channels, and the recording has one"

VARIANTS = tuple(_STEPS)
"""The variants by name, in the order they are made."""


def left_out(parent: Parent) -> dict[str, str]:
    """The variants that cannot be made of a recording, each with the reason."""
    return {} if len(parent.channels) > 1 else dict.fromkeys(_NEED_TWO, _ONE_CHANNEL)


def variants_of(parent: Parent, seed: int) -> Iterator[Variant]:
    """Every variant of a recording except those that `left_out` names.

    Args:
        parent: the recording.
        seed: decides whatever is drawn; another seed is another delay, stretch and noise.
    """
    for name, step in _STEPS.items():
        if name in left_out(parent):
            continue
        text = f"{parent.sha256}/{name}/{seed}"
        draft = step(parent, Dice(text), text)
        samples = line.to_int16(draft.channels)
        yield Variant(name, samples, draft.rate, {"step": name, **draft.recipe}, draft.shift_sec)
