"""Files of a command: all or none, and never over a stranger's."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import click
import pytest

from hotato.cli.app import top
from hotato.cli.outputs import Artifact, may_open, read_json_object, write_artifacts
from hotato.cli.paths import TargetPath
from hotato.editions import json_mark, markdown_mark, page_mark
from hotato.errors import Refusal

DATA = Path(str(resources.files("hotato"))) / "data"
Hotato = Callable[..., Any]


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


OURS = json_mark("thing", id="apx-1")


@pytest.mark.parametrize(
    ("mark", "before", "replaced"),
    [
        (OURS, '{"more": [], "tool": "hotato", "kind": "thing", "id": "apx-1"}', True),
        (OURS, '{"tool": "hotato", "kind": "thing", "id": "apx-2"}', False),
        (OURS, '{"kind": "thing", "id": "apx-1"}', False),
        (OURS, '{"tool": "hotato", "tool": "hotato", "kind": "thing", "id": "apx-1"}', False),
        (OURS, '["tool", "hotato", "kind", "thing", "id", "apx-1"]', False),
        (OURS, "notes: hotato, thing, apx-1", False),
        (page_mark("report"), page_mark("report") + "<html>", True),
        (page_mark("report"), "<!doctype html>\n<title>about the hotato report</title>", False),
        (page_mark("report"), "\n" + page_mark("report"), False),
        (markdown_mark("T", "report"), markdown_mark("T", "report") + "more", True),
        (markdown_mark("T", "report"), "# T\n\nnotes on what was written by hotato report", False),
        (markdown_mark("T", "report"), "", False),
    ],
)
def test_only_an_older_edition_of_the_same_thing_is_replaced(tmp_path, mark, before, replaced):
    target = tmp_path / "page"
    target.write_text(before)
    artifact = Artifact(target, "new", mark=mark)
    if replaced:
        write_artifacts([artifact])
        assert target.read_text() == artifact.content
    else:
        with pytest.raises(Refusal):
            write_artifacts([artifact])
        assert target.read_text() == before
        write_artifacts([artifact], force=True)
        assert target.read_text() == artifact.content


def written_by(hotato: Hotato) -> dict[str, tuple[str, ...]]:
    """Every command that replaces its own older edition, by the file that it writes."""
    shutil.copytree(DATA / "battery" / "audio", "captures")
    bench = ("benchmark", "--stack", "vapi", "--recordings", "captures", "--suffix", ".example.wav")
    for name in ("a.json", "b.json"):
        assert hotato(*bench, "--out", name).code == 0
    both = ("benchmark", "compare", "a.json", "b.json")
    return {
        "report.html": ("report", "barge-in.wav", "--no-fail"),
        "report.md": ("report", "barge-in.wav", "--format", "md", "--no-fail"),
        "doctor.html": ("doctor", "barge-in.wav", "--no-open", "--no-fail"),
        "demo.html": ("demo", "--no-open"),
        "bench.json": ("bench", "run"),
        "benchmark.json": bench,
        "compare.json": (*both, "--format", "json"),
        "compare.md": both,
        "gauntlet.json": ("gauntlet",),
        "badge.svg": ("gauntlet", "badge"),
    }


def test_no_command_takes_a_document_about_hotato_for_its_own(hotato, barge_in):
    commands = written_by(hotato)
    notes = "# hotato benchmark, bench-result, gauntlet\n\n" + " ".join(
        ("hotato report", "hotato gauntlet", "stack-benchmark", '"gauntlet"', "benchmark", "bench-result")
    )
    for name, words in commands.items():
        assert hotato(*words, "--out", name).code == 0, name
        Path(name).write_bytes(Path(name).read_bytes() + b" ")  # an older edition: other bytes
        assert hotato(*words, "--out", name).code == 0, name
        Path(name).write_text(notes)
        refused = hotato(*words, "--out", name)
        assert refused.code == 2 and "--force" in refused.err + refused.out, name
        assert Path(name).read_text() == notes


def test_the_files_of_an_autopsy_are_known_by_the_recording(hotato, call):
    hotato("autopsy", call)
    page, envelope = sorted(Path("hotato-output").iterdir())
    for path in (page, envelope):
        path.write_bytes(path.read_bytes() + b"\n")
    assert hotato("autopsy", call).code == 0
    page.write_text(f"about hotato and {page.stem}")
    assert hotato("autopsy", call).code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("benchmark", "compare", "a.json", "b.json", "--out", "a.json"),
        ("benchmark", "compare", "a.json", "b.json", "--format", "json", "--out", "link.json"),
        ("report", "barge-in.wav", "--out", "barge-in.wav"),
        ("report", "barge-in.wav", "--base", "base.json", "--out", "base.json"),
        ("scan", "barge-in.wav", "--out", "hard.wav"),
        ("run", "barge-in.wav", "--dump-frames", "./barge-in.wav"),
        ("doctor", "barge-in.wav", "--no-open", "--out", "barge-in.wav"),
        (
            "benchmark",
            "--stack",
            "vapi",
            "--recordings",
            "captures",
            "--out",
            "captures/03-double-talk.example.wav",
        ),
        ("export", "events.csv", "--out", "."),
    ],
)
def test_what_a_command_reads_is_never_written_over(hotato, barge_in, words):
    written_by(hotato)
    Path("base.json").write_text(hotato("run", barge_in, "--format", "json").out)
    Path("link.json").symlink_to("b.json")
    Path("hard.wav").hardlink_to(barge_in)
    shutil.copy(barge_in, "events.csv")
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    told = hotato(*words, "--force")
    assert told.code == 2 and "is read by this command" in told.err + told.out
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def commands_of(command: click.Command) -> Iterator[click.Command]:
    """A command and every command below it."""
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands_of(below)


def test_every_path_that_is_written_is_known_as_one():
    outputs = {"--out", "--output-dir", "--dump-frames", "--dir", "--state"}
    outputs |= {"--junit", "--sarif", "--pr-comment", "--html"}
    found = {
        opt: isinstance(parameter.type, TargetPath)
        for command in commands_of(top)
        for parameter in command.params
        for opt in parameter.opts
        if isinstance(parameter.type, click.Path)
    }
    assert outputs < set(found) and {opt for opt, written in found.items() if written} == outputs


@pytest.mark.parametrize("words", [("scan", "call.flac"), ("bench", "run"), ("gauntlet",), ("demo",)])
def test_a_dash_is_no_file_to_write(hotato, call, words):
    told = hotato(*words, "--out", "-")
    assert told.code == 2 and "'-' names no file" in told.err and not Path("-").exists()


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
