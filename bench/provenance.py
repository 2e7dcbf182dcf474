"""What measured, and on which calls: the head of every table that the bench prints.

The version alone does not tell two states of the code apart, and a clone may have no history; so what stands
here are digests of what a figure depends on, and a figure is to be had again where they are the same.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "corpus"))

import hotato  # noqa: E402
from hotato.contract.scorer import config_marker  # noqa: E402

PACKAGE = Path(hotato.__file__).resolve().parent
HEARING = ("audio", "listen", "speech", "timing")
JUDGING = ("benchmark", "find", "score", "trust")
SHOWN = 12


@dataclass(frozen=True)
class Detector:
    """What measured.

    Attributes:
        version: of hotato.
        parameters: digest of every parameter that a verdict depends on.
        hearing: digest of the code that says who sounds when.
        judging: digest of the code that makes verdicts, incidents and comparisons of it.
    """

    version: str
    parameters: str
    hearing: str
    judging: str

    @property
    def line(self) -> str:
        """The same in one line."""
        shown = f"parameters {self.parameters[:SHOWN]}, hearing {self.hearing[:SHOWN]}"
        return f"hotato {self.version}, {shown}, judging {self.judging[:SHOWN]}"


@dataclass(frozen=True)
class Voices:
    """Who speaks in the calls of one half.

    Attributes:
        split: the half.
        used: its voices that can speak here, which the calls are drawn from.
        absent: every voice of either half that cannot speak here, and what it needs. Noise of voices and hold
            music with a voice are made of the other half.
        bank: digest of every utterance of every voice, of either half, that can speak here.
        generator: digest of the code that makes calls and conditions of them.
    """

    split: str
    used: tuple[str, ...]
    absent: dict[str, str]
    bank: str
    generator: str

    @property
    def warning(self) -> str | None:
        """What to read before any figure: these are not the calls of the published figures. None else."""
        if not self.absent:
            return None
        from natural.voices import VOICES

        needs = "; ".join(sorted(set(self.absent.values())))
        return (
            f"NOT THE PUBLISHED CALLS: {len(self.absent)} of {len(VOICES)} voices are not installed here"
            f" ({', '.join(self.absent)}), so a seed gives another call. They need: {needs}"
        )

    @property
    def line(self) -> str:
        """The same in one line."""
        digests = f"bank {self.bank[:SHOWN]}, generator {self.generator[:SHOWN]}"
        return f"voices of '{self.split}': {', '.join(self.used)}; {digests}"


def detector() -> Detector:
    """What measures here."""
    hearing, judging = (sources(PACKAGE, rooms) for rooms in (HEARING, JUDGING))
    return Detector(hotato.__version__, config_marker(), hearing, judging)


def voices_of(split: str) -> Voices:
    """Who speaks here in calls of a half; fills the bank."""
    from natural.bank import digest
    from natural.voices import VOICES, installed, missing

    present = tuple(voice.name for voice in VOICES if voice.present())
    made_by = sources(ROOT / "corpus", ("natural", "spans.py")) + sources(PACKAGE, ("acoustics",))
    generator = hashlib.sha256(made_by.encode()).hexdigest()
    return Voices(split, installed(split), missing(), digest(present), generator)


def print_head(split: str) -> tuple[Detector, Voices]:
    """Print what measures and who speaks, a warning first where the calls are not the published ones."""
    measured_by, voices = detector(), voices_of(split)
    if voices.warning:
        print(f"{voices.warning}\n")
    print(f"{measured_by.line}\n{voices.line}", flush=True)
    return measured_by, voices


def sources(root: Path, rooms: Iterable[str]) -> str:
    """Digest of the Python and C sources in some files and folders below `root`, whatever their line ends."""
    total = hashlib.sha256()
    for room in rooms:
        path = root / room
        files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.suffix in (".py", ".c"))
        for file in files:
            text = file.read_bytes().replace(b"\r\n", b"\n")
            total.update(f"{file.relative_to(root).as_posix()} {len(text)}\n".encode())
            total.update(text)
    return total.hexdigest()
