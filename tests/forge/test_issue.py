"""An issue lists what a sweep measured, and says that nobody has judged it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hotato import forge
from hotato.errors import Refusal
from hotato.forge import issue

KIND = "overlap_while_agent_talking"


def moment(t_sec: float, source: str | None = "/calls/anna@home.wav", **more) -> dict:
    named = {} if source is None else {"source": source}
    return {"t_sec": t_sec, "kind": KIND, "durations": {"overlap_sec": 1.234}, **named, **more}


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
        f"| 1 | call 1 | 0:07.50 | {KIND} | overlap_sec 1.23 |",
        f"| 2 | call 2 | 0:03.00 | {KIND} | overlap_sec 1.23 |",
        f"| 3 | call 1 | 0:01.00 | {KIND} | overlap_sec 1.23 |",
    ]
    assert "anna" not in plan.body and "not verdicts" in plan.body
    assert "hotato investigate label 'sweep.json#1' --expect yield" in plan.body


def commands(body: str) -> list[str]:
    return [line.partition("`")[2].rstrip("`") for line in body.splitlines() if line.startswith("- if")]


def test_the_commands_carry_the_labels_that_fit_and_the_path_of_the_list(sweep, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    silence = {"t_sec": 3.0, "kind": "long_response_gap", "source": "x.wav"}
    sweep(silence, moment(9.0, "x.wav"), name="kept/state.json", sha256="ab" * 32)
    body = forge.plan_issue(Path("kept/state.json")).body
    assert commands(body) == ["hotato investigate label 'kept/state.json#apx-abababababab:1' --expect answer"]
    sweep({**silence, "kind": "echo_suspected", "labels": []}, moment(9.0, "x.wav"), name="kept/state.json")
    body = forge.plan_issue(Path("kept/state.json")).body
    assert commands(body) == [
        f"hotato investigate label 'kept/state.json#2' --expect {label}" for label in ("yield", "hold")
    ]


def test_moments_of_several_calls_are_counted_within_their_call(sweep):
    scanned = [{"source": name, "sha256": digit * 64} for name, digit in (("x.wav", "a"), ("y.wav", "b"))]
    silent = moment(1.0, "y.wav", labels=[])
    path = sweep(silent, moment(3.0, "x.wav", labels=[]), moment(4.0, "y.wav"), scanned=scanned)
    assert "sweep.json#apx-bbbbbbbbbbbb:2'" in commands(forge.plan_issue(path).body)[0]


def test_times_and_lengths_are_those_at_the_raw_edges(sweep):
    raw = {"span": {"start_sec": 25.48, "end_sec": 31.0}, "measured": {"overlap_sec": {"sec": 5.79}}}
    (row,) = rows(forge.plan_issue(sweep(moment(25.3, **raw))).body)
    assert "| 0:25.48 |" in row and "overlap_sec 5.79" in row


def test_a_list_that_is_called_like_its_recording_is_not_named(sweep, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sweep(moment(1.0, "anna.wav"), name="anna.wav.json")
    body = forge.plan_issue(Path("anna.wav.json")).body
    assert "anna" not in body and "'MOMENTS.json#1'" in body and "MOMENTS.json stands for" in body
    assert "'anna.wav.json#1'" in forge.plan_issue(Path("anna.wav.json"), include_identifiers=True).body


def test_top_limits_the_list_and_says_how_many_there_are(sweep):
    plan = forge.plan_issue(sweep(*[moment(float(at)) for at in range(9)]), top=2)
    assert (plan.listed, plan.total, len(rows(plan.body))) == (2, 9, 2)
    assert plan.title == "hotato: 2 moments to be judged" and plan.body.startswith("2 of 9 moments")


def test_names_are_shown_when_asked_for_without_calling_anybody(sweep):
    body = forge.plan_issue(sweep(moment(1.0, "/calls/@anna|*x*.wav")), include_identifiers=True).body
    assert "&#64;anna\\|\\*x\\*.wav" in body and "/calls" not in body and "@" not in body


def test_the_source_of_a_whole_investigation_counts_where_a_moment_names_none(sweep):
    body = forge.plan_issue(sweep(moment(1.0, None), source="one.wav"), include_identifiers=True).body
    assert "| 1 | one.wav | 0:01.00 |" in body


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
        f"| 1 | call 1 | 0:01.00 | {KIND} | ok_sec 2.00 |"
    ]


def test_the_command_line_allows_as_many_as_the_room():
    from hotato.cli.issue import create

    (top,) = [parameter for parameter in create.params if parameter.name == "top"]
    assert (top.default, top.type.max) == (issue.DEFAULT_TOP, issue.LARGEST_TOP)
