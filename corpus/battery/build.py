"""Render the audio of the scenario sets that hotato ships, or prove that it is what they describe.

    python corpus/battery/build.py            write the audio of the packaged sets
    python corpus/battery/build.py --check    render again and compare bytes; exit 1 on a difference

The scenario files are the source; the audio is derived from nothing else (see hotato.acoustics).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "corpus"))

import early  # noqa: E402, F401  an interrupt from here on is one line

# isort: split
from callsets import checked, folder_differences  # noqa: E402
from hotato import acoustics  # noqa: E402
from hotato.canonical import NewFile, write_set  # noqa: E402
from hotato.errors import EXIT_PASS  # noqa: E402
from running import Parser, run  # noqa: E402

DATA = REPOSITORY / "src" / "hotato" / "data"
SETS = (DATA / "battery", DATA / "funnel-demo")
SUFFIX = ".example.wav"


def recordings(folder: Path) -> dict[str, bytes]:
    """Every scenario of a set, rendered: the audio files by name."""
    return {
        scenario["id"] + SUFFIX: acoustics.wav_bytes(acoustics.render(scenario), scenario["sample_rate"])
        for scenario in acoustics.scenarios_in(folder)
    }


def build(folder: Path, audio: Path) -> list[Path]:
    """Render every scenario of a set into the folder `audio`; returns the files written."""
    files = [NewFile(audio / name, content, replace=True) for name, content in recordings(folder).items()]
    write_set(files)
    return [file.path for file in files]


def differences(folder: Path) -> list[str]:
    """Names in a set that are missing, foreign or not what the scenarios render to."""
    scenarios = folder / "scenarios"
    foreign = [
        place.name
        for place in scenarios.iterdir()
        if place.is_symlink() or not place.is_file() or place.suffix != ".json"
    ]
    foreign += [place.name for place in folder.iterdir() if place.name not in ("scenarios", "audio")]
    return sorted(foreign + folder_differences(folder / "audio", recordings(folder)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Build or check; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    parser = Parser("Render the packaged scenario audio.")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    if parser.parse_args(arguments).check:
        return max(checked(folder.name, differences(folder), "audio matches") for folder in SETS)
    for folder in SETS:
        print(f"{folder.name}: {len(build(folder, folder / 'audio'))} files rendered")
    return EXIT_PASS


if __name__ == "__main__":
    sys.exit(main())
