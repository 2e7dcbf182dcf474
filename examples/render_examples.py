"""Render the audio of the example sets beside their scenarios.

    python examples/render_examples.py

Needs a clone of the repository and hotato installed from it. Two runs write the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
sys.path.insert(0, str(EXAMPLES.parent / "corpus"))
sys.path.insert(0, str(EXAMPLES.parent / "corpus" / "battery"))

import early  # noqa: E402, F401  an interrupt from here on is one line

# isort: split
from build import build  # noqa: E402

from running import Parser, run  # noqa: E402

SETS = ("full-duplex", "autopsy")


def main(arguments: Sequence[str] | None = None) -> int:
    """Render every set and say what was written; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    Parser("Render the audio of the example sets.").parse_args(arguments)
    for name in SETS:
        written = build(EXAMPLES / name, EXAMPLES / name / "audio")
        print(f"{name}: {len(written)} files rendered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
