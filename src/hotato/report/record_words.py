"""What every form of a failure record says in the same words."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.failure.records import LANES, Assertion, FailureRecord, Reliability, Status
from hotato.report.checks_words import command

VERIFY = "hotato record verify failure-record.json"
"""Checks a record, whoever has it."""

AGAIN_LEAD = "The same result again, where it was made"
VERIFY_LEAD = "Check this record, where it lies"
"""Before each of the two commands: they are run in different folders."""

STATUS_WORDS: dict[Status, str] = {
    "PASS": "pass",
    "FAIL": "FAIL",
    "INCONCLUSIVE": "inconclusive",
    "ERROR": "error",
    "NOT_RUN": "not run",
}
PRIVACY = (
    "This record holds no audio, no words of the call, no tool payload, no state value and no absolute path."
)
SCOPE = "Each lane stands on its own evidence; there is no figure over all of them."


@dataclass(frozen=True, slots=True)
class LaneRow:
    """One lane as it is shown.

    Attributes:
        name: the lane.
        status: its status in words.
        bad: it failed or could not be carried out.
        said: its counts, or that nothing was judged.
    """

    name: str
    status: str
    bad: bool
    said: str


def lane_rows(record: FailureRecord) -> list[LaneRow]:
    """The five lanes, in their order."""
    rows = []
    for lane in LANES:
        dimension = getattr(record.dimensions, lane)
        status: Status = dimension.status
        total = len(dimension.assertions)
        passed = sum(one.status == "PASS" for one in dimension.assertions)
        said = f"{passed} of {total} passed" if total else "nothing was judged"
        if isinstance(dimension, Reliability) and dimension.trials:
            said = f"{dimension.passes} of {dimension.trials} runs passed"
        rows.append(LaneRow(lane, STATUS_WORDS[status], status in ("FAIL", "ERROR"), said))
    return rows


def unsettled_assertions(record: FailureRecord) -> list[Assertion]:
    """What did not pass, over all lanes."""
    found = [one for lane in LANES for one in getattr(record.dimensions, lane).assertions]
    return [one for one in found if one.status != "PASS"]


def reproduce(record: FailureRecord) -> str | None:
    """The command that makes the same result, or None where there is none."""
    return command(record.reproduction.argv)
