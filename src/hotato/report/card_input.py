"""What a card is made of, read strictly from JSON that may come from anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from hotato.errors import Refusal

T = TypeVar("T")


def read_as(value: Mapping[str, Any], type: type[T], code: str, what: str) -> T:
    """`value` as a record; keys that the record does not name are ignored.

    Args:
        value: decoded JSON.
        type: the record.
        code: of the refusal.
        what: what it should have been, in words.

    Raises:
        Refusal: `code`, naming what is missing or of the wrong kind.
    """
    try:
        return msgspec.convert(dict(value), type)
    except msgspec.ValidationError as error:
        raise Refusal(code, f"this is no {what}: {error}", f"pass a {what}") from None
