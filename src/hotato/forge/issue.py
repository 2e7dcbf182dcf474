"""An issue about the moments of a sweep: facts for a person to judge, no verdict."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, TypeGuard

import msgspec

from hotato.canonical import decode_json, read_small
from hotato.errors import Refusal
from hotato.forge.tools import first_url, require_line, require_repository, run
from hotato.plain import markdown_text, shown

_LARGEST_BYTES = 1 << 26
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ -]{0,59}")
_MOST_DURATIONS = 6
DEFAULT_TOP = 5
LARGEST_TOP = 100
"""A longer list is read by nobody, and a body has its limit."""


@dataclass(frozen=True, slots=True)
class IssuePlan:
    """What would be filed.

    Attributes:
        title: its title.
        body: its text, Markdown.
        command: the command line that files it; the body goes to its standard input.
        listed: how many moments it lists.
        total: how many the sweep has.
    """

    title: str
    body: str
    command: tuple[str, ...]
    listed: int
    total: int


@dataclass(frozen=True, slots=True)
class _Moment:
    rank: int
    call: str
    kind: str
    t_sec: float
    facts: str


def plan_issue(
    sweep: Path,
    *,
    repository: str | None = None,
    top: int = DEFAULT_TOP,
    labels: Sequence[str] = (),
    include_identifiers: bool = False,
) -> IssuePlan:
    """Plan an issue about the first moments of a sweep, in its order.

    Args:
        sweep: JSON with `candidates`: of a sweep, an investigation or a scan.
        repository: `OWNER/NAME`; None for the one that gh finds in the working folder.
        top: how many moments to list.
        labels: labels of the issue.
        include_identifiers: name recordings; else they are numbered.

    Raises:
        Refusal: `not_json`, `not_candidates`, `no_candidates`, and what reading refuses.
    """
    moments = _read(sweep, include_identifiers)
    listed = moments[:top]
    noun = "moment" if len(listed) == 1 else "moments"
    title = f"hotato: {len(listed)} {noun} to be judged"
    words = ["gh", "issue", "create"]
    if require_repository(repository):
        words.append(f"--repo={repository}")
    words += [f"--title={title}", "--body-file=-"]
    words += [f"--label={require_line(label, 'label')}" for label in labels]
    return IssuePlan(title, _body(listed, len(moments), sweep), tuple(words), len(listed), len(moments))


def run_issue(plan: IssuePlan) -> str | None:
    """File the issue and return its address, where gh prints one.

    Raises:
        Refusal: `tool_missing` or `gh_failed`.
    """
    printed = run(
        list(plan.command), text=plan.body, code="gh_failed", remedy="see gh auth status, and name --repo"
    )
    return first_url(printed)


def _read(sweep: Path, include_identifiers: bool) -> list[_Moment]:
    try:
        value = decode_json(read_small(sweep, "sweep", _LARGEST_BYTES), f"'{sweep}'")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_json", f"'{sweep}' is not a JSON file", "pass the JSON of a sweep") from None
    candidates = value.get("candidates") if isinstance(value, dict) else None
    if not isinstance(candidates, list):
        raise _not_candidates(sweep)
    if not candidates:
        raise Refusal(
            "no_candidates",
            f"'{sweep}' lists no moment, so there is no issue to file",
            "nothing is to be done",
        )
    names = list(dict.fromkeys(_source(item, value) for item in candidates))
    moments = []
    for rank, item in enumerate(candidates, 1):
        source = _source(item, value)
        call = _named(source) if include_identifiers else f"call {names.index(source) + 1}"
        moments.append(_moment(rank, item, call, sweep))
    return moments


def _named(source: str) -> str:
    """A recording's base name as Markdown shows it; an @ in it must not call a person."""
    return markdown_text(PurePath(source.replace("\\", "/")).name).replace("@", "&#64;")


def _source(item: Any, sweep: Mapping[str, Any]) -> str:
    named = item.get("source") if isinstance(item, dict) else None
    own = sweep.get("source")
    return named if isinstance(named, str) else own if isinstance(own, str) else "recording"


def _moment(rank: int, item: Any, call: str, sweep: Path) -> _Moment:
    if not isinstance(item, dict):
        raise _not_candidates(sweep)
    kind, t_sec = item.get("kind"), item.get("t_sec")
    if not isinstance(kind, str) or not _WORD.fullmatch(kind) or not _is_number(t_sec):
        raise _not_candidates(sweep)
    durations = item.get("durations")
    numbers = sorted((durations if isinstance(durations, dict) else {}).items())
    facts = [f"{key} {value:.2f}" for key, value in numbers if _WORD.fullmatch(key) and _is_number(value)]
    return _Moment(rank, call, kind, float(t_sec), ", ".join(facts[:_MOST_DURATIONS]))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _not_candidates(sweep: Path) -> Refusal:
    return Refusal(
        "not_candidates",
        f"'{sweep}' holds no list of moments, each with its kind and its t_sec",
        "pass what hotato investigate or hotato scan --format json wrote",
    )


def _body(listed: Sequence[_Moment], total: int, sweep: Path) -> str:
    rows = [f"| {m.rank} | {m.call} | {m.t_sec:.2f} | {m.kind} | {m.facts or '-'} |" for m in listed]
    first = shlex.quote(f"{shown(sweep.name)}#{listed[0].rank}").replace("`", "")
    return "\n".join(
        [
            f"{len(listed)} of {total} moments that a sweep of call recordings measured, in its order.",
            "",
            "They are facts about timing, not verdicts: whether the agent should have stopped or talked on "
            "is for a person to say who has listened.",
            "",
            "| # | call | at (s) | kind | measured (s) |",
            "|---:|---|---:|---|---|",
            *rows,
            "",
            "To keep one as a contract that CI verifies, listen to it, choose the label, and run:",
            "",
            "```",
            f"hotato investigate label {first} --expect yield",
            "```",
            "",
        ]
    )
