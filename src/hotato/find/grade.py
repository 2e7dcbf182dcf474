"""Which candidates are incidents, and which of those are CRITICAL. Documented values decide.

| candidate | incident | CRITICAL when |
|---|---|---|
| overlap_while_agent_talking | BARGE-IN | both active for over 1.0 s of the caller's turn |
| agent_start_during_caller | TALK-OVER | overlap over 1.0 s |
| dual_start, first_turn_overlap, resume_into_caller | of the same name | overlap over 1.0 s |
| long_response_gap ended by the agent | DEAD AIR from 5 s, else LATENCY SPIKE | 5 s or more |
| long_response_gap ended by the caller | UNANSWERED TURN from 3 s, else LATENCY SPIKE | 5 s or more |
| long_response_gap ended by the recording, unanswered_turn | UNANSWERED TURN | 5 s, never at the end |
| agent_stop_no_caller | DEAD AIR | 5 s or more, see `_agent_stop` |
| double_reply, echo_correlated_activity | DOUBLE REPLY, ECHO SUSPECTED | never |

A doubt keeps any of them a WARNING.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import Candidate
from hotato.timing import Measured


@dataclass(frozen=True, slots=True)
class Grade:
    """What a candidate amounts to.

    Attributes:
        candidate: the candidate.
        kind_key: `barge-in`, `dead-air`, ...
        critical: CRITICAL, doubts already weighed.
        headline: the number that names the incident, None for a caveat without one.
        bound_sec: the limit it was held against, None where there is none.
    """

    candidate: Candidate
    kind_key: str
    critical: bool
    headline: Measured | None
    bound_sec: float | None

    @property
    def boundary_sensitive(self) -> bool:
        """The edges cannot tell on which side of the limit the number lies, or only the hangover decides."""
        if self.headline is None or self.bound_sec is None:
            return False
        documented = self.headline.documented_sec
        apart = documented is not None and (documented > self.bound_sec) != (
            self.headline.sec > self.bound_sec
        )
        return apart or self.headline.crosses(self.bound_sec)


@dataclass(frozen=True, slots=True)
class Grader:
    """Grades candidates by fixed limits.

    Attributes:
        scan: thresholds of the walk that found them.
        limits: thresholds of the grading.
    """

    scan: ScanParams
    limits: GradeParams

    def grade(self, candidate: Candidate) -> Grade | None:
        """The grade of a candidate, None for an ordinary moment that is no incident."""
        match candidate.kind:
            case "overlap_while_agent_talking" | "agent_start_during_caller":
                return self._joining(candidate)
            case "dual_start" | "first_turn_overlap" | "resume_into_caller":
                return self._overlap(candidate, candidate.kind.replace("_", "-"))
            case "long_response_gap" | "unanswered_turn":
                return self._gap(candidate)
            case "agent_stop_no_caller":
                return self._agent_stop(candidate)
            case "double_reply":
                return self._made(candidate, "double-reply", "gap_sec", None)
            case _:
                return self._made(candidate, "echo-suspected", None, None)

    def _joining(self, candidate: Candidate) -> Grade | None:
        if candidate.measured["overlap_sec"].sec < self.limits.least_overlap_sec:
            return None  # they touched only while a hangover ran, as at any change of speaker
        barge_in = candidate.kind == "overlap_while_agent_talking"
        return self._overlap(candidate, "barge-in" if barge_in else "talk-over")

    def _overlap(self, candidate: Candidate, kind_key: str) -> Grade:
        """An interruption is held against its own turn: three short sounds are not one long overlap."""
        magnitude = "turn_overlap_sec" if "turn_overlap_sec" in candidate.measured else "overlap_sec"
        over, limit = candidate.measured[magnitude].documented_sec or 0.0, self.limits.overlap_limit_sec
        return self._made(candidate, kind_key, magnitude, limit, critical=over > limit)

    def _gap(self, candidate: Candidate) -> Grade | None:
        gap, ended_by = _documented(candidate, "gap_sec"), candidate.evidence["ended_by"]
        dead = self.limits.dead_air_sec
        if ended_by == "end_of_recording":
            if gap < self.scan.unanswered_end_sec:
                return None
            return self._made(candidate, "unanswered-turn", "gap_sec", None)
        if gap >= dead:
            kind_key = "dead-air" if ended_by == "agent" else "unanswered-turn"
            return self._made(candidate, kind_key, "gap_sec", dead, critical=True)
        if candidate.kind == "unanswered_turn" or (
            ended_by == "caller" and gap >= self.limits.unanswered_sec
        ):
            return self._made(candidate, "unanswered-turn", "gap_sec", dead)
        return self._made(candidate, "latency-spike", "gap_sec", self.scan.min_gap_sec)

    def _agent_stop(self, candidate: Candidate) -> Grade | None:
        """A hole in the agent's own speech, or a caller who had to prompt.

        A caller who takes a while and then speaks at length may simply have thought about the answer: that
        silence is an incident only from `dead_air_sec` on, and never CRITICAL. One short sound after it
        ("Hello?") looks like a prompt.
        """
        silence = _documented(candidate, "trailing_silence_sec")
        critical = silence >= self.limits.dead_air_sec
        least = self.limits.agent_pause_sec
        if candidate.evidence["ended_by"] == "caller":
            turn = candidate.evidence.get("caller_turn_after_sec")
            prompted = isinstance(turn, float) and turn <= self.limits.reprompt_sec
            least = self.limits.unanswered_sec if prompted else self.limits.dead_air_sec
            critical = critical and prompted
        if silence < least:
            return None
        bound = self.limits.dead_air_sec
        return self._made(candidate, "dead-air", "trailing_silence_sec", bound, critical=critical)

    def _made(
        self,
        candidate: Candidate,
        kind_key: str,
        magnitude: str | None,
        bound_sec: float | None,
        *,
        critical: bool = False,
    ) -> Grade:
        headline = None if magnitude is None else candidate.measured[magnitude]
        return Grade(candidate, kind_key, critical and not candidate.doubts, headline, bound_sec)


def _documented(candidate: Candidate, name: str) -> float:
    return candidate.durations[name] or 0.0
