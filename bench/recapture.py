"""How far apart fresh takes and copies of a call lie, and how the threshold between them was chosen.

    python bench/recapture.py RECORDINGS...

Every recording (two channels, 16 kHz, caller first) is a contract's. Copies of it are made worse in the ways
that a copy may be disguised; fresh takes keep the caller and have another agent. Recordings of even position
choose the threshold, in the middle of the gap; those of odd position are held back and judged by it. Needs
soxr.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile
import soxr

from hotato.acoustics import speech_like
from hotato.contract.against import PARAMS, agent_likeness, agent_parts
from hotato.contract.likeness import Print, fingerprints, matches
from hotato.listen import attend, hear
from hotato.stacks import ChannelMap

RATE = 16_000
Take = tuple[str, np.ndarray, int]
Row = tuple[int, str, float, float, bool]
"""Position of the call, what was made of it, and what `agents_alike` says."""


def coded(samples: np.ndarray, rate: int, form: str, subtype: str) -> tuple[np.ndarray, int]:
    """The samples after an encoder and its decoder."""
    buffer = io.BytesIO()
    soundfile.write(buffer, np.clip(samples, -1, 1), rate, format=form, subtype=subtype)
    buffer.seek(0)
    return soundfile.read(buffer, always_2d=True)


def disguised(call: np.ndarray, rng: np.random.Generator) -> Iterator[Take]:
    """Copies of a call."""

    def at(rate: int, samples: np.ndarray = call) -> np.ndarray:
        return soxr.resample(samples, RATE, rate)

    late = np.concatenate([np.zeros((round(0.505 * RATE), 2)), call])
    for gain_db in (-20, -6, 6):
        yield f"gain {gain_db} dB", call * 10 ** (gain_db / 20), RATE
    yield "gain by channel", call * np.array([0.3, 1.5]), RATE
    for rate in (8_000, 11_025, 44_100, 48_000):
        yield f"{rate} Hz", at(rate), rate
    for form, subtype, rate in (
        ("WAV", "ULAW", 8_000), ("WAV", "ALAW", 8_000), ("OGG", "OPUS", 48_000), ("OGG", "OPUS", 8_000),
        ("MP3", "MPEG_LAYER_III", RATE), ("OGG", "VORBIS", RATE),
    ):  # fmt: skip
        yield f"{subtype} {rate}", *coded(at(rate), rate, form, subtype)
    yield "5 ms later", np.concatenate([np.zeros((80, 2)), call]), RATE
    yield "silence before", late, RATE
    yield "1 s off the start", call[round(1.003 * RATE) :], RATE
    yield "3 s of it", call[round(0.5 * RATE) : round(3.5 * RATE)], RATE
    power = np.sqrt(np.mean(call**2, axis=0))
    yield "noise at 25 dB", call + rng.normal(0, 1, call.shape) * power * 10 ** (-25 / 20), RATE
    yield "late, quiet, mu-law", *coded(at(8_000, late * 0.4), 8_000, "WAV", "ULAW")
    yield "0.3 % slower", soxr.resample(call, RATE, RATE * 1.003), RATE


def doctored(call: np.ndarray, spans: list[list[float]]) -> Iterator[Take]:
    """Copies of a call with a piece of the agent silenced, or of the call left out."""
    starts = [start for start, stop in spans if stop - start >= 1.0] or [spans[0][0]]
    for first in sorted({starts[0], starts[len(starts) // 2], starts[-1]}):
        at = round((first + 0.3) * RATE)
        muted = call.copy()
        muted[at : at + RATE, 1] = 0.0
        yield "1 s of the agent muted", muted, RATE
        yield "the same, mu-law", *coded(soxr.resample(muted, RATE, 8_000), 8_000, "WAV", "ULAW")
        yield "the same, Opus", *coded(soxr.resample(muted, RATE, 48_000), 48_000, "OGG", "OPUS")
        yield "1 s of both left out", np.concatenate([call[:at], call[at + RATE :]]), RATE
    thirds = call.copy()
    for start, stop in spans:
        middle = round((start + stop) / 2 * RATE)
        thirds[middle : round(stop * RATE), 1] = 0.0
    yield "half of every turn muted", thirds, RATE


def greeted(position: int, call: np.ndarray, spans: list[list[float]]) -> Iterator[Take]:
    """Takes that begin with the same samples of the agent, in other words from there on."""
    agent = speech_like(f"greeted-{position}", spans, len(call), RATE) / 32_768 * 0.3
    for share in (0.1, 0.2, 0.3, 0.4, 0.5):
        total, at = sum(stop - start for start, stop in spans) * share, 0.0
        for start, stop in spans:
            at = min(stop, start + total)
            total -= at - start
            if total <= 0.0:
                break
        cut = round(at * RATE)
        mixed = np.concatenate([call[:cut, 1], agent[cut:]])
        yield f"same first {share:.0%} of the agent", np.stack([call[:, 0], mixed], axis=1), RATE


def fresh(position: int, calls: list[np.ndarray], spans: list[list[float]]) -> Iterator[Take]:
    """Takes with the same caller: other agents, and the same turns in other words."""
    call = calls[position]
    for step in range(1, len(calls)):
        other = calls[(position + step) % len(calls)]
        length = min(len(call), len(other))
        yield "another agent", np.stack([call[:length, 0], other[:length, 1]], axis=1), RATE
    for seed in range(4):
        agent = speech_like(f"{position}-{seed}", spans, len(call), RATE) / 32_768 * 0.3
        take = np.stack([call[:, 0], agent], axis=1)
        yield "same turns, rendered", take, RATE
        yield "same turns, mu-law", *coded(soxr.resample(take, RATE, 8_000), 8_000, "WAV", "ULAW")


def delayed(call: np.ndarray) -> Iterator[Take]:
    """The hard case: the very same synthetic speech, a little later."""
    for late_ms in (20, 40, 60, 80, 120, 200, 350):
        shifted = np.concatenate([np.zeros(late_ms * RATE // 1000), call[:, 1]])[: len(call)]
        yield f"same speech {late_ms} ms later", np.stack([call[:, 0], shifted], axis=1), RATE


def printed(call: np.ndarray, rate: int, folder: Path) -> tuple[Print, Print]:
    """The fingerprints of a call as 16-bit samples."""
    path = folder / "take.wav"
    soundfile.write(path, np.clip(call, -1, 1), rate, subtype="PCM_16")
    caller, agent = fingerprints(hear(path, digests="none"), (0, 1))
    return caller, agent


def agents_alike(reference: tuple[Print, Print], other: tuple[Print, Print]) -> tuple[float, float, bool]:
    """What `contract verify --against` judges by: likeness (-1 where the callers are nowhere alike), share of
    the agent that is the same, and whether it is the same again after it was another."""
    found = matches(reference, other)
    likeness = agent_likeness(found)
    return (-1.0 if likeness is None else likeness), *agent_parts(found)


def agent_spans(path: Path) -> list[list[float]]:
    """When the agent of a recording sounds."""
    activity = attend(hear(path, digests="none"), ChannelMap(0, 1, source="files")).agent.activity
    return [[run.first * activity.hop_sec, run.stop * activity.hop_sec] for run in activity.trimmed_runs]


def main(names: list[str]) -> int:
    paths = sorted(Path(name) for name in names)
    calls = [soundfile.read(path, always_2d=True)[0] for path in paths]
    kinds = ("copy", "doctored", "fresh", "delayed", "greeted")
    found: dict[str, list[Row]] = {kind: [] for kind in kinds}
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for position, call in enumerate(calls):
            reference = printed(call, RATE, folder)
            spans = agent_spans(paths[position])
            takes = {
                "copy": disguised(call, rng),
                "doctored": doctored(call, spans),
                "fresh": fresh(position, calls, spans),
                "delayed": delayed(call),
                "greeted": greeted(position, call, spans),
            }
            for kind, several in takes.items():
                for what, take, rate in several:
                    alike = agents_alike(reference, printed(take, rate, folder))
                    found[kind].append((position, what, *alike))
    tell(found)
    return 0


def tell(found: dict[str, list[Row]]) -> None:
    for kind, rows in found.items():
        print(f"{kind}: likeness of the agents, share of the agent that is the same")
        for what in dict.fromkeys(row[1] for row in rows):
            likeness, share = (np.array([row[at] for row in rows if row[1] == what]) for at in (2, 3))
            same = sum(is_same(row) for row in rows if row[1] == what)
            print(
                f"  {what:30} n {len(share):3}  {likeness.min():6.3f} to {likeness.max():6.3f}"
                f"  {share.min():6.3f} to {share.max():6.3f}  same call {same}"
            )
    for half in (0, 1):
        copies, doctored_, fresh_ = (
            [row for row in found[kind] if row[0] % 2 == half] for kind in ("copy", "doctored", "fresh")
        )
        print(
            f"{('tune', 'held')[half]}: {len(copies)} copies from {min(row[2] for row in copies):.3f} on, "
            f"{len(fresh_)} fresh takes up to {max(row[2] for row in fresh_):.3f} and a share of "
            f"{max(row[3] for row in fresh_):.3f}; {len(doctored_)} doctored copies from a share of "
            f"{min(row[3] for row in doctored_):.3f} on; missed {sum(not is_same(row) for row in copies)} "
            f"and {sum(not is_same(row) for row in doctored_)}, refused {sum(is_same(row) for row in fresh_)}"
        )


def is_same(row: Row) -> bool:
    return row[2] >= PARAMS.same_agent or row[3] >= PARAMS.same_share or row[4]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
