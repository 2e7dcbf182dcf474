"""Reading a bundle: strict, bounded, and never out of its folder."""

from __future__ import annotations

import json
import os

import pytest

from hotato.contract import layout
from hotato.contract.bundle import contract_of, read_bundle, read_member
from hotato.errors import Refusal


def code(call, *arguments) -> str:
    with pytest.raises(Refusal) as refused:
        call(*arguments)
    return refused.value.code


@pytest.fixture
def folder(build):
    return build("one")


def test_a_bundle_is_named_by_its_folder_or_its_contract(folder):
    assert read_bundle(folder) == read_bundle(folder / layout.CONTRACT) or (
        read_bundle(folder).contract == read_bundle(folder / layout.CONTRACT).contract
    )
    assert read_bundle(folder).audio.is_file()


def test_what_is_none_is_refused(folder, tmp_path):
    assert code(read_bundle, tmp_path / "absent.hotato") == "not_found"
    (tmp_path / "empty.hotato").mkdir()
    assert code(read_bundle, tmp_path / "empty.hotato") == "not_a_bundle"
    (tmp_path / "file.hotato").write_text("x")
    assert code(read_bundle, tmp_path / "file.hotato") == "not_a_bundle"


def change(folder, edit) -> bytes:
    content = json.loads((folder / layout.CONTRACT).read_text())
    edit(content)
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    "edit",
    [
        lambda c: c["policy"]["pass_conditions"].update(max_talkover_sec=9.0),
        lambda c: c.update(schema="hotato.contract.v2"),
        lambda c: c["bundle"]["paths"].update(audio="../../etc/passwd"),
        lambda c: c["bundle"]["paths"].update(audio="/etc/passwd"),
        lambda c: c["label"].update(label_source="model"),
        lambda c: c["event"].update(onset_sec=-1.0),
        lambda c: c.pop("policy"),
        lambda c: c.update(id="../x"),
    ],
)
def test_a_contract_that_says_something_else_is_refused(folder, edit):
    assert code(contract_of, change(folder, edit), "x") == "bad_contract"


def test_a_key_stated_twice_is_refused(folder):
    text = (folder / layout.CONTRACT).read_text()
    twice = text.replace('"id": ', '"id": "other", "id": ', 1)
    assert code(contract_of, twice.encode(), "x") == "repeated_key"
    assert code(contract_of, b"[" * 100_000, "x") == "bad_contract"


def test_no_link_is_followed(folder, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (folder / "card").symlink_to(secret)
    assert code(read_member, folder, "card") == "unsafe_member"
    (folder / "way").symlink_to(tmp_path)
    assert code(read_member, folder, "way/secret") == "unsafe_member"
    for path in ("../secret", "a/../../secret", "", "/etc/passwd", "a//b"):
        assert code(read_member, folder, path) in ("unsafe_member", "missing_member")
    os.mkfifo(folder / "pipe")
    assert code(read_member, folder, "pipe") == "unsafe_member"
    audio = read_bundle(folder).audio
    audio.rename(tmp_path / "moved")
    audio.symlink_to(tmp_path / "moved")
    assert code(read_bundle, folder) == "unsafe_member"


def test_sizes_are_bounded(folder):
    with (folder / layout.CONTRACT).open("r+b") as file:
        file.truncate(1 << 30)
    assert code(read_bundle, folder) == "too_large"
