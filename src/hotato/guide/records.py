"""What a guided first run did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hotato.contract.records import Contract

NOT_IN_THIS_VERSION = {
    "saydo": "the second act, what the agent said against what its tools did, is not in this version"
}
"""Acts that people know from elsewhere; nothing is claimed about them."""


@dataclass(frozen=True, eq=False)
class Pinned:
    """The contract of a first run.

    Attributes:
        contract: what it states.
        directory: the bundle, from the working folder.
        passed: it passed when it was verified.
        intact: every member was what it was sealed with.
    """

    contract: Contract
    directory: str
    passed: bool
    intact: bool

    @property
    def fails_as_expected(self) -> bool:
        """The bundle is intact and its moment fails its policy, as a pinned failure does."""
        return self.intact and not self.passed


@dataclass(frozen=True, eq=False)
class Recorded:
    """The failure record of a first run.

    Attributes:
        directory: its folder, from the working folder.
        record_id: its content-addressed name.
        headline: the failure in one line.
        privacy_profile: what it leaves out.
        files: the files in it, from the working folder.
    """

    directory: str
    record_id: str
    headline: str
    privacy_profile: str
    files: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class FirstRun:
    """What a guided first run did.

    Attributes:
        mode: the flag that chose it: `--demo` or `--stereo`.
        written: every file and bundle that was written, from the working folder.
        total: how many moments were found.
        headline: the likeliest failure in one sentence, or that there is none.
        commands: what to do next, each with what it is for.
        pinned: the contract, where one was made.
        recorded: its failure record, where there is one.
    """

    mode: str
    written: tuple[str, ...]
    total: int
    headline: str
    commands: tuple[tuple[str, str], ...]
    pinned: Pinned | None = None
    recorded: Recorded | None = None


def first_run_json(run: FirstRun) -> dict[str, Any]:
    """The documented JSON, without the act that this version does not have."""
    return {
        "tool": "hotato",
        "kind": "start",
        "mode": run.mode,
        "ran": True,
        "offline": True,
        "written": list(run.written),
        "total_candidates": run.total,
        "next_commands": [command for _, command in run.commands],
        "contract": None if run.pinned is None else _pinned_json(run.pinned),
        "failure_record": None if run.recorded is None else _recorded_json(run.recorded),
        "not_in_this_version": sorted(NOT_IN_THIS_VERSION),
    }


def _pinned_json(pinned: Pinned) -> dict[str, Any]:
    contract, found = pinned.contract, pinned.contract.measurement
    return {
        "id": contract.id,
        "dir": pinned.directory,
        "expect": contract.label.expected_behavior,
        "scorable": found.scorable,
        "passed": pinned.passed,
        "verified_fail_as_expected": pinned.fails_as_expected,
        "measured_timing": {
            "caller_onset_sec": contract.event.source_onset_sec,
            "seconds_to_yield": found.seconds_to_yield,
            "talk_over_sec": found.talk_over_sec,
            "response_gap_sec": found.response_gap_sec,
            "premature_start_sec": None,
        },
    }


def _recorded_json(recorded: Recorded) -> dict[str, Any]:
    return {
        "dir": recorded.directory,
        "record_id": recorded.record_id,
        "headline": recorded.headline,
        "privacy_profile": recorded.privacy_profile,
        "files": list(recorded.files),
    }
