"""A call as a telephone line leaves it: G.711 mu-law on both channels, and packets that never arrived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hotato import acoustics
from hotato.acoustics.g711 import mu_law


def without_packets(samples: np.ndarray, packet: int, lost: Mapping[str, list[int]]) -> np.ndarray:
    """Samples of shape (frames, 2) with digital silence in place of lost packets of `packet` samples."""
    kept = samples.copy()
    for channel, role in enumerate(("caller", "agent")):
        for number in lost[role]:
            kept[number * packet : (number + 1) * packet, channel] = 0
    return kept


def recording(scenario: Mapping[str, Any]) -> bytes:
    """The call of the scenario's `source`, sent over its `line`, as a WAV file."""
    line, rate = scenario["line"], int(scenario["sample_rate"])
    packet = line["packet_ms"] * rate // 1000
    coded = mu_law(acoustics.render(_source(scenario)).astype(np.int64)).astype(np.int16)
    heard = without_packets(coded, packet, line["lost_packets"])
    return acoustics.wav_bytes(heard, rate)


def stimulus(scenario: Mapping[str, Any]) -> bytes:
    """The caller alone before the line, as a WAV file."""
    return acoustics.stimulus(_source(scenario))


def _source(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario under the id of its source, which is what its sound is seeded with."""
    return {**scenario, "id": scenario["source"]}


def loss_schedule(duration_sec: float, packet_ms: int, every: int, first: int) -> list[int]:
    """Numbers of the lost packets: one in `every`, from packet `first` on, and the one after each fourth."""
    packets = int(duration_sec * 1000) // packet_ms
    single = list(range(first, packets, every))
    return sorted({*single, *(number + 1 for number in single[3::4] if number + 1 < packets)})
