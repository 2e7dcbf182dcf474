"""Score one recording, a pair, or a suite, and put the result into the envelope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from hotato.errors import EXIT_FAIL, EXIT_PASS, EXIT_REFUSE
from hotato.listen import Detector, Heard
from hotato.score.check import NotScorable
from hotato.score.event import Identity, category_of, placeholder, score_event
from hotato.score.fixes import fix_map, funnel
from hotato.score.limits import LIMITS_RECORD, SUITE_ID
from hotato.score.profiles import calibration_used, profile_over
from hotato.score.records import Engine, Envelope, Event, Summary, builtins_of
from hotato.score.request import Request, Source
from hotato.score.suite import load_suite
from hotato.timing import ScoreConfig

_MS_PER_SEC = 1000.0


@dataclass(frozen=True, eq=False, slots=True)
class ScoredEvent:
    """An event and the call it was measured on (None where a scenario has no recording)."""

    event: Event
    heard: Heard | None


def scored_events(request: Request) -> Iterator[ScoredEvent]:
    """Every event of the request, in order, one recording in memory at a time.

    Raises:
        Refusal: whatever the request, a scenario or a recording is refused for.
    """
    return _suite_events(request) if request.is_suite else _single_event(request)


def envelope_of(request: Request, events: Sequence[Event]) -> Envelope:
    """The envelope around scored events."""
    unjudged = sum(event.scorable is False for event in events)
    passed = sum(event.verdict.passed for event in events)
    failed = len(events) - passed - unjudged
    profile = profile_over([event.profile for event in events])
    blind = request.is_suite and unjudged == len(events)  # a suite that told nothing must not look green
    return Envelope(
        mode="suite" if request.is_suite else "single",
        stack=request.stack_name,
        engine=Engine(),
        limits=LIMITS_RECORD,
        summary=Summary(
            events=len(events),
            passed=passed,
            failed=failed,
            regression=failed > 0,
            not_scorable=unjudged or UNSET,
        ),
        events=tuple(events),
        fix_map=fix_map(events),
        funnel=funnel(events),
        exit_code=EXIT_FAIL if failed or blind else EXIT_PASS,  # type: ignore[arg-type]
        suite=(request.suite or SUITE_ID) if request.is_suite else UNSET,
        profile=profile,
        calibration=calibration_used(profile),
    )


def run_single(
    *,
    stereo: Source | None = None,
    caller: Source | None = None,
    agent: Source | None = None,
    caller_channel: int | None = None,
    agent_channel: int | None = None,
    onset_sec: float | None = None,
    expect: str | None = None,
    stack: str | None = None,
    max_talk_over_sec: float | None = None,
    max_time_to_yield_sec: float | None = None,
    max_response_gap_sec: float | None = None,
    echo_gate: bool = False,
    snr_gate_db: float | None = None,
    caller_start_sec: float = 0.0,
    agent_start_sec: float = 0.0,
    confirm_channels: bool = False,
    cfg: ScoreConfig | None = None,
    backend: str | None = None,
    profile: str | None = None,
    detector: Detector = "auto",
) -> dict[str, Any]:
    """Score one labelled moment of one recording and return the envelope.

    Args:
        stereo: a two-channel recording.
        caller: a single-channel recording of the caller, together with `agent`.
        agent: a single-channel recording of the agent.
        caller_channel: the caller's channel; None takes the order of the stack (0 for most).
        agent_channel: the agent's channel; None takes the order of the stack (1 for most).
        onset_sec: when the caller began, or for an answer a time inside the sound whose end begins the
            silence; None to detect the caller's first sound.
        expect: `yield` (also when None), `hold` or `answer`.
        stack: the platform: its channel order and the names of its settings.
        max_talk_over_sec: more simultaneous speech than this fails a yield label.
        max_time_to_yield_sec: a later yield than this fails a yield label.
        max_response_gap_sec: a longer silence before the agent's answer fails a yield or an answer label.
        echo_gate: do not judge a yield where the caller channel looks like a copy of the agent.
        snr_gate_db: do not judge where a channel stands less than this above its noise.
        caller_start_sec: when the caller's file begins on the call's clock (pair only).
        agent_start_sec: when the agent's file begins on the call's clock (pair only).
        confirm_channels: a person vouches for the channel map; stated in the envelope.
        cfg: parameters of the measurement.
        backend: `energy` or `neural`; None takes that of `cfg`.
        profile: `documented` (also when None) or `calibrated`: the clock that the verdict rests on.
        detector: `auto` has a channel that the documented detector is in doubt on heard by the robust one;
            `reference` does not.

    Raises:
        Refusal: (a `ValueError`) bad arguments, or a recording that cannot be read in full.
    """
    return _run(Request(**locals()))  # its fields bear the names of the parameters


def run_suite(
    *,
    suite: str = SUITE_ID,
    stack: str | None = None,
    scenarios_dir: Source | None = None,
    audio_dir: Source | None = None,
    suffix: str | None = None,
    caller_channel: int | None = None,
    agent_channel: int | None = None,
    max_talk_over_sec: float | None = None,
    max_time_to_yield_sec: float | None = None,
    max_response_gap_sec: float | None = None,
    echo_gate: bool = False,
    snr_gate_db: float | None = None,
    confirm_channels: bool = False,
    cfg: ScoreConfig | None = None,
    profile: str | None = None,
) -> dict[str, Any]:
    """Score a labelled battery and return the envelope, with a `suite` key.

    Args:
        suite: the only id there is, `barge-in`.
        stack: the platform: its channel order and the names of its settings.
        scenarios_dir: folder of scenario files; None takes the bundled battery.
        audio_dir: folder of two-channel recordings named after the scenario ids; None takes the bundled ones.
        suffix: ending of the recordings' names; None finds it.
        caller_channel: the caller's channel; None takes the scenario's, else the order of the stack.
        agent_channel: the agent's channel; None takes the scenario's, else the order of the stack.
        max_talk_over_sec: bound for yield scenarios that state none.
        max_time_to_yield_sec: bound for yield scenarios that state none.
        max_response_gap_sec: bound for yield and answer scenarios that state none.
        echo_gate: see `run_single`.
        snr_gate_db: see `run_single`.
        confirm_channels: see `run_single`.
        cfg: parameters; the energy detector judges a suite, whatever they say.
        profile: `documented` or `calibrated`, for every scenario; None takes what each scenario states.

    Raises:
        Refusal: (a `ValueError`) unknown suite, a bad scenario file, or a recording that cannot be read.
    """
    return _run(Request(**locals()))  # its fields bear the names of the parameters


def process_exit_code(env: Mapping[str, Any]) -> int:
    """What a command exits with: 2 where no event at all could be judged, else the envelope's code."""
    judged = any(event.get("scorable") is not False for event in env["events"])
    return int(env["exit_code"]) if judged else EXIT_REFUSE


def _run(request: Request) -> dict[str, Any]:
    return builtins_of(envelope_of(request, [scored.event for scored in scored_events(request)]))


def _single_event(request: Request) -> Iterator[ScoredEvent]:
    label, gates = request.label(), request.gates
    heard = request.listen()
    identity = Identity(
        event_id=heard.name,
        scenario_id=None,
        title=heard.name,
        category=category_of(label.expected_yield, answer=label.answer),
        stack=request.stack_name,
        confirmed=request.confirm_channels,
    )
    yield ScoredEvent(score_event(heard, label, gates, identity), heard)


def _suite_events(request: Request) -> Iterator[ScoredEvent]:
    gates = request.gates
    for case in load_suite(request):
        identity = Identity(
            event_id=case.scenario.id,
            scenario_id=case.scenario.id,
            title=case.scenario.title,
            category=case.scenario.category
            or category_of(case.label.expected_yield, answer=case.label.answer),
            stack=request.stack_name,
            map_source=case.map_source,
            confirmed=request.confirm_channels,
        )
        if case.request is None:
            missing = NotScorable(
                "missing_audio",
                f"no recording of '{case.scenario.id}' was found",
                f"put {case.scenario.id}.wav into the folder of recordings (--audio DIR)",
            )
            hop_sec = request.config.hop_ms / _MS_PER_SEC
            yield ScoredEvent(placeholder(case.label, identity, missing, hop_sec), None)
        else:
            heard = case.request.listen()
            yield ScoredEvent(score_event(heard, case.label, gates, identity), heard)
