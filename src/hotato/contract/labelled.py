"""What a person is told of a contract that was just made of a found moment."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

import msgspec

from hotato.contract.picked import Chosen
from hotato.contract.records import Contract
from hotato.contract.words import close_words, profiled_words, unbounded_words
from hotato.find.origin import Origin
from hotato.find.refs import Picked
from hotato.plain import portable
from hotato.report.doubts import CLOSE, doubt_words
from hotato.report.terminal import Terminal
from hotato.report.timefmt import clock, seconds, shown

_LABEL = 10
_PATH_CHARS = 200


@dataclass(frozen=True, eq=False)
class Made:
    """A contract that was made, and what it was made of.

    Attributes:
        picked: the found moment.
        chosen: the same with its label.
        contract: what the contract states.
        directory: the bundle, from the working folder.
        folder: the folder of contracts, likewise.
        origin: how the audio arrived.
    """

    picked: Picked
    chosen: Chosen
    contract: Contract
    directory: str
    folder: str
    origin: Origin

    @property
    def commands(self) -> tuple[str, ...]:
        """What to do next: verify it, and propose it to a repository."""
        title = f"Add hotato contract {self.contract.id}"
        words = ("--fixtures", self.directory, "--repo", "OWNER/REPO", "--title", title)
        return (
            shlex.join(("hotato", "contract", "verify", self.folder)),
            shlex.join(("hotato", "pr", "create", *words)),
        )

    def json(self) -> dict[str, Any]:
        """The documented JSON; keys that the documented edition lacks come last."""
        bounds = self.chosen.bounds_json()
        return {
            "tool": "hotato",
            "kind": "investigate-label",
            "schema_version": "1",
            "id": self.contract.id,
            "dir": self.directory,
            "contract": msgspec.to_builtins(self.contract),
            "next": self.commands[0],
            "candidate_ref": self.picked.ref,
            "auto_id": self.chosen.auto_id,
            "auto_talk_over_bound": bounds.pop("auto_talk_over_bound"),
            "capture_origin": msgspec.to_builtins(self.origin),
            "next_commands": list(self.commands),
            **bounds,
            "taken_from": taken_json(self.picked),
        }

    def text(self, *, colour: bool = False, width: int = 80, unicode: bool = True) -> str:
        """The same for a terminal; arguments as everywhere."""
        terminal = Terminal(colour, width, unicode)
        contract, found = self.contract, self.contract.measurement
        verdict = "fails, and stays red until a fixed agent is recorded anew"
        if found.passed:
            verdict = "passes: under this policy it is no failure; it guards against a regression"
        lines = [
            terminal.paint("bold", "hotato investigate label")
            + f"  {contract.id}  expect {contract.label.expected_behavior}",
            *terminal.entry("of", taken_words(self.picked), _LABEL),
            *terminal.entry("dir", shown(self.directory, _PATH_CHARS), _LABEL),
            *terminal.entry("measured", profiled_words(contract), _LABEL),
            *terminal.entry("verdict", verdict, _LABEL),
        ]
        for reason in found.reasons:
            lines += terminal.entry("", shown(reason, 300), _LABEL)
        for code in found.doubts:
            lines += terminal.entry("doubt", doubt_words(code), _LABEL)
        for bound in self._bounds():
            lines += terminal.entry("bound", bound, _LABEL)
        expected = contract.label.expected_behavior
        for close in close_words(found.edges, contract.policy.pass_conditions, expected):
            lines += terminal.entry("close", f"{CLOSE}: {close}", _LABEL)
        for name, command in zip(("next", "then"), self.commands, strict=True):
            lines.append(f"  {terminal.paint('soft', f'{name:<{_LABEL}}')}{terminal.plain(command)}")
        return terminal.finish(lines)

    def _bounds(self) -> list[str]:
        """The bounds that nobody stated, in words."""
        start, told = self.chosen.start, []
        if self.chosen.auto_talk_over and start.max_talk_over_sec is not None:
            seen = seconds(start.observed_overlap_sec or 0.0)
            most = seconds(start.max_talk_over_sec)
            told.append(f"talk-over of at most {most}, the limit of autopsy (found: {seen})")
        if self.chosen.auto_response_gap and start.max_response_gap_sec is not None:
            seen = seconds(start.observed_gap_sec or 0.0)
            most = seconds(start.max_response_gap_sec)
            told.append(f"an answer within {most}, the limit that the silence was held to (found: {seen})")
        conditions = self.contract.policy.pass_conditions
        if conditions.max_talk_over_sec is None and conditions.max_time_to_yield_sec is None:
            told += unbounded_words(self.contract) if conditions.max_response_gap_sec is None else []
        return told


def taken_words(picked: Picked) -> str:
    """Which recording a moment is of, and when: `call.wav at 0:07.63 (overlap_while_agent_talking)`."""
    kind = "" if picked.kind is None else f" ({shown(picked.kind, 80)})"
    return f"{shown(portable(picked.recording), _PATH_CHARS)} at {clock(picked.shown_sec, 2)}{kind}"


def taken_json(picked: Picked) -> dict[str, Any]:
    """The same as JSON; it is printed, and no bundle holds it."""
    return {
        "recording": portable(picked.recording),
        "sha256": picked.sha256,
        "t_sec": picked.shown_sec,
        "kind": picked.kind,
        "ref": picked.ref,
    }
