"""Whole folders, or nothing: a tree is written beside its name and gets the name when it is complete."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hotato.canonical import umask, write_refusal
from hotato.errors import Refusal

_ASIDE = ".replaced"
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

Ours = Callable[[Path], None]
"""Asked of a folder that is in the way: it returns where the folder is one of ours that may be replaced, and
raises a `Refusal` for anything else. Nothing is deleted that it was not asked of."""


@contextmanager
def staged_tree(target: Path, *, ours: Ours | None = None) -> Iterator[Path]:
    """A folder to fill; it becomes `target` when the block ends well, and is removed when it does not.

    Until then nothing is seen under the final name, whatever ends the process; every file and folder is
    synced before the name is given. A folder that is replaced keeps its content under a hidden name until the
    new one is in its place.

    Args:
        target: the folder to be; missing parents are made.
        ours: asked whether a folder in the way may be replaced; None replaces nothing.

    Raises:
        Refusal: `exists`, `not_a_directory`, `disk_full`, `unwritable`, and whatever `ours` refuses.
    """
    _require_free(target, ours)
    made: list[Path] = []
    staging: Path | None = None
    try:
        made = _make_parents(target.parent)
        staging = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent))
        yield staging
        _sync_tree(staging)
        staging.chmod(0o777 & ~umask())
        with _undisturbed():
            _publish(staging, target, ours)
        _sync(target.parent)
    except BaseException as error:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
        for parent in reversed(made):
            with contextlib.suppress(OSError):
                parent.rmdir()
        if isinstance(error, OSError):
            raise write_refusal(target, error) from error
        raise


def _require_free(target: Path, ours: Ours | None) -> None:
    if not os.path.lexists(target):
        return
    if target.is_symlink() or not target.is_dir():
        raise Refusal("not_a_directory", f"'{target}' is in the way and is no folder", "name another one")
    if ours is None:
        raise Refusal("exists", f"'{target}' exists already", "name another one, or pass --force")
    ours(target)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What asks the process to end waits until the block has: between two names there is no name."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    ended_by = [number for number, handler in before.items() if handler not in (None, signal.SIG_IGN)]
    try:
        for number in ended_by:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number in ended_by:
            signal.signal(number, before[number])
        if came:
            signal.raise_signal(came[0])


def _make_parents(folder: Path) -> list[Path]:
    """Make `folder` and its parents; the ones that were not there, outermost first."""
    missing = [parent for parent in (folder, *folder.parents) if not os.path.lexists(parent)]
    made = []
    for parent in reversed(missing):
        with contextlib.suppress(FileExistsError):
            parent.mkdir()
            made.append(parent)
    return made


def _publish(staging: Path, target: Path, ours: Ours | None) -> None:
    """Give the folder its name; a folder that took the name meanwhile stays."""
    if not os.path.lexists(target):
        # A folder that appears between the question and the answer makes rename fail unless it is empty.
        with _taken_as_exists(target):
            staging.rename(target)
        return
    _require_free(target, ours)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", suffix=_ASIDE, dir=target.parent))
    kept = aside / target.name
    try:
        target.rename(kept)
        if ours is not None:
            ours(kept)  # what is deleted is what was asked of, whoever changed it meanwhile
        staging.rename(target)
    except BaseException:
        if os.path.lexists(kept):
            kept.rename(target)
        aside.rmdir()
        raise
    shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def _taken_as_exists(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if os.path.lexists(target):
            raise Refusal(
                "exists",
                f"'{target}' was made by somebody else meanwhile",
                "name another one, or pass --force",
            ) from error
        raise


def _sync_tree(folder: Path) -> None:
    """Sync every file, then every folder, so that a name never leads to content that a crash lost."""
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            _sync(Path(place, name))
        _sync(Path(place))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
