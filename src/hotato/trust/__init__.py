"""Can this recording be scored at all, and what is wrong with it?

`examine` looks at what was heard and returns a `TrustReport`; `trust_json` is its JSON. Three defects make a
recording unscorable: a single channel, two channels of one sound, a party that cannot be heard. Everything
else is a finding with its evidence and a remedy.
"""

from hotato.trust.acoustic import Acoustic, ChannelSound, acoustic
from hotato.trust.causes_crosstalk import suspected_swap
from hotato.trust.examine import TrustParams, examine
from hotato.trust.missing import Missing, missing_parts, missing_reasons, recorded_frames
from hotato.trust.report import (
    ChannelHealth,
    ChannelsHealth,
    Clipping,
    CrosstalkRisk,
    RecordingHealth,
    Scorability,
    TrustReport,
    trust_json,
)

__all__ = [
    "Acoustic",
    "ChannelHealth",
    "ChannelSound",
    "ChannelsHealth",
    "Clipping",
    "CrosstalkRisk",
    "Missing",
    "RecordingHealth",
    "Scorability",
    "TrustParams",
    "TrustReport",
    "acoustic",
    "examine",
    "missing_parts",
    "missing_reasons",
    "recorded_frames",
    "suspected_swap",
    "trust_json",
]
