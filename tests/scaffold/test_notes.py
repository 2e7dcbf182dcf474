"""Notes for coding agents stand between two marks, and nothing outside of them changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.errors import Refusal
from hotato.scaffold import agent_notes
from hotato.scaffold.notes import BEGIN, END


def written(folder: Path) -> str:
    return (folder / "AGENTS.md").read_bytes().decode()


def test_without_a_page_there_is_one_now(tmp_path):
    placed = agent_notes(tmp_path)
    assert (placed.written, placed.kept) == (("AGENTS.md",), ())
    text = written(tmp_path)
    assert text.startswith(f"{BEGIN}\n## hotato") and text.endswith(f"{END}\n")
    assert "A label" in text and "is a person's" in text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=60))
@settings(max_examples=40, deadline=None)
def test_what_a_person_wrote_stays_and_a_second_time_changes_nothing(tmp_path_factory, before):
    folder = tmp_path_factory.mktemp("notes")
    (folder / "AGENTS.md").write_bytes(before.encode())
    agent_notes(folder)
    once = written(folder)
    assert once.startswith(before) and once.count(BEGIN) == 1
    assert agent_notes(folder).kept == ("AGENTS.md",) and written(folder) == once


def test_an_older_section_is_replaced_where_it_stands(tmp_path):
    (tmp_path / "AGENTS.md").write_text(f"# Ours\n\n{BEGIN}\nold words\n{END}\n\n## After\n")
    assert agent_notes(tmp_path).written == ("AGENTS.md",)
    text = written(tmp_path)
    assert text.startswith(f"# Ours\n\n{BEGIN}\n## hotato") and text.endswith(f"{END}\n\n## After\n")
    assert "old words" not in text


def test_the_line_ends_of_the_page_are_kept(tmp_path):
    (tmp_path / "AGENTS.md").write_bytes(b"# Ours\r\n")
    agent_notes(tmp_path)
    assert "\n" not in written(tmp_path).replace("\r\n", "")
    assert agent_notes(tmp_path).written == ()


@pytest.mark.parametrize(
    "text", [BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}{END}{BEGIN}{END}", f"{BEGIN}\n{BEGIN}\n{END}"]
)
def test_damaged_marks_are_for_a_person_to_mend(tmp_path, text):
    (tmp_path / "AGENTS.md").write_text(text)
    with pytest.raises(Refusal) as caught:
        agent_notes(tmp_path)
    assert caught.value.code == "damaged_markers" and written(tmp_path) == text


def test_a_page_under_two_names_stays_one_page(tmp_path):
    (tmp_path / "NOTES.md").write_text("# Ours\n")
    (tmp_path / "AGENTS.md").symlink_to("NOTES.md")
    agent_notes(tmp_path)
    assert (tmp_path / "AGENTS.md").is_symlink() and BEGIN in (tmp_path / "NOTES.md").read_text()


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    (tmp_path / "elsewhere.md").write_text("x")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "AGENTS.md").symlink_to("../elsewhere.md")
    with pytest.raises(Refusal) as caught:
        agent_notes(tmp_path / "project")
    assert caught.value.code == "escaping_link" and (tmp_path / "elsewhere.md").read_text() == "x"


def test_a_page_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "AGENTS.md").write_bytes(b"\xff\xfe")
    with pytest.raises(Refusal) as caught:
        agent_notes(tmp_path)
    assert caught.value.code == "not_text"
