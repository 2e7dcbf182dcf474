"""Edges that the robust detector found: measured intervals by contrast, and edges of the noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hotato.timing import (
    Activity,
    FrameGrid,
    VADParams,
    offset_edge,
    onset_edge,
    uncertain_offset,
    uncertain_onset,
)
from hotato.timing.activity import REFERENCE, ROBUST, with_hangover
from hotato.timing.edge_errors import EDGE_ERRORS, OFFSET, ONSET, contrast_db

GRID = FrameGrid.from_ms(8000)
FLOOR_DB = -60.0
FRAMES = 800


def heard(*sounds: tuple[int, int, float], detector: str = ROBUST) -> Activity:
    """A channel of steady noise with sounds (first frame, one past the last, dB over the noise)."""
    dbfs, raw = np.full(FRAMES, FLOOR_DB), np.zeros(FRAMES, dtype=np.bool_)
    for first, stop, over_db in sounds:
        dbfs[first:stop], raw[first:stop] = FLOOR_DB + over_db, True
    active = with_hangover(raw, GRID.frames_of(VADParams().hangover_sec))
    return Activity(GRID, dbfs, raw, active, FLOOR_DB + 8.0, FLOOR_DB, detector=detector)


@pytest.mark.parametrize("over_db", [2.0, 5.0, 9.0, 13.0, 17.0, 22.0, 27.0, 35.0, 50.0])
def test_an_interval_holds_every_error_measured_at_its_contrast(over_db: float) -> None:
    activity = heard((300, 500, over_db))
    index = sum(over_db >= limit for limit in EDGE_ERRORS.limits_db)
    measured = (
        (onset_edge(activity, 300), EDGE_ERRORS.onset_ms[index]),
        (offset_edge(activity, 500), EDGE_ERRORS.offset_ms[index]),
    )
    for edge, (low_ms, high_ms) in measured:
        assert edge.lo_sec <= edge.sec - high_ms / 1000.0 + 1e-4
        assert edge.hi_sec >= edge.sec - low_ms / 1000.0 - 1e-4


@pytest.mark.parametrize("over_db", [5.0, 14.0, 50.0])
def test_a_robust_interval_is_never_narrower_and_a_reference_one_is_untouched(over_db: float) -> None:
    robust = heard((300, 500, over_db))
    reference = heard((300, 500, over_db), detector=REFERENCE)
    for edge_of, frame in ((onset_edge, 300), (offset_edge, 500)):
        ours, theirs = edge_of(robust, frame), edge_of(reference, frame)
        assert ours.sec == theirs.sec
        assert ours.lo_sec <= theirs.lo_sec and theirs.hi_sec <= ours.hi_sec
        assert theirs.hi_sec - theirs.lo_sec <= 0.35


def test_there_is_a_pair_of_quantiles_for_every_class_and_none_excludes_the_edge() -> None:
    for table in (EDGE_ERRORS.onset_ms, EDGE_ERRORS.offset_ms):
        assert len(table) == len(EDGE_ERRORS.limits_db) + 1
        assert all(low_ms < 0.0 < high_ms for low_ms, high_ms in table)
    assert list(EDGE_ERRORS.limits_db) == sorted(EDGE_ERRORS.limits_db)


def test_contrast_is_the_level_inside_over_the_noise_beside_and_none_at_the_ends() -> None:
    activity = heard((0, 100, 20.0), (300, 500, 14.0), (700, FRAMES, 20.0))
    assert contrast_db(activity, 300, ONSET) == pytest.approx(14.0)
    assert contrast_db(activity, 499, OFFSET) == pytest.approx(14.0)
    assert contrast_db(activity, 0, ONSET) is None
    assert contrast_db(activity, FRAMES - 1, OFFSET) is None
    assert onset_edge(activity, 0).lo_sec == 0.0
    assert offset_edge(activity, FRAMES).hi_sec == pytest.approx(FRAMES * GRID.hop_sec)


@pytest.mark.parametrize(
    ("sounds", "evidence"),
    [
        (((300, 500, 20.0),), set()),
        (((300, 500, 6.0),), {"over_noise_db"}),
        (((300, 312, 20.0),), {"sound_sec"}),
        (((100, 280, 20.0), (300, 500, 20.0)), {"silence_sec"}),
        (((0, 0, 0.0), (10, 500, 20.0)), set()),  # the recording begins there, no other sound does
    ],
)
def test_a_faint_or_brief_sound_or_pause_may_be_of_the_noise(sounds, evidence) -> None:
    first = sounds[-1][0]
    found = uncertain_onset(heard(*sounds), first)
    assert (set() if found is None else set(found.evidence)) == evidence
    assert uncertain_onset(replace(heard(*sounds), detector=REFERENCE), first) is None


def test_the_end_before_a_brief_pause_is_as_uncertain_as_the_beginning_behind_it() -> None:
    activity = heard((100, 280, 20.0), (300, 500, 20.0))
    assert uncertain_offset(activity, 280) is not None and uncertain_onset(activity, 300) is not None
    assert uncertain_onset(activity, 100) is None and uncertain_offset(activity, 500) is None
