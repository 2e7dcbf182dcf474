"""A contributed pair passes when it conforms; every way not to is named on a line of its own."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import jsonschema
import numpy as np
import pytest
import soundfile

REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS = REPOSITORY / "corpus"
SCRIPTS = sorted((CORPUS / "role-play").glob("*.md"))

ROLE_PLAY = {
    "id": "role-play-take-01",
    "title": "Role-play: the caller changes the address",
    "category": "should_yield",
    "source_type": "role-played",
    "tags": ["role-play", "interruption"],
    "audio": "role-play-take-01.wav",
    "channels": {"caller_channel": 0, "agent_channel": 1},
    "sample_rate": 8000,
    "duration_sec": 4.0,
    "caller_onset_sec": 1.5,
    "expected": {"yield": True, "max_time_to_yield_sec": 0.8, "max_talk_over_sec": 0.9},
    "transcript": {"agent": "placeholder words", "caller": "other placeholder words"},
    "license": "MIT",
    "provenance": {"recorded_date": "2026-07-21"},
    "consent": {"obtained": True, "on_file": True, "parties": ["agent role", "caller role"]},
    "pii": {"removed": True, "method": "role-played-no-pii", "phi_free": True},
    "attestation": {
        "contributor": "Somebody",
        "consent_on_file": True,
        "pii_removed": True,
        "no_phi": True,
        "right_to_release_mit": True,
    },
}


@pytest.fixture(scope="module")
def validate(script) -> ModuleType:
    return script("validate.py")


def sounds(channels: int = 2, seconds: float = 4.0, rate: int = 8000) -> np.ndarray:
    samples = np.random.default_rng(1).uniform(-0.3, 0.3, (round(seconds * rate), channels))
    samples[: rate // 5] = 0.0
    if channels > 1:
        samples[: round(1.5 * rate), 0] = 0.0
    samples[round(2.2 * rate) :, channels - 1] = 0.0
    return samples


def pair(folder: Path, samples: np.ndarray | None = None, rate: int = 8000, **changes) -> Path:
    label = copy.deepcopy(ROLE_PLAY)
    for path, value in changes.items():
        *inner, last = path.split("__")
        block = label
        for key in inner:
            block = block[key]
        if value is ...:
            del block[last]
        else:
            block[last] = value
    target = folder / "label.json"
    target.write_text(json.dumps(label))
    soundfile.write(folder / "role-play-take-01.wav", sounds() if samples is None else samples, rate)
    return target


def test_a_conforming_pair_passes(validate, tmp_path, capsys) -> None:
    assert validate.main([str(pair(tmp_path))]) == 0
    assert capsys.readouterr().out == "PASS label.json\n"


def test_the_recording_may_lie_elsewhere(validate, tmp_path) -> None:
    label = pair(tmp_path)
    elsewhere = tmp_path / "other" / "take.wav"
    elsewhere.parent.mkdir()
    (tmp_path / "role-play-take-01.wav").rename(elsewhere)
    assert validate.main([str(label)]) == 2
    assert validate.main([str(label), str(elsewhere)]) == 0


def test_a_key_that_is_stated_twice_is_refused_by_name(validate, tmp_path, capsys) -> None:
    label = pair(tmp_path)
    label.write_text(label.read_text().replace("{", '{"license": "none", ', 1))
    assert validate.main([str(label)]) == 2
    assert "states the key 'license' twice" in capsys.readouterr().err


LABEL_FAULTS = [
    ({"id": "Take 01"}, "id: "),
    ({"title": ...}, 'label: missing: "title"'),
    ({"title": None}, "title: null is not of the type string"),
    ({"category": "maybe"}, 'category: "maybe" is none of "should_yield", "should_not_yield"'),
    ({"source_type": "scraped"}, "source_type: "),
    ({"audio": "../secret.wav"}, "audio: "),
    ({"license": "CC-BY-4.0"}, 'license: "MIT" was expected, not "CC-BY-4.0"'),
    ({"caller_onset": 1.5}, 'label: unknown: "caller_onset"'),
    ({"caller_onset_sec": -0.1}, "caller_onset_sec: -0.1 is less than 0"),
    ({"caller_onset_sec": "1.5"}, "caller_onset_sec: "),
    ({"expected__yield": False}, "expected.yield: true was expected, not false"),
    (
        {"category": "should_not_yield", "expected__yield": False},
        "expected.max_talk_over_sec: null was expected, not 0.9",
    ),
    ({"expected__max_talk_over_sec": -1}, "expected.max_talk_over_sec: "),
    ({"attestation__consent_on_file": False}, "attestation.consent_on_file: true was expected, not false"),
    ({"attestation__pii_removed": False}, "attestation.pii_removed: "),
    ({"attestation__no_phi": False}, "attestation.no_phi: "),
    ({"attestation__right_to_release_mit": False}, "attestation.right_to_release_mit: "),
    ({"attestation__contributor": ""}, "attestation.contributor: "),
    ({"pii__method": "beeped"}, "pii.method: "),
    ({"consent__on_file": False}, "consent.on_file: "),
    ({"sample_rate": 4000}, "sample_rate: "),
    ({"duration_sec": 0}, "duration_sec: "),
    ({"caller_onset_sec": 4.0}, "caller_onset_sec: 4.0 lies at or behind the end"),
    ({"channels": {"caller_channel": 1, "agent_channel": 1}}, "channels: the caller and the agent"),
]


@pytest.mark.parametrize(("changes", "said"), LABEL_FAULTS, ids=[said for _, said in LABEL_FAULTS])
def test_a_label_that_does_not_conform_is_told_where(validate, tmp_path, capsys, changes, said) -> None:
    assert validate.main([str(pair(tmp_path, **changes))]) == 1
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert printed.err == "" and all(line.startswith("problem: ") for line in lines)
    assert any(said in line for line in lines), lines


@pytest.mark.parametrize(
    ("segments", "said"),
    [
        ([[1.5, 1.5]], "it ends (1.5 s) before it begins"),
        ([[1.5, 4.2]], "behind the end of the recording"),
        ([[1.5, 2.5], [2.0, 3.0]], "before the one in front of it has ended"),
    ],
)
def test_segments_lie_in_the_recording_in_order(validate, tmp_path, capsys, segments, said) -> None:
    block = {"caller_segments_sec": segments, "agent_segments_sec": [[0.2, 2.2]]}
    assert validate.main([str(pair(tmp_path, reference_render=block))]) == 1
    assert f"reference_render.caller_segments_sec[{len(segments) - 1}]: it" in (
        out := capsys.readouterr().out
    )
    assert said in out


def test_every_problem_of_one_label_is_listed(validate, tmp_path, capsys) -> None:
    label = pair(tmp_path, license="GPL", source_type="scraped", attestation__no_phi=False)
    assert validate.main([str(label)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_hold_has_no_bounds(validate, tmp_path, capsys) -> None:
    hold = {"yield": False, "max_time_to_yield_sec": None, "max_talk_over_sec": None}
    assert validate.main([str(pair(tmp_path, category="should_not_yield", expected=hold))]) == 0
    assert validate.main([str(pair(tmp_path, category="should_not_yield", expected={"yield": False}))]) == 0


def test_made_sound_needs_no_consent(validate, tmp_path) -> None:
    label = pair(tmp_path, source_type="synthetic", attestation__consent_on_file=False, consent=...)
    assert validate.main([str(label)]) == 0


AUDIO_FAULTS = {
    "audio: 1 channel": {"samples": sounds(1)},
    "sample_rate: 8000 in the label, 16000 in the recording": {"samples": sounds(rate=16000), "rate": 16000},
    "duration_sec: 4.0 in the label, 3.900 in the recording": {"samples": sounds(seconds=3.9)},
    "both parties' channels carry the same samples": {"samples": np.repeat(sounds(1), 2, axis=1)},
    "both parties' channels carry the same sound (1.9 dB apart)": {
        "samples": np.repeat(sounds(1) * np.linspace(0.1, 1.0, 32_000)[:, None], 2, axis=1) * [1.0, -0.8]
    },
    "channels.agent_channel: there is no channel 5": {
        "channels": {"caller_channel": 0, "agent_channel": 5},
    },
}


@pytest.mark.parametrize("said", AUDIO_FAULTS)
def test_a_recording_that_is_not_the_labelled_one_is_told_how(validate, tmp_path, capsys, said) -> None:
    assert validate.main([str(pair(tmp_path, **AUDIO_FAULTS[said]))]) == 1
    assert said in capsys.readouterr().out


def test_a_truncated_or_foreign_recording_is_a_problem(validate, tmp_path, capsys) -> None:
    label = pair(tmp_path)
    wav = tmp_path / "role-play-take-01.wav"
    wav.write_bytes(wav.read_bytes()[:-9_001])
    assert validate.main([str(label)]) == 1
    soundfile.write(tmp_path / "take.flac", sounds(), 8000)
    assert validate.main([str(label), str(tmp_path / "take.flac")]) == 1
    assert "it is a flac file, not a WAV file" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, '{"id": NaN}', b"\xff\xfe", "1" * 5000],
    ids=["empty", "cut", "deep", "nan", "utf16", "digits"],
)
def test_what_cannot_be_read_exits_2_with_one_line(validate, tmp_path, capsys, text) -> None:
    label = tmp_path / "label.json"
    label.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert validate.main([str(label)]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1


def test_a_key_that_is_stated_twice_is_refused(validate, tmp_path, capsys) -> None:
    label = pair(tmp_path)
    text = label.read_text()
    label.write_text(text.replace('"attestation": {', '"attestation": {"consent_on_file": false, ', 1))
    assert validate.main([str(label)]) == 2
    assert "states the key 'consent_on_file' twice" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", " ", "\n", "\u2003", "\u200b", "\x07", "a\nb", "a\n", "\x00"])
def test_a_line_of_text_is_not_blank_and_has_no_control_characters(validate, tmp_path, capsys, text) -> None:
    label = json.loads(pair(tmp_path).read_text())
    for place in ("title", "contributor"):
        changed = json.loads(json.dumps(label))
        (changed if place == "title" else changed["attestation"])[place] = text
        (tmp_path / "label.json").write_text(json.dumps(changed))
        assert validate.main([str(tmp_path / "label.json")]) == 1
        out = capsys.readouterr().out
        assert place in out and out.count("\n") == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [("id", "ab\n"), ("audio", "a.wav\n"), ("tags", ["ab\n"]), ("title", "x" * 900_000 + "\n")],
)
def test_a_name_does_not_end_in_a_line_break(validate, tmp_path, capsys, key, value) -> None:
    assert validate.main([str(pair(tmp_path, **{key: value}))]) == 1
    assert capsys.readouterr().out.startswith(f"problem: {key}")


def test_a_label_that_is_no_object_and_a_label_that_is_huge_are_told_so(validate, tmp_path, capsys) -> None:
    label = tmp_path / "label.json"
    label.write_text("[]")
    assert validate.main([str(label)]) == 1
    assert "label: [] is not of the type object" in capsys.readouterr().out
    label.write_text('{"title": "' + "x" * 2_000_000 + '"}')
    assert validate.main([str(label)]) == 2


def test_usage_errors_exit_2() -> None:
    done = subprocess.run(
        [sys.executable, CORPUS / "validate.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "arguments are required: LABEL" in done.stderr


def test_a_moment_that_cannot_be_judged_passes_with_a_remark(validate, tmp_path, capsys) -> None:
    assert validate.main([str(pair(tmp_path, caller_onset_sec=3.5))]) == 0
    assert "note: hotato cannot judge this moment: the agent was silent" in capsys.readouterr().out


def test_a_control_character_in_a_label_is_made_visible(validate, tmp_path, capsys) -> None:
    assert validate.main([str(pair(tmp_path, category="\x1b[31mred"))]) == 1
    assert "\x1b" not in capsys.readouterr().out


def test_the_schema_is_one_and_describes_every_field() -> None:
    schema = json.loads((CORPUS / "label.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert all("description" in field for field in schema["properties"].values())


def test_the_sample_contribution_passes_with_the_recording_that_its_builder_renders(
    validate, script, tmp_path, capsys
) -> None:
    label = CORPUS / "examples" / "sample-contribution.json"
    recording = script("examples/build.py").build(tmp_path)
    assert validate.main([str(label), str(recording)]) == 0
    assert capsys.readouterr().out == "PASS sample-contribution.json\n"


def test_the_labels_that_the_pages_show_conform(validate) -> None:
    shown = re.findall(
        r"^```json\n(.*?)^```$", (REPOSITORY / "docs" / "SUBMITTING.md").read_text(), re.M | re.S
    )
    labels = [json.loads(text) for text in shown]
    assert len(labels) == 2
    for label in labels:
        assert validate.schema_problems(label) == []
        assert list(validate.timing_problems(label)) == []


@pytest.mark.parametrize("page", SCRIPTS, ids=lambda page: page.stem)
def test_a_script_has_all_its_parts_and_no_identifier(page: Path) -> None:
    text = page.read_text()
    headings = re.findall(r"^## (.+)$", text, re.M)
    assert headings == ["Beats", "Turns", "Takes and labels"]
    assert text.startswith("# Role-play: ")
    (failure,) = re.findall(r"^Failure class: (.+)\.$", text, re.M)
    assert failure.replace(" ", "-") == page.stem
    assert re.search(r"^Category: `should_(not_)?yield`\.$", text, re.M)
    turns = text.split("## Turns")[1].split("## ")[0]
    assert {"Agent", "Caller"} <= set(re.findall(r"^- (\w+): ", turns, re.M))
    # Placeholder data only: reserved mail domains, 555-01xx numbers, no long run of digits.
    assert all(host.startswith("example.") for host in re.findall(r"@([\w.-]+)", text))
    assert not re.search(r"\d{7,}", text)
    assert all(number.startswith("555-01") for number in re.findall(r"\b\d{3}-\d{4}\b", text))


def test_every_script_is_in_the_index() -> None:
    assert 3 <= len(SCRIPTS) <= 6
    index = (CORPUS / "README.md").read_text()
    linked = set(re.findall(r"\]\((role-play/[\w-]+\.md)\)", index))
    assert linked == {f"role-play/{page.name}" for page in SCRIPTS}


def test_no_value_of_python_is_shown(validate, tmp_path, capsys) -> None:
    faults = {
        "expected__yield": None,
        "attestation__no_phi": None,
        "license": True,
        "consent": False,
    }
    assert validate.main([str(pair(tmp_path, **faults))]) == 1
    out = capsys.readouterr().out
    assert "null" in out and "true" in out and "false" in out
    assert not any(word in out for word in ("None", "True", "False", "'")), out


def test_the_check_of_the_sample_finds_another_render_and_another_recording(
    script, tmp_path, monkeypatch, capsys
) -> None:
    sample = script("examples/build.py")
    assert sample.differences(tmp_path) == [], "where there is no recording, the render alone is compared"
    recording = sample.build(tmp_path)
    assert sample.differences(tmp_path) == []
    recording.write_bytes(recording.read_bytes()[:-2] + b"\1\1")
    assert sample.differences(tmp_path) == [recording.name]
    monkeypatch.setattr(sample, "SHA256", "0" * 64)
    monkeypatch.setattr(sample, "LABEL", tmp_path / sample.LABEL.name)
    (tmp_path / sample.LABEL.name).write_text((CORPUS / "examples" / sample.LABEL.name).read_text())
    assert sample.main(["--check"]) == 1
    assert capsys.readouterr().out == f"sample contribution: differs: the render, {recording.name}\n"
