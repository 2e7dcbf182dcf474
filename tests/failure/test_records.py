"""Failure records: five lanes that are never blended, no private content, and a name made of the content."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.canonical import digest, to_json
from hotato.errors import Refusal
from hotato.failure import LANES, FailureRecord, record_id, record_of, records_of, verify_record
from hotato.report import record_markdown, record_page, record_svg

SHA = "ab" * 32


def event(name: str, *, passed: bool | None, label: str = "yield", **changes: Any) -> dict[str, Any]:
    figures = {
        "passed": passed,
        "did_yield": False,
        "seconds_to_yield": None,
        "talk_over_sec": 2.65,
        "reasons": ["talked over the caller"],
        "reason_codes": ["talk_over"],
    }
    value = {
        "event_id": name,
        "scenario_id": name,
        "expected_yield": label == "yield",
        "verdict": figures,
        "expected": {"max_talk_over_sec": 1.0},
        "signals": {"latency": {"response_gap_sec": 3.1}},
        "audio_provenance": {"sides": [{"role": "stereo", "path": "secret-call.wav", "sha256": SHA}]},
    }
    return value | ({"expectation": "answer"} if label == "answer" else {}) | changes


def run(*events: dict[str, Any]) -> dict[str, Any]:
    return {"tool": "hotato", "schema_version": "1", "mode": "single", "exit_code": 1, "events": list(events)}


def contracts(**changes: Any) -> dict[str, Any]:
    one = {
        "id": "cancel-002",
        "dir": "contracts/cancel-002.hotato",
        "expect": "yield",
        "passed": False,
        "status": "fail",
        "reasons": ["talked over the caller for 2.65s"],
        "reason_codes": ["talk_over"],
        "measurement": {"did_yield": False, "seconds_to_yield": None, "talk_over_sec": 2.65},
    }
    return {"tool": "hotato", "kind": "contract-verify", "results": [one | changes], "exit_code": 1}


DRIFT = {
    "tool": "hotato",
    "kind": "hotato.baseline-check",
    "version": 1,
    "baseline_path": "baseline.json",
    "candidate_path": "/home/somebody/candidate.json",
    "exit_code": 1,
    "dimensions": {
        "talk_over_sec": {"within": False, "allowed_increase_sec": 0.05, "delta_sec": 0.4},
        "response_gap_sec": {"within": True, "allowed_increase_sec": 0.05, "delta_sec": -0.1},
    },
}
PROOF = {
    "tool": "hotato",
    "schema_version": "hotato.proof.v1",
    "name": "release 7",
    "exit_code": 1,
    "lanes": [
        {"lane": "contracts", "verdict": "fail", "counts": {"contracts": 3, "failed": 1}},
        {"lane": "gauntlet", "verdict": "pass", "counts": {"matched": 12}},
        {"lane": "suite", "verdict": "inconclusive", "counts": {}, "reasons": ["no suite was named"]},
    ],
}
TEST_RUN = {
    "kind": "hotato.test-run",
    "version": 1,
    "test_id": "refund",
    "exit_code": 1,
    "assertions": {
        "results": [
            {"id": "said", "kind": "phrase", "dimension": "conversation", "status": "PASS"},
            {
                "id": "done",
                "kind": "tool_result",
                "dimension": "outcome",
                "status": "FAIL",
                "reason": "SECRET TRANSCRIPT",
                "public_reason": "no call of issue_refund",
            },
            {"id": "kind", "kind": "rubric", "deterministic": False, "status": "FAIL"},
            {"id": "rule", "kind": "policy", "dimension": "policy", "status": "INCONCLUSIVE"},
        ]
    },
    "reliability": {
        "aggregate": {
            "n": 5,
            "k": 3,
            "passes": 2,
            "pass_at_1": 0.4,
            "pass_at_k": 0.9,
            "pass_caret_k": 0.1,
            "ci": {"low": 0.1, "high": 0.8},
        }
    },
}
COMPARED = {
    "tool": "hotato",
    "kind": "compare",
    "schema_version": "1",
    "expect": "yield",
    "result": "worse",
    "delta": {"talk_over_delta_sec": 0.7},
}
RESULTS: dict[str, dict[str, Any]] = {
    "run": run(event("a", passed=True), event("b", passed=False), event("c", passed=None, scorable=False)),
    "contracts": contracts(),
    "drift": DRIFT,
    "proof": PROOF,
    "test run": TEST_RUN,
    "compared": COMPARED,
}


def statuses(record: FailureRecord) -> dict[str, str]:
    return {lane: getattr(record.dimensions, lane).status for lane in LANES}


def test_each_unit_that_is_no_pass_has_a_record_of_its_own() -> None:
    records = records_of(RESULTS["run"])
    assert [(one.subject.test_id, one.status) for one in records] == [("b", "FAIL"), ("c", "INCONCLUSIVE")]
    assert records[0].headline == "The agent did not yield; measured talk-over was 2.65 s."


@pytest.mark.parametrize(
    ("name", "lanes"),
    [
        ("run", {"conversation": "FAIL"}),
        ("contracts", {"conversation": "FAIL"}),
        ("drift", {"conversation": "FAIL"}),
        ("compared", {"conversation": "FAIL"}),
        ("proof", {"conversation": "FAIL", "reliability": "PASS", "outcome": "INCONCLUSIVE"}),
        ("test run", {"conversation": "PASS", "outcome": "FAIL", "policy": "INCONCLUSIVE"}),
    ],
)
def test_a_lane_has_the_status_of_its_own_evidence(name: str, lanes: dict[str, str]) -> None:
    assert statuses(record_of(RESULTS[name])) == dict.fromkeys(LANES, "NOT_RUN") | lanes


def test_repeated_runs_keep_their_numbers_apart() -> None:
    found = record_of(TEST_RUN).dimensions.reliability
    assert (found.trials, found.passes, found.k) == (5, 2, 3)
    assert (found.pass_at_1, found.pass_at_k, found.pass_caret_k) == (0.4, 0.9, 0.1)
    assert found.wilson_interval == (0.1, 0.8)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"integrity": "tampered", "tampered": ["audio/event.flac was changed"]}, "ERROR"),
        ({"scorable": False, "not_scorable_reason": "the agent is silent"}, "INCONCLUSIVE"),
        ({"verdict_eligible": False, "verdict_ineligible_reason": "channels may be swapped"}, "INCONCLUSIVE"),
        ({"status": "error"}, "ERROR"),
    ],
)
def test_a_contract_that_could_not_be_judged_is_no_failure_and_no_pass(
    changes: dict[str, Any], status: str
) -> None:
    record = record_of(contracts(**changes))
    assert (record.status, record.dimensions.conversation.status) == (status, status)


@pytest.mark.parametrize("label", ["yield", "hold", "answer"])
def test_every_label_has_its_own_words(label: str) -> None:
    record = record_of(run(event("a", passed=False, label=label)))
    assert record.dimensions.conversation.assertions[0].rule_id == f"timing.{label}"
    assert ("--expect", label) in list(
        zip(record.reproduction.argv, record.reproduction.argv[1:], strict=False)
    )


def test_a_gate_that_closed_for_a_reason_of_its_own_has_a_record() -> None:
    passed = TEST_RUN | {"assertions": {"results": [{"id": "a", "kind": "phrase", "status": "PASS"}]}}
    assert record_of(passed).status == "INCONCLUSIVE"
    assert records_of(passed | {"exit_code": 0}) == ()


def test_a_result_that_passed_has_nothing_to_record() -> None:
    with pytest.raises(Refusal) as caught:
        record_of(run(event("a", passed=True)))
    assert caught.value.code == "nothing_failed"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"kind": "trust"}, "no_record_of_this"),
        (contracts() | {"results": 7}, "damaged_result"),
        (DRIFT | {"overall_score": 0.9}, "overall_score"),
    ],
)
def test_what_is_no_result_is_refused(value: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as caught:
        records_of(value)
    assert caught.value.code == code


@pytest.mark.parametrize("name", RESULTS)
def test_a_record_holds_nothing_private_and_no_path_of_a_machine(name: str) -> None:
    for record in records_of(RESULTS[name]):
        forms = (to_json(record), record_markdown(record), record_page(record), record_svg(record))
        for text in forms:
            assert "secret" not in text.lower().replace("hotato", "")
            assert "/home" not in text


@pytest.mark.parametrize("passed", [False, None])
def test_an_event_that_is_named_after_its_recording_is_named_by_its_digest(passed: bool | None) -> None:
    why = "'secret-call.wav' is silent, and calls/secret-call.wav too"
    one = event("secret-call.wav", passed=passed, scenario_id=None, not_scorable_reason=why)
    record = record_of(run(one | {"scorable": passed is not None}))
    assert record.subject.test_id == f"recording-{SHA[:12]}"
    for text in (to_json(record), record_markdown(record), record_page(record), record_svg(record)):
        assert "secret" not in text


def test_paths_in_reasons_are_hidden() -> None:
    reasons = ["cannot read /srv/calls/x.wav", "C:\\calls\\x.wav is gone", "~/calls/y.wav too"]
    text = to_json(record_of(contracts(reasons=reasons)))
    assert text.count("[path]") >= 3
    for part in ("/srv", "C:", "~/calls"):
        assert part not in text


@pytest.mark.parametrize("name", RESULTS)
def test_a_record_is_named_by_its_content_and_holds(name: str) -> None:
    first, again = records_of(RESULTS[name]), records_of(json.loads(json.dumps(RESULTS[name])))
    assert first == again
    for record in first:
        assert record.record_id == record_id(record)
        assert all(one.digest == digest(one.measured) for one in record.evidence)
        assert verify_record(record).exit_code == 0
        assert msgspec.json.decode(to_json(record), type=FailureRecord) == record
        assert record.provenance.source_result_digest == digest(RESULTS[name])


def test_the_words_of_a_record_say_that_no_figure_stands_over_all_lanes() -> None:
    record = record_of(PROOF)
    for text in (record_markdown(record), record_svg(record)):
        assert "no figure over all of them" in text
    for lane in LANES:
        assert lane in record_svg(record)


@settings(max_examples=30, deadline=None)
@given(
    text=st.sampled_from(
        ["<b>", "|", "`", "\x00", "\u202e", "a\nb", "@team", "W" * 9000, "/etc/passwd", "\\"]
    ),
    other=st.text(max_size=20),
)
def test_any_name_gives_records_that_hold_and_render(text: str, other: str) -> None:
    record = record_of(contracts(id=text + other, reasons=[text], reason_codes=[other], expect=other))
    assert verify_record(record).exit_code == 0
    assert "<b>" not in record_svg(record)
    assert record_page(record).count("<!--") == 1 and record_markdown(record).count("<!--") == 1
