"""The utterance bank: every line of every voice, trimmed so that its edges are known to a millisecond.

Rule of the edge: speech begins with the last millisecond of the first 10 ms window whose RMS exceeds the
utterance's 95th percentile of such levels less 36 dB (24 and 30 dB for two voices with a louder floor, see
`voices`), and ends with the first millisecond of the last one. A pause of 0.15 s or more splits the utterance
into spans; outside the spans there is exact zero, with 2 ms fades inside them. What is shorter than 60 ms on
its own (a lip, a click) is not speech and is taken out.

The bank lives in `.bank/` beside this file, is not in the repository, and is filled as voices are asked for.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hotato.canonical import write_atomic
from natural.texts import LINES
from natural.voices import VOICES, Voice, Wave

Int16 = npt.NDArray[np.int16]
FOLDER = Path(__file__).resolve().parent / ".bank"
VERSION = "2"
RATE = 16000


@dataclass(frozen=True)
class Trim:
    """How an utterance is cut.

    Attributes:
        step_ms, window_ms: levels are RMS over `window_ms`, one every `step_ms`.
        loud_percentile: the level that stands for the utterance's loudness.
        pause_ms: a pause from this length on splits a span.
        least_span_ms: a shorter span is dropped.
        fade_ms: ramp at both ends of a span, inside it.
        speech_dbfs: RMS over the spans after normalisation.
        peak_dbfs: no sample is louder; the level gives way.
    """

    step_ms: int = 1
    window_ms: int = 10
    loud_percentile: float = 95.0
    pause_ms: int = 150
    least_span_ms: int = 60
    fade_ms: int = 2
    speech_dbfs: float = -23.0
    peak_dbfs: float = -2.0


TRIM = Trim()


@dataclass(frozen=True, eq=False)
class Utterance:
    """One trimmed line at 16 kHz.

    Attributes:
        voice, kind, name: who says what.
        samples: int16, from the first to the last sample of speech.
        spans: half-open sample spans in which it sounds, the first from 0, the last to the end.
    """

    voice: str
    kind: str
    name: str
    samples: Int16
    spans: tuple[tuple[int, int], ...]


def at_rate(wave: Wave, rate: int) -> Wave:
    """The wave at 16 kHz, without its mean."""
    import soxr

    resampled = wave if rate == RATE else soxr.resample(wave, rate, RATE)
    return np.asarray(resampled - np.mean(resampled), np.float64)


def spans_of(wave: Wave, edge_below_db: float, trim: Trim = TRIM) -> list[tuple[int, int]]:
    """Where the wave speaks, in samples, by the rule of the edge."""
    step = RATE * trim.step_ms // 1000
    window = trim.window_ms // trim.step_ms
    steps = len(wave) // step
    power = np.concatenate(
        [
            np.zeros(window - 1),
            np.mean(wave[: steps * step].reshape(steps, step) ** 2, axis=1),
            np.zeros(window - 1),
        ]
    )
    running = np.concatenate([[0.0], np.cumsum(power)])
    level = 10.0 * np.log10(np.maximum((running[window:] - running[:-window]) / window, 1e-12))
    loud = level >= np.percentile(level, trim.loud_percentile) - edge_below_db
    edges = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(np.int8), [0]]))).reshape(-1, 2)
    # Window w ends with step w and begins with step w - window + 1.
    found = [[int(first), int(stop) - window + 1] for first, stop in edges if stop - first >= window]
    joined: list[list[int]] = []
    for start, stop in found:
        if joined and start - joined[-1][1] < trim.pause_ms // trim.step_ms:
            joined[-1][1] = stop
        else:
            joined.append([start, stop])
    least = trim.least_span_ms // trim.step_ms
    return [(start * step, stop * step) for start, stop in joined if stop - start >= least]


def faded(samples: Wave, trim: Trim = TRIM) -> Wave:
    """The same samples with short linear ramps at both ends."""
    ramp = np.linspace(0.0, 1.0, RATE * trim.fade_ms // 1000 + 2)[1:-1]
    out = samples.copy()
    out[: len(ramp)] *= ramp
    out[-len(ramp) :] *= ramp[::-1]
    return out


def trimmed(
    wave: Wave, rate: int, edge_below_db: float, trim: Trim = TRIM
) -> tuple[Int16, tuple[tuple[int, int], ...]] | None:
    """The samples and spans of one utterance, or None where nothing speaks."""
    wave = at_rate(wave, rate)
    spans = spans_of(wave, edge_below_db, trim)
    if not spans:
        return None
    out = np.zeros(spans[-1][1] - spans[0][0])
    first = spans[0][0]
    for start, stop in spans:
        out[start - first : stop - first] = faded(wave[start:stop], trim)
    speech = np.concatenate([out[start - first : stop - first] for start, stop in spans])
    gain = min(
        10.0 ** (trim.speech_dbfs / 20.0) / np.sqrt(np.mean(speech**2)),
        10.0 ** (trim.peak_dbfs / 20.0) / np.max(np.abs(speech)),
    )
    samples = np.rint(out * gain * 32768.0).astype(np.int16)
    return samples, tuple((start - first, stop - first) for start, stop in spans)


def _key(voice: Voice) -> str:
    basis = json.dumps([VERSION, voice.name, voice.needs, voice.edge_below_db, LINES, repr(TRIM)])
    return hashlib.sha256(basis.encode()).hexdigest()[:12]


def _build(voice: Voice, target: Path) -> None:
    rows, pieces = [], []
    for kind, name, wave, rate in voice.speak():
        cut = trimmed(wave, rate, voice.edge_below_db)
        if cut is not None:
            rows.append({"kind": kind, "name": name, "samples": len(cut[0]), "spans": cut[1]})
            pieces.append(cut[0])
    stored = io.BytesIO()
    np.savez(stored, samples=np.concatenate(pieces), rows=np.array(json.dumps(rows)))
    write_atomic(target, stored.getvalue(), force=True)


@cache
def utterances(name: str) -> tuple[Utterance, ...]:
    """Everything a voice says; made on first use, then read from the bank.

    Raises:
        KeyError: there is no such voice.
    """
    voice = {voice.name: voice for voice in VOICES}[name]
    path = FOLDER / f"{name}-{_key(voice)}.npz"
    if not path.is_file():
        _build(voice, path)
    with np.load(path) as stored:
        rows, samples = json.loads(str(stored["rows"])), stored["samples"]
    stops = np.cumsum([row["samples"] for row in rows]).tolist()
    return tuple(
        Utterance(name, row["kind"], row["name"], samples[start:stop], tuple((a, b) for a, b in row["spans"]))
        for row, (start, stop) in zip(rows, pairwise([0, *stops]), strict=True)
    )


def digest(names: tuple[str, ...]) -> str:
    """SHA-256 over all samples and spans of these voices: the same digest means the same calls."""
    total = hashlib.sha256()
    for name in sorted(names):
        for said in utterances(name):
            total.update(f"{name} {said.kind} {said.name} {said.spans}".encode())
            total.update(said.samples.astype("<i2").tobytes())
    return total.hexdigest()
