"""Which platform a repository builds on, seen in the packages that its files name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from hotato.canonical import decode_json, read_small
from hotato.errors import Refusal
from hotato.stacks import CARRIERS, stack_of_package

_LARGEST_BYTES = 1 << 22
_MOST_FILES = 32
_PYTHON_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_JS_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A package of a platform.

    Attributes:
        stack: the platform.
        package: the package, as the file names it.
        file: the file, by its name in the repository's root.
    """

    stack: str
    package: str
    file: str


@dataclass(frozen=True, slots=True)
class Detection:
    """What was seen.

    Attributes:
        stack: the platform; `generic` where none was seen.
        sightings: every package of a platform, in the order of files and of names.
        unread: files that could not be read as what their name says, each with the reason.
    """

    stack: str
    sightings: tuple[Sighting, ...]
    unread: tuple[str, ...]


def detect_stack(folder: Path, stated: str | None = None) -> Detection:
    """Look into package.json, pyproject.toml, Pipfile and requirements*.txt of a folder.

    A platform that carries the audio of others gives way to the one beside it.

    Args:
        folder: the repository.
        stated: the platform, as a person states it, whatever is seen; None to decide by what is seen.

    Raises:
        Refusal: `ambiguous_stack`: several platforms, none of which carries another.
    """
    sightings, unread = [], []
    for path, read in _files(folder):
        try:
            names = sorted(set(read(read_small(path, "file", _LARGEST_BYTES))))
        except (ValueError, RecursionError, msgspec.DecodeError) as error:
            unread.append(f"{path.name}: {error.message if isinstance(error, Refusal) else 'cannot be read'}")
            continue
        for name in names:
            stack = stack_of_package(name)
            if stack is not None:
                sightings.append(Sighting(stack, name, path.name))
    return Detection(stated or _decided(sightings), tuple(sightings), tuple(unread))


def _decided(sightings: list[Sighting]) -> str:
    seen = {sighting.stack for sighting in sightings}
    meant = sorted(seen - CARRIERS or seen)
    if len(meant) > 1:
        where = "; ".join(f"{seen.package} in {seen.file}" for seen in sightings if seen.stack in meant)
        raise Refusal(
            "ambiguous_stack",
            f"several platforms are in use here: {where}",
            f"say which one, such as --stack {meant[0]}",
        )
    return meant[0] if meant else "generic"


def _files(folder: Path) -> Iterator[tuple[Path, Any]]:
    if not folder.is_dir():
        raise Refusal("not_found", f"there is no folder '{folder}'", "name the repository with --out")
    for name, read in (("package.json", _of_package), ("pyproject.toml", _of_toml), ("Pipfile", _of_toml)):
        if (folder / name).is_file():
            yield folder / name, read
    listed = [path for path in sorted(folder.glob("requirements*.txt")) if path.is_file()]
    for path in listed[:_MOST_FILES]:
        yield path, _of_requirements


def _of_package(data: bytes) -> Iterator[str]:
    value = decode_json(data, "package.json")
    for table in _JS_TABLES:
        packages = value.get(table) if isinstance(value, dict) else None
        if isinstance(packages, dict):
            yield from packages


def _of_toml(data: bytes) -> Iterator[str]:
    """Requirements of every table that names dependencies, however deep: PEP 621, groups, Poetry, Pipfile."""
    waiting: list[tuple[bool, Any]] = [(False, tomllib.loads(data.decode()))]
    while waiting:
        inside, value = waiting.pop()
        if isinstance(value, dict):
            for key, part in value.items():
                names = inside or bool(re.fullmatch(r"(.*-)?(dependencies|packages)|dependency-groups", key))
                if inside:
                    yield key  # Poetry and Pipfile have a package for a key
                waiting.append((names, part))
        elif isinstance(value, list):
            waiting.extend((inside, part) for part in value)
        elif inside and isinstance(value, str):
            found = _PYTHON_NAME.match(value)
            if found:
                yield found[1]


def _of_requirements(data: bytes) -> Iterator[str]:
    for line in data.decode().splitlines():
        found = _PYTHON_NAME.match(line)
        if found:
            yield found[1]
