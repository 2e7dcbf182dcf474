"""The platform of a repository is seen in the packages that its files name."""

from __future__ import annotations

import json

import pytest

from hotato.errors import Refusal
from hotato.scaffold import detect_stack

PEP621 = '[project]\nname = "x"\ndependencies = ["{0}>=1", "requests"]\n'
EXTRA = "[project.optional-dependencies]\nvoice = [\"{0}[all] ~= 1.0 ; python_version > '3'\"]\n"
GROUP = '[dependency-groups]\ndev = ["{0}"]\n'
POETRY = '[tool.poetry.dependencies]\npython = "^3.11"\n{0} = {{version = "1"}}\n'
UV = '[tool.uv]\ndev-dependencies = ["{0}"]\n'


def npm(*names: str, table: str = "dependencies") -> str:
    return json.dumps({"name": "twilio", table: dict.fromkeys(names, "^1")})


@pytest.mark.parametrize(
    ("file", "content", "stack"),
    [
        ("package.json", npm("@vapi-ai/server-sdk"), "vapi"),
        ("package.json", npm("retell-client-js-sdk", table="devDependencies"), "retell"),
        ("package.json", npm("@livekit/agents", "express"), "livekit"),
        ("package.json", npm("twilio"), "twilio"),
        ("package.json", npm("@pipecat-ai/client-js"), "pipecat"),
        ("pyproject.toml", PEP621.format("livekit-agents"), "livekit"),
        ("pyproject.toml", EXTRA.format("Retell_SDK"), "retell"),
        ("pyproject.toml", GROUP.format("vapi_server_sdk"), "vapi"),
        ("pyproject.toml", POETRY.format("pipecat-ai"), "pipecat"),
        ("pyproject.toml", UV.format("pipecat-ai"), "pipecat"),
        ("Pipfile", '[packages]\ntwilio = "*"\n', "twilio"),
        ("requirements.txt", "# voice\n-r base.txt\nLiveKit_Agents[openai]~=1.0\n", "livekit"),
        ("requirements-dev.txt", "vapi_python==1\n", "vapi"),
    ],
)
def test_a_package_tells_the_platform(tmp_path, file, content, stack):
    (tmp_path / file).write_text(content)
    seen = detect_stack(tmp_path)
    assert seen.stack == stack
    (sighting,) = seen.sightings
    assert (sighting.stack, sighting.file) == (stack, file)


@pytest.mark.parametrize(
    "content",
    [
        PEP621.format("requests"),
        '[project]\nname = "twilio"\ndescription = "livekit"\n',
        '[tool.livekit]\nx = "1"\n',
    ],
)
def test_a_word_that_is_no_package_tells_nothing(tmp_path, content):
    (tmp_path / "pyproject.toml").write_text(content)
    assert detect_stack(tmp_path).stack == "generic"


def test_an_empty_folder_is_generic(tmp_path):
    assert detect_stack(tmp_path) == type(detect_stack(tmp_path))("generic", (), ())


def test_a_carrier_gives_way_to_the_platform_beside_it(tmp_path):
    (tmp_path / "requirements.txt").write_text("twilio\npipecat-ai\n")
    seen = detect_stack(tmp_path)
    assert seen.stack == "pipecat" and [sighting.stack for sighting in seen.sightings] == [
        "pipecat",
        "twilio",
    ]


def test_two_platforms_are_for_a_person_to_tell_apart(tmp_path):
    (tmp_path / "requirements.txt").write_text("livekit-agents\n")
    (tmp_path / "package.json").write_text(npm("@vapi-ai/web"))
    with pytest.raises(Refusal) as caught:
        detect_stack(tmp_path)
    assert caught.value.code == "ambiguous_stack"
    assert "@vapi-ai/web in package.json; livekit-agents in requirements.txt" in caught.value.message


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("package.json", b"{"),
        ("package.json", b'{"dependencies": {}, "dependencies": {}}'),
        ("package.json", b"[" * 100_000),
        ("pyproject.toml", b"[[["),
        ("pyproject.toml", b"\xff\xfe"),
        ("requirements.txt", b"\xff\xfe"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_stops_nothing(tmp_path, file, content):
    (tmp_path / file).write_bytes(content)
    (tmp_path / "requirements-b.txt").write_text("twilio\n")
    seen = detect_stack(tmp_path)
    assert seen.stack == "twilio" and seen.unread[0].startswith(f"{file}: ")


@pytest.mark.parametrize("content", ["[]", "3", '{"dependencies": ["twilio"]}', '{"dependencies": null}'])
def test_json_of_another_shape_tells_nothing(tmp_path, content):
    (tmp_path / "package.json").write_text(content)
    assert detect_stack(tmp_path).stack == "generic"


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Refusal) as caught:
        detect_stack(tmp_path / "none")
    assert caught.value.code == "not_found"
