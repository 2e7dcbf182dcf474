"""The steps that both first runs take: write a list of moments with its page, pin one, verify it."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hotato.canonical import NewFile, to_json, write_set
from hotato.contract.bundle import read_bundle
from hotato.contract.create import Pin, create_contract
from hotato.editions import Mark, is_older_edition, json_mark, page_mark
from hotato.errors import Refusal
from hotato.find import Analysis, analysis_json
from hotato.guide.records import Pinned, Recorded

SWEEP = "hotato-sweep.json"
PAGE = "hotato-sweep.html"
CONTRACTS = "contracts"
RECORD = "hotato-failure-record"
RESULT = "result.json"
"""What a failure record is of, so that it can be checked against it."""

AUDIO_TOP = 8
"""How many moments of a page carry their sound."""


def require_folder(folder: Path) -> None:
    """Refuse a place that is no folder; one that is not there yet is made by whatever is written first."""
    place = next((one for one in (folder, *folder.parents) if os.path.lexists(one)), None)
    if place is not None and not place.is_dir():
        raise Refusal("not_a_directory", f"'{place}' is not a folder", "name another with --dir")


def new_file(path: Path, content: str | bytes, mark: Mark | None = None) -> NewFile:
    """A file to write; an older edition of it is replaced, and nothing else is."""
    return NewFile(path, content, mark is not None and is_older_edition(path, mark))


def listing_files(analysis: Analysis, folder: Path) -> list[NewFile]:
    """The list of moments as JSON, and its page."""
    from hotato.report import candidates_page, moment_views

    views = moment_views(analysis, top=0, audio_top=AUDIO_TOP, ref_file=SWEEP)
    page = candidates_page(analysis, views, where=f"Run the commands in the folder that holds {SWEEP}.")
    return [
        new_file(folder / SWEEP, to_json(analysis_json(analysis)), json_mark("analyze")),
        new_file(folder / PAGE, page, page_mark("analyze")),
    ]


def words(*parts: str) -> str:
    """A command of ours, ready to be pasted."""
    return shlex.join(("hotato", *parts))


def require_own_bundle(path: Path, name: str) -> bool:
    """Whether a bundle of this name is there to be replaced.

    Raises:
        Refusal: `exists`: something else is in its place.
    """
    if not path.exists() and not path.is_symlink():
        return False
    try:
        own = read_bundle(path).contract.id == name
    except Refusal:
        own = False
    if not own:
        raise Refusal("exists", f"'{path}' is in the way", "move it away, or name another folder with --dir")
    return True


def finish(
    files: Sequence[NewFile], pin: Pin | None, folder: Path, *, force: bool = False
) -> tuple[tuple[str, ...], Pinned | None, Recorded | None]:
    """Make the contract, verify it, and write the files: all of it, or nothing.

    A contract that fails leaves a failure record as well.

    Args:
        files: what to write beside it.
        pin: the moment with its label; None for a run without one.
        folder: the folder of the run.
        force: whether a bundle of this name is replaced.

    Returns:
        Where everything is, from the working folder, the contract, and its failure record.
    """
    made, recorded = None, None
    if pin is not None:
        made, verification = _pinned(pin, folder / CONTRACTS, force=force)
        if made.fails_as_expected:
            forms, recorded = _recorded(verification, folder / RECORD)
            files = [*files, *forms]
    try:
        write_set(files)
    except BaseException:
        if made is not None and not force:
            shutil.rmtree(made.directory, ignore_errors=True)
        raise
    written = [file.path.as_posix() for file in files]
    return (*written, *(() if made is None else (made.directory,))), made, recorded


def _pinned(pin: Pin, folder: Path, *, force: bool) -> tuple[Pinned, dict[str, Any]]:
    """Make a contract and verify it on the spot."""
    from hotato.contract.verify import verification_json, verify_contracts

    created = create_contract(pin, folder, force=force)
    verification = verify_contracts(created.path)
    (result,) = verification.results
    intact = result.integrity == "intact" and result.status != "error"
    made = Pinned(created.contract, created.path.as_posix(), result.passed, intact)
    return made, verification_json(verification)


def _recorded(verification: dict[str, Any], folder: Path) -> tuple[list[NewFile], Recorded]:
    """The failure record of a verification in its four forms, and beside it the result that it is of."""
    from hotato import failure, report

    record = failure.record_of(verification)
    texts = {
        "json": to_json(record),
        "md": report.record_markdown(record),
        "html": report.record_page(record),
        "svg": report.record_svg(record),
    }
    files = [
        new_file(folder / f"failure-record.{form}", text, report.RECORD_MARKS[form])
        for form, text in texts.items()
    ]
    files.append(new_file(folder / RESULT, to_json(verification), json_mark(verification["kind"])))
    recorded = Recorded(
        directory=folder.as_posix(),
        record_id=record.record_id,
        headline=record.headline,
        privacy_profile=record.privacy.profile,
        files=tuple(file.path.as_posix() for file in files),
    )
    return files, recorded
