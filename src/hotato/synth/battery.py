"""One labelled recording through noise and packet loss: where its verdict stops being worth anything."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from hotato import score, trust
from hotato.acoustics import Samples, line, wav_bytes
from hotato.errors import EXIT_FAIL, EXIT_PASS, EXIT_REFUSE, Refusal
from hotato.score.request import DOCUMENTED
from hotato.synth.degradations import Degradation, degradations
from hotato.synth.parent import Parent

Status = Literal["same", "flipped", "unscorable"]
CLEAN = "clean"
DOUBTED = "caution"
UNKNOWN_TRUST = "not_scorable"


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the verdict under one condition.

    Attributes:
        condition: name of the condition; "clean" for the recording itself.
        family: its ladder; "clean" for the recording itself.
        parameters: its numbers.
        status: `same` or `flipped` against the clean verdict, or `unscorable`.
        passed, did_yield, seconds_to_yield, talk_over_sec: the verdict; null where there is none.
        reasons: why it failed, or why it could not be scored.
        not_scorable_code: the latter for programs; null where it was scored.
        trust: `clean`, `caution` or `not_scorable`: what trust says about the recording under the condition;
            never `clean` where the file itself is in doubt (truncated, ...). What trust calls not scorable
            has no verdict.
        trust_codes: the findings behind that, those of the file, and the doubts of the detector about either
            channel.
        detectors: which detector heard each party, by role; empty where none listened.
        pcm_sha256: of the 16-bit samples that were scored.
    """

    condition: str
    family: str
    parameters: dict[str, Any]
    status: Status
    passed: bool | None
    did_yield: bool | None
    seconds_to_yield: float | None
    talk_over_sec: float | None
    reasons: tuple[str, ...]
    not_scorable_code: str | None
    trust: str
    trust_codes: tuple[str, ...]
    detectors: dict[str, str]
    pcm_sha256: str


@dataclass(frozen=True)
class Question:
    """What the battery asks about the recording.

    Attributes:
        onset_sec: when the caller began; None takes the onset that is found on the clean recording.
        expect: "yield", "hold", or None where nothing was stated (taken for "yield").
        max_time_to_yield_sec, max_talk_over_sec: bounds of the label; None for none. A verdict without bounds
            says only whether the agent yielded, however late.
        profile: the measurement profile that the verdict rests on; None for the documented one.
        stack, caller_channel, agent_channel: which channel is whom, as for `score.run_single`.
    """

    onset_sec: float | None = None
    expect: str | None = None
    max_time_to_yield_sec: float | None = None
    max_talk_over_sec: float | None = None
    profile: str | None = None
    stack: str | None = None
    caller_channel: int | None = None
    agent_channel: int | None = None


@dataclass(frozen=True)
class _Judged:
    event: Mapping[str, Any]
    trust: str
    codes: tuple[str, ...]
    detectors: dict[str, str] = field(default_factory=dict)


def robustness(parent: Parent, seed: int, question: Question) -> dict[str, Any]:
    """The verdict of one labelled moment under every condition, against its verdict on the clean recording.

    Where no onset is stated, the one found on the clean recording holds for all: the same moment is judged.

    Args:
        parent: the recording.
        seed: decides the noise and which packets are lost.
        question: the moment, what is expected of it, and whose channel is which.

    Raises:
        Refusal: `clean_unscorable`: the recording itself cannot be scored, so nothing can flip; and whatever
            the scorer refuses about the clean recording.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{Path(parent.name).stem or CLEAN}.wav"
        samples = line.to_int16(parent.channels)
        judged = _of_parent(_judged(samples, parent.sample_rate_hz, path, question), parent)
        clean = _cell(None, samples, judged, None)
        if clean.passed is None:
            raise Refusal(
                "clean_unscorable",
                f"'{parent.name}' cannot be scored as it is: {'; '.join(clean.reasons)}",
                "run 'hotato run' on it first; the battery compares with its verdict",
            )
        same = question
        if question.onset_sec is None:
            same = replace(question, onset_sec=judged.event["measurements"]["caller_onset_sec"])
        cells = list(_degraded(parent, seed, path, same, clean))
    return _result(parent, seed, _label(question, same), clean, cells)


def _degraded(parent: Parent, seed: int, path: Path, question: Question, clean: Cell) -> Iterator[Cell]:
    for step in degradations():
        text = f"{parent.sha256}/{step.name}/{seed}"
        channels = [step.apply(parent, n, f"{text}#{n}") for n in range(len(parent.channels))]
        samples = line.to_int16(channels)
        try:
            judged = _judged(samples, parent.sample_rate_hz, path, question)
        except Refusal as refusal:  # the line took away what the scorer needs: an answer, not a failure
            event = {
                "scorable": False,
                "not_scorable_code": refusal.code,
                "not_scorable_reason": refusal.message,
            }
            judged = _Judged(event, UNKNOWN_TRUST, (refusal.code,))
        yield _cell(step, samples, _of_parent(judged, parent), clean)


def _of_parent(judged: _Judged, parent: Parent) -> _Judged:
    """What was judged on rendered samples, with what is known of the file they came from."""
    codes = {finding.code for finding in parent.findings}.union(judged.codes)
    health = DOUBTED if parent.doubtful and judged.trust == CLEAN else judged.trust
    return replace(judged, trust=health, codes=tuple(sorted(codes)))


def _judged(samples: Samples, sample_rate_hz: int, path: Path, question: Question) -> _Judged:
    path.write_bytes(wav_bytes(samples, sample_rate_hz))
    request = score.Request(
        stereo=path,
        stack=question.stack,
        caller_channel=question.caller_channel,
        agent_channel=question.agent_channel,
        onset_sec=question.onset_sec,
        expect=question.expect,
        max_time_to_yield_sec=question.max_time_to_yield_sec,
        max_talk_over_sec=question.max_talk_over_sec,
        profile=question.profile,
    )
    (scored,) = score.scored_events(request)
    event = score.builtins_of(scored.event)
    if scored.heard is None:
        return _Judged(event, UNKNOWN_TRUST, ())
    health = trust.examine(scored.heard)
    doubts = {d.code for track in (scored.heard.caller, scored.heard.agent) for d in track.activity.doubts}
    codes = sorted({finding.code for finding in health.findings} | doubts)
    heard_by = {track.role: track.activity.detector for track in (scored.heard.caller, scored.heard.agent)}
    return _Judged(_trusted(event, health), health.input_health, tuple(codes), heard_by)


def _trusted(event: Mapping[str, Any], health: trust.TrustReport) -> Mapping[str, Any]:
    """The event, without a verdict where trust says that the recording can carry none."""
    if health.scorable or event.get("scorable") is False:
        return event
    return {
        **event,
        "scorable": False,
        "not_scorable_code": UNKNOWN_TRUST,
        "not_scorable_reason": health.not_scorable_reason,
    }


def _cell(step: Degradation | None, samples: Samples, judged: _Judged, clean: Cell | None) -> Cell:
    event = judged.event
    verdict = None if event.get("scorable") is False else event["verdict"]
    status: Status = "same"
    if verdict is None:
        status = "unscorable"
    elif clean is not None and (verdict["passed"], verdict["did_yield"]) != (clean.passed, clean.did_yield):
        status = "flipped"
    return Cell(
        condition=CLEAN if step is None else step.name,
        family=CLEAN if step is None else step.family,
        parameters={} if step is None else step.parameters,
        status=status,
        passed=verdict and verdict["passed"],
        did_yield=verdict and verdict["did_yield"],
        seconds_to_yield=verdict and verdict["seconds_to_yield"],
        talk_over_sec=verdict and verdict["talk_over_sec"],
        reasons=(event["not_scorable_reason"],) if verdict is None else tuple(verdict["reasons"]),
        not_scorable_code=event["not_scorable_code"] if verdict is None else None,
        trust=judged.trust,
        trust_codes=judged.codes,
        detectors=judged.detectors,
        pcm_sha256=hashlib.sha256(samples.astype("<i2").tobytes()).hexdigest(),
    )


def _label(question: Question, judged: Question) -> dict[str, Any]:
    return {
        "expect": question.expect or "yield",
        "expect_stated": question.expect is not None,
        "onset_sec": judged.onset_sec,
        "onset_stated": question.onset_sec is not None,
        "max_time_to_yield_sec": question.max_time_to_yield_sec,
        "max_talk_over_sec": question.max_talk_over_sec,
        "profile": question.profile or DOCUMENTED,
    }


def _result(
    parent: Parent, seed: int, label: dict[str, Any], clean: Cell, cells: list[Cell]
) -> dict[str, Any]:
    flipped = [cell for cell in cells if cell.status == "flipped"]
    first_flip: dict[str, str] = {}
    for cell in cells:
        if cell.status == "flipped":
            first_flip.setdefault(cell.family, cell.condition)
    result = {
        "tool": "hotato",
        "kind": "robustness-battery",
        "schema_version": "1",
        "recording": parent.described(),
        "seed": seed,
        "label": label,
        "snr_reference": "RMS of each channel over the spans in which it was heard on the clean recording",
        "clean": msgspec.to_builtins(clean),
        "cells": msgspec.to_builtins(cells),
        "summary": {
            "cells": len(cells),
            "same": sum(cell.status == "same" for cell in cells),
            "flipped": len(flipped),
            "flipped_with_warning": sum(cell.trust != "clean" for cell in flipped),
            "unscorable": sum(cell.status == "unscorable" for cell in cells),
            "clean_passed": clean.passed,
            "furthest_yield": _furthest(clean, cells),
            "first_flip": {
                family: first_flip.get(family) for family in dict.fromkeys(c.family for c in cells)
            },
        },
    }
    return {**result, "exit_code": robustness_exit_code(result)}


def _furthest(clean: Cell, cells: list[Cell]) -> dict[str, Any] | None:
    """The condition under which the time to yield moves furthest from the clean one; None where none does."""
    at = clean.seconds_to_yield
    if at is None:
        return None
    waits = [(cell.condition, cell.seconds_to_yield) for cell in cells]
    moved = [(abs(sec - at), name, sec) for name, sec in waits if sec is not None and sec != at]
    if not moved:
        return None
    distance = max(distance for distance, *_ in moved)
    _, name, sec = next(one for one in moved if one[0] == distance)
    return {"condition": name, "seconds_to_yield": sec}


def robustness_exit_code(result: Mapping[str, Any]) -> int:
    """1 when a verdict flips, 2 when none could be scored under any condition, else 0.

    A verdict that holds is 0 whichever it is: the question is how far it can be relied on.
    """
    summary = result["summary"]
    if summary["flipped"]:
        return EXIT_FAIL
    return EXIT_PASS if summary["same"] else EXIT_REFUSE
