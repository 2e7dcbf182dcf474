"""The noise cliff of the packaged battery: its calls rendered again over louder and louder noise.

The battery is rendered from its own scenarios with a raised noise floor, so that the true edges stay where
they are and only the signal-to-noise ratio changes. The noise is white and uniform, independent on both
channels; the ratio is that of the RMS level of a party within its own segments to that of the floor, of the
weaker party where both differ.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hotato import acoustics
from hotato.benchmark.measuring import Place, measure
from hotato.benchmark.records import Rows, together
from hotato.benchmark.truth import stated_in, truth_of
from hotato.listen import Detector, attend, hear
from hotato.score import Label
from hotato.score.suite import bundled
from hotato.stacks import ChannelMap
from hotato.timing import ScoreConfig

SNRS_DB = (30, 28, 26, 24, 22, 21, 20, 19, 18, 17, 16, 14, 12)
"""The levels of the sweep: dense where the documented detector's cliff lies."""

NOISE = "uniform"
SWEEP = "battery-noise"


def sweep(cfg: ScoreConfig, detector: Detector = "auto") -> Rows:
    """The battery at every level of `SNRS_DB` and clean, measured."""
    with tempfile.TemporaryDirectory(prefix="hotato-") as folder:
        return together(_rows(Path(folder) / "call.wav", cfg, detector))


def _rows(target: Path, cfg: ScoreConfig, detector: Detector) -> Iterator[Rows]:
    for scenario in acoustics.scenarios_in(bundled("battery")):
        if not scenario["reference_render"]["caller_segments_sec"]:
            continue  # nobody to give way to: no truth
        speech_dbfs = weaker_dbfs(scenario)
        for snr_db in (None, *SNRS_DB):
            call = noisy(scenario, speech_dbfs, snr_db)
            target.write_bytes(acoustics.wav_bytes(acoustics.render(call), call["sample_rate"]))
            yield _measured(call, target, cfg, detector)


def noisy(scenario: dict[str, Any], speech_dbfs: float, snr_db: int | None) -> dict[str, Any]:
    """A scenario with its noise floor raised to a signal-to-noise ratio; as it is for None."""
    if snr_db is None:
        return scenario
    raised = {**scenario["reference_render"], "noise_floor_dbfs": speech_dbfs - snr_db}
    return {**scenario, "reference_render": raised, "condition": f"{NOISE}{snr_db}"}


def _measured(scenario: dict[str, Any], target: Path, cfg: ScoreConfig, detector: Detector) -> Rows:
    stated = stated_in(scenario, scenario["id"])
    label = Label(
        expected_yield=scenario["expected"]["yield"],
        onset_sec=stated.caller_onset_sec,
        max_time_to_yield_sec=scenario["expected"]["max_time_to_yield_sec"],
    )
    heard = attend(hear(target, cfg, digests="none"), ChannelMap(0, 1), cfg, detector=detector)
    return measure(heard, truth_of(stated, label.expected_yield, cfg), label, Place.of(SWEEP, stated))


def weaker_dbfs(scenario: dict[str, Any]) -> float:
    """RMS level, in dBFS, of the weaker party within its own segments, without any floor."""
    block = {**scenario["reference_render"], "noise_floor_dbfs": -200.0}
    samples = acoustics.render({**scenario, "reference_render": block}).astype(np.float64)
    levels = []
    for channel, role in enumerate(("caller", "agent")):
        sounding = np.zeros(len(samples), dtype=np.bool_)
        for start, end in block[f"{role}_segments_sec"]:
            rate = scenario["sample_rate"]
            sounding[acoustics.index(start, rate) : acoustics.index(end, rate)] = True
        power = float(np.mean(samples[sounding, channel] ** 2))
        levels.append(10.0 * np.log10(power) - 20.0 * np.log10(acoustics.UNIT))
    return float(min(levels))
