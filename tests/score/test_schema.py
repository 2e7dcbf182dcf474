"""The shape of the envelope: our schema, the documented one, and the documented order of keys."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from hotato.canonical import to_json
from hotato.score import run_single
from hotato.score.schema import envelope_schema


@pytest.fixture
def envelopes(render):
    passing = render("a.wav", caller=[(2.0, 3.5)], agent=[(0.2, 2.4)])
    failing = render("b.wav", caller=[(2.4, 2.57)], agent=[(0.2, 2.59), (4.0, 6.0)])
    silent = render("c.wav", caller=[], agent=[(0.2, 2.4)])
    return [
        run_single(stereo=passing, onset_sec=2.0, expect="yield", snr_gate_db=22.0),
        run_single(stereo=failing, onset_sec=2.4, expect="hold", stack="retell"),
        run_single(stereo=failing, onset_sec=2.4, max_time_to_yield_sec=0.1),
        run_single(stereo=silent),
    ]


def test_the_shipped_schema_is_the_one_of_the_records():
    shipped = resources.files("hotato").joinpath("schema", "envelope.v1.json").read_text()
    assert shipped == to_json(envelope_schema()), "run python -m hotato.score.schema"


def test_every_field_of_the_schema_says_what_it_means():
    for name, definition in envelope_schema()["$defs"].items():
        assert definition["description"], name
        for field, meaning in definition["properties"].items():
            assert meaning.get("description"), f"{name}.{field}"


def test_envelopes_are_valid_and_a_changed_one_is_not(envelopes):
    schema = envelope_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for env in envelopes:
        validator.validate(env)
        for change in ({"tool": "other"}, {"exit_code": 2}, {"mode": "half"}, {"offline": False}):
            assert not validator.is_valid({**env, **change})
        event = {**env["events"][0], "scorable": True, "not_scorable_reason": "x"}
        assert not validator.is_valid({**env, "events": [event]})


def test_envelopes_are_valid_by_the_documented_schema(envelopes, shared_data: Path):
    documented = shared_data.parent / "reference" / "envelope.v1.json"
    if not documented.is_file():
        pytest.skip("the documented schema is absent")
    validator = jsonschema.Draft7Validator(json.loads(documented.read_text()))
    for env in envelopes:
        validator.validate(env)


def test_keys_come_in_the_documented_order(envelopes):
    assert list(envelopes[0]) == [
        "tool",
        "schema_version",
        "mode",
        "stack",
        "offline",
        "engine",
        "limits",
        "summary",
        "events",
        "fix_map",
        "funnel",
        "exit_code",
        "profile",
    ]
    event = envelopes[0]["events"][0]
    assert list(event)[:11] == [
        "event_id",
        "scenario_id",
        "title",
        "category",
        "expected_yield",
        "verdict",
        "measurements",
        "signals",
        "fix",
        "audio_provenance",
        "expected_yield_explicit",
    ]
    assert list(event["measurements"])[:4] == [
        "caller_onset_sec",
        "agent_talking_at_onset",
        "hop_sec",
        "notes",
    ]
    assert list(event["signals"]) == ["barge_in", "latency", "echo", "resume"]
    assert list(event["audio_provenance"]["sides"][0]) == [
        "role",
        "path",
        "sha256",
        "pcm_sha256",
        "sample_rate",
        "num_samples",
        "duration_sec",
    ]
