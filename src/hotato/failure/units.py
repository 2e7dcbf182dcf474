"""What a result says of each thing it judged, whatever kind of result it is: the middle form of a record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from hotato.errors import Refusal
from hotato.failure.records import Lane, Measured, Status
from hotato.plain import shown

T = TypeVar("T")

_PATH = re.compile(r"(?<![\w.:/-])(?:[A-Za-z]:[\\/]|\\\\|~/|/)[^\s'\"<>|,;()]*")
_HIDDEN_PATH = "[path]"
_TEXT_CHARS, _NAME_CHARS, _SHORT_DIGEST = 600, 160, 12


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgment inside a unit.

    Attributes:
        id: its name.
        lane: where it belongs.
        status: how it came out.
        expected: what should have been.
        observed: what was measured.
        rule: the rule that judged it.
        measured: the numbers behind it.
        evidence_kind: what these are.
        codes: why it is no pass, for programs.
        missing: evidence that it lacked.
    """

    id: str
    lane: Lane
    status: Status
    expected: str
    observed: str
    rule: str
    measured: Measured = field(default_factory=dict)
    evidence_kind: str = "timing_measurement"
    codes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


Share = Annotated[float, Meta(ge=0, le=1)]


class Interval(msgspec.Struct, frozen=True):
    """The 95 % interval of a share."""

    low: Share
    high: Share


class Trials(msgspec.Struct, frozen=True):
    """A test that was run several times, as its own result states it.

    Attributes:
        n: runs.
        passes: runs that passed.
        k: runs in a row that `pass_at_k` and `pass_caret_k` speak of.
        pass_at_1: share of runs that passed.
        pass_at_k: chance that one of k passes.
        pass_caret_k: chance that all of k pass.
        ci: the interval of `pass_at_1`.
    """

    n: Annotated[int, Meta(ge=0)] = 0
    passes: Annotated[int, Meta(ge=0)] = 0
    k: Annotated[int, Meta(ge=0)] | None = None
    pass_at_1: Share | None = None
    pass_at_k: Share | None = None
    pass_caret_k: Share | None = None
    ci: Interval | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that a result is about: an event, a contract, a comparison, a test.

    Attributes:
        test_id: its name.
        headline: one sentence with its numbers.
        judged: the judgments it holds.
        gate_exit_code: what the command exited with.
        gate_policy: the policy of the gate in a word.
        source: the command that made the result.
        schema: name and version of the result's shape.
        argv: how to make the result again.
        recordings: sha256 (hex) of the recordings behind it.
        trials: what repeated runs of it came to, or None.
        simulated: a simulated caller made it.
        whole: it is all that its result is about, so that the result's exit code is its own.
    """

    test_id: str
    headline: str
    judged: tuple[Judged, ...]
    gate_exit_code: int
    gate_policy: str
    source: str
    schema: tuple[str, str]
    argv: tuple[str, ...]
    recordings: tuple[str, ...] = ()
    trials: Trials | None = None
    simulated: bool = False
    whole: bool = False


def taken(value: Any, type: type[T], what: str) -> T:
    """A part of a result as a record; keys that the record does not name are ignored.

    Raises:
        Refusal: `damaged_result`.
    """
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError as error:
        raise Refusal("damaged_result", f"this {what} is damaged: {error}", "make it again") from None


def text(value: str, limit: int = _TEXT_CHARS) -> str:
    """A sentence of a result without control characters and without absolute paths."""
    return shown(_PATH.sub(_HIDDEN_PATH, " ".join(value.split())), limit)


def name(value: str) -> str:
    """A name of a result; see `text`."""
    return text(value, _NAME_CHARS)


def words(argv: tuple[str, ...]) -> tuple[str, ...]:
    """A command's words; see `text`."""
    return tuple(text(word, _NAME_CHARS) for word in argv)


def stated(value: Mapping[str, Any], *keys: str) -> Measured:
    """The numbers of a block under the names that it gives them."""
    kept = {key: value[key] for key in keys if key in value}
    return {key: item for key, item in kept.items() if item is None or isinstance(item, bool | int | float)}


def artifact_name(sha256: str) -> str:
    """What a recording is called in a record: its own name may say who called."""
    return f"recording-{sha256[:_SHORT_DIGEST]}"
