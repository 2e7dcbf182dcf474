"""Moments at which the agent begins while the caller's turn goes on: over a sound of it, or in a pause.

A turn is a party's sound with pauses of up to `turn_pause_sec` closed. The documented walk knows an agent
that begins while the caller is active; one that begins in a pause inside the turn has started too early as
well (METHODOLOGY, `premature_start_sec`), and the caller who then goes on interrupts nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hotato.find import measures
from hotato.find.doubts import onset_reasons
from hotato.find.encounter import caller_turn, goes_on, joins, pair_evidence, with_hangover
from hotato.find.records import Candidate
from hotato.find.walk import Walk, following, holding, within
from hotato.findings import Evidence
from hotato.timing import Measured, Reason, Run, Span, onset_edge
from hotato.timing.silence import sound_end


@dataclass(frozen=True, slots=True)
class _Joined:
    """An agent's turn that begins inside a turn of the caller.

    Attributes:
        turn: the caller's turn.
        own: the agent's turn.
        stop: where the documented activity of the first of the two to end does.
        resumed: where the caller goes on after the pause in which the agent began, or after a later one; None
            where no pause comes.
    """

    turn: Run
    own: Run
    stop: int
    resumed: int | None

    @classmethod
    def at(cls, call: Walk, frame: int) -> _Joined | None:
        """The agent's turn that begins at `frame`, where it begins inside a turn of the caller.

        A caller who after a pause makes but a short sound acknowledges the agent, and does not go on.
        """
        turn, own = caller_turn(call, frame), holding(call.agent_turns, frame)
        if own is None or own.first != frame or not joins(call, own, turn):
            return None
        again = following(call.caller.trimmed_runs, frame + 1)
        resumed = None if again is None or again.first >= turn.stop else again.first
        if resumed is not None and turn.stop - resumed <= call.frames_of(call.params.acknowledged_sec):
            return None
        last = holding(call.agent.runs, own.stop - 1)
        ends = own.stop if last is None else last.stop
        return cls(turn, own, min(ends, with_hangover(call, turn)), resumed)

    def measured(self, call: Walk) -> dict[str, Measured]:
        """How long both sounded, the lead on the end of the turn, and how far into a pause it began."""
        first, overlap_sec = self.own.first, self.overlap_sec(call)
        begins, ends = onset_edge(call.agent, first), sound_end(call.caller, self.turn.stop)
        found = {
            "turn_overlap_sec": measures.overlap(call, first, self.stop, overlap_sec),
            "premature_start_sec": measures.between(begins, ends, self.lead_sec(call)),
        }
        if not call.caller.trimmed[first]:
            found["into_pause_sec"] = measures.between(sound_end(call.caller, first), begins, None)
        return found

    def overlap_sec(self, call: Walk) -> float:
        """Both active from the agent's beginning to the end of either turn."""
        return call.sec(call.overlap_frames(self.own.first, self.stop))

    def lead_sec(self, call: Walk) -> float:
        """How long before the documented end of the caller's turn the agent began."""
        return call.sec(with_hangover(call, self.turn) - self.own.first)

    def span(self, call: Walk) -> Span:
        """From the agent's beginning to the last moment at which both sounded."""
        pieces = within(call.together, self.own.first, self.stop)
        return call.span(self.own.first, pieces[-1].stop if pieces else self.own.first)

    def reasons(self, call: Walk) -> tuple[Reason, ...]:
        """What weakens the sound with which the caller goes on."""
        return () if self.resumed is None else onset_reasons(call, self.resumed)

    def evidence(self, call: Walk) -> Evidence:
        """Which turns meet, and how long the caller's is."""
        return {
            **pair_evidence(call, self.turn, self.own.first),
            "caller_turn_sec": call.sec(self.turn.frames),
        }


def agent_starts(call: Walk) -> Iterator[Candidate]:
    """`agent_start_during_caller`: the agent begins while the caller is active."""
    for run in call.agent.runs:
        if call.caller.active[run.first]:
            yield _agent_start(call, run)


def _agent_start(call: Walk, run: Run) -> Candidate:
    under = holding(call.caller.runs, run.first)
    assert under is not None, "the caller is active at this frame"
    stop = min(run.stop, under.stop)
    overlap_sec = call.sec(stop - run.first)
    after = following(call.caller.runs, under.stop)
    quiet_until = call.frames if after is None else after.first
    ended = quiet_until - under.stop >= call.frames_of(call.cfg.turn_end_silence_sec)
    kept = call.sec(under.stop - run.first) if ended or under.stop >= call.frames else None
    measured = {"overlap_sec": measures.overlap(call, run.first, stop, overlap_sec)}
    if kept is not None:
        end = sound_end(call.caller, under.stop)
        measured["caller_kept_talking_sec"] = measures.between(onset_edge(call.agent, run.first), end, kept)
    turn, joined = caller_turn(call, run.first), _Joined.at(call, run.first)
    doubts, span = onset_reasons(call, under.first), measures.overlap_span(call, run.first, stop)
    if joined is not None:
        measured |= joined.measured(call)
        doubts += tuple(reason for reason in joined.reasons(call) if reason not in doubts)
        span = joined.span(call)
    return Candidate(
        kind="agent_start_during_caller",
        t_sec=call.sec(run.first),
        span=span,
        durations={"overlap_sec": overlap_sec, "caller_kept_talking_sec": kept},
        measured=measured,
        salience=overlap_sec,
        doubts=doubts,
        evidence={
            **pair_evidence(call, turn, run.first),
            "caller_turn_sec": call.sec(turn.frames),
            "goes_on": goes_on(call, run, turn),
        },
    )


def premature_starts(call: Walk) -> Iterator[Candidate]:
    """`premature_start`: the agent begins a turn in a pause of the caller's, who then goes on over it.

    Where the documented activity bridges the pause it is an `agent_start_during_caller` already.
    """
    for own in call.agent_turns:
        joined = None if call.caller.active[own.first] else _Joined.at(call, own.first)
        if joined is not None and within(call.together, own.first, joined.stop):
            yield _premature_start(call, joined)


def _premature_start(call: Walk, joined: _Joined) -> Candidate:
    measured = joined.measured(call)
    measured["overlap_sec"] = measured["turn_overlap_sec"]
    overlap_sec = joined.overlap_sec(call)
    return Candidate(
        kind="premature_start",
        t_sec=call.sec(joined.own.first),
        span=joined.span(call),
        durations={"overlap_sec": overlap_sec, "premature_start_sec": joined.lead_sec(call)},
        measured=measured,
        salience=overlap_sec,
        doubts=joined.reasons(call),
        evidence=joined.evidence(call),
    )
