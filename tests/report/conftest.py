"""A rendered call with known edges, and an autopsy of it written by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hotato.find.records import Autopsy, Incident
from hotato.findings import Finding
from hotato.listen import Heard, attend, hear
from hotato.stacks import ChannelMap
from hotato.timing import Measured, Span, measure_floor

Spans = list[tuple[float, float]]

RATE_HZ = 16000
DURATION_SEC = 42.0
CALLER: Spans = [(5.0, 6.7), (13.3, 15.0), (19.4, 22.9), (35.0, 36.1)]
AGENT: Spans = [(0.4, 4.1), (7.2, 12.6), (16.0, 21.35), (29.9, 34.2), (37.0, 41.2)]


def voice(spans: Spans, duration_sec: float, seed: int, rate_hz: int = RATE_HZ) -> np.ndarray:
    """Noise with a syllable-like swell inside `spans`, faint noise elsewhere."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(duration_sec * rate_hz)) / rate_hz
    sound = 3e-4 * rng.standard_normal(len(t))
    swell = (
        0.45 + 0.4 * np.abs(np.sin(2 * np.pi * (2.1 + 0.3 * seed) * t)) + 0.15 * np.sin(2 * np.pi * 0.7 * t)
    )
    for start, end in spans:
        inside = slice(round(start * rate_hz), round(end * rate_hz))
        sound[inside] += 0.12 * swell[inside] * rng.standard_normal(len(sound[inside]))
    return sound


def write_call(path: Path, caller: Spans, agent: Spans, duration_sec: float, rate_hz: int = RATE_HZ) -> Path:
    """A two-channel PCM16 WAV, caller on channel 0."""
    import soundfile

    both = np.stack([voice(caller, duration_sec, 1, rate_hz), voice(agent, duration_sec, 2, rate_hz)], axis=1)
    soundfile.write(path, np.clip(both, -1, 1), rate_hz, subtype="PCM_16")
    return path


def incident(rank: int, start: float, end: float, **changes: object) -> Incident:
    """An incident of a plain kind, changed as the test needs."""
    length = round(end - start, 3)
    values: dict[str, object] = {
        "rank": rank,
        "id": f"apx-cc33f46fad58#{rank}",
        "kind": "BARGE-IN",
        "kind_key": "barge-in",
        "severity": "CRITICAL",
        "t_sec": start,
        "span": Span(start, end),
        "title": "Talked over the caller",
        "sentence": f"The caller took the floor and the agent kept talking for {length:.2f} s.",
        "detail": f"overlap={length:.2f}s",
        "headline": Measured(
            round(length + 0.15, 3), length, round(length - 0.03, 3), round(length + 0.04, 3)
        ),
        "bound_sec": 1.0,
        "boundary_sensitive": False,
        "measurements": {"overlap_sec": length + 0.15},
        "facts": (
            ("yielded after", f"{length:.2f} s"),
            ("caller level", "31 dB over noise"),
            ("echo", "none (coherence 0.12)"),
            ("detector", "reference"),
        ),
        "scan_kind": "overlap_while_agent_talking",
    }
    return Incident(**(values | changes))  # type: ignore[arg-type]


def three_incidents() -> tuple[Incident, ...]:
    """The incidents of the rendered call: one talk-over, one dead air, one latency spike."""
    return (
        incident(1, 19.4, 21.35),
        incident(
            2,
            22.9,
            29.9,
            kind="DEAD AIR",
            kind_key="dead-air",
            title="Dead air after the caller's turn",
            sentence="After the caller's turn nobody spoke for 7.00 s.",
            bound_sec=5.0,
            facts=(("ended by", "the agent at 0:29.9"), ("detector", "reference")),
            scan_kind="long_response_gap",
        ),
        incident(
            3,
            12.6,
            13.3,
            kind="LATENCY SPIKE",
            kind_key="latency-spike",
            severity="WARNING",
            title="A slow answer",
            sentence="The answer took 0.70 s.",
            bound_sec=None,
            doubts=("weak_onset",),
            scan_kind="long_response_gap",
        ),
    )


@pytest.fixture(scope="session")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """The rendered call, heard."""
    path = write_call(tmp_path_factory.mktemp("call") / "support-call.wav", CALLER, AGENT, DURATION_SEC)
    return attend(hear(path, keep_samples_bytes=10_000_000), ChannelMap(0, 1))


@pytest.fixture(scope="session")
def make_autopsy(heard: Heard) -> Callable[..., Autopsy]:
    """Builds the autopsy of the rendered call with fields changed as the test needs."""

    def build(**changes: object) -> Autopsy:
        values: dict[str, object] = {
            "id": "apx-cc33f46fad58",
            "source": "support-call.wav",
            "duration_sec": DURATION_SEC,
            "channels": 2,
            "sample_rate_hz": RATE_HZ,
            "mode": "stereo",
            "sentence": "At 0:19.4 the caller interrupted and the agent kept talking for 1.95 s. "
            "Then nobody spoke for 7.0 s.",
            "incidents": three_incidents(),
            "floor": measure_floor(heard.caller.activity, heard.agent.activity),
            "health": (
                Finding(
                    code="header_size_unknown",
                    sentence="The header states no length; the file was read to its end.",
                    remedy="Nothing needs doing; a finished export would state it.",
                ),
            ),
            "note": "Timing only: who made sound when, never what was meant.",
        }
        return Autopsy(**(values | changes))  # type: ignore[arg-type]

    return build


@pytest.fixture(scope="session")
def make_incident() -> Callable[..., Incident]:
    """Builds one incident."""
    return incident


@pytest.fixture(scope="session")
def autopsy(make_autopsy: Callable[..., Autopsy]) -> Autopsy:
    """The autopsy of the rendered call."""
    return make_autopsy()


@pytest.fixture(scope="session")
def call_writer() -> Callable[..., Path]:
    """Writes a two-channel call with given spans."""
    return write_call
