"""Whole folders, or nothing: a tree is written beside its name and gets the name when it is complete."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hotato.canonical import umask, write_refusal
from hotato.errors import Refusal

_ASIDE = ".replaced"


@contextmanager
def staged_tree(target: Path, *, force: bool = False) -> Iterator[Path]:
    """A folder to fill; it becomes `target` when the block ends well, and is removed when it does not.

    Until then nothing is seen under the final name, whatever ends the process; every file and folder is
    synced before the name is given. The folder that `force` replaces keeps its content under a hidden name
    until the new one is in its place.

    Args:
        target: the folder to be; missing parents are made.
        force: whether an existing folder is replaced.

    Raises:
        Refusal: `exists`, `not_a_directory`, `disk_full`, `unwritable`.
    """
    _require_free(target, force)
    made: list[Path] = []
    staging: Path | None = None
    try:
        made = _make_parents(target.parent)
        staging = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent))
        yield staging
        _sync_tree(staging)
        staging.chmod(0o777 & ~umask())
        _publish(staging, target, force)
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


def _require_free(target: Path, force: bool) -> None:
    if not os.path.lexists(target):
        return
    if target.is_symlink() or not target.is_dir():
        raise Refusal("not_a_directory", f"'{target}' is in the way and is no folder", "name another one")
    if not force:
        raise Refusal("exists", f"'{target}' exists already", "name another one, or pass --force")


def _make_parents(folder: Path) -> list[Path]:
    """Make `folder` and its parents; the ones that were not there, outermost first."""
    missing = [parent for parent in (folder, *folder.parents) if not os.path.lexists(parent)]
    made = []
    for parent in reversed(missing):
        with contextlib.suppress(FileExistsError):
            parent.mkdir()
            made.append(parent)
    return made


def _publish(staging: Path, target: Path, force: bool) -> None:
    """Give the folder its name; a folder that took the name meanwhile stays."""
    if not os.path.lexists(target):
        # A folder that appears between the question and the answer makes rename fail unless it is empty.
        with _taken_as_exists(target):
            staging.rename(target)
        return
    _require_free(target, force)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", suffix=_ASIDE, dir=target.parent))
    target.rename(aside / target.name)
    try:
        staging.rename(target)
    except OSError:
        (aside / target.name).rename(target)
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
