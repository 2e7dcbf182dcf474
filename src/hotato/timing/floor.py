"""Who holds the floor: turns, floor transfer offsets, talk share and monologues of a whole call.

A turn is a party's activity with pauses of up to `turn_pause_sec` closed. A floor transfer goes from the
end of one party's turn to the beginning of the other's next: its offset is positive for a gap and negative
for an overlap (Heldner and Edlund 2010, "Pauses, gaps and overlaps in conversations").
"""

from __future__ import annotations

from dataclasses import dataclass

from hotato.timing.activity import Activity
from hotato.timing.spans import Run, Span, merge


@dataclass(frozen=True, slots=True)
class FloorParams:
    """What makes a turn.

    Attributes:
        turn_pause_sec: a pause of at most this long stays inside a turn.
    """

    turn_pause_sec: float = 0.5


@dataclass(frozen=True, slots=True)
class Turn:
    """A stretch in which one party keeps the floor.

    Attributes:
        party: `caller` or `agent`.
        start_sec: first active frame.
        end_sec: end of the last raw frame; hangover does not count.
    """

    party: str
    start_sec: float
    end_sec: float

    @property
    def duration_sec(self) -> float:
        """Length in seconds."""
        return round(self.end_sec - self.start_sec, 3)


@dataclass(frozen=True, slots=True)
class FloorTransfer:
    """The floor passed from one party to the other.

    Attributes:
        to: the party that took it.
        at_sec: when the taker began.
        offset_sec: taker's start minus the giver's end: gap positive, overlap negative.
    """

    to: str
    at_sec: float
    offset_sec: float


@dataclass(frozen=True, slots=True)
class PartyShare:
    """How much one party spoke.

    Attributes:
        talk_sec: seconds of activity, hangover excluded.
        talk_share: `talk_sec` over the talk of both parties; None when nobody spoke.
        turns: number of turns.
        longest_monologue: the longest turn, None when there is none.
    """

    talk_sec: float
    talk_share: float | None
    turns: int
    longest_monologue: Span | None


@dataclass(frozen=True, slots=True)
class Floor:
    """The call's rhythm: every turn, every change of speaker, and each party's share."""

    turns: tuple[Turn, ...]
    transfers: tuple[FloorTransfer, ...]
    caller: PartyShare
    agent: PartyShare


def measure_floor(caller: Activity, agent: Activity, params: FloorParams | None = None) -> Floor:
    """Turns, transfers and shares of a whole call."""
    params = params or FloorParams()
    pause = caller.grid.frames_of(params.turn_pause_sec)
    caller_turns = _turns("caller", caller, pause)
    agent_turns = _turns("agent", agent, pause)
    turns = sorted([*caller_turns, *agent_turns], key=lambda t: (t.start_sec, t.party))
    talk = _talk_sec(caller) + _talk_sec(agent)
    return Floor(
        tuple(turns),
        tuple(_transfers(turns)),
        _share(caller, caller_turns, talk),
        _share(agent, agent_turns, talk),
    )


def _turns(party: str, activity: Activity, pause_frames: int) -> list[Turn]:
    merged: list[Run] = merge(activity.trimmed_runs, pause_frames)
    spans = [run.span(activity.hop_sec) for run in merged]
    return [Turn(party, span.start_sec, span.end_sec) for span in spans]


def _transfers(turns: list[Turn]) -> list[FloorTransfer]:
    """Changes of speaker; a turn that begins and ends inside the other's turn takes no floor."""
    found = []
    holder: Turn | None = None
    for turn in turns:
        if holder is None:
            holder = turn
        elif turn.party == holder.party:
            holder = turn if turn.end_sec > holder.end_sec else holder
        elif turn.end_sec > holder.end_sec:
            found.append(FloorTransfer(turn.party, turn.start_sec, round(turn.start_sec - holder.end_sec, 3)))
            holder = turn
    return found


def _talk_sec(activity: Activity) -> float:
    return sum(run.frames for run in activity.trimmed_runs) * activity.hop_sec


def _share(activity: Activity, turns: list[Turn], talk_sec: float) -> PartyShare:
    own = _talk_sec(activity)
    longest = max(turns, key=lambda t: (t.duration_sec, -t.start_sec), default=None)
    return PartyShare(
        round(own, 3),
        round(own / talk_sec, 3) if talk_sec > 0 else None,
        len(turns),
        None if longest is None else Span(longest.start_sec, longest.end_sec),
    )
