"""A rendered call with known edges, an autopsy of it written by hand, and a browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from hotato.checks import Check, Checks
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser, the one that Debian calls Chromium."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("Chromium is not installed")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield launched
        launched.close()


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


HOSTILE = (
    "|",
    "`",
    "``",
    "<b>",
    "</code>",
    "<!--",
    "-->",
    "]]>",
    "&amp;",
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\u2028",
    "\ufffe",
    "\ud800",
    "\U000f0000",
    "\\",
    "\\|",
    "@team",
    "#12",
    "www.example.org",
    "https://example.org",
    "*",
    "_",
    "[x](y)",
    "![x](y)",
    ":",
    '"',
    "'",
    "{{ 7 * 7 }}",
    "%s",
    "x" * 10_000,
    "\U0001f4a5",
    "a",
    " ",
)
"""What a name of a file, a check or a group may hold when somebody means ill."""


@pytest.fixture(scope="session")
def hostile_checks() -> st.SearchStrategy[Checks]:
    """Gates of every outcome whose every text is hostile."""
    # By number, because hypothesis writes a strategy out in full and warns when that is long.
    pieces = st.lists(st.integers(0, len(HOSTILE) - 1), min_size=1, max_size=4)
    text = pieces.map(lambda numbers: "".join(HOSTILE[number] for number in numbers))
    numbers = st.none() | st.booleans() | st.floats() | text
    check = st.builds(
        Check,
        id=text,
        group=text | st.just("contracts"),
        status=st.sampled_from(["pass", "fail", "error"]),
        title=text,
        reason=st.none() | text,
        codes=st.lists(text, max_size=2).map(tuple),
        measured=st.dictionaries(text | st.just("talk_over_sec"), numbers, max_size=3),
        file=st.none() | text,
        next_step=st.none() | text,
    )
    return st.builds(
        Checks,
        name=text,
        checks=st.lists(check, max_size=4).map(tuple),
        exit_code=st.sampled_from([0, 1, 2]),
        notes=st.lists(text, max_size=2).map(tuple),
        reproduce=st.lists(text, max_size=3).map(tuple),
    )


@pytest.fixture(scope="session")
def gate() -> Checks:
    """A gate with a pass, a failure and a check that could not be made, in two groups."""
    return Checks(
        name="contract verify",
        checks=(
            Check(
                id="hold-001",
                group="contracts",
                status="pass",
                title="keeps talking through a short sound",
                measured={"did_yield": False, "talk_over_sec": 0.31},
            ),
            Check(
                id="cancel-002",
                group="contracts",
                status="fail",
                title="gives way to the caller",
                reason="did not yield; talk-over 2.66 s, limit 1.00 s",
                codes=("did_not_yield", "talk_over_exceeded"),
                measured={"did_yield": False, "seconds_to_yield": None, "talk_over_sec": 2.66},
                file="contracts/cancel 002.hotato/contract.json",
                next_step="record the call again",
            ),
            Check(
                id="cancel-002 seal",
                group="seals",
                status="error",
                title="is what was sealed",
                reason="audio/event.flac was changed",
                codes=("tampered",),
                file="/home/somebody/contracts",
            ),
        ),
        exit_code=1,
        notes=("A frozen recording shows that the measurement holds, not that the agent behaves.",),
        reproduce=("hotato", "contract", "verify", "contracts"),
    )
