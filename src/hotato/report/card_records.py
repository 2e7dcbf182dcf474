"""What a card shows: one measured moment as a picture for a pull request or an issue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["crit", "warn", "pass", "plain"]
Party = Literal["caller", "agent", "either"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch in which a party sounds, on the card's time axis.

    Attributes:
        party: who; `either` where the input does not say.
        start_sec: when it begins, or the first time that is known to sound.
        end_sec: when it ends, or the last time that is known to sound.
        opens: its beginning was not measured: the bar fades in.
        goes_on: its end was not measured: the bar fades out.
    """

    party: Party
    start_sec: float
    end_sec: float
    opens: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Who sounded when, drawn from the numbers of the input and not from the recording.

    Attributes:
        bars: who sounded.
        start_sec: where the measured stretch begins; the axis counts from here.
        end_sec: where it ends.
        label: what the bracket under it says.
        tone: colour of the bracket.
        silent: the stretch is one in which nobody sounded.
        limit_sec: length that passes, from the beginning of the stretch; None for none.
    """

    bars: tuple[Bar, ...]
    start_sec: float
    end_sec: float
    label: str
    tone: Tone = "crit"
    silent: bool = False
    limit_sec: float | None = None


@dataclass(frozen=True, slots=True)
class Pull:
    """One of the two failures that pull a threshold in opposite directions.

    Attributes:
        title: what went wrong.
        measured: its number, in a few words.
        needs: which way the threshold would have to go.
        right: the arrow points to the more sensitive end.
    """

    title: str
    measured: str
    needs: str
    right: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """One moment before and after a change.

    Attributes:
        name: what the card calls it.
        before_sec: talk-over before.
        after_sec: talk-over after.
        passes: whether it passes now.
    """

    name: str
    before_sec: float
    after_sec: float
    passes: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """What was said, beside what the evidence shows.

    Attributes:
        name: the check.
        status: `PASS`, `FAIL` or another word of the input.
        text: what it found.
        holds: whether it passed.
    """

    name: str
    status: str
    text: str
    holds: bool


@dataclass(frozen=True, slots=True)
class LaneLine:
    """One lane of a failure record.

    Attributes:
        name: the lane.
        status: its status in words.
        said: its counts.
        bad: it failed.
    """

    name: str
    status: str
    said: str
    bad: bool


Body = Scene | tuple[Pull, ...] | tuple[Pair, ...] | tuple[Claim, ...] | tuple[LaneLine, ...]
"""The picture of a card; an empty tuple for none."""


@dataclass(frozen=True, slots=True)
class Card:
    """Everything on a card.

    Attributes:
        kind: what sort of card it is, in a few words.
        chip: the result in a word or two.
        tone: colour of the chip and of the figure.
        title: the answer, as one sentence.
        figure: the number that names the moment, or a word in its place; empty for none.
        unit: its unit.
        caption: what the number is, with its interval and limit, each a line.
        facts: label and text pairs.
        footer: what the card does not say.
        body: the picture.
    """

    kind: str
    chip: str
    tone: Tone
    title: str
    figure: str
    unit: str
    caption: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    footer: str
    body: Body
