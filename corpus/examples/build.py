"""Render the recording of the sample contribution beside its label, or prove that it is what that describes.

    python corpus/examples/build.py
    python corpus/examples/build.py --check    render again and compare; exit 1 on a difference
    python corpus/validate.py corpus/examples/sample-contribution.json

The recording is derived from the label alone and is not part of the repository: `--check` compares a fresh
render with the digest below, and with the recording where there is one.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import early  # noqa: F401  an interrupt from here on is one line

# isort: split
from callsets import checked, holds
from hotato import acoustics
from hotato.canonical import write_atomic
from hotato.errors import EXIT_PASS
from running import Parser, run

LABEL = Path(__file__).resolve().parent / "sample-contribution.json"
SHA256 = "a0eaaaf0c8f7b6daf13e9b7ea0b2c93b3ce0d9ce55a2f3db307ab6e3f51cea82"


def recording() -> tuple[str, bytes]:
    """The name of the recording and its bytes, rendered afresh."""
    label = json.loads(LABEL.read_text("utf-8"))
    return label["audio"], acoustics.wav_bytes(acoustics.render(label), label["sample_rate"])


def build(folder: Path) -> Path:
    """Render the recording into a folder; returns its place."""
    name, wav = recording()
    return write_atomic(folder / name, wav, force=True)


def differences(folder: Path) -> list[str]:
    """What is not as the label described it when the digest was taken; no recording differs from nothing."""
    name, wav = recording()
    there = folder / name
    wrong = [] if hashlib.sha256(wav).hexdigest() == SHA256 else ["the render"]
    absent = not there.is_symlink() and not there.exists()
    return wrong if absent or holds(there, wav) else [*wrong, name]


def main(arguments: Sequence[str] | None = None) -> int:
    """Render it; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    parser = Parser("Render the recording of the sample contribution.")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    if parser.parse_args(arguments).check:
        return checked("sample contribution", differences(LABEL.parent), "audio matches")
    print(build(LABEL.parent).name)
    return EXIT_PASS


if __name__ == "__main__":
    sys.exit(main())
