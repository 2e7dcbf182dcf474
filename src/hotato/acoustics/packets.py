"""Packet loss: which packets are lost, and what a receiver plays instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hotato.acoustics.dice import UNIT, Dice, Ints, index

Lost = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Packets:
    """A packet, and how its loss is concealed.

    Attributes:
        packet_ms: length of a packet.
        whole_ms: the repeated sound keeps its level for this long.
        fade_ms: then it falls linearly to nothing over this long (ITU-T G.711 Appendix I: 20 % per 10 ms).
        shortest_pitch_ms, longest_pitch_ms: the period that is repeated lies between these.
    """

    packet_ms: int = 20
    whole_ms: int = 10
    fade_ms: int = 50
    shortest_pitch_ms: int = 5
    longest_pitch_ms: int = 15


PACKETS = Packets()


def packets_in(count: int, sample_rate: int, shape: Packets = PACKETS) -> int:
    """How many packets carry `count` samples; the last one may be short."""
    length = index(shape.packet_ms / 1000.0, sample_rate)
    return -(-count // length)


def every(period: int, packets: int, first: int = 0) -> Lost:
    """A fixed schedule: packet `first` and every `period`-th after it is lost."""
    lost = np.zeros(packets, np.bool_)
    lost[first::period] = True
    return lost


def bursts(seed: str, packets: int, loss_part: float, mean_burst: float) -> Lost:
    """Gilbert's two-state channel: a share `loss_part` is lost, in bursts of `mean_burst` packets on average.

    The channel turns good again with probability 1/mean_burst per packet and bad with the probability that
    gives the share in the long run; it starts good.
    """
    leave_bad = 1.0 / mean_burst
    leave_good = leave_bad * loss_part / (1.0 - loss_part)
    draws = Dice(seed).words(packets) + UNIT
    limits = {False: round(leave_good * 2 * UNIT), True: round(leave_bad * 2 * UNIT)}
    lost, bad = np.zeros(packets, np.bool_), False
    for n, draw in enumerate(draws.tolist()):
        bad = bad != (draw < limits[bad])
        lost[n] = bad
    return lost


def without(signal: Ints, lost: Lost, sample_rate: int, shape: Packets = PACKETS) -> Ints:
    """The signal with exact zeros in place of every lost packet."""
    length = index(shape.packet_ms / 1000.0, sample_rate)
    gone = np.repeat(lost, length)[: len(signal)]
    out: Ints = np.where(gone, 0, signal)
    return out


def concealed(signal: Ints, lost: Lost, sample_rate: int, shape: Packets = PACKETS) -> Ints:
    """The signal with every loss filled by the last period before it, repeated and fading.

    In the spirit of ITU-T G.711 Appendix I: the period is the lag at which what was heard last resembles
    itself most (normalised correlation over two longest periods); there is no overlap-add at the seams.
    """
    length = index(shape.packet_ms / 1000.0, sample_rate)
    out = signal.copy()
    edges = np.flatnonzero(np.diff(np.concatenate([[0], lost.astype(np.int8), [0]])))
    for first, stop in edges.reshape(-1, 2).tolist():
        start, end = first * length, min(stop * length, len(signal))
        out[start:end] = _repeated(out[:start], end - start, sample_rate, shape)
    return out


def _repeated(heard: Ints, count: int, sample_rate: int, shape: Packets) -> Ints:
    longest = index(shape.longest_pitch_ms / 1000.0, sample_rate)
    if len(heard) < 3 * longest:
        return np.zeros(count, np.int64)
    period = _period(heard[-3 * longest :], sample_rate, shape)
    sound = np.resize(heard[-period:], count)
    whole, fade = (index(ms / 1000.0, sample_rate) for ms in (shape.whole_ms, shape.fade_ms))
    level = np.clip((whole + fade - np.arange(count, dtype=np.int64)) * UNIT // fade, 0, UNIT)
    faded: Ints = sound * level // UNIT
    return faded


def _period(recent: Ints, sample_rate: int, shape: Packets) -> int:
    shortest, longest = (
        index(ms / 1000.0, sample_rate) for ms in (shape.shortest_pitch_ms, shape.longest_pitch_ms)
    )
    last = recent[longest:]
    best, best_score = longest, 0.0
    for lag in range(shortest, longest + 1):
        earlier = recent[longest - lag : len(recent) - lag]
        energy = int(np.sum(earlier * earlier))
        along = int(np.sum(last * earlier))
        score = along * abs(along) / energy if energy else 0.0
        if score > best_score:
            best, best_score = lag, score
    return best
