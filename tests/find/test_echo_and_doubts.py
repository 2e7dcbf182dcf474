"""What keeps a moment from a confident verdict: echo, weak sounds, doubts about a channel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hotato import acoustics
from hotato.acoustics import noise
from hotato.cli.gates import incident_gate
from hotato.errors import EXIT_FAIL, EXIT_REFUSE
from hotato.find import CRITICAL, WARNING, autopsy, scan
from hotato.find.health import reservations
from hotato.find.records import Candidate
from hotato.listen import Heard, attend, hear, tell_apart
from hotato.score import Gates, Label, score_event
from hotato.score.event import Identity
from hotato.stacks import channel_map
from hotato.timing import Reason, Run
from hotato.timing.activity import ROBUST
from hotato.trust import examine


def codes(candidate: Candidate) -> set[str]:
    return {reason.code for reason in candidate.doubts}


def heard_from(path, detector="auto") -> Heard:
    return attend(hear(path), channel_map(), detector=detector)


@pytest.mark.parametrize(("lag", "gain"), [(0.05, 0.5), (0.12, 0.2), (0.31, 0.35)])
def test_a_caller_channel_that_copies_the_agent_is_suspected_and_never_critical(
    write_call, syllables, delayed, lag, gain
) -> None:
    agent = syllables([(0.5, 3.0), (4.0, 7.0)], 8.0, level=0.6)
    path = write_call(delayed(agent, lag, gain), agent)
    found = [c for c in scan(heard_from(path)) if c.kind == "echo_correlated_activity"]
    assert len(found) == 1
    assert found[0].evidence["lag_sec"] == pytest.approx(lag, abs=0.0101)
    assert found[0].t_sec == pytest.approx(0.5 + lag, abs=0.03)
    opened = autopsy(tell_apart(hear(path), channel_map()))
    assert {i.severity for i in opened.incidents} == {WARNING}
    assert "ECHO SUSPECTED" in {i.kind for i in opened.incidents}
    assert "FIRST-TURN OVERLAP" not in {i.kind for i in opened.incidents}
    assert "follow the agent" in opened.sentence


def test_a_stretch_that_copies_the_agent_is_explained_and_a_caller_on_top_of_it_is_not(
    write_call, syllables, delayed
) -> None:
    agent = syllables([(0.5, 12.0)], 13.0, level=0.6)
    caller = syllables([(6.0, 9.0)], 13.0, level=0.6, seed=8)
    bleed = delayed(agent, 0.1, 0.1)
    leak = np.where(np.arange(len(agent)) < 3 * 8000, bleed, 0.0)  # the bleed is cancelled after 3 s
    heard = heard_from(write_call(leak + caller, agent), "reference")
    assert not heard.echo.suspected
    overlaps = {round(c.t_sec, 1): c for c in scan(heard) if c.kind == "overlap_while_agent_talking"}
    assert "echo_explained" in codes(overlaps[0.6])
    assert "echo_explained" not in codes(overlaps[6.0])
    opened = autopsy(tell_apart(hear(write_call(leak + caller, agent, name="again.wav")), channel_map()))
    assert opened.critical == 1 and opened.incidents[0].t_sec == pytest.approx(6.0, abs=0.02)


def test_real_speech_over_bleed_that_never_stops_is_not_explained_by_it(
    write_call, syllables, delayed
) -> None:
    agent = syllables([(0.5, 8.0)], 9.0, level=0.6)
    caller = syllables([(3.0, 6.0)], 9.0, level=0.4, seed=8)
    # Bleed at -26 dB: far below the caller, and loud enough to count as sound by itself.
    heard = heard_from(write_call(delayed(agent, 0.1, 0.05) + caller, agent))
    found = [c for c in scan(heard) if c.kind == "overlap_while_agent_talking"]
    with_caller = [c for c in found if c.span.start_sec <= 3.02 < c.span.end_sec or c.t_sec >= 2.9]
    assert with_caller and all("echo_explained" not in codes(c) or c.t_sec < 2.0 for c in with_caller)


@pytest.mark.parametrize(("length_sec", "explained"), [(0.2, False), (0.6, True)])
def test_a_short_sound_says_nothing_about_a_copy(
    write_call, syllables, delayed, length_sec, explained
) -> None:
    agent = syllables([(0.5, 12.0)], 13.0, level=0.6)
    leak = delayed(agent, 0.1, 0.1)
    leak[: round(5.6 * 8000)] = 0.0
    leak[round((5.6 + length_sec) * 8000) :] = 0.0
    heard = heard_from(write_call(leak, agent), "reference")
    found = [c for c in scan(heard) if c.kind == "overlap_while_agent_talking"]
    assert found and any("echo_explained" in codes(c) for c in found) is explained


@pytest.mark.parametrize(
    ("known", "caller_level", "explained"),
    [
        ({"lag_sec": 0.1, "gain_db": -20.0}, 0.0, True),
        ({"lag_sec": 0.3, "gain_db": -20.0}, 0.0, False),
        ({"lag_sec": 0.1, "gain_db": -40.0}, 0.0, False),
        ({"lag_sec": 0.1, "gain_db": -20.0}, 0.1, False),
        (None, 0.0, False),
    ],
    ids=["copy", "another lag", "far louder than the echo", "a caller on top", "no echo known"],
)
def test_an_uneven_copy_is_explained_where_lag_and_gain_of_the_echo_are_known(
    write_call, syllables, delayed, known, caller_level, explained
) -> None:
    agent = syllables([(0.5, 12.0)], 13.0, level=0.6)
    bleed = delayed(agent, 0.1, 0.1)
    uneven = np.random.default_rng(4).choice([-2.0, 2.0], size=131).repeat(800)[: len(bleed)]  # dB, by 0.1 s
    bleed = bleed * 10.0 ** (uneven / 20.0) * (np.arange(len(bleed)) < 3 * 8000)
    caller = syllables([(0.6, 3.0)], 13.0, level=1.0, seed=8) * caller_level
    heard = heard_from(write_call(bleed + caller, agent), "reference")
    if known is not None:
        reasons = (Reason("echo_present", {"correlation": 0.5, **known}),)
        activity = replace(heard.caller.activity, detector=ROBUST, reasons=reasons)
        heard = replace(heard, caller=replace(heard.caller, activity=activity))
    overlap = next(c for c in scan(heard) if c.kind == "overlap_while_agent_talking")
    assert overlap.t_sec == pytest.approx(0.6, abs=0.03)
    assert ("echo_explained" in codes(overlap)) is explained


def test_two_sounds_of_their_own_rhythm_explain_nothing(render) -> None:
    heard = render([(2.0, 4.0)], [(0.5, 3.0)], 6.0)
    assert all("echo_explained" not in codes(c) for c in scan(heard))


def test_a_sound_that_hardly_rises_over_the_threshold_is_weak_and_never_critical(write_call, sound) -> None:
    agent = sound([(0.5, 4.0), (5.3, 12.0)], 13.0, seed=2)
    for level, weak in ((0.0015, True), (0.01, False)):  # -56.5 and -40 dBFS, over a threshold of -60
        path = write_call(sound([(2.0, 5.0)], 13.0, level=level), agent, name=f"{level}.wav")
        overlap = next(
            c for c in scan(heard_from(path, "reference")) if c.kind == "overlap_while_agent_talking"
        )
        assert ("weak_onset" in codes(overlap)) is weak
        opened = autopsy(tell_apart(hear(path), channel_map(), detector="reference"))
        assert (opened.critical == 0) is weak


@pytest.mark.parametrize("side", ["caller", "agent"])
def test_a_doubt_about_either_channel_weakens_every_moment(render, side) -> None:
    heard = render([(3.0, 6.0)], [(0.5, 4.5)], 7.0)
    track = getattr(heard, side)
    doubted = replace(
        track, activity=replace(track.activity, doubts=(Reason("hum", {"frequency_hz": 50.0}),))
    )
    candidates = scan(replace(heard, **{side: doubted}))
    assert candidates and all("hum" in codes(c) for c in candidates)
    assert all("hum" not in codes(c) for c in scan(heard))


def test_a_constant_offset_is_removed_and_said(write_call, sound) -> None:
    caller, agent = sound([(3.0, 6.0)], 7.0), sound([(0.5, 4.5)], 7.0, seed=2)
    clean = autopsy(tell_apart(hear(write_call(caller, agent)), channel_map()))
    shifted = autopsy(tell_apart(hear(write_call(caller + 0.05, agent, name="dc.wav")), channel_map()))
    assert "dc_offset" in {finding.code for finding in shifted.health}
    assert [i.kind for i in clean.incidents] == [i.kind for i in shifted.incidents]


def test_every_doubt_about_a_call_is_put_into_words() -> None:
    from hotato.find import health
    from hotato.report.doubts import DOUBT_WORDS
    from hotato.trust.missing import MISSING

    codes = (
        *health._EVERY_DURATION,
        *health._NO_COMMON_CLOCK,
        *health._OTHER_VOICE,
        *health._UNCONFIRMED,
        *MISSING,
    )
    assert [code for code in codes if code not in DOUBT_WORDS] == []


@pytest.mark.parametrize("robust", [False, True])
def test_an_overlap_that_begins_behind_a_pause_of_the_noise_is_never_critical(render, robust) -> None:
    heard = render([(2.0, 5.0)], [(0.5, 1.85), (2.05, 4.0)], 8.0)
    if robust:
        agent = replace(heard.agent, activity=replace(heard.agent.activity, detector=ROBUST))
        heard = replace(heard, agent=agent)
    overlaps = [c for c in scan(heard) if c.kind in ("agent_start_during_caller", "dual_start")]
    assert overlaps and all(("uncertain_edge" in codes(c)) is robust for c in overlaps)
    incidents = autopsy(heard).incidents
    assert incidents and any(i.severity == CRITICAL for i in incidents) is not robust


ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def demo_with_music(tmp_path: Path):
    """The demo call with hold music on one channel: its two CRITICAL incidents lie from 22.2 to 31.3 s."""

    def written(channel: int, first_sec: int, stop_sec: int) -> Path:
        samples, rate = soundfile.read(ROOT / "src/hotato/data/demo/cancel-call.flac", dtype="int16")
        both, length = samples.astype(np.int64), (stop_sec - first_sec) * rate
        bed = noise.at_level(noise.music(length, rate), -26.0)
        both[first_sec * rate : stop_sec * rate, channel] += bed
        path = tmp_path / f"music-{channel}-{first_sec}.wav"
        soundfile.write(path, np.clip(both, -32768, 32767).astype(np.int16), rate, subtype="PCM_16")
        return path

    return written


@pytest.mark.parametrize("channel", [0, 1])
@pytest.mark.parametrize(("first_sec", "stop_sec", "critical"), [(0, 16, 2), (12, 32, 0)])
def test_nothing_that_lies_in_music_is_critical_and_what_lies_elsewhere_stays_so(
    demo_with_music, channel, first_sec, stop_sec, critical
) -> None:
    opened = autopsy(tell_apart(hear(demo_with_music(channel, first_sec, stop_sec)), channel_map()))
    assert opened.critical == critical and opened.doubts == ("music",)
    assert incident_gate(opened, "critical") == (EXIT_FAIL if critical else EXIT_REFUSE)
    for incident in opened.incidents:
        inside = incident.span.start_sec < stop_sec + 0.3 and incident.span.end_sec > first_sec
        assert ("music" in incident.doubts) == inside
    assert {finding.code for finding in opened.health} >= {"music"}


def test_music_on_either_channel_weakens_a_moment_and_its_neighbourhood_of_half_a_second(render) -> None:
    heard = render([(3.0, 6.0), (11.0, 14.0)], [(1.0, 6.5), (9.0, 14.5)], 18.0)
    assert [i.severity for i in autopsy(heard).incidents if i.kind_key == "barge-in"] == [CRITICAL, CRITICAL]
    for role in ("caller", "agent"):
        track = getattr(heard, role)
        named = replace(track, activity=replace(track.activity, music=(Run(640, 1030),)))
        between = replace(heard, **{role: named})
        found = {round(i.t_sec, 1): i for i in autopsy(between).incidents if i.kind_key == "barge-in"}
        assert {at: "music" in i.doubts for at, i in found.items()} == {3.0: True, 11.0: False}
        assert found[3.0].severity == WARNING and found[11.0].severity == CRITICAL
        assert "music plays on the channel of the" in reservations(
            between, scan(between), examine(between), ()
        )


def test_a_long_silence_in_the_music_of_a_mix_is_not_critical(write_call, sound) -> None:
    mixed = tell_apart(hear(write_call(sound([(1.0, 2.0), (9.0, 10.0)], 12.0))), channel_map())
    assert [i.severity for i in autopsy(mixed).incidents] == [CRITICAL]
    track = replace(mixed.track, activity=replace(mixed.track.activity, music=(Run(300, 700),)))
    (incident,) = autopsy(replace(mixed, track=track)).incidents
    assert (incident.severity, incident.doubts) == (WARNING, ("music",))


def test_echo_is_never_called_none_where_a_copy_was_heard(write_call, syllables, delayed) -> None:
    """Bleed that the coherence alone does not show, because the caller speaks over it."""
    agent = syllables([(0.5, 3.0), (8.0, 20.0)], 21.0, level=0.6)
    caller = syllables([(3.5, 5.0), (10.0, 13.0), (15.0, 18.0)], 21.0, level=0.6, seed=8)
    clean = autopsy(tell_apart(hear(write_call(caller, agent, name="clean.wav")), channel_map()))
    bled = tell_apart(hear(write_call(caller + delayed(agent, 0.15, 0.3), agent)), channel_map())
    assert isinstance(bled, Heard)
    assert any(reason.code == "echo_present" for reason in bled.caller.activity.reasons)
    assert not bled.echo.suspected
    told = [dict(incident.facts)["echo"] for incident in autopsy(bled).incidents]
    assert told and all(text.startswith("a copy of the agent 0.15 s later") for text in told)
    assert {dict(i.facts)["echo"].partition(" (")[0] for i in clean.incidents} == {"none"}


LONG_TALK_OVER = {"caller_segments_sec": [[0.8, 4.2]], "agent_segments_sec": [[0.2, 4.6]]}


def rendered(tmp_path, **more) -> Heard:
    """The caller talks over an agent who goes on, as noise shaped like speech; `more` of the line."""
    block = {**LONG_TALK_OVER, **more}
    call = {"id": "call", "duration_sec": 5.2, "sample_rate": 16000, "reference_render": block}
    path = tmp_path / "call.wav"
    path.write_bytes(acoustics.wav_bytes(acoustics.render(call), 16000))
    return tell_apart(hear(path), channel_map())


def test_two_long_sounds_at_once_are_alike_and_yet_no_echo(tmp_path) -> None:
    heard = rendered(tmp_path)
    assert heard.echo.suspected, "the documented coherence takes any long overlap for an echo"
    assert heard.echo_refuted and not heard.echo_suspected
    assert not heard.caller.activity.doubts
    assert "echo_correlated_activity" not in {c.kind for c in scan(heard)}
    opened = autopsy(heard)
    assert [i.severity for i in opened.incidents] == [CRITICAL] and not opened.doubts
    report = examine(heard)
    assert report.crosstalk_risk.suspected and report.crosstalk_risk.refuted
    assert "crosstalk" not in {cause.code for cause in report.findings} and report.verdict_eligible
    event = score_event(heard, Label(expected_yield=False), Gates(), Identity("x", None, None, "c"))
    assert event.signals.echo.echo_suspected, "the documented signal stays"


@pytest.mark.parametrize("gain_db", [-6.0, -12.0, -20.0])
def test_a_copy_that_nobody_talks_over_is_never_refuted(tmp_path, gain_db) -> None:
    heard = rendered(tmp_path, caller_segments_sec=[], echo={"delay_sec": 0.12, "gain_db": gain_db})
    assert heard.echo_suspected and not heard.echo_refuted


def test_a_copy_under_a_caller_is_not_refuted(tmp_path) -> None:
    heard = rendered(tmp_path, echo={"delay_sec": 0.12, "gain_db": -6.0})
    assert heard.echo.suspected and not heard.echo_refuted


def test_noise_that_hides_how_a_copy_moves_refutes_nothing(tmp_path) -> None:
    heard = rendered(tmp_path, noise_floor_dbfs=-40.0)
    assert heard.echo.suspected and not heard.echo_refuted


def test_a_source_too_short_to_tell_refutes_nothing(tmp_path) -> None:
    short = {"caller_segments_sec": [[0.4, 1.4]], "agent_segments_sec": [[0.2, 1.6]]}
    heard = rendered(tmp_path, **short)
    assert heard.echo.suspected and not heard.echo_refuted
