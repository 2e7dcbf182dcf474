"""Echo: a delayed, scaled copy of the agent's envelope on the caller channel."""

from __future__ import annotations

import numpy as np
import pytest

from hotato.timing import FrameGrid, envelope_echo
from hotato.timing.echo import EchoParams, lagged_dots

GRID = FrameGrid(16000, 320, 160)


def envelope(seed: int, frames: int = 600) -> np.ndarray:
    """Syllables with pauses: an envelope that resembles no other."""
    rng = np.random.default_rng(seed)
    gate = np.repeat(rng.random(frames // 12 + 1) < 0.45, 12)[:frames]
    return gate * rng.uniform(0.02, 0.3, frames)


@pytest.mark.parametrize("lag", [0, 7, 50])
@pytest.mark.parametrize("gain", [1.0, 0.05])
def test_a_delayed_scaled_copy_is_suspected_with_its_lag(lag: int, gain: float) -> None:
    agent = envelope(1)
    copy = gain * np.concatenate([np.zeros(lag), agent[: len(agent) - lag]])
    echo = envelope_echo(copy, agent, GRID)
    assert (echo.coherence, echo.lag_sec, echo.suspected) == (1.0, round(lag * 0.01, 3), True)


def test_a_copy_later_than_half_a_second_is_not_looked_at() -> None:
    agent = envelope(1)
    copy = np.concatenate([np.zeros(80), agent[:-80]])
    assert not envelope_echo(copy, agent, GRID).suspected
    assert envelope_echo(copy, agent, GRID, EchoParams(max_lag_sec=0.9)).lag_sec == 0.8


def test_independent_speech_and_silence_are_not_suspected() -> None:
    assert not envelope_echo(envelope(2), envelope(1), GRID).suspected
    silence = envelope_echo(np.zeros(600), envelope(1), GRID)
    assert (silence.coherence, silence.lag_sec, silence.suspected) == (0.0, 0.0, False)


def test_too_few_common_frames_say_nothing() -> None:
    assert envelope_echo(np.ones(7), np.ones(7), GRID).coherence == 0.0
    assert envelope_echo(np.ones(8), np.ones(8), GRID).coherence == 1.0


def test_the_coherence_is_the_largest_cosine_over_all_lags() -> None:
    of, source = envelope(3, 120), envelope(4, 120)
    cosines = []
    for lag in range(51):
        x, y = of[lag:], source[: 120 - lag]
        norm = np.linalg.norm(x) * np.linalg.norm(y)
        cosines.append(float(x @ y / norm) if norm else 0.0)
    echo = envelope_echo(of, source, GRID)
    assert echo.coherence == round(max(cosines), 3)
    assert echo.lag_sec == round(int(np.argmax(cosines)) * 0.01, 3)


@pytest.mark.parametrize("frames", [8, 9, 57, 58, 1000, 5003])
def test_the_products_at_all_lags_are_those_taken_one_by_one(frames: int) -> None:
    rng = np.random.default_rng(frames)
    of, source = rng.random(frames), rng.random(frames)
    lags = min(51, frames - 7)
    one_by_one = [float(np.dot(of[lag:], source[: frames - lag])) for lag in range(lags)]
    assert lagged_dots(of, source, lags) == pytest.approx(one_by_one, rel=1e-12)
