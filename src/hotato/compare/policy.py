"""`hotato.verify.yaml`: what a change has to improve, and what it must not break."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hotato.bounds import BOUNDS
from hotato.compare.verification import Verification
from hotato.errors import Refusal
from hotato.yaml_files import read_yaml

Keyword = Literal["decrease", "increase", "no_worse", "no_better", "unchanged"]
Required = Annotated[float, Meta(ge=-BOUNDS.longest_sec, le=BOUNDS.longest_sec)] | Keyword
Count = Annotated[int, Meta(ge=0, le=1_000_000)]

_CODE = "not_a_verify_policy"
_REMEDY = (
    "write lines such as  guardrails: {max_new_false_yields: 0}  and  "
    "target: {improve: {failed_count: decrease}}"
)
_DIGITS = 3
_MOST_EVENTS = 10_000
"""A guardrail that allows more events than any battery has cannot fail."""


class Improve(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to move: a number is the least change (after minus before), a word its direction.

    Attributes:
        talk_over_sec_p95: 95th percentile of talk-over over all fixtures that both runs judged.
        seconds_to_yield_p95: 95th percentile of the time to yield over those that yielded.
        failed_count: fixtures that fail.
        false_yield_count: hold fixtures on which the agent stopped.
    """

    talk_over_sec_p95: Required | UnsetType = UNSET
    seconds_to_yield_p95: Required | UnsetType = UNSET
    failed_count: Required | UnsetType = UNSET
    false_yield_count: Required | UnsetType = UNSET


class Target(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The block `target`."""

    improve: Improve


class Guardrails(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What fails the check whatever was improved.

    Attributes:
        max_new_false_yields: most hold guards that passed before and fail after.
        max_not_scorable: most paired fixtures that a side could not judge.
        require_hold_fixture: the battery has to hold a hold fixture.
        require_yield_fixture: the battery has to hold a yield fixture.
    """

    max_new_false_yields: Count | UnsetType = UNSET
    max_not_scorable: Count | UnsetType = UNSET
    require_hold_fixture: bool | UnsetType = UNSET
    require_yield_fixture: bool | UnsetType = UNSET


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A verify policy; both blocks may be left out, not both at once."""

    target: Target | UnsetType = UNSET
    guardrails: Guardrails | UnsetType = UNSET


class GuardrailResult(msgspec.Struct, frozen=True, kw_only=True):
    """One guardrail: its limit, what was found, and whether it held."""

    name: str
    limit: int | bool
    actual: int | bool
    ok: bool


class TargetResult(msgspec.Struct, frozen=True, kw_only=True):
    """One target: what was required, the values before and after, and whether it was met.

    A metric that was measured on one side only is not met, whatever was required of it.
    """

    metric: str
    required: float | str
    before: float | None
    after: float | None
    delta: float | None
    met: bool


class PolicyResult(msgspec.Struct, frozen=True, kw_only=True):
    """A policy held against a verification: it passes when every guardrail held and every target was met."""

    passed: bool
    guardrails: tuple[GuardrailResult, ...]
    targets: tuple[TargetResult, ...]


def read_policy(path: str | os.PathLike[str]) -> Policy:
    """The policy in a file.

    Raises:
        Refusal: `not_a_verify_policy`, naming the line; or whatever `canonical.read_small` refuses.
    """
    policy = read_yaml(path, "verify policy", Policy, code=_CODE, remedy=_REMEDY)
    name = os.fspath(path)
    if not _can_fail(policy, _MOST_EVENTS):
        raise Refusal(_CODE, f"'{name}', line 1: asks for nothing, so everything would pass", _REMEDY)
    if policy.target is not UNSET:
        improve = policy.target.improve
        for metric in improve.__struct_fields__:
            if getattr(improve, metric) == 0 and not isinstance(getattr(improve, metric), str):
                raise Refusal(
                    _CODE,
                    f"'{name}': {metric} is 0, which requires no change in either direction",
                    "write no_worse, unchanged, or a number with a sign",
                )
    return policy


def _stated(block: msgspec.Struct) -> int:
    return sum(getattr(block, name) is not UNSET for name in block.__struct_fields__)


def _can_fail(policy: Policy, events: int) -> bool:
    """Whether a run of so many events could fail it: `require_...: false` asks for nothing, nor does a limit
    that so many events cannot exceed."""
    if policy.target is not UNSET and _stated(policy.target.improve):
        return True
    if policy.guardrails is UNSET:
        return False
    limits = [getattr(policy.guardrails, name) for name in policy.guardrails.__struct_fields__]
    return any(
        limit if isinstance(limit, bool) else limit == 0 or limit < events
        for limit in limits
        if limit is not UNSET
    )


def hold_against(policy: Policy, verification: Verification) -> PolicyResult:
    """Whether a verification meets a policy.

    Beside the stated guardrails stand two. `missing_after`: an event that was judged before and is missing
    after would pass every other one unseen, so none may be. `evidence_holds`: runs that contradict
    themselves, or were judged under different bounds, would pass on what is not so.

    Raises:
        Refusal: `not_a_verify_policy`: no limit of it can be exceeded by as few events as were compared.
    """
    if not _can_fail(policy, verification.paired):
        raise Refusal(
            _CODE,
            f"the policy allows as much as {verification.paired} fixtures can do, so everything would pass",
            "lower a limit, or state a target",
        )
    guardrails = _guardrails(policy.guardrails, verification)
    targets = () if policy.target is UNSET else _targets(policy.target.improve, verification)
    passed = all(one.ok for one in guardrails) and all(one.met for one in targets)
    return PolicyResult(passed=passed, guardrails=guardrails, targets=targets)


def _guardrails(stated: Guardrails | UnsetType, result: Verification) -> tuple[GuardrailResult, ...]:
    found: list[GuardrailResult] = []
    if stated is not UNSET:
        actual = {
            "max_new_false_yields": result.hold_axis.regressed,
            "max_not_scorable": result.results["not_scorable"],
            "require_hold_fixture": any(one.expect == "hold" for one in result.per_fixture),
            "require_yield_fixture": any(one.expect == "yield" for one in result.per_fixture),
        }
        for name, value in actual.items():
            limit = getattr(stated, name)
            if limit is not UNSET:
                ok = (value or not limit) if isinstance(limit, bool) else value <= limit
                found.append(GuardrailResult(name=name, limit=limit, actual=value, ok=bool(ok)))
    missing = len(result.unpaired.only_before_required)
    holds = not result.evidence.faults
    return (
        *found,
        GuardrailResult(name="missing_after", limit=0, actual=missing, ok=missing == 0),
        GuardrailResult(name="evidence_holds", limit=True, actual=holds, ok=holds),
    )


def _targets(improve: Improve, result: Verification) -> tuple[TargetResult, ...]:
    found = []
    for metric in improve.__struct_fields__:
        required = getattr(improve, metric)
        if required is UNSET:
            continue
        before, after = (_metric(metric, result, side) for side in ("before", "after"))
        delta = None if before is None or after is None else round(after - before, _DIGITS) + 0.0
        found.append(
            TargetResult(
                metric=metric,
                required=required,
                before=before,
                after=after,
                delta=delta,
                met=delta is not None and _met(required, delta),
            )
        )
    return tuple(found)


def _metric(name: str, result: Verification, side: Literal["before", "after"]) -> float | None:
    if name.endswith("_p95"):
        return result.distribution[side][name.removesuffix("_p95")]["p95"]
    judged = [one for one in result.per_fixture if one.before.scorable and one.after.scorable]
    failed = [one for one in judged if not getattr(one, side).passed]
    if name == "false_yield_count":
        return float(sum(one.expect == "hold" for one in failed))
    return float(len(failed))


def _met(required: float | str, delta: float) -> bool:
    if isinstance(required, str):
        return {
            "decrease": delta < 0,
            "increase": delta > 0,
            "no_worse": delta <= 0,
            "no_better": delta >= 0,
            "unchanged": delta == 0,
        }[required]
    return delta <= required if required < 0 else delta >= required
