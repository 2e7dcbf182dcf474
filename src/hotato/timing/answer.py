"""One joint silence, measured: after the sound at an onset ended, how long until somebody sounded again.

The sound is whatever sounds at the onset (the caller's, where both do) or begins next after it. The caller's
ends with the turn, as documented: at the first pause of `turn_end_silence_sec`. The agent's ends with itself,
or with the turn of a caller who had begun over it. From there on both are silent until one of them sounds
again, or the recording ends. An agent that began within `premature_tolerance_sec` of the end answered
without any silence; one that began earlier answered no turn, nor did one that only paused at the end, for
less than the `yield_hangover_sec` that make a stop.

The same walk serves both profiles: the documented one on hangover-smoothed frames, the calibrated one on raw
edges without their bias.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from hotato.timing.activity import Activity
from hotato.timing.calibration import CALIBRATION, Calibration, Sounds, reaches
from hotato.timing.config import ScoreConfig
from hotato.timing.edges import Measured, duration, onset_edge
from hotato.timing.silence import silence_edges, sound_end
from hotato.timing.spans import Edge, Run

CALLER, AGENT, END = "caller", "agent", "end_of_recording"
_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class AnswerTiming:
    """What followed the sound at an onset.

    Attributes:
        onset_sec: the onset used.
        onset_frame: its frame; in the calibrated profile the nearest one.
        hop_sec: seconds to a frame.
        agent_at_onset: the agent sounded at the onset.
        began_with: whose sound ended: `caller`, `agent`, or None where nothing sounded from the onset on.
        sound_end_sec: when it ended, None where it did not end inside the recording.
        ended_by: who sounded next: `agent`, `caller`, or `end_of_recording` for nobody; None where there is
            no silence to end.
        silence_sec: how long both were silent; 0.0 for an answer within the tolerance; None without one.
        premature_sec: by how much the agent's sound began before the caller's turn ended, where that was more
            than the tolerance; else None.
        edges: `onset`; `silence` where there is one; `response_gap` where the agent ended it, equal to it;
            `premature_start` where the agent was early; each with its interval.
        sound_stop: one past the last frame of the sound that ended, None without.
        next_first: first frame of the sound that ended the silence, None where none did.
    """

    onset_sec: float
    onset_frame: int
    hop_sec: float
    agent_at_onset: bool = False
    began_with: str | None = None
    sound_end_sec: float | None = None
    ended_by: str | None = None
    silence_sec: float | None = None
    premature_sec: float | None = None
    edges: dict[str, Measured] = field(default_factory=dict)
    sound_stop: int | None = None
    next_first: int | None = None

    @property
    def response_gap_sec(self) -> float | None:
        """Seconds of silence until the agent sounded; None where somebody else or nobody ended it."""
        return self.silence_sec if self.ended_by == AGENT else None


@dataclass(frozen=True, slots=True)
class _Sound:
    """One sound of a party: when it begins and stops by the profile's clock, and its frames."""

    start_sec: float
    stop_sec: float
    run: Run


@dataclass(frozen=True, slots=True)
class _Ended:
    """The sound that ended, and whose it was."""

    party: str
    sound: _Sound


@dataclass(frozen=True, slots=True)
class _Clock:
    """A profile's view of both parties.

    Attributes:
        caller: the caller's sounds in order.
        agent: the agent's.
        end_sec: until when the agent was recorded.
        between: the interval of the silence behind the end of a sound, up to the beginning of another (None
            for the end of the recording).
        lead: the interval of the time from the beginning of the agent's sound to the end of the caller's.
    """

    caller: Sequence[_Sound]
    agent: Sequence[_Sound]
    end_sec: float
    between: Callable[[_Ended, tuple[str, _Sound] | None], Measured]
    lead: Callable[[_Sound, _Sound], Measured]


def measure_answer(
    caller: Activity,
    agent: Activity,
    onset_frame: int,
    cfg: ScoreConfig,
    *,
    labelled_onset_sec: float | None = None,
    recorded_frames: int | None = None,
) -> AnswerTiming:
    """The silence after the sound at `onset_frame`, on hangover-smoothed frames.

    Args:
        caller: the caller's activity.
        agent: the agent's activity, of the same length.
        onset_frame: the onset, clamped into the recording.
        cfg: windows.
        labelled_onset_sec: the onset that a person stated, which is exact; None when it was detected.
        recorded_frames: until when the agent was recorded; None for the whole call.
    """
    hop, frames = caller.hop_sec, caller.frames
    onset = max(0, min(onset_frame, frames - 1))
    stop = frames if recorded_frames is None else min(recorded_frames, frames)

    def between(ended: _Ended, nearest: tuple[str, _Sound] | None) -> Measured:
        first = ended.sound.run.stop
        until = stop if nearest is None else nearest[1].run.first
        gap = round(max(0, until - first) * hop, _DECIMALS)
        if nearest is None:
            start = max((sound_end(side, first) for side in (caller, agent)), key=lambda edge: edge.sec)
            return duration(start, Edge.exact(round(until * hop, _DECIMALS)), gap)
        if until <= first:
            return duration(sound_end(caller, first), onset_edge(agent, until), gap)
        return duration(*silence_edges(caller, agent, first, until), gap)

    def lead(early: _Sound, turn: _Sound) -> Measured:
        begin, end = onset_edge(agent, early.run.first), sound_end(caller, turn.run.stop)
        return duration(begin, end, round((turn.run.stop - early.run.first) * hop, _DECIMALS))

    clock = _Clock(
        [_Sound(run.first * hop, run.stop * hop, run) for run in caller.runs],
        [_Sound(run.first * hop, run.stop * hop, run) for run in agent.runs],
        stop * hop,
        between,
        lead,
    )
    stated = None if labelled_onset_sec is None else min(labelled_onset_sec, frames * hop)
    known = onset_edge(caller, onset) if stated is None else Edge.exact(stated)
    edge = Measured(
        round(onset * hop, _DECIMALS),
        *(round(sec, _DECIMALS) for sec in (known.sec, known.lo_sec, known.hi_sec)),
    )
    return _followed(clock, onset * hop, AnswerTiming(onset * hop, onset, hop, edges={"onset": edge}), cfg)


def measure_answer_calibrated(
    caller: Activity,
    agent: Activity,
    onset_sec: float | None,
    cfg: ScoreConfig,
    calibration: Calibration = CALIBRATION,
    *,
    recorded_frames: int | None = None,
) -> AnswerTiming | None:
    """The same at the calibrated edges; arguments as in `measure_calibrated`; None without an onset."""
    ours, theirs = Sounds(caller, calibration), Sounds(agent, calibration)
    shortest = caller.grid.frames_of(cfg.onset_min_run_sec)
    if onset_sec is None:
        known = next((ours.begin(run) for run in ours.runs if run.frames >= shortest), None)
        if known is None:
            return None
    else:
        known = Edge.exact(max(0.0, min(onset_sec, ours.end_sec)))
    end_sec = ours.end_sec if recorded_frames is None else min(ours.end_sec, recorded_frames * caller.hop_sec)

    def between(ended: _Ended, nearest: tuple[str, _Sound] | None) -> Measured:
        start = (ours if ended.party == CALLER else theirs).stop(ended.sound.run)
        if nearest is None:
            return duration(start, Edge.exact(end_sec))
        return duration(start, (ours if nearest[0] == CALLER else theirs).begin(nearest[1].run))

    def lead(early: _Sound, turn: _Sound) -> Measured:
        return duration(theirs.begin(early.run), ours.stop(turn.run))

    clock = _Clock(
        [_Sound(ours.begin_sec(run), ours.stop_sec(run), run) for run in ours.runs],
        [_Sound(theirs.begin_sec(run), theirs.stop_sec(run), run) for run in theirs.runs],
        end_sec,
        between,
        lead,
    )
    frame = min(caller.grid.frames_of(known.sec), caller.frames - 1)
    begun = AnswerTiming(
        round(known.sec, _DECIMALS), frame, caller.hop_sec, edges={"onset": duration(Edge.exact(0.0), known)}
    )
    return _followed(clock, known.sec, begun, cfg)


def _followed(clock: _Clock, onset_sec: float, known: AnswerTiming, cfg: ScoreConfig) -> AnswerTiming:
    """The walk: the sound at the onset, its end, and what came next."""
    known = replace(known, agent_at_onset=_sounding(clock.agent, onset_sec) is not None)
    ended = _ended(clock, onset_sec, cfg)
    if ended is None:
        return known
    end_sec = ended.sound.stop_sec
    known = replace(
        known,
        began_with=ended.party,
        sound_stop=ended.sound.run.stop,
        sound_end_sec=round(end_sec, _DECIMALS),
    )
    early = _under_way(clock.agent, end_sec, cfg.yield_hangover_sec) if ended.party == CALLER else None
    if early is not None:
        return _early(clock, known, ended, early, cfg)
    if reaches(end_sec, clock.end_sec):
        return replace(known, sound_end_sec=None)
    nearest = _next(clock, end_sec)
    gap = clock.between(ended, nearest)
    known.edges["silence"] = gap
    if nearest is not None and nearest[0] == AGENT:
        known.edges["response_gap"] = gap
    return replace(
        known,
        ended_by=END if nearest is None else nearest[0],
        silence_sec=gap.sec if gap.documented_sec is None else gap.documented_sec,
        next_first=None if nearest is None else nearest[1].run.first,
    )


def _ended(clock: _Clock, onset_sec: float, cfg: ScoreConfig) -> _Ended | None:
    """The sound at the onset, or the next one, followed to its end."""
    theirs = _sounding(clock.caller, onset_sec)
    agents = _sounding(clock.agent, onset_sec)
    if theirs is None and agents is None:
        begins = _next(clock, onset_sec)
        if begins is None:
            return None
        theirs, agents = (begins[1], None) if begins[0] == CALLER else (None, begins[1])
    if theirs is None and agents is not None:
        theirs = _sounding(clock.caller, agents.stop_sec)
        if theirs is None:
            return _Ended(AGENT, agents)
    if theirs is None:
        return None
    return _Ended(CALLER, _turn_end(clock.caller, theirs, cfg.turn_end_silence_sec))


def _turn_end(sounds: Sequence[_Sound], sound: _Sound, silence_sec: float) -> _Sound:
    """The last sound of the turn that `sound` belongs to: the first with a long pause behind it."""
    for following in sounds:
        if following.start_sec <= sound.start_sec:
            continue
        if reaches(following.start_sec - sound.stop_sec, silence_sec):
            break
        sound = following
    return sound


def _early(
    clock: _Clock, known: AnswerTiming, ended: _Ended, early: _Sound, cfg: ScoreConfig
) -> AnswerTiming:
    """An agent that sounds when the caller's turn ends: within the tolerance it answers, else it is early.

    An answer that only the hangover of the caller's activity makes early is one.
    """
    lead = clock.lead(early, ended.sound)
    documented = lead.sec if lead.documented_sec is None else lead.documented_sec
    known.edges["premature_start"] = lead
    if not reaches(cfg.premature_tolerance_sec, min(documented, lead.sec)):
        return replace(known, premature_sec=documented)
    gap = clock.between(ended, (AGENT, early))
    known.edges["silence"] = known.edges["response_gap"] = gap
    return replace(
        known,
        ended_by=AGENT,
        silence_sec=gap.sec if gap.documented_sec is None else gap.documented_sec,
        next_first=early.run.first,
    )


def _sounding(sounds: Sequence[_Sound], sec: float) -> _Sound | None:
    """The sound under way at a time."""
    return next((s for s in sounds if reaches(sec, s.start_sec) and not reaches(sec, s.stop_sec)), None)


def _under_way(sounds: Sequence[_Sound], sec: float, hold_sec: float) -> _Sound | None:
    """The sound at a time, or the one before it where only a pause too short to be a stop lies between that
    and the next: then a party goes on."""
    for before, after in pairwise(sounds):
        around = reaches(sec, before.stop_sec) and not reaches(sec, after.stop_sec)
        if around and not reaches(after.start_sec - before.stop_sec, hold_sec):
            return before
    return _sounding(sounds, sec)


def _next(clock: _Clock, sec: float) -> tuple[str, _Sound] | None:
    """Whose sound begins next at or after a time, and which; the agent's where both begin together."""
    begins = [
        (party, sound)
        for party, sounds in ((AGENT, clock.agent), (CALLER, clock.caller))
        for sound in sounds
        if reaches(sound.start_sec, sec) and not reaches(sound.start_sec, clock.end_sec)
    ]
    return min(begins, key=lambda one: round(one[1].start_sec, 6), default=None)
