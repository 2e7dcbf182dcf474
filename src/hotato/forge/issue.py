"""An issue about the moments of a sweep: facts for a person to judge, no verdict."""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, TypeGuard

import msgspec

from hotato.canonical import decode_json, read_small
from hotato.errors import Refusal
from hotato.find.labels import WHEN, fitting_labels
from hotato.find.refs import begins_sec, call_ref
from hotato.find.wording import clock
from hotato.forge.tools import first_url, require_line, require_repository, run
from hotato.plain import markdown_text, portable, shown

_LARGEST_BYTES = 1 << 26
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ -]{0,59}")
_DIGEST = re.compile("[0-9a-f]{12,64}")
_MOST_DURATIONS = 6
_REF_CHARS = 600
_STAND_IN = "MOMENTS.json"
"""What a file is called whose own name would name a recording."""

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
    labels: tuple[str, ...]
    ref: str


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
    moments, file = _read(sweep, include_identifiers)
    listed = moments[:top]
    noun = "moment" if len(listed) == 1 else "moments"
    title = f"hotato: {len(listed)} {noun} to be judged"
    words = ["gh", "issue", "create"]
    if require_repository(repository):
        words.append(f"--repo={repository}")
    words += [f"--title={title}", "--body-file=-"]
    words += [f"--label={require_line(label, 'label')}" for label in labels]
    return IssuePlan(title, _body(listed, len(moments), file), tuple(words), len(listed), len(moments))


def run_issue(plan: IssuePlan) -> str | None:
    """File the issue and return its address, where gh prints one.

    Raises:
        Refusal: `tool_missing` or `gh_failed`.
    """
    printed = run(
        list(plan.command), text=plan.body, code="gh_failed", remedy="see gh auth status, and name --repo"
    )
    return first_url(printed)


def _read(sweep: Path, include_identifiers: bool) -> tuple[list[_Moment], str]:
    """The moments, and what commands call the file that lists them."""
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
    file = _STAND_IN if not include_identifiers and _gives_away(sweep, names) else _typed(sweep)
    digests = _digests(value)
    moments, counts = [], Counter[str]()
    for rank, item in enumerate(candidates, 1):
        source = _source(item, value)
        call = _named(source) if include_identifiers else f"call {names.index(source) + 1}"
        digest = digests.get(source) or digests.get(None)
        counts[digest or ""] += 1
        ref = call_ref(file, digest, counts[digest]) if digest else f"{file}#{rank}"
        moments.append(_moment(rank, item, call, ref, sweep))
    return moments, file


def _typed(sweep: Path) -> str:
    """The file as a command names it in the working folder; from elsewhere, its name alone."""
    path = portable(sweep)
    return sweep.name if path.startswith("../") and sweep.is_absolute() else path


def _gives_away(sweep: Path, names: Sequence[str]) -> bool:
    """Whether the file, or a folder of it, is called like a recording that it lists."""
    called = {_base(name).partition(".")[0] for name in names} - {""}
    return any(part.partition(".")[0] in called for part in sweep.parts)


def _digests(value: Mapping[str, Any]) -> dict[str | None, str]:
    """The digest of each recording's bytes, as far as the file states it; None stands for its only one."""
    scanned = value.get("scanned")
    stated = [one for one in scanned if isinstance(one, dict)] if isinstance(scanned, list) else []
    pairs = [(one.get("source"), one.get("sha256")) for one in stated] + [(None, value.get("sha256"))]
    return {name: hexes for name, hexes in pairs if isinstance(hexes, str) and _DIGEST.fullmatch(hexes)}


def _named(source: str) -> str:
    """A recording's base name as Markdown shows it; an @ in it must not call a person."""
    return markdown_text(_base(source)).replace("@", "&#64;")


def _base(source: str) -> str:
    return PurePath(source.replace("\\", "/")).name


def _source(item: Any, sweep: Mapping[str, Any]) -> str:
    named = item.get("source") if isinstance(item, dict) else None
    own = sweep.get("source")
    return named if isinstance(named, str) else own if isinstance(own, str) else "recording"


def _moment(rank: int, item: Any, call: str, ref: str, sweep: Path) -> _Moment:
    if not isinstance(item, dict):
        raise _not_candidates(sweep)
    kind, t_sec = item.get("kind"), item.get("t_sec")
    if not isinstance(kind, str) or not _WORD.fullmatch(kind) or not _is_number(t_sec):
        raise _not_candidates(sweep)
    numbers = sorted(_numbers(item).items())
    facts = [f"{key} {value:.2f}" for key, value in numbers if _WORD.fullmatch(key) and _is_number(value)]
    return _Moment(
        rank=rank,
        call=call,
        kind=kind,
        t_sec=begins_sec(item, float(t_sec)),
        facts=", ".join(facts[:_MOST_DURATIONS]),
        labels=_labels(item, kind),
        ref=ref,
    )


def _labels(item: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """The labels that fit, likeliest first: as the file states them, else those of the kind."""
    stated = item.get("labels")
    if isinstance(stated, list):
        return tuple(dict.fromkeys(one for one in stated if isinstance(one, str) and one in WHEN))
    return tuple(fitting_labels(kind))


def _numbers(item: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured: at the raw edges, as reports show it, where the file states that."""
    durations, measured = item.get("durations"), item.get("measured")
    raw = measured if isinstance(measured, dict) else {}
    edges = {name: one.get("sec") for name, one in raw.items() if isinstance(one, dict)}
    return {**(durations if isinstance(durations, dict) else {}), **edges}


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _not_candidates(sweep: Path) -> Refusal:
    return Refusal(
        "not_candidates",
        f"'{sweep}' holds no list of moments, each with its kind and its t_sec",
        "pass what hotato investigate or hotato scan --format json wrote",
    )


def _body(listed: Sequence[_Moment], total: int, file: str) -> str:
    rows = [f"| {m.rank} | {m.call} | {clock(m.t_sec, 2)} | {m.kind} | {m.facts or '-'} |" for m in listed]
    return "\n".join(
        [
            f"{len(listed)} of {total} moments that a sweep of call recordings measured, in its order.",
            "",
            "They are facts about timing, not verdicts: whether the agent should have stopped or talked on "
            "is for a person to say who has listened.",
            "",
            "| # | call | at | kind | measured (s) |",
            "|---:|---|---:|---|---|",
            *rows,
            "",
            *_commands(listed, file),
        ]
    )


def _commands(listed: Sequence[_Moment], file: str) -> list[str]:
    """How the first moment that a label fits is kept: a command for each label of it."""
    first = next((moment for moment in listed if moment.labels), None)
    if first is None:
        return ["No label fits these, so none of them can be kept as a contract.", ""]
    ref = shlex.quote(shown(first.ref, _REF_CHARS)).replace("`", "")
    commands = [
        f"- {WHEN[label]}: `hotato investigate label {ref} --expect {label}`" for label in first.labels
    ]
    aside = f" {_STAND_IN} stands for the file that this list was made of." if file == _STAND_IN else ""
    return [
        "To keep one as a contract that CI verifies, listen to it, choose the label, and run what fits; for "
        f"number {first.rank}:{aside}",
        "",
        *commands,
        "",
    ]
