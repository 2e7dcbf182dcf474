"""Files of a command: all or none, and never over a stranger's."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotato.cli.outputs import Artifact, may_open, read_json_object, write_artifacts
from hotato.errors import Refusal


def test_all_files_are_written_with_their_folders(tmp_path):
    artifacts = [Artifact(tmp_path / "a" / "b" / "one", "1"), Artifact(tmp_path / "two", b"2")]
    write_artifacts(artifacts)
    assert [artifact.path.read_text() for artifact in artifacts] == ["1", "2"]


def test_a_failure_in_the_middle_takes_back_what_was_made(tmp_path):
    (tmp_path / "mine").write_text("mine")
    artifacts = [Artifact(tmp_path / "a" / "b" / "one", "1"), Artifact(tmp_path / "mine", "2")]
    with pytest.raises(Refusal, match="exists"):
        write_artifacts(artifacts)
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_failure_keeps_what_was_there_before(tmp_path):
    kept = Artifact(tmp_path / "kept", "same")
    write_artifacts([kept])
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(Refusal):
        write_artifacts([kept, Artifact(tmp_path / "mine", "2")])
    assert kept.path.read_text() == "same"


@pytest.mark.parametrize(
    ("before", "replaced"),
    [("hotato wrote apx-1", True), ("hotato wrote apx-2", False), ("apx-1", False), ("mine", False)],
)
def test_only_an_older_edition_of_the_same_thing_is_replaced(tmp_path, before, replaced):
    target = tmp_path / "page"
    target.write_text(before)
    artifact = Artifact(target, "new hotato apx-1", mark="apx-1")
    if replaced:
        write_artifacts([artifact])
        assert target.read_text() == artifact.content
    else:
        with pytest.raises(Refusal):
            write_artifacts([artifact])
        write_artifacts([artifact], force=True)
        assert target.read_text() == artifact.content


def test_a_file_without_a_mark_is_replaced_only_by_force(tmp_path):
    target = tmp_path / "labels"
    target.write_text("hotato")
    with pytest.raises(Refusal):
        write_artifacts([Artifact(target, "new")])
    write_artifacts([Artifact(target, "new")], force=True)
    assert target.read_text() == "new"


@pytest.mark.parametrize("content", [b"", b"[1, 2]", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_object_is_refused(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(Refusal) as refused:
        read_json_object(str(tmp_path / "x.json"), "run envelope")
    assert refused.value.code == "not_json"


def test_asking_decides_whether_a_page_opens(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    assert may_open(True, by_default=False) is True
    assert may_open(False, by_default=True) is False
    assert may_open(None, by_default=True) is False  # nobody looks at a captured standard output


def test_an_output_folder_is_made_where_it_is_needed(hotato, call):
    assert hotato("autopsy", call, "--out", "a/b/c").code == 0
    assert len(list(Path("a/b/c").iterdir())) == 2
