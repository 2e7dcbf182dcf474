"""JUnit XML: red exactly when the gate is, readable by every parser, the same bytes again."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.checks import Check, Checks
from hotato.report import junit_xml

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "system-out"},
    "failure": set(),
    "error": set(),
    "system-out": set(),
}
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors"},
    "testcase": {"classname", "name"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "system-out": set(),
}
"""The part of the schema that Jenkins publishes which this project uses."""


def parsed(checks: Checks) -> ElementTree.Element:
    root = ElementTree.fromstring(junit_xml(checks).encode())
    for element in root.iter():
        assert set(element.attrib) == ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN[element.tag]
    return root


def test_a_group_is_a_suite_and_a_check_is_a_case(gate: Checks) -> None:
    root = parsed(gate)
    assert [suite.get("name") for suite in root] == ["contracts", "seals"]
    assert [case.get("name") for case in root.iter("testcase")] == [
        "hold-001",
        "cancel-002",
        "cancel-002 seal",
    ]
    assert {case.get("classname") for case in root[0]} == {"contract verify.contracts"}


def test_what_failed_is_a_failure_and_what_could_not_be_judged_an_error(gate: Checks) -> None:
    root = parsed(gate)
    failure, error = root.find(".//failure"), root.find(".//error")
    assert failure is not None and error is not None
    assert failure.get("message") == "did not yield; talk-over 2.66 s, limit 1.00 s"
    assert (failure.get("type"), error.get("type")) == ("did_not_yield", "tampered")
    assert "contracts/cancel 002.hotato/contract.json" in (failure.text or "")
    assert "/home/somebody" not in junit_xml(gate)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "1")


def test_a_gate_that_closes_without_a_failure_is_red_all_the_same() -> None:
    root = parsed(Checks(name="contract verify", checks=(), exit_code=2))
    assert root.get("errors") == "1"
    only = Check(id="a", group="g", status="pass", title="t")
    assert parsed(Checks(name="gate", checks=(only,), exit_code=2)).get("errors") == "1"
    assert parsed(Checks(name="gate", checks=(only,), exit_code=0)).get("errors") == "0"


def test_long_names_that_differ_stay_apart() -> None:
    twins = tuple(
        Check(id="x" * 5000 + end + "y" * 5000, group="g", status="pass", title="t") for end in "12"
    )
    names = [
        case.get("name") for case in parsed(Checks(name="n", checks=twins, exit_code=0)).iter("testcase")
    ]
    assert len(set(names)) == 2


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_text_gives_a_document_with_the_right_counts(
    hostile_checks: st.SearchStrategy[Checks], data: st.DataObject
) -> None:
    checks = data.draw(hostile_checks)
    root = parsed(checks)
    failed, errors = (len(root.findall(f".//{tag}")) for tag in ("failure", "error"))
    assert root.get("failures") == str(failed) == str(checks.count("fail"))
    assert root.get("errors") == str(errors)
    assert (failed + errors > 0) == (
        checks.exit_code != 0 or any(check.status != "pass" for check in checks.checks)
    )
    assert junit_xml(checks) == junit_xml(checks)
