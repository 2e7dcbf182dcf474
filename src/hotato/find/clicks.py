"""Clicks: sounds too short to be anybody's speech, such as the one a codec leaves at the very beginning."""

from __future__ import annotations

from dataclasses import replace

from hotato.find.params import ScanParams
from hotato.find.walk import beginning_in
from hotato.listen import Heard, Track
from hotato.timing import Activity, Run
from hotato.timing.spans import merge


def is_click(activity: Activity, turn: Run, params: ScanParams) -> bool:
    """Whether a whole turn holds less raw sound than speech needs."""
    sounding = activity.sounding_frames(turn.first, turn.stop)
    return sounding < activity.grid.frames_of(params.click_sec)


def without_clicks(heard: Heard, params: ScanParams) -> Heard:
    """The same call in which a click starts nothing, answers nothing and ends no silence.

    A short sound within a longer turn stays: only a turn that is nothing but a click is left out.
    """
    caller, agent = _quieted(heard.caller, params), _quieted(heard.agent, params)
    if caller is heard.caller and agent is heard.agent:
        return heard
    return replace(heard, caller=caller, agent=agent)


def _quieted(track: Track, params: ScanParams) -> Track:
    activity = track.activity
    turns = merge(activity.trimmed_runs, activity.grid.frames_of(params.turn_pause_sec))
    clicks = [turn for turn in turns if is_click(activity, turn, params)]
    if not clicks:
        return track
    raw, active = activity.raw.copy(), activity.active.copy()
    for click in clicks:
        raw[click.first : click.stop] = False
        for run in beginning_in(activity.runs, click.first, click.stop):
            active[run.first : run.stop] = False
    return replace(track, activity=replace(activity, raw=raw, active=active))
