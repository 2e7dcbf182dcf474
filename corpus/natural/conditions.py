"""What a line makes of a clean call. `apply(call, name, seed)` gives the same call under one condition.

The truth stays as it was: it is about what was said, not about what the line left of it. Three conditions
differ: `offset` and `drift` move the agent's channel against the caller's, and the truth still says when it
was spoken; `echo*-alone` takes the caller's speech away, and the truth with it: nobody interrupts there, so
its label is a hold without an onset. What was drawn for a call (lag, level, where the noise begins) is
written to `scenario["condition_detail"]`, with a null `echo_db` where there is no echo.

A noise level in a name is the SNR in dB of each channel against its own party's RMS over its true spans;
noise on the two channels is independent. `hum` alone stands at one level whatever the speech has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from hotato.acoustics import Dice, Ints, g711, index, line, noise, noise_floor, packets
from natural import codecs
from natural.bank import RATE, utterances
from natural.calls import TruthCall, expectation
from natural.truth import Note, truth_of
from natural.voices import VOICES

CALLER, AGENT = 0, 1
LADDERS = ("white", "babble", "street", "hum")
SNRS_DB = (30, 20, 15, 12, 8, 5)
ECHO_DB = (-6, -12, -20, -40)
GAINS_DB = (-40, -30, 12)
DC_OFFSET = 0.02
HUM_DBFS = -34.0
CLIP_GAIN_DB = 18.0
STEP_SNR_DB = 12.0
MUSIC_DBFS = -26.0
MUSIC_SEC = 25.0
LOSS_PART, LOSS_BURST = 0.05, 2.0
ECHO_LAG_MS = (20, 400)
ECHO_TAIL_MS, ECHO_TAPS = 30, 8
ECHO_DRIFT_PPM = 500
"""A lag that grows by 30 ms in a minute."""
OFFSET_MS = (20, 80)
DRIFT_PPM = (50, 200)
BABBLE_VOICES = 6
DEAD_AIR_SEC = 1.0
"""Where the caller has been taken away, an agent's pause from this length on is dead air."""
COMBO = {"street_snr_db": 18.0, "hum_dbfs": -40.0, "echo_db": -22.0}


class Bench:
    """A call under a condition in the making: two integer channels, a rate, draws, and what was drawn."""

    def __init__(self, call: TruthCall, name: str, seed: int):
        self.call = call
        self.rate = call.sample_rate
        self.channels: list[Ints] = [call.samples[:, n].astype(np.int64) for n in (CALLER, AGENT)]
        self.seed = f"{call.scenario['id']}/{name}/{seed}"
        self.dice = Dice(self.seed)
        self.detail: dict[str, Any] = {}
        self.truth: dict[str, Any] = call.scenario["truth"]

    @property
    def count(self) -> int:
        """Length of a channel, in samples."""
        return len(self.channels[0])

    def each(self, step: Callable[[Ints], Ints]) -> None:
        """Put both channels through the same step."""
        self.channels = [step(channel) for channel in self.channels]

    def add_noise(
        self, bed: Callable[[str], Ints], snr_db: float, only: int | None = None, start: int = 0
    ) -> None:
        """Noise on both channels, or on one, at an SNR; silent before `start`."""
        for n, role in enumerate(("caller", "agent")):
            spans = self.call.spans(role)
            if only in (None, n) and spans:
                sound = noise.at_snr(bed(f"{self.seed}#{role}"), self.channels[n], spans, snr_db)
                self.channels[n] = self.channels[n] + noise.from_sample(sound, start)


def _bed(bench: Bench, kind: str) -> Callable[[str], Ints]:
    if kind == "white":
        return lambda seed: noise.white(seed, bench.count)
    if kind == "street":
        return lambda seed: noise.street(seed, bench.count, bench.rate)
    if kind == "hum":
        mains_hz = _mains_hz(bench)
        return lambda seed: _mains(bench, mains_hz, Dice(seed))
    return partial(_babble, bench)


def _babble(bench: Bench, seed: str, voices: int = BABBLE_VOICES) -> Ints:
    """Voices of the other half, each saying its long lines one after the other from a drawn place on."""
    dice = Dice(seed)
    names = [v.name for v in VOICES if v.split != bench.call.scenario["split"] and v.present()]
    speakers = [names[dice.between(0, len(names) - 1)] for _ in range(voices)]
    sounds = []
    for name in speakers:
        lines = [
            said.samples.astype(np.int64) for said in utterances(name) if said.kind in ("long", "question")
        ]
        sounds.append(np.roll(np.concatenate(lines), -dice.between(0, 30 * RATE)))
    return noise.babble(sounds, bench.count)


def _clean(bench: Bench) -> None:
    """Nothing."""


def _dc(bench: Bench) -> None:
    sign = 1 if bench.dice.between(0, 1) else -1
    bench.detail["dc"] = sign * DC_OFFSET
    bench.each(lambda channel: line.with_dc(channel, sign * DC_OFFSET))


def _hum(bench: Bench, level_dbfs: float = HUM_DBFS) -> None:
    mains_hz = _mains_hz(bench)
    for n in (CALLER, AGENT):
        sound = _mains(bench, mains_hz, bench.dice)
        bench.channels[n] = bench.channels[n] + noise.at_level(sound, level_dbfs)


def _mains_hz(bench: Bench) -> int:
    """The frequency of the mains, drawn for the call."""
    mains_hz = (50, 60)[bench.dice.between(0, 1)]
    bench.detail["mains_hz"] = mains_hz
    return mains_hz


def _mains(bench: Bench, mains_hz: int, dice: Dice) -> Ints:
    """Hum of the call's length from a drawn phase on."""
    phase = dice.between(0, bench.rate // mains_hz)
    return noise.hum(mains_hz, bench.count + phase, bench.rate)[phase:]


def _noise(kind: str, snr_db: float, bench: Bench) -> None:
    bench.detail["snr_db"] = snr_db
    bench.add_noise(_bed(bench, kind), snr_db)


def _gain(level_db: float, bench: Bench) -> None:
    bench.each(lambda channel: line.gain(channel, level_db))


def _clip(bench: Bench) -> None:
    bench.each(lambda channel: line.clipped(line.gain(channel, CLIP_GAIN_DB)))


def _to_8k(bench: Bench) -> None:
    bench.each(line.halved)
    bench.rate //= 2


def _law(law: Callable[[Ints], Ints], bench: Bench) -> None:
    _to_8k(bench)
    bench.each(law)


def _codec(codec: Callable[[Ints, int], Ints], bench: Bench) -> None:
    bench.each(lambda channel: codec(channel, bench.rate))


def _loss(treat: Callable[[Ints, packets.Lost, int], Ints], bench: Bench) -> None:
    total = packets.packets_in(bench.count, bench.rate)
    for n in (CALLER, AGENT):
        lost = packets.bursts(f"{bench.seed}#{n}", total, LOSS_PART, LOSS_BURST)
        bench.channels[n] = treat(bench.channels[n], lost, bench.rate)


def _echo(level_db: float, bench: Bench, drift_ppm: int = 0) -> None:
    """The agent's sound on the caller channel, through a short decaying response of drawn taps."""
    lag_ms = bench.dice.between(*ECHO_LAG_MS)
    taps = [0.0] * (ECHO_TAIL_MS * bench.rate // 1000)
    taps[0] = 1.0
    for n in range(1, ECHO_TAPS):
        at = bench.dice.between(1, len(taps) - 1)
        taps[at] = bench.dice.between(-100, 100) / 100 * 0.7 * (1 - n / ECHO_TAPS)
    bench.detail |= {"echo_lag_sec": lag_ms / 1000, "echo_db": level_db, "echo_drift_ppm": drift_ppm}
    returned = line.bleed(
        line.drifted(bench.channels[AGENT], drift_ppm), lag_ms * bench.rate // 1000, level_db, taps
    )
    bench.channels[CALLER] = bench.channels[CALLER] + returned


def _echo_alone(level_db: float, bench: Bench) -> None:
    """Echo on a caller channel on which nobody speaks."""
    bench.channels[CALLER] = noise_floor(f"{bench.seed}#floor", bench.count, -70.0)
    agent = bench.call.spans("agent")
    pauses = [(a[1], b[0]) for a, b in pairwise(agent)]
    notes = [Note("dead_air", a) for a, b in pauses if b - a >= DEAD_AIR_SEC * bench.rate]
    bench.truth = truth_of(notes, [], agent, bench.count, bench.rate)
    _echo(level_db, bench)


def _echo_noise_law(bench: Bench) -> None:
    _echo(-12.0, bench)
    bench.add_noise(_bed(bench, "street"), 20.0)
    _law(g711.mu_law, bench)


def _noise_step(bench: Bench) -> None:
    """Noise that begins in the middle, on the caller channel."""
    kind = ("white", "street", "babble")[bench.dice.between(0, 2)]
    start = bench.dice.between(35, 65) * bench.count // 100
    bench.detail |= {"noise": kind, "snr_db": STEP_SNR_DB, "from_sec": round(start / bench.rate, 4)}
    bench.add_noise(_bed(bench, kind), STEP_SNR_DB, only=CALLER, start=start)


def _hold_music(vocal: bool, bench: Bench) -> None:
    """Music for a while on one channel; `vocal` has a voice of the other half on top, equally loud."""
    channel = bench.dice.between(CALLER, AGENT)
    length = min(index(MUSIC_SEC, bench.rate), bench.count)
    start = bench.dice.between(0, 100) * (bench.count - length) // 100
    span = [round(start / bench.rate, 4), round((start + length) / bench.rate, 4)]
    bench.detail |= {"music_channel": ("caller", "agent")[channel], "music_span_sec": span}
    sound = noise.at_level(noise.music(length, bench.rate), MUSIC_DBFS)
    if vocal:
        sound = sound + noise.at_level(_babble(bench, bench.seed, voices=1)[:length], MUSIC_DBFS)
    bench.channels[channel][start : start + length] += sound


def _agc(bench: Bench) -> None:
    bench.each(lambda channel: line.levelled(channel, bench.rate))


def _offset(bench: Bench) -> None:
    late_ms = bench.dice.between(*OFFSET_MS)
    bench.detail["agent_late_sec"] = late_ms / 1000
    bench.channels[AGENT] = line.delayed(bench.channels[AGENT], late_ms * bench.rate // 1000)


def _drift(bench: Bench) -> None:
    speed_ppm = bench.dice.between(*DRIFT_PPM)
    bench.detail["agent_drift_ppm"] = speed_ppm
    bench.channels[AGENT] = line.drifted(bench.channels[AGENT], speed_ppm)


def _combo(bench: Bench) -> None:
    _echo(COMBO["echo_db"], bench)
    bench.add_noise(_bed(bench, "street"), COMBO["street_snr_db"])
    _hum(bench, COMBO["hum_dbfs"])
    _dc(bench)
    _law(g711.mu_law, bench)


Condition = Callable[[Bench], None]

CONDITIONS: dict[str, Condition] = {
    "clean": _clean,
    "dc": _dc,
    "hum": _hum,
    **{f"{kind}{snr_db}": partial(_noise, kind, float(snr_db)) for kind in LADDERS for snr_db in SNRS_DB},
    **{f"gain{level_db:+}": partial(_gain, float(level_db)) for level_db in GAINS_DB},
    "clip": _clip,
    "mulaw": partial(_law, g711.mu_law),
    "alaw": partial(_law, g711.a_law),
    "opus": partial(_codec, codecs.opus),
    "mp3": partial(_codec, codecs.mp3),
    "loss": partial(_loss, packets.without),
    "loss-concealed": partial(_loss, packets.concealed),
    **{f"echo{level_db}": partial(_echo, float(level_db)) for level_db in ECHO_DB},
    **{f"echo{level_db}-alone": partial(_echo_alone, float(level_db)) for level_db in ECHO_DB},
    "echo-12-drift": partial(_echo, -12.0, drift_ppm=ECHO_DRIFT_PPM),
    "echo-12-noise-mulaw": _echo_noise_law,
    "noise-step": _noise_step,
    "hold-music": partial(_hold_music, False),
    "hold-music-vocal": partial(_hold_music, True),
    "agc": _agc,
    "offset": _offset,
    "drift": _drift,
    "combo": _combo,
}
"""Every condition by name."""

NOTES_MIX = (
    "clean", "dc", "hum", "white20", "white15", "white12", "white8", "babble20", "babble15", "babble12",
    "babble8", "street20", "street15", "street12", "street8", "gain-30", "clip", "mulaw", "opus", "echo-12",
    "echo-20", "echo-12-noise-mulaw", "noise-step", "hold-music", "combo",
)  # fmt: skip
"""The 25 conditions over which the share of wrong yield verdicts is stated."""


def apply(call: TruthCall, name: str, seed: int = 0) -> TruthCall:
    """A clean 16 kHz call under one condition.

    Raises:
        KeyError: there is no such condition.
        ValueError: the call is under a condition already.
    """
    if call.scenario["condition"] != "clean":
        raise ValueError(f"{call.scenario['id']} is already under the condition {call.scenario['condition']}")
    step = CONDITIONS[name]
    bench = Bench(call, name, seed)
    step(bench)
    samples = line.to_int16(bench.channels)
    scenario = {
        **call.scenario,
        "id": call.scenario["id"] if name == "clean" else f"{call.scenario['id']}-{name}",
        "condition": name,
        "sample_rate": bench.rate,
        "duration_sec": round(len(samples) / bench.rate, 4),
        "truth": bench.truth,
    }
    if bench.truth is not call.scenario["truth"]:
        scenario = {k: v for k, v in scenario.items() if k != "caller_onset_sec"} | expectation(bench.truth)
    scenario["condition_detail"] = {"echo_db": None, **bench.detail}
    return replace(call, scenario=scenario, samples=samples, sample_rate=bench.rate)
