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

from callsets import CallSet, Scenario, run_builder  # noqa: E402
from suites.build_suites import SETS as SUITES  # noqa: E402

KIND = "gauntlet"
FOLDER = HERE.parents[1] / "src" / "hotato" / "data" / "gauntlet"
MANIFEST = FOLDER / "manifest.json"

MUST_PASS = "g-03 g-06 g-08 g-10 g-14 g-17 g-21 g-22 g-24 g-30 g-32 g-34 g-37".split()
MUST_FAIL = "sd-05 gd-01 gd-02 gd-03 gd-06 gd-07 gd-08 gd-09 gd-10 gd-11 gd-12".split()
"""Hard conditions that a correct agent's call passes, and defects that have to be caught, by number."""


def chosen() -> list[Scenario]:
    """The scenarios of both lists, under the ids of the suites."""
    known = {s["id"]: s for item in SUITES.values() for s in item.scenarios}
    numbers = [*MUST_PASS, *MUST_FAIL]
    return [s for name, s in sorted(known.items()) if name.startswith(tuple(f"{n}-" for n in numbers))]


SETS = {
    KIND: CallSet(FOLDER, chosen(), {"version": "1", "expected_exit": 1}, stimulus=None, keeps_audio=False)
}

if __name__ == "__main__":
    sys.exit(run_builder(SETS, MANIFEST, KIND))
