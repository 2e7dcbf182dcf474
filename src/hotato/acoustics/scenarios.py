"""A scenario file as a two-channel recording: caller on channel 0, agent on channel 1, over a faint floor."""

from __future__ import annotations

import io
import json
import wave
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hotato.acoustics.dice import UNIT, Ints, divided, factor, index
from hotato.acoustics.speechlike import SHAPE, noise_floor, speech_like

Samples = npt.NDArray[np.int16]


def echo_of(signal: Ints, delay_samples: int, gain_db: float) -> Ints:
    """A delayed, scaled copy of a signal, of the same length: what an uncancelled line returns."""
    copy = np.zeros_like(signal)
    copy[delay_samples:] = divided(signal[: len(signal) - delay_samples] * factor(gain_db), UNIT)
    return copy


def render(scenario: Mapping[str, Any]) -> Samples:
    """A scenario as samples of shape (frames, 2): caller on channel 0, agent on channel 1.

    Reads `id` (the seed), `duration_sec`, `sample_rate` and the block `reference_render`:
    `caller_segments_sec` and `agent_segments_sec` ([[start, end), ...]); optionally `continuous`,
    `gain_db` ({"caller": dB, "agent": dB}), `noise_floor_dbfs`, and `echo` ({"delay_sec", "gain_db"}: the
    agent's sound returned on the caller channel).
    """
    rate, block = int(scenario["sample_rate"]), scenario["reference_render"]
    party = {role: _speech(scenario, role) for role in ("caller", "agent")}
    if echo := block.get("echo"):
        party["caller"] += echo_of(party["agent"], index(echo["delay_sec"], rate), echo["gain_db"])
    return _quantised([party[role] + _floor(scenario, role) for role in party])


def recording(scenario: Mapping[str, Any]) -> bytes:
    """The call of a scenario as a WAV file: caller on channel 0, agent on channel 1."""
    return wav_bytes(render(scenario), int(scenario["sample_rate"]))


def stimulus(scenario: Mapping[str, Any]) -> bytes:
    """The caller's side alone as a WAV file of one channel, to be played to a live stack: without echo."""
    caller = _speech(scenario, "caller") + _floor(scenario, "caller")
    return wav_bytes(_quantised([caller])[:, 0], int(scenario["sample_rate"]))


def _speech(scenario: Mapping[str, Any], role: str) -> Ints:
    rate, block = int(scenario["sample_rate"]), scenario["reference_render"]
    return speech_like(
        f"{scenario['id']}#{role}",
        block[f"{role}_segments_sec"],
        index(scenario["duration_sec"], rate),
        rate,
        continuous=block.get("continuous", False),
        gain_db=block.get("gain_db", {}).get(role, 0.0),
    )


def _floor(scenario: Mapping[str, Any], role: str) -> Ints:
    count = index(scenario["duration_sec"], int(scenario["sample_rate"]))
    level_dbfs = scenario["reference_render"].get("noise_floor_dbfs", SHAPE.floor_dbfs)
    return noise_floor(f"{scenario['id']}#{role}#floor", count, level_dbfs)


def _quantised(channels: Sequence[Ints]) -> Samples:
    return np.clip(np.stack(channels, axis=1), -UNIT, UNIT - 1).astype(np.int16)


def wav_bytes(samples: Samples, sample_rate: int) -> bytes:
    """A 16-bit PCM WAV file with a plain 44-byte header; samples of shape (frames,) or (frames, channels)."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as out:
        out.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        out.setsampwidth(2)
        out.setframerate(sample_rate)
        out.writeframes(samples.astype("<i2").tobytes())
    return buffer.getvalue()


def scenarios_in(folder: Path) -> list[dict[str, Any]]:
    """The scenarios of a set (`folder/scenarios/*.json`), by file name."""
    return [json.loads(path.read_text("utf-8")) for path in sorted((folder / "scenarios").glob("*.json"))]
