"""`hotato verify`: a battery before a change and after it."""

from __future__ import annotations

import json

import pytest

POLICY = "target:\n  improve:\n    failed_count: decrease\nguardrails:\n  max_new_false_yields: 0\n"


@pytest.fixture
def runs(hotato, tmp_path):
    """The bundled battery scored twice: once under a bound that it cannot meet, once as it is."""
    for name, extra in (
        ("before.json", ("--caller-channel", "1", "--agent-channel", "0")),
        ("after.json", ()),
    ):
        done = hotato("run", "--suite", "barge-in", "--format", "json", "--no-fail", *extra)
        (tmp_path / name).write_text(done.out)
    return "--before", "before.json", "--after", "after.json"


def test_the_json_has_the_documented_keys(hotato, runs):
    found = hotato("verify", *runs, "--format", "json").json
    assert list(found)[:17] == [
        *("tool", "kind", "schema_version", "offline", "min_n", "evidence_class", "evidence", "paired"),
        *("results", "regression_axis", "hold_axis", "regressions", "claim", "distribution", "unpaired"),
        *("per_fixture", "exit_code"),
    ]
    assert found["paired"] == sum(found["results"].values()) == len(found["per_fixture"]) == 8
    assert list(found["distribution"]["after"]["talk_over_sec"]) == [
        "n",
        "min",
        "mean",
        "median",
        "p90",
        "p95",
        "max",
    ]


def test_a_re_score_supports_no_claim_and_still_exits_0(hotato, runs):
    done = hotato("verify", *runs, "--min-n", "1")
    assert done.code == 0 and "no claim:" in done.out
    assert "audio_identity is same_samples" in done.out


def test_gates_exit_1_and_leave_their_files(hotato, runs, tmp_path):
    turned = ("--before", "after.json", "--after", "before.json")
    ungated = hotato("verify", *turned, "--out", "open.html")
    assert ungated.code == 0 and "no gate was asked for: " in ungated.out
    assert "--fail-on-regression exits 1 for that" in " ".join(ungated.out.split())
    assert "0 of 0" not in ungated.out and "No fixture failed before" in (tmp_path / "open.html").read_text()
    done = hotato("verify", *turned, "--fail-on-regression", "--junit", "j.xml", "--out", "page.html")
    assert done.code == 1
    assert "<failure" in (tmp_path / "j.xml").read_text()
    assert (
        (tmp_path / "page.html").read_text().startswith("<!doctype html>\n<!-- written by hotato verify -->")
    )
    assert hotato("verify", *turned, "--junit", "k.xml").code == 2
    assert not (tmp_path / "k.xml").exists()


def test_a_policy_is_a_gate_and_its_result_is_shown(hotato, runs, tmp_path):
    (tmp_path / "hotato.verify.yaml").write_text(POLICY)
    fresh_samples(tmp_path / "after.json")
    good = hotato("verify", *runs, "--policy", "hotato.verify.yaml")
    turned = ("--before", "after.json", "--after", "before.json")
    bad = hotato("verify", *turned, "--policy", "hotato.verify.yaml", "--out", "page.html")
    assert (good.code, bad.code) == (0, 1)
    assert "Policy check: PASSED" in good.out and "Policy check: FAILED" in bad.out
    assert "Policy check: FAILED" in (tmp_path / "page.html").read_text()
    result = hotato("verify", *runs, "--policy", "hotato.verify.yaml", "--format", "json").json
    assert (result["policy"]["path"], result["policy"]["passed"]) == ("hotato.verify.yaml", True)
    assert result["gate"] == {"passed": True, "closed_by": []}


def fresh_samples(path):
    """Let a run state samples of its own, as one of new recordings would."""
    envelope = json.loads(path.read_text())
    for event in envelope["events"]:
        for side in event["audio_provenance"]["sides"]:
            side["pcm_sha256"] = side["pcm_sha256"][::-1]
    path.write_text(json.dumps(envelope))


@pytest.mark.parametrize("gate", ["policy", "regression"])
def test_no_gate_is_green_on_the_same_recordings(hotato, runs, tmp_path, gate):
    (tmp_path / "hotato.verify.yaml").write_text(POLICY)
    words = ("--policy", "hotato.verify.yaml") if gate == "policy" else ("--fail-on-regression",)
    assert hotato("verify", *runs).code == 0
    files = ("--junit", "j.xml", "--pr-comment", "c.md", "--out", "page.html")
    done = hotato("verify", *runs, *words, *files)
    assert done.code == 1 and "gate closed:" in done.out.split("claim:")[0]
    assert "no new take" in done.out and "Gate closed" in (tmp_path / "page.html").read_text()
    assert "<failure" in (tmp_path / "j.xml").read_text()
    assert "did not pass" in (tmp_path / "c.md").read_text()
    found = hotato("verify", *runs, *words, "--format", "json").json
    assert found["exit_code"] == 1 and not found["gate"]["passed"]
    assert found["gate"]["closed_by"][-1].startswith("evidence audio_identity: ")


def test_what_cannot_be_compared_exits_2_and_leaves_nothing(hotato, runs, tmp_path):
    (tmp_path / "bad.yaml").write_text("guardrails:\n  max_false: 0\n")
    (tmp_path / "other.json").write_text(json.dumps({"events": []}))
    for words in (
        (*runs, "--policy", "bad.yaml"),
        ("--before", "before.json", "--after", "other.json"),
        ("--before", "before.json", "--after", "absent.json"),
        ("--before", "before.json"),
        (*runs, "--min-n", "0"),
    ):
        done = hotato("verify", *words, "--out", "page.html")
        assert (done.code, done.out) == (2, "") and done.err.count("\n") == 1
        assert not (tmp_path / "page.html").exists()
    assert "line 2: states an unknown key 'max_false'" in hotato("verify", *runs, "--policy", "bad.yaml").err


def test_a_page_never_replaces_a_run(hotato, runs, tmp_path):
    before = (tmp_path / "before.json").read_text()
    assert hotato("verify", *runs, "--out", "before.json", "--force").code == 2
    assert (tmp_path / "before.json").read_text() == before
