"""The manifest of a bundle: the sha256 and the length of every sealed member."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from hotato.canonical import to_json
from hotato.contract import layout

SCHEMA = "hotato.manifest.v1"


def seal(members: Mapping[str, bytes]) -> bytes:
    """The text of `layout.MANIFEST` over the members of a bundle; those outside the seal are left out.

    Args:
        members: the content of every member by its path in the bundle.
    """
    sealed = {
        path: {"sha256": hashlib.sha256(members[path]).hexdigest(), "bytes": len(members[path])}
        for path in sorted(members)
        if layout.is_sealed(path)
    }
    return to_json({"schema": SCHEMA, "members": sealed}).encode()
