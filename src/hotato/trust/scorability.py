"""From causes to a recommendation: what makes a recording unscorable, and what only withholds a verdict."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.errors import EXIT_PASS, EXIT_REFUSE
from hotato.findings import Finding
from hotato.trust.report import CAUTION, ELIGIBLE, NOT_SCORABLE, ChannelHealth, Scorability

MODES = ("scan", "contract")

# Findings that do not change how a recording may be read: they are stated, and that is all.
_STATED_ONLY = frozenset({"dc_offset", "clipping", "over_full_scale"})
# Findings that question which channel is whom; a confirmed map answers them.
_MAPPING = frozenset({"possible_swap", "crosstalk", "leakage"})
# Findings that no confirmation answers: times between the two parties cannot be read.
_UNREADABLE = ("both_parties_on_both_channels", "channel_offset")


@dataclass(frozen=True, slots=True)
class Defect:
    """Why a recording cannot be scored, and what to do."""

    reason: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the report recommends; the names are those of `TrustReport`."""

    scorable: bool
    candidate_eligible: bool
    verdict_eligible: bool
    verdict_ineligible_reason: str | None
    crosstalk_verdict_refused: bool
    channel_mapping_caveat: str | None
    recommendation: str
    input_health: str
    not_scorable_reason: str | None
    next_step: str | None
    exit_code: int


MONO = Defect(
    "there is a single channel, so caller and agent cannot be told apart",
    "export the caller on one channel and the agent on the other",
)
IDENTICAL = Defect(
    "both channels carry the same samples, so caller and agent cannot be told apart",
    "export the parties before they are mixed, one on each channel",
)


def silent_defect(caller: ChannelHealth, agent: ChannelHealth) -> Defect | None:
    """A required party that cannot be heard; the caller is named first."""
    for role, health in (("caller", caller), ("agent", agent)):
        if not health.enough_activity:
            heard = f"only {health.active_sec:.2f} s of sound" if health.has_speech else "no sound"
            return Defect(
                f"the {role}'s channel ({health.channel}) holds {heard}",
                "check which channel is whom (--caller-channel N --agent-channel N), or export again",
            )
    return None


def scorability_of(
    defect: Defect | None, caller: ChannelHealth | None, agent: ChannelHealth | None
) -> Scorability:
    """The three things a score needs."""
    return Scorability(
        separated_tracks=defect not in (MONO, IDENTICAL),
        enough_caller_activity=caller is not None and caller.enough_activity,
        enough_agent_activity=agent is not None and agent.enough_activity,
    )


def outcome_of(defect: Defect | None, findings: tuple[Finding, ...], *, confirmed: bool) -> Outcome:
    """The recommendation.

    Args:
        defect: one of the three defects that make a recording unscorable, or None.
        findings: facts of the file (one that asks for something to be done is a reason for caution: part of a
            truncated call is missing), then causes for doubt.
        confirmed: whether the channel map was confirmed.
    """
    mapping = [cause for cause in findings if cause.code in _MAPPING]
    unreadable = next((cause for code in _UNREADABLE for cause in findings if cause.code == code), None)
    reason = _ineligible(defect, mapping, unreadable, confirmed=confirmed)
    worrying = [cause for cause in findings if cause.code not in _STATED_ONLY and cause.remedy is not None]
    return Outcome(
        scorable=defect is None,
        candidate_eligible=defect is None,
        verdict_eligible=reason is None,
        verdict_ineligible_reason=reason,
        crosstalk_verdict_refused=not confirmed and any(cause.code != "possible_swap" for cause in mapping),
        channel_mapping_caveat=_caveat(mapping, confirmed=confirmed),
        recommendation=_recommendation(defect, worrying),
        input_health="not_scorable" if defect else "caution" if worrying else "clean",
        not_scorable_reason=defect.reason if defect else None,
        next_step=defect.next_step if defect else None,
        exit_code=EXIT_REFUSE if defect else EXIT_PASS,
    )


def _ineligible(
    defect: Defect | None, mapping: list[Finding], unreadable: Finding | None, *, confirmed: bool
) -> str | None:
    if defect is not None:
        return f"not scorable: {defect.reason}"
    if unreadable is not None:
        return f"{unreadable.code}: {unreadable.sentence}"
    if mapping and not confirmed:
        codes = ", ".join(cause.code for cause in mapping)
        return (
            f"the channel map is not confirmed and is in doubt ({codes}), so a verdict could fall on the "
            "wrong party"
        )
    return None


def _caveat(mapping: list[Finding], *, confirmed: bool) -> str | None:
    if not mapping:
        return None
    codes = ", ".join(cause.code for cause in mapping)
    if confirmed:
        return f"the channel map was confirmed although the recording speaks against it ({codes})"
    return (
        f"the channel map is in doubt ({codes}): confirm it with --caller-channel N --agent-channel N or the "
        "platform's metadata"
    )


def _recommendation(defect: Defect | None, worrying: list[Finding]) -> str:
    if defect is not None:
        return f"{NOT_SCORABLE}: {defect.reason}"
    return f"{CAUTION}: {worrying[0].sentence}" if worrying else ELIGIBLE
