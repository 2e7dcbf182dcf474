"""A bundle as one file: the same bytes for the same bundle, and a whole bundle or nothing out of any file."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotato.contract import layout
from hotato.contract.archive import LISTING, pack, packed_bytes, unpack
from hotato.contract.attest import seal
from hotato.contract.keys import new_secret
from hotato.contract.names import same_names, wrong_name
from hotato.contract.signing import sign
from hotato.contract.verify import verify_contracts
from hotato.errors import Refusal

EPOCH = (1980, 1, 1, 0, 0, 0)


def members_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its path."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.fixture
def members(build) -> dict[str, bytes]:
    """The members of a sound bundle."""
    return members_of(build("a"))


@pytest.fixture
def refuses(tmp_path):
    """Unpacking these bytes is refused, for a reason, and leaves nothing."""

    def check(data: bytes, match: str, **options) -> None:
        archive, place = tmp_path / "x.pack", tmp_path / "place"
        place.mkdir(exist_ok=True)
        archive.write_bytes(data)
        with pytest.raises(Refusal, match=match) as caught:
            unpack(archive, place / "out.hotato", **options)
        assert caught.value.exit_code == 2
        assert list(place.iterdir()) == []

    return check


def zipped(entries: list[tuple[str, bytes]], *, listed: dict[str, bytes] | None = None, **info) -> bytes:
    """An archive with a listing of what it claims to hold, and these entries."""
    listing = zipfile.ZipFile(io.BytesIO(packed_bytes(dict(entries) if listed is None else listed)))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in [(LISTING, listing.read(LISTING)), *entries]:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            for key, value in info.items() if name != LISTING else ():
                setattr(entry, key, value)
            entry.filename = name  # what the constructor would clean up
            archive.writestr(entry, data)
    return buffer.getvalue()


def central(data: bytes, index: int) -> int:
    """Where the n-th entry of the directory begins."""
    at = struct.unpack_from("<I", data, len(data) - 6)[0]
    for _ in range(index):
        at += 46 + struct.unpack_from("<H", data, at + 28)[0]
    return at


def local(data: bytes, index: int) -> int:
    """Where the n-th member's own header begins."""
    return struct.unpack_from("<I", data, central(data, index) + 42)[0]


def patched(data: bytes, at: int, form: str, value: object) -> bytes:
    """The bytes with one field overwritten."""
    copy = bytearray(data)
    struct.pack_into(form, copy, at, value)
    return bytes(copy)


def test_there_and_back_is_the_same_bundle(build, tmp_path) -> None:
    folder = build("a")
    packed = pack(folder)
    assert packed.path.name == "a.hotato.pack"
    unpacked = unpack(packed.path, tmp_path / "b" / "a.hotato")
    assert members_of(unpacked.path) == members_of(folder)
    assert (unpacked.id, unpacked.members) == ("a", len(members_of(folder)))
    assert verify_contracts(unpacked.path).exit_code == 0


def test_the_archive_is_a_function_of_the_bundle(build, tmp_path) -> None:
    folder = build("a")
    first = pack(folder).path.read_bytes()
    copy = tmp_path / "copy" / "a.hotato"
    shutil.copytree(folder, copy)
    for file in copy.rglob("*"):
        os.utime(file, (1, 1))
        file.chmod(0o700)
    assert pack(copy).path.read_bytes() == first
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names[0] == LISTING
        assert names[1:] == sorted(names[1:])
        assert {(info.create_system, info.date_time) for info in archive.infolist()} == {(3, EPOCH)}


def test_what_was_changed_is_not_packed(build) -> None:
    folder = build("a")
    (folder / layout.POLICY).write_text("max_talk_over_sec: 9\n")
    with pytest.raises(Refusal, match=r"policy/verify\.yaml: changed"):
        pack(folder)
    assert not folder.with_name("a.hotato.pack").exists()


def test_neither_overwrites_without_being_told(build, tmp_path) -> None:
    folder = build("a")
    target = tmp_path / "x.pack"
    target.write_text("something else")
    with pytest.raises(Refusal, match="exists"):
        pack(folder, target)
    pack(folder, target, force=True)
    with pytest.raises(Refusal, match="exists"):
        unpack(target, folder)
    (folder / layout.FRAMES).write_text("")
    unpack(target, folder, force=True)
    assert verify_contracts(folder).exit_code == 0


def test_a_changed_byte_is_found(members, refuses) -> None:
    data = packed_bytes(members)
    at = data.index(members[layout.FRAMES][:40])
    refuses(patched(data, at, "B", 0x20), "its bytes are not those that were listed")


def test_a_bundle_that_does_not_agree_with_its_manifest_is_refused(members, refuses) -> None:
    members[layout.POLICY] = b"max_talk_over_sec: 99\n"
    refuses(packed_bytes(members), r"policy/verify\.yaml: changed")
    members.pop(layout.POLICY)
    refuses(packed_bytes(members), r"policy/verify\.yaml: missing")
    members[layout.MANIFEST] = seal(members)
    members["evidence/more"] = b"more"
    refuses(packed_bytes(members), "evidence/more: not in the manifest")


@pytest.mark.parametrize(
    "name",
    [
        "../outside", "traces/../../outside", "/absolute", "a//b", "./a", "..", "C:\\windows", "C:/windows",
        "traces\\x", "traces/nul\x00.txt", "CON", "traces/con.txt", "traces/Lpt1.a.b", "traces/COM\u00b9",
        "traces/x.", "traces/x ", "traces/ x", "traces/a:stream", "traces/\u202etxt", "traces/e\u0301",
        "traces/" + "x" * 300, "a/" * 20 + "x", "traces/what?", "traces/line\nbreak", "nul",
    ],
)  # fmt: skip
def test_a_name_that_could_go_elsewhere_is_refused(members, refuses, name) -> None:
    assert wrong_name(name) is not None
    entries = [*members.items(), (name, b"x")]
    refuses(zipped(entries), "cannot be a member|not begin|encoding")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("traces/Call.json", "traces/call.json"),
        ("traces/stra\u00dfe", "traces/strasse"),
        ("traces/\ufb01le", "traces/file"),
        ("Traces/a", "traces/b"),
        ("traces/a", "traces/a/b"),
        ("traces/A", "traces/a/b"),
        ("traces/a/b", "traces/a"),
    ],
)
def test_two_names_for_one_file_are_refused(members, refuses, one, other) -> None:
    assert same_names([one, other]) is not None
    refuses(zipped([*members.items(), (one, b"x"), (other, b"y")]), "some systems take it for")


def test_a_name_twice_is_refused(members, refuses) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped([*members.items(), ("traces/a", b"x"), ("traces/a", b"y")])
    refuses(data, "some systems take it for")


def test_every_name_of_the_layout_is_allowed() -> None:
    names = [
        layout.CONTRACT,
        *layout.AUDIO,
        layout.FRAMES,
        layout.MANIFEST,
        layout.SIGNATURE,
        "traces/call-1.json",
    ]
    assert [wrong_name(name) for name in names] == [None] * len(names)
    assert same_names(names) is None


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_only_plain_files_are_members(members, refuses, kind) -> None:
    refuses(
        zipped([*members.items(), ("traces/x", b"/etc/passwd")], external_attr=(kind | 0o777) << 16),
        "no plain",
    )


def test_a_folder_is_no_member(members, refuses) -> None:
    refuses(zipped([*members.items(), ("traces/", b"")]), "no plain file")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_nothing_is_inflated(members, refuses, method) -> None:
    """However small a bomb is packed, none of it is unpacked."""
    refuses(
        zipped([*members.items(), ("traces/x", bytes(50_000_000))], compress_type=method), "compressed|flags"
    )


@pytest.mark.parametrize(
    "content",
    [
        packed_bytes({"x": b"y"}),
        b"\x1f\x8b\x08" + bytes(30),
        b"PK\x05\x06" + bytes(18),
        b"x" * 257 + b"ustar\x00",
    ],
    ids=["zip", "gzip", "empty zip", "tar"],
)
def test_an_archive_in_the_archive_is_refused(members, refuses, build, content) -> None:
    refuses(packed_bytes({**members, "traces/inner": content}), "it is an archive itself")
    folder = build("b")
    (folder / "traces").mkdir()
    (folder / "traces" / "inner").write_bytes(content)
    with pytest.raises(Refusal, match="it is an archive itself"):
        pack(folder)


def test_what_is_not_listed_is_refused(members, refuses) -> None:
    refuses(zipped([*members.items(), ("traces/x", b"x")], listed=members), "not those of PACK")
    refuses(zipped(list(members.items()), listed={**members, "traces/x": b"x"}), "not those of PACK")
    refuses(zipped(list(members.items()), listed={}), "not those of PACK")


def test_a_listing_that_says_two_things_is_refused(members, refuses) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(
            zipfile.ZipInfo(LISTING), '{"schema": "hotato.pack.v1", "members": {}, "members": {}}'
        )
        archive.writestr(zipfile.ZipInfo("a"), "a")
    refuses(buffer.getvalue(), "states the key 'members' twice")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a"), "a")
    refuses(buffer.getvalue(), "does not begin with PACK")


def test_a_manifest_that_says_two_things_is_refused(members, refuses) -> None:
    text = members[layout.MANIFEST].decode()
    members[layout.MANIFEST] = text.replace('"members": {', '"members": {}, "members": {', 1).encode()
    refuses(packed_bytes(members), "states the key 'members' twice")


def test_headers_that_contradict_each_other_are_refused(members, refuses) -> None:
    data = packed_bytes(members)
    for at, form, value in (
        (26, "<H", 3),  # length of the name
        (30, "B", 0x78),  # its first letter
        (14, "<I", 0),  # CRC
        (18, "<I", 1),  # size as packed
        (22, "<I", 1),  # size
        (8, "<H", 8),  # method
        (6, "<H", 8),  # flags
        (0, "B", 0),  # the mark
        (10, "<H", 5),  # the time
    ):
        refuses(patched(data, local(data, 2) + at, form, value), "contradict each other")


def test_lying_sizes_are_refused(members, refuses) -> None:
    data = packed_bytes(members)
    last = len(members)
    for index in (0, 1, last):
        for size in (0, 1, 1 << 20, 0xFFFFFFFE):
            lied = patched(data, central(data, index) + 20, "<I", size)
            refuses(lied, "two sizes|contradict")
            both = patched(lied, central(data, index) + 24, "<I", size)
            refuses(both, "contradict")
            whole = patched(
                patched(both, local(data, index) + 18, "<I", size), local(data, index) + 22, "<I", size
            )
            refuses(whole, "does not begin where|belong to no member|contradict|cannot be read|not the one")


def test_members_that_overlap_are_refused(members, refuses) -> None:
    data = packed_bytes(members)
    refuses(patched(data, central(data, 3) + 42, "<I", local(data, 2)), "does not begin where")
    refuses(patched(data, central(data, 3) + 42, "<I", 0), "does not begin where")


def test_bytes_that_belong_to_nobody_are_refused(members, refuses) -> None:
    data = packed_bytes(members)
    start = central(data, 0)
    refuses(b"#!/bin/sh\n" + data, "does not lie where")
    refuses(data + b"more", "does not end as")
    gap = data[:start] + b"hidden" + data[start:]
    refuses(patched(gap, len(gap) - 6, "<I", start + 6), "belong to no member")
    refuses(patched(data, len(data) - 2, "<H", 4) + b"note", "does not end as")


def test_forms_that_no_bundle_needs_are_refused(members, refuses) -> None:
    data = packed_bytes(members)
    refuses(patched(patched(data, len(data) - 12, "<H", 0xFFFF), len(data) - 14, "<H", 0xFFFF), "64-bit")
    refuses(patched(data, len(data) - 6, "<I", 0xFFFFFFFF), "64-bit")
    refuses(patched(data, len(data) - 12, "<H", 3), "several disks")
    refuses(
        patched(patched(data, len(data) - 12, "<H", 9_999), len(data) - 14, "<H", 9_999),
        "claims 9999 members",
    )
    refuses(patched(data, central(data, 2) + 8, "<H", 1), "encrypted")
    refuses(patched(data, central(data, 2) + 8, "<H", 8), "only behind its bytes")
    refuses(patched(data, central(data, 2) + 8, "<H", 0x2000), "flags")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("a", "w", force_zip64=True) as entry:
        entry.write(b"a")
    refuses(buffer.getvalue(), "extra fields|contradict")


def test_an_archive_written_to_a_pipe_is_refused(members, refuses) -> None:
    """Such a writer cannot go back to a header, so sizes stand behind the bytes."""

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, data) -> int:
            self.data += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    refuses(pipe.data, "only behind its bytes")


def test_too_many_members_are_refused(refuses) -> None:
    refuses(packed_bytes({f"traces/{number}": b"" for number in range(1_500)}), "claims 1501 members")


def test_sizes_are_bounded(members, refuses, tmp_path) -> None:
    data = packed_bytes(members)
    refuses(data, "more than the 1000 that are taken", max_bytes=1_000)
    sparse = tmp_path / "sparse.pack"
    with sparse.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(Refusal, match="does not end as"):
        unpack(sparse, tmp_path / "out.hotato")


@pytest.mark.parametrize("content", [b"", b"PK", b"\x00" * 22, b"not an archive at all, but long enough"])
def test_what_is_no_archive_is_refused(refuses, content) -> None:
    refuses(content, "no packed bundle")


def test_only_plain_files_are_opened(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, match in (
        (tmp_path / "pipe", "no file"),
        (tmp_path, "no file"),
        (tmp_path / "x", "no archive"),
    ):
        with pytest.raises(Refusal, match=match):
            unpack(path, tmp_path / "out.hotato")


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    """A small archive for the fuzzing below: the contract and its manifest, no audio."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("bundles", Path(__file__).with_name("conftest.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return packed_bytes(members_of(module.bundle(tmp_path_factory.mktemp("whole"), "a", module.GOOD)))


EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=EDITS, cut=st.floats(0, 1))
def test_damage_is_refused_and_leaves_nothing(whole, tmp_path, edits, cut) -> None:
    """Any changed byte of the structure, and any cut: nothing else than a refusal comes out."""
    data = bytearray(whole)
    structure = struct.unpack_from("<I", data, len(data) - 6)[0]
    for place, value in edits:
        data[structure + round(place * (len(data) - structure - 1))] ^= value or 1
    damaged = bytes(data) if cut < 0.7 else whole[: round(cut * (len(whole) - 1))]
    archive, place = tmp_path / "x.pack", tmp_path / "place"
    place.mkdir(exist_ok=True)
    archive.write_bytes(damaged)
    if damaged == whole:
        return
    try:
        unpack(archive, place / "out.hotato")
    except Refusal:
        assert list(place.iterdir()) == []
    else:  # edits that undo each other or touch what says nothing (version, permissions)
        assert members_of(place / "out.hotato")
        shutil.rmtree(place / "out.hotato")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400), tail=st.booleans())
def test_any_bytes_are_refused(whole, tmp_path, data, tail) -> None:
    archive, place = tmp_path / "x.pack", tmp_path / "place"
    place.mkdir(exist_ok=True)
    archive.write_bytes(data + (whole[-22:] if tail else b""))
    with pytest.raises(Refusal):
        unpack(archive, place / "out.hotato")
    assert list(place.iterdir()) == []


@given(name=st.text(max_size=40))
def test_any_text_is_a_name_or_not(name) -> None:
    if wrong_name(name) is None:
        assert not name.startswith("/")
        assert ".." not in name.split("/")
        assert same_names([name]) is None


UNPACK = """
import sys
from pathlib import Path
from hotato.contract.archive import unpack
print("ready", flush=True)
unpack(Path(sys.argv[1]), Path(sys.argv[2]), force=True)
print("done", flush=True)
"""


@pytest.mark.parametrize("replacing", [False, True])
def test_killed_at_any_moment_there_is_the_whole_bundle_or_none(build, tmp_path, replacing) -> None:
    folder = build("a")
    (folder / "traces").mkdir()
    for number in range(120):  # enough to do for a kill to hit
        (folder / "traces" / f"t{number}.json").write_bytes(json.dumps({"n": "x" * 20_000}).encode())
    archive = pack(folder).path
    wanted = members_of(folder)
    seen = set()
    for attempt in range(16):
        out = tmp_path / f"out{attempt}" / "a.hotato"
        if replacing:
            shutil.copytree(folder, out)
        child = subprocess.Popen([sys.executable, "-c", UNPACK, archive, out], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(attempt * 0.004)
        child.kill()
        finished = child.communicate()[0] == b"done\n"
        if out.exists():
            assert members_of(out) == wanted
        assert out.exists() or not finished
        seen.add(out.exists())
        shutil.rmtree(out.parent, ignore_errors=True)
    assert replacing or False in seen


def test_a_bundle_is_unpacked_under_its_ending_and_in_no_other_bundle(build, tmp_path) -> None:
    packed = pack(build("a", {"caller": [[2.0, 3.2]], "agent": [[0.3, 2.4]]}), tmp_path / "a.pack")
    assert packed.content_bytes < packed.bytes
    for out, code in (
        (tmp_path / "plain", "not_a_bundle_name"),
        (tmp_path / ".hotato", "not_a_bundle_name"),
        (tmp_path / "a.hotato" / "b.hotato", "inside_a_bundle"),
    ):
        with pytest.raises(Refusal) as refused:
            unpack(packed.path, out)
        assert refused.value.code == code and not out.exists()
    assert unpack(packed.path, tmp_path / "other" / "b.hotato").bytes == packed.content_bytes


def test_only_the_same_bundle_is_replaced(build, tmp_path) -> None:
    archive = pack(build("a")).path
    sources = {"precious": None, "other": build("b"), "more": archive.with_suffix(""), "empty": None}
    for name, source in sources.items():
        place = tmp_path / f"{name}.hotato"
        if source is None:
            place.mkdir()
        else:
            shutil.copytree(source, place)
        if name in ("precious", "more"):
            (place / "thesis.txt").write_text("years of work")
        before = sorted(place.rglob("*"))
        with pytest.raises(Refusal) as caught:
            unpack(archive, place, force=True)
        assert caught.value.code == "not_ours"
        assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize(
    "name", ["traces/.git/hooks/pre-commit", "traces/.GIT/config", "traces/git~1/x", "traces/a/.git"]
)
def test_no_member_is_a_repository(build, members, refuses, name) -> None:
    members[name] = b"#!/bin/sh\n"
    refuses(packed_bytes(members), "git would take it")
    folder = build("with-git")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(b"x")
    for use in (lambda: pack(folder), lambda: sign(folder, new_secret()[1])):
        with pytest.raises(Refusal, match="git would take it"):
            use()


SMALL_ZIP = packed_bytes({"a": b"b"})


@pytest.mark.parametrize(
    "content",
    [b"junk" * 500 + SMALL_ZIP, b"GIF89a" + SMALL_ZIP + b"x" * 500, b"MZ" * 999 + b"Rar!\x1a\x07\x01\x00"],
)
def test_an_archive_behind_other_bytes_is_refused(build, members, refuses, content) -> None:
    members["traces/picture.gif"] = content
    refuses(packed_bytes(members), "an archive itself")
    folder = build("with-zip")
    (folder / "traces").mkdir(exist_ok=True)
    (folder / "traces/picture.gif").write_bytes(content)
    for use in (lambda: pack(folder), lambda: sign(folder, new_secret()[1])):
        with pytest.raises(Refusal, match="an archive itself"):
            use()
