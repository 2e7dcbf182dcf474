"""The state of investigations: the last run's moments, so that `FILE#N` leads to one, and what came before.

Two processes that investigate at once take turns where the system has locks; where it has none, the whole
file of the last one stays. A file that is no state of ours is never replaced.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hotato.canonical import decode_json, read_small, to_json, write_atomic
from hotato.errors import Refusal
from hotato.find.investigate import Investigation, config_json, ranked_json, verdict_status
from hotato.find.listing import LARGEST_BYTES
from hotato.find.scan import NOTE
from hotato.trust import trust_json

SCHEMA = "hotato.investigate-state.v1"
DEFAULT_PATH = ".hotato/investigate-state.json"
KEPT_RUNS = 200
"""Older runs drop out of the history."""

_WHAT = "state of investigations"
_ANOTHER = "name another file with --state, or move this one away"


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """One run, in brief.

    Attributes:
        run: its number, from 1.
        at: when it was, as whoever ran it stated; None where nobody did.
        source: the recording's name.
        capture_origin: how the audio arrived.
        candidate_eligible: candidates could be looked for.
        verdict_eligible: a labelled moment may carry a verdict.
        total_candidates: how many there were.
    """

    run: Annotated[int, Meta(ge=1)]
    at: str | None = None
    source: str
    capture_origin: str
    candidate_eligible: bool
    verdict_eligible: bool
    total_candidates: Annotated[int, Meta(ge=0)]


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    schema: Literal["hotato.investigate-state.v1"]
    run: Annotated[int, Meta(ge=1, le=10**9)]
    created_at: str | None = None
    history: tuple[Past, ...] = ()


def keep(found: Investigation, path: Path, *, at: str | None = None) -> int:
    """Write the state after a run, and return the run's number.

    Args:
        found: the investigation.
        path: the state; missing folders are made.
        at: when the run was, as whoever runs it states; None states nothing.

    Raises:
        Refusal: `not_a_state`: another file is in the way; and see `canonical.write_atomic`.
    """
    _before(path)
    with _alone(path.parent):
        before = _before(path)
        run = 1 if before is None else before.run + 1
        write_atomic(path, to_json(_state(found, before, run, at)), force=True)
    return run


def require_usable(path: Path) -> None:
    """Refuse a place where no state can be kept, before the work of a run is done.

    Raises:
        Refusal: as `keep`.
    """
    _before(path)


def _before(path: Path) -> _Kept | None:
    """What an earlier run left."""
    if not os.path.lexists(path):
        return None
    try:
        return decode_json(read_small(path, _WHAT, LARGEST_BYTES), f"'{path}'", _Kept)  # type: ignore[no-any-return]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal("not_a_state", f"'{path}' is not a {_WHAT}, so it stays as it is", _ANOTHER) from None


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder of the state, so that no other process numbers a run meanwhile; no file is left."""
    try:
        import fcntl

        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except (ImportError, OSError):  # no locks here; write_atomic says what is wrong with the folder
        yield
        return
    try:
        with contextlib.suppress(OSError):  # a network folder may know no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _state(found: Investigation, before: _Kept | None, run: int, at: str | None) -> dict[str, Any]:
    """The documented state; keys that the documented edition lacks come last."""
    folder = PurePosixPath(found.path).parent
    past = Past(
        run=run,
        at=at,
        source=found.source,
        capture_origin=found.origin.kind,
        candidate_eligible=found.trust.candidate_eligible,
        verdict_eligible=found.trust.verdict_eligible,
        total_candidates=len(found.ranked),
    )
    history = (*(() if before is None else before.history), past)[-KEPT_RUNS:]
    return {
        "schema": SCHEMA,
        "tool": "hotato",
        "kind": "analyze",
        "schema_version": "1",
        "run": run,
        "created_at": at if before is None else before.created_at,
        "updated_at": at,
        "source_path": found.path,
        "folder": folder.name or ".",
        "folder_path": folder.as_posix(),
        "note": NOTE,
        "capture_origin": msgspec.to_builtins(found.origin),
        "stack_config_snapshot": None,
        "trust": trust_json(found.trust),
        "acoustic": msgspec.to_builtins(found.sound),
        "verdict_status": verdict_status(found),
        "config": config_json(found),
        "total_candidates": len(found.ranked),
        "candidates": [ranked_json(one, found.source) for one in found.ranked],
        "history": msgspec.to_builtins(history),
        "sha256": found.call.file_sha256,
    }
