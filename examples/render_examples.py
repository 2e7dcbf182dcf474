"""Render the audio of the example sets beside their scenarios, or prove that it is what they describe.

    python examples/render_examples.py            write the audio
    python examples/render_examples.py --check    render again and compare; exit 1 on a difference

Needs a clone of the repository and hotato installed from it. The audio is not in the repository: `--check`
compares a fresh render with the digests below, and with what audio there is on disk.
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
from build import build, recordings  # noqa: E402

from callsets import audio_differences, checked  # noqa: E402
from hotato.canonical import listing_digest  # noqa: E402
from running import Parser, run  # noqa: E402

SETS = {
    "full-duplex": "bb016290ecc26356250cdd5a5d05e815bdd1e0a405243acc567e2ff9f69d56b7",
    "autopsy": "48585209d645672914adbe6aa484beed7a4a244e847dce013b5adee387bcc227",
}
"""The example sets, and the digest of the recordings of each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Render every set and say what was written; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    parser = Parser("Render the audio of the example sets.")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    if parser.parse_args(arguments).check:
        return max(checked(name, differences(name), "audio matches") for name in SETS)
    for name in SETS:
        written = build(EXAMPLES / name, EXAMPLES / name / "audio")
        print(f"{name}: {len(written)} files rendered")
    return 0


def differences(name: str) -> list[str]:
    """What of an example set is not what its scenarios described when its digest was taken."""
    files = recordings(EXAMPLES / name)
    pinned = [] if listing_digest(files) == SETS[name] else [f"the render of {name}"]
    return pinned + audio_differences(EXAMPLES / name / "audio", files)


if __name__ == "__main__":
    sys.exit(main())
