"""Gates stay shut where a recording cannot carry what they ask."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

DEMO = Path(__file__).resolve().parents[2] / "src" / "hotato" / "data" / "demo" / "cancel-call.flac"


@pytest.fixture
def demo() -> tuple[np.ndarray, int]:
    """The bundled call's samples, shape (frames, 2), and their rate."""
    samples, rate = soundfile.read(DEMO)
    return samples, rate


def test_faint_bleed_of_the_agent_makes_nothing_critical_and_opens_no_gate(hotato, demo, tmp_path):
    samples, rate = demo
    late = round(0.05 * rate)
    samples[late:, 0] += 0.02 * samples[:-late, 1]
    soundfile.write(tmp_path / "leak.wav", samples, rate)
    words = ("autopsy", "leak.wav", "--fail-on", "critical")
    outcome = hotato(*words, "--detector", "reference", "--format", "json")
    assert outcome.json["summary"]["critical"] == 0
    assert "leakage" in outcome.json["doubts"]
    assert outcome.code == 2 and "gate not decided" in outcome.err
    above = hotato(*words, "--force", "--format", "json")
    assert above.json["doubts"] == [] and above.json["summary"]["critical"] == 2
    assert above.code == 1  # the robust detector hears the caller above the bleed


def test_noise_that_hides_the_call_opens_no_gate(hotato, demo, tmp_path):
    samples, rate = demo
    noise = np.random.default_rng(4).normal(0.0, 0.02, samples.shape)
    soundfile.write(tmp_path / "noisy.wav", samples + noise, rate)
    words = ("autopsy", "noisy.wav", "--fail-on", "critical")
    outcome = hotato(*words, "--detector", "reference")
    assert outcome.code == 2 and "low_snr" in outcome.err
    assert "--detector reference" in outcome.out
    heard = hotato(*words)
    assert heard.code == 1 and "robust detector" in heard.out  # what the documented one cannot decide


def test_nearly_equal_channels_carry_no_verdict(hotato, demo, tmp_path):
    samples, rate = demo
    both = samples.sum(axis=1) / 2
    crackle = np.random.default_rng(5).integers(-2, 3, len(both)) / 32768
    soundfile.write(tmp_path / "near.wav", np.stack([both, both + crackle], axis=1), rate)
    outcome = hotato("autopsy", "near.wav", "--fail-on", "critical", "--format", "json")
    assert outcome.code == 2
    assert outcome.json["unjudged"].startswith("both channels carry the same sound")
    assert (outcome.json["mode"], outcome.json["summary"]["critical"]) == ("mono", 1)
    scanned = hotato("scan", "near.wav", "--format", "json")
    assert (scanned.code, scanned.json["error_code"]) == (2, "identical_channels")


def test_an_unconfirmed_map_that_looks_swapped_makes_nothing_critical(hotato, demo, tmp_path):
    samples, rate = demo
    soundfile.write(tmp_path / "swap.wav", samples[:, ::-1], rate)
    doubted = hotato("autopsy", "swap.wav", "--fail-on", "critical", "--format", "json")
    assert doubted.code == 2 and doubted.json["doubts"] == ["possible_swap"]
    words = ("--caller-channel", "1", "--agent-channel", "0", "--fail-on", "critical")
    assert hotato("autopsy", "swap.wav", *words).code == 1


def test_an_agent_whose_own_file_ends_has_not_yielded(hotato, demo, tmp_path):
    samples, rate = demo
    soundfile.write(tmp_path / "caller.wav", samples[:, 0], rate)
    soundfile.write(tmp_path / "agent.wav", samples[: 24 * rate, 1], rate)
    pair = ("--caller", "caller.wav", "--agent", "agent.wav")
    outcome = hotato("run", *pair, "--onset", "22.22", "--expect", "yield")
    assert outcome.code == 2 and "the agent's own recording ends at 24.00s" in outcome.out


def test_two_equal_channels_are_not_walked_as_two_parties(hotato, demo, tmp_path):
    samples, rate = demo
    both = samples.sum(axis=1) / 2
    soundfile.write(tmp_path / "ident.wav", np.stack([both, both], axis=1), rate)
    outcome = hotato("scan", "ident.wav", "--format", "json")
    assert (outcome.code, outcome.json["error_code"]) == (2, "identical_channels")
