"""Which folders are bundles, by their names and by what they hold. Whoever looks for contracts asks here."""

from __future__ import annotations

import os
from pathlib import Path

from hotato.contract.layout import CONTRACT, MANIFEST, SUFFIX
from hotato.errors import Refusal
from hotato.plain import shown


def is_bundle_name(name: str) -> bool:
    """Whether a file name is a bundle's: it ends with `.hotato` in any case, hidden or not.

    `.hotato` alone is the name of the folder in which hotato keeps its state.
    """
    folded = name.casefold()
    return folded.endswith(SUFFIX) and folded != SUFFIX


def is_bundle(path: Path) -> bool:
    """Whether a contract is to be looked for at a path: by its name, or because it holds one under the name
    of the state folder."""
    if path.name.casefold() == SUFFIX:
        return any(os.path.lexists(path / member) for member in (CONTRACT, MANIFEST))
    return is_bundle_name(path.name)


def require_alone(folder: Path) -> None:
    """Refuse a bundle that holds another one, at any depth: nobody would verify the inner one.

    Raises:
        Refusal: `nested_bundle`.
    """
    for place, folders, files in os.walk(folder):
        below = place != os.fspath(folder)
        inner = [name for name in folders if is_bundle_name(name)]
        inner += [name for name in files if below and name.casefold() == CONTRACT]
        if inner:
            where = os.path.relpath(Path(place, min(inner)), folder)
            raise Refusal(
                "nested_bundle",
                f"'{shown(folder.name)}' is a contract and holds another one, '{shown(where)}', which would "
                "not be verified",
                "move one out of the other: contracts lie side by side in a folder that is none",
            )
