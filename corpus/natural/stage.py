"""A call under construction: who says which piece of speech from which sample on, and what was staged."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hotato.acoustics import Dice, index
from natural.bank import RATE, TRIM, Utterance, faded, utterances
from natural.truth import Note
from spans import Span

Wave = npt.NDArray[np.float64]
CALLER, AGENT = "caller", "agent"
ROLES = (CALLER, AGENT)


@dataclass(frozen=True, eq=False)
class Piece:
    """Speech ready to be placed: samples at 16-bit scale, and the spans in which they sound."""

    samples: Wave
    spans: tuple[Span, ...]

    def __len__(self) -> int:
        return len(self.samples)


@dataclass(frozen=True)
class Manner:
    """How pieces are joined.

    Attributes:
        joint_ms: shortest and longest pause between two lines of a party that holds the floor. compact_ms:
        longest pause inside speech that holds the floor; below the bridge, so that it is no yield.
        usual_gap_ms: shortest and longest pause before an ordinary turn. own_gap_ms: the same where the party
        that spoke last goes on. least_left_ms: a broken-off piece keeps no last span shorter than this.
    """

    joint_ms: tuple[int, int] = (30, 110)
    compact_ms: int = 120
    usual_gap_ms: tuple[int, int] = (250, 1100)
    own_gap_ms: tuple[int, int] = (250, 800)
    least_left_ms: int = 60


MANNER = Manner()


def piece_of(said: Utterance) -> Piece:
    """An utterance as it is in the bank."""
    return Piece(said.samples.astype(np.float64), said.spans)


def joined(pieces: list[Piece], pauses: list[int]) -> Piece:
    """Pieces one after the other, `pauses[n]` samples of silence after the n-th; the last is not used."""
    samples: list[Wave] = []
    spans: list[Span] = []
    at = 0
    for piece, pause in zip(pieces, [*pauses, 0][: len(pieces)], strict=True):
        spans += [(start + at, stop + at) for start, stop in piece.spans]
        samples += [piece.samples, np.zeros(pause)]
        at += len(piece) + pause
    total = np.concatenate(samples)
    return Piece(total[: spans[-1][1]], tuple(spans))


def compact(piece: Piece, manner: Manner = MANNER) -> Piece:
    """The piece with its pauses shortened, so that it is one span for the truth."""
    longest = manner.compact_ms * RATE // 1000
    parts = [Piece(piece.samples[start:stop], ((0, stop - start),)) for start, stop in piece.spans]
    pauses = [min(b[0] - a[1], longest) for a, b in zip(piece.spans, piece.spans[1:], strict=False)]
    return joined(parts, pauses)


def broken_off(piece: Piece, length: int, manner: Manner = MANNER) -> Piece:
    """The first `length` samples, ended with a short fade; less where only a scrap of a span would remain."""
    least = manner.least_left_ms * RATE // 1000
    kept = [(start, min(stop, length)) for start, stop in piece.spans if length - start >= least]
    spans = tuple(kept or [(0, min(least, len(piece)))])
    samples = piece.samples[: spans[-1][1]].copy()
    start, stop = spans[-1]
    samples[start:stop] = faded(samples[start:stop], TRIM)
    return Piece(samples, spans)


@dataclass
class Stage:
    """The call so far. Scenes place pieces; `now` is the first sample after everything placed."""

    dice: Dice
    voices: dict[str, str]
    placed: list[tuple[str, int, Piece]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=lambda: {CALLER: 0, AGENT: 0})

    @property
    def now(self) -> int:
        """The end of the last sound."""
        return max(self.ends.values())

    @property
    def last(self) -> str | None:
        """Who sounded last; None before the first word."""
        return None if not self.now else max(ROLES, key=lambda role: self.ends[role])

    def draw(self, low_sec: float, high_sec: float) -> int:
        """A drawn time, in samples."""
        return self.dice.between(index(low_sec, RATE), index(high_sec, RATE) - 1)

    def chance(self, percent: int) -> bool:
        """True in `percent` of 100 draws."""
        return self.dice.between(1, 100) <= percent

    def line(self, role: str, *kinds: str) -> Piece:
        """One line of a party's voice, of one of these kinds."""
        lines = [said for said in utterances(self.voices[role]) if said.kind in kinds]
        return piece_of(lines[self.dice.between(0, len(lines) - 1)])

    def holding(self, role: str, at_least: int, *, first: str = "long", natural: bool = False) -> Piece:
        """Speech of at least this many samples without a pause that could be taken for the end of a turn.

        Begins with a line of kind `first`; an agent goes on with long lines, a caller with short ones.
        `natural` keeps the pauses inside the lines as they were spoken.
        """
        pieces = [self.line(role, first)]
        pauses: list[int] = []
        more = ("long", "question") if role == AGENT else ("question", "correction", "reply")
        while sum(map(len, pieces)) + sum(pauses) < at_least:
            low, high = MANNER.joint_ms
            pauses.append(self.draw(low / 1000, high / 1000))
            pieces.append(self.line(role, *more))
        whole = joined(pieces, pauses) if natural else compact(joined(pieces, pauses))
        # Shortened pauses may have taken it below the length.
        return whole if len(whole) >= at_least else self.holding(role, at_least, first="long")

    def place(self, role: str, piece: Piece, at: int) -> int:
        """Put a piece on a party's channel; returns its end.

        Raises:
            ValueError: it would begin before the party's last word has ended.
        """
        if at < self.ends[role]:
            raise ValueError(f"{role} is still speaking at sample {at}")
        self.placed.append((role, at, piece))
        self.ends[role] = at + len(piece)
        return self.ends[role]

    def turn(self, role: str, piece: Piece, gap: int | None = None) -> int:
        """A turn after a pause (drawn when None), and its start; the agent's answer is a latency event."""
        low, high = MANNER.own_gap_ms if self.last == role else MANNER.usual_gap_ms
        at = self.now + (self.draw(low / 1000, high / 1000) if gap is None else gap)
        if role == AGENT and self.last == CALLER:
            self.note("latency", self.ends[CALLER])
        self.place(role, piece, at)
        return at

    def note(self, kind: str, at: int, expect: str | None = None) -> None:
        """Write down what was staged at a sample."""
        self.notes.append(Note(kind, at, expect))
