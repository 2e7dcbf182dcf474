"""A starter drops in beside what is there, whole or not at all."""

from __future__ import annotations

import os
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from hotato import scaffold
from hotato.errors import Refusal
from hotato.scaffold import ScaffoldFile, place
from hotato.stacks import PROJECTS, STACK_NAMES, channel_map

INSTALL = scaffold.DEFAULT_INSTALL
DOCUMENTED = {
    "HOTATO.md",
    "hotato.yaml",
    ".gitignore",
    ".github/workflows/hotato-contracts.yml",
    "fixtures/README.md",
    "fixtures/scenarios/.gitkeep",
    "fixtures/audio/.gitkeep",
    "contracts/README.md",
    "contracts/.gitkeep",
    "incidents/README.md",
    "reports/README.md",
    "reports/.gitkeep",
}


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_stack_has_its_facts():
    assert set(PROJECTS) == set(STACK_NAMES)


@pytest.mark.parametrize("stack", STACK_NAMES)
def test_the_documented_files_are_written_and_tuned_to_the_stack(tmp_path, stack):
    placed = place(scaffold.starter(stack, INSTALL), tmp_path)
    assert set(tree(tmp_path)) == set(placed.written) > DOCUMENTED and placed.kept == ()
    facts = YAML(typ="safe").load(StringIO((tmp_path / "hotato.yaml").read_text()))
    channels = channel_map(stack)
    assert facts["stack"] == stack
    assert facts["recording"]["channels"] == {"caller": channels.caller, "agent": channels.agent}
    assert facts["recording"]["access"] == PROJECTS[stack].access
    assert facts["credentials"]["env"] == list(PROJECTS[stack].credentials)


def test_a_second_run_changes_nothing(tmp_path):
    files = scaffold.starter("vapi", INSTALL)
    place(files, tmp_path)
    before = tree(tmp_path)
    placed = place(files, tmp_path)
    assert placed.written == () and len(placed.kept) == len(files) and tree(tmp_path) == before
    assert place(files, tmp_path, force=True).written == ()


def test_what_is_there_is_kept_and_force_replaces_it(tmp_path):
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "README.md").write_text("ours")
    (tmp_path / ".gitignore").write_text("*.wav\n")
    files = scaffold.starter("vapi", INSTALL)
    placed = place(files, tmp_path)
    assert placed.kept == (".gitignore", "contracts/README.md")
    assert (tmp_path / "contracts" / "README.md").read_text() == "ours"
    assert set(place(files, tmp_path, force=True).written) == set(placed.kept)
    assert "# Contracts" in (tmp_path / "contracts" / "README.md").read_text()


@pytest.mark.parametrize("way", ["contracts", "fixtures/audio", "HOTATO.md"])
def test_where_one_file_cannot_be_none_is(tmp_path, way):
    blocked = tmp_path / way
    blocked.parent.mkdir(exist_ok=True)
    if way == "HOTATO.md":
        blocked.mkdir()
    else:
        blocked.write_text("a file")
    before = tree(tmp_path)
    with pytest.raises(Refusal) as caught:
        place(scaffold.starter("vapi", INSTALL), tmp_path)
    assert caught.value.code in {"not_a_directory", "is_a_directory"}
    assert tree(tmp_path) == before


@pytest.mark.parametrize("way", [".github", ".github/workflows", "contracts", "fixtures/audio"])
@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_written_through_a_linked_folder(tmp_path, way, force):
    (tmp_path / "outside").mkdir()
    home = tmp_path / "home"
    (home / way).parent.mkdir(parents=True)
    (home / way).symlink_to(tmp_path / "outside")
    with pytest.raises(Refusal) as caught:
        place(scaffold.starter("vapi", INSTALL), home, force=force)
    assert caught.value.code == "link_in_the_way"
    assert tree(tmp_path) == {}


def test_the_folder_itself_may_be_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    place([ScaffoldFile("a/b", "text")], tmp_path / "link")
    assert (tmp_path / "real/a/b").read_text() == "text"


def test_a_link_that_leads_nowhere_counts_as_there(tmp_path):
    (tmp_path / "a").symlink_to("nowhere")
    assert place([ScaffoldFile("a", "text")], tmp_path).kept == ("a",)


@pytest.mark.parametrize("mine", [None, "*.wav\n*.flac\n*.json\n"], ids=["its own", "mine"])
def test_git_takes_the_audio_of_contracts_and_no_recording(tmp_path, monkeypatch, mine):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    subprocess.run(["git", "init", "--quiet"], check=True)
    if mine is not None:
        Path(".gitignore").write_text(mine)
    place(scaffold.starter("vapi", INSTALL), Path())
    kept = [
        "contracts/a.hotato/audio/event.flac",
        "contracts/a.hotato/audio/event.wav",
        "contracts/a.hotato/contract.json",
        "fixtures/audio/a.example.wav",
        "contracts/README.md",
        "incidents/a.hotato/audio/event.flac",
        "fixtures/scenarios/.gitkeep",
    ]
    left = ["call.wav", "recordings/call.flac"]
    if mine is None:
        kept += ["tests/hotato/contracts/a.hotato/audio/event.flac", "reports/README.md", "reports/.gitkeep"]
        left += ["call.mp3", "reports/hotato/x.json", "hotato-output/x.html", ".hotato/state.json"]
    for name in kept + left:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    subprocess.run(["git", "add", "."], check=True)
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    assert set(kept) <= set(listed) and not set(left) & set(listed)


def test_git_converts_no_line_end_of_a_contract(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    subprocess.run(["git", "init", "--quiet"], check=True)
    place(scaffold.starter("vapi", INSTALL), Path())
    Path(".gitattributes").write_text("* text=auto eol=crlf\n")
    asked = ["git", "check-attr", "text", "filter", "--", "contracts/a.hotato/contract.json"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert told.split("\n")[:2] == [
        "contracts/a.hotato/contract.json: text: unset",
        "contracts/a.hotato/contract.json: filter: unset",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "hotato @ git+https://example.test/a/hotato.git@0123abc",
        "git+ssh://git@example.test/hotato.git@v1",
        "./vendor/hotato-0.1.0-py3-none-any.whl",
        "../hotato",
        "hotato[media] @ https://example.test/hotato-0.1.0-py3-none-any.whl",
        "hotato[media,x] @ https://example.test/h.whl#sha256=0123abc",
        "git+https://example.test/a.git@v1#subdirectory=tools/hotato",
    ],
)
def test_a_requirement_that_names_a_place_is_taken_as_it_is(text):
    assert scaffold.require_requirement(text) == text


@pytest.mark.parametrize("text", ["hotato", "Hotato==1.18.1", "hotato[media]>=1", " hotato ~= 1"])
def test_the_other_program_of_this_name_is_refused(text):
    with pytest.raises(Refusal) as caught:
        scaffold.require_requirement(text)
    assert caught.value.code == "other_program"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-r x",
        "--pre",
        "a'b",
        'a"b',
        "a$(b)",
        "a`b`",
        "a\nb",
        "a\\b",
        "${{ secrets.X }}",
        "a;b",
        *(f"https://x.test/a{letter}b" for letter in "&<>|~!*?%^{}(),[]\u00e9"),
        "https://x.test/a #b",
        "https://x.test/a##vso[task.x]",
        "https://x.test/a#b#c",
        "a -r x",
        "./a --pre",
        "~/hotato.whl",
        "x" * 301,
    ],
)
def test_a_requirement_that_a_shell_or_a_pipeline_would_act_on_is_refused(text):
    with pytest.raises(Refusal) as caught:
        scaffold.require_requirement(text)
    assert caught.value.code == "usage_error"


def test_the_page_says_what_has_to_be_replaced_only_where_it_has_to():
    def page(install: str) -> str:
        return next(file.text for file in scaffold.starter("vapi", install) if file.path == "HOTATO.md")

    assert "another program of this name" in page(INSTALL)
    given = page("./vendor/hotato.whl")
    assert "another program" not in given and "installs `./vendor/hotato.whl`" in given


def test_every_page_tells_the_one_way_from_red_to_green():
    texts = {file.path: file.text for file in scaffold.starter("vapi", INSTALL)}
    page = texts["HOTATO.md"]
    steps = ["git mv contracts/X.hotato incidents/", "Fix the agent", "--against NEW.wav", "contract create"]
    places = [page.index(step) for step in steps]
    assert places == sorted(places) and "red by design" in page
    assert "red by design" in texts["contracts/README.md"] and "--against" in texts["incidents/README.md"]
    hooks = scaffold.pipeline("pre-commit", INSTALL).text
    assert "waits in incidents)" in hooks and "waits in tests/hotato/incidents)" in hooks


IGNORE_FILES = [
    "",
    "*.wav\n",
    "reports\n",
    "/reports/*\n",
    "reports/\n!reports/\n",
    "**/reports/\n",
    "/.hot*\n",
    "a/reports\n",
]

PATHS = ["call.wav", "a/call.wav", "reports/x", "a/reports/x", ".hotato/state.json", "hotato-output/x"]


@pytest.mark.parametrize("text", IGNORE_FILES)
def test_an_ignore_file_is_read_as_git_reads_it(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    subprocess.run(["git", "init", "--quiet"], check=True)
    Path(".gitignore").write_text(text)
    for path in (
        "call.wav",
        "a/call.wav",
        "reports/x",
        "a/reports/x",
        ".hotato/state.json",
        "hotato-output/x",
    ):
        told = subprocess.run(["git", "check-ignore", "-q", path], check=False).returncode == 0
        assert scaffold.ignores(text, path) == told, path
