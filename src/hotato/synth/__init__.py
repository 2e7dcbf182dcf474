"""A recording made worse on purpose: acoustic variants of it, and what its verdict is worth under them.

`variants_of` renders the variants of `hotato synth`, each with the recipe that made it; `robustness` puts one
labelled recording through noise and packet loss and scores it under each. Both are deterministic: the same
recording and seed give the same bytes.
"""

from hotato.synth.battery import Cell, Question, robustness, robustness_exit_code
from hotato.synth.degradations import LADDER, Degradation, Ladder, degradations
from hotato.synth.parent import Parent, read_parent
from hotato.synth.variants import VARIANTS, Variant, left_out, variants_of

__all__ = [
    "LADDER",
    "VARIANTS",
    "Cell",
    "Degradation",
    "Ladder",
    "Parent",
    "Question",
    "Variant",
    "degradations",
    "left_out",
    "read_parent",
    "robustness",
    "robustness_exit_code",
    "variants_of",
]
