"""Scored events written by hand, and hypothesis strategies of them."""

from __future__ import annotations

import hashlib
from typing import Any

from hypothesis import strategies as st

BOUNDS = {"max_time_to_yield_sec": 1.0, "max_talk_over_sec": 0.8, "max_response_gap_sec": None}


def provenance(samples: str) -> dict[str, Any]:
    """Provenance of a two-channel recording whose samples are named."""
    digest = hashlib.sha256(samples.encode()).hexdigest()
    side = {
        "role": "stereo",
        "path": f"{samples}.wav",
        "sha256": digest,
        "pcm_sha256": digest,
        "sample_rate": 16000,
        "num_samples": 96000,
        "duration_sec": 6.0,
    }
    return {"schema_version": "1", "sha256": digest, "sides": [side]}


def event(
    name: str,
    *,
    expect: str = "yield",
    to_yield: float | None = 0.4,
    talk_over: float = 0.4,
    samples: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """An event whose verdict follows from its numbers and `BOUNDS`."""
    did = to_yield is not None
    passed = (did and to_yield <= 1.0 and talk_over <= 0.8) if expect == "yield" else not did
    return {
        "event_id": name,
        "scenario_id": name,
        "expected_yield": expect == "yield",
        "verdict": {
            "passed": passed,
            "did_yield": did,
            "seconds_to_yield": to_yield,
            "talk_over_sec": talk_over,
            "reasons": [] if passed else ["it failed"],
        },
        "expected": BOUNDS if expect == "yield" else dict.fromkeys(BOUNDS),
        "signals": {"latency": {"response_gap_sec": None, "premature_start_sec": None}},
        "measurements": {"hop_sec": 0.01},
        "activity": {"confirmed": False},
        **({} if samples is None else {"audio_provenance": provenance(samples)}),
        **more,
    }


def unjudged(name: str, **more: Any) -> dict[str, Any]:
    """An event that could not be judged."""
    measured = event(name, to_yield=None, talk_over=0.0, **more)
    return measured | {
        "scorable": False,
        "verdict": measured["verdict"] | {"passed": False},
        "not_scorable_reason": "there was no recording",
    }


def envelope(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The envelope of a run."""
    return {"tool": "hotato", "events": list(events), "profile": "documented", **more}


def edges(**values: tuple[float, float, float]) -> dict[str, Any]:
    """Intervals at the raw energy edges by name."""
    return {name: {"sec": sec, "lo_sec": low, "hi_sec": high} for name, (sec, low, high) in values.items()}


@st.composite
def events(draw: st.DrawFn, name: str = "a") -> dict[str, Any]:
    """Any event of a yield or hold label, with or without intervals, judged or not."""
    seconds = st.integers(0, 400).map(lambda hops: hops / 100)
    made = event(
        name,
        expect=draw(st.sampled_from(["yield", "hold"])),
        to_yield=draw(st.none() | seconds),
        talk_over=draw(seconds),
        samples=draw(st.none() | st.sampled_from(["x", "y", "z"])),
    )
    if draw(st.booleans()):
        middle, slack = draw(seconds), draw(seconds)
        made["edges"] = edges(talk_over=(middle, middle - slack, middle + slack))
    if draw(st.integers(0, 5)) == 0:
        made |= {"scorable": False, "verdict": made["verdict"] | {"passed": False}}
    return made
