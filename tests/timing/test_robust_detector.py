"""The robust detector on sample-exact edges: under noise, echo and music, and where it stands back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.acoustics import speech_like
from hotato.timing import Activity, EnergyMeter, FrameGrid, Reason, energy_vad
from hotato.timing.health import channel_doubts, conditioned
from hotato.timing.robust import ROBUST, BandMeter, Bands, RobustParams, decide, level_follow, robust_activity
from hotato.timing.robust.mounting import mounting
from hotato.timing.robust.rhythm import without_beats
from hotato.timing.robust.tails import with_tails
from hotato.timing.robust.voters import Contrast
from hotato.timing.robust.weak import without_weak_parts
from hotato.timing.spans import Run

RATE, SECONDS = 8000, 40
COUNT = RATE * SECONDS
CALLER = [(2.0, 4.0), (11.0, 13.5), (20.0, 22.0), (28.0, 30.5), (36.0, 38.0)]
AGENT = [(0.3, 1.8), (4.5, 10.5), (12.5, 19.5), (21.0, 27.5), (31.0, 35.5)]

Sound = np.ndarray


def voice(name: str, spans) -> Sound:
    """Speech-shaped noise in exactly these spans, at about -23 dBFS, 1.0 = full scale."""
    sound = speech_like(name, spans, COUNT, RATE) / 32768.0
    return sound * 10.0 ** (-23.0 / 20.0) / rms(sound)


def rms(sound: Sound) -> float:
    return float(np.sqrt(np.mean(np.square(sound[sound != 0.0]))))


def white(seed: int, snr_db: float) -> Sound:
    return np.random.default_rng(seed).standard_normal(COUNT) * 10.0 ** (-(23.0 + snr_db) / 20.0)


def rumble(seed: int, snr_db: float) -> Sound:
    """Noise that falls by 6 dB an octave and swells over seconds."""
    noise = np.cumsum(np.random.default_rng(seed).standard_normal(COUNT))
    noise -= np.convolve(noise, np.ones(401) / 401.0, "same")
    swell = 1.0 + 0.8 * np.sin(2 * np.pi * np.arange(COUNT) / RATE / 5.3 + seed)
    return noise * swell / rms(noise * swell) * 10.0 ** (-(23.0 + snr_db) / 20.0)


def hum(level_dbfs: float) -> Sound:
    time = np.arange(COUNT) / RATE
    lines = sum(
        a * np.sin(2 * np.pi * k * 50.0 * time + k) for k, a in ((1, 1.0), (2, 0.4), (3, 0.4), (5, 0.2))
    )
    return lines / rms(lines) * 10.0 ** (level_dbfs / 20.0)


def chords(first_sec: float, stop_sec: float, level_dbfs: float) -> Sound:
    time = np.arange(COUNT) / RATE
    sound = np.zeros(COUNT)
    for bar, hertz in enumerate(np.resize([262.0, 294.0, 330.0, 392.0], SECONDS)):
        inside = (time >= bar) & (time < bar + 1)
        for ratio in (1.0, 1.25, 1.5):
            sound += inside * np.sin(2 * np.pi * hertz * ratio * time)
    sound *= (time >= first_sec) & (time < stop_sec)
    return sound / rms(sound) * 10.0 ** (level_dbfs / 20.0)


def echo(of: Sound, lag_sec: float, gain_db: float) -> Sound:
    lag = round(lag_sec * RATE)
    return 10.0 ** (gain_db / 20.0) * np.concatenate([np.zeros(lag), of[:-lag]])


def reference_of(sound: Sound) -> tuple[Activity, Bands]:
    """What the documented detector hears, with its doubts, and the bands."""
    samples = np.clip(np.rint(sound * 32768.0), -32768, 32767).astype(np.int16)[:, None]
    grid = FrameGrid.from_ms(RATE)
    energy, bands = (
        EnergyMeter(grid, 1, 32768),
        BandMeter(grid, (0,), 32768, len(samples) // grid.hop_samples),
    )
    energy.feed(samples)
    bands.feed(samples)
    levels, _ = conditioned(energy.finish()[0])
    activity = energy_vad(levels.dbfs, grid)
    return replace(activity, doubts=channel_doubts(levels, activity)), bands.finish()[0]


def heard(sound: Sound, source: Sound | None = None) -> Activity:
    reference, bands = reference_of(sound)
    return robust_activity(reference, bands, None if source is None else reference_of(source)[1])


def truth(spans) -> np.ndarray:
    mask = np.zeros(SECONDS * 100, dtype=bool)
    for start, end in spans:
        mask[round(start * 100) : round(end * 100)] = True
    return mask


def agreement(activity: Activity, spans) -> float:
    """F1 of the frames that were heard against those that sound."""
    found, wanted = activity.trimmed, truth(spans)
    return 2.0 * np.count_nonzero(found & wanted) / (np.count_nonzero(found) + np.count_nonzero(wanted))


def codes(reasons) -> list[str]:
    return [reason.code for reason in reasons]


SICK = {
    "hum": lambda seed: hum(-34.0),
    "white 15": lambda seed: white(seed, 15.0),
    "white 8": lambda seed: white(seed, 8.0),
    "rumble 12": lambda seed: rumble(seed, 12.0),
    "rumble 8": lambda seed: rumble(seed, 8.0),
}


@pytest.mark.parametrize("condition", SICK)
def test_a_sick_channel_keeps_its_turns(condition):
    for seed in (1, 3):
        sound = voice(f"caller {seed}", CALLER) + SICK[condition](seed)
        reference, bands = reference_of(sound)
        assert reference.doubts, "the documented detector is in doubt"
        activity = robust_activity(reference, bands)
        assert activity.detector == ROBUST
        assert agreement(activity, CALLER) >= 0.94 > agreement(reference, CALLER) + 0.02
        starts = np.array([run.first for run in activity.runs]) / 100.0
        for start, _ in CALLER:
            assert np.abs(starts - start).min() <= 0.08
        assert activity.reasons and codes(activity.reasons)[-1] == "reference_unreliable"


def test_an_answer_that_stands_out_lifts_the_doubt_and_says_why_it_was_asked():
    activity = heard(voice("caller", CALLER) + white(1, 15.0))
    assert activity.doubts == ()
    assert codes(activity.reasons) == ["low_snr", "reference_unreliable"]
    assert activity.reasons[-1].evidence["agreement"] < 0.9


def test_other_voices_close_under_the_caller_leave_the_doubt():
    others = sum(voice(f"other {k}", [(0.01 * k, 40.0)]) for k in range(6))
    others *= 10.0 ** (-24.0 / 20.0) / rms(others)
    activity = heard(voice("caller", CALLER) + others)
    assert codes(activity.doubts) == ["low_separability"]


def test_a_healthy_channel_keeps_the_answer_of_the_reference_to_the_frame():
    reference, bands = reference_of(voice("caller", CALLER))
    activity = robust_activity(replace(reference, doubts=()), bands)
    assert activity.detector == "reference" and activity.reasons == () and activity.doubts == ()
    assert np.array_equal(activity.raw, reference.raw) and activity.threshold_db == reference.threshold_db


def test_dense_speech_over_noise_that_the_threshold_clears_keeps_the_answer_of_the_reference():
    dense = [(0.3 + 2.6 * turn, 2.4 + 2.6 * turn) for turn in range(15)]
    reference, bands = reference_of(voice("dense", dense) + white(2, 20.0))
    activity = robust_activity(reference, bands)
    assert reference.doubts and activity.detector == "reference"
    assert np.array_equal(activity.raw, reference.raw)
    assert agreement(activity, dense) >= 0.96


def test_dense_speech_that_ends_long_before_the_recording_does_is_dense_all_the_same():
    dense = [(0.3 + 2.6 * turn, 2.4 + 2.6 * turn) for turn in range(8)]
    reference, bands = reference_of(voice("dense", dense) + white(2, 20.0))
    assert float(np.mean(reference.raw)) < RobustParams().decide.dense_share
    activity = robust_activity(reference, bands)
    assert reference.doubts and activity.detector == "reference"
    assert agreement(activity, dense) >= 0.96


@pytest.mark.parametrize("agreement_share", [0.875, 0.93], ids=["dense alone", "dense and loud"])
def test_dense_sound_whose_background_changes_keeps_no_answer_that_is_not_the_same(agreement_share):
    dense = [(0.3 + 2.6 * turn, 2.4 + 2.6 * turn) for turn in range(15)]
    reference, bands = reference_of(voice("dense", dense) + white(2, 20.0))
    params = RobustParams()
    found = decide.vote(bands, None, None, params)
    assert not found.cuts and decide._confirmed(reference, found, agreement_share, params)
    assert not decide._confirmed(reference, replace(found, cuts=(1500,)), agreement_share, params)


@pytest.mark.parametrize("at_sec", [9.0, 17.0, 25.0])
def test_noise_that_begins_in_the_call_is_cut_off_where_it_begins(at_sec):
    late = np.where(np.arange(COUNT) >= at_sec * RATE, white(4, 12.0), 0.0)
    activity = heard(voice("caller", CALLER) + white(9, 52.0) + late)
    assert activity.detector == ROBUST and agreement(activity, CALLER) >= 0.94
    steps = [reason.evidence["at_sec"] for reason in activity.reasons if reason.code == "noise_step"]
    assert steps[0] == pytest.approx(at_sec, abs=0.1)


def test_hold_music_is_not_the_party_that_is_held():
    activity = heard(voice("agent", AGENT) + white(3, 52.0) + chords(20.0, 40.0, -28.0))
    assert activity.detector == ROBUST and agreement(activity, AGENT) >= 0.90
    silent = ~truth(AGENT)
    silent[:2000] = False
    assert np.count_nonzero(activity.trimmed & silent) <= 0.25 * np.count_nonzero(silent)


def test_an_engine_that_passes_is_steady_and_no_speech():
    passing = np.zeros(COUNT)
    passing[15 * RATE : 18 * RATE] = white(5, 4.0)[: 3 * RATE] * np.hanning(3 * RATE)
    activity = heard(voice("caller", CALLER) + white(6, 15.0) + passing)
    assert activity.detector == ROBUST and not activity.trimmed[1400:1950].any()
    assert "stationary_nonspeech" in codes(activity.reasons)


def test_short_sounds_at_equal_distances_are_beats_and_words_are_not():
    grid, params = FrameGrid.from_ms(RATE), RobustParams().rhythm
    beats = [Run(first, first + 20) for first in (1000, 1050, 1101, 1150)]
    words = [Run(100, 128), Run(150, 290), Run(330, 350), Run(371, 400), Run(460, 480)]
    assert without_beats([*words, *beats], grid, params) == words
    assert without_beats(beats[:2], grid, params) == beats[:2]


@pytest.mark.parametrize("gain_db", [-8.0, -14.0, -22.0])
@pytest.mark.parametrize("lag_sec", [0.03, 0.117, 0.35])
def test_an_echo_is_nobody_and_speech_over_it_is_heard(gain_db, lag_sec):
    agent, caller = voice("agent", AGENT), voice("caller", CALLER)
    activity = heard(caller + white(2, 50.0) + echo(agent, lag_sec, gain_db), agent + white(3, 50.0))
    assert activity.detector == ROBUST and agreement(activity, CALLER) >= 0.93
    (found,) = [reason for reason in activity.reasons if reason.code == "echo_present"]
    assert found.evidence["lag_sec"] == pytest.approx(lag_sec, abs=0.011)
    assert activity.doubts == ()


@pytest.mark.parametrize("level_db", [-2.0, -5.0, -8.0])
def test_speech_no_louder_than_an_echo_is_heard_from_its_beginning(level_db):
    over = [(2.0, 4.0), (7.0, 9.8), (16.0, 18.5), (28.0, 30.5)]
    agent, caller = voice("agent", AGENT), 10.0 ** (level_db / 20.0) * voice("caller", over)
    reference, bands = reference_of(caller + white(2, 50.0) + echo(agent, 0.117, -6.0))
    source, params = reference_of(agent + white(3, 50.0))[1], RobustParams()
    found = robust_activity(reference, bands, source)
    firsts = [run.first for run in found.trimmed_runs]
    for onset in (700, 1600):  # where the agent is speaking
        assert min(abs(first - onset) for first in firsts) <= 5
    moments = replace(params, mount=replace(params.mount, sum_db=1e6))  # without sums
    assert (
        agreement(found, over)
        >= 0.94
        > 0.90
        > agreement(robust_activity(reference, bands, source, moments), over)
    )


def test_what_stays_a_little_over_an_echo_mounts_up_and_what_rises_once_does_not():
    usual, count = 3.0, 1000
    over = usual + np.random.default_rng(1).uniform(-1.0, 1.0, count)
    over[300:340] += 3.0  # an echo with something in it
    over[600:602] = 30.0  # a click
    over[900:] += 3.0  # where the source is silent no echo hides anything
    driving = np.zeros(count, dtype=bool)
    driving[100:850] = True
    found = Contrast(np.rint(over * 1100).astype(np.int32), 11)
    (run,) = mounting(
        found, driving, np.zeros(count, dtype=bool), FrameGrid.from_ms(RATE), RobustParams().mount
    )
    assert run.first == pytest.approx(300, abs=3) and run.stop == pytest.approx(340, abs=5)


def test_syllables_that_an_echo_lets_through_at_equal_distances_are_no_beats():
    syllables = [(12.0 + 0.5 * n, 12.25 + 0.5 * n) for n in range(4)]
    agent = voice("agent", AGENT)
    sound = voice("caller", [*CALLER[:1], *syllables, *CALLER[3:]])
    activity = heard(sound + white(2, 50.0) + echo(agent, 0.2, -14.0), agent + white(3, 50.0))
    for first, stop in syllables:
        assert activity.raw[round(first * 100) + 5 : round(stop * 100) - 5].any()


def test_an_echo_too_faint_for_the_bands_is_trusted_where_the_level_follows_at_the_same_lag():
    agent = voice("agent", AGENT)
    reference, bands = reference_of(voice("caller", CALLER) + echo(agent, 0.3, -45.0) + white(3, 50.0))
    source, params = reference_of(agent)[1], RobustParams()
    bands_alone = replace(params, echo=replace(params.echo, level_limit=1.1))
    assert "echo_present" in codes(robust_activity(reference, bands, source).reasons)
    assert "echo_present" not in codes(robust_activity(reference, bands, source, bands_alone).reasons)


def test_an_echo_alone_is_an_empty_channel():
    agent = voice("agent", AGENT)
    activity = heard(white(2, 52.0) + echo(agent, 0.12, -12.0), agent + white(3, 52.0))
    assert activity.detector == ROBUST and not activity.raw.any()


def test_two_parties_follow_one_another_only_where_one_is_the_others_echo():
    caller, agent = voice("caller", CALLER), voice("agent", AGENT)
    own, source = (energy_vad(a.dbfs, a.grid) for a, _ in map(reference_of, (caller, agent)))
    assert level_follow(own.dbfs, source.dbfs, source.raw, own.grid).correlation < 0.2
    echoed, _ = reference_of(caller + echo(agent, 0.2, -15.0))
    follow = level_follow(echoed.dbfs, source.dbfs, source.raw, own.grid)
    assert follow.sure and follow.correlation > 0.5 and follow.lag_frames == 20


def test_both_parties_mixed_into_both_channels_are_no_echo():
    caller, agent = voice("caller", CALLER), voice("agent", AGENT)
    reference, bands = reference_of(caller + 0.5 * agent)
    activity = robust_activity(reference, bands, reference_of(agent + 0.5 * caller)[1])
    assert "echo_present" not in codes(activity.reasons)


def clip_of(reference, bands, frames):
    """The first frames of what was heard."""
    short = Bands(bands.grid, bands.levels[:, :frames], bands.total[:frames])
    kept = {name: getattr(reference, name)[:frames] for name in ("dbfs", "raw", "active")}
    return replace(reference, **kept), short


def test_noise_on_a_clip_of_a_few_seconds_is_heard_by_the_robust_detector():
    reference, bands = reference_of(voice("caller", CALLER) + white(1, 12.0))
    found = robust_activity(*clip_of(reference, bands, 700))
    assert found.detector == ROBUST and not found.doubts
    assert [round(run.first / 100.0, 1) for run in found.trimmed_runs[:1]] == [CALLER[0][0]]


def test_a_clip_too_short_to_show_a_background_stays_with_the_reference_and_says_so():
    reference, bands = reference_of(voice("caller", CALLER) + white(1, 12.0))
    clip, short = clip_of(reference, bands, 390)
    found = robust_activity(clip, short)
    assert found.detector != ROBUST and (found.raw == clip.raw).all()
    assert found.doubts[:-1] == clip.doubts
    assert found.doubts[-1] == Reason("short_recording", {"duration_sec": 3.9, "least_sec": 4.0})


def test_a_low_level_alone_sends_no_short_clip_to_the_robust_detector():
    reference, bands = reference_of(voice("caller", CALLER) + white(1, 12.0))
    clip, short = clip_of(reference, bands, 900)
    low = replace(clip, doubts=(Reason("low_headroom", {"headroom_db": 9.0}),))
    assert robust_activity(low, short) is low


def test_an_empty_answer_stays_with_the_reference_in_doubt():
    nothing, noise = reference_of(white(7, 5.0))
    assert nothing.doubts and robust_activity(nothing, noise) is nothing


def test_an_end_that_noise_hides_is_put_back():
    spans, fade = [(2.0, 4.0), (8.0, 10.0), (14.0, 16.0), (20.0, 22.0), (26.0, 28.0)], round(0.12 * RATE)
    sound = voice("caller", spans)
    for _, end in spans:
        stop = round(end * RATE)
        sound[stop - fade : stop] *= 10.0 ** (np.linspace(0.0, -36.0, fade) / 20.0)
    for snr_db in (20.0, 12.0, 8.0):
        activity = heard(sound + white(3, snr_db))
        ends = np.array([run.stop for run in activity.trimmed_runs]) / 100.0
        errors = [ends[np.abs(ends - end).argmin()] - end for _, end in spans]
        assert abs(float(np.median(errors))) <= 0.07


def steps(*parts: tuple[int, float]) -> np.ndarray:
    """Levels in hundredths of dBFS: so many frames at so many dBFS, one part after the other."""
    return np.concatenate([np.full(frames, round(100 * dbfs), dtype=np.int16) for frames, dbfs in parts])


@pytest.mark.parametrize(("lead_db", "kept"), [(-50.0, False), (-35.0, True)])
def test_a_weak_lead_is_cut_from_the_sound_that_it_is_joined_to(lead_db, kept):
    """Floor at -60, sound at -30 dBFS: a lead under -45 is nearer to the floor."""
    grid, total = FrameGrid.from_ms(RATE), steps((40, lead_db), (100, -30.0))
    floor = np.full(140, -6000, dtype=np.int32)
    found = without_weak_parts([Run(0, 140)], total, floor, grid, RobustParams().weak)
    assert found == ([Run(0, 140)] if kept else [Run(40, 140)])


def test_a_short_weak_part_and_a_floor_that_changes_cut_nothing():
    grid, params = FrameGrid.from_ms(RATE), RobustParams().weak
    total = steps((60, -30.0), (19, -55.0), (60, -30.0))
    assert without_weak_parts([Run(0, 139)], total, np.full(139, -6000, np.int32), grid, params) == [
        Run(0, 139)
    ]
    floor = np.concatenate([np.full(60, -4000, np.int32), np.full(79, -9000, np.int32)])
    level = steps((139, -30.0))
    assert without_weak_parts([Run(0, 139)], level, floor, grid, params) == [Run(0, 139)]


@pytest.mark.parametrize(("crumb_db", "joined"), [(-54.0, False), (-42.0, True)])
def test_a_crumb_of_the_background_is_not_joined_to_the_word_after_it(crumb_db, joined):
    """Floor at -60, word at -38 dBFS, 0.3 s between both: alike from -44.6 dBFS on."""
    grid, total = FrameGrid.from_ms(RATE), steps((10, crumb_db), (30, -60.0), (60, -38.0), (50, -60.0))
    pieces, floor = [Run(0, 10), Run(40, 100)], np.full(150, -6000, dtype=np.int32)
    found = with_tails(pieces, total, floor, grid, RobustParams().tails)
    assert len(found) == (1 if joined else 2)
    assert found[-1].first == (0 if joined else 40)


def test_crumbs_of_a_reference_are_no_answer():
    others = sum(voice(f"other {k}", [(0.01 * k, 40.0)]) for k in range(6))
    others *= 10.0 ** (-23.0 / 20.0) / rms(others)
    reference, bands = reference_of(voice("caller", CALLER) + others)
    crumbs = np.zeros(reference.frames, dtype=bool)
    for first in range(0, reference.frames - 9, 9):
        crumbs[first : first + 6] = True
    broken = replace(reference, raw=crumbs, active=crumbs)
    strict = replace(RobustParams(), decide=replace(RobustParams().decide, separation_limit_db=99.0))
    believed = replace(strict, decide=replace(strict.decide, crumb_sec=0.0))
    assert robust_activity(broken, bands, params=believed) is broken
    whole = replace(reference, raw=~truth(CALLER), active=~truth(CALLER))
    assert robust_activity(broken, bands, params=strict).detector == ROBUST
    assert robust_activity(whole, bands, params=strict) is whole


@settings(max_examples=8, deadline=None)
@given(shift=st.integers(1, 300), seed=st.integers(0, 5))
def test_a_shift_by_whole_frames_shifts_what_is_heard(shift, seed):
    """But for the beginning and the end, where the windows of the floor are cut."""
    sound = voice("caller", CALLER) + white(seed, 12.0)
    plain = heard(sound).trimmed
    moved = heard(np.concatenate([white(seed + 50, 12.0)[: shift * 80], sound[: -shift * 80]])).trimmed
    inside = slice(600, SECONDS * 100 - 900)
    assert np.mean(plain[inside] == np.roll(moved, -shift)[inside]) >= 0.98


@pytest.mark.parametrize("shrink", [2.0, 4.0])
def test_a_power_of_two_changes_nothing_but_levels(shrink):
    sound = np.rint((voice("caller", CALLER) + white(3, 12.0)) * 32768.0 / 4.0) * 4.0 / 32768.0
    assert np.mean(heard(sound).trimmed == heard(sound / shrink).trimmed) >= 0.995


def test_two_runs_give_the_same_bytes():
    one, two = (heard(voice("caller", CALLER) + rumble(1, 10.0)) for _ in range(2))
    assert one.raw.tobytes() == two.raw.tobytes() and one.dbfs.tobytes() == two.dbfs.tobytes()
    assert one.reasons == two.reasons
