"""One sound on two channels, against everything that only resembles it."""

from __future__ import annotations

import numpy as np
import pytest

from hotato.timing import FrameGrid, energy_vad
from hotato.timing.sameness import same_sound

GRID = FrameGrid.from_ms(8000, frame_ms=20.0, hop_ms=10.0)
FLOOR_DB, FRAMES = -90.0, 2000


def channel(*sounds, seed=1, frames=FRAMES):
    """Levels of a channel that sounds in (first, stop) frames at a level that moves over 20 dB."""
    levels = np.full(frames, FLOOR_DB)
    moving = np.random.default_rng(seed).uniform(-30.0, -10.0, frames)
    for first, stop in sounds:
        levels[first:stop] = moving[first:stop]
    return levels


def shared_db(one, other):
    return same_sound(energy_vad(one, GRID), energy_vad(other, GRID))


TALK = channel((100, 500), (700, 1100), (1300, 1800))


@pytest.mark.parametrize("gain_db", [0.0, 1.9, -5.9])
def test_a_constant_ratio_is_one_sound_at_that_gain(gain_db):
    assert shared_db(TALK + gain_db, TALK) == pytest.approx(gain_db)


def test_what_a_codec_leaves_in_a_few_frames_changes_nothing():
    coded = TALK + np.random.default_rng(2).uniform(-0.8, 0.8, FRAMES)
    coded[150:1750:90] += 4.0  # 18 of 1300 frames, each alone
    assert shared_db(coded, TALK) == pytest.approx(0.0, abs=0.2)


def test_a_gain_that_no_export_has_is_rather_a_bleed():
    assert shared_db(TALK - 6.5, TALK) is None


@pytest.mark.parametrize(("word_frames", "one_sound"), [(5, True), (6, False)])
def test_a_single_word_of_the_other_party_makes_two(word_frames, one_sound):
    other = TALK.copy()
    other[800 : 800 + word_frames] = 0.0
    assert (shared_db(other, TALK) is not None) is one_sound


def test_two_parties_are_never_one():
    assert shared_db(channel((100, 900)), channel((100, 900), seed=2)) is None  # both at once, all the time
    assert shared_db(channel((100, 900)), channel((1000, 1900), seed=2)) is None
    assert shared_db(TALK, np.full(FRAMES, FLOOR_DB)) is None


@pytest.mark.parametrize(("frames", "one_sound"), [(49, False), (50, True)])
def test_too_little_sound_says_nothing(frames, one_sound):
    brief = channel((100, 100 + frames))
    assert (shared_db(brief, brief) is not None) is one_sound


def test_two_steady_sounds_keep_one_ratio_and_are_not_one():
    steady = channel()
    steady[100:1900] = -20.0
    assert shared_db(steady, steady - 1.0) is None


def test_channels_of_unlike_length_are_held_against_each_other_as_far_as_both_go():
    assert shared_db(TALK, TALK[:1500]) == 0.0
    assert shared_db(np.zeros(0), np.zeros(0)) is None
