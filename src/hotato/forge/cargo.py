"""What a pull request adds: bundles or fixtures, read whole before git sees a byte of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hotato.canonical import read_small
from hotato.contract import layout
from hotato.contract.bundle import read_bundle
from hotato.contract.records import Contract
from hotato.contract.verify import verify_contracts
from hotato.errors import Refusal
from hotato.plain import shown

HOME = "tests/hotato"
"""Where a repository keeps what hotato checks."""

CONTRACTS = f"{HOME}/contracts"
INCIDENTS = f"{HOME}/incidents"
"""Where contracts lie that no gate reads: those that fail and wait, and those that were replaced."""

ATTRIBUTES = f"{HOME}/.gitattributes"
SAME_BYTES = (
    b"# Digests stand for these bytes: no line ends are converted and no filter runs.\n"
    b"* -text -filter -ident\n"
)
_SCENARIOS, _AUDIO = "scenarios", "audio"

_LARGEST_FILE_BYTES = 1 << 26
_LARGEST_TOTAL_BYTES = 1 << 28
_MOST_FILES = 2000


@dataclass(frozen=True, slots=True)
class Cargo:
    """What is added.

    Attributes:
        files: content by path in the repository, in the order of the paths.
        contracts: the contracts among it, in the order of their names.
        scenarios: how many scenarios are among it.
        sources: the folders that it was read from.
    """

    files: dict[str, bytes]
    contracts: tuple[Contract, ...]
    scenarios: int
    sources: tuple[Path, ...]

    @property
    def name(self) -> str:
        """A name for all of it, of letters that a branch may have."""
        if len(self.contracts) == 1:
            return self.contracts[0].id
        return "contracts" if self.contracts else "fixtures"


def load(source: Path) -> Cargo:
    """Read a bundle, a folder of bundles, or a folder with `scenarios` and `audio`.

    Raises:
        Refusal: `nothing_to_add`, `link_in_bundle`, `not_a_file`, `bad_name`, `too_large`,
            `wrong_folder_name`, `tampered`, and what reading refuses.
    """
    if source.is_symlink():
        raise _link(source)
    if not source.is_dir():
        raise Refusal(
            "not_found",
            f"there is no folder '{source}'",
            "name a bundle, or a folder of fixtures, with --fixtures",
        )
    bundles = (
        [source] if _is_bundle(source) else sorted(path for path in source.iterdir() if _is_bundle(path))
    )
    files: dict[str, bytes] = {}
    contracts = []
    for bundle in bundles:
        files |= _read(bundle, f"{CONTRACTS}/{bundle.resolve().name}")
        contracts.append(_contract(bundle))
    scenarios, sources = 0, list(bundles)
    if not bundles:
        for part in (_SCENARIOS, _AUDIO):
            if (source / part).is_dir():
                sources.append(source / part)
                files |= _read(source / part, f"{HOME}/{part}")
        scenarios = sum(name.startswith(f"{HOME}/{_SCENARIOS}/") and name.endswith(".json") for name in files)
    if not bundles and not scenarios:
        raise Refusal(
            "nothing_to_add",
            f"'{source}' is no bundle, holds none, and has no scenarios/*.json",
            "name what hotato investigate label, contract create or fixture create wrote",
        )
    if sum(map(len, files.values())) > _LARGEST_TOTAL_BYTES:
        raise Refusal(
            "too_large", f"'{source}' holds more than {_LARGEST_TOTAL_BYTES} bytes", "add fewer at once"
        )
    return Cargo(dict(sorted(files.items())), tuple(contracts), scenarios, tuple(sources))


def _is_bundle(path: Path) -> bool:
    return path.resolve().name.endswith(layout.SUFFIX) and os.path.lexists(path / layout.CONTRACT)


def _contract(bundle: Path) -> Contract:
    """The contract of a bundle that is what it was sealed as, whether or not its moment passes."""
    contract = read_bundle(bundle).contract
    if bundle.resolve().name != f"{contract.id}{layout.SUFFIX}":
        raise Refusal(
            "wrong_folder_name",
            f"'{bundle}' holds the contract '{contract.id}'",
            f"name the folder {contract.id}{layout.SUFFIX}",
        )
    (result,) = verify_contracts(bundle, jobs=1).results
    if result.integrity == "tampered":
        raise Refusal(
            "tampered",
            f"'{bundle}' is not what it was sealed as: {'; '.join(result.tampered) or 'its seal is broken'}",
            "fetch the bundle again, or make it anew",
        )
    return contract


def _read(folder: Path, home: str) -> dict[str, bytes]:
    if folder.is_symlink():
        raise _link(folder)
    files: dict[str, bytes] = {}
    for path in _walk(folder):
        files[str(PurePosixPath(home, *path.relative_to(folder).parts))] = read_small(
            path, "file", _LARGEST_FILE_BYTES
        )
        if len(files) > _MOST_FILES:
            raise Refusal("too_large", f"'{folder}' holds more than {_MOST_FILES} files", "add fewer at once")
    return files


def _walk(folder: Path) -> Iterator[Path]:
    """Every file; a link, a device, or a name that means something to git or a terminal is refused."""
    for entry in sorted(folder.iterdir()):
        mode = entry.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise _link(entry)
        if shown(entry.name, len(entry.name)) != entry.name or (
            entry.name.lower().startswith(".git") and entry.name != ".gitkeep"
        ):
            raise Refusal("bad_name", f"'{entry}' has a name that does not go into a repository", "remove it")
        if stat.S_ISDIR(mode):
            yield from _walk(entry)
        elif stat.S_ISREG(mode):
            if not layout.is_litter(entry.name):
                yield entry
        else:
            raise Refusal("not_a_file", f"'{entry}' is a pipe, a socket or a device", "remove it")


def _link(path: Path) -> Refusal:
    return Refusal(
        "link_in_bundle", f"'{path}' is a link, and may lead anywhere", "put the file itself there"
    )
