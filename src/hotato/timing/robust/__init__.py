"""The robust detector: it listens to the channels on which the documented one is in doubt, and to no other.

`BandMeter` takes the samples once more; `robust_activity` answers from what it measured. `PartialMeter`
listens for tones that hold their pitch, and `with_music` names the stretches in which they are music.
"""

from hotato.timing.activity import ROBUST
from hotato.timing.robust.bands import BandMeter, Bands
from hotato.timing.robust.decide import SHORT_RECORDING, robust_activity
from hotato.timing.robust.echo import Follow, level_follow
from hotato.timing.robust.music import music_frames, with_music
from hotato.timing.robust.params import RobustParams
from hotato.timing.robust.partials import PartialMeter

__all__ = [
    "ROBUST",
    "SHORT_RECORDING",
    "BandMeter",
    "Bands",
    "Follow",
    "PartialMeter",
    "RobustParams",
    "level_follow",
    "music_frames",
    "robust_activity",
    "with_music",
]
