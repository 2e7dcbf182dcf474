"""Why not to rest much on a verdict: doubts of the channels, of their map, and of the moment itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from hotato.listen import Heard
from hotato.score.answer import RESPONSE_GAP
from hotato.score.check import Bound
from hotato.timing import (
    MUSIC,
    UNCERTAIN_EDGE,
    Activity,
    AnswerTiming,
    Timing,
    music_between,
    uncertain_offset,
    uncertain_onset,
)
from hotato.timing.answer import CALLER
from hotato.timing.spans import Mask, iter_runs
from hotato.trust import missing_parts, missing_reasons
from hotato.trust.causes_crosstalk import PairParams, answered, compare_channels
from hotato.trust.causes_rate import RateParams, rate_cause
from hotato.trust.missing import harmless

BRIDGED_SILENCE = "bridged_silence"
BRIEF_SILENCE = "brief_silence"
ONSET_INSIDE_SOUND = "onset_inside_sound"
NO_CALLER_AT_ONSET = "no_caller_at_onset"
CLICK = "click"
LATE_STOP = "late_stop"
NEAR_SILENCE = "near_silence"
POSSIBLE_SWAP = "possible_swap"

_CONFIRMING = ("flags", "files")
"""Sources of a channel map that are a person's word."""

_BETWEEN_CHANNELS = (POSSIBLE_SWAP, "leakage")
"""Findings of the trust room that weaken a verdict; its crosstalk is `echo_present` of the caller channel."""


@dataclass(frozen=True, slots=True)
class DoubtParams:
    """Limits of the doubts about a moment.

    Attributes:
        click_sec: a detected onset whose sound is shorter than this is a click, not a voice.
        late_stop_sec: a stop this long after the caller's sound had ended need not be an answer to it.
        pause_sec: an agent that sounds again before it was quiet for this long, at the raw edges, may only
            have paused between two phrases.
        over_caller_sec: the same for one that sounds again while the caller still does: whoever has given up
            the floor waits for the end of the turn.
        early_sec: a caller who has been sounding for this long at the stated onset began before it.
        missing_near_sec: a drop-out this near to what decides may have made it.
        start_sec: a sound of the caller begins near a stated onset when it does so at most this long before
            or after it. Onsets that people stated lie within 0.03 s on the 13 real recordings that this was
            held against; a time that is noted while listening is off by a few tenths.
    """

    click_sec: float = 0.05
    late_stop_sec: float = 0.3
    pause_sec: float = 0.5
    over_caller_sec: float = 1.0
    early_sec: float = 0.2
    start_sec: float = 0.5
    missing_near_sec: float = 0.05


def doubts_of(
    heard: Heard,
    timing: Timing | None,
    *,
    detected: bool,
    confirmed: bool = False,
    bounds: Sequence[Bound] = (),
    params: DoubtParams | None = None,
) -> tuple[str, ...]:
    """Codes of the reasons to doubt a verdict, each once: those of the channels first, the moment's last.

    Args:
        heard: the call.
        timing: what was measured; None where there was no onset.
        detected: the onset was found rather than stated.
        confirmed: a person vouched for the channel map, beyond naming channels or files.
        bounds: what was held against a limit.
        params: limits.
    """
    params = params or DoubtParams()
    codes = _of_the_channels(heard, confirmed=confirmed)
    if timing is not None and detected and _is_click(heard.caller.activity, timing.onset_frame, params):
        codes.append(CLICK)
    if timing is not None and not detected and _began_before(heard, timing, params):
        codes.append(ONSET_INSIDE_SOUND)
    if timing is not None and not detected and not caller_at(heard, timing.onset_sec, params):
        codes.append(NO_CALLER_AT_ONSET)
    if timing is not None and _stopped_late(heard, timing, params):
        codes.append(LATE_STOP)
    if timing is not None and _only_paused(heard, timing, params):
        codes.append(BRIEF_SILENCE)
    if timing is not None and _rests_on_an_uncertain_edge(heard, timing, detected=detected):
        codes.append(UNCERTAIN_EDGE)
    if timing is not None and _music_at(heard, timing.onset_frame, _decided(heard, timing)):
        codes.append(MUSIC)
    if timing is not None:
        codes += _missing(heard, timing.onset_frame, _decided_at(heard, timing, bounds), bounds, params)
    return tuple(dict.fromkeys(codes))


def answer_doubts(
    heard: Heard,
    timing: AnswerTiming,
    *,
    detected: bool,
    confirmed: bool = False,
    bounds: Sequence[Bound] = (),
    params: DoubtParams | None = None,
) -> tuple[str, ...]:
    """The same for the silence of an answer label: only its two ends decide; arguments as in `doubts_of`."""
    params = params or DoubtParams()
    codes = _of_the_channels(heard, confirmed=confirmed)
    caller, agent = heard.caller.activity, heard.agent.activity
    if detected and _is_click(caller, timing.onset_frame, params):
        codes.append(CLICK)
    before = caller if timing.began_with == CALLER else agent
    after = caller if timing.ended_by == CALLER else agent
    if _ends_uncertainly(before, timing.sound_stop) or (
        timing.next_first is not None and _begins_uncertainly(after, timing.next_first)
    ):
        codes.append(UNCERTAIN_EDGE)
    begins = timing.onset_frame if timing.sound_stop is None else timing.sound_stop
    if _music_at(heard, begins, begins if timing.next_first is None else timing.next_first):
        codes.append(MUSIC)
    if timing.sound_stop is not None:
        stop = heard.frames if timing.next_first is None else timing.next_first
        codes += _missing(heard, timing.sound_stop, stop, bounds, params)
    return tuple(dict.fromkeys(codes))


def _decided_at(heard: Heard, timing: Timing, bounds: Sequence[Bound]) -> int:
    """One past the last frame that decides: the agent's stop, the end of the search or its bounded answer."""
    stop = timing.yield_frame
    if stop is None:
        stop = timing.onset_frame + heard.grid.frames_of(heard.cfg.max_search_sec)
    answered = timing.response_frame if any(bound.of == RESPONSE_GAP for bound in bounds) else None
    return max(stop, answered or 0)


def _missing(
    heard: Heard, first: int, stop: int, bounds: Sequence[Bound], params: DoubtParams
) -> tuple[str, ...]:
    """Codes of what the recording lacks or repeats between the two frames, where it can change a verdict."""
    slack_sec = min((abs(bound.slack_sec) for bound in bounds), default=inf)
    near = heard.grid.frames_of(params.missing_near_sec)
    found = missing_reasons(missing_parts(heard), first, stop, near)
    return tuple(reason.code for reason in found if not harmless(reason, slack_sec))


def _of_the_channels(heard: Heard, *, confirmed: bool) -> list[str]:
    """Doubts that hold for every moment of the call."""
    codes = [reason.code for track in (heard.caller, heard.agent) for reason in track.activity.doubts]
    slow = rate_cause((heard.caller, heard.agent), RateParams())
    codes += [] if slow is None else [slow.code]
    if not heard.identical:
        codes += _between(heard, confirmed=confirmed or heard.channels.source in _CONFIRMING)
    return codes


def _between(heard: Heard, *, confirmed: bool) -> list[str]:
    findings = compare_channels(heard, PairParams()).findings
    found = [finding.code for finding in findings if not answered(finding, heard)]
    return [code for code in found if code in _BETWEEN_CHANNELS and not (confirmed and code == POSSIBLE_SWAP)]


def _is_click(caller: Activity, onset: int, params: DoubtParams) -> bool:
    """Whether the run that begins at `onset` owes its length to the hangover alone."""
    run = next(iter_runs(caller.active, onset), None)
    if run is None:
        return False
    return int(np.count_nonzero(caller.raw[run.first : run.stop])) < caller.grid.frames_of(params.click_sec)


def _began_before(heard: Heard, timing: Timing, params: DoubtParams) -> bool:
    """Whether the stated onset lies well inside a sound of the caller: the label may be of another take."""
    onset = timing.onset_frame
    early = onset - heard.grid.frames_of(params.early_sec)
    return any(run.first <= early and run.stop > onset for run in heard.caller.activity.trimmed_runs)


def caller_at(heard: Heard, onset_sec: float, params: DoubtParams | None = None) -> bool:
    """Whether the caller begins near a stated onset, or is sounding at it; see `DoubtParams.start_sec`."""
    near, hop = (params or DoubtParams()).start_sec, heard.grid.hop_sec
    return any(
        abs(run.first * hop - onset_sec) <= near + hop / 2 or run.first * hop <= onset_sec < run.stop * hop
        for run in heard.caller.activity.trimmed_runs
    )


def nearest_caller_sec(heard: Heard, onset_sec: float) -> float | None:
    """When the caller's sound begins that begins nearest to a time; None where the caller is silent."""
    begins = (run.first * heard.grid.hop_sec for run in heard.caller.activity.trimmed_runs)
    found = min(begins, key=lambda sec: abs(sec - onset_sec), default=None)
    return None if found is None else round(found, 3)


def _stopped_late(heard: Heard, timing: Timing, params: DoubtParams) -> bool:
    """Whether the caller's sound had been over for long, without the hangover, when the agent went quiet.

    The documented yield only asks for the caller to be near, which the caller's next sound can be as well.
    """
    if timing.yield_frame is None or timing.turn_end_frame is None:
        return False
    silent = _sounding_until(heard.agent.activity.raw, timing.yield_frame)
    over = _sounding_until(heard.caller.activity.raw, timing.turn_end_frame)
    return silent - over > heard.grid.frames_of(params.late_stop_sec)


def _only_paused(heard: Heard, timing: Timing, params: DoubtParams) -> bool:
    """Whether the agent, at the raw edges, sounded again so soon after its yield that it was a pause."""
    if timing.yield_frame is None:
        return False
    agent = heard.agent.activity
    begin = np.searchsorted(agent.sounding, timing.yield_frame)
    if begin == len(agent.sounding):
        return False
    resumed = int(agent.sounding[begin])
    over_caller = bool(heard.caller.activity.trimmed[resumed])
    limit_sec = params.over_caller_sec if over_caller else params.pause_sec
    quiet = resumed - max(timing.onset_frame, _sounding_until(agent.raw, timing.yield_frame))
    return quiet < heard.grid.frames_of(limit_sec)


def _rests_on_an_uncertain_edge(heard: Heard, timing: Timing, *, detected: bool) -> bool:
    """Whether a sound or a pause that noise may have made decides: the detected onset, or the agent's edges.

    The agent's count from the onset to the end of the silence that was taken for a yield or, without one, to
    the end of the search.
    """
    first = timing.onset_frame
    edges = _uncertain_edges(heard.agent.activity, first, _decided(heard, timing))
    return edges or (detected and _begins_uncertainly(heard.caller.activity, first))


def _decided(heard: Heard, timing: Timing) -> int:
    """The frame up to which the agent was listened to: the end of its yield's silence, or of the search."""
    cfg, grid = heard.cfg, heard.grid
    decided = timing.yield_frame
    if decided is None:
        decided = timing.onset_frame + grid.frames_of(cfg.max_search_sec)
    return decided + grid.frames_of(cfg.yield_hangover_sec)


def _music_at(heard: Heard, first: int, stop: int) -> bool:
    """Whether music that may pass for a party plays in frames [first, stop]."""
    return any(music_between(track.activity, first, stop) for track in (heard.caller, heard.agent))


def _uncertain_edges(activity: Activity, first: int, stop: int) -> bool:
    """Whether a sound begins or ends uncertainly in frames [first, stop]."""
    return any(
        (first <= run.first <= stop and uncertain_onset(activity, run.first))
        or (first <= run.stop <= stop and uncertain_offset(activity, run.stop))
        for run in activity.trimmed_runs
    )


def _begins_uncertainly(caller: Activity, frame: int) -> bool:
    """Whether the sound that begins at a frame, to the nearest, does so uncertainly."""
    nearest = min(caller.trimmed_runs, key=lambda run: abs(run.first - frame), default=None)
    return nearest is not None and uncertain_onset(caller, nearest.first) is not None


def _ends_uncertainly(activity: Activity, stop: int | None) -> bool:
    """Whether the sound that stops at a frame, to the nearest, does so uncertainly."""
    if stop is None:
        return False
    nearest = min(activity.trimmed_runs, key=lambda run: abs(run.stop - stop), default=None)
    return nearest is not None and uncertain_offset(activity, nearest.stop) is not None


def _sounding_until(raw: Mask, stop: int) -> int:
    """One past the last raw frame before `stop`, 0 where there is none."""
    loud = np.flatnonzero(raw[:stop])
    return int(loud[-1]) + 1 if len(loud) else 0
