"""Who speaks: synthesisers and recorded prompts that come whole in a package, and which half each belongs to.

A voice is a name, a half of the split, and a function that gives its utterances as (kind, name, samples,
rate). No voice is in both halves. A voice whose package is absent is skipped by `installed`, and `missing`
says what to install.

| voice | sex | made with | licence |
|---|---|---|---|
| slt, kal16, rms, awb | f, m, m, m | flite 2.2 (Debian `flite`), Carnegie Mellon University | MIT-like |
| heart | f | hibari-tts 0.2.1 by Maureese Williams | Apache-2.0 |
| espeak-m3, espeak-f3 | m, f | espeak-ng (Debian) | GPL-3+ (the program) |
| allison, allison-es | f | Allison Smith; Debian `asterisk-core-sounds-en-g722`, `-es-g722` | CC-BY-SA-3.0 |
| june | f | recorded by June Wallack; `asterisk-core-sounds-fr-g722` | CC-BY-SA-3.0 |
| carlo | m | recorded by Carlo Flora; `asterisk-core-sounds-it-g722` | CC-BY-3.0 |
| ivrvoice | f | provided by Maxim Topal, ivrvoice.ru; `asterisk-core-sounds-ru-g722` | CC-BY-3.0 |

None of these is part of the repository. A call built from a CC-BY-SA voice is under that licence.
"""

from __future__ import annotations

import importlib.util
import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from natural.texts import LINES

Wave = npt.NDArray[np.float64]
Spoken = tuple[str, str, Wave, int]
"""kind, name, samples in [-1, 1], sample rate."""

PROMPTS = Path("/usr/share/asterisk/sounds")
PROMPTS_PER_KIND = {"digit": 10, "backchannel": 12, "reply": 24, "correction": 16, "question": 16, "long": 14}
"""How many recorded prompts are taken of each kind, spread evenly over the sorted file names."""


@dataclass(frozen=True)
class Voice:
    """One voice of the corpus.

    Attributes:
        name: what calls and tables say.
        split: "tune" or "held".
        sex: "f" or "m".
        needs: what to install.
        present: whether that is installed.
        speak: all its utterances.
        edge_below_db: what is this far below its loud level is not speech. Two synthesisers copy the noise of
            the room they were recorded in, 32 and 36 dB below their speech: their edge has to lie above it.
    """

    name: str
    split: str
    sex: str
    needs: str
    present: Callable[[], bool]
    speak: Callable[[], Iterator[Spoken]]
    edge_below_db: float = 36.0


def _program(name: str) -> bool:
    return shutil.which(name) is not None


def _modules(*names: str) -> bool:
    return all(importlib.util.find_spec(name) is not None for name in names)


def _read(path: Path | io.BytesIO) -> tuple[Wave, int]:
    import soundfile

    samples, rate = soundfile.read(path, dtype="float64")
    return samples, rate


def _by_program(command: Callable[[str, str], list[str]]) -> Iterator[Spoken]:
    """Every line of the texts through a program that writes a WAV file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "line.wav"
        for kind, lines in LINES.items():
            for n, text in enumerate(lines):
                subprocess.run(command(text, str(out)), check=True, capture_output=True)
                yield kind, f"{kind}-{n:02}", *_read(out)


def _flite(voice: str) -> Iterator[Spoken]:
    return _by_program(lambda text, out: ["flite", "-voice", voice, "-t", text, "-o", out])


def _espeak(variant: str) -> Iterator[Spoken]:
    return _by_program(lambda text, out: ["espeak-ng", "-v", variant, "-s", "165", "-w", out, text])


@cache
def _hibari() -> Any:
    from hibari import Hibari

    return Hibari()


def _heart() -> Iterator[Spoken]:
    for kind, lines in LINES.items():
        for n, text in enumerate(lines):
            yield kind, f"{kind}-{n:02}", np.asarray(_hibari()(text, 1.0, seed=1), np.float64), 24000


def _g722(path: Path) -> tuple[Wave, int]:
    import av

    with av.open(str(path), format="g722") as container:
        frames = [frame.to_ndarray().ravel() for frame in container.decode(audio=0)]
    return np.concatenate(frames).astype(np.float64) / 32768.0, 16000


def _prompt_kind(path: Path, seconds: float) -> str | None:
    """How a recorded prompt is used: by its length, single digits by their folder."""
    if path.parent.name == "digits" and len(path.stem) == 1:
        return "digit"
    if seconds <= 0.75:
        return "backchannel"
    if seconds <= 1.8:
        return "reply" if sum(path.stem.encode()) % 2 else "correction"
    if seconds <= 3.5:
        return "question"
    return "long" if seconds <= 15.0 else None


def _prompts(folder: str) -> Iterator[Spoken]:
    kinds: dict[str, list[Path]] = {kind: [] for kind in PROMPTS_PER_KIND}
    for path in sorted((PROMPTS / folder).rglob("*.g722")):
        kind = _prompt_kind(path, path.stat().st_size / 8000.0)
        if kind is not None and "silence" not in path.parts and "beep" not in path.stem:
            kinds[kind].append(path)
    for kind, paths in kinds.items():
        wanted = PROMPTS_PER_KIND[kind]
        picked = paths if len(paths) <= wanted else [paths[n * len(paths) // wanted] for n in range(wanted)]
        for path in picked:
            yield kind, f"{path.parent.name}/{path.stem}", *_g722(path)


def _flite_voice(name: str, split: str, sex: str, edge_below_db: float = 36.0) -> Voice:
    present = partial(_program, "flite")
    return Voice(name, split, sex, "apt: flite", present, partial(_flite, name), edge_below_db)


def _espeak_voice(name: str, split: str, sex: str, variant: str) -> Voice:
    present = partial(_program, "espeak-ng")
    return Voice(name, split, sex, "apt: espeak-ng", present, partial(_espeak, variant))


def _prompt_voice(name: str, split: str, sex: str, language: str, folder: str) -> Voice:
    def present() -> bool:
        return _modules("av") and any((PROMPTS / folder).glob("*.g722"))

    needs = f"apt: asterisk-core-sounds-{language}-g722, pip: av"
    return Voice(name, split, sex, needs, present, partial(_prompts, folder))


VOICES: tuple[Voice, ...] = (
    _flite_voice("slt", "tune", "f"),
    _flite_voice("kal16", "tune", "m"),
    Voice("heart", "tune", "f", "pip: hibari-tts==0.2.1", partial(_modules, "hibari"), _heart),
    _espeak_voice("espeak-m3", "tune", "m", "en-us+m3"),
    _prompt_voice("allison", "tune", "f", "en", "en_US_f_Allison"),
    _prompt_voice("allison-es", "tune", "f", "es", "es_MX_f_Allison"),
    _flite_voice("rms", "held", "m", 24.0),
    _flite_voice("awb", "held", "m", 30.0),
    _espeak_voice("espeak-f3", "held", "f", "en-us+f3"),
    _prompt_voice("june", "held", "f", "fr", "fr_CA_f_June"),
    _prompt_voice("carlo", "held", "m", "it", "it_IT_m_Carlo"),
    _prompt_voice("ivrvoice", "held", "f", "ru", "ru_RU_f_IvrvoiceRU"),
)
"""Every voice, tune half first. The order is part of what a seed means."""


def voices_of(split: str) -> tuple[Voice, ...]:
    """The voices of one half."""
    return tuple(voice for voice in VOICES if voice.split == split)


def installed(split: str) -> tuple[str, ...]:
    """Names of the voices of one half that can speak here."""
    return tuple(voice.name for voice in voices_of(split) if voice.present())


def missing() -> dict[str, str]:
    """What each voice that cannot speak here needs, by name."""
    return {voice.name: voice.needs for voice in VOICES if not voice.present()}
