"""The verify policy: what has to improve, what must hold, and what is no policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotato.compare import hold_against, read_policy, read_run, verify_runs
from hotato.errors import Refusal

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "verify-policy" / "hotato.verify.yaml"


@pytest.fixture
def policy(tmp_path):
    """A policy from its text."""

    def parse(text):
        path = tmp_path / "hotato.verify.yaml"
        path.write_text(text)
        return read_policy(path)

    return parse


@pytest.fixture
def verified(saved):
    def verify(before, after):
        return verify_runs(read_run(saved("old.json", *before)), read_run(saved("new.json", *after)))

    return verify


@pytest.fixture
def better(made, verified):
    """Talk-over 2.5 s to 0.4 s on three fixtures, one hold guard that holds."""
    before = [made.event(name, to_yield=2.5, talk_over=2.5) for name in "abc"]
    after = [made.event(name) for name in "abc"]
    hold = made.event("h", expect="hold", to_yield=None)
    return verified([*before, hold], [*after, hold])


@pytest.fixture
def bandaid(made, verified):
    """The same improvement by an agent that now stops for everything."""
    before = [made.event(name, to_yield=2.5, talk_over=2.5) for name in "abc"]
    hold, stopped = (made.event("h", expect="hold", to_yield=sec, talk_over=0.2) for sec in (None, 0.2))
    return verified([*before, hold], [*(made.event(name) for name in "abc"), stopped])


def test_the_example_passes_a_fix_and_fails_a_bandaid(better, bandaid):
    stated = read_policy(EXAMPLE)
    assert hold_against(stated, better).passed
    result = hold_against(stated, bandaid)
    assert not result.passed
    assert all(target.met for target in result.targets)
    assert [rail.name for rail in result.guardrails if not rail.ok] == ["max_new_false_yields"]


@pytest.mark.parametrize(
    ("metric", "required", "met"),
    [
        ("talk_over_sec_p95", "-2.1", True),
        ("talk_over_sec_p95", "-2.11", False),
        ("seconds_to_yield_p95", "decrease", True),
        ("seconds_to_yield_p95", "increase", False),
        ("failed_count", "-3", True),
        ("failed_count", "-4", False),
        ("failed_count", "no_worse", True),
        ("failed_count", "no_better", False),
        ("false_yield_count", "unchanged", True),
        ("false_yield_count", "no_better", True),
        ("false_yield_count", "1", False),
    ],
)
def test_a_number_is_the_least_change_and_a_word_its_direction(better, policy, metric, required, met):
    (target,) = hold_against(policy(f"target:\n  improve:\n    {metric}: {required}\n"), better).targets
    assert target.met is met


def test_what_was_not_measured_on_both_sides_is_not_met(made, verified, policy):
    never = [made.event("a", to_yield=None, talk_over=2.0)]
    result = verified(never, [made.event("a")])
    stated = policy("target:\n  improve:\n    seconds_to_yield_p95: no_worse\n")
    (target,) = hold_against(stated, result).targets
    assert (target.before, target.delta, target.met) == (None, None, False)


def test_a_guardrail_asks_for_both_labels(made, verified, policy):
    result = verified([made.event("a")], [made.event("a")])
    stated = policy("guardrails:\n  require_hold_fixture: true\n  require_yield_fixture: true\n")
    assert {rail.name: rail.ok for rail in hold_against(stated, result).guardrails} == {
        "require_hold_fixture": False,
        "require_yield_fixture": True,
        "missing_after": True,
        "evidence_holds": True,
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda made: {"expected": made.BOUNDS | {"max_talk_over_sec": 9.0}},
        lambda made: {"verdict": made.event("a", talk_over=5.0)["verdict"] | {"passed": True}},
        lambda made: {"audio_provenance": made.provenance("a1")},
    ],
)
def test_no_policy_passes_on_evidence_that_contradicts_itself(made, verified, policy, change):
    before = made.event("a", to_yield=None, talk_over=2.0, samples="a1")
    stated = policy("target:\n  improve:\n    failed_count: decrease\n")
    assert hold_against(stated, verified([before], [made.event("a", samples="a2")])).passed
    held = hold_against(stated, verified([before], [made.event("a", samples="a2") | change(made)]))
    assert not held.passed and [rail.name for rail in held.guardrails if not rail.ok] == ["evidence_holds"]


def test_a_policy_that_so_few_fixtures_cannot_fail_is_refused(better, policy):
    for limit in (4, 9_999):
        with pytest.raises(Refusal) as refused:
            hold_against(policy(f"guardrails:\n  max_not_scorable: {limit}\n"), better)
        assert (refused.value.code, refused.value.exit_code) == ("not_a_verify_policy", 2)
    assert hold_against(policy("guardrails:\n  max_not_scorable: 3\n"), better).passed


def test_a_fixture_that_was_left_out_fails_every_policy(made, verified, policy):
    result = verified([made.event("a"), made.event("b")], [made.event("a")])
    held = hold_against(policy("guardrails:\n  max_new_false_yields: 0\n"), result)
    assert not held.passed
    assert [rail.name for rail in held.guardrails if not rail.ok] == ["missing_after"]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "empty"),
        ("{}\n", 1, "asks for nothing"),
        ("target:\n  improve: {}\n", 1, "asks for nothing"),
        ("guardrails:\n  require_hold_fixture: false\n", 1, "asks for nothing"),
        (
            "guardrails:\n  require_yield_fixture: false\n  max_new_false_yields: 1000000\n",
            1,
            "asks for nothing",
        ),
        ("guardrails:\n  max_not_scorable: 1000000\n", 1, "asks for nothing"),
        ("- max_not_scorable: 0\n", 1, "array"),
        ("guardrails:\n  max_not_scorable: 0\n  max_false_yields: 0\n", 3, "unknown key 'max_false_yields'"),
        ("guardrails:\n  max_not_scorable: none\n", 2, "max_not_scorable"),
        ("guardrails:\n  max_not_scorable: -1\n", 2, "max_not_scorable"),
        ("guardrails:\n  max_not_scorable: 0.5\n", 2, "max_not_scorable"),
        ("guardrails:\n  require_hold_fixture: yes\n", 2, "require_hold_fixture"),
        ("guardrails:\n\tmax_not_scorable: 0\n", 2, "tab"),
        ("guardrails:\n  max_not_scorable: 0\n  max_not_scorable: 9\n", 3, "twice"),
        ("target:\n  improve:\n    failed_count: shrink\n", 3, "failed_count"),
        ("target:\n  improve:\n    failed_count:\n", 3, "failed_count"),
        ("target:\n  improve:\n    failed_count: true\n", 3, "failed_count"),
        ("target:\n  improve: [failed_count]\n", 2, "improve"),
        ("target:\nguardrails:\n  max_not_scorable: 0\n", 1, "target"),
    ],
)
def test_what_is_no_policy_is_refused_with_its_line(policy, text, line, what):
    with pytest.raises(Refusal) as refused:
        policy(text)
    assert refused.value.code == "not_a_verify_policy"
    assert f"line {line}:" in refused.value.message
    assert what in refused.value.message.replace("\\t", "tab")


def test_the_lines_of_the_remedy_are_a_policy(policy):
    with pytest.raises(Refusal) as refused:
        policy("")
    for line in refused.value.remedy.removeprefix("write lines such as").split("  and  "):
        policy(line.strip() + "\n")


def test_a_target_of_no_change_is_refused(policy):
    with pytest.raises(Refusal, match="no change in either direction"):
        policy("target:\n  improve:\n    failed_count: 0\n")
