"""One battery through a platform: the recordings that somebody captured, scored, and compared with others.

A result describes one setup on the day it was captured. Its date is that of the files that were scored, so
the same files give the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hotato import acoustics
from hotato._version import __version__
from hotato.benchmark.compare import STACK_BENCHMARK
from hotato.errors import Refusal, UsageError
from hotato.score import Request, builtins_of, envelope_of, scored_events
from hotato.score.parameters import parameters
from hotato.score.request import Source
from hotato.score.suite import SUFFIXES, Case, bundled, load_suite
from hotato.stacks import STACK_NAMES, channel_map
from hotato.timing import ScoreConfig

BENCH_STACKS = STACK_NAMES
"""Platforms whose captures can be compared."""


@dataclass(frozen=True, slots=True)
class Stimulus:
    """The caller's side of a packaged scenario, to be played into a live call.

    Attributes:
        id: of the scenario, which is how its capture is to be named.
        title: what happens.
        onset_sec: when the label says that the caller comes in, None where nobody does.
        wav: one channel of 16 bits, as long as the call.
    """

    id: str
    title: str
    onset_sec: float | None
    wav: bytes


def stimuli() -> Iterator[Stimulus]:
    """The caller's side of every scenario of the packaged battery, rendered; the same bytes every time."""
    for scenario in acoustics.scenarios_in(bundled("battery")):
        heard = scenario["reference_render"]["caller_segments_sec"]
        onset = scenario.get("caller_onset_sec") if heard else None
        yield Stimulus(scenario["id"], scenario["title"], onset, acoustics.stimulus(scenario))


def run_stackbench(
    *,
    stack: str,
    recordings_dir: Source,
    scenarios_dir: Source | None = None,
    suffix: str | None = None,
    caller_channel: int | None = None,
    agent_channel: int | None = None,
    profile: str | None = None,
    cfg: ScoreConfig | None = None,
) -> dict[str, Any]:
    """Score the battery on the recordings of one platform.

    Args:
        stack: one of `BENCH_STACKS`.
        recordings_dir: folder of two-channel recordings named after the scenario ids.
        scenarios_dir: folder of scenarios; None takes the packaged battery.
        suffix: ending of the recordings' names; None finds it.
        caller_channel: the caller's channel; None takes the order in which the platform records.
        agent_channel: the agent's channel; likewise.
        profile: `documented` or `calibrated`, for every scenario; None takes what each scenario states.
        cfg: parameters of the measurement.

    Raises:
        UsageError: an unknown platform or profile.
        Refusal: no recording of any scenario, or one that cannot be read.
    """
    name = stack.strip().lower()
    if name not in BENCH_STACKS:
        raise UsageError(f"unknown stack '{stack}'", f"choose one of: {', '.join(BENCH_STACKS)}")
    channels = channel_map(name, caller=caller_channel, agent=agent_channel)
    request = Request(
        stack=name,
        scenarios_dir=scenarios_dir or bundled("battery", "scenarios"),
        audio_dir=recordings_dir,
        suffix=suffix,
        # Said outright, because the channels that a scenario states are those of its own render.
        caller_channel=channels.caller,
        agent_channel=channels.agent,
        profile=profile,
        cfg=cfg or ScoreConfig(),
    )
    cases = load_suite(request)
    missing = [case.scenario.id for case in cases if case.request is None]
    if len(missing) == len(cases):
        raise Refusal(
            "no_recordings",
            f"'{recordings_dir}' holds no recording of any scenario",
            f"name each recording by its scenario id, such as {cases[0].scenario.id}{SUFFIXES[0]}; "
            "'hotato benchmark stimuli --out DIR' lists the packaged ones and renders their callers",
        )
    events = [scored.event for scored in scored_events(request) if scored.heard is not None]
    return {
        **builtins_of(envelope_of(request, events)),
        "kind": STACK_BENCHMARK,
        "config": asdict(request.config),
        "parameters": parameters(),
        "scenarios": {
            "total": len(cases),
            "captured": len(cases) - len(missing),
            "not_captured": missing,
            "set": "bundled" if scenarios_dir is None else Path(scenarios_dir).resolve().name,
        },
        "channels": {"caller": channels.caller, "agent": channels.agent, "source": channels.source},
        "provenance": _provenance(cases),
    }


def _provenance(cases: Sequence[Case]) -> dict[str, Any]:
    """What measured, and which files with their dates; the newest of these dates is that of the result.

    A date that no calendar holds, as some file systems and archives leave it, is None.
    """
    files = [Path(case.request.stereo) for case in cases if case.request and case.request.stereo is not None]
    dates = [date_of(file.stat().st_mtime) for file in files]
    return {
        "measured_by": f"hotato {__version__}",
        "measured_at": max((date for date in dates if date is not None), default=None),
        "files": [{"name": file.name, "mtime": date} for file, date in zip(files, dates, strict=True)],
    }


def date_of(stamp_sec: float) -> str | None:
    """A modification time, in seconds since 1970, as a date; None for one that no calendar holds."""
    try:
        return datetime.fromtimestamp(stamp_sec, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return None
