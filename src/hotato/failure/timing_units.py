"""Units of results about timing: a run, a contract verification, a comparison, a drift check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from hotato.bounds import BOUNDS
from hotato.failure.records import FAIL, INCONCLUSIVE, PASS, Measured, Status
from hotato.failure.units import Judged, Unit, artifact_name, name, stated, taken, text, words

Sec = Annotated[float, Meta(ge=-BOUNDS.longest_sec, le=BOUNDS.longest_sec)]
_WORSE = ("regressed", "worse")


class _Verdict(msgspec.Struct, frozen=True):
    passed: bool | None = None
    did_yield: bool | None = None
    seconds_to_yield: Sec | None = None
    talk_over_sec: Sec | None = None
    reasons: tuple[str, ...] = ()
    reason_codes: tuple[str, ...] = ()


class _Limits(msgspec.Struct, frozen=True):
    max_talk_over_sec: Sec | None = None
    max_time_to_yield_sec: Sec | None = None
    max_response_gap_sec: Sec | None = None


class _Latency(msgspec.Struct, frozen=True):
    response_gap_sec: Sec | None = None


class _Silence(msgspec.Struct, frozen=True):
    silence_sec: Sec | None = None


class _Signals(msgspec.Struct, frozen=True):
    latency: _Latency | None = None
    answer: _Silence | None = None


class _Side(msgspec.Struct, frozen=True):
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None
    path: str | None = None


class _Sides(msgspec.Struct, frozen=True):
    sides: tuple[_Side, ...] = ()


class _At(msgspec.Struct, frozen=True):
    onset_requested_sec: Sec | None = None


class _Event(msgspec.Struct, frozen=True):
    event_id: str
    expected_yield: bool
    scenario_id: str | None = None
    verdict: _Verdict = _Verdict()
    scorable: bool = True
    not_scorable_reason: str | None = None
    expectation: str | None = None
    expected: _Limits = _Limits()
    signals: _Signals = _Signals()
    measurements: _At | None = None
    audio_provenance: _Sides | None = None

    @property
    def label(self) -> str:
        """`yield`, `hold` or `answer`."""
        return self.expectation or ("yield" if self.expected_yield else "hold")


class _Run(msgspec.Struct, frozen=True):
    events: tuple[_Event, ...]
    exit_code: int
    mode: str
    schema_version: str = "1"
    suite: str | None = None


def run_units(run: Mapping[str, Any]) -> Iterator[Unit]:
    """A unit for each event of a scored run."""
    found = taken(run, _Run, "run")
    for number, event in enumerate(found.events, 1):
        judged = _judged(event)
        yield Unit(
            test_id=_test_id(event, number),
            headline=_headline(event),
            judged=(judged,),
            gate_exit_code=found.exit_code,
            gate_policy="every event behaves as labelled",
            source="hotato run",
            schema=("hotato run envelope", found.schema_version),
            argv=_run_argv(found, event),
            recordings=_recordings(event),
        )


def _judged(event: _Event) -> Judged:
    status: Status = PASS if event.verdict.passed else FAIL
    if not event.scorable or event.verdict.passed is None:
        status = INCONCLUSIVE
    latency = event.signals.latency
    measured: Measured = {
        "did_yield": event.verdict.did_yield,
        "seconds_to_yield": event.verdict.seconds_to_yield,
        "talk_over_sec": event.verdict.talk_over_sec,
        "response_gap_sec": None if latency is None else latency.response_gap_sec,
    }
    if event.label == "answer":
        measured = {"silence_sec": _silence(event), "response_gap_sec": measured["response_gap_sec"]}
    why = _why(event)
    return Judged(
        id=f"timing.{event.label}",
        lane="conversation",
        status=status,
        expected=_expected(event),
        observed=why if status == INCONCLUSIVE else _observed(event),
        rule=f"timing.{event.label}",
        measured=measured if status != INCONCLUSIVE else {},
        codes=tuple(map(name, event.verdict.reason_codes)),
        missing=(why,) if status == INCONCLUSIVE else (),
    )


def _test_id(event: _Event, number: int) -> str:
    """A scenario's name; an event without one is named after its recording, whose name may say who called."""
    if event.scenario_id is not None:
        return name(event.event_id)
    recordings = _recordings(event)
    place = f"event {number}"
    if not recordings:
        return place
    return artifact_name(recordings[0]) + (f" {place}" if number > 1 else "")


def _why(event: _Event) -> str:
    """Why an event could not be judged, without the name of its recording."""
    said = event.not_scorable_reason or "the recording cannot be judged"
    sides = () if event.audio_provenance is None else event.audio_provenance.sides
    hidden = [side.path for side in sides if side.path]
    hidden += [event.event_id] if event.scenario_id is None else []
    for one in hidden:
        for part in (one, one.replace("\\", "/").rpartition("/")[2]):
            said = said.replace(part, "[recording]") if part else said
    return text(said)


def _expected(event: _Event) -> str:
    limits = event.expected
    bounds = (
        ("talk-over", limits.max_talk_over_sec),
        ("time to yield", limits.max_time_to_yield_sec),
        ("response gap", limits.max_response_gap_sec),
    )
    said = {"yield": "the agent gives way", "hold": "the agent keeps talking", "answer": "the agent answers"}
    parts = [said.get(event.label, name(event.label))]
    parts += [f"{what} at most {limit:.2f} s" for what, limit in bounds if limit is not None]
    return "; ".join(parts)


def _observed(event: _Event) -> str:
    verdict, latency = event.verdict, event.signals.latency
    parts = ["yielded" if verdict.did_yield else "did not yield"]
    if verdict.did_yield and verdict.seconds_to_yield is not None:
        parts = [f"yielded after {verdict.seconds_to_yield:.2f} s"]
    if verdict.talk_over_sec is not None:
        parts.append(f"talk-over {verdict.talk_over_sec:.2f} s")
    gap = None if latency is None else latency.response_gap_sec
    if event.label == "answer":
        silence = _silence(event)
        waited = "" if silence is None else f"; silence of {silence:.2f} s"
        parts = [f"did not answer{waited}" if gap is None else f"answered after {gap:.2f} s"]
    return "; ".join(parts)


def _silence(event: _Event) -> float | None:
    """The joint silence of an answer, whoever ended it."""
    return None if event.signals.answer is None else event.signals.answer.silence_sec


def _headline(event: _Event) -> str:
    """What happened, in one sentence with its number."""
    verdict = event.verdict
    if not event.scorable or verdict.passed is None:
        return f"Not judged: {_why(event)}."
    if event.label == "answer":
        return f"The agent {_observed(event)}; expected: {_expected(event)}."
    over = "" if verdict.talk_over_sec is None else f"; measured talk-over was {verdict.talk_over_sec:.2f} s"
    if event.label == "hold" and verdict.did_yield and verdict.seconds_to_yield is not None:
        return f"The agent stopped after {verdict.seconds_to_yield:.2f} s for a sound it should talk through."
    if verdict.did_yield and verdict.seconds_to_yield is not None:
        return f"The agent yielded after {verdict.seconds_to_yield:.2f} s{over}."
    return f"The agent {'yielded' if verdict.did_yield else 'did not yield'}{over}."


def _run_argv(run: _Run, event: _Event) -> tuple[str, ...]:
    if run.suite is not None:
        # A bundled suite and a folder of one's own bear the same name in an envelope.
        return ("hotato", "run", "--scenarios", "SCENARIOS", "--audio", "AUDIO")
    pair = len(_recordings(event)) > 1
    named = ("--caller", "CALLER", "--agent", "AGENT") if pair else ("--stereo", "RECORDING")
    argv = ["hotato", "run", *named, "--expect", event.label]
    at, limits = event.measurements, event.expected
    flags = (
        ("--onset", None if at is None else at.onset_requested_sec),
        ("--max-talk-over", limits.max_talk_over_sec),
        ("--max-time-to-yield", limits.max_time_to_yield_sec),
        ("--max-response-gap", limits.max_response_gap_sec),
    )
    for flag, value in flags:
        argv += [flag, f"{value:g}"] if value is not None else []
    return words(tuple(argv))


def _recordings(event: _Event) -> tuple[str, ...]:
    sides = () if event.audio_provenance is None else event.audio_provenance.sides
    return tuple(dict.fromkeys(side.sha256 for side in sides if side.sha256))


class _Comparison(msgspec.Struct, frozen=True):
    result: str
    expect: str = "yield"
    schema_version: str = "1"
    delta: dict[str, Any] = {}
    exit_code: int = 0


def compare_units(comparison: Mapping[str, Any]) -> Iterator[Unit]:
    """The one unit of a comparison: worse after than before, or not to be judged."""
    found = taken(comparison, _Comparison, "comparison")
    status: Status = FAIL if found.result in _WORSE else PASS
    if found.result == "not_scorable":
        status = INCONCLUSIVE
    moved = found.delta.get("talk_over_delta_sec")
    number = f"{moved:+.2f} s" if isinstance(moved, int | float) else "no number"
    after = comparison.get("after")
    event = after.get("event") if isinstance(after, Mapping) else None
    still = isinstance(event, Mapping) and taken(event, _Event, "comparison").verdict.passed is False
    if status == PASS and still:
        status = FAIL
    observed = f"{name(found.result).replace('_', ' ')}; talk-over moved by {number}"
    yield Unit(
        test_id="compare",
        headline=f"After the change the moment is {observed}.",
        judged=(
            Judged(
                id="compare.after",
                lane="conversation",
                status=status,
                expected=f"passes after the change, and is no worse: {name(found.expect)}",
                observed=observed,
                rule="compare.taxonomy",
                measured=stated(found.delta, "talk_over_delta_sec"),
                codes=(name(found.result),),
                missing=("a side that can be scored",) if status == INCONCLUSIVE else (),
            ),
        ),
        gate_exit_code=found.exit_code,
        gate_policy="not worse than before",
        source="hotato compare",
        schema=("compare", found.schema_version),
        argv=words(("hotato", "compare", "--before", "BEFORE", "--after", "AFTER", "--expect", found.expect)),
    )


class _Mean(msgspec.Struct, frozen=True):
    mean_sec: Sec | None = None
    n: int = 0


class _Drift(msgspec.Struct, frozen=True):
    within: bool | None
    tolerance: str | float | int = ""
    allowed_increase_sec: Sec | None = None
    delta_sec: Sec | None = None
    baseline: _Mean = _Mean()
    candidate: _Mean = _Mean()


class _Baseline(msgspec.Struct, frozen=True):
    dimensions: dict[str, _Drift]
    exit_code: int
    version: int = 1
    baseline_path: str = "BASELINE"
    candidate_path: str = "CANDIDATE"


def baseline_units(check: Mapping[str, Any]) -> Iterator[Unit]:
    """The one unit of a drift check, with a judgment for each dimension."""
    found = taken(check, _Baseline, "baseline check")
    judged = tuple(_drift(dimension, one) for dimension, one in sorted(found.dimensions.items()))
    bad = [one for one in judged if one.status != PASS]
    yield Unit(
        test_id="baseline check",
        headline="Drift beyond the tolerance: " + "; ".join(f"{one.id} {one.observed}" for one in bad) + ".",
        judged=judged,
        gate_exit_code=found.exit_code,
        gate_policy="within tolerance of the baseline",
        source="hotato baseline check",
        schema=("hotato.baseline-check", str(found.version)),
        argv=words(("hotato", "baseline", "check", "TOLERANCES", found.baseline_path, found.candidate_path)),
    )


def _drift(dimension: str, one: _Drift) -> Judged:
    status: Status = INCONCLUSIVE if one.within is None else PASS if one.within else FAIL
    allowed = (
        f"{one.allowed_increase_sec:+.2f} s" if one.allowed_increase_sec is not None else "the tolerance"
    )
    moved = "no number" if one.delta_sec is None else f"moved by {one.delta_sec:+.2f} s"
    return Judged(
        id=name(dimension),
        lane="conversation",
        status=status,
        expected=f"rises by at most {allowed}",
        observed=moved,
        rule="baseline.tolerance",
        measured={
            "baseline_mean_sec": one.baseline.mean_sec,
            "candidate_mean_sec": one.candidate.mean_sec,
            "delta_sec": one.delta_sec,
            "allowed_increase_sec": one.allowed_increase_sec,
        },
        codes=("drift",) if status == FAIL else (),
        missing=("measurements on both sides",) if status == INCONCLUSIVE else (),
    )
