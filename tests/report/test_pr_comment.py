"""The comment on a pull request: one per gate, short enough, and no name in it does anything."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hotato.checks import Check, Checks
from hotato.report import comment_marker, pr_comment

GITHUB_LIMIT = 65_536


def rows(text: str) -> list[list[str]]:
    """The cells of every table, as a Markdown reader sees them, after a look at what else is in the text."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    assert not {child.type for child in inline} & {"link_open", "image", "html_block"}
    assert {child.content for child in inline if child.type == "html_inline"} <= {"<code>", "</code>", "<br>"}
    found: list[list[str]] = []
    for before, token in pairwise(tokens):
        if before.type == "tr_open":
            found.append([])
        if before.type in ("th_open", "td_open"):
            found[-1].append(token.content)
    return found


def test_the_comment_begins_with_the_marker_of_its_gate(gate: Checks) -> None:
    assert (
        pr_comment(gate).splitlines()[0]
        == comment_marker(gate.name)
        == "<!-- hotato checks: contract-verify -->"
    )
    assert comment_marker("prove") != comment_marker("contract verify")
    assert comment_marker("-->\n<script>") == "<!-- hotato checks: script -->"


def test_the_line_the_table_what_did_not_pass_and_the_notes_come_in_this_order(gate: Checks) -> None:
    text = pr_comment(gate)
    marks = [
        "did not pass",
        "1 failed",
        "| result |",
        "**FAIL**",
        "| pass |",
        "What did not pass",
        "next: record",
        "Note:",
    ]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    assert "```sh\nhotato contract verify contracts\n```" in text


def test_a_gate_that_passes_says_so() -> None:
    only = Check(id="a", group="g", status="pass", title="t")
    text = pr_comment(Checks(name="gate", checks=(only,), exit_code=0))
    assert "gate: passed" in text and "What did not pass" not in text


@pytest.mark.parametrize("status", ["pass", "fail"])
def test_a_thousand_checks_fit_and_what_is_left_out_is_counted(status: str) -> None:
    many = tuple(
        Check(id=f"{n}" + "|" * 200, group="g", status=status, title="t", reason="`" * 999)  # type: ignore[arg-type]
        for n in range(1000)
    )
    text = pr_comment(Checks(name="gate", checks=many, exit_code=1))
    assert len(text.encode()) < GITHUB_LIMIT
    left_out = re.search(r"(\d+) checks left out", text)
    assert left_out is not None
    assert int(left_out[1]) + len(rows(text)) - 1 == 1000 + (status == "pass")
    assert ("more; the machine-readable result" in text) == (status == "fail")


def test_failures_stay_when_passes_have_to_go() -> None:
    passes = tuple(Check(id=f"{n} " + "|" * 200, group="g", status="pass", title="t") for n in range(1000))
    bad = Check(id="the bad one", group="g", status="fail", title="t", reason="too slow")
    text = pr_comment(Checks(name="gate", checks=(*passes, bad), exit_code=1))
    assert "the bad one" in rows(text)[1][1]


def test_nobody_is_named_and_nothing_is_linked() -> None:
    check = Check(
        id="@team",
        group="g",
        status="fail",
        title="t",
        reason="see #12, www.example.org and https://example.org",
    )
    text = pr_comment(Checks(name="gate", checks=(check,), exit_code=1))
    for word in ("@team", "#12", "www.", "https://"):
        assert word not in text


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_text_breaks_the_table_or_becomes_markup(
    hostile_checks: st.SearchStrategy[Checks], data: st.DataObject
) -> None:
    checks = data.draw(hostile_checks)
    text = pr_comment(checks)
    table = rows(text)
    assert all(len(row) == 3 for row in table)
    closed = checks.exit_code != 0 and all(check.status == "pass" for check in checks.checks)
    assert len(table) == (1 + len(checks.checks) + closed if checks.checks or closed else 0)
    assert len(text.encode()) < GITHUB_LIMIT
    prose = re.sub(
        r"^(`{3,})sh\n.*?^\1$", "", text, flags=re.M | re.S
    )  # a command in a fence is shown as it is
    assert prose.count("<!--") == 1
    assert pr_comment(checks) == text
