"""A single mixed channel: silences with a confidence, and nobody accused."""

from __future__ import annotations

import numpy as np
import pytest

from hotato.find import CRITICAL, WARNING, autopsy
from hotato.listen import hear, tell_apart
from hotato.stacks import channel_map


@pytest.fixture
def open_mono(write_call, sound):
    def opened(spans, seconds, noise=0.0):
        signal = sound(spans, seconds)
        hiss = np.random.default_rng(3).normal(size=len(signal)) * noise
        return autopsy(tell_apart(hear(write_call(signal + hiss)), channel_map()))

    return opened


def test_silences_between_sounds_are_graded_and_nobody_is_named(open_mono) -> None:
    opened = open_mono([(1.0, 2.0), (5.0, 6.0), (12.0, 13.0)], 20.0)
    assert opened.mode == "mono" and opened.channels == 1 and opened.floor is None
    assert [(i.severity, i.kind) for i in opened.incidents] == [
        (CRITICAL, "DEAD AIR"),
        (WARNING, "LATENCY SPIKE"),
    ]
    for incident, true_sec in zip(opened.incidents, (6.0, 3.0), strict=True):
        assert incident.headline is not None
        assert incident.headline.lo_sec <= true_sec <= incident.headline.hi_sec
        assert incident.scan_kind is None
        assert "agent" not in incident.sentence and "caller" not in incident.sentence


def test_the_beginning_and_the_end_are_no_dead_air(open_mono) -> None:
    opened = open_mono([(8.0, 9.0)], 20.0)
    assert opened.incidents == ()
    assert "cannot be judged" in opened.sentence


def test_confidence_is_how_far_the_gap_lies_under_the_threshold(open_mono) -> None:
    sure = open_mono([(1.0, 4.0), (8.0, 11.0)], 12.0).incidents[0]
    assert sure.confidence == 1.0
    # Noise at -50 dBFS: its own 10th percentile lies a little below, and the threshold 15 dB above that.
    unsure = open_mono([(1.0, 4.0), (8.0, 11.0)], 12.0, noise=10 ** (-50 / 20)).incidents[0]
    assert unsure.confidence == pytest.approx(14.0 / 20.0, abs=0.06)
    derivation = dict(unsure.facts)["confidence"]
    assert f"{unsure.confidence:.2f}" in derivation and "threshold" in derivation
