"""YAML from outside, strictly: the only YAML reader of the project.

The library parses; what its events mean is decided here, so that nothing of YAML's wider side is left: no
anchors, no tags, no merge keys, no repeated keys, one document, plain scalars by the core schema of YAML 1.2
(`yes` is a word, not a truth). Every refusal names the line.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import msgspec

from hotato.canonical import read_small
from hotato.errors import Refusal
from hotato.plain import shown

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class YamlLimits:
    """How large a file of settings may be.

    Attributes:
        largest_bytes: of the file.
        deepest_levels: of maps and lists inside each other.
        longest_number_chars: of a number, which would take long to convert beyond.
    """

    largest_bytes: int = 1 << 16
    deepest_levels: int = 16
    longest_number_chars: int = 40


LIMITS = YamlLimits()

_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE, _FALSE = re.compile("true|True|TRUE"), re.compile("false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WHERE = re.compile(r"(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?", re.S)
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.S)


def read_yaml(
    path: str | os.PathLike[str], what: str, type: type[Record], *, code: str, remedy: str
) -> Record:
    """The record that a YAML file states.

    Args:
        path: the file.
        what: what it should be, in words ("verify policy").
        type: the record; it should forbid unknown fields, so that a misspelled key cannot vanish.
        code: the refusal's code for content that is no such record.
        remedy: the next step for such content.

    Raises:
        Refusal: `code`, naming the line; or whatever `canonical.read_small` refuses.
    """
    data = read_small(path, what, LIMITS.largest_bytes)
    return parse_yaml(data, f"'{os.fspath(path)}'", type, code=code, remedy=remedy)


def parse_yaml(data: bytes, name: str, type: type[Record], *, code: str, remedy: str) -> Record:
    """`read_yaml` of bytes.

    Args:
        data: the content of the file.
        name: what to call it in refusals.
        type, code, remedy: see `read_yaml`.
    """
    reader = _Reader(name, code, remedy)
    value = reader.document(data)
    try:
        return msgspec.convert(value, type=type)
    except msgspec.ValidationError as error:
        reader.explain(error)


class _Reader:
    """One document: its value, and the line of everything in it."""

    def __init__(self, name: str, code: str, remedy: str):
        self._name, self._code, self._remedy = name, code, remedy
        self._lines: dict[str, int] = {"$": 1}

    def document(self, data: bytes) -> Any:
        """The value of the one document that the file holds."""
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError

        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.refuse(data[: error.start].count(b"\n") + 1, "is no UTF-8 text")
        try:
            # Event by event: what is nested too deep is refused before the parser has spent minutes on it.
            value = self._from(YAML(typ="safe", pure=True).parse(text))
        except YAMLError as error:
            self._unparsed(error)
        except Refusal:
            raise
        except (
            ValueError,
            RecursionError,
            AttributeError,
            TypeError,
        ):  # hostile text trips the parser itself
            self.refuse(1, "cannot be read as YAML")
        if value is None:
            self.refuse(1, "is empty")
        return value

    def _from(self, events: Iterator[Any]) -> Any:
        from ruamel.yaml.events import DocumentStartEvent

        value: Any = None
        documents = 0
        for event in events:
            if isinstance(event, DocumentStartEvent):
                self._one_plain_document(event, documents)
                documents += 1
                value = self._value(next(events), events, "$", 0)
        return value

    def explain(self, error: msgspec.ValidationError) -> NoReturn:
        """The refusal of a value that is no such record, with the line of the key at fault."""
        match = _WHERE.fullmatch(str(error))
        what, path = (match["what"], match["path"] or "$") if match else (str(error), "$")
        unknown = _UNKNOWN.fullmatch(what)
        if unknown:
            self.refuse(
                self._lines.get(f"{path}.{unknown['name']}", 1), f"states an unknown key '{unknown['name']}'"
            )
        key = path.removeprefix("$").removeprefix(".")
        about = f"'{key}': " if key else ""
        if "matching regex" in what:  # the remedy shows the form, which no expression tells a person
            what = "A value in no form that is read here"
        self.refuse(self._line_of(path), f"states {about}{what[:1].lower()}{what[1:]}")

    def refuse(self, line: int, why: str) -> NoReturn:
        """Refuse the file for what stands on a line."""
        raise Refusal(self._code, f"{self._name}, line {line}: {shown(why, 300)}", self._remedy) from None

    def _line_of(self, path: str) -> int:
        while path not in self._lines:
            path = path.rpartition(".")[0] or "$"
        return self._lines[path]

    def _unparsed(self, error: Any) -> NoReturn:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or "is no YAML"
        self.refuse(1 if mark is None else mark.line + 1, f"is no YAML here: {problem}")

    def _one_plain_document(self, event: Any, before: int) -> None:
        line = event.start_mark.line + 1
        if before:
            self.refuse(line, "begins a second document")
        if event.tags or event.version not in (None, (1, 2)):
            self.refuse(line, "holds a directive; plain YAML 1.2 is read")

    def _value(self, event: Any, events: Iterator[Any], path: str, depth: int) -> Any:
        from ruamel.yaml.events import AliasEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent

        line = event.start_mark.line + 1
        self._lines.setdefault(path, line)
        if isinstance(event, AliasEvent) or event.anchor is not None:
            self.refuse(line, "uses an anchor or an alias, which is not read")
        if event.tag is not None:
            self.refuse(line, "uses a tag, which is not read")
        if isinstance(event, ScalarEvent):
            return event.value if event.style else self._plain(event.value, line)
        if depth >= LIMITS.deepest_levels:
            self.refuse(line, f"nests more than {LIMITS.deepest_levels} levels")
        if isinstance(event, MappingStartEvent):
            return self._mapping(events, path, depth)
        items: list[Any] = []
        while not isinstance(item := next(events), SequenceEndEvent):
            items.append(self._value(item, events, f"{path}[{len(items)}]", depth + 1))
        return items

    def _mapping(self, events: Iterator[Any], path: str, depth: int) -> dict[str, Any]:
        from ruamel.yaml.events import MappingEndEvent, ScalarEvent

        found: dict[str, Any] = {}
        while not isinstance(key := next(events), MappingEndEvent):
            line = key.start_mark.line + 1
            if not isinstance(key, ScalarEvent) or key.anchor is not None or key.tag is not None:
                self.refuse(line, "has a key that is no plain word")
            if key.value == "<<" and not key.style:
                self.refuse(line, "merges a map into another, which is not read")
            if key.value in found:
                self.refuse(line, f"states the key '{key.value}' twice")
            place = f"{path}.{key.value}"
            self._lines[place] = line
            found[key.value] = self._value(next(events), events, place, depth + 1)
        return found

    def _plain(self, text: str, line: int) -> Any:
        """A scalar without quotes, by the core schema of YAML 1.2 (without octal and hexadecimal numbers)."""
        if _NULL.fullmatch(text):
            return None
        if _TRUE.fullmatch(text) or _FALSE.fullmatch(text):
            return text[0] in "tT"
        if _NOT_FINITE.fullmatch(text):
            self.refuse(line, f"states '{text}', which is no finite number")
        whole = _INT.fullmatch(text)
        if not whole and not _FLOAT.fullmatch(text):
            return text
        if len(text) > LIMITS.longest_number_chars:
            self.refuse(line, f"states a number of more than {LIMITS.longest_number_chars} digits")
        number = int(text) if whole else float(text)
        if not math.isfinite(number):
            self.refuse(line, f"states '{text}', which is beyond any number")
        return number
