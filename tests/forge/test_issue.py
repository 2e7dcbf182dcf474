"""An issue lists what a sweep measured, and says that nobody has judged it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hotato import forge
from hotato.errors import Refusal
from hotato.forge import issue


def moment(t_sec: float, source: str | None = "/calls/anna@home.wav", **more) -> dict:
    named = {} if source is None else {"source": source}
    return {"t_sec": t_sec, "kind": "overlap", "durations": {"overlap_sec": 1.234}, **named, **more}


@pytest.fixture
def sweep(tmp_path: Path):
    def write(*moments: dict, name: str = "sweep.json", **more) -> Path:
        path = tmp_path / name
        path.write_text(json.dumps({"candidates": list(moments), **more}))
        return path

    return write


def rows(body: str) -> list[str]:
    return [line for line in body.splitlines() if line.startswith("| ") and line[2].isdigit()]


def test_the_moments_stand_in_the_order_of_the_sweep_and_calls_are_numbered(sweep):
    plan = forge.plan_issue(sweep(moment(7.5), moment(3.0, "b.wav"), moment(1.0)), top=3)
    assert rows(plan.body) == [
        "| 1 | call 1 | 7.50 | overlap | overlap_sec 1.23 |",
        "| 2 | call 2 | 3.00 | overlap | overlap_sec 1.23 |",
        "| 3 | call 1 | 1.00 | overlap | overlap_sec 1.23 |",
    ]
    assert "anna" not in plan.body and "not verdicts" in plan.body
    assert "hotato investigate label 'sweep.json#1' --expect yield" in plan.body


def test_top_limits_the_list_and_says_how_many_there_are(sweep):
    plan = forge.plan_issue(sweep(*[moment(float(at)) for at in range(9)]), top=2)
    assert (plan.listed, plan.total, len(rows(plan.body))) == (2, 9, 2)
    assert plan.title == "hotato: 2 moments to be judged" and plan.body.startswith("2 of 9 moments")


def test_names_are_shown_when_asked_for_without_calling_anybody(sweep):
    body = forge.plan_issue(sweep(moment(1.0, "/calls/@anna|*x*.wav")), include_identifiers=True).body
    assert "&#64;anna\\|\\*x\\*.wav" in body and "/calls" not in body and "@" not in body


def test_the_source_of_a_whole_investigation_counts_where_a_moment_names_none(sweep):
    body = forge.plan_issue(sweep(moment(1.0, None), source="one.wav"), include_identifiers=True).body
    assert "| 1 | one.wav | 1.00 |" in body


def test_the_command_line_carries_everything_but_the_body(sweep):
    plan = forge.plan_issue(sweep(moment(1.0)), repository="owner/name", labels=("voice qa", "--web"))
    assert plan.command == (
        "gh",
        "issue",
        "create",
        "--repo=owner/name",
        "--title=hotato: 1 moment to be judged",
        "--body-file=-",
        "--label=voice qa",
        "--label=--web",
    )


def test_it_is_filed_with_gh(desk, sweep):
    plan = forge.plan_issue(sweep(moment(1.0)))
    assert desk.told() == []
    assert forge.run_issue(plan) == "https://host.test/owner/name/pull/7"
    assert desk.told() == [(list(plan.command[1:]), plan.body)]


def test_without_gh_it_says_so(sweep, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refusal) as caught:
        forge.run_issue(forge.plan_issue(sweep(moment(1.0))))
    assert caught.value.code == "tool_missing" and "'gh' is not installed" in caught.value.message


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "not_json"),
        ("[]", "not_candidates"),
        ('{"candidates": {}}', "not_candidates"),
        ('{"candidates": []}', "no_candidates"),
        ('{"candidates": [1]}', "not_candidates"),
        ('{"candidates": [{"kind": "x"}]}', "not_candidates"),
        ('{"candidates": [{"kind": "x", "t_sec": true}]}', "not_candidates"),
        ('{"candidates": [{"kind": "[a](http://x)", "t_sec": 1}]}', "not_candidates"),
        ('{"candidates": [], "candidates": []}', "repeated_key"),
    ],
)
def test_what_is_no_list_of_moments_is_refused(tmp_path, content, code):
    path = tmp_path / "sweep.json"
    path.write_text(content)
    with pytest.raises(Refusal) as caught:
        forge.plan_issue(path)
    assert caught.value.code == code


def test_hostile_durations_are_left_out(sweep):
    durations = {"a|b": 1.0, "ok_sec": 2.0, "text": "x", "flag": True}
    assert rows(forge.plan_issue(sweep(moment(1.0, durations=durations))).body) == [
        "| 1 | call 1 | 1.00 | overlap | ok_sec 2.00 |"
    ]


def test_the_command_line_allows_as_many_as_the_room():
    from hotato.cli.issue import create

    (top,) = [parameter for parameter in create.params if parameter.name == "top"]
    assert (top.default, top.type.max) == (issue.DEFAULT_TOP, issue.LARGEST_TOP)
