"""One pass from a recording to what was heard.

The only place that joins audio and timing. `hear` decodes a file once and keeps, for every channel, its
frame levels; `tell_apart` decides which channel is which party and when each was active. Everything after
(trust, find, score, report) reads what these two return.
"""

from hotato.listen.attend import attend, attend_pair, describe_channels, mixed_track, mono, tell_apart
from hotato.listen.clip import Clip, cut
from hotato.listen.detectors import detectors
from hotato.listen.hear import Progress, hear
from hotato.listen.records import Call, Detector, Heard, Hearing, Mixed, Samples, Track

__all__ = [
    "Call",
    "Clip",
    "Detector",
    "Heard",
    "Hearing",
    "Mixed",
    "Progress",
    "Samples",
    "Track",
    "attend",
    "attend_pair",
    "cut",
    "describe_channels",
    "detectors",
    "hear",
    "mixed_track",
    "mono",
    "tell_apart",
]
