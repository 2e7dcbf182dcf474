"""A call as the walk reads it: both activities, their turns, and frame arithmetic in one place."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hotato.find.params import EchoMatchParams, ScanParams
from hotato.listen import Heard
from hotato.timing import Activity, Measured, Reason, Run, ScoreConfig, Span, runs
from hotato.timing.silence import joint_silences
from hotato.timing.spans import Mask, merge
from hotato.trust import Missing, missing_parts
from hotato.trust.missing import ENDS_EARLY


@dataclass(frozen=True, eq=False)
class Walk:
    """Both parties of a heard call, with the parameters of the walk.

    Attributes:
        heard: what was heard.
        params: thresholds of the walk.
        echo_params: thresholds of the local echo match.
        onset_reasons: what has been found so far about the caller sound at a frame (several candidates ask).
        parts: the lengths measured so far of whole pieces of `together`, by their first frame.
        levels: the levels over the noise measured so far, by party and frames.
    """

    heard: Heard
    params: ScanParams
    echo_params: EchoMatchParams = field(default_factory=EchoMatchParams)
    onset_reasons: dict[int, tuple[Reason, ...]] = field(default_factory=dict)
    parts: dict[int, Measured] = field(default_factory=dict)
    levels: dict[tuple[Activity, int, int], float | None] = field(default_factory=dict)

    @property
    def caller(self) -> Activity:
        """The caller's activity."""
        return self.heard.caller.activity

    @property
    def agent(self) -> Activity:
        """The agent's activity."""
        return self.heard.agent.activity

    @property
    def cfg(self) -> ScoreConfig:
        """The parameters of the measurement."""
        return self.heard.cfg

    @property
    def frames(self) -> int:
        """Frames of the call."""
        return self.heard.frames

    @cached_property
    def known_echo(self) -> tuple[float, float] | None:
        """Lag in seconds and gain in decibels of the echo over which the caller was heard; else None."""
        evidence = (reason.evidence for reason in self.caller.reasons if reason.code == "echo_present")
        for found in evidence:
            if "gain_db" in found:
                return found["lag_sec"], found["gain_db"]
        return None

    @cached_property
    def both(self) -> Mask:
        """Frames in which both are active, hangover included."""
        return np.asarray(self.caller.active & self.agent.active)

    @cached_property
    def together(self) -> list[Run]:
        """The runs in which both really sound, hangover excluded."""
        return runs(self.caller.trimmed & self.agent.trimmed)

    @cached_property
    def silences(self) -> list[Run]:
        """Joint silence: the runs in which neither is active, hangover included."""
        return joint_silences(self.caller, self.agent)

    @cached_property
    def caller_turns(self) -> list[Run]:
        """The caller's turns at the raw edges, short pauses closed."""
        return merge(self.caller.trimmed_runs, self.frames_of(self.params.turn_pause_sec))

    @cached_property
    def agent_turns(self) -> list[Run]:
        """The agent's turns at the raw edges, short pauses closed."""
        return merge(self.agent.trimmed_runs, self.frames_of(self.params.turn_pause_sec))

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """The parts of the call in which a silence or a stop need not be a party's."""
        return missing_parts(self.heard)

    @cached_property
    def ended(self) -> tuple[str, int] | None:
        """The party whose file or channel ends early, and the frame where it does; None where both go on."""
        ends = sorted((part.first, part.role) for part in self.missing if part.code == ENDS_EARLY)
        return (ends[0][1], ends[0][0]) if ends else None

    def cut_off(self, quiet: int) -> bool:
        """Whether an agent that is quiet from a frame on had not stopped: its recording ends there.

        In a channel that falls to zeros the hangover carries its last sound on.
        """
        if self.ended is None or self.ended[0] != "agent":
            return False
        end, near = self.ended[1], self.frames_of(self.params.missing_near_sec)
        sounding = bool(self.agent.raw[max(0, end - near) : end].any())
        return quiet == end or (sounding and quiet >= end)

    @cached_property
    def agent_stretches(self) -> list[Run]:
        """The agent's runs, hangover included, with every pause too short for a yield closed."""
        return merge(list(self.agent.runs), self.frames_of(self.cfg.yield_hangover_sec) - 1)

    def frames_of(self, seconds: float) -> int:
        """Hops nearest to `seconds`."""
        return self.heard.grid.frames_of(seconds)

    def sec(self, frames: int) -> float:
        """Seconds of `frames`, to the millisecond."""
        return round(frames * self.heard.grid.hop_sec, 3)

    def span(self, first: int, stop: int) -> Span:
        """Frames [first, stop) as a span; never ends before it begins."""
        return Run(first, max(first, stop)).span(self.heard.grid.hop_sec)

    def overlap_frames(self, first: int, stop: int) -> int:
        """Frames of [first, stop) in which both are active."""
        return int(np.count_nonzero(self.both[first:stop]))


def holding(pieces: list[Run], frame: int) -> Run | None:
    """The piece that contains `frame`, or the last one begun before it; None before the first."""
    index = bisect_right(pieces, frame, key=lambda run: run.first) - 1
    return pieces[index] if index >= 0 else None


def following(pieces: list[Run], frame: int) -> Run | None:
    """The first piece that begins at or after `frame`."""
    index = bisect_right(pieces, frame - 1, key=lambda run: run.first)
    return pieces[index] if index < len(pieces) else None


def within(pieces: list[Run], first: int, stop: int) -> list[Run]:
    """What of the pieces lies in frames [first, stop), cut at both."""
    if stop <= first:
        return []
    low = bisect_right(pieces, first, key=lambda run: run.stop)
    high = bisect_right(pieces, stop - 1, key=lambda run: run.first)
    return [Run(max(first, run.first), min(stop, run.stop)) for run in pieces[low:high]]


def beginning_in(pieces: list[Run], first: int, stop: int) -> list[Run]:
    """The pieces that begin in frames [first, stop)."""
    low = bisect_right(pieces, first - 1, key=lambda run: run.first)
    high = bisect_right(pieces, stop - 1, key=lambda run: run.first)
    return pieces[low:high]
