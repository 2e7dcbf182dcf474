"""One caller onset, measured at the calibrated raw edges: the `calibrated` profile.

The meanings are those of the documented measurement (`hotato.timing.event`): the same windows, the same
questions. What differs is the clock: sounds begin and end at their raw energy edges with the known bias
removed (`hotato.timing.calibration`), not on hangover-smoothed frames. Hence no value here depends on the
hangover, times are not bound to the frame grid, and an onset that a person stated is used as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise, product

from hotato.timing.activity import Activity
from hotato.timing.calibration import CALIBRATION, Calibration, Sounds, reaches
from hotato.timing.config import ScoreConfig
from hotato.timing.edges import Measured, duration
from hotato.timing.event import EventTiming
from hotato.timing.resume import Resume, ResumeParams
from hotato.timing.spans import Edge, Run

_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class CalibratedTiming:
    """What was measured from one caller onset on, in seconds; the names are those of `EventTiming`.

    Attributes:
        onset_sec: the onset: as stated, or the calibrated beginning of the caller's first sound.
        onset_frame: the frame nearest to it.
        hop_sec: seconds to a frame.
        agent_talking_at_onset: whether the agent sounded in the lookback up to the onset. A pause that the
            documented hangover would bridge belongs to the lookback.
        yield_frame: first raw quiet frame of the agent's counted silence, or None.
        turn_end_frame: first raw quiet frame of the silence that ended the caller's turn, or None.
        response_frame: first raw frame of the agent's next sound, or None.
        premature: the response began before the turn end by more than the tolerance.
        edges: `onset`, `time_to_yield`, `talk_over`, `response_gap` and `premature_start`, each with its
            interval; what could not be derived is absent.
        resume: what followed a yield, None without one.
        near_stop_sec: when, after the onset, the agent fell quiet for a time that does not count but, as its
            edges are known, may be long enough; the first such silence before the counted one, None without.
    """

    onset_sec: float
    onset_frame: int
    hop_sec: float
    agent_talking_at_onset: bool
    yield_frame: int | None
    turn_end_frame: int | None
    response_frame: int | None
    premature: bool
    edges: dict[str, Measured] = field(default_factory=dict)
    resume: Resume | None = None
    near_stop_sec: float | None = None

    @property
    def did_yield(self) -> bool:
        """Whether the agent went quiet and stayed quiet, near the caller, inside the search window."""
        return self.yield_frame is not None

    @property
    def time_to_yield_sec(self) -> float | None:
        """Seconds from the onset to the yield; None when the agent did not yield."""
        return self.edges["time_to_yield"].sec if self.did_yield else None

    @property
    def talk_over_sec(self) -> float:
        """Seconds in which both sounded between the onset and the yield (or the end of the search)."""
        return self.edges["talk_over"].sec

    @property
    def response_gap_sec(self) -> float | None:
        """Seconds from the caller's turn end to the agent's answer; None when premature or not derivable."""
        gap = self.edges.get("response_gap")
        return None if gap is None or self.premature else gap.sec

    @property
    def premature_start_sec(self) -> float | None:
        """Lead of the answer over the turn end in seconds; 0.0 within tolerance, None if not derivable."""
        lead = self.edges.get("premature_start")
        if lead is None:
            return None
        return lead.sec if self.premature else 0.0


Timing = EventTiming | CalibratedTiming
"""One event as measured under either profile."""


def measure_calibrated(
    caller: Activity,
    agent: Activity,
    onset_sec: float | None,
    cfg: ScoreConfig,
    calibration: Calibration = CALIBRATION,
) -> CalibratedTiming | None:
    """Measure one event at the calibrated edges.

    Args:
        caller: the caller's activity.
        agent: the agent's activity, of the same length.
        onset_sec: when the caller began, clamped into the recording; None takes the caller's first sound of
            at least `onset_min_run_sec`.
        cfg: windows.
        calibration: what is added to the edges.

    Returns:
        None where no onset was stated or found.
    """
    parties = Sounds(caller, calibration), Sounds(agent, calibration)
    onset = _onset(parties[0], onset_sec, cfg)
    return None if onset is None else _Event(*parties, onset, cfg, calibration).timing()


def _onset(caller: Sounds, stated_sec: float | None, cfg: ScoreConfig) -> Edge | None:
    if stated_sec is not None:
        return Edge.exact(max(0.0, min(stated_sec, caller.end_sec)))
    shortest = caller.activity.grid.frames_of(cfg.onset_min_run_sec)
    return next((caller.begin(run) for run in caller.runs if run.frames >= shortest), None)


@dataclass(frozen=True, slots=True)
class _Stop:
    """A counted silence: its edge and its first quiet frame."""

    edge: Edge
    frame: int


@dataclass(frozen=True, slots=True)
class _Event:
    """One event under measurement."""

    caller: Sounds
    agent: Sounds
    onset: Edge
    cfg: ScoreConfig
    calibration: Calibration

    def timing(self) -> CalibratedTiming:
        stop = self._stop()
        turn_end, response = self._turn_end(), self._response()
        edges = {"onset": duration(Edge.exact(0.0), self.onset)}
        premature = False
        if stop is not None:
            edges["time_to_yield"] = duration(self.onset, stop.edge)
        edges["talk_over"] = self._talk_over(None if stop is None else stop.edge)
        if turn_end is not None and response is not None:
            end, begin = self.caller.stop(turn_end), self.agent.begin(response)
            edges["response_gap"], edges["premature_start"] = duration(end, begin), duration(begin, end)
            premature = not reaches(self.cfg.premature_tolerance_sec, end.sec - begin.sec)
        hop = self.caller.activity.hop_sec
        return CalibratedTiming(
            onset_sec=round(self.onset.sec, _DECIMALS),
            onset_frame=min(
                self.caller.activity.grid.frames_of(self.onset.sec), self.caller.activity.frames - 1
            ),
            hop_sec=hop,
            agent_talking_at_onset=self._talking(),
            yield_frame=None if stop is None else stop.frame,
            turn_end_frame=None if turn_end is None else turn_end.stop,
            response_frame=None if response is None else response.first,
            premature=premature,
            edges=edges,
            resume=None if stop is None else self._resume(stop.edge.sec),
            near_stop_sec=self._near_stop_sec(None if stop is None else stop.edge.sec),
        )

    def _talking(self) -> bool:
        since = self.onset.sec - self.cfg.agent_onset_lookback_sec - self.calibration.bridge_sec
        agent = self.agent
        return any(
            agent.begin_sec(run) <= self.onset.sec and reaches(agent.stop_sec(run), since)
            for run in agent.runs
        )

    def _stop(self) -> _Stop | None:
        """The agent's counted silence; None where there is no yield.

        An agent that is already quiet at the onset has its silence begin there.
        """
        agent, onset_sec = self.agent, self.onset.sec
        silences: list[tuple[float, float, Run | None]] = [
            (0.0, agent.begin_sec(agent.runs[0]) if agent.runs else agent.end_sec, None)
        ]
        for index, run in enumerate(agent.runs):
            stop_sec = agent.stop_sec(run)
            silences.append((stop_sec, stop_sec + agent.quiet_after_sec(index), run))
        for first_sec, until_sec, before in silences:
            begin_sec = max(first_sec, onset_sec)
            if reaches(begin_sec, onset_sec + self.cfg.max_search_sec):
                return None
            if reaches(until_sec - begin_sec, self.cfg.yield_hangover_sec) and self._caller_near(begin_sec):
                if before is None or first_sec < onset_sec:
                    frame = agent.activity.grid.frames_of(onset_sec)
                    return _Stop(self.onset, frame)
                return _Stop(agent.stop(before), before.stop)
        return None

    def _near_stop_sec(self, until_sec: float | None) -> float | None:
        """When a silence that was passed over began, if its interval holds the hold time; None without one.

        Args:
            until_sec: where the counted silence begins; None looks to the end of the search.
        """
        agent, onset_sec = self.agent, self.onset.sec
        end_sec = onset_sec + self.cfg.max_search_sec if until_sec is None else until_sec
        for before, after in pairwise(agent.runs):
            stop = agent.stop(before)
            if reaches(stop.sec, end_sec):
                return None
            quiet = duration(stop, agent.begin(after))
            passed = quiet.sec < self.cfg.yield_hangover_sec <= quiet.hi_sec
            if passed and reaches(stop.sec, onset_sec) and self._caller_near(stop.sec):
                return round(stop.sec - onset_sec, _DECIMALS)
        return None

    def _caller_near(self, sec: float) -> bool:
        near = self.cfg.caller_proximity_sec
        caller = self.caller
        return any(
            reaches(sec + near, caller.begin_sec(run)) and reaches(caller.stop_sec(run), sec - near)
            for run in caller.runs
        )

    def _talk_over(self, stop: Edge | None) -> Measured:
        until = stop
        if until is None:
            until = Edge.exact(min(self.onset.sec + self.cfg.max_search_sec, self.agent.end_sec))
        pieces = [
            duration(
                _extreme(max, self.onset, self.caller.begin(one), self.agent.begin(other)),
                _extreme(min, until, self.caller.stop(one), self.agent.stop(other)),
            )
            for one, other in product(self._inside(self.caller, until), self._inside(self.agent, until))
            if self._meet(one, other, until)
        ]
        return Measured(
            None,
            round(sum(piece.sec for piece in pieces), _DECIMALS),
            round(sum(piece.lo_sec for piece in pieces), _DECIMALS),
            round(sum(piece.hi_sec for piece in pieces), _DECIMALS),
        )

    def _inside(self, party: Sounds, until: Edge) -> list[Run]:
        return [
            run
            for run in party.runs
            if party.stop_sec(run) > self.onset.sec and party.begin_sec(run) < until.sec
        ]

    def _meet(self, one: Run, other: Run, until: Edge) -> bool:
        begin_sec = max(self.onset.sec, self.caller.begin_sec(one), self.agent.begin_sec(other))
        return begin_sec < min(until.sec, self.caller.stop_sec(one), self.agent.stop_sec(other))

    def _turn_end(self) -> Run | None:
        """The caller's sound that ended the turn: the first from the onset on with a long silence behind."""
        caller = self.caller
        for index, run in enumerate(caller.runs):
            silent = caller.quiet_after_sec(index)
            if caller.stop_sec(run) > self.onset.sec and reaches(silent, self.cfg.turn_end_silence_sec):
                return run
        return None

    def _response(self) -> Run | None:
        return next((run for run in self.agent.runs if self.agent.begin_sec(run) > self.onset.sec), None)

    def _resume(self, stop_sec: float, params: ResumeParams | None = None) -> Resume:
        params = params or ResumeParams()
        agent = self.agent
        after = [run for run in agent.runs if agent.begin_sec(run) > stop_sec]
        if not after or not reaches(params.window_sec, agent.begin_sec(after[0]) - stop_sec):
            return Resume(False, None, False)
        longest_sec = max(agent.stop_sec(run) - agent.begin_sec(run) for run in after)
        gap_sec = round(agent.begin_sec(after[0]) - stop_sec, _DECIMALS)
        return Resume(True, gap_sec, reaches(longest_sec, params.restart_min_sec))


def _extreme(which: Callable[[tuple[float, ...]], float], *edges: Edge) -> Edge:
    """The latest or the earliest of several edges, of their bounds likewise."""
    values = ((edge.sec, edge.lo_sec, edge.hi_sec) for edge in edges)
    return Edge(*(which(column) for column in zip(*values, strict=True)))
