"""Render the recording of the sample contribution beside its label.

    python corpus/examples/build.py
    python corpus/validate.py corpus/examples/sample-contribution.json

The recording is derived from the label alone and is not part of the repository.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import early  # noqa: F401  an interrupt from here on is one line

# isort: split
from hotato import acoustics
from hotato.canonical import write_atomic
from hotato.errors import EXIT_PASS
from running import Parser, run

LABEL = Path(__file__).resolve().parent / "sample-contribution.json"


def build(folder: Path) -> Path:
    """Render the recording into a folder; returns its place."""
    label = json.loads(LABEL.read_text("utf-8"))
    wav = acoustics.wav_bytes(acoustics.render(label), label["sample_rate"])
    return write_atomic(folder / label["audio"], wav, force=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Render it; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    Parser("Render the recording of the sample contribution.").parse_args(arguments)
    print(build(LABEL.parent).name)
    return EXIT_PASS


if __name__ == "__main__":
    sys.exit(main())
