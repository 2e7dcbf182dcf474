"""Files are written whole or not at all, and never over somebody else's."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from hotato.canonical import NewFile, decode_json, read_small, write_atomic, write_set
from hotato.errors import Refusal


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def test_an_existing_file_is_left_alone_unless_replacing_is_allowed(tmp_path: Path):
    target = tmp_path / "a.txt"
    target.write_text("mine")
    with pytest.raises(Refusal) as refused:
        write_atomic(target, "other")
    assert (refused.value.code, target.read_text()) == ("exists", "mine")
    write_atomic(target, "mine")
    write_atomic(target, "other", force=True)
    assert (target.read_text(), names(tmp_path)) == ("other", ["a.txt"])


def test_a_set_is_written_whole_or_not_at_all(tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "c.csv").write_text("somebody else's")
    files = [NewFile(tmp_path / "out" / name, "new") for name in ("a.csv", "deep/b.csv", "c.csv")]
    with pytest.raises(Refusal):
        write_set(files)
    assert names(tmp_path) == ["c.csv", "out"]
    assert (tmp_path / "out" / "c.csv").read_text() == "somebody else's"


def test_a_name_that_another_process_takes_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch):
    target = tmp_path / "s.json"
    sync = os.fsync

    def rival(descriptor: int) -> None:
        target.write_text("theirs")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", rival)
    with pytest.raises(Refusal) as refused:
        write_set([NewFile(tmp_path / "first.json", "ours"), NewFile(target, "ours")])
    assert refused.value.code == "exists"
    assert (target.read_text(), names(tmp_path)) == ("theirs", ["s.json"])


def test_links_that_lead_nowhere_are_refused_and_stay(tmp_path: Path):
    link = tmp_path / "out"
    link.symlink_to(tmp_path / "unmounted")
    for target in (link, link / "a.html"):
        with pytest.raises(Refusal):
            write_atomic(target, "x", force=True)
    assert link.is_symlink() and names(tmp_path) == ["out"]


def test_pipes_and_devices_are_not_written_to(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for target in (pipe, Path(os.devnull)):
        with pytest.raises(Refusal) as refused:
            write_atomic(target, "x", force=True)
        assert refused.value.code == "not_a_file"
    assert pipe.is_fifo()


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refusal) as refused:
        write_atomic(tmp_path / "new" / "a.html", "x")
    assert (refused.value.code, names(tmp_path)) == ("disk_full", [])


def test_a_small_file_is_read_whole_up_to_its_limit(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"12345")
    assert read_small(tmp_path / "a", "thing", 5) == b"12345"
    with pytest.raises(Refusal) as refused:
        read_small(tmp_path / "a", "thing", 4)
    assert refused.value.code == "too_large"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("pipe", "not_a_file"),
        ("zeros", "not_a_file"),
        ("loop", "unreadable"),
        ("", "is_a_directory"),
        ("none", "not_found"),
        ("a/none", "not_found"),
        ("no\0ne", "not_found"),
        ("x" * 300, "unreadable"),
    ],
)
def test_what_is_no_small_file_is_refused_as_it_was_typed(tmp_path: Path, name: str, code: str):
    (tmp_path / "a").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(Refusal) as refused:
        read_small(f"{tmp_path}/{name}", "thing", 100)
    assert refused.value.code == code


def test_a_full_disk_leaves_no_folder_of_a_set(tmp_path: Path, monkeypatch):
    synced = []

    def full(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refusal):
        write_set([NewFile(tmp_path / "x" / "y" / "a", "1"), NewFile(tmp_path / "x" / "y" / "b", "2")])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 1}', '{"b": [{"a": 1, "c": 2, "\\u0061": 3}]}', '{"a": {}, "a": null}']
)
def test_a_key_that_is_stated_twice_is_refused_by_name(text: str):
    with pytest.raises(Refusal, match="the file states the key 'a' twice") as refused:
        decode_json(text.encode(), "the file")
    assert refused.value.code == "repeated_key"


def test_json_without_a_repeated_key_is_what_it_says():
    text = b'{"a": {"a": [1, 2.5, {"a": null}]}, "b": ' + b"9" * 400 + b"}"
    assert decode_json(text, "the file")["a"] == {"a": [1, 2.5, {"a": None}]}


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"NaN", b"[" * 100_000])
def test_what_is_no_json_is_told_apart_from_a_repeated_key(data: bytes):
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError, RecursionError)):
        decode_json(data, "the file")
