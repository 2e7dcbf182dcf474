"""What a label is checked with: a bound beside its measurement, or the reason why nothing can be judged."""

from __future__ import annotations

from dataclasses import dataclass

from hotato.timing import Measured


@dataclass(frozen=True, slots=True)
class NotScorable:
    """Why an event cannot be judged.

    Attributes:
        code: for programs.
        reason: for people, in one sentence.
        next_step: what to do about it.
    """

    code: str
    reason: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Failure:
    """One way in which an event failed.

    Attributes:
        code: for programs; see `hotato.score.parts.Verdict`.
        reason: for people, in one clause.
    """

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that the label sets and what was measured against it.

    Attributes:
        of: what is bounded, by its name in the event's edges.
        limit_sec: the limit.
        measured_sec: the value that the verdict rests on.
        edges: the same at the raw energy edges.
    """

    of: str
    limit_sec: float
    measured_sec: float
    edges: Measured

    @property
    def slack_sec(self) -> float:
        """Limit minus measured value: negative when it was exceeded."""
        return round(self.limit_sec - self.measured_sec, 3)

    @property
    def hangover_decides(self) -> bool:
        """Whether the value without the hangover lies on the other side of the limit."""
        return (self.measured_sec > self.limit_sec) != (self.edges.sec > self.limit_sec)
