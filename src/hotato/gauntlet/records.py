"""The records of a gauntlet: what it plans, and what came of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from hotato._version import __version__
from hotato.errors import EXIT_FAIL, EXIT_PASS

Outcome = Literal["pass", "fail", "not_scorable"]
PASS: Outcome = "pass"
FAIL: Outcome = "fail"
NOT_SCORABLE: Outcome = "not_scorable"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One scenario of the gauntlet, before it is run.

    Attributes:
        id: its id.
        title: what happens, in a few words.
        family: what kind of moment it is.
        condition: what the recording suffers from; `clean` where nothing.
        fails_on: the code of the failure that has to be found, null where the call must pass.
    """

    id: str
    title: str
    family: str
    condition: str
    fails_on: str | None = None

    @property
    def expected(self) -> Outcome:
        """The verdict that has to come out."""
        return PASS if self.fails_on is None else FAIL


class GauntletScenario(msgspec.Struct, frozen=True, kw_only=True):
    """One scenario of the gauntlet, run.

    Attributes:
        id: its id.
        title: what happens, in a few words.
        family: what kind of moment it is.
        condition: what the recording suffers from; `clean` where nothing.
        expected: the verdict that had to come out.
        fails_on: the code of the failure that had to be found, null where the call must pass.
        verdict: the verdict that came out.
        reason_codes: codes of the failures that were found.
        reasons: the same in words, or why there was no verdict.
        matched: the verdict is the expected one, and a defect failed on its own axis.
        sha256: digest of the rendered recording, equal to the pinned one.
    """

    id: str
    title: str
    family: str
    condition: str
    expected: Outcome
    fails_on: str | None
    verdict: Outcome
    reason_codes: tuple[str, ...]
    reasons: tuple[str, ...]
    matched: bool
    sha256: str


class FamilyCount(msgspec.Struct, frozen=True, kw_only=True):
    """The scenarios of one family.

    Attributes:
        family: its name.
        scenarios: how many there are.
        matched: how many matched.
    """

    family: str
    scenarios: int
    matched: int


class GauntletResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a gauntlet.

    Attributes:
        tool: always `hotato`.
        kind: always `gauntlet`.
        schema_version: version of this shape; only additive changes keep it.
        version: version of hotato.
        gauntlet: version of the set of scenarios.
        content_hash: address of the scenarios and their rendered recordings.
        total: number of scenarios.
        matched: how many matched.
        must_pass: how many had to pass, and `passed` did.
        passed: how many of those passed.
        must_fail: how many had to fail, and `caught` did on their axis.
        caught: how many of those did.
        not_scorable: how many could not be judged; none of them matches.
        families: counts by family.
        scenarios: every scenario, by id.
        exit_code: 0 only when every scenario matched.
    """

    tool: Literal["hotato"] = "hotato"
    kind: Literal["gauntlet"] = "gauntlet"
    schema_version: Literal["1"] = "1"
    version: str = __version__
    gauntlet: str
    content_hash: str
    total: int
    matched: int
    must_pass: int
    passed: int
    must_fail: int
    caught: int
    not_scorable: int
    families: tuple[FamilyCount, ...]
    scenarios: tuple[GauntletScenario, ...]
    exit_code: Literal[0, 1]


def result_of(gauntlet: str, content_hash: str, scenarios: tuple[GauntletScenario, ...]) -> GauntletResult:
    """The result of scenarios that were run, counted; nothing run is nothing shown, and fails."""
    good = [item for item in scenarios if item.matched]
    names = sorted({item.family for item in scenarios})
    whole = bool(scenarios) and len(good) == len(scenarios)
    return GauntletResult(
        gauntlet=gauntlet,
        content_hash=content_hash,
        total=len(scenarios),
        matched=len(good),
        must_pass=sum(item.expected == PASS for item in scenarios),
        passed=sum(item.expected == PASS for item in good),
        must_fail=sum(item.expected == FAIL for item in scenarios),
        caught=sum(item.expected == FAIL for item in good),
        not_scorable=sum(item.verdict == NOT_SCORABLE for item in scenarios),
        families=tuple(
            FamilyCount(
                family=name,
                scenarios=sum(item.family == name for item in scenarios),
                matched=sum(item.family == name for item in good),
            )
            for name in names
        ),
        scenarios=scenarios,
        exit_code=EXIT_PASS if whole else EXIT_FAIL,  # type: ignore[arg-type]
    )
