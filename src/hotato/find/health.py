"""What weakens a call, as the trust room found it, and what could not be judged because of it."""

from __future__ import annotations

from hotato.find.records import Candidate
from hotato.findings import Finding
from hotato.listen import Heard
from hotato.timing import Reason
from hotato.trust import TrustReport

_NO_COMMON_CLOCK = ("both_parties_on_both_channels", "channel_offset")
"""Findings after which times between the two parties cannot be read."""


def health(report: TrustReport) -> tuple[Finding, ...]:
    """Facts of the file and causes for doubt; first why a two-party call cannot be scored, if it cannot."""
    if report.not_scorable_reason is None or report.channels.caller is None:
        return report.findings
    defect = Finding(code="not_scorable", sentence=report.not_scorable_reason, remedy=report.next_step)
    return (defect, *report.findings)


def clock_doubts(report: TrustReport) -> tuple[Reason, ...]:
    """Reasons not to rest a confident verdict on any time between the two parties."""
    return tuple(Reason(finding.code) for finding in report.findings if finding.code in _NO_COMMON_CLOCK)


def unjudged(heard: Heard, candidates: tuple[Candidate, ...]) -> str:
    """What could not be judged, as a sentence; empty when everything could."""
    if heard.identical:
        return "Both channels are the same, so who spoke when could not be judged."
    silent = [track.role for track in (heard.caller, heard.agent) if not track.activity.raw.any()]
    if silent:
        who = "Neither channel" if len(silent) == 2 else f"The {silent[0]} channel"
        carries = "carries a sound" if len(silent) == 2 else "carries no sound"
        return f"{who} {carries}, so turn-taking could not be judged."
    doubted = [track.role for track in (heard.caller, heard.agent) if track.activity.doubts]
    if doubted:
        codes = dict.fromkeys(
            reason.code for track in (heard.caller, heard.agent) for reason in track.activity.doubts
        )
        return f"The timing of the {' and the '.join(doubted)} is in doubt ({', '.join(codes)})."
    weak = len({c.evidence.get("caller_turn_start_sec") for c in candidates if _is_weak(c)})
    if not weak:
        return ""
    return f"{weak} weak {'sound was' if weak == 1 else 'sounds were'} not held against the agent."


def _is_weak(candidate: Candidate) -> bool:
    return any(reason.code == "weak_onset" for reason in candidate.doubts)
