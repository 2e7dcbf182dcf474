"""From causes to a recommendation: what makes a recording unscorable, and what only withholds a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hotato.errors import EXIT_PASS, EXIT_REFUSE
from hotato.findings import Finding
from hotato.listen import Heard
from hotato.trust.report import CAUTION, ELIGIBLE, NOT_SCORABLE, ChannelHealth, Scorability

MODES = ("scan", "contract")

# Findings that do not change how a recording may be read: they are stated, and that is all.
_STATED_ONLY = frozenset({"dc_offset", "clipping", "over_full_scale"})
# Findings that question which channel is whom; a confirmed map answers them.
_MAPPING = frozenset({"possible_swap", "crosstalk", "leakage"})
_UNREADABLE = ("both_parties_on_both_channels", "channel_offset")


@dataclass(frozen=True, slots=True)
class Defect:
    """Why a recording cannot be scored, and what to do.

    Attributes:
        reason: for people, in one clause.
        next_step: what to do about it.
        separated: the parties are on tracks of their own all the same.
    """

    reason: str
    next_step: str
    separated: bool = True


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
    separated=False,
)
_ONE_SOUND_STEP = "export the parties before they are mixed, one on each channel"
_SILENT_STEP = "check which channel is whom (--caller-channel N --agent-channel N), or export again"


def one_sound(heard: Heard) -> Defect:
    """The defect of two channels that carry one sound."""
    reason = f"both channels carry {heard.shared_sound}, so caller and agent cannot be told apart"
    return Defect(reason, _ONE_SOUND_STEP, separated=False)


def silent_defect(heard: Heard, caller: ChannelHealth, agent: ChannelHealth) -> Defect | None:
    """A required party that cannot be heard; the caller is named first."""
    if not (caller.has_speech or agent.has_speech or heard.only_echo):
        return Defect("neither channel holds any sound", "check the export, and record the call again")
    if heard.only_echo:
        return Defect(
            f"nothing but the agent's echo sounds on the caller's channel ({caller.channel})",
            "record the caller without the agent's echo, or check that the caller's line was recorded at all",
        )
    for role, health in (("caller", caller), ("agent", agent)):
        if not health.enough_activity:
            sound = f"only {health.active_sec:.2f} s of sound" if health.has_speech else "no sound"
            return Defect(f"the {role}'s channel ({health.channel}) holds {sound}", _SILENT_STEP)
    return None


def scorability_of(
    defect: Defect | None, caller: ChannelHealth | None, agent: ChannelHealth | None
) -> Scorability:
    """The three things a score needs."""
    return Scorability(
        separated_tracks=defect is None or defect.separated,
        enough_caller_activity=caller is not None and caller.enough_activity,
        enough_agent_activity=agent is not None and agent.enough_activity,
    )


def unreadable(findings: Iterable[Finding]) -> Finding | None:
    """The finding after which times between the parties cannot be read, whoever confirms what; or None."""
    found = {finding.code: finding for finding in findings}
    return next((found[code] for code in _UNREADABLE if code in found), None)


def outcome_of(defect: Defect | None, findings: tuple[Finding, ...], *, confirmed: bool) -> Outcome:
    """The recommendation.

    Args:
        defect: one of the three defects that make a recording unscorable, or None.
        findings: facts of the file (one that asks for something to be done is a reason for caution: part of a
            truncated call is missing), then causes for doubt.
        confirmed: whether the channel map was confirmed.
    """
    mapping = [cause for cause in findings if cause.code in _MAPPING]
    reason = _ineligible(defect, mapping, unreadable(findings), confirmed=confirmed)
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
    defect: Defect | None, mapping: list[Finding], clockless: Finding | None, *, confirmed: bool
) -> str | None:
    if defect is not None:
        return f"not scorable: {defect.reason}"
    if clockless is not None:
        return f"{clockless.code}: {clockless.sentence}"
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
