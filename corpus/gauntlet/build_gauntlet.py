"""Write the gauntlet that the package ships, or prove that it is what the tables of the suites say.

    python corpus/gauntlet/build_gauntlet.py            write its scenarios and its manifest
    python corpus/gauntlet/build_gauntlet.py --check    render again and compare; exit 1 on a difference

The package holds scenarios and digests only: `hotato gauntlet` renders the audio when it runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import early  # noqa: E402, F401  an interrupt from here on is one line

# isort: split
from callsets import CallSet, Scenario, run_builder  # noqa: E402
from suites.build_suites import SETS as SUITES  # noqa: E402

KIND = "gauntlet"
FOLDER = HERE.parents[1] / "src" / "hotato" / "data" / "gauntlet"
MANIFEST = FOLDER / "manifest.json"

MUST_PASS = {"g": (3, 6, 8, 10, 14, 17, 21, 22, 24, 30, 32, 34, 37)}
MUST_FAIL = {"sd": (5,), "gd": (1, 2, 3, 6, 7, 8, 9, 10, 11, 12)}
"""Hard calls that must pass, and defects that have to be caught: by set and number."""


def chosen() -> list[Scenario]:
    """The scenarios of both lists, under the ids of the suites."""
    known = {s["id"]: s for item in SUITES.values() for s in item.scenarios}
    wanted = tuple(
        f"{key}-{number:02d}-" for key, numbers in (MUST_PASS | MUST_FAIL).items() for number in numbers
    )
    return [scenario for name, scenario in sorted(known.items()) if name.startswith(wanted)]


SETS = {
    KIND: CallSet(FOLDER, chosen(), {"version": "1", "expected_exit": 1}, stimulus=None, keeps_audio=False)
}

if __name__ == "__main__":
    sys.exit(run_builder(SETS, MANIFEST, KIND))
