"""Render the audio of the scenario sets that hotato ships, or prove that it is what they describe.

    python corpus/battery/build.py            write the audio of the packaged sets
    python corpus/battery/build.py --check    render again and compare bytes; exit 1 on a difference

The scenario files are the source; the audio is derived from nothing else (see hotato.acoustics).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from hotato import acoustics

REPOSITORY = Path(__file__).resolve().parents[2]

DATA = REPOSITORY / "src" / "hotato" / "data"
SETS = (DATA / "battery", DATA / "funnel-demo")
SUFFIX = ".example.wav"


def build(folder: Path, audio: Path) -> list[Path]:
    """Render every scenario of a set into the folder `audio`; returns the files written."""
    audio.mkdir(parents=True, exist_ok=True)
    written = []
    for scenario in acoustics.scenarios_in(folder):
        target = audio / (scenario["id"] + SUFFIX)
        target.write_bytes(acoustics.wav_bytes(acoustics.render(scenario), scenario["sample_rate"]))
        written.append(target)
    return written


def differences(folder: Path) -> list[str]:
    """Names of audio files of a set that are missing, left over or not what the scenarios render to."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = {path.name: path.read_bytes() for path in build(folder, Path(scratch))}
    kept = {path.name: path.read_bytes() for path in (folder / "audio").glob("*" + SUFFIX)}
    return sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))


def main(arguments: list[str] | None = None) -> int:
    """Build or check; returns the exit code."""
    parser = argparse.ArgumentParser(description="Render the packaged scenario audio.")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    check = parser.parse_args(arguments).check
    wrong = 0
    for folder in SETS:
        if check:
            names = differences(folder)
            wrong += len(names)
            print(f"{folder.name}: " + (f"differs: {', '.join(names)}" if names else "audio matches"))
        else:
            print(f"{folder.name}: {len(build(folder, folder / 'audio'))} files rendered")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
