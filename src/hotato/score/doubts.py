"""Why not to rest much on a verdict: doubts of the channels, of their map, and of the moment itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hotato.listen import Heard
from hotato.timing import Activity, CalibratedTiming, Timing
from hotato.timing.spans import Mask, iter_runs
from hotato.trust.causes_crosstalk import PairParams, answered, compare_channels

BRIEF_SILENCE = "brief_silence"
CALLER_SILENT = "caller_silent"
CLICK = "click"
LATE_STOP = "late_stop"
POSSIBLE_SWAP = "possible_swap"

_CONFIRMING = ("flags", "files")
"""Sources of a channel map that are a person's word."""

_BETWEEN_CHANNELS = (POSSIBLE_SWAP, "leakage", "both_parties_on_both_channels", "channel_offset")
"""Findings of the trust room that weaken a verdict; its crosstalk is `echo_present` of the caller channel."""


@dataclass(frozen=True, slots=True)
class DoubtParams:
    """Limits of the doubts about a moment.

    Attributes:
        click_sec: a detected onset whose sound is shorter than this is a click, not a voice.
        late_stop_sec: a stop this long after the caller's sound had ended need not be an answer to it.
        pause_sec: a counted silence that is longer than it has to be by less than this may be a pause between
            words. The documented profile never counts such a silence, because its hangover bridges it.
    """

    click_sec: float = 0.05
    late_stop_sec: float = 0.3
    pause_sec: float = 0.15


def doubts_of(
    heard: Heard,
    timing: Timing | None,
    *,
    detected: bool,
    confirmed: bool = False,
    params: DoubtParams | None = None,
) -> tuple[str, ...]:
    """Codes of the reasons to doubt a verdict, each once: those of the channels first, the moment's last.

    Args:
        heard: the call.
        timing: what was measured; None where there was no onset.
        detected: the onset was found rather than stated.
        confirmed: a person vouched for the channel map, beyond naming channels or files.
        params: limits.
    """
    params = params or DoubtParams()
    codes = [reason.code for track in (heard.caller, heard.agent) for reason in track.activity.doubts]
    if not heard.caller.activity.raw.any():
        codes.append(CALLER_SILENT)
    if not heard.identical:
        codes += _between(heard, confirmed=confirmed or heard.channels.source in _CONFIRMING)
    if timing is not None and detected and _is_click(heard.caller.activity, timing.onset_frame, params):
        codes.append(CLICK)
    if timing is not None and _stopped_late(heard, timing, params):
        codes.append(LATE_STOP)
    if isinstance(timing, CalibratedTiming) and timing.quiet_sec is not None:
        least_sec = heard.cfg.yield_hangover_sec + params.pause_sec
        codes += [BRIEF_SILENCE] if timing.quiet_sec < least_sec else []
    return tuple(dict.fromkeys(codes))


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


def _stopped_late(heard: Heard, timing: Timing, params: DoubtParams) -> bool:
    """Whether the caller's sound had been over for long, without the hangover, when the agent went quiet.

    The documented yield only asks for the caller to be near, which the caller's next sound can be as well.
    """
    if timing.yield_frame is None or timing.turn_end_frame is None:
        return False
    silent = _sounding_until(heard.agent.activity.raw, timing.yield_frame)
    over = _sounding_until(heard.caller.activity.raw, timing.turn_end_frame)
    return silent - over > heard.grid.frames_of(params.late_stop_sec)


def _sounding_until(raw: Mask, stop: int) -> int:
    """One past the last raw frame before `stop`, 0 where there is none."""
    loud = np.flatnonzero(raw[:stop])
    return int(loud[-1]) + 1 if len(loud) else 0
