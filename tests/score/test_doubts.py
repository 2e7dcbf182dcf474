"""What weakens a verdict without changing it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotato.listen import attend, hear
from hotato.report import build_report_html, run_text
from hotato.report.doubts import DOUBT_WORDS
from hotato.score import doubts, run_single
from hotato.stacks import channel_map
from hotato.timing import UNCERTAIN_EDGE, Run, measure_answer, measure_calibrated, measure_event
from hotato.timing.activity import ROBUST
from hotato.trust.missing import MISSING


def doubts_of(**keywords):
    (event,) = run_single(**keywords)["events"]
    return event["verdict"].get("doubts", [])


@pytest.mark.parametrize(("length", "click"), [(0.001, True), (0.02, True), (0.06, False), (0.5, False)])
def test_a_detected_onset_that_is_a_click_is_doubted(render, length, click):
    call = render("call.wav", caller=[(0.5, 0.5 + length), (2.0, 2.0 + 0.5)], agent=[(0.0, 2.4)])
    assert ("click" in doubts_of(stereo=call)) == click
    assert "click" not in doubts_of(stereo=call, onset_sec=0.5)


@pytest.mark.parametrize(
    ("onset", "inside"), [(1.8, False), (2.0, False), (2.15, False), (2.4, True), (3.2, False)]
)
@pytest.mark.parametrize("profile", ["documented", "calibrated"])
def test_a_stated_onset_inside_a_sound_of_the_caller_is_doubted(render, profile, onset, inside):
    call = render("call.wav", caller=[(2.0, 3.0)], agent=[(0.2, 2.2)])
    found = doubts_of(stereo=call, onset_sec=onset, profile=profile)
    assert ("onset_inside_sound" in found) == inside
    assert "onset_inside_sound" not in doubts_of(stereo=call, profile=profile)


def test_a_click_changes_no_number(render):
    call = render("call.wav", caller=[(0.5, 0.51)], agent=[(0.0, 2.4)])
    (found,), (stated,) = (run_single(stereo=call, onset_sec=at)["events"] for at in (None, 0.49))
    assert found["signals"] == stated["signals"]


@pytest.mark.parametrize("expect", ["yield", "hold"])
@pytest.mark.parametrize(
    ("caller", "stop", "late"),
    [
        ([(2.0, 2.3), (3.5, 4.5)], 3.4, True),  # its own sentence ended, then the caller answered
        ([(2.0, 2.3)], 2.65, True),
        ([(2.0, 2.3)], 2.55, False),
        ([(2.0, 3.5)], 2.6, False),
        ([(2.0, 2.3), (2.5, 3.5)], 3.3, False),  # a pause that ends no turn
    ],
)
def test_a_stop_long_after_the_callers_sound_is_doubted_and_judged_as_documented(
    render, expect, caller, stop, late
):
    call = render("call.wav", caller=caller, agent=[(0.2, stop)])
    (event,) = run_single(stereo=call, onset_sec=2.0, expect=expect)["events"]
    assert event["verdict"]["did_yield"] and event["verdict"]["passed"] == (expect == "yield")
    assert ("late_stop" in event["verdict"].get("doubts", [])) == late


def test_a_swap_is_suspected_until_somebody_confirms_the_channels(render, tmp_path):
    call = render("call.wav", caller=[(0.2, 5.0)], agent=[(1.0, 2.4)])
    given = {"stereo": call, "onset_sec": 2.0}
    assert "possible_swap" in doubts_of(**given)
    assert "possible_swap" in doubts_of(**given, stack="vapi")
    assert "possible_swap" not in doubts_of(**given, confirm_channels=True)
    assert "possible_swap" not in doubts_of(**given, caller_channel=0)


def test_a_doubt_that_the_room_can_raise_is_said_in_words():
    raised = {doubts.CLICK, doubts.LATE_STOP, UNCERTAIN_EDGE}
    raised |= {*doubts._BETWEEN_CHANNELS, *MISSING, "rate_mislabelled"}
    assert raised <= set(DOUBT_WORDS)


def test_the_bleed_of_the_agent_is_named():
    from hotato.score.suite import bundled

    call = bundled("battery", "audio") / "07-echo-bleed.example.wav"
    assert {"echo_present", "leakage"} <= set(doubts_of(stereo=call, onset_sec=2.0, detector="reference"))
    (event,) = run_single(stereo=call, onset_sec=2.0)["events"]  # the robust detector hears nobody
    assert event["not_scorable_code"] == "only_echo" and "doubts" not in event["verdict"]


def _as_if_robust(heard):
    """The call as if the robust detector had answered on both channels."""
    tracks = {
        role: replace(track, activity=replace(track.activity, detector=ROBUST))
        for role, track in (("caller", heard.caller), ("agent", heard.agent))
    }
    return replace(heard, **tracks)


@pytest.mark.parametrize(
    ("agent", "uncertain"),
    [
        ([(0.2, 2.6)], False),
        ([(0.2, 2.6), (2.82, 4.5)], True),  # a pause so brief that noise may have made it
        ([(0.2, 2.6), (2.78, 2.88), (4.5, 5.5)], True),  # a sound so brief
        ([(0.2, 0.8), (1.0, 2.6)], False),  # a brief pause that is over before the caller begins
        ([(0.2, 2.6), (3.6, 3.7)], False),  # a brief sound when the yield has been counted
    ],
)
@pytest.mark.parametrize("profile", ["documented", "calibrated"])
def test_a_verdict_that_rests_on_what_noise_may_have_made_is_doubted(render, agent, uncertain, profile):
    heard = attend(hear(render("call.wav", caller=[(2.0, 5.0)], agent=agent)), channel_map())
    for one, doubted in ((heard, False), (_as_if_robust(heard), uncertain)):
        caller, agent_heard, cfg = one.caller.activity, one.agent.activity, one.cfg
        if profile == "calibrated":
            timing = measure_calibrated(caller, agent_heard, 2.0, cfg)
        else:
            timing = measure_event(caller, agent_heard, one.grid.frames_of(2.0), cfg)
        found = doubts.doubts_of(one, timing, detected=False, confirmed=True)
        assert (UNCERTAIN_EDGE in found) == doubted


def test_a_detected_onset_that_noise_may_have_made_is_doubted_and_a_stated_one_is_not(render):
    call = render("call.wav", caller=[(2.0, 2.1), (4.0, 5.0)], agent=[(0.2, 2.4)])
    heard = _as_if_robust(attend(hear(call), channel_map()))
    timing = measure_event(heard.caller.activity, heard.agent.activity, heard.grid.frames_of(2.0), heard.cfg)
    for detected in (True, False):
        found = doubts.doubts_of(heard, timing, detected=detected, confirmed=True)
        assert (UNCERTAIN_EDGE in found) == detected


def test_advice_on_a_doubted_moment_says_what_to_settle_first(render):
    words = [(0.2 + 0.6 * n, 0.7 + 0.6 * n) for n in range(12)]
    silent = {"caller": words[3:8], "agent": words, "seconds": 9.0}
    (clean,) = run_single(stereo=render("clean.wav", **silent), onset_sec=2.0)["events"]
    assert clean["fix"]["knob"] and "settle_first" not in clean["fix"]
    noisy = run_single(stereo=render("noisy.wav", **silent, noise=0.05), onset_sec=2.0, detector="reference")
    (event,) = noisy["events"]
    assert "low_snr" in event["verdict"]["doubts"] and event["fix"]["knob"]
    said = event["fix"]["settle_first"][0]
    assert said.startswith("Listen to this moment") and "low_snr" in said
    assert noisy["fix_map"][0]["settle_first"] == event["fix"]["settle_first"]
    assert f"first: {said[:40]}" in run_text(noisy, width=200)
    silent["caller"] = [(2.0, 3.2)]
    inside = run_single(stereo=render("inside.wav", **silent), onset_sec=2.5)["events"][0]
    assert [words[:15] for words in inside["fix"]["settle_first"]] == ["Check the onset"]


def test_nothing_is_advised_where_nobody_was_heard(render):
    call = render("call.wav", caller=[], agent=[(0.2, 5.5)])
    (event,) = run_single(stereo=call, onset_sec=2.0, max_time_to_yield_sec=1.0)["events"]
    assert event["not_scorable_code"] == "no_caller_speech" and event["fix"] is None


def test_noise_on_a_recording_too_short_for_the_robust_detector_is_said_where_doubts_are(render):
    call = render("call.wav", caller=[(1.2, 1.9)], agent=[(0.2, 1.6)], seconds=3.0, noise=0.04)
    envelope = run_single(stereo=call, onset_sec=1.2)
    (event,) = envelope["events"]
    for role in ("caller", "agent"):
        (short,) = [d for d in event["activity"][role]["doubts"] if d["code"] == "short_recording"]
        assert short["evidence"] == {"duration_sec": 3.0, "least_sec": 4.0}
    assert "short_recording" in event["verdict"]["doubts"]
    words = "too short for the robust detector"
    assert words in run_text(envelope, width=400)
    assert words in build_report_html(stereo=call, onset_sec=1.2)[0]


@pytest.mark.parametrize("role", ["caller", "agent"])
@pytest.mark.parametrize(("first", "stop", "inside"), [(0, 140, False), (240, 300, True), (640, 900, False)])
def test_music_on_either_channel_is_a_doubt_of_the_verdicts_that_lie_in_it(render, role, first, stop, inside):
    path = render("call.wav", caller=[(2.0, 3.0)], agent=[(0.2, 2.5)], seconds=10.0)
    heard = attend(hear(path), channel_map())
    track = getattr(heard, role)
    track = replace(track, activity=replace(track.activity, music=(Run(first, stop),)))
    named = replace(heard, **{role: track})
    parties = (heard.caller.activity, heard.agent.activity)
    for timing in (measure_event(*parties, 200, heard.cfg), measure_calibrated(*parties, 2.0, heard.cfg)):
        assert ("music" in doubts.doubts_of(named, timing, detected=False)) == inside
        assert "music" not in doubts.doubts_of(heard, timing, detected=False)


@pytest.mark.parametrize(("first", "stop", "inside"), [(0, 220, False), (320, 330, True), (520, 900, False)])
def test_music_in_the_silence_of_an_answer_label_is_a_doubt_of_it(render, first, stop, inside):
    path = render("call.wav", caller=[(2.0, 3.0)], agent=[(0.2, 1.5), (4.5, 6.0)], seconds=10.0)
    heard = attend(hear(path), channel_map())
    timing = measure_answer(heard.caller.activity, heard.agent.activity, 200, heard.cfg)
    agent = replace(heard.agent, activity=replace(heard.agent.activity, music=(Run(first, stop),)))
    found = doubts.answer_doubts(replace(heard, agent=agent), timing, detected=False)
    assert ("music" in found) == inside


def test_the_doubt_about_music_is_said_in_words():
    assert "music" in DOUBT_WORDS and "sings" in DOUBT_WORDS["music"]
