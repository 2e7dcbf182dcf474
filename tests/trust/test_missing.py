"""Which parts of a call break the numbers measured in them."""

from __future__ import annotations

import numpy as np
import pytest

from hotato.listen import attend
from hotato.stacks import channel_map
from hotato.trust import missing_parts, missing_reasons, recorded_frames
from hotato.trust.missing import harmless

HOP_SEC = 0.01


def _parts(studio, samples):
    heard = attend(studio.heard(samples), channel_map())
    return heard, missing_parts(heard)


def test_a_healthy_call_misses_nothing(studio):
    heard, parts = _parts(studio, studio.call())
    assert parts == ()
    assert recorded_frames(heard, "caller") == recorded_frames(heard, "agent") == heard.frames


@pytest.mark.parametrize(("hole_sec", "counts"), [(0.06, False), (0.5, True)])
def test_a_drop_out_counts_where_the_activity_does_not_bridge_it(studio, hole_sec, counts):
    samples = studio.call()
    at = round(16.0 * studio.rate)
    samples[at : at + round(hole_sec * studio.rate), 1] = 0.0
    _, parts = _parts(studio, samples)
    assert [(part.code, part.role) for part in parts] == ([("drop_outs", "agent")] if counts else [])
    if counts:
        (hole,) = parts
        # syllables end in the call's own quiet, so the sound beside the hole may be a few hops away
        assert hole.first * HOP_SEC == pytest.approx(16.0, abs=0.02)
        assert hole.stop * HOP_SEC == pytest.approx(16.0 + hole_sec, abs=0.02)
        for first, stop, touched in ((1700, 1800, False), (1500, 1598, True), (1620, 1625, True)):
            codes = [reason.code for reason in missing_reasons(parts, first, stop, slack=5)]
            assert codes == (["drop_outs"] if touched else [])


def test_what_lies_behind_a_channel_that_falls_silent_is_missing(studio):
    samples = studio.call()
    samples[round(25.0 * studio.rate) :, 1] = 0.0
    heard, (part,) = _parts(studio, samples)
    assert (part.code, part.role, part.stop) == ("channel_ends_early", "agent", heard.frames)
    assert recorded_frames(heard, "agent") == part.first == pytest.approx(2500, abs=2)
    assert recorded_frames(heard, "caller") == heard.frames
    assert missing_reasons((part,), 2400, part.first) == ()
    assert [reason.code for reason in missing_reasons((part,), 2400, part.first + 1)] == [
        "channel_ends_early"
    ]


def test_a_channel_that_idles_in_digital_silence_ends_nowhere(studio):
    samples = studio.call(floor_dbfs=None)
    samples[round(25.0 * studio.rate) :, 1] = 0.0
    heard, parts = _parts(studio, samples)
    assert parts == () and recorded_frames(heard, "agent") == heard.frames


def test_repeats_make_what_follows_late_by_at_most_their_length(studio):
    samples = studio.call()
    for at_sec in (5.0, 8.0):
        at, length = round(at_sec * studio.rate), round(0.2 * studio.rate)
        samples[at : at + length, 1] = samples[at - length : at, 1]
    _, parts = _parts(studio, samples)
    assert {(part.code, part.role) for part in parts} == {("repeated_blocks", "agent")}
    assert missing_reasons(parts, 0, 470) == ()
    (once,) = missing_reasons(parts, 0, 700)
    (twice,) = missing_reasons(parts, 0, 1500)
    assert 0.2 <= once.evidence["late_sec"] <= 0.45
    assert twice.evidence["late_sec"] == pytest.approx(2 * once.evidence["late_sec"], abs=0.05)
    assert harmless(once, once.evidence["late_sec"] + 0.01)
    assert not harmless(once, once.evidence["late_sec"] - 0.01)


def test_a_single_channel_has_parts_of_its_own(studio):
    from hotato.listen import tell_apart

    samples = studio.call()[:, 1]
    at = round(16.0 * studio.rate)
    samples[at : at + round(0.5 * studio.rate)] = 0.0
    mixed = tell_apart(studio.heard(np.stack([samples], axis=1)), channel_map())
    assert [(part.code, part.role) for part in missing_parts(mixed)] == [("drop_outs", "mixed")]
