"""Short real clips heard by both detectors: python bench/clips.py [FOLDER]

A detector that is more sensitive than the documented one can be worse on short clips with the bleed of a
headset: it takes the bleed for the caller. Every folder of FOLDER with a `labels.json` and the recordings it
names is read. For each clip stand, by the documented detector and by ours: the distance of the caller's
detected onset from the labelled one, the time to yield from the labelled onset, and whether the label is met.
Labels were set by people to some hundredths of a second, so the distance says who is nearer, not who is right
to the frame. The exit code is 1 where ours is the worse one on any clip.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotato.listen import Detector
from hotato.score import run_single
from provenance import ROOT, detector
from tables import plural, print_table

RECORDINGS = ROOT.parent / "shared" / "data"
SLACK_SEC = 0.01
"""So much further from the label is not called worse: a frame."""
HEAD = ("clip", "onset, documented", "ours", "yield, documented", "ours", "label met", "ours", "heard by", "")


@dataclass(frozen=True)
class Reading:
    """What one detector makes of a clip.

    Attributes:
        late_sec: its onset minus the labelled one; None where it finds none.
        yield_sec: the time to yield from the labelled onset; None without a yield.
        passed: whether the label is met; None where it cannot be judged.
        robust: the parties that the robust detector heard.
        doubted: whether the verdict is in doubt.
    """

    late_sec: float | None
    yield_sec: float | None
    passed: bool | None
    robust: tuple[str, ...]
    doubted: bool


def main() -> int:
    """Print the table; returns 1 where ours is worse than the documented detector."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0], allow_abbrev=False)
    default = os.environ.get("HOTATO_SHARED_DATA", RECORDINGS)
    parser.add_argument("folder", nargs="?", type=Path, default=default, help="folder of folders of clips")
    folder = Path(parser.parse_args().folder)
    labels = sorted(folder.glob("*/labels.json"))
    if not labels:
        print(f"clips: not measured, there are no labelled recordings in '{folder.name}'; name their folder")
        return 0
    print(f"{detector().line}\n")
    rows = [row for place in labels for row in _rows(place)]
    print_table(HEAD, rows)
    worse = sum(row[-1] == "WORSE" for row in rows)
    print(f"\n{plural(len(rows), 'clip')}, ours is worse on {worse}")
    return 1 if worse else 0


def _rows(labels: Path) -> Iterator[tuple[str, ...]]:
    for label in json.loads(labels.read_text("utf-8")):
        before, ours = (_reading(labels.parent, label, name) for name in ("reference", "auto"))
        yield (
            str(label["id"]),
            *(_signed(reading.late_sec) for reading in (before, ours)),
            *(_seconds(reading.yield_sec) for reading in (before, ours)),
            *(_met(reading) for reading in (before, ours)),
            " and ".join(ours.robust) or "-",
            "WORSE" if worse(before, ours) else "",
        )


def _reading(folder: Path, label: dict[str, Any], detector: Detector) -> Reading:
    def event(onset_sec: float | None) -> dict[str, Any]:
        expected = label["expected"]
        run = run_single(
            stereo=folder / label["audio"],
            **label["channels"],
            expect="yield" if expected["yield"] else "hold",
            onset_sec=onset_sec,
            max_talk_over_sec=expected["max_talk_over_sec"],
            max_time_to_yield_sec=expected["max_time_to_yield_sec"],
            detector=detector,
        )
        found: dict[str, Any] = run["events"][0]
        return found

    labelled, found = event(label["caller_onset_sec"]), event(None)["measurements"]["caller_onset_sec"]
    scored = labelled.get("scorable") is not False
    return Reading(
        late_sec=None if found is None else found - label["caller_onset_sec"],
        yield_sec=labelled["verdict"]["seconds_to_yield"] if scored else None,
        passed=labelled["verdict"]["passed"] if scored else None,
        robust=tuple(
            role for role in ("caller", "agent") if labelled["activity"][role]["detector"] != "reference"
        ),
        doubted=bool(labelled["verdict"].get("doubts")),
    )


def worse(before: Reading, ours: Reading) -> bool:
    """Whether ours lost what the documented detector had: an onset, a nearer one, or a met label."""
    if before.passed and not ours.passed:
        return True
    if before.late_sec is None or ours.late_sec is None:
        return before.late_sec is not None
    return abs(ours.late_sec) > abs(before.late_sec) + SLACK_SEC


def _signed(sec: float | None) -> str:
    return "none" if sec is None else f"{sec:+.2f} s"


def _seconds(sec: float | None) -> str:
    return "-" if sec is None else f"{sec:.2f} s"


def _met(reading: Reading) -> str:
    word = {True: "yes", False: "no", None: "not scorable"}[reading.passed]
    return f"{word}, in doubt" if reading.doubted else word


if __name__ == "__main__":
    sys.exit(main())
