"""YAML from outside, read strictly."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.errors import Refusal
from hotato.yaml_files import LIMITS, parse_yaml, read_yaml


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A block."""

    number: float = 0.0
    words: tuple[str, ...] = ()


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file."""

    inner: Inner = Inner()
    word: str = ""
    flag: bool = False


def parse(data: str | bytes) -> Settings:
    raw = data.encode() if isinstance(data, str) else data
    return parse_yaml(raw, "'f'", Settings, code="bad", remedy="mend it")


def test_a_file_becomes_its_record(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_text("# settings\ninner:\n  number: -1.5e1\n  words: [a, 'b']\nword: yes\nflag: true\n")
    found = read_yaml(path, "settings file", Settings, code="bad", remedy="mend it")
    assert found == Settings(inner=Inner(-15.0, ("a", "b")), word="yes", flag=True)
    assert parse('{"inner": {"number": 2}}') == Settings(inner=Inner(2.0))


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "empty"),
        ("word: a\nother: b\n", 2, "unknown key 'other'"),
        ("inner:\n  number: 1\n  numbre: 2\n", 3, "unknown key 'numbre'"),
        ("inner:\n  words:\n  - a\n  - 3\n", 4, "inner.words"),
        ("word: a\nword: b\n", 2, "twice"),
        ("inner: &x {}\n", 1, "anchor"),
        ("word: a\ninner: *x\n", 2, "alias"),
        ("word: !!str a\n", 1, "tag"),
        ("inner:\n  <<: {number: 1}\n", 2, "merges"),
        ("word: a\n---\nword: b\n", 2, "second document"),
        ("%YAML 1.1\n---\nword: a\n", 2, "directive"),
        ("? [a]\n: b\n", 1, "plain word"),
        ("inner: {number: .nan}\n", 1, "finite"),
        ("inner: {number: 1e999}\n", 1, "beyond"),
        ("inner: {number: " + "9" * 50 + "}\n", 1, "digits"),
        ("word: a\n\tflag: true\n", 2, "no YAML here"),
        ("word: [a\n", 2, "no YAML here"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_with_its_line(text, line, what):
    with pytest.raises(Refusal) as refused:
        parse(text)
    assert refused.value.code == "bad" and refused.value.remedy == "mend it"
    assert f"line {line}:" in refused.value.message and what in refused.value.message


def test_a_large_file_is_not_read(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_bytes(b"#" * (LIMITS.largest_bytes + 1))
    with pytest.raises(Refusal) as refused:
        read_yaml(path, "settings file", Settings, code="bad", remedy="mend it")
    assert refused.value.code == "too_large"


@pytest.mark.parametrize("text", ["[" * 60_000, "{a: " * 15_000, "- " * 30_000, "a: [" * 15_000])
def test_deep_nesting_is_refused_before_it_costs_anything(text):
    with pytest.raises(Refusal):  # read whole, the first of these takes the parser three minutes
        parse(text)


@settings(max_examples=150, deadline=None)
@given(st.text("ab:-{}[],&*!|>'\"%@#?\n\t \\0x.~<", max_size=40) | st.binary(max_size=40))
def test_any_text_is_a_record_or_a_refusal(text):
    try:
        assert isinstance(parse(text), Settings)
    except Refusal as refusal:
        assert refusal.code == "bad"
