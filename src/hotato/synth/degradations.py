"""The conditions of the robustness battery: noise and packet loss, each a ladder from mild to severe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hotato.acoustics import Ints, noise, packets
from hotato.synth.parent import Parent


@dataclass(frozen=True)
class Ladder:
    """The rungs of the battery, mildest first.

    Attributes:
        snr_db: noise levels, against what was heard to sound on each channel of the clean recording.
        loss_part: shares of lost packets.
        mean_burst: packets lost in a row, on average.
    """

    snr_db: tuple[float, ...] = (30.0, 20.0, 15.0, 12.0, 8.0, 5.0)
    loss_part: tuple[float, ...] = (0.01, 0.03, 0.05, 0.10)
    mean_burst: float = 2.0


LADDER = Ladder()


@dataclass(frozen=True)
class Degradation:
    """One condition of the battery.

    Attributes:
        name: "white-12", "loss-5-concealed", ...
        family: the ladder it is a rung of: "white", "street", "loss", "loss-concealed".
        parameters: its numbers, with units in their names.
        apply: (parent, channel number, seed text) to that channel under the condition.
    """

    name: str
    family: str
    parameters: dict[str, Any]
    apply: Callable[[Parent, int, str], Ints]


def _noise(kind: str, snr_db: float) -> Degradation:
    def apply(parent: Parent, channel: int, seed: str) -> Ints:
        speech, spans = parent.channels[channel], parent.spans[channel]
        if not spans:
            return speech
        make = {"white": noise.white, "street": _street(parent)}[kind]
        return speech + noise.at_snr(make(seed, parent.frames), speech, spans, snr_db)

    return Degradation(f"{kind}-{snr_db:g}", kind, {"snr_db": snr_db}, apply)


def _street(parent: Parent) -> Callable[[str, int], Ints]:
    return lambda seed, count: noise.street(seed, count, parent.sample_rate_hz)


def _loss(part: float, mean_burst: float, *, conceal: bool) -> Degradation:
    treat = packets.concealed if conceal else packets.without
    family = "loss-concealed" if conceal else "loss"

    def apply(parent: Parent, channel: int, seed: str) -> Ints:
        total = packets.packets_in(parent.frames, parent.sample_rate_hz)
        lost = packets.bursts(seed, total, part, mean_burst)
        return treat(parent.channels[channel], lost, parent.sample_rate_hz)

    parameters = {"loss_part": part, "mean_burst_packets": mean_burst, "concealed": conceal}
    name = f"loss-{100 * part:g}" + ("-concealed" if conceal else "")
    return Degradation(name, family, parameters, apply)


def degradations(ladder: Ladder = LADDER) -> list[Degradation]:
    """Every condition, ladder by ladder."""
    noises = [_noise(kind, snr_db) for kind in ("white", "street") for snr_db in ladder.snr_db]
    losses = [
        _loss(part, ladder.mean_burst, conceal=conceal)
        for conceal in (False, True)
        for part in ladder.loss_part
    ]
    return [*noises, *losses]
