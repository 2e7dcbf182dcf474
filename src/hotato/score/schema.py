"""The JSON Schema of the envelope, generated from its records: their docstrings are its descriptions.

python -m hotato.score.schema > src/hotato/schema/envelope.v1.json
"""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import msgspec

from hotato.canonical import to_json
from hotato.score import parts, records

_FIELD = re.compile(r"^ {4}(\w+): (.+)$")


def envelope_schema() -> dict[str, Any]:
    """The schema of what `run_single` and `run_suite` return (draft 2020-12).

    Every field is required but those that may be left out (default `UNSET`). Unknown keys are allowed: the
    shape only ever grows while `schema_version` stays.
    """
    (root,), definitions = msgspec.json.schema_components([records.Envelope], ref_template="#/$defs/{name}")
    for name, definition in definitions.items():
        _describe(definition, _record(name))
    definitions["Event"]["dependentRequired"] = {
        "scorable": ["not_scorable_reason"],
        "not_scorable_reason": ["scorable"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://hotato.dev/schema/envelope.v1.json",
        "title": "hotato envelope, schema_version 1",
        **root,
        "$defs": definitions,
    }


def _record(name: str) -> type[msgspec.Struct]:
    homes = (parts, records)
    record: type[msgspec.Struct] = next(getattr(home, name) for home in homes if hasattr(home, name))
    return record


def _describe(definition: dict[str, Any], record: type[msgspec.Struct]) -> None:
    summary, _, fields = inspect.cleandoc(record.__doc__ or "").partition("\n\nAttributes:\n")
    definition["description"] = summary
    definition.pop("title", None)
    for name, meaning in _meanings(fields).items():
        definition["properties"][name]["description"] = meaning
    for prop in definition["properties"].values():
        prop.pop("default", None)
    definition["required"] = [
        field.encode_name for field in msgspec.structs.fields(record) if field.default is not msgspec.UNSET
    ]


def _meanings(fields: str) -> dict[str, str]:
    """The entries of an Attributes section; a deeper line continues the entry above it."""
    found: dict[str, str] = {}
    name = ""
    for line in fields.splitlines():
        entry = _FIELD.match(line)
        if entry:
            name = entry[1]
            found[name] = entry[2]
        elif name:
            found[name] += " " + line.strip()
    return found


if __name__ == "__main__":
    sys.stdout.write(to_json(envelope_schema()))
