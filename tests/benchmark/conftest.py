"""Calls with sample-exact edges and the scenario files that tell their truth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hotato import acoustics
from hotato.benchmark import Place, Rows, measure, stated_in, truth_of
from hotato.listen import attend, hear
from hotato.score import Label
from hotato.stacks import ChannelMap
from hotato.timing import ScoreConfig

RATE = 16_000
Stretches = list[list[float]]
Measured = Callable[..., Rows]


def write_call(path: Path, caller: Stretches, agent: Stretches, seconds: float, **line: Any) -> Path:
    """A two-channel WAV of what sounds: noise shaped like speech, cut to the sample; `line` of the render."""
    path.parent.mkdir(parents=True, exist_ok=True)
    block = {"caller_segments_sec": caller, "agent_segments_sec": agent, "continuous": True, **line}
    call = {"id": "call", "duration_sec": seconds, "sample_rate": RATE, "reference_render": block}
    path.write_bytes(acoustics.wav_bytes(acoustics.render(call), RATE))
    return path


def scenario(name: str = "one", **stated: Any) -> dict[str, Any]:
    """A scenario file with a yield label, and whatever else it states."""
    return {"id": name, "expected": {"yield": True}, "sample_rate": RATE, "duration_sec": 8.0, **stated}


@pytest.fixture
def measured(tmp_path: Path) -> Measured:
    """Render what sounds, measure it against what the scenario states."""

    def run(
        caller: Stretches,
        agent: Stretches,
        stated: dict[str, Any],
        *,
        cfg: ScoreConfig | None = None,
        seconds: float = 8.0,
        line: dict[str, Any] | None = None,
    ) -> Rows:
        call = write_call(tmp_path / "call.wav", caller, agent, seconds, **(line or {}))
        heard = attend(hear(call, cfg), ChannelMap(0, 1), cfg)
        known = stated_in(stated, stated["id"])
        label = Label(expected_yield=stated["expected"]["yield"], onset_sec=known.caller_onset_sec)
        return measure(heard, truth_of(known, label.expected_yield), label, Place.of("set", known))

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of two calls on disk: one with the truth of its render, one with a hand label alone."""
    root = tmp_path / "my"
    caller, agent = [[2.0, 4.0]], [[0.5, 2.6], [4.5, 6.0]]
    render = {"caller_segments_sec": caller, "agent_segments_sec": agent}
    files = {
        "rendered": scenario("rendered", caller_onset_sec=2.0, reference_render=render, condition="clean"),
        "by-hand": scenario("by-hand", caller_onset_sec=2.0, condition="white12"),
    }
    (root / "scenarios").mkdir(parents=True)
    for name, content in files.items():
        (root / "scenarios" / f"{name}.json").write_text(json.dumps(content))
        write_call(root / "audio" / f"{name}.example.wav", caller, agent, 8.0)
    return root
