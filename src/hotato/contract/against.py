"""Recapture: a fresh recording of the moment that a contract pins, judged under the contract's policy.

A kept recording cannot show that the agent changed; a new one can. So it has to be new: a copy of the
contract's own call is refused, whatever was done to its format, level or length. What the result proves, and
what it does not, is part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from hotato.checks import FAIL, PASS, Check, Checks
from hotato.contract.bundle import contract_of, read_member
from hotato.contract.keys import Key
from hotato.contract.layout import CONTRACT
from hotato.contract.likeness import UNKNOWN, Match, fingerprints, matches
from hotato.contract.moment import CAPTURED, figures_of
from hotato.contract.onset import require_caller
from hotato.contract.placed import PARAMS, Onset, RecaptureParams, placed
from hotato.contract.records import Contract, Verified
from hotato.contract.rescore import Listened, edges_of, heard_in, listen_to, measured, score_again
from hotato.contract.verify import bundles_in
from hotato.contract.verify_one import UNSIGNED, verify_bundle
from hotato.contract.words import close_words, told_figures
from hotato.errors import EXIT_FAIL, EXIT_PASS, Refusal
from hotato.listen import Heard, mono
from hotato.score import Event, builtins_of
from hotato.score.request import ANSWER
from hotato.stacks import ChannelMap, channel_map
from hotato.trust import examine


class Fresh(msgspec.Struct, frozen=True, kw_only=True):
    """How the new recording differs from the contract's.

    Attributes:
        pcm_sha256: sha256 (hex) of its decoded samples.
        contract_pcm_sha256: of the contract's.
        agent_likeness: the largest likeness of the agents at a shift where the callers are alike; None where
            they nowhere are.
        same_call_from: from here on the two would be one call.
        agent_share: the largest share of the agent's speech that is the same sound at the same place.
        same_share_from: from here on the two would be one call as well.
    """

    pcm_sha256: str
    contract_pcm_sha256: str
    agent_likeness: float | None
    same_call_from: float
    agent_share: float
    same_share_from: float


@dataclass(frozen=True, slots=True)
class Recapture:
    """What a fresh recording showed.

    Attributes:
        contract: the contract.
        kept: what the contract's own recording shows today, and whose word the contract is.
        event: the moment in the new recording, judged.
        fresh: how it differs.
        onset: where it lies.
        sample_rate_hz: of the new recording.
        duration_sec: of the new recording.
        given: words of the command line that asked for it, behind the bundle; empty where none did.
    """

    contract: Contract
    kept: Verified
    event: Event
    fresh: Fresh
    onset: Onset
    sample_rate_hz: int
    duration_sec: float
    given: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the moment in the new recording meets the policy."""
        return self.event.verdict.passed

    @property
    def too_close(self) -> tuple[str, ...]:
        """Each limit that lies inside the interval of what it bounds, a clause each."""
        conditions = self.contract.policy.pass_conditions
        return close_words(edges_of(self.event), conditions, self.contract.label.expected_behavior)

    @property
    def exit_code(self) -> int:
        """0 for a pass, 1 for a failure; what cannot be judged is refused before."""
        return EXIT_PASS if self.passed else EXIT_FAIL

    @property
    def proved(self) -> tuple[str, ...]:
        """What this shows, a sentence each."""
        alike = self.fresh.agent_likeness
        same = f"one call from {self.fresh.same_call_from:.2f} on"
        new = (
            f"its agent is not that of the kept recording (likeness {alike:.2f}; {same})"
            if alike is not None
            else "its caller and agent are nowhere those of the kept recording"
        )
        met = "meets" if self.passed else "does not meet"
        return (
            f"The recording is another take: {new}.",
            self._about_caller(),
            f"At {self.onset.sec:.2f} s the agent in it {met} the policy of {self.contract.id}.",
        )

    def _about_caller(self) -> str:
        onset = self.onset
        if onset.source == "found":
            return f"The caller's sound of the kept recording is in it (likeness {onset.likeness:.2f})."
        if onset.found_sec is not None:
            return (
                f"The onset was stated; the caller's sound of the kept recording puts it at "
                f"{onset.found_sec:.2f} s (likeness {onset.likeness:.2f})."
            )
        return "The onset was stated; that the caller says the same was not shown."

    @property
    def not_proved(self) -> tuple[str, ...]:
        """What this does not show, a sentence each."""
        return NOT_PROVED

    def checks(self) -> Checks:
        """The same for whatever shows it."""
        verdict = self.event.verdict
        check = Check(
            id=self.contract.id,
            group="recapture",
            status=PASS if self.passed else FAIL,
            title=f"a new take: the agent should {self.contract.label.expected_behavior}",
            reason="; ".join(verdict.reasons) or None,
            codes=verdict.reason_codes,
            measured={
                **told_figures(measured(self.event), self.contract.label.expected_behavior),
                "profile": self.contract.policy.profile,
                **({"too close to call": "; ".join(self.too_close)} if self.too_close else {}),
                **({"doubts": ", ".join(self.event.verdict.doubts)} if self.event.verdict.doubts else {}),
                "onset_sec": self.onset.sec,
                "onset": self.onset.source,
            },
            file=self.kept.dir,
            next_step=None if self.passed else "change the agent, and record the moment once more",
        )
        notes = (*self.proved, *(f"Not shown: {sentence}" for sentence in NOT_PROVED))
        return Checks(
            name="contract verify --against",
            checks=(check,),
            exit_code=self.exit_code,
            notes=notes,
            reproduce=("hotato", "contract", "verify", self.kept.dir, *self.given) if self.given else (),
        )


NOT_PROVED = (
    "That it was recorded after a change, or from the agent in service: no file says where it comes from.",
    "That the agent does so every time: this is one take.",
    "That a change caused the difference.",
)


def recapture(
    bundle: Path,
    recording: str | Path,
    *,
    onset_sec: float | None = None,
    caller_channel: int | None = None,
    agent_channel: int | None = None,
    stack: str | None = None,
    confirm_channels: bool = False,
    trusted: tuple[Key, ...] = (),
    require_signed: bool = False,
    params: RecaptureParams = PARAMS,
) -> Recapture:
    """Judge a fresh recording of a contract's moment.

    Args:
        bundle: the contract.
        recording: the new recording, of two channels or more.
        onset_sec: when the moment begins in it; None to find it by the caller's sound.
        caller_channel: the caller's channel in it; None takes the order of the stack.
        agent_channel: the agent's channel likewise.
        stack: the platform that recorded it; None for that of the contract.
        confirm_channels: a person vouches for its channel map.
        trusted: keys whose signature counts.
        require_signed: whether the contract has to be signed by one of them.
        params: limits.

    Raises:
        Refusal: `not_verifiable`: the contract itself is tampered with, unsigned where a signature is
            required, or cannot be judged; `same_call`; `onset_not_found`, `onset_ambiguous`,
            `onset_elsewhere`; `no_caller_at_onset`;
            `verdict_ineligible`, `not_scorable`; and whatever the recording is refused for.
    """
    bundle, where = _the_one(bundle)
    kept = verify_bundle(bundle, where, trusted=trusted, require_signed=require_signed)
    if kept.status not in (PASS, FAIL) or not UNSIGNED.isdisjoint(kept.reason_codes):
        raise Refusal("not_verifiable", f"the contract cannot be used: {kept.reasons[-1]}", kept.next_step)
    contract = contract_of(read_member(bundle, CONTRACT), bundle.name)
    old = listen_to(bundle / str(contract.bundle["paths"]["audio"]))
    new = listen_to(Path(recording))
    channels = channel_map(stack or contract.source.stack, caller=caller_channel, agent=agent_channel)
    heard = _told_apart(new, contract, channels)
    alike = _compared(old, new, channels)
    fresh = _fresh(old, new, alike, params)
    onset = placed(contract, alike, onset_sec, params)
    _require_eligible(heard, confirmed=confirm_channels)
    if contract.label.expected_behavior != ANSWER:
        require_caller(heard, onset.sec)
    event = score_again(heard, contract, onset.sec)
    if event.scorable is False:
        raise Refusal(
            "not_scorable",
            f"the new recording cannot be judged: {event.not_scorable_reason}",
            str(event.not_scorable_next_step),
        )
    return Recapture(contract, kept, event, fresh, onset, heard.grid.sample_rate_hz, heard.duration_sec)


def _the_one(named: Path) -> tuple[Path, str]:
    """The bundle that was named, or the only one of a folder.

    Raises:
        Refusal: `several_contracts`, and see `bundles_in`.
    """
    found = bundles_in(named)
    if len(found) > 1:
        raise Refusal(
            "several_contracts",
            f"'{named}' holds {len(found)} contracts, and a new recording is of one moment",
            "name the bundle",
        )
    return found[0]


def _told_apart(new: Listened, contract: Contract, channels: ChannelMap) -> Heard:
    if len(new.hearing.levels) == 1:
        raise mono(new.hearing.recording.name)
    return heard_in(new.hearing, contract, channels)


def _compared(old: Listened, new: Listened, channels: ChannelMap) -> list[Match]:
    mine = fingerprints(old.hearing, (CAPTURED.caller, CAPTURED.agent))
    theirs = fingerprints(new.hearing, (channels.caller, channels.agent))
    return matches((mine[0], mine[1]), (theirs[0], theirs[1]))


def _fresh(old: Listened, new: Listened, alike: list[Match], params: RecaptureParams) -> Fresh:
    """How the recordings differ.

    Raises:
        Refusal: `same_call`.
    """
    likeness = agent_likeness(alike, params)
    if old.pcm_sha256 == new.pcm_sha256:
        raise _same_call("its samples are those of the contract")
    if likeness is not None and likeness >= params.same_agent:
        raise _same_call(
            f"caller and agent are in it as the contract has them (likeness of the agents {likeness:.2f}; "
            f"another take stays below {params.same_agent:.2f})"
        )
    share, resumes = agent_parts(alike, params)
    if resumes:
        raise _same_call(
            "after a stretch that was muted or changed its agent is where the contract has it, sound for "
            f"sound ({share:.0%} of the agent's speech is the same)"
        )
    if share >= params.same_share:
        raise _same_call(
            f"{share:.0%} of the agent's speech in the contract is in it at the same places, whatever was "
            f"changed elsewhere (another take stays below {params.same_share:.0%})"
        )
    return Fresh(
        pcm_sha256=new.pcm_sha256,
        contract_pcm_sha256=old.pcm_sha256,
        agent_likeness=None if likeness is None else round(likeness, 3),
        same_call_from=params.same_agent,
        agent_share=round(share, 3),
        same_share_from=params.same_share,
    )


def agent_likeness(alike: list[Match], params: RecaptureParams = PARAMS) -> float | None:
    """How alike the agents are at best at a shift that may make two recordings one call; None without one."""
    together = [
        match.agent
        for match in alike
        if match.caller >= params.same_caller
        or (match.caller == UNKNOWN and match.agent >= params.same_alone)
    ]
    return max(together, default=None)


def agent_parts(alike: list[Match], params: RecaptureParams = PARAMS) -> tuple[float, bool]:
    """How much of the agent is the same sound at a shift that may make two recordings one.

    Returns:
        The largest share, and whether the agent somewhere is the same again after it was another.
    """
    together = [
        match
        for match in alike
        if match.caller == UNKNOWN
        or match.caller >= params.same_caller
        or match.caller_share >= params.caller_share
    ]
    share = max((match.agent_share for match in together), default=0.0)
    return share, any(match.agent_resumes for match in together)


def _same_call(why: str) -> Refusal:
    return Refusal(
        "same_call",
        f"this is the call that the contract was made of, not a new one: {why}",
        "record the moment again with the agent as it is now",
    )


def _require_eligible(heard: Heard, *, confirmed: bool) -> None:
    report = examine(heard, confirmed=confirmed, mode="contract")
    if not report.verdict_eligible:
        raise Refusal(
            "verdict_ineligible",
            f"no verdict may rest on the new recording: {report.verdict_ineligible_reason}",
            "name its channels (--caller-channel N --agent-channel N), or record the parties apart",
        )


def recapture_json(result: Recapture) -> dict[str, Any]:
    """The JSON of a recapture; it names no file of the new recording."""
    verdict = result.event.verdict
    return {
        "tool": "hotato",
        "kind": "contract-recapture",
        "schema_version": "1",
        "offline": True,
        "id": result.contract.id,
        "dir": result.kept.dir,
        "expect": result.contract.label.expected_behavior,
        "passed": result.passed,
        "reasons": list(verdict.reasons),
        "reason_codes": list(verdict.reason_codes),
        "onset": builtins_of(result.onset),
        "measurement": measured(result.event),
        "before": {name: getattr(result.contract.measurement, name) for name in figures_of(result.event)},
        "freshness": builtins_of(result.fresh),
        "recording": {
            "sample_rate_hz": result.sample_rate_hz,
            "duration_sec": round(result.duration_sec, 3),
        },
        "authenticity": result.kept.authenticity,
        "authenticated": result.kept.authenticated,
        "authenticity_reason": result.kept.authenticity_reason,
        "proved": list(result.proved),
        "not_proved": list(result.not_proved),
        "exit_code": result.exit_code,
        "profile": result.contract.policy.profile,
        "too_close": list(result.too_close),
        "doubts": list(result.event.verdict.doubts or ()),
    }
