"""Write the four classes, or prove that what is there is what the tables say.

python corpus/classes/build_classes.py            write scenarios, manifest and audio
python corpus/classes/build_classes.py --check    render again and compare; exit 1 on a difference
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import early  # noqa: E402, F401  an interrupt from here on is one line

# isort: split
from callsets import CallSet, run_builder  # noqa: E402
from classes.tables import (  # noqa: E402
    MULTILINGUAL,
    NOISE_HOLD,
    THINKING,
    THINKING_SEC,
    classed,
    sent_over_the_line,
)
from classes.telephone import recording, stimulus  # noqa: E402

KIND = "classes"
MANIFEST = HERE / "manifest.json"
FAILS = {"expected_exit": 1}

SETS = {
    "mid-utterance-pause": CallSet(
        HERE / "mid-utterance-pause",
        classed("mup", THINKING),
        {**FAILS, "score_config": {"turn_end_silence_sec": THINKING_SEC}},
    ),
    "backchannel-multilingual": CallSet(
        HERE / "backchannel-multilingual", classed("bcm", MULTILINGUAL), FAILS
    ),
    "noise-hold": CallSet(HERE / "noise-hold", classed("nh", NOISE_HOLD), FAILS),
    "telephony-degraded": CallSet(
        HERE / "telephony-degraded", sent_over_the_line(), FAILS, recording, stimulus
    ),
}

if __name__ == "__main__":
    sys.exit(run_builder(SETS, MANIFEST, KIND))
