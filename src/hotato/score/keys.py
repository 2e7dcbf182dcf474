"""A key that a file's block lacks or does not know: named, with the one that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from hotato.plain import shown

_MISSING = re.compile(r"Object missing required field `(?P<key>[^`]*)`(?: - at `(?P<place>[^`]*)`)?", re.S)
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>.*)` - at `(?P<place>[^`]*)`", re.S)

Blocks = Mapping[str, Any]
"""Record types by place; a mixed dict of them has no narrower type that a checker infers."""


def explained(error: msgspec.DecodeError, blocks: Blocks) -> str:
    """What a decoder said; a missing key in our words, and of an unknown one also the nearest known one.

    Args:
        error: what the decoder raised.
        blocks: the records that take no further keys, by their place as the decoder writes it
            (`$.expected`, `$.truth.events[...]`).
    """
    missing = _MISSING.fullmatch(str(error))
    if missing is not None:
        return f"the key '{missing['key']}' is missing - `{missing['place'] or '$'}`"
    found = _UNKNOWN.fullmatch(str(error))
    if found is None:
        return str(error)
    key, place = found["key"], found["place"]
    block = blocks.get(re.sub(r"\[\d+\]", "[...]", place))
    known = [] if block is None else [field.encode_name for field in msgspec.structs.fields(block)]
    near = get_close_matches(key[:80], known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(known)}"
    return f"unknown key '{shown(key, 80)}', {hint} - `{place}`"
