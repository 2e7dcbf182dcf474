"""The robust detector: it listens to the channels on which the documented one is in doubt, and to no other.

`BandMeter` takes the samples once more; `robust_activity` answers from what it measured.
"""

from hotato.timing.activity import ROBUST
from hotato.timing.robust.bands import BandMeter, Bands
from hotato.timing.robust.decide import SHORT_RECORDING, robust_activity
from hotato.timing.robust.echo import Follow, level_follow
from hotato.timing.robust.params import RobustParams

__all__ = [
    "ROBUST",
    "SHORT_RECORDING",
    "BandMeter",
    "Bands",
    "Follow",
    "RobustParams",
    "level_follow",
    "robust_activity",
]
