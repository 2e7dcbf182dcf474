"""Render the example cards of docs/assets/cards from the bundled demo calls.

    python examples/render_cards.py
    python examples/render_cards.py --check

Needs hotato installed from a clone. With --check nothing is written: the exit code is 1 when a card differs
from what is committed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from hotato.canonical import write_atomic
from hotato.find import ScanParams, autopsy, autopsy_json, scan, scan_json
from hotato.listen import Heard, attend, hear
from hotato.report import result_card
from hotato.score import run_suite
from hotato.stacks import ChannelMap

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "assets" / "cards"
SAY_DO = Path(__file__).resolve().parent / "cards" / "say-do.json"
"""A conversation whose words and whose trace disagree, as 'hotato test run' states it; made up."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check every card; returns the exit code."""
    parser = argparse.ArgumentParser(description="Render the example cards of the documentation.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a card differs")
    check = parser.parse_args(arguments).check
    differing = 0
    for name, picture in cards().items():
        path = FOLDER / name
        if not check:
            write_atomic(path, picture, force=True)
        elif not path.is_file() or path.read_text(encoding="utf-8") != picture:
            print(f"{name} differs")
            differing += 1
    return 1 if differing else 0


def cards() -> dict[str, str]:
    """Every example card by its file name."""
    data = Path(str(resources.files("hotato"))) / "data"
    funnel = data / "funnel-demo"
    run = run_suite(scenarios_dir=funnel / "scenarios", audio_dir=funnel / "audio")
    call = _heard(data / "demo" / "cancel-call.flac")
    opened = autopsy_json(autopsy(call), report_path="", envelope_path="")
    stop = _heard(funnel / "audio" / "fd-02-backchannel-yielded.example.wav")
    return {
        "no-single-threshold-card.svg": result_card(run),
        "dead-air-card.svg": result_card(opened, 1),
        "talk-over-card.svg": result_card(opened, 2),
        "candidate-card.svg": result_card(_scan(stop), 1),
        "say-do-card.svg": result_card(json.loads(SAY_DO.read_text(encoding="utf-8"))),
    }


def _heard(path: Path) -> Heard:
    return attend(hear(path), ChannelMap(0, 1))


def _scan(call: Heard) -> Mapping[str, Any]:
    params = ScanParams()
    return scan_json(call, scan(call, params), params, 0)


if __name__ == "__main__":
    sys.exit(main())
