"""The documented measurement on thirteen real recordings, to the millisecond."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hotato.timing import (
    Activity,
    Echo,
    EnergyMeter,
    EventTiming,
    FrameGrid,
    ScoreConfig,
    detect_onset,
    energy_vad,
    envelope_echo,
    measure_event,
    measure_resume,
)

CLIPS = [
    "ami/ami-en2002b-bc-0859.wav",
    "ami/ami-en2002b-take-0149.wav",
    "ami/ami-en2002b-take-0913.wav",
    "ami/ami-es2002a-bc-0526.wav",
    "ami/ami-es2002a-bc-1049.wav",
    "ami/ami-es2002a-take-0677.wav",
    "vapi/vapi-default-01-hard-interruption.wav",
    "vapi/vapi-default-03-backchannel-mhm.wav",
    "vapi/vapi-default-04-backchannel-halt.wav",
    "vapi/vapi-default-05-hold-on.wav",
    "vapi/vapi-default-07-correction.wav",
    "vapi/vapi-default-08-rapid-1.wav",
    "vapi/vapi-default-12-greeting-overlap.wav",
]
CFG = ScoreConfig()


@cache
def heard(path: Path) -> tuple[Activity, Activity, Echo]:
    import soundfile

    samples, rate = soundfile.read(path, dtype="int16")
    grid = FrameGrid.from_ms(rate)
    meter = EnergyMeter(grid, 2, 32768)
    meter.feed(samples)
    caller, agent = meter.finish()
    return (
        energy_vad(caller.dbfs, grid),
        energy_vad(agent.dbfs, grid),
        envelope_echo(caller.rms, agent.rms, grid),
    )


@pytest.fixture(params=CLIPS, ids=lambda name: Path(name).stem)
def clip(request: pytest.FixtureRequest, shared_data: Path) -> tuple[tuple[Activity, Activity, Echo], Any]:
    expected = json.loads((shared_data / "expected-1.18.json").read_text())["clips"]
    assert sorted(expected) == sorted(CLIPS)
    return heard(shared_data / request.param), expected[request.param]


def signals_of(timing: EventTiming, agent: Activity, echo: Echo) -> dict[str, dict[str, Any]]:
    signals: dict[str, dict[str, Any]] = {
        "barge_in": {
            "did_yield": timing.did_yield,
            "time_to_yield_sec": timing.time_to_yield_sec,
            "talk_over_sec": timing.talk_over_sec,
        },
        "latency": {
            "response_gap_sec": timing.response_gap_sec,
            "premature_start_sec": timing.premature_start_sec,
        },
        "echo": {"coherence": echo.coherence, "lag_sec": echo.lag_sec, "echo_suspected": echo.suspected},
    }
    if timing.yield_frame is not None:
        resume = measure_resume(agent, timing.yield_frame)
        signals["resume"] = {
            "resumed": resume.resumed,
            "resume_gap_sec": resume.gap_sec,
            "restart_suspected": resume.restart_suspected,
        }
    return signals


def test_the_detector_gives_the_documented_thresholds_and_frames(clip: Any) -> None:
    (caller, agent, _), expected = clip
    assert {
        "caller_threshold_db": round(caller.threshold_db, 3),
        "caller_noise_floor_db": round(caller.noise_floor_db, 3),
        "agent_threshold_db": round(agent.threshold_db, 3),
        "agent_noise_floor_db": round(agent.noise_floor_db, 3),
        "active_frames": {"caller": int(caller.active.sum()), "agent": int(agent.active.sum())},
        "frames": caller.frames,
    } == expected["vad"]
    for name, track in (("caller", caller), ("agent", agent)):
        trust = expected["trust"]["channels"][name]
        assert round(track.active_sec, 3) == trust["active_sec"]
        onset = detect_onset(track, CFG)
        assert (None if onset is None else round(onset * track.hop_sec, 3)) == trust["first_speech_sec"]


def test_a_labelled_event_gives_the_documented_signals(clip: Any) -> None:
    (caller, agent, echo), expected = clip
    run = expected["run"]
    onset = round(run["measurements"]["onset_requested_sec"] / caller.hop_sec)
    timing = measure_event(caller, agent, onset, CFG)
    assert signals_of(timing, agent, echo) == run["signals"]
    assert timing.onset_frame == run["measurements"]["onset_frame_index"]
    assert timing.yield_frame == run["measurements"]["yield_frame_index"]
    assert timing.agent_talking_at_onset == run["measurements"]["agent_talking_at_onset"]


def test_a_detected_event_gives_the_documented_signals(clip: Any) -> None:
    (caller, agent, echo), expected = clip
    run = expected["run_detect"]
    onset = detect_onset(caller, CFG)
    assert onset == run["measurements"]["onset_frame_index"]
    assert onset is not None
    timing = measure_event(caller, agent, onset, CFG)
    assert signals_of(timing, agent, echo) == run["signals"]
    assert timing.yield_frame == run["measurements"]["yield_frame_index"]
    assert timing.agent_talking_at_onset == run["measurements"]["agent_talking_at_onset"]
