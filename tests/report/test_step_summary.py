"""The step summary, the terminal and the page of a gate."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from hotato.checks import Check, Checks
from hotato.report import checks_page, checks_text, step_summary

MEBIBYTE = 1 << 20


def test_the_summary_says_what_the_comment_says_without_its_marker(gate: Checks) -> None:
    text = step_summary(gate)
    assert text.startswith("## hotato contract verify: did not pass\n")
    assert "talk-over 2.66 s" in text and "exit code 1" in text
    assert "<!--" not in text


def test_ten_thousand_checks_stay_below_what_github_takes() -> None:
    many = tuple(Check(id=f"{n}" + "<" * 500, group="g", status="fail", title="t") for n in range(10_000))
    text = step_summary(Checks(name="gate", checks=many, exit_code=1))
    assert len(text.encode()) < MEBIBYTE
    assert "left out of the table" in text


def test_the_terminal_tells_each_check_with_its_numbers_and_the_next_step(gate: Checks) -> None:
    text = checks_text(gate, width=100)
    assert "hotato contract verify  1 of 3 passed, 1 failed, 1 not judged" in text
    assert re.search(r"^PASS +hold-001 +yielded: no; talk-over 0.31 s$", text, re.M)
    assert re.search(r"^FAIL +cancel-002 ", text, re.M) and re.search(r"^ERROR +cancel-002 seal ", text, re.M)
    assert "next: record the call again" in text
    assert text.endswith("exit code 1\n")


def test_the_terminal_says_that_nothing_was_checked() -> None:
    assert "there was nothing to check" in checks_text(Checks(name="gate", checks=(), exit_code=2))


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_text_fits_the_terminal(hostile_checks: st.SearchStrategy[Checks], data: st.DataObject) -> None:
    checks = data.draw(hostile_checks)
    text = checks_text(checks, unicode=False, width=80)
    assert text.isascii() and not set(text) & set("\x00\x1b\r\t")
    assert max(len(line) for line in text.splitlines()) <= 80


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_text_becomes_a_part_of_the_page(
    hostile_checks: st.SearchStrategy[Checks], data: st.DataObject
) -> None:
    page = checks_page(data.draw(hostile_checks))
    body = page[page.index("<body>") :]
    assert "<b>" not in re.sub(r"<b>(?=hotato |<bdi>|<a )", "", body)
    assert "\u202e" not in page and "\x1b" not in page
    assert page.count("<!--") == 1


def test_the_page_links_a_check_to_what_is_said_about_it(gate: Checks) -> None:
    assert '<a href="cancel-002.html">' in checks_page(gate, links={"cancel-002": "cancel-002.html"})
