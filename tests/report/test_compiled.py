"""Compiled templates are kept beside their sources, change nothing on a page, and are never needed."""

from __future__ import annotations

import sys

import pytest
from jinja2 import DictLoader, Environment

from hotato.report.compiled import CompiledTemplates

PAGE = "{{ a }} and {{ b }}"


def rendered(folder, source=PAGE):
    environment = Environment(loader=DictLoader({"page": source}), bytecode_cache=CompiledTemplates(folder))
    return environment.get_template("page").render(a=1, b=2)


@pytest.fixture(autouse=True)
def keeping(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def test_a_kept_template_is_used_and_gives_the_same_page(tmp_path):
    folder = tmp_path / "__pycache__"
    assert rendered(folder) == "1 and 2"
    (kept,) = folder.iterdir()
    before = kept.stat()
    assert rendered(folder) == "1 and 2"
    assert kept.stat().st_mtime_ns == before.st_mtime_ns


def test_a_changed_template_is_compiled_again(tmp_path):
    rendered(tmp_path)
    assert rendered(tmp_path, "{{ b }} before {{ a }}") == "2 before 1"


def test_what_was_damaged_is_compiled_again(tmp_path):
    rendered(tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:40])
    assert rendered(tmp_path) == "1 and 2"


def test_a_folder_that_cannot_be_made_costs_only_time(tmp_path):
    (tmp_path / "file").write_text("")
    assert rendered(tmp_path / "file" / "__pycache__") == "1 and 2"


def test_nothing_is_kept_where_python_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    rendered(tmp_path)
    assert not list(tmp_path.iterdir())
