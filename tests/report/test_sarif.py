"""SARIF: what the specification asks of the parts that are used, and no path of the machine."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.checks import Check, Checks
from hotato.report import sarif_json


def run_of(checks: Checks) -> dict[str, Any]:
    """The one run, after what SARIF 2.1.0 requires of each object that is used here."""
    log = json.loads(sarif_json(checks))
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert driver["name"] and len(set(ids)) == len(ids)  # 3.19.2; 3.19.23
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])  # 3.49.9
    for result in run["results"]:
        assert result["ruleId"] == ids[result["ruleIndex"]]  # 3.27.5, 3.27.6
        assert result["kind"] == "fail" and result["level"] == "error"  # 3.27.9, 3.27.10
        assert result["message"]["text"]  # 3.11.2
        (location,) = result["locations"]
        assert all(place["fullyQualifiedName"] for place in location["logicalLocations"])
        place = location.get("physicalLocation")
        if place:
            uri = place["artifactLocation"]["uri"]
            assert uri.isascii() and " " not in uri and not uri.startswith("/") and "\\" not in uri  # 3.10.1
            assert ".." not in uri.split("/") and ":" not in uri
            assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
            assert place["region"]["startLine"] >= 1
    return run


def test_a_result_for_each_check_that_is_no_pass_and_a_rule_for_each_code(gate: Checks) -> None:
    run = run_of(gate)
    assert [result["ruleId"] for result in run["results"]] == ["did_not_yield", "tampered"]
    assert [result["properties"]["status"] for result in run["results"]] == ["fail", "error"]
    assert run["invocations"][0]["exitCode"] == 1


def test_a_file_is_an_address_in_the_repository_and_an_absolute_path_is_left_out(gate: Checks) -> None:
    inside, outside = (result["locations"][0] for result in run_of(gate)["results"])
    uri = inside["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri) == "contracts/cancel 002.hotato/contract.json"
    assert "physicalLocation" not in outside
    assert "/home/somebody" not in sarif_json(gate)


def test_a_result_keeps_its_fingerprint_when_its_numbers_change() -> None:
    def fingerprint(talk_over_sec: float) -> object:
        check = Check(
            id="a",
            group="g",
            status="fail",
            title="t",
            reason=f"{talk_over_sec} s",
            codes=("talk_over_exceeded",),
            measured={"talk_over_sec": talk_over_sec},
        )
        return run_of(Checks(name="n", checks=(check,), exit_code=1))["results"][0]["partialFingerprints"]

    assert fingerprint(1.2) == fingerprint(3.4)


def test_an_empty_gate_has_a_result() -> None:
    (result,) = run_of(Checks(name="contract verify", checks=(), exit_code=2))["results"]
    assert result["ruleId"] == "nothing_checked"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_text_gives_a_valid_log(hostile_checks: st.SearchStrategy[Checks], data: st.DataObject) -> None:
    checks = data.draw(hostile_checks)
    run = run_of(checks)
    bad = sum(check.status != "pass" for check in checks.checks)
    assert len(run["results"]) == bad or (not bad and checks.exit_code != 0)
    assert sarif_json(checks) == sarif_json(checks)
