"""A run as the checks of a gate: one for each event, for every rendering of `hotato.checks`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hotato.checks import ERROR, FAIL, PASS, Check, Checks
from hotato.score.run import process_exit_code

_NUMBERS = ("did_yield", "seconds_to_yield", "talk_over_sec")


def run_checks(envelope: Mapping[str, Any]) -> Checks:
    """The events of a run's envelope as checks.

    An event that could not be judged is an error and no pass, so that a suite of which only a part was
    captured does not look green.

    Args:
        envelope: what `run_single` or `run_suite` returned.
    """
    group = str(envelope.get("suite") or "recording")
    return Checks(
        name="run",
        checks=tuple(_check(event, group) for event in envelope["events"]),
        exit_code=process_exit_code(envelope),
        notes=(str(envelope["limits"]["scope"]),),
    )


def failures(envelope: Mapping[str, Any]) -> list[str]:
    """Why a run is no pass: a sentence for each event that failed or could not be judged; empty for a pass.

    `assert not hotato.failures(envelope)` is what a test wants to say: an `exit_code` of 0 in an envelope
    says that no event failed, which is true as well where none could be judged.

    Args:
        envelope: what `run_single` or `run_suite` returned.
    """
    return [
        f"{check.id}: {'not judged: ' if check.status == ERROR else ''}{check.reason}"
        for check in run_checks(envelope).checks
        if check.status != PASS
    ]


def _check(event: Mapping[str, Any], group: str) -> Check:
    verdict = event["verdict"]
    unjudged = event.get("scorable") is False
    measured = {name: verdict[name] for name in _NUMBERS}
    latency = event["signals"].get("latency") or {}
    if latency.get("response_gap_sec") is not None:
        measured["response_gap_sec"] = latency["response_gap_sec"]
    reason = event.get("not_scorable_reason") if unjudged else "; ".join(verdict["reasons"])
    codes = [event.get("not_scorable_code") or "not_scorable"] if unjudged else verdict["reason_codes"]
    return Check(
        id=str(event["event_id"]),
        group=group,
        status=ERROR if unjudged else PASS if verdict["passed"] else FAIL,
        title=str(event["title"] or event["event_id"]),
        reason=reason or None,
        codes=tuple(codes),
        measured=measured,
        next_step=event.get("not_scorable_next_step"),
    )
