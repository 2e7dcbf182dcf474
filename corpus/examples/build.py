"""Render the recording of the sample contribution beside its label.

    python corpus/examples/build.py
    python corpus/validate.py corpus/examples/sample-contribution.json

The recording is derived from the label alone and is not part of the repository.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from hotato import acoustics
from hotato.canonical import write_atomic

LABEL = Path(__file__).resolve().parent / "sample-contribution.json"


def build(folder: Path) -> Path:
    """Render the recording into a folder; returns its place."""
    label = json.loads(LABEL.read_text("utf-8"))
    wav = acoustics.wav_bytes(acoustics.render(label), label["sample_rate"])
    return write_atomic(folder / label["audio"], wav, force=True)


if __name__ == "__main__":
    print(build(LABEL.parent).name)
    sys.exit(0)
