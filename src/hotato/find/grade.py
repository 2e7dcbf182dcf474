"""Which candidates are incidents, and which of those are CRITICAL.

The value at the raw energy edges decides; where its interval holds the limit, nothing is CRITICAL.

| candidate | incident | CRITICAL when |
|---|---|---|
| overlap_while_agent_talking | BARGE-IN, see `_interruption` | both sound for over 1.0 s of a turn |
| agent_start_during_caller, premature_start | TALK-OVER from 0.2 s | overlap over 1.0 s |
| dual_start, first_turn_overlap, resume_into_caller | of the same name from 0.2 s | overlap over 1.0 s |
| long_response_gap ended by the agent | DEAD AIR from 5 s, else LATENCY SPIKE | 5 s or more |
| long_response_gap ended by the caller | UNANSWERED TURN from 3 s, else LATENCY SPIKE | 5 s or more |
| long_response_gap ended by the recording, unanswered_turn | UNANSWERED TURN | 5 s, never at the end |
| agent_stop_no_caller | DEAD AIR | 5 s or more, see `_agent_stop` |
| double_reply, echo_correlated_activity | DOUBLE REPLY, ECHO SUSPECTED | never |

A doubt keeps any of them a WARNING. A silence during which a party's recording has ended is nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from hotato.find.params import GradeParams, ScanParams
from hotato.find.records import Candidate
from hotato.timing import Measured
from hotato.trust.missing import harmless

_NOT_A_CALLER = frozenset({"weak_onset", "click", "echo_explained"})
"""Doubts after which a sound on the caller's channel may be nobody's."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What a candidate amounts to.

    Attributes:
        candidate: the candidate.
        kind_key: `barge-in`, `dead-air`, ...
        critical: CRITICAL, doubts already weighed.
        headline: the number that names the incident, None for a caveat without one.
        bound_sec: the limit it was held against, None where there is none.
        short_stop: a BARGE-IN at which the agent stopped for a sound too short to be a bid for the floor.
    """

    candidate: Candidate
    kind_key: str
    critical: bool
    headline: Measured | None
    bound_sec: float | None
    short_stop: bool = False

    @property
    def boundary_sensitive(self) -> bool:
        """The edges cannot tell on which side of the limit the number lies."""
        if self.headline is None or self.bound_sec is None:
            return False
        return self.headline.crosses(self.bound_sec)

    @property
    def salience(self) -> float:
        """What incidents of one severity are ranked by: the candidate's, or the documented headline."""
        documented = None if self.headline is None else self.headline.documented_sec
        return max(self.candidate.salience, documented or 0.0)


def joined_by_agent(candidate: Candidate) -> bool:
    """Whether an overlap is of an agent who joined the caller's turn: nobody interrupted it."""
    return candidate.evidence.get("agent_joined") is True


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
        if "file_ended" in candidate.evidence and "turn_overlap_sec" not in candidate.measured:
            return None  # a silence in which one party's recording has ended is not that party's
        match candidate.kind:
            case "overlap_while_agent_talking":
                return self._interruption(candidate)
            case (
                "agent_start_during_caller"
                | "premature_start"
                | "dual_start"
                | "first_turn_overlap"
                | "resume_into_caller"
            ):
                return self._overlap(candidate)
            case "long_response_gap" | "unanswered_turn":
                return self._gap(candidate)
            case "agent_stop_no_caller":
                return self._agent_stop(candidate)
            case _:
                return self._caveat(candidate)

    def ordinary(self, candidate: Candidate) -> str | None:
        """What an interruption that is no incident shows of the agent: `yield`, `talked_through` or None.

        Nothing is said of a sound that may not be the caller's.
        """
        doubtful = any(reason.code in _NOT_A_CALLER for reason in candidate.doubts)
        overlap = candidate.measured.get("overlap_sec")
        if doubtful or overlap is None or self.grade(candidate) is not None:
            return None
        if candidate.kind == "agent_start_during_caller":
            return "talked_through" if self._talked_through(candidate) else None
        touched = overlap.sec >= self.limits.least_stop_overlap_sec
        if candidate.kind != "overlap_while_agent_talking" or not touched or joined_by_agent(candidate):
            return None
        if self._stopped(candidate):
            return "yield"
        return "talked_through" if self._brief(candidate) else None

    def _interruption(self, candidate: Candidate) -> Grade | None:
        """A caller's sound over the agent is an incident in two cases.

        The agent talks on for longer than the limit, measured within one turn of the caller, for three short
        sounds are not one long overlap; or it stops for a sound that was no bid for the floor. An agent that
        gives way to a longer turn, or talks through a short sound, does what it should. Where the agent began
        inside the caller's turn nobody interrupted it: its start is the incident, see `_overlap`.
        """
        if joined_by_agent(candidate):
            return None
        overlap, limit = candidate.measured["turn_overlap_sec"], self.limits.overlap_limit_sec
        if overlap.sec > limit or overlap.crosses(limit):
            return self._limited(candidate, "barge-in", "turn_overlap_sec", limit)
        short = candidate.measured["caller_turn_sec"].sec <= self.limits.short_sound_sec
        if short and overlap.sec >= self.limits.least_stop_overlap_sec and self._stopped(candidate):
            return Grade(candidate, "barge-in", False, overlap, None, short_stop=True)
        return None

    def _stopped(self, candidate: Candidate) -> bool:
        """Whether the agent went quiet because of the caller's turn, and not only for a pause in its own."""
        late = candidate.evidence.get("quiet_after_turn_sec")
        if not isinstance(late, float) or late > self.limits.stop_near_sec:
            return False
        pause = candidate.measured.get("resume_gap_sec")
        return pause is None or pause.sec > self.scan.turn_pause_sec

    def _brief(self, candidate: Candidate) -> bool:
        turn = candidate.evidence["caller_turn_sec"]
        return isinstance(turn, float) and turn <= self.limits.talk_through_sec

    def _talked_through(self, candidate: Candidate) -> bool:
        """Whether the agent only goes on, after a pause in its own turn, over a short sound of the caller."""
        return bool(candidate.evidence.get("goes_on")) and self._brief(candidate)

    def _overlap(self, candidate: Candidate) -> Grade | None:
        """An agent that begins during the caller's turn is held against all that both sound of it."""
        started = candidate.kind in ("agent_start_during_caller", "premature_start")
        whole = started and "turn_overlap_sec" in candidate.measured
        magnitude = "turn_overlap_sec" if whole else "overlap_sec"
        short = candidate.measured[magnitude].sec < self.limits.least_overlap_sec
        if short or self._talked_through(candidate):
            return None  # as at any change of speaker
        kind_key = "talk-over" if started else candidate.kind.replace("_", "-")
        return self._limited(candidate, kind_key, magnitude, self.limits.overlap_limit_sec)

    def _gap(self, candidate: Candidate) -> Grade | None:
        gap, ended_by = candidate.measured["gap_sec"], candidate.evidence["ended_by"]
        dead, at_end = self.limits.dead_air_sec, self.scan.unanswered_end_sec
        if ended_by == "end_of_recording":
            if gap.sec < at_end:
                return None
            return self._made(candidate, "unanswered-turn", "gap_sec", at_end)
        if gap.sec < self.scan.min_gap_sec:
            return None
        if gap.sec >= dead:
            kind_key = "dead-air" if ended_by == "agent" else "unanswered-turn"
            return self._limited(candidate, kind_key, "gap_sec", dead)
        again = ended_by == "caller" and gap.sec >= self.limits.unanswered_sec
        if candidate.kind == "unanswered_turn" or again:
            least = self.limits.unanswered_sec if again else self.scan.min_gap_sec
            return self._made(candidate, "unanswered-turn", "gap_sec", dead if gap.crosses(dead) else least)
        bound = dead if gap.crosses(dead) else self.scan.min_gap_sec
        return self._made(candidate, "latency-spike", "gap_sec", bound)

    def _agent_stop(self, candidate: Candidate) -> Grade | None:
        """A hole in the agent's own speech, or a caller who had to prompt.

        A caller who takes a while and then speaks at length may simply have thought about the answer: that
        silence is an incident only from `dead_air_sec` on, and never CRITICAL. One short sound after it
        ("Hello?") looks like a prompt.
        """
        silence, dead = candidate.measured["trailing_silence_sec"], self.limits.dead_air_sec
        thought, least = False, self.limits.agent_pause_sec
        if candidate.evidence["ended_by"] == "caller":
            turn = candidate.evidence.get("caller_turn_after_sec")
            thought = not (isinstance(turn, float) and turn <= self.limits.reprompt_sec)
            least = dead if thought else self.limits.unanswered_sec
        if silence.sec < least:
            return None
        if thought or silence.sec < dead:
            bound = dead if silence.crosses(dead) else least  # the limit that decided, or the one in question
            return self._made(candidate, "dead-air", "trailing_silence_sec", bound)
        return self._limited(candidate, "dead-air", "trailing_silence_sec", dead)

    def _caveat(self, candidate: Candidate) -> Grade | None:
        """What is never CRITICAL: a second reply, and a caller channel that follows the agent."""
        if candidate.kind != "double_reply":
            return self._made(candidate, "echo-suspected", None, None)
        bound = self.scan.second_reply_gap_sec
        if candidate.measured["gap_sec"].sec < bound:
            return None
        return self._made(candidate, "double-reply", "gap_sec", bound)

    def _limited(self, candidate: Candidate, kind_key: str, magnitude: str, bound_sec: float) -> Grade:
        """A grade that is CRITICAL where the whole interval lies beyond the limit and nothing is in doubt."""
        number = candidate.measured[magnitude]
        candidate = _weighed(candidate, number.lo_sec - bound_sec)
        certain = number.sec > bound_sec and not number.crosses(bound_sec) and not candidate.doubts
        return Grade(candidate, kind_key, certain, number, bound_sec)

    def _made(
        self, candidate: Candidate, kind_key: str, magnitude: str | None, bound_sec: float | None
    ) -> Grade:
        headline = None if magnitude is None else candidate.measured[magnitude]
        if headline is not None and bound_sec is not None:
            to_critical_sec = abs(self.limits.dead_air_sec - headline.sec)
            candidate = _weighed(candidate, min(headline.lo_sec - bound_sec, to_critical_sec))
        return Grade(candidate, kind_key, False, headline, bound_sec)


def _weighed(candidate: Candidate, slack_sec: float) -> Candidate:
    """The candidate without the doubts that cannot move its number across a limit this far away."""
    kept = tuple(reason for reason in candidate.doubts if not harmless(reason, slack_sec))
    return msgspec.structs.replace(candidate, doubts=kept)
