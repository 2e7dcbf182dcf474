"""The known bias of a measured edge, and the sounds of a channel without it.

A frame says "there was sound somewhere in these 20 ms", so a frame's time is early for a beginning by about
the part of the window that the sound did not fill. The bias was measured against sample-exact truth; this
module holds what removes it, once, and the sounds that follow from a channel's raw energy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hotato.timing.activity import ROBUST, Activity
from hotato.timing.edges import audible_behind, offset_edge, onset_edge
from hotato.timing.spans import Edge, Run, merge, runs

_MS_PER_SEC = 1000.0
_MICROSECONDS = 6


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is added to the raw edges of a detector, and which pauses are inside a sound.

    Source for the documented detector: the median signed error of raw edges on clean calls of natural speech
    with sample-exact truth (12 calls of 60 s of the tune half: -12.3 ms for beginnings, rounded).

    An end lies in the hop that the last frame with audible sound covers and the next one does not: about its
    middle, 4 ms back (the median over 1400 ends of 60 calls of the tune half: 2.7 ms where the next frame is
    quiet, 5.1 ms behind one that still holds audible sound, and so is a hop later). Nine in ten ends were
    right to 8.8 ms before that frame was looked at, and to 6 ms since. Further audible frames are mostly what
    a codec or a room adds, and do not count.

    For the robust detector the same on the channels that it answered for: 977 edges of each side, 8 calls of
    the tune half under each of eight conditions (two levels of echo, white and street noise, two of other
    voices, noise that begins in the call, hold music): -7.1 ms for beginnings, -0.3 ms for ends. By condition
    the medians go from -11 to +3 ms for beginnings and from -24 to +19 ms for ends.

    Attributes:
        onset_ms: added to a beginning found by the documented detector.
        offset_ms: added to an end found by the documented detector,
        audible_ms: and this where the frame behind it still holds audible sound.
        robust_onset_ms: added to a beginning found by the robust detector.
        robust_offset_ms: added to an end found by the robust detector.
        bridge_sec: a shorter pause is inside a sound. This is the documented hangover as a bridge only, and a
            constant of its own, so that no calibrated value depends on `hangover_sec`.
    """

    onset_ms: float = 12.0
    offset_ms: float = -4.0
    audible_ms: float = 10.0
    robust_onset_ms: float = 7.0
    robust_offset_ms: float = 0.0
    bridge_sec: float = 0.15

    def onset_sec(self, detector: str) -> float:
        """Seconds added to a beginning that `detector` found."""
        return (self.robust_onset_ms if detector == ROBUST else self.onset_ms) / _MS_PER_SEC

    def offset_sec(self, detector: str) -> float:
        """Seconds added to an end that `detector` found."""
        return (self.robust_offset_ms if detector == ROBUST else self.offset_ms) / _MS_PER_SEC


CALIBRATION = Calibration()


def reaches(seconds: float, limit_sec: float) -> bool:
    """Whether a length in seconds reaches a limit; less than a microsecond short is arithmetic, not time."""
    return round(seconds - limit_sec, _MICROSECONDS) >= 0


class Sounds:
    """The sounds of one channel at the raw energy edges, short pauses bridged and the bias removed.

    Attributes:
        activity: the channel.
        runs: the raw frames of each sound, in order; the hangover has no part in them.
        end_sec: end of the recording on the frame grid.
    """

    def __init__(self, activity: Activity, calibration: Calibration = CALIBRATION):
        self.activity = activity
        self._onset_sec = calibration.onset_sec(activity.detector)
        self._offset_sec = calibration.offset_sec(activity.detector)
        self._audible_sec = 0.0 if activity.detector == ROBUST else calibration.audible_ms / _MS_PER_SEC
        self.end_sec = activity.frames * activity.hop_sec
        shift_sec = self._onset_sec - self._offset_sec
        frames = (calibration.bridge_sec - shift_sec) / activity.hop_sec
        shorter = math.ceil(round(frames, _MICROSECONDS)) - 1
        self.runs: list[Run] = merge(runs(activity.raw), shorter)

    def begin_sec(self, run: Run) -> float:
        """When the sound began; one under way at the start of the recording begins there."""
        if run.first == 0:
            return 0.0
        return min(run.first * self.activity.hop_sec + self._onset_sec, self.stop_sec(run))

    def stop_sec(self, run: Run) -> float:
        """When the sound ended; one under way at the end of the recording ends there."""
        if run.stop >= self.activity.frames:
            return self.end_sec
        behind = self._audible_sec if self._audible_sec and audible_behind(self.activity, run.stop) else 0.0
        return run.stop * self.activity.hop_sec + self._offset_sec + behind

    def begin(self, run: Run) -> Edge:
        """The same with its interval."""
        return _around(self.begin_sec(run), onset_edge(self.activity, run.first))

    def stop(self, run: Run) -> Edge:
        """The same with its interval."""
        return _around(self.stop_sec(run), offset_edge(self.activity, run.stop))

    def quiet_after_sec(self, index: int) -> float:
        """Seconds of silence behind the sound `index`, up to the next one or the end of the recording."""
        more = index + 1 < len(self.runs)
        return (self.begin_sec(self.runs[index + 1]) if more else self.end_sec) - self.stop_sec(
            self.runs[index]
        )


def _around(sec: float, edge: Edge) -> Edge:
    """The interval of a raw edge around its calibrated time."""
    return Edge(sec, min(edge.lo_sec, sec), max(edge.hi_sec, sec))
