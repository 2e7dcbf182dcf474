"""Verify one bundle: read it, hold it against its seal, and measure its moment again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from hotato.checks import ERROR, FAIL, PASS, Status
from hotato.contract.attest import canonical_digest
from hotato.contract.bundle import contract_of, read_member
from hotato.contract.found import require_alone
from hotato.contract.integrity import what_is_wrong
from hotato.contract.keys import Key
from hotato.contract.layout import CONTRACT
from hotato.contract.members import survey
from hotato.contract.records import Contract, Verified
from hotato.contract.rescore import Listened, drift_of, edges_of, heard_in, listen_to, measured, score_again
from hotato.contract.signing import Authentic, authenticate
from hotato.contract.words import close_words
from hotato.errors import Refusal
from hotato.score import Event

REFUSED = "refused"
"""Code of a bundle that cannot be read as a contract."""

SEALS = "integrity"
TAMPERED = "tampered"
_RESTORE = "restore it from where it was made, or make the contract again"
_TOLD = 5
_UNTRUSTED = {"unsigned": "unsigned", "untrusted-key": "untrusted_key"}
UNSIGNED = frozenset(_UNTRUSTED.values())
"""Codes of a bundle that fails because a signature is required."""


def verify_bundle(
    folder: Path, where: str, *, trusted: Sequence[Key] = (), require_signed: bool = False
) -> Verified:
    """What a verification says of one bundle.

    Args:
        folder: the bundle.
        where: the same as the result states it.
        trusted: keys whose signature counts.
        require_signed: whether a bundle that no trusted key signed is no pass.

    Raises:
        Refusal: it cannot be read as a contract.
    """
    found = survey(folder)
    require_alone(folder)
    contract = contract_of(read_member(folder, CONTRACT), folder.name)
    authentic = authenticate(folder, found, contract, trusted)
    wrong = [*what_is_wrong(folder, found, contract), *authentic.wrong]
    base = _base(contract, where, authentic)
    if wrong:
        return _tampered(base, wrong)
    try:
        audio = str(contract.bundle["paths"]["audio"])
        listened = listen_to(folder / audio)
        if listened.pcm_sha256 != contract.source.bundle_pcm_sha256:
            return _tampered(base, [f"{audio}: its samples are not those of the contract"])
        result = _judged(base, contract, listened)
    except Refusal as refusal:
        return _error(base, refusal.code, refusal.message, refusal.remedy)
    return result if base.authenticated or not require_signed else _unsigned(result, authentic)


def _unsigned(result: Verified, authentic: Authentic) -> Verified:
    """A bundle that no trusted key signed where one has to: it fails, whatever its moment measures."""
    failed = _error(
        result,
        _UNTRUSTED[authentic.word],
        f"a signature is required: {authentic.reason}",
        "have it signed with a trusted key (hotato contract sign)",
    )
    return failed if result.status == ERROR else msgspec.structs.replace(failed, status=FAIL)


def refused(name: str, where: str, refusal: Refusal) -> Verified:
    """The result of a bundle that cannot be read as a contract."""
    return Verified(
        id=name,
        dir=where,
        status=ERROR,
        passed=False,
        scorable=False,
        not_scorable_reason=refusal.message,
        verdict_eligible=False,
        verdict_ineligible_reason=refusal.message,
        integrity="unread",
        reasons=(refusal.message,),
        reason_codes=(REFUSED, refusal.code),
        authenticity_reason="the bundle cannot be read",
        next_step=refusal.remedy,
    )


def _base(contract: Contract, where: str, authentic: Authentic) -> Verified:
    return Verified(
        id=contract.id,
        dir=where,
        expect=contract.label.expected_behavior,
        profile=contract.policy.profile,
        status=PASS,
        passed=True,
        verdict_eligible=contract.trust.verdict_eligible,
        verdict_ineligible_reason=contract.trust.verdict_ineligible_reason,
        authenticity=authentic.word,
        authenticated=authentic.word == "signed",
        authenticity_reason=authentic.reason,
        contract_digest=canonical_digest(contract),
        opposite_risk_required=contract.policy.opposite_risk_required,
    )


def _tampered(base: Verified, wrong: Sequence[str]) -> Verified:
    """Nothing is measured on evidence that is not what was sealed, and no signature counts for it."""
    told = "; ".join(wrong[:_TOLD]) + (f"; and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else "")
    result = _error(base, TAMPERED, f"the bundle is not what it was sealed as: {told}", _RESTORE)
    if base.authenticated:  # the manifest is what was signed, and it still is
        said = f"the manifest is {base.authenticity_reason}; members differ from it"
        result = msgspec.structs.replace(result, authenticity_reason=said)
    return msgspec.structs.replace(
        result,
        scorable=False,
        not_scorable_reason="the bundle is not what it was sealed as",
        integrity="tampered",
        tampered=tuple(wrong),
        authenticated=False,
        contract_digest=None,
    )


def _error(base: Verified, code: str, reason: str, next_step: str | None) -> Verified:
    return msgspec.structs.replace(
        base,
        status=ERROR,
        passed=False,
        reasons=(*base.reasons, reason),
        reason_codes=(*base.reason_codes, code),
        next_step=next_step,
    )


def _judged(base: Verified, contract: Contract, listened: Listened) -> Verified:
    if contract.assertions is not None:
        return _error(
            base,
            "assertions_not_evaluated",
            "it carries checks of what was said, which this version cannot evaluate",
            "verify it with a version that can, or make the contract without them",
        )
    event = score_again(heard_in(listened.hearing, contract), contract)
    result = msgspec.structs.replace(
        base,
        measurement=measured(event),
        drift=drift_of(event, contract.measurement),
        too_close=close_words(
            edges_of(event), contract.policy.pass_conditions, contract.label.expected_behavior
        ),
    )
    if event.scorable is False:
        reason = str(event.not_scorable_reason)
        result = _error(result, str(event.not_scorable_code), reason, str(event.not_scorable_next_step))
        return msgspec.structs.replace(result, scorable=False, not_scorable_reason=reason)
    if not contract.trust.verdict_eligible:
        why = contract.trust.verdict_ineligible_reason or "no verdict may rest on this recording"
        return _error(result, "verdict_ineligible", why, "make the contract of a recording that carries one")
    return _by_verdict(result, event)


def _by_verdict(result: Verified, event: Event) -> Verified:
    verdict = event.verdict
    status: Status = PASS if verdict.passed else FAIL
    return msgspec.structs.replace(
        result,
        status=status,
        passed=verdict.passed,
        reasons=verdict.reasons,
        reason_codes=verdict.reason_codes,
        next_step=None
        if verdict.passed
        else "record the moment again with a changed agent and verify that (--against NEW.wav)",
    )
