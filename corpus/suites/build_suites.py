"""Write the four suites, or prove that what is there is what the tables say.

    python corpus/suites/build_suites.py            write scenarios, manifest and audio
    python corpus/suites/build_suites.py --check    render again and compare; exit 1 on a difference

The tables (silver.py, gold.py) are the source; nothing is edited by hand. The audio is not in the repository:
`--check` compares a fresh render with the digests in manifest.json, and with what audio there is on disk.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import early  # noqa: E402, F401  an interrupt from here on is one line

# isort: split
from callsets import CallSet, numbered, run_builder  # noqa: E402
from suites.gold import GOLD, GOLD_DEFECTS  # noqa: E402
from suites.silver import SILVER, SILVER_DEFECTS  # noqa: E402

KIND = "suites"
MANIFEST = HERE / "manifest.json"

SETS = {
    "silver": CallSet(HERE / "silver", numbered("s", SILVER), {"tier": "silver", "expected_exit": 0}),
    "silver-defects": CallSet(
        HERE / "silver-defects", numbered("sd", SILVER_DEFECTS), {"tier": "silver", "expected_exit": 1}
    ),
    "gold": CallSet(HERE / "gold", numbered("g", GOLD), {"tier": "gold", "expected_exit": 0}),
    "gold-defects": CallSet(
        HERE / "gold-defects", numbered("gd", GOLD_DEFECTS), {"tier": "gold", "expected_exit": 1}
    ),
}


if __name__ == "__main__":
    sys.exit(run_builder(SETS, MANIFEST, KIND))
