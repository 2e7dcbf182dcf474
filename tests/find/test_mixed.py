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
    assert opened.sentence.startswith("There is a single channel, so caller and agent cannot be told apart.")
    assert opened.unjudged is not None


def test_each_silence_is_held_against_its_own_limit_at_the_raw_edges(open_mono) -> None:
    opened = open_mono([(1.0, 2.0), (7.08, 8.0), (10.1, 11.0), (12.9, 13.5)], 14.0)
    assert [(i.kind, i.bound_sec, i.boundary_sensitive) for i in opened.incidents] == [
        ("DEAD AIR", 5.0, False),  # documented: 4.93 s
        ("LATENCY SPIKE", 2.0, False),  # documented: 1.95 s
    ]
    for incident in opened.incidents:
        assert incident.headline is not None
        assert incident.span.start_sec + incident.headline.sec == pytest.approx(
            incident.span.end_sec, abs=1e-6
        )
        assert "confidence" not in incident.detail


def test_confidence_is_how_far_the_gap_lies_under_the_threshold(open_mono) -> None:
    sure = open_mono([(1.0, 4.0), (8.0, 11.0)], 12.0).incidents[0]
    assert sure.confidence == 1.0
    # Noise at -50 dBFS: its own 10th percentile lies a little below, and the threshold 15 dB above that.
    unsure = open_mono([(1.0, 4.0), (8.0, 11.0)], 12.0, noise=10 ** (-50 / 20)).incidents[0]
    assert unsure.confidence == pytest.approx(14.0 / 20.0, abs=0.06)
    derivation = dict(unsure.facts)["confidence"]
    assert f"{unsure.confidence:.2f}" in derivation and "threshold" in derivation
